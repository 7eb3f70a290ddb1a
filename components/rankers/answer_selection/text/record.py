# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The record: one pair of query and answer, as a model's collator takes it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Record:
    """
    One pair to be scored. Only a model's collator turns it into tensors.

    :param query: the question that is asked, as it was typed: normalisation is the collator's work.
    :param answer: the candidate's text.
    :param query_meta: what else is known of the query (a parse tree, a category), for models that use it.
    :param meta: what else is known of the candidate, for models that use it.
    """

    query: str
    answer: str
    query_meta: Mapping[str, Any] = field(default_factory=dict)
    meta: Mapping[str, Any] = field(default_factory=dict)
