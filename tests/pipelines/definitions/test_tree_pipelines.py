# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The shipped pipelines with parse trees, on the bundled FAQ: with the real parser, and without a server."""

import json
import logging

import pytest
from haystack.core.errors import PipelineRuntimeError

from answer_selection.indexing.text.tree import read_tree
from answer_selection.pipelines.definitions import pipeline_yaml
from haystack_integrations.components.preprocessors.answer_selection.shallow import ShallowBackend
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore
from tiny_encoders import folder as tiny_encoder

LOST = "What does it cost to replace a lost card?"
NOBODY = "http://127.0.0.1:9"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A tree aggregation transformer of random weights."""
    folder = tmp_path_factory.mktemp("model") / "tree"
    sizes = {"half_size": 8, "heads": 2, "feed_forward_size": 8}
    registry.save(folder, *registry.build("tree_aggregation", [], encoder=tiny_encoder("bert"), **sizes))
    return folder


@pytest.fixture
def load(tmp_path, monkeypatch, model):
    """A shipped pipeline, with another parser, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def load(name, **parser):
        definition = pipeline_yaml.point_at(pipeline_yaml.read(name), model=model)
        definition["components"]["parser"]["init_parameters"].update(parser)
        return pipeline_yaml.load(definition)

    return load


def stored() -> dict[str, tuple[str, str]]:
    documents = TantivyDocumentStore.open("faq-index").filter_documents()
    return {document.id: (document.content, document.meta["parse_tree"]) for document in documents}


def test_the_faq_is_indexed_and_asked_with_the_real_parser(load, corenlp_server, small_faq, caplog):
    done = load("index_faq_trees", corenlp_url=corenlp_server.url).run({"sources": [str(small_faq.entries)]})
    assert done["writer"]["documents_written"] == 32
    trees = stored()
    assert len(trees) == 32
    for text, tree in trees.values():
        read_tree(tree, text)
    # No chunks in a row: clauses in clauses.
    assert sum("(SBAR " in tree for _, tree in trees.values()) > 5

    answering = load("answer_trees", corenlp_url=corenlp_server.url)
    with caplog.at_level(logging.INFO):
        done = answering.run({"query": LOST}, include_outputs_from={"parser", "retriever"})
    assert done["parser"]["query_meta"]["parse_tree"].startswith("(ROOT (SBARQ (WHNP (WP What))")
    answers = done["ranker"]["documents"]
    assert len(answers) == 10
    assert {answer.id for answer in answers} <= {document.id for document in done["retriever"]["documents"]}
    assert {answer.id: (answer.content, answer.meta["parse_tree"]) for answer in answers}.items() <= trees.items()
    assert not [record for record in caplog.records if "no parse tree" in record.getMessage()]
    # All that the ranker reads has its tree: it parses nothing, and scores as it does with the same trees at hand.
    ranker = answering.get_component("ranker")
    again = ranker.run(query=LOST, documents=done["retriever"]["documents"], query_meta=done["parser"]["query_meta"])
    assert [(answer.id, answer.score) for answer in again["documents"]] == [(one.id, one.score) for one in answers]


@pytest.mark.slow
def test_the_same_without_a_server(load, command, small_faq, model):
    load("index_faq_trees").run({"sources": [str(small_faq.entries)]})
    trees = stored()
    assert [tree for _, tree in trees.values()] == ShallowBackend().parse([text for text, _ in trees.values()])
    answers = load("answer_trees").run({"query": LOST})["ranker"]["documents"]
    assert len(answers) == 10
    asked = command("ask", LOST, "--pipeline", "answer_trees", "--model", model)
    assert asked.code == 0, asked.err


@pytest.mark.slow
def test_questions_are_measured_end_to_end(load, command, small_faq, model):
    load("index_faq_trees").run({"sources": [str(small_faq.entries)]})
    options = ("--pipeline", "answer_trees", "--model", model, "--index", "faq-index")
    measured = command("eval", "--queries", small_faq.queries, *options)
    assert measured.code == 0, measured.err


def test_a_parser_that_dies_in_the_middle_of_a_corpus_is_gone_on_with(
    load, corenlp_server, small_faq, monkeypatch, tmp_path
):
    from haystack_integrations.components.preprocessors.answer_selection.corenlp import CoreNLPBackend

    entries = small_faq.entries.read_text(encoding="utf-8").splitlines(keepends=True)[:20]
    (tmp_path / "faq.jsonl").write_text("".join(entries), encoding="utf-8")
    asked = []
    tree = CoreNLPBackend._tree

    def counted(self, text, ending):
        asked.append(text)
        if len(asked) == 12:
            corenlp_server.kill()
        return tree(self, text, ending)

    monkeypatch.setattr(CoreNLPBackend, "_tree", counted)
    indexing = load("index_faq_trees", corenlp_url=corenlp_server.url, retries=0)
    try:
        with pytest.raises(PipelineRuntimeError, match=f"the CoreNLP server at {corenlp_server.url} parsed nothing of"):
            indexing.run({"sources": ["faq.jsonl"]})
        assert not (TantivyDocumentStore(path="faq-index").count_documents())
    finally:
        corenlp_server.start()
    before = len(asked)
    assert indexing.run({"sources": ["faq.jsonl"]})["writer"]["documents_written"] == 20
    texts = {text for text, _ in stored().values()}
    assert len(texts) - 11 <= len(asked) - before <= len(texts) - 7, "what was parsed is not parsed again"


@pytest.mark.slow
def test_a_tree_that_is_broken_is_told_of_by_its_document(load, small_faq, tmp_path):
    entries = [json.loads(line) for line in small_faq.entries.read_text(encoding="utf-8").splitlines()]
    entries[0]["parse_tree"] = "(ROOT (NN nonsense))"
    entries[1]["parse_tree"] = f"(ROOT (X {entries[1]['answer'].replace('(', '-LRB-').replace(')', '-RRB-')}))"
    (tmp_path / "faq.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    load("index_faq_trees").run({"sources": ["faq.jsonl"]})
    trees = stored()
    # One parser's own trees may come with the entries; what is not its text's is replaced, with a warning.
    assert trees[entries[1]["id"]][1].startswith("(ROOT (X ")
    assert trees[entries[0]["id"]][1] == ShallowBackend().parse([trees[entries[0]["id"]][0]])[0]


def test_without_the_parser_a_strict_ranker_says_what_is_missing(load, small_index, model):
    definition = pipeline_yaml.point_at(pipeline_yaml.read("answer_trees"), index=small_index, model=model)
    del definition["components"]["parser"], definition["components"]["corrector"]
    definition["connections"] = [{"sender": "retriever.documents", "receiver": "ranker.documents"}]
    with pytest.raises(PipelineRuntimeError, match="the query has no parse tree; strict_trees expects one"):
        pipeline_yaml.load(definition).run({"retriever": {"query": LOST}, "ranker": {"query": LOST}})
