# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A definition without its spelling corrector: experiments measure questions as they were typed."""

from copy import deepcopy
from typing import Any, Final

CORRECTOR: Final = (
    "haystack_integrations.components.preprocessors.answer_selection.spelling_corrector.QuerySpellingCorrector"
)


def as_typed(definition: dict[str, Any]) -> dict[str, Any]:
    """
    Take the spelling corrector out of a definition.

    :param definition: The definition.
    :returns: A new one, whose question goes to what the corrector gave it to.
    """
    changed = deepcopy(definition)
    for name in [name for name, component in changed["components"].items() if component["type"] == CORRECTOR]:
        del changed["components"][name]
        connections = changed.get("connections") or []
        receivers = [one["receiver"] for one in connections if one["sender"] == f"{name}.query"]
        changed["connections"] = [one for one in connections if one["sender"] != f"{name}.query"]
        for given, ends in (changed.get("inputs") or {}).items():
            changed["inputs"][given] = [end for one in ends for end in (receivers if one == f"{name}.query" else [one])]
    return changed
