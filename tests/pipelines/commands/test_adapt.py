# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
from haystack import Document

from haystack_integrations.components.rankers.answer_selection import AnswerRanker
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore


def test_brings_a_model_to_a_corpus_without_questions(command, small_model, tmp_path):
    store = TantivyDocumentStore(path=tmp_path / "index")
    store.write_documents(
        [Document(content="Zeppelins are lent for a fortnight."), Document(content="A zeppelin is $5.")]
    )
    done = command("adapt", tmp_path / "model", "--index", tmp_path / "index", "--start", small_model)
    assert done.code == 0, done.err
    _, before = registry.load(small_model)
    _, after = registry.load(tmp_path / "model")
    assert "zeppelins" not in before.vocabulary
    assert after.vocabulary[: len(before.vocabulary)] == before.vocabulary
    assert {"zeppelin", "zeppelins", "fortnight"} <= set(after.vocabulary)
    card = (tmp_path / "model" / "README.md").read_text(encoding="utf-8")
    assert "Nothing was trained." in card
    ranked = AnswerRanker(model=tmp_path / "model").run(query="zeppelin", documents=store.filter_documents())[
        "documents"
    ]
    assert len(ranked) == 2
    assert all(0 < document.score < 1 for document in ranked)


def test_never_overwrites_a_model_without_being_asked(command, small_index, small_model):
    done = command("adapt", small_model, "--index", small_index)
    assert done.code == 2
    assert "holds a model already" in done.err


def test_says_that_there_is_no_index(command, tmp_path):
    done = command("adapt", tmp_path / "model", "--index", tmp_path / "nowhere")
    assert done.code == 2
    assert "there is no index in" in done.err
    assert not (tmp_path / "model").exists()
