# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The retrievers of the embedded document store."""

from haystack_integrations.components.retrievers.tantivy.bm25_retriever import TantivyBM25Retriever
from haystack_integrations.components.retrievers.tantivy.embedding_retriever import TantivyEmbeddingRetriever
from haystack_integrations.components.retrievers.tantivy.hybrid_retriever import TantivyHybridRetriever

__all__ = ["TantivyBM25Retriever", "TantivyEmbeddingRetriever", "TantivyHybridRetriever"]
