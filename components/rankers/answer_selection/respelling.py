# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
A question's misspelt words, as its candidates spell them.

"libary" has no word in common with an answer about the library, and means nothing to an encoder. Yet other words of the
question have found candidates, and these are about what was meant. So a word that nobody knows is read as the one of
the candidates' words that a slip of the finger makes of it: one letter too many, missing, another, or two swapped
(Damerau 1964, "A technique for computer detection and correction of spelling errors": four in five misspellings are one
of these). Only few words are compared, so that a right word is hardly ever taken for another.
"""

from collections import Counter
from collections.abc import Container, Sequence
from typing import Final

import regex

_WORD: Final = regex.compile(r"\p{L}+")
# Words that stand alone: no part of a file's name, an option, an address or a version.
_ALONE: Final = regex.compile(r"(?<![\w./\\@-])\p{L}+(?![\w/\\@-]|\.\w)")
# Letters. Shorter words have too many neighbours; those of swapped letters are few.
_LEAST: Final = 5
_LEAST_SWAPPED: Final = 4
# Unknown words that are looked at, at every query: a question has few.
_MOST: Final = 16


def respelt(query: str, answers: Sequence[str], known: Container[str]) -> str:
    """
    Spell a question as its candidates do.

    A word that is neither known nor in a candidate is read as a candidate's word that one slip makes of it. Few slips
    are made at the first letter, so only a swap may be there. What only ends in one more letter is another form of the
    word. Of several such words, one with the same letters is taken, then the one that most candidates have.

    :param query: The question.
    :param answers: The candidates' texts.
    :param known: The words that are spelt rightly, in small letters.
    :returns: The question; the same string if no word is misspelt.
    """
    words = dict.fromkeys(match[0] for match in _ALONE.finditer(query) if len(match[0]) >= _LEAST_SWAPPED)
    # A capital inside is no beginning of a sentence, but of a name.
    unknown = [word for word in words if word.lower() not in known and not any(map(str.isupper, word[1:]))][:_MOST]
    if not unknown:
        return query
    counts = Counter(word for answer in answers for word in set(_WORD.findall(answer.lower())))
    meant = {word: _meant(word.lower(), counts) for word in unknown if word.lower() not in counts}
    spelt: str = _ALONE.sub(lambda match: meant.get(match[0]) or match[0], query)
    return spelt


def _meant(word: str, counts: Counter[str]) -> str | None:
    near = [other for other in counts if _one_slip(word, other)]
    return min(near, key=lambda other: (sorted(other) != sorted(word), -counts[other], other), default=None)


def _one_slip(word: str, other: str) -> bool:
    """Whether one slip makes a word of the other."""
    if abs(len(word) - len(other)) > 1:
        return False
    begin = next((place for place, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), None)
    if begin is None:
        return False
    a, b = word[begin:], other[begin:]
    if a[:2] == b[1::-1] and a[2:] == b[2:]:
        return len(word) >= _LEAST_SWAPPED
    return begin > 0 and min(len(word), len(other)) >= _LEAST and (a[1:] == b[1:] or a[1:] == b or a == b[1:])
