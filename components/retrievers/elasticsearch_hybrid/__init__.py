# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Retrieval by words and by meaning from Elasticsearch, with both scores. Needs the extra `elasticsearch`."""

from haystack_integrations.components.retrievers.elasticsearch_hybrid.retriever import ElasticsearchHybridScoreRetriever

__all__ = ["ElasticsearchHybridScoreRetriever"]
