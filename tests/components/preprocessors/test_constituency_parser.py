# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import logging

import pytest
from haystack import Document, Pipeline

from answer_selection.indexing.text.tree import TREE_FIELD, read_tree
from haystack_integrations.components.preprocessors.answer_selection import ConstituencyParser
from haystack_integrations.components.preprocessors.answer_selection.shallow import ShallowBackend

CLOSES = "(ROOT (S (NP (PRP It)) (VP (VBZ closes)) (. .)))"


def test_documents_get_trees_and_stay_what_they_are():
    documents = [
        Document(content="It closes.", meta={"floor": 1}, score=0.5),
        Document(id="empty", content=None),
        Document(content="It closes."),
    ]
    before = [document.to_dict() for document in documents]
    done = ConstituencyParser().run(documents=documents)
    assert done["query_meta"] == {}
    assert [document.meta[TREE_FIELD] for document in done["documents"]] == [CLOSES, "(ROOT)", CLOSES]
    assert [document.id for document in done["documents"]] == [document.id for document in documents]
    assert (done["documents"][0].score, done["documents"][0].meta["floor"]) == (0.5, 1)
    assert [document.to_dict() for document in documents] == before


def test_the_tree_is_of_what_the_ranker_reads():
    parser = ConstituencyParser(meta_fields_to_embed=["question", "none"], embedding_separator=" | ")
    [document] = parser.run(documents=[Document(content="It closes.", meta={"question": "When?"})])["documents"]
    read_tree(document.meta[TREE_FIELD], "When? | It closes.")


def test_a_question_gets_its_tree_beside_what_else_is_known_of_it():
    done = ConstituencyParser().run(query="It closes.", query_meta={"category": "hours"})
    assert done == {"documents": [], "query_meta": {"category": "hours", TREE_FIELD: CLOSES}}


async def test_it_does_not_block_an_event_loop(tmp_path):
    parser = ConstituencyParser(cache=tmp_path / "trees.sqlite")
    parser.warm_up()
    arguments = {"documents": [Document(id="closes", content="It closes.")], "query": "When?"}
    assert await parser.run_async(**arguments) == parser.run(**arguments)


def test_a_tree_that_is_there_stays_and_one_of_another_text_is_told_of(caplog):
    own = "(ROOT (X It) (X closes) (X .))"
    documents = [
        Document(content="It closes.", meta={TREE_FIELD: own}),
        Document(id="stale", content="It closes.", meta={TREE_FIELD: "(ROOT (S (NN It) (NN opens)))"}),
        Document(id="broken", content="It closes.", meta={TREE_FIELD: "(ROOT (S"}),
        Document(id="no text", content="It closes.", meta={TREE_FIELD: 7}),
    ]
    with caplog.at_level(logging.WARNING):
        done = ConstituencyParser().run(documents=documents, query="It closes.", query_meta={TREE_FIELD: own})
    assert [document.meta[TREE_FIELD] for document in done["documents"]] == [own, CLOSES, CLOSES, CLOSES]
    assert done["query_meta"][TREE_FIELD] == own
    [record] = caplog.records
    assert (
        "3 of 4 documents had a tree of another text, and are parsed anew; the first is 'stale': "
        in record.getMessage()
    )
    assert "the word 'opens' is not the text's, which goes on with 'closes.' at its character 4" in record.getMessage()
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        done = ConstituencyParser().run(query="It closes.", query_meta={TREE_FIELD: "(ROOT (S"})
    assert done["query_meta"][TREE_FIELD] == CLOSES
    assert "the query had a tree of another text, and is parsed anew: at character 7" in caplog.text
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        ConstituencyParser().run(documents=[Document(content="It closes."), documents[0]])
        assert not caplog.records
        ConstituencyParser().run(documents=[Document(content="It closes."), documents[0]], query="It closes.")
    [record] = caplog.records
    assert "1 of 2 documents had no parse tree and were parsed by shallow for a query" in record.getMessage()


def test_it_goes_through_a_dictionary_and_yaml(tmp_path):
    parser = ConstituencyParser(
        corenlp_url="http://parser:9000",
        cache=tmp_path / "trees.sqlite",
        meta_fields_to_embed=["question"],
        embedding_separator=" ",
        parallel_requests=2,
        timeout=5.0,
        retries=1,
        longest_sentence=50,
    )
    data = parser.to_dict()
    assert data["init_parameters"] == {
        "corenlp_url": "http://parser:9000",
        "cache": str(tmp_path / "trees.sqlite"),
        "meta_fields_to_embed": ["question"],
        "embedding_separator": " ",
        "parallel_requests": 2,
        "timeout": 5.0,
        "retries": 1,
        "longest_sentence": 50,
    }
    assert ConstituencyParser.from_dict(data).to_dict() == data
    pipeline = Pipeline()
    pipeline.add_component("parser", parser)
    assert Pipeline.loads(pipeline.dumps()).get_component("parser").to_dict() == data
    assert not (tmp_path / "trees.sqlite").exists()


@pytest.mark.asyncio
async def test_a_pipeline_runs_it_asynchronously():
    pipeline = Pipeline()
    pipeline.add_component("parser", ConstituencyParser())
    done = await pipeline.run_async({"parser": {"query": "It closes."}})
    assert done["parser"]["query_meta"][TREE_FIELD] == CLOSES


def test_what_is_in_the_cache_is_not_parsed(tmp_path, monkeypatch):
    document = Document(content="It closes.")
    ConstituencyParser(cache=tmp_path / "trees.sqlite").run(documents=[document])
    monkeypatch.setattr(ShallowBackend, "stream", lambda self, texts: iter(() if not list(texts) else 1 / 0))
    [done] = ConstituencyParser(cache=tmp_path / "trees.sqlite").run(documents=[document])["documents"]
    assert done.meta[TREE_FIELD] == CLOSES
