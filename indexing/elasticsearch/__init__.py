# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Elasticsearch: what an index is, and the connection to a cluster. Needs the extra `elasticsearch`."""
