# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Which words of a text may be misspelt, and which word was meant.

Four in five misspellings are one slip (Damerau 1964, "A technique for computer detection and correction of spelling
errors"). Where few words are compared, any slip will do; of a whole dictionary, only those that people often make.
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Final

import regex

# Words that stand alone: no part of a file's name, an option, an address, a version, or code.
_ALONE: Final = regex.compile(r"(?<![\w./\\@=$%#`<{-]|\w:)\p{L}+(?![\w/\\@=$%#`>}(-]|[.:]\w)")
# Letters. Shorter words have too many neighbours.
_LEAST: Final = 5
# Nobody types a longer word by a slip.
_LONGEST: Final = 40
# Words that are looked at, at every query.
_MOST: Final = 32
# Latin and Cyrillic, without accents.
_VOWELS: Final = frozenset("aeiouyаеёиоуыэюя")  # noqa: RUF001


def long_words(text: str) -> list[str]:
    """
    Find the words that can be misspelt: those of five letters or more that stand alone.

    :param text: The text.
    :returns: The first 32 different ones, in their order; none of file names, options, addresses and code.
    """
    words = dict.fromkeys(_ALONE.findall(text))
    return list(islice((word for word in words if _LEAST <= len(word) <= _LONGEST), _MOST))


def doubtful_words(text: str, known: Callable[[str], bool]) -> list[str]:
    """
    Find the words that may be misspelt.

    :param text: The text.
    :param known: Says whether a word, in small letters, is spelt rightly.
    :returns: Those of `long_words` that are not known. A capital inside a word is a name's.
    """
    unknown = (word for word in long_words(text) if not known(word.lower()))
    return [word for word in unknown if not any(map(str.isupper, word[1:]))]


def respell(text: str, meant: Mapping[str, str]) -> str:
    """
    Put words in the place of misspelt ones.

    :param text: The text.
    :param meant: What to put in the place of a word.
    :returns: The text.
    """
    respelt: str = _ALONE.sub(lambda match: meant.get(match[0], match[0]), text)
    return respelt


def is_one_slip(word: str, other: str) -> bool:
    """
    Say whether one slip makes a word of another: a letter too many, a missing one, another one, or two swapped.

    The first letter is taken as right, unless it was swapped, and so is the last one: another last letter, or one more,
    makes another form of a word.

    :param word: What was typed, in small letters.
    :param other: What may have been meant.
    :returns: Whether it is so; of words of fewer than five letters it is not.
    """
    begin = _difference(word, other)
    if begin is None or abs(len(word) - len(other)) > 1 or min(len(word), len(other)) < _LEAST:
        return False
    a, b = word[begin:], other[begin:]
    if _are_swapped(a, b):
        return True
    return begin > 0 and (a[1:] == b or a == b[1:] or (a[1:] == b[1:] and len(a) > 1))


def is_likely_slip(word: str, other: str) -> bool:
    """
    Say whether a slip makes a word of another that people often make.

    One letter also lies between many right words, such as "backend" and "backed". Who does not know how a word is
    spelt, or types too fast, leaves out a letter, doubles one, takes another vowel, or swaps two letters.

    :param word: What was typed, in small letters.
    :param other: What may have been meant.
    :returns: Whether it is so.
    """
    if not is_one_slip(word, other):
        return False
    begin = _difference(word, other)
    assert begin is not None
    a, b = word[begin:], other[begin:]
    if len(a) == len(b):
        return _are_swapped(a, b) or (_is_vowel(a[0]) and _is_vowel(b[0]))
    # Of a letter that comes twice, it is the second that differs.
    return len(a) < len(b) or a[0] == word[begin - 1]


def best_meant(word: str, others: Iterable[str], counts: Mapping[str, int]) -> str | None:
    """
    Choose among the words that one slip makes a word of.

    :param word: What was typed, in small letters.
    :param others: What may have been meant.
    :param counts: How often each of these comes: in how many documents, or in what a dictionary was made of.
    :returns: One with the same letters, then the one that comes most often, then the first in the alphabet; None if
        there is none.
    """
    return min(others, key=lambda other: (sorted(other) != sorted(word), -counts[other], other), default=None)


def _difference(word: str, other: str) -> int | None:
    """The place of the first letter that differs; None if one is the other's beginning."""
    return next((place for place, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), None)


def _are_swapped(a: str, b: str) -> bool:
    return a[:2] == b[1::-1] and a[2:] == b[2:]


def _is_vowel(letter: str) -> bool:
    return unicodedata.normalize("NFD", letter)[0] in _VOWELS
