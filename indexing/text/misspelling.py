# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Which words of a text may be misspelt, and which word was meant.

One slip of the finger is a letter too many, a missing one, another one, or two swapped (Damerau 1964, "A technique for
computer detection and correction of spelling errors": four in five misspellings are one slip). Slips are rare at a
word's first letter, where only a swap is looked for. Of its last letter, one more or another makes another form of the
word.
"""

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Final

import regex

# Words that stand alone: no part of a file's name, an option, an address or a version.
_ALONE: Final = regex.compile(r"(?<![\w./\\@-])\p{L}+(?![\w/\\@-]|\.\w)")
# Letters. Shorter words have too many neighbours; those of swapped letters are few.
_LEAST: Final = 5
_LEAST_SWAPPED: Final = 4
# Nobody types a longer word by a slip.
_LONGEST: Final = 40
# Words that are looked at, at every query: few of a question are unknown.
_MOST: Final = 16


def doubtful_words(text: str, known: Callable[[str], bool]) -> list[str]:
    """
    Find the words that may be misspelt.

    :param text: The text.
    :param known: Says whether a word, in small letters, is spelt rightly.
    :returns: The first 16 different words that are not known. A capital inside a word is a name's.
    """
    words = dict.fromkeys(_ALONE.findall(text))
    doubtful = (word for word in words if _LEAST_SWAPPED <= len(word) <= _LONGEST and not known(word.lower()))
    return list(islice((word for word in doubtful if not any(map(str.isupper, word[1:]))), _MOST))


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
    Say whether one slip makes a word of another.

    :param word: What was typed, in small letters.
    :param other: What may have been meant.
    :returns: Whether it is so.
    """
    if abs(len(word) - len(other)) > 1:
        return False
    begin = next((place for place, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), None)
    if begin is None:
        return False
    a, b = word[begin:], other[begin:]
    if a[:2] == b[1::-1] and a[2:] == b[2:]:
        return len(word) >= _LEAST_SWAPPED
    if begin == 0 or len(a) == len(b) == 1 or min(len(word), len(other)) < _LEAST:
        return False
    return a[1:] == b[1:] or a[1:] == b or a == b[1:]
