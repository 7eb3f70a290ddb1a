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
    :returns: The type and the parameters, but for the index, of what the ranker has its documents from, in types that
        JSON has; empty if that is not one component.
    """
    before = [sender for sender, _, edge in pipeline.graph.in_edges(ranker, data=True) if _has_documents(edge)]
    if len(before) != 1:
        return {}
    component = component_to_dict(pipeline.get_component(before[0]), before[0])
    kept = {name: value for name, value in component["init_parameters"].items() if name != "document_store"}
    found: dict[str, Any] = json.loads(json.dumps({"type": component["type"], **kept}, default=str))
    return found


def _has_documents(edge: dict[str, Any]) -> bool:
    return bool(edge["to_socket"].name == "documents")
