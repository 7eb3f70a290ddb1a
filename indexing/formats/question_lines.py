# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Plain text of pairs: a line that begins with ``Q:`` and, after it, one that begins with ``A:``.

Where a text has more questions with numbers, underlined or further out than their answers, these are read.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO, Final

from answer_selection.indexing.formats import numbered
from answer_selection.indexing.formats.lines import decode, plain_newlines
from answer_selection.indexing.formats.questions import without_marks
from answer_selection.indexing.formats.raw import Problem, RawEntry

# "Q: ", "Q1. ", "Q 2) ", "Question: ", perhaps bold in Markdown, perhaps an item of a list.
_ITEM: Final = r"[ \t]*(?:(?:[-*+\u2022]|[0-9]{{1,4}}[.)])[ \t]+)?"
_NUMBER: Final = r" ?[0-9]{{0,4}}(?:\.[0-9]{{1,4}}){{0,4}}"
_MARK: Final = _ITEM + r"(?:\*\*)?(?:{0})" + _NUMBER + r"(?:\*\*)? ?[:.)](?:\*\*)?(?:[ \t]+|$)"
# "q." and "a)" are letters of a list.
_SMALL: Final = "(?=[*]{0,2} ?[0-9.]{0,9}:)"
_QUESTION: Final = re.compile(_MARK.format("(?i:Question)|Q|q" + _SMALL))
_ANSWER: Final = re.compile(_MARK.format("(?i:Answer|Ans)|A|a" + _SMALL))
# "Q1: How? A: So." on one line.
_ANSWER_INLINE: Final = re.compile(r"\?\s+A:(?:\s+|$)")
_RULE: Final = re.compile(r"[ \t]*(?:[-=_*~#][ \t]?){3,}[ \t]*")


def read(stream: BinaryIO, encoding: str | None = None) -> Iterator[RawEntry | Problem]:
    """
    Read a whole text.

    A question ends where its answer begins, an answer where the next question begins, or at a line of hyphens, equals
    signs or the like that a heading stands under or between. Where no line begins with "A:", an answer begins on
    the line after its question's sign. Questions in lines one below the other have one answer. What is before the first
    question is passed over.

    :param stream: the file's bytes.
    :param encoding: the declared encoding, if any.
    :returns: one raw entry a pair; a problem if there is none.
    :raises EncodingError: if a byte is no text.
    """
    text = plain_newlines(decode(stream.read(), encoding))
    _, pairs = split(text, None)
    answered = {pair.fields["question"] for pair in pairs if pair.fields["answer"]}
    # Without the lines of a table of contents.
    pairs = [pair for pair in pairs if pair.fields["answer"] or pair.fields["question"] not in answered]
    others = numbered.entries(text)
    # Without "A:", lines that begin with "Q1:" may be those of a table of contents.
    are_pairs = 2 * sum(_ANSWER.match(line) is not None for line in text.split("\n")) >= len(pairs)
    more = sum(isinstance(other, RawEntry) and bool(other.fields["answer"]) for other in others)
    found = others if more > len(pairs) * (2 if are_pairs else 0.5) else pairs
    yield from found
    if not found and text.strip():
        yield Problem(
            "",
            None,
            "expected pairs of a line that begins with 'Q:' and one that begins with 'A:', or questions with numbers "
            "or lines below them; found none",
            nothing=True,
        )


def split(text: str, location: str | None) -> tuple[str, list[RawEntry]]:
    """
    Find the pairs in a text.

    :param text: lines.
    :param location: where the text is, or None if it is a file: each pair's own line is named then, and a question
        without an answer is given too.
    :returns: what stands before the first pair, and the pairs; no pairs if no question has an answer.
    """
    lines = text.split("\n")
    are_marked = any(_ANSWER.match(line) for line in lines)
    pairs: list[RawEntry] = []
    first = len(lines)
    question: list[str] = []
    answer: list[str] | None = None
    began = 0
    # Questions in lines right above, which have the same answer.
    same: list[tuple[int, str]] = []

    def end() -> None:
        nonlocal answer, first
        if answer is not None and not are_marked and not any(line.strip() for line in answer):
            answer = None
        if question and (answer is not None or location is None):
            said = "" if answer is None else _without_indent(answer)
            for line, title in [*same, (began, _asked(question))]:
                pairs.append(RawEntry(location or f"line {line + 1}", {"question": title, "answer": said}))
                first = min(first, line)
        same.clear()
        question.clear()
        answer = None

    for number, line in enumerate(lines):
        if mark := _QUESTION.match(line):
            if question and answer is None and are_marked and lines[number - 1].strip():
                same.append((began, _asked(question)))
                question.clear()
            else:
                end()
            began = number
            question.append(line[mark.end() :])
            if inline := _ANSWER_INLINE.search(question[0]):
                answer = [question[0][inline.end() :]]
                question[0] = question[0][: inline.start() + 1]
            if not question[0]:
                question[0] = " "
        elif question and answer is None and (mark := _ANSWER.match(line)):
            answer = [" " * mark.end() + line[mark.end() :]]
        elif answer is not None:
            if _RULE.fullmatch(line):
                end_of_answer = answer
                # The line above is the heading that the rule stands under.
                if end_of_answer and line.strip()[0] in "=-~" and end_of_answer[-1].strip() and len(end_of_answer) > 1:
                    end_of_answer.pop()
                end()
            else:
                answer.append(line)
        elif question and not are_marked and question[-1].rstrip(" \t*").endswith("?"):
            answer = ["", line]
        elif question:
            question.append(line)
    end()
    if not any(pair.fields["answer"] for pair in pairs):
        return text, []
    return "\n".join(lines[:first]).strip("\n"), pairs


def _asked(lines: list[str]) -> str:
    return without_marks(" ".join(" ".join(lines).split()))[0].removesuffix("**").strip()


def _without_indent(lines: list[str]) -> str:
    """Leave out the indentation that all lines have after the first, which stands behind its mark."""
    rest = [line for line in lines[1:] if line.strip()]
    width = min((len(line) - len(line.lstrip()) for line in rest), default=0)
    return "\n".join([lines[0].strip(), *(line[width:].rstrip() for line in lines[1:])]).strip()
