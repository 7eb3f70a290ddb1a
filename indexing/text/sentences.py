# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The sentences of a text, in any language that marks their ends."""

from collections.abc import Iterator
from typing import Final

import regex

# Unicode's sentence terminals, of any script, the quotes and brackets that close behind them, and the space up to the
# next word. Nothing in it is tried twice, so that no text takes long.
_MARK: Final = regex.compile(r"""(?P<marks>[\p{Sentence_Terminal}…]++)[\p{Pe}\p{Pf}"']*+(?P<gap>\s*+)|\n""")
# Those of Chinese and Japanese: where words have no spaces between them, sentences have none either.
_WIDE: Final = frozenset("\u3002\uff01\uff1f\uff61\uff0e")
_LETTER: Final = regex.compile(r"\p{L}")


def sentences(text: str) -> list[str]:
    """
    Split a text into sentences. A line's end is the end of one too, since lists have no full stops.

    :param text: The text.
    :returns: Its sentences in order, with one space in the place of any white space. What holds no letter, as the
        number of a list's item or a row of dashes, goes with the next one, at the end with the last one.
    """
    found: list[str] = []
    start = looked_at = 0
    for end in [*sentence_ends(text), len(text)]:
        if _LETTER.search(text, looked_at, end):
            found.append(" ".join(text[start:end].split()))
            start = end
        looked_at = end
    if rest := " ".join(text[start:].split()):
        found[-1:] = [" ".join([*found[-1:], rest])]
    return found


def sentence_ends(text: str) -> Iterator[int]:
    """
    Say where sentences end in a text. A line's end is the end of one too, since lists have no full stops.

    :param text: The text.
    :returns: Places between two characters, rising: behind a sentence and the space that follows. There may be none at
        the text's end.
    """
    for match in _MARK.finditer(text):
        marks, end = match["marks"], match.end()
        if marks is None or "\n" in match["gap"] or not _WIDE.isdisjoint(marks):
            yield end
        elif (match["gap"] or end == len(text)) and (marks.strip(".…") or not _abbreviates(text, match.start(), end)):
            yield end


def _abbreviates(text: str, stop: int, following: int) -> bool:
    """Whether a full stop ends a word alone: before a small letter, or behind one letter ("8 p.m.", "J. Doe")."""
    before = text[max(0, stop - 2) : stop]
    return text[following : following + 1].islower() or (before[-1:].isalpha() and not before[:-1].isalnum())
