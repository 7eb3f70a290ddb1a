# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A pipeline, written and loaded as YAML, is asked every question; each stage's ranking is kept."""

import contextlib
from dataclasses import replace

import pytest
from haystack import Document, Pipeline, component, tracing
from haystack.components.joiners import DocumentJoiner
from haystack.components.rankers import MetaFieldRanker
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack.tracing.tracer import NullSpan, Tracer

from answer_selection.indexing.corpus import Query, iter_queries
from answer_selection.pipelines.definitions import pipeline_yaml
from answer_selection.pipelines.evaluation.end_to_end import QueryError, find_stages, retrieve_and_rank, run_pipeline

ENTRIES = [
    ("renew", "You can renew a loan twice on the website.", 1),
    ("fines", "A late loan costs ten cents a day.", 3),
    ("rooms", "Rooms are booked at the desk on the second floor.", 2),
    ("lost", "A lost card costs two euros; come to the desk.", 5),
]


@component
class Failing:
    """Passes documents on, but not for one question."""

    @component.output_types(documents=list[Document])
    def run(self, query: str, documents: list[Document]):
        if "floor" in query:
            msg = "no floor plan"
            raise RuntimeError(msg)
        return {"documents": documents}


@component
class Writer:
    """Yields no documents."""

    @component.output_types(text=str)
    def run(self, documents: list[Document]):
        return {"text": str(len(documents))}


@component
class InTone:
    """Needs something that a question does not bring."""

    @component.output_types(text=str)
    def run(self, tone: str, documents: list[Document]):
        return {"text": f"{tone}: {len(documents)}"}


@pytest.fixture
def store():
    store = InMemoryDocumentStore()
    store.write_documents(
        [Document(id=entry_id, content=answer, meta={"clicks": clicks}) for entry_id, answer, clicks in ENTRIES]
    )
    return store


@pytest.fixture
def pipeline(store):
    """BM25, then the most clicked first; named so that alphabetical order is not the order of the stages."""
    pipeline = Pipeline()
    pipeline.add_component("z_retriever", InMemoryBM25Retriever(document_store=store, top_k=2))
    pipeline.add_component("a_ranker", MetaFieldRanker(meta_field="clicks", weight=1.0, top_k=10))
    pipeline.connect("z_retriever.documents", "a_ranker.documents")
    return pipeline


def test_every_stage_of_a_loaded_pipeline_is_recorded(pipeline):
    loaded = Pipeline.loads(pipeline.dumps())
    queries = [
        Query("q1", "renew a loan", ("renew",)),
        Query("q2", "desk for a lost card", ("lost", "rooms", "absent")),
    ]
    first, second = run_pipeline(loaded, queries)
    assert list(first.stages) == ["z_retriever", "a_ranker"]
    assert first.stages["z_retriever"].ids == ("renew", "fines")
    assert first.stages["a_ranker"].ids == ("fines", "renew")
    retrieved = first.stages["z_retriever"]
    assert retrieved.scores[0] > retrieved.scores[1]
    assert all(ranking.seconds > 0 for ranking in first.stages.values())
    # All that is relevant, whether a stage found it or not.
    assert second.relevance == {"lost": 1, "rooms": 1, "absent": 1}
    assert not second.closed
    assert (second.query_id, second.query) == ("q2", "desk for a lost card")


def test_questions_stream(pipeline):
    def endless():
        number = 0
        while True:
            yield Query(f"q{number}", "a loan", ("renew",))
            number += 1

    results = run_pipeline(pipeline, endless())
    assert [next(results).query_id for _ in range(3)] == ["q0", "q1", "q2"]


def test_stages_are_in_topological_order_and_only_those_with_documents(store):
    pipeline = Pipeline()
    pipeline.add_component("answer", Writer())
    pipeline.add_component("a_joined", DocumentJoiner())
    pipeline.add_component("b_left", InMemoryBM25Retriever(document_store=store, top_k=1))
    pipeline.add_component("c_right", InMemoryBM25Retriever(document_store=store, top_k=3))
    pipeline.connect("b_left.documents", "a_joined.documents")
    pipeline.connect("c_right.documents", "a_joined.documents")
    pipeline.connect("a_joined.documents", "answer.documents")
    assert find_stages(pipeline) == ["b_left", "c_right", "a_joined"]
    (result,) = run_pipeline(pipeline, [Query("q", "a loan", ("renew",))])
    assert [len(ranking.ids) for ranking in result.stages.values()] == [1, 3, 3]


def test_documents_of_one_entry_are_one_candidate():
    store = InMemoryDocumentStore()
    store.write_documents(
        [
            Document(id="1", content="loan loan loan", meta={"entry_id": "renew"}),
            Document(id="2", content="loan loan of a book", meta={"entry_id": "fines"}),
            Document(id="3", content="loan of a book from the library in town", meta={"entry_id": "renew"}),
        ]
    )
    pipeline = Pipeline()
    pipeline.add_component("retriever", InMemoryBM25Retriever(document_store=store))
    (result,) = run_pipeline(pipeline, [Query("q", "loan", ("renew",))])
    assert result.stages["retriever"].ids == ("renew", "fines")
    assert len(result.stages["retriever"].scores) == 2


def failing(store):
    pipeline = Pipeline()
    pipeline.add_component("retriever", InMemoryBM25Retriever(document_store=store))
    pipeline.add_component("ranker", Failing())
    pipeline.connect("retriever.documents", "ranker.documents")
    return pipeline


QUERIES = [Query("q1", "a loan", ("renew",)), Query("q2", "which floor", ("rooms",)), Query("q3", "desk", ("lost",))]


def test_a_failure_names_the_question(store):
    results = run_pipeline(failing(store), QUERIES)
    assert next(results).query_id == "q1"
    with pytest.raises(QueryError, match=r"(?s)query 'q2' \('which floor'\).*no floor plan"):
        next(results)


def test_what_cannot_be_evaluated_is_said_before_the_first_question(store):
    writer = Pipeline()
    writer.add_component("writer", Writer())
    with pytest.raises(
        ValueError,
        match="the pipeline answers no question: expected components that take a `query`",
    ):
        run_pipeline(writer, QUERIES)
    ranker = Pipeline()
    ranker.add_component("ranker", MetaFieldRanker(meta_field="clicks"))
    with pytest.raises(ValueError, match="the pipeline answers no question"):
        run_pipeline(ranker, QUERIES)
    incomplete = failing(store)
    incomplete.add_component("writer", InTone())
    incomplete.connect("ranker.documents", "writer.documents")
    with pytest.raises(ValueError, match="Missing mandatory input 'tone' for component 'writer'"):
        run_pipeline(incomplete, QUERIES)


def test_a_tracer_that_was_there_before_goes_on_tracing(pipeline):
    class Counting(Tracer):
        operations: list[str] = []  # noqa: RUF012

        @contextlib.contextmanager
        def trace(self, operation_name, tags=None, parent_span=None):
            self.operations.append(operation_name)
            yield NullSpan()

        def current_span(self):
            return None

    mine = Counting()
    tracing.enable_tracing(mine)
    try:
        next(run_pipeline(pipeline, QUERIES))
        assert tracing.tracer.actual_tracer is mine
        # Two components, each also asked once before any time is taken.
        assert mine.operations.count("haystack.component.run") == 4
    finally:
        tracing.disable_tracing()


@pytest.mark.slow
def test_many_questions_at_a_time_are_ranked_as_the_pipeline_ranks_one(small_index, small_model, small_faq):
    definition = pipeline_yaml.point_at(pipeline_yaml.read("answer"), index=small_index, model=small_model)
    pipeline = pipeline_yaml.load(definition)
    pipeline.warm_up()
    corrector, retriever, ranker = map(pipeline.get_component, ("corrector", "retriever", "ranker"))
    queries = [replace(each, query=corrector.run(each.query)["query"]) for each in iter_queries(small_faq.queries)]
    assert len(queries) > 20
    one_by_one = list(run_pipeline(pipeline, queries))
    together = list(retrieve_and_rank(retriever, ranker, queries, batch_size=8))
    assert [result.query_id for result in together] == [query.query_id for query in queries]
    for one, other in zip(one_by_one, together, strict=True):
        assert other.relevance == one.relevance
        assert other.entries == one.entries
        assert other.stages["retriever"].ids == one.stages["bm25"].ids
        assert other.stages["ranker"].ids == one.stages["ranker"].ids
        assert other.stages["ranker"].scores == pytest.approx(one.stages["ranker"].scores, abs=1e-5)
    alone = list(retrieve_and_rank(retriever, None, queries[:3]))
    assert [list(result.stages) for result in alone] == [["retriever"]] * 3
    assert [result.stages["retriever"].ids for result in alone] == [one.stages["bm25"].ids for one in one_by_one[:3]]


def test_what_only_a_first_question_costs_is_no_part_of_the_time(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr("answer_selection.pipelines.evaluation.component_times.time.perf_counter", lambda: clock[0])

    @component
    class SlowAtFirst:
        @component.output_types(documents=list[Document])
        def run(self, query: str):
            clock[0] += 1.0 if clock[0] else 100.0
            return {"documents": []}

    pipeline = Pipeline()
    pipeline.add_component("slow", SlowAtFirst())
    results = list(run_pipeline(pipeline, [Query(f"q{number}", "a question", ("a",)) for number in range(3)]))
    assert [result.stages["slow"].seconds for result in results] == [1.0, 1.0, 1.0]
