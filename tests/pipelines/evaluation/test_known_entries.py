# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import pytest
from haystack import Document, Pipeline
from haystack.components.builders import PromptBuilder

from answer_selection.indexing.corpus import Query
from answer_selection.pipelines.evaluation.entry_titles import entry_titles
from answer_selection.pipelines.evaluation.known_entries import check_entries
from haystack_integrations.components.retrievers.tantivy import TantivyBM25Retriever
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore


@pytest.fixture
def pipeline(tmp_path) -> Pipeline:
    """Two stores; in the first an entry is two documents."""
    made = Pipeline()
    for name, documents in {
        "parts": [Document(id=f"long-{n}", content="text", meta={"entry_id": "long"}) for n in range(2)],
        "whole": [Document(id="short", content="text")],
    }.items():
        store = TantivyDocumentStore(path=tmp_path / name)
        store.write_documents(documents)
        made.add_component(name, TantivyBM25Retriever(document_store=store))
    return made


def test_an_entry_is_in_any_store_by_its_own_id_or_by_that_of_its_parts(pipeline):
    check_entries(pipeline, [Query("1", "q", ("long", "short")), Query("2", "q", ())], "queries.jsonl")
    with pytest.raises(
        ValueError,
        match=r"^queries.jsonl: 2 of 3 relevant entries are not in the index: 'no', 'long-0' \(the first in query '1'",
    ):
        check_entries(pipeline, [Query("1", "q", ("no", "long-0")), Query("2", "q", ("short",))], "queries.jsonl")


def test_more_entries_than_are_looked_up_at_once(pipeline):
    queries = [Query(str(n), "q", (f"gone-{n}",)) for n in range(1200)]
    with pytest.raises(ValueError, match=r": 1200 of 1200 .*: 'gone-0', 'gone-1', 'gone-2', 'gone-3', 'gone-4', … "):
        check_entries(pipeline, queries, "queries.jsonl")


def test_entries_have_titles_by_their_own_ids_and_by_that_of_their_parts(pipeline):
    assert entry_titles(pipeline.to_dict(), ["long", "short", "gone"]) == {"long": "text", "short": "text"}


def test_a_pipeline_without_a_store_has_nothing_to_be_asked():
    pipeline = Pipeline()
    pipeline.add_component("prompt", PromptBuilder("{{ query }}"))
    check_entries(pipeline, [Query("1", "q", ("any",))], "queries.jsonl")
