# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A hybrid pipeline's rows: BM25, vectors, both, and both with a ranker, each compared with what it should beat."""

import json

import pytest
from haystack import Document, Pipeline, component

from answer_selection.indexing.corpus import iter_queries
from answer_selection.pipelines.definitions.pipeline_yaml import load, point_at, read
from answer_selection.pipelines.evaluation.end_to_end import run_pipeline
from answer_selection.pipelines.evaluation.hybrid_rows import compared_rows
from answer_selection.pipelines.evaluation.report import evaluate
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore


@component
class LastFirst:
    """A ranker for which no model is loaded."""

    @component.output_types(documents=list[Document])
    def run(self, query: str, documents: list[Document]) -> dict[str, list[Document]]:
        del query
        return {"documents": documents[::-1]}


def with_ranker(definition: dict, retriever: str = "retriever") -> Pipeline:
    """The definition's retrieval, with another ranker."""
    del definition["components"]["ranker"]
    definition["connections"] = [one for one in definition["connections"] if not one["receiver"].startswith("ranker.")]
    pipeline = load(definition)
    pipeline.add_component("ranker", LastFirst())
    pipeline.connect("corrector.query", "ranker.query")
    pipeline.connect(f"{retriever}.documents", "ranker.documents")
    return pipeline


@pytest.fixture(scope="module")
def queries(small_faq):
    return list(iter_queries(small_faq.queries))[:12]


def test_each_search_has_a_row_of_its_own(embedded_index, queries):
    pipeline = with_ranker(point_at(read("answer"), index=embedded_index, retriever_top_k=5))
    results = list(run_pipeline(pipeline, queries))
    store, embedder = TantivyDocumentStore.open(embedded_index), pipeline.get_component("embedder")
    corrector = pipeline.get_component("corrector")
    for query, result in zip(queries, results, strict=True):
        searched = corrector.run(query.query)["query"]
        vector = embedder.run(searched)["embedding"]
        found = {
            "bm25": store.bm25_retrieval(searched, top_k=5),
            "vectors": store.embedding_retrieval(vector, top_k=5),
            "hybrid": store.hybrid_retrieval(searched, vector, top_k=5),
        }
        found["ranker"] = found["hybrid"][::-1]
        assert list(result.stages) == list(found)
        for name, documents in found.items():
            assert result.stages[name].ids == tuple(one.id for one in documents), name
            assert result.stages[name].scores == tuple(one.score for one in documents), name
            assert result.stages[name].seconds > 0
        # What comes later includes what was done before.
        assert result.stages["ranker"].seconds > result.stages["hybrid"].seconds


def test_without_vectors_the_row_is_bm25s(small_index, queries):
    pipeline = with_ranker(point_at(read("answer"), index=small_index))
    (result,) = run_pipeline(pipeline, queries[:1])
    assert list(result.stages) == ["bm25", "ranker"]
    expected = TantivyDocumentStore.open(small_index).bm25_retrieval(queries[0].query, top_k=30)
    assert result.stages["bm25"].ids == tuple(one.id for one in expected)


def test_names_that_are_taken_are_left_alone(embedded_index, queries):
    """Two hybrid retrievers, or another component with a row's name: every component is a row."""
    definition = point_at(read("answer"), index=embedded_index)
    definition["components"]["second"] = definition["components"]["retriever"]
    for sender, socket in (("embedder.embedding", "query_embedding"), ("corrector.query", "query")):
        definition["connections"].append({"sender": sender, "receiver": f"second.{socket}"})
    (result,) = run_pipeline(with_ranker(definition), queries[:1])
    assert sorted(result.stages) == ["ranker", "retriever", "second"]
    pipeline = with_ranker(point_at(read("answer"), index=embedded_index))
    pipeline.add_component("bm25", LastFirst())
    pipeline.connect("ranker.documents", "bm25.documents")
    (result,) = run_pipeline(pipeline, queries[:1])
    assert list(result.stages) == ["retriever", "ranker", "bm25"]


def test_what_is_compared():
    assert compared_rows(["bm25", "vectors", "hybrid", "parser", "ranker"]) == [
        ("bm25", "vectors"),
        ("bm25", "hybrid"),
        ("bm25", "ranker"),
        ("hybrid", "ranker"),
    ]
    assert compared_rows(["bm25", "vectors", "hybrid"]) == [("bm25", "vectors"), ("bm25", "hybrid")]
    assert compared_rows(["bm25", "joiner", "ranker"]) == [("bm25", "ranker")]
    assert compared_rows(["search"]) == []


def test_the_report_has_every_difference(embedded_index, queries, tmp_path):
    pipeline = with_ranker(point_at(read("answer"), index=embedded_index))
    report = evaluate(run_pipeline(pipeline, queries), tmp_path, compared=compared_rows, resamples=99)
    assert [(one.baseline, one.stage) for one in report.differences] == compared_rows(list(report.means))
    for one in report.differences:
        expected = report.means[one.stage]["MRR"] - report.means[one.baseline]["MRR"]
        assert one.metrics["MRR"].difference == pytest.approx(expected)
    written = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert [(one["baseline"], one["stage"]) for one in written["differences"]] == compared_rows(list(report.means))
    assert (written["comparison"]["baseline"], written["comparison"]["stage"]) == ("bm25", "ranker")


@pytest.mark.slow
def test_the_command_shows_four_rows_and_the_ceilings(command, embedded_index, small_faq, tmp_path):
    done = command("eval", "--queries", small_faq.queries, "--index", embedded_index, "--output", "report")
    assert done.code == 0, done.err
    for text in (
        "│ BM25 ",
        "│ vectors ",
        "│ hybrid ",
        "│ hybrid + ranker ",
        "minus hybrid",
        "recall@30, the ranker's ceiling: BM25 0.",
        "paired randomisation and bootstrap, ",
    ):
        assert text in done.out, done.out
    results = json.loads((tmp_path / "report" / "results.json").read_text(encoding="utf-8"))
    assert list(results["stages"]) == ["bm25", "vectors", "hybrid", "ranker"]
    # What was run can be run again as it stands.
    definition = read(tmp_path / "report" / "pipeline.yaml")
    assert list(definition["components"]) == ["corrector", "embedder", "retriever", "ranker"]
