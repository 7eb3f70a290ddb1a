# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A real Elasticsearch for the tests, one node or several: see the tests' README."""

from .distribution import distribution
from .node import ElasticsearchCluster, ElasticsearchNode

__all__ = ["ElasticsearchCluster", "ElasticsearchNode", "distribution"]
