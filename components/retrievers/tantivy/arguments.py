# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What the retrievers of the embedded document store have in common."""

from typing import Any

from haystack.document_stores.types import FilterPolicy, apply_filter_policy

from haystack_integrations.document_stores.tantivy import TantivyDocumentStore


def check_store(document_store: Any) -> None:
    """
    Make sure that a retriever is given the store that it is for.

    :param document_store: What is given.
    :raises TypeError: If it is of another class.
    """
    if not isinstance(document_store, TantivyDocumentStore):
        msg = f"document_store must be a TantivyDocumentStore, got {type(document_store).__name__}"
        raise TypeError(msg)


def applied_filters(
    policy: FilterPolicy, own: dict[str, Any] | None, given: dict[str, Any] | None
) -> dict[str, Any] | None:
    """
    Choose the filters of a run.

    :param policy: Whether a run's filters replace the retriever's or are joined to them.
    :param own: The retriever's.
    :param given: The run's.
    :returns: The filters to apply.
    """
    # Haystack's own function takes an empty filter for none given; here it means that nothing is filtered.
    replaced = given is not None and policy == FilterPolicy.REPLACE
    return given if replaced else apply_filter_policy(policy, own, given)


def with_filter_policy(data: dict[str, Any]) -> dict[str, Any]:
    """
    Read the filter policy in a retriever's dictionary.

    :param data: What its `to_dict` gave.
    :returns: The same with the policy itself in the place of its name.
    """
    parameters = dict(data.get("init_parameters", {}))
    if "filter_policy" in parameters:
        parameters["filter_policy"] = FilterPolicy.from_str(parameters["filter_policy"])
    return {**data, "init_parameters": parameters}
