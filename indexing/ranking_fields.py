# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Where retrievers and rankers say, in a document's metadata, what they made of it."""

from typing import Final

BM25_SCORE: Final = "bm25_score"
"""BM25's score, from a hybrid retriever."""

VECTOR_SCORE: Final = "vector_score"
"""The cosine, from a hybrid retriever; None for a document without a vector."""

RETRIEVER_SCORE: Final = "retriever_score"
"""The score with which a document came to a ranker."""

RETRIEVER_RANK: Final = "retriever_rank"
"""The place in which it came, 1 for the first."""

RANKER_PROBABILITY: Final = "ranker_probability"
"""How sure a ranker is of it, from 0 to 1."""
