# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Where a pipeline takes its question."""

from haystack import Pipeline


def question_inputs(pipeline: Pipeline) -> dict[str, str]:
    """
    Find the inputs that get the question: every unconnected `query`, and the `text` of every text embedder.

    :param pipeline: A pipeline.
    :returns: The input's name by that of its component; nothing if the pipeline answers no question.
    """
    outputs = pipeline.outputs(include_components_with_connected_outputs=True)
    found = {}
    for name, sockets in pipeline.inputs().items():
        if "query" in sockets:
            found[name] = "query"
        elif "text" in sockets and "embedding" in outputs.get(name, {}):
            found[name] = "text"
    return found


def asked(inputs: dict[str, str], question: str) -> dict[str, dict[str, str]]:
    """
    Give what a pipeline is run with to answer a question.

    :param inputs: What :func:`question_inputs` found.
    :param question: The question.
    :returns: The inputs' values by component.
    """
    return {name: {socket: question} for name, socket in inputs.items()}
