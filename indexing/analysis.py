# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
From text to terms: the one rule that every store of this package follows.

A term is a run of letters and digits (Unicode's Alphabetic and N), everything else separates; each Chinese or Japanese
character is a term of its own, since those languages write no spaces. Terms that are too long are left out, the rest is
lower-cased and reduced to its Snowball stem. No stop words are removed: BM25's idf makes them count for little.
"""

import re
from typing import Any, Final

# The languages for which both Tantivy and Elasticsearch have a Snowball stemmer.
LANGUAGES: Final = (
    "arabic", "danish", "dutch", "english", "finnish", "french", "german", "greek", "hungarian", "italian", "norwegian",
    "portuguese", "romanian", "russian", "spanish", "swedish", "tamil", "turkish",
)  # fmt: skip

# Kept with every index: an index made by another analysis can't be searched with this one.
ANALYSIS_VERSION: Final = 1

TOKENIZER: Final = "letters_and_digits"
MAX_TERM: Final = 254
"""Longest term, in bytes (Tantivy) or in UTF-16 units (Elasticsearch): for ASCII text the same."""
CJK_RANGES: Final = ((0x3040, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF))

_CJK: Final = "".join(f"{chr(first)}-{chr(last)}" for first, last in CJK_RANGES)
TERM: Final = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")
"""A term of a text: a Chinese or Japanese character, or a run of other letters and digits."""


def describe(language: str | None) -> dict[str, Any]:
    """
    Name the rule, for the settings that an index keeps.

    :param language: Language of the stemmer, or None for no stemming.
    :returns: The parts of the analysis by their names.
    """
    return {
        "version": ANALYSIS_VERSION,
        "tokenizer": TOKENIZER,
        "longest_term": MAX_TERM,
        "case": "lower",
        "stop_words": None,
        "stemmer": None if language is None else f"snowball_{language}",
    }


def check_language(language: object) -> None:
    """
    Make sure that there is a stemmer.

    :param language: Name of a language, or None for no stemming.
    :raises ValueError: If there is none; the message names those that there are.
    """
    if language is not None and language not in LANGUAGES:
        msg = f"language must be None or one of {', '.join(LANGUAGES)}, got {language!r}"
        raise ValueError(msg)
