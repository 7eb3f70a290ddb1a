# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The rule of :mod:`answer_selection.indexing.analysis`, in tantivy's terms."""

import re
import unicodedata

import tantivy
from answer_selection.indexing.analysis import CJK_RANGES, MAX_TERM
from answer_selection.indexing.text.encodable import encodable

# Set apart by spaces, each is a term.
_CJK = re.compile(f"([{''.join(f'{chr(first)}-{chr(last)}' for first, last in CJK_RANGES)}])")


def prepare(text: str) -> str:
    """
    Bring text into the form that the analyzer reads.

    Unicode is composed (NFKC), halves of surrogate pairs, which UTF-8 can't hold, become question marks, and Chinese
    and Japanese characters are set apart by spaces.

    :param text: Any string.
    :returns: The prepared text; ASCII text is returned as it is.
    """
    if text.isascii():
        return text
    return _CJK.sub(r" \1 ", unicodedata.normalize("NFKC", encodable(text)))


def build_analyzer(language: str | None) -> tantivy.TextAnalyzer:
    """
    Build the analyzer that follows :func:`prepare`.

    :param language: One of :data:`answer_selection.indexing.analysis.LANGUAGES`, or None for no stemming.
    :returns: A tantivy analyzer.
    """
    builder = (
        tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
        .filter(tantivy.Filter.remove_long(MAX_TERM + 1))
        .filter(tantivy.Filter.lowercase())
    )
    if language is not None:
        builder = builder.filter(tantivy.Filter.stemmer(language))
    return builder.build()
