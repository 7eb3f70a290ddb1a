# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A retriever over a document store: what a run may override, and how it is written into a pipeline's YAML."""

from typing import Any, Self

from haystack import default_from_dict, default_to_dict
from haystack.document_stores.types import FilterPolicy, apply_filter_policy


class StoreRetriever:
    """
    Keeps what a retriever was made with, each parameter under its own name.

    :param parameters: All parameters of the retriever's constructor.
    """

    document_store: Any
    filters: dict[str, Any] | None
    top_k: int
    filter_policy: FilterPolicy

    def __init__(self, **parameters: Any) -> None:
        vars(self).update(parameters)
        self._parameters = tuple(parameters)
        if isinstance(self.filter_policy, str):
            self.filter_policy = FilterPolicy.from_str(self.filter_policy)

    def to_dict(self) -> dict[str, Any]:
        """
        Serialize the component.

        :returns: A dictionary for :meth:`from_dict`.
        """
        parameters = {name: getattr(self, name) for name in self._parameters}
        return default_to_dict(self, **{**parameters, "filter_policy": self.filter_policy.value})

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """
        Make a component from what :meth:`to_dict` gave.

        :param data: The dictionary.
        :returns: The component.
        """
        retriever: Self = default_from_dict(cls, data)
        return retriever

    def _arguments(self, filters: dict[str, Any] | None, **given: Any) -> dict[str, Any]:
        """What a run searches with: what it was given, and for None what the retriever was made with."""
        # Haystack's own function takes an empty filter for none given; here it means that nothing is filtered.
        replaced = filters is not None and self.filter_policy == FilterPolicy.REPLACE
        applied = filters if replaced else apply_filter_policy(self.filter_policy, self.filters, filters)
        chosen = {name: getattr(self, name) if value is None else value for name, value in given.items()}
        return {"filters": applied, **chosen}


def check_store(document_store: Any, expected: type) -> None:
    """
    Make sure that a retriever is given the store that it is for.

    :param document_store: What is given.
    :param expected: The store's class.
    :raises TypeError: If it is of another class.
    """
    if not isinstance(document_store, expected):
        article = "an" if expected.__name__[0] in "AEIOU" else "a"
        msg = f"document_store must be {article} {expected.__name__}, got {type(document_store).__name__}"
        raise TypeError(msg)
