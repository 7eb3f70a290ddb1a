# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What finds a ranker's candidates: a calibration of its answers holds for no other retrieval."""

import json
from typing import Any

from haystack import Pipeline
from haystack.core.serialization import component_to_dict


def retrieval_before(pipeline: Pipeline, ranker: str) -> dict[str, Any]:
    """
    Say by which parameters a ranker's candidates are found.

    :param pipeline: The pipeline.
    :param ranker: The ranker's name in it.
    :returns: The type and the parameters, but for the index, of what the ranker has its documents from, and the type of
        what gives it the question (`query_from`), in types that JSON has; empty if that is not one component.
    """
    before = [sender for sender, _, edge in pipeline.graph.in_edges(ranker, data=True) if _is(edge, "documents")]
    if len(before) != 1:
        return {}
    component = component_to_dict(pipeline.get_component(before[0]), before[0])
    kept = {name: value for name, value in component["init_parameters"].items() if name != "document_store"}
    # What a question is searched as, where it is not as it was typed.
    for sender, _, edge in pipeline.graph.in_edges(before[0], data=True):
        if _is(edge, "query"):
            what = type(pipeline.get_component(sender))
            kept["query_from"] = f"{what.__module__}.{what.__name__}"
    found: dict[str, Any] = json.loads(json.dumps({"type": component["type"], **kept}, default=str))
    return found


def _is(edge: dict[str, Any], socket: str) -> bool:
    return bool(edge["to_socket"].name == socket)
