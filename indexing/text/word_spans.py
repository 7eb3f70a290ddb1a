# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The places of a model's words in the text that it reads."""

import functools
import unicodedata
from collections.abc import Iterable
from difflib import SequenceMatcher

from answer_selection.indexing.text.normalize import (
    DEFAULT,
    TREEBANK_ESCAPE,
    Normalization,
    normalize,
    words,
)

_SIGNS = frozenset("$€£¥%")  # the words without a letter


def word_spans(text: str, options: Normalization = DEFAULT) -> list[tuple[int, int]]:
    """
    Find the words of ``words(normalize(text, options))`` in the text itself, by their letters.

    Normalising moves what stands between words, and joins and parts characters, but keeps the order of the letters.

    :param text: any string.
    :param options: as for :func:`normalize`.
    :returns: where each word begins and ends, in characters, in the order of the words. Where one character is several
        words (½), they have the same place.
    """
    found = words(normalize(text, options))
    wanted, ends = [], []
    for word in found:
        wanted += [letter for character in word for letter in _letters(character)]
        ends.append(len(wanted))
    letters, origins = _letters_of(text, options)
    if letters == wanted:
        places: list[int | None] = list(origins)
    else:  # some marks change their order with their neighbours
        places = [None] * len(wanted)
        for at, there, size in SequenceMatcher(a=letters, b=wanted, autojunk=False).get_matching_blocks():
            places[there : there + size] = origins[at : at + size]
    spans, end = [], 0
    for start, stop in zip([0, *ends], ends, strict=False):
        known = [place for place in places[start:stop] if place is not None]
        begin, end = (known[0], known[-1] + 1) if known else (end, end)
        spans.append((begin, end))
    return spans


def _letters_of(text: str, options: Normalization) -> tuple[list[str], list[int]]:
    """The letters of a text's words, and the characters that they come from."""
    pieces = [_alone(character, options) for character in text]
    joined = "".join(pieces)
    origins = [place for place, piece in enumerate(pieces) for _ in piece]
    escaped = {place for match in TREEBANK_ESCAPE.finditer(joined) for place in range(*match.span())}
    kept = _parted((joined[place], origins[place]) for place in range(len(joined)) if place not in escaped)
    return [letter for letter, _ in kept], [origin for _, origin in kept]


def _parted(characters: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    return [(letter, origin) for character, origin in characters for letter in _letters(character)]


@functools.lru_cache(maxsize=1 << 12)
def _alone(character: str, options: Normalization) -> str:
    """A character as it is in normalised text."""
    return normalize(character, options) or " "


@functools.lru_cache(maxsize=1 << 12)
def _letters(character: str) -> str:
    """What two forms of a character have in common: letters, marks and figures, apart and without case."""
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", character).casefold())
    return "".join(part for part in decomposed if part in _SIGNS or unicodedata.category(part)[0] in "LMN")
