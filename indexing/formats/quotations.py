# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Questions of an FAQ that are quoted, each in a ``<blockquote>`` of one line: ``> Why is it hot?`` of Markdown."""

from collections import defaultdict
from collections.abc import Container
from typing import Any, Final

from answer_selection.indexing.formats.question_lines import begins_a_question
from answer_selection.indexing.formats.questions import asks, is_one_sentence, tells_a_trouble
from answer_selection.indexing.formats.readable import readable_line

_LONGEST: Final = 300
_FEWEST: Final = 3
_INLINE: Final = frozenset(["a", "br", "code", "em", "i", "p", "span"])


def quoted_questions(root: Any, headings: Container[Any]) -> dict[Any, str]:
    """
    Find the quotations that are questions, each with its answer behind it.

    :param root: a page's root element, or a part of a page.
    :param headings: the headings in it, which part its sections.
    :returns: by each quotation what it says; of a section none if there are few, one has no text behind it, less than
        half of them ask or tell what is wrong, or none asks.
    """
    sections: defaultdict[tuple[Any, Any], dict[Any, str]] = defaultdict(dict)
    above = None
    for element in root.iter():
        if element in headings:
            above = element
        elif element.tag == "blockquote" and (line := _line(element)):
            sections[element.getparent(), above][element] = line
    return {
        quotation: line for found in sections.values() if _are_questions(found) for quotation, line in found.items()
    }


def _are_questions(found: dict[Any, str]) -> bool:
    asking = sum(map(asks, found.values()))
    telling = sum(tells_a_trouble(line) for line in found.values() if not asks(line))
    if len(found) < _FEWEST or not asking or 2 * (asking + telling) < len(found):
        return False
    return all(_has_text(quotation, found) for quotation in found)


def _line(quotation: Any) -> str:
    """What a quotation of one line says; nothing if it says more, or what is in it may be read otherwise."""
    if len(quotation) > 1 or any(part.tag not in _INLINE for part in quotation.iterdescendants()):
        return ""
    line = readable_line(quotation)
    if len(line) > _LONGEST or begins_a_question(line):
        return ""
    # What ends with a full stop, or goes on below, is quoted in an answer.
    return line if asks(line) or (is_one_sentence(line) and not line.endswith((".", ":"))) else ""


def _has_text(quotation: Any, questions: Container[Any]) -> bool:
    """Whether text stands behind a quotation, before the next one that may be a question."""
    text = quotation.tail
    for after in quotation.itersiblings():
        if (text or "").strip():
            return True
        if isinstance(after.tag, str):  # no comment
            return after not in questions and bool("".join(after.itertext()).strip())
        text = after.tail
    return bool((text or "").strip())
