# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Elasticsearch's address and credentials from the environment, for the integration's own document store."""

from haystack_integrations.document_stores.elasticsearch_nodes.nodes import ElasticsearchNodes

__all__ = ["ElasticsearchNodes"]
