# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""End-to-end mode: asks a pipeline every question and keeps the ranking of each stage that yields documents."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, get_args, get_origin

import networkx as nx  # type: ignore[import-untyped]
from haystack import Document, Pipeline

from answer_selection.indexing.batched import batched
from answer_selection.indexing.corpus import Query
from answer_selection.indexing.stored_entries import entry_of
from answer_selection.pipelines.definitions.pipeline_yaml import PipelineFileError
from answer_selection.pipelines.definitions.question_inputs import asked, question_inputs
from answer_selection.pipelines.evaluation.component_times import component_times
from answer_selection.pipelines.evaluation.hybrid_rows import HybridRows
from answer_selection.pipelines.evaluation.results import QuestionResult, Ranking
from answer_selection.pipelines.evaluation.waiting import waiting_for_cluster
from answer_selection.pipelines.messages import one_line


class QueryError(RuntimeError):
    """A pipeline failed on one question; the message names the question and the cause."""


def find_stages(pipeline: Pipeline) -> list[str]:
    """
    Finds the components that yield documents.

    :param pipeline: A pipeline.
    :returns: Names of the components with an output `documents` of type `list[Document]`, each after those it gets its
        input from; where the graph leaves the order open, by name.
    """
    outputs = pipeline.outputs(include_components_with_connected_outputs=True)
    stages = {name for name, sockets in outputs.items() if _is_documents(sockets.get("documents"))}
    # A pipeline may have loops: components of one loop share a place.
    condensed = nx.condensation(nx.DiGraph(pipeline.graph))
    members = {node: sorted(condensed.nodes[node]["members"]) for node in condensed}
    ordered = nx.lexicographical_topological_sort(condensed, key=members.__getitem__)
    return [name for node in ordered for name in members[node] if name in stages]


def answering_components(pipeline: Pipeline, name: str = "the pipeline") -> tuple[list[str], dict[str, str]]:
    """
    Finds the components by which a pipeline answers questions.

    :param pipeline: A pipeline.
    :param name: What to call it.
    :returns: What `find_stages` and `question_inputs` find.
    :raises PipelineFileError: If it answers no question.
    """
    stages, inputs = find_stages(pipeline), question_inputs(pipeline)
    if not stages or not inputs:
        msg = f"{name} answers no question: expected components that take a `query` and yield `documents`"
        raise PipelineFileError(msg)
    return stages, inputs


def ranked_documents(outputs: Mapping[str, Any]) -> list[Document]:
    """
    Gives what a component ranked, also where it keeps silent about it.

    :param outputs: The component's outputs.
    :returns: The documents, the best first.
    """
    documents: list[Document] = outputs["documents"] or outputs.get("closest_documents", [])
    return documents


def _is_documents(socket: Mapping[str, Any] | None) -> bool:
    return socket is not None and get_origin(socket["type"]) is list and get_args(socket["type"]) == (Document,)


def run_pipeline(pipeline: Pipeline, queries: Iterable[Query]) -> Iterator[QuestionResult]:
    """
    Asks a pipeline every question, as its user would, one at a time.

    Every unconnected input for the question gets it, see `question_inputs`. The first one is asked once before any
    time is taken. A document stands for the entry in its metadata's `entry_id`, or for the one with its own id if
    there is none; where several documents of a stage stand for one entry, the entry has the place of the first. A
    stage's time is that of all components before it, too. A hybrid retriever has a ranking by each of its searches as
    well, see :class:`HybridRows`.

    :param pipeline: The pipeline, such as one that was loaded from YAML.
    :param queries: The questions; consumed one by one.
    :returns: One result a question, in the order of the questions. The relevance of each is that of all its relevant
        entries, whether or not a stage found them.
    :raises PipelineFileError: If no component yields documents or takes a query.
    :raises ValueError: If a mandatory input is missing.
    :raises QueryError: If the pipeline fails on a question.
    """
    stages, asking = answering_components(pipeline)
    pipeline.validate_input(asked(asking, ""))
    return _ask(pipeline, queries, _Stages(pipeline, stages), asking)


def _ask(
    pipeline: Pipeline, queries: Iterable[Query], stages: "_Stages", asking: dict[str, str]
) -> Iterator[QuestionResult]:
    for place, query in enumerate(queries):
        if place == 0:
            # Loading models and compiling are no part of a question's time. What goes wrong is told when it is asked.
            with suppress(Exception):
                pipeline.run(asked(asking, query.query))
        run = partial(stages.run, asked(asking, query.query))
        try:
            rankings = waiting_for_cluster(run)
        except Exception as cause:
            msg = f"query {query.query_id!r} ({query.query[:80]!r}): {one_line(cause)}"
            raise QueryError(msg) from cause
        # A component that did not run has an empty ranking.
        yield _result(query, dict.fromkeys(stages.rows, Ranking()) | rankings)


def retrieve_and_rank(
    retriever: Any, ranker: Any | None, queries: Iterable[Query], *, batch_size: int = 64
) -> Iterator[QuestionResult]:
    """
    Asks a retriever and a ranker many questions at a time: the rankings of :func:`run_pipeline`, in half of its time.

    :param retriever: A retriever component, warmed up.
    :param ranker: A ranker component with `run_batch`, warmed up; None asks the retriever alone.
    :param queries: The questions.
    :param batch_size: How many go through the ranker at once.
    :returns: One result a question, in the order of the questions, with the stages "retriever" and "ranker".
    """
    for batch in batched(queries, batch_size):
        found = {"retriever": [retriever.run(query=query.query)["documents"] for query in batch]}
        if ranker is not None:
            texts = [query.query for query in batch]
            found["ranker"] = ranker.run_batch(queries=texts, documents=found["retriever"])["documents"]
        for place, query in enumerate(batch):
            yield _result(query, {name: _ranking(lists[place], None) for name, lists in found.items()})


def _result(query: Query, rankings: Mapping[str, Ranking]) -> QuestionResult:
    return QuestionResult(
        query_id=query.query_id,
        query=query.query,
        relevance=dict.fromkeys(query.relevant, 1),
        closed=False,
        stages=rankings,
        entries=tuple(query.relevant),
    )


class _Stages:
    """A pipeline's components that yield documents, and the rows that they have in a report."""

    def __init__(self, pipeline: Pipeline, names: list[str]) -> None:
        self._pipeline = pipeline
        self._names = names
        self._hybrid = HybridRows.of(pipeline, names)
        self._until = {name: {name, *nx.ancestors(pipeline.graph, name)} for name in names}

    @property
    def rows(self) -> list[str]:
        return [row for name in self._names for row in self._rows_of(name)]

    def run(self, data: dict[str, dict[str, Any]]) -> dict[str, Ranking]:
        """Ask the pipeline; a component that did not run has no ranking."""
        needed = {*self._names, *(self._hybrid.senders if self._hybrid else ())}
        with component_times() as seconds:
            outputs = self._pipeline.run(data, include_outputs_from=needed)
        rankings = {}
        for name in self._names:
            if name not in outputs:
                continue
            if self._hybrid is not None and name == self._hybrid.retriever:
                for row, documents, took in self._hybrid.rows(data.get(name, {}), outputs, seconds):
                    rankings[row] = _ranking(documents, took)
            else:
                found = outputs[name]
                took = sum(seconds.get(one, 0.0) for one in self._until[name]) if name in seconds else None
                ranking = _ranking(ranked_documents(found), took)
                if "certainty" in found:
                    calibrated = found["best_probability"]
                    probability = found["certainty"] if calibrated is None else calibrated
                    ranking = replace(ranking, probability=probability, abstained=found["abstained"])
                rankings[name] = ranking
        return rankings

    def _rows_of(self, name: str) -> tuple[str, ...]:
        return self._hybrid.names if self._hybrid is not None and name == self._hybrid.retriever else (name,)


def _ranking(documents: list[Document], seconds: float | None) -> Ranking:
    first: dict[str, float | None] = {}
    for document in documents:
        first.setdefault(entry_of(document), document.score)
    return Ranking(tuple(first), tuple(first.values()), seconds)
