# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""From text to the terms that are indexed and searched: one analysis for documents and queries."""

import re
import unicodedata

import tantivy

# The languages of tantivy's Snowball stemmers.
LANGUAGES = (
    "arabic", "danish", "dutch", "english", "finnish", "french", "german", "greek", "hungarian", "italian", "norwegian",
    "portuguese", "romanian", "russian", "spanish", "swedish", "tamil", "turkish",
)  # fmt: skip

# Kept with every index: an index made by another analysis can't be searched with this one.
ANALYSIS_VERSION = 1

_MAX_TERM_BYTES = 255
# Chinese and Japanese write no spaces between words, so each character is a term (as in Haystack's in-memory store).
_CJK = re.compile("([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])")


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
    text = text.encode("utf-8", "replace").decode("utf-8")
    return _CJK.sub(r" \1 ", unicodedata.normalize("NFKC", text))


def build_analyzer(language: str | None) -> tantivy.TextAnalyzer:
    """
    Build the analyzer that follows :func:`prepare`.

    Terms are runs of letters and digits (everything else separates), those longer than 255 bytes are left out, the rest
    is lower-cased and reduced to its Snowball stem. No stop words are removed: BM25's idf makes them count for little.

    :param language: One of :data:`LANGUAGES`, or None for no stemming.
    :returns: A tantivy analyzer.
    """
    builder = (
        tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
        .filter(tantivy.Filter.remove_long(_MAX_TERM_BYTES))
        .filter(tantivy.Filter.lowercase())
    )
    if language is not None:
        builder = builder.filter(tantivy.Filter.stemmer(language))
    return builder.build()
