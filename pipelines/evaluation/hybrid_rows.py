# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The rows of a hybrid retriever in a report: each of its searches alone, then what it makes of both."""

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Self, cast

from haystack import Document, Pipeline

BM25: Final = "bm25"
VECTORS: Final = "vectors"
HYBRID: Final = "hybrid"


class HybridRows:
    """
    Asks a pipeline's hybrid retriever for what each of its searches finds alone.

    :param pipeline: The pipeline.
    :param name: The retriever's name.
    """

    def __init__(self, pipeline: Pipeline, name: str) -> None:
        self.retriever = name
        self._component = cast(Any, pipeline.get_component(name))
        self._searches: tuple[str, ...] = self._component.searches
        # Which component, by which output, gives which of its inputs.
        self._given = {
            edge["to_socket"].name: (sender, edge["from_socket"].name)
            for sender, _, edge in pipeline.graph.in_edges(name, data=True)
        }

    @classmethod
    def of(cls, pipeline: Pipeline, stages: Sequence[str]) -> Self | None:
        """
        Find a pipeline's hybrid retriever.

        :param pipeline: The pipeline.
        :param stages: Its components that yield documents.
        :returns: Its rows; None if there is none, or more than one, or another component has the name of a row.
        """
        found = [name for name in stages if hasattr(pipeline.get_component(name), "run_alone")]
        others = set(stages) - set(found)
        return cls(pipeline, found[0]) if len(found) == 1 and others.isdisjoint((BM25, VECTORS, HYBRID)) else None

    @property
    def names(self) -> tuple[str, ...]:
        """The rows' names: where there are no vectors, BM25's alone."""
        return (BM25,) if self._searches == (BM25,) else (*self._searches, HYBRID)

    @property
    def senders(self) -> set[str]:
        """The components whose outputs are needed to ask."""
        return {sender for sender, _ in self._given.values()}

    def rows(
        self, inputs: Mapping[str, Any], outputs: Mapping[str, Mapping[str, Any]], seconds: Mapping[str, float]
    ) -> Iterator[tuple[str, list[Document], float | None]]:
        """
        Give the rows of a question.

        :param inputs: What the retriever was given from outside the pipeline.
        :param outputs: What the pipeline's components gave.
        :param seconds: How long they took.
        :returns: Each row's name, documents and seconds, those of preparing the question among them.
        """
        found = outputs[self.retriever]["documents"]
        before = sum(seconds.get(sender, 0.0) for sender in self.senders)
        correcting = seconds.get(self._given["query"][0], 0.0) if "query" in self._given else 0.0
        if self.names == (BM25,):
            yield BM25, found, before + seconds[self.retriever]
            return
        given = {**inputs, **{name: outputs[sender][output] for name, (sender, output) in self._given.items()}}
        for search in self._searches:
            start = time.perf_counter()
            alone = self._component.run_alone(search, **given)["documents"]
            took = time.perf_counter() - start
            yield search, alone, took + (before if search == VECTORS else correcting)
        yield HYBRID, found, before + seconds[self.retriever]


def compared_rows(names: Sequence[str]) -> list[tuple[str, str]]:
    """
    Say which rows are compared: each of retrieval, and the last one, with the first; the last one with the hybrid too.

    :param names: The rows' names, in order.
    :returns: Pairs of a baseline and what is compared with it.
    """
    first, last = names[0], names[-1]
    retrieval = [name for name in (VECTORS, HYBRID) if name in names]
    pairs = [(first, name) for name in retrieval] + [(first, last), (HYBRID, last)]
    return [pair for pair in dict.fromkeys(pairs) if set(pair) <= set(names) and pair[0] != pair[1]]
