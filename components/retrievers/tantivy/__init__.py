# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The retriever of the embedded document store."""

from haystack_integrations.components.retrievers.tantivy.bm25_retriever import TantivyBM25Retriever

__all__ = ["TantivyBM25Retriever"]
