# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Filters of a question, beside those that a pipeline's components have of their own."""

from typing import Any

from haystack.document_stores.types import FilterPolicy


def narrowed(component: Any, filters: dict[str, Any]) -> dict[str, Any]:
    """
    Narrow a component's own filter by that of a question, which Haystack puts in its place by default.

    :param component: The component, a retriever.
    :param filters: The question's filter.
    :returns: What to run it with: both, where it has one of its own and does not merge the two itself.
    """
    own = getattr(component, "filters", None)
    if not own or getattr(component, "filter_policy", None) is FilterPolicy.MERGE:
        return filters
    return {"operator": "AND", "conditions": [own, filters]}
