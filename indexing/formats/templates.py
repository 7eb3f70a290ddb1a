# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Pages that are templates: what a program would replace goes, the texts that it would translate stay."""

import re
from typing import Final

# Django's, Jinja's, Twig's and Liquid's tags and comments, and Handlebars' and Blade's.
_ENDS: Final = {"{%": "%}", "{#": "#}", "{{": "}}", "<%": "%>", "<?php": "?>", "<?=": "?>"}
_BEGIN: Final = re.compile("|".join(map(re.escape, _ENDS)))
_BEGINNINGS: Final = ("{%", "{#", "{{", "<%", "<?php", "@extends", "@include", "@php", "@section")
# No page as it is shown has a tag for an address.
_ADDRESS: Final = re.compile(r"""(?:href|src|action)=["'](?:\{[%{]|<%|<\?)""")
_SAID: Final = re.compile(
    r"""[-+=]?\s{0,9}(?:trans(?:late)?\s{1,9}|(?:_{1,2}|t|trans|translate|gettext)\(\s{0,9})"""
    r"""(?P<quote>["'])(?P<said>.{1,2000}?)(?P=quote)\s{0,9}(?:[),|-]|as\s|context\s|\Z)""",
    re.DOTALL,
)
_FILTERED: Final = re.compile(
    r"""\s{0,9}(?P<quote>["'])(?P<said>.{1,2000}?)(?P=quote)\s{0,9}\|\s{0,9}t(?:rans(?:late)?)?\s{0,9}\Z""", re.DOTALL
)
# Of "{{ ... }}" only these show nothing: "{{#if}}", "{{/if}}", "{{> foot}}", "{{! note }}", "{{-- note --}}".
_SHOWS_NOTHING: Final = ("#", "/", ">", "!", "^", "--", "else")
_LONGEST: Final = 300
# Blade's "@section('content')" and "@endsection", on lines of their own.
_DIRECTIVE: Final = re.compile(r"(?m)^[ \t]{0,99}@[a-z]{2,20}(?:[ \t]?\([^\n]{0,500}\))?[ \t\r]{0,99}$", re.IGNORECASE)

_VARIABLES: Final = re.compile(r"(?:(?:\{\{[^{}]{1,300}\}\}|<%=[^%]{1,300}%>)[\s.:)#-]{0,9}){1,9}")


def is_filled_in(text: str) -> bool:
    """
    Tell whether a text is one that a program writes, as those of a loop are: ``{{ faq.question }}``.

    :param text: a question.
    :returns: whether it is nothing but variables.
    """
    return _VARIABLES.fullmatch(text) is not None


def without_template_tags(html: str) -> str:
    """
    Leave out of a template what its program would replace.

    :param html: a page's source.
    :returns: the same if it is no template. In one, tags are gone that show nothing, and texts to be translated stand
        without theirs. Variables stay, and so do the numbers of the lines.
    """
    start = html[:_LONGEST].lstrip("\ufeff \t\r\n")
    if not start.startswith(_BEGINNINGS) and _ADDRESS.search(html) is None:
        return html
    if start.startswith("@"):
        html = _DIRECTIVE.sub("", html)
    pieces: list[str] = []
    here = 0
    open_ended: set[str] = set()
    for begin in _BEGIN.finditer(html):
        sign = begin[0]
        if begin.start() < here or sign in open_ended:
            continue
        end = html.find(_ENDS[sign], begin.end())
        if end < 0:
            open_ended.add(sign)
            continue
        tag = html[begin.end() : end]
        if (shown := _shown(sign, tag)) is not None:
            pieces += [html[here : begin.start()], shown]
            here = end + len(_ENDS[sign])
    return "".join([*pieces, html[here:]])


def _shown(sign: str, tag: str) -> str | None:
    """What a reader would see of a tag, or None if that is not known."""
    if (said := _SAID.match(tag) or _FILTERED.match(tag)) is not None:
        return said["said"]
    if sign == "{{" and (len(tag) > _LONGEST or not tag.lstrip("~ ").startswith(_SHOWS_NOTHING)):
        return None
    return "\n" * tag.count("\n")
