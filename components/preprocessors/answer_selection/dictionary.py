# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The dictionaries of languages, by pyspellchecker."""

import threading
from collections.abc import Iterable
from functools import cache
from typing import Final

from spellchecker import SpellChecker

from answer_selection.indexing.text.misspelling import is_likely_slip

_CODES: Final = {
    "arabic": "ar", "dutch": "nl", "english": "en", "french": "fr", "german": "de", "italian": "it",
    "portuguese": "pt", "russian": "ru", "spanish": "es",
}  # fmt: skip

LANGUAGES: Final = tuple(_CODES)
"""The languages that there is a dictionary of."""

# Times. Rarer words are names, and "backbend" for "backend".
_COMMON: Final = 1000


class Dictionary:
    """
    The words of a language.

    :param language: The language, one of :data:`LANGUAGES`.
    """

    def __init__(self, language: str) -> None:
        self._words = SpellChecker(language=_CODES[language])

    def __contains__(self, word: str) -> bool:
        """Whether a word is in the dictionary; "dont" and "theyre" only lack their apostrophes."""
        return word in self._words or any(
            f"{word[:place]}'{word[place:]}" in self._words for place in range(len(word) - 1, 0, -1)
        )

    def near(self, word: str) -> list[str]:
        """
        Find the words that a likely slip makes a word of.

        :param word: A word that is not in the dictionary, in small letters.
        :returns: The words of letters alone, in alphabetical order.
        """
        near = self._words.known(self._words.edit_distance_1(word))
        return sorted(other for other in near if other.isalpha() and is_likely_slip(word, other))

    def common(self, words: Iterable[str]) -> dict[str, int]:
        """
        Find the words that everybody knows.

        :param words: Words of the dictionary.
        :returns: Those that come a thousand times or more in what the dictionary was made of, subtitles, and how often.
        """
        counts = {word: int(self._words[word]) for word in words}
        return {word: count for word, count in counts.items() if count >= _COMMON}


_LOADING: Final = threading.Lock()


def dictionary(language: str) -> Dictionary:
    """
    Load a dictionary, once in a process.

    :param language: The language, one of :data:`LANGUAGES`.
    :returns: The dictionary.
    """
    with _LOADING:
        return _load(language)


@cache
def _load(language: str) -> Dictionary:
    return Dictionary(language)
