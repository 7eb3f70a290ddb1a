# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Baselines' rankers of earlier versions: their `type` in YAML still loads, as the ranker that runs any model."""

import warnings
from typing import Any

from haystack import component

from haystack_integrations.components.rankers.answer_selection.answer_ranker import AnswerRanker


def retired(name: str, module: str) -> type[AnswerRanker]:
    """
    Makes the class that YAML of an earlier version names.

    :param name: The class's name.
    :param module: The module where Haystack looks for it.
    :returns: A component that becomes an `AnswerRanker` when it is made, with a warning.
    """

    def new(cls: type, **parameters: Any) -> AnswerRanker:  # noqa: ARG001
        msg = f"{module}.{name} will be gone in the next release; use {AnswerRanker.__module__}.AnswerRanker"
        warnings.warn(msg, DeprecationWarning, stacklevel=3)
        return AnswerRanker(**parameters)

    made: type[AnswerRanker] = component(type(name, (AnswerRanker,), {"__module__": module, "__new__": new}))
    return made
