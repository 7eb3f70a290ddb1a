# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What stands at the end of a text and is of the file, not of its last answer: who wrote it, when, and for editors."""

import re
from collections.abc import Sequence
from typing import Final

# "-- " of mail, or "Kind regards", and a few short lines at the end; not "Close it like this:" above. The space may be
# lost where a name is below, and not code.
_SIGNATURE: Final = re.compile(
    r"(?i)(?<=[^\s:?])[ \t]{0,9}\n(?:[ \t]{0,9}\n){1,4}"
    r"(?:(?:-- |(?:(?:kind|best|warm) )?regards,?|(?:yours )?(?:sincerely|faithfully),?)[ \t]{0,9}"
    r"(?:\n[^\W\d][^\n?]{0,60}){0,6}"
    r"|--(?:\n[^\W\d][^\n?:;={}]{0,60}){1,3})\s{0,9}\Z"
)
# "$Id: faq.txt,v 1.6 2002/11/25 joe Exp $", "$Date$".
_VERSION: Final = re.compile(
    r"[ \t]{0,9}\$(?:[A-Z][A-Za-z]{1,20}: [^$\n]{1,200}|Author|Date|Header|Id|Revision)\$[ \t]{0,9}"
)
# "# vi: tw=70 ai", ".. vim: set ft=rst:".
_MODELINE: Final = re.compile(r"[^\w\s]{0,4}[ \t]{0,4}vim?:[ \t]{0,4}(?:set? |[a-z]{2,20}=)[^\n]{1,200}")
# "--", "--EOF".
_END: Final = re.compile(r"--[ \t]{0,4}(?:EOF)?[ \t]{0,9}")
# "Last updated: 5 May 2010", "Created: 1999 / Last update: $Date$"; with a number or the sign of one to be filled in.
_CHANGED: Final = re.compile(
    r"(?i)[ \t]{0,40}(?:Created: [^\n/]{1,40}/ ?)?"
    r"(?:last|(?:this )?(?:document|faq|file|page|text)(?: was)? last) "
    r"(?:changed?|edit(?:ed)?|modif(?:ication|ied|y)|revis(?:ed|ion)|updated?)(?: on)?:? "
    r"(?=[^\n]{0,60}[0-9$])[^\n]{1,80}"
)
_LONGEST: Final = 6  # lines, with those above that tell what the last is


def without_footer(text: str) -> str:
    """
    Leave out what stands at the end of a text and is none of it.

    :param text: the whole of a file.
    :returns: the text without a signature, versions, lines for editors, a mark of the end and the date of the last
        change, if nothing else follows; not what a line above shows that ends with a colon.
    """
    lines = text.split("\n")
    size = _end_of_lines(lines, len(lines))
    end = size
    while end and (footer := _size_of_footer(lines[max(0, end - _LONGEST) : end])):
        end = _end_of_lines(lines, end - footer)
    # Below a question it is the answer.
    if end < size and not (end and lines[end - 1].rstrip().endswith("?")):
        text = "\n".join([*lines[:end], ""])
    return _SIGNATURE.sub("\n", text)


def _end_of_lines(lines: Sequence[str], end: int) -> int:
    """The number of lines without those at the end that are empty."""
    while end and not lines[end - 1].strip():
        end -= 1
    return end


def _size_of_footer(lines: Sequence[str]) -> int:
    """How many of the last lines of a text are a footer."""
    size = 2 if [line.rstrip() for line in lines[-2:]] == ["--", "EOF"] else 1
    last, above = lines[-1], [line.strip() for line in lines[:-size]]
    if next((line for line in reversed(above) if line), "").endswith(":"):
        return 0
    is_alone = above[-1:] in ([], [""])
    is_footer = size > 1 or any(form.fullmatch(last) for form in (_VERSION, _MODELINE, _END))
    return size if is_footer or (is_alone and _CHANGED.fullmatch(last)) else 0
