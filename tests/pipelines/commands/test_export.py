# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import json

import pytest
from haystack import Document

from answer_selection.indexing.passages import PASSAGES_FIELD
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

ENTRIES = [
    {"entry_id": "b", "question": "Wo?", "answer": "Am Schalter, früh.", "source": "faq.md", "tags": ["x", {"y": 1}]},
    {"entry_id": "a", "question": "What?", "answer": "Two\nlines.", "headings": ["Cards"], "price": 3.5, "q": "meta"},
]
# An entry without a source of its own comes from its file.
EXPORTED = [ENTRIES[0], {**ENTRIES[1], "source": "faq.jsonl"}]


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def documents(folder):
    found = TantivyDocumentStore.open(folder).filter_documents()
    return sorted((document.to_dict() for document in found), key=lambda document: document["id"])


@pytest.fixture
def index(command, tmp_path):
    text = "".join(json.dumps(entry) + "\n" for entry in ENTRIES)
    (tmp_path / "faq.jsonl").write_text(text, encoding="utf-8")
    assert command("index", "faq.jsonl", "--encoder", "none").code == 0


@pytest.mark.usefixtures("index")
def test_what_is_exported_is_what_was_indexed(command, tmp_path):
    done = command("export", "again.jsonl")
    assert (done.code, done.out) == (0, "2 entries of faq-index in again.jsonl")
    assert lines(tmp_path / "again.jsonl") == EXPORTED
    command("index", "again.jsonl", "--index", "again", "--encoder", "none")
    assert documents(tmp_path / "again") == documents(tmp_path / "faq-index")


@pytest.mark.usefixtures("index")
@pytest.mark.parametrize("output", [(), ("-",)])
def test_without_a_file_standard_output_gets_the_entries_and_nothing_else(command, tmp_path, output):
    done = command("export", *output)
    assert (done.code, done.err) == (0, "2 entries of faq-index")
    assert json.loads(f"[{done.out.replace('} {', '}, {')}]") == EXPORTED
    assert sorted(path.name for path in tmp_path.iterdir()) == ["faq-index", "faq.jsonl"]
    refused = command("export", *output, "--overwrite")
    assert (refused.code, refused.out, "--overwrite needs a file" in refused.err) == (2, "", True)


@pytest.mark.slow
def test_vectors_and_trees_are_made_again_and_not_exported(command, tiny_encoder, small_faq, tmp_path):
    command("index", small_faq.entries, "--encoder", tiny_encoder)
    command("parse")
    store = TantivyDocumentStore.open(tmp_path / "faq-index")
    assert any(PASSAGES_FIELD in document.meta for document in store.filter_documents())
    store.update_by_filter(
        {"field": "meta.entry_id", "operator": "==", "value": "student-card"},
        {"answer_vector": "AAAA", "answer_vector_fingerprint": "m-t-v", "link_fingerprint": "the user's own"},
    )
    store.close()
    assert command("export", "again.jsonl").code == 0
    found = lines(tmp_path / "again.jsonl")
    assert {key for line in found for key in line} == {
        "entry_id",
        "question",
        "answer",
        "category",
        "source",
        "link_fingerprint",
    }
    command("index", "again.jsonl", "--index", "again", "--encoder", tiny_encoder)
    before, after = documents(tmp_path / "faq-index"), documents(tmp_path / "again")
    for made in ("embedding", PASSAGES_FIELD):
        assert [document.get(made) for document in before] == [document.get(made) for document in after]


def test_entries_without_a_question_or_an_answer_are_told(command, tmp_path):
    store = TantivyDocumentStore(path=tmp_path / "faq-index")
    answered = Document(id="x", content="An answer.", meta={"q": "no question"})
    store.write_documents([answered, Document(id="y"), Document(id="z", content=" ")])
    store.close()
    done = command("export", "out.jsonl")
    assert done.code == 1
    assert "1 have no question: `index` reads them with --answers-only" in done.out
    assert "2 left out, without an answer: y, z" in done.out
    assert lines(tmp_path / "out.jsonl") == [
        {"entry_id": "x", "question": None, "answer": "An answer.", "q": "no question"}
    ]
    assert command("index", "out.jsonl", "--index", "again", "--answers-only", "--encoder", "none").code == 0
    [again] = TantivyDocumentStore.open(tmp_path / "again").filter_documents()
    assert (again.meta.get("question"), again.meta["q"]) == (None, "no question")


@pytest.mark.usefixtures("index")
def test_a_file_that_is_there_is_replaced_only_if_told_to(command, tmp_path):
    (tmp_path / "again.jsonl").write_text("mine", encoding="utf-8")
    done = command("export", "again.jsonl")
    assert done.code == 2
    assert "again.jsonl already exists. Pass --overwrite" in done.err
    assert (tmp_path / "again.jsonl").read_text(encoding="utf-8") == "mine"
    assert command("export", "again.jsonl", "--overwrite").code == 0
    assert lines(tmp_path / "again.jsonl") == EXPORTED


def test_a_missing_folder_is_named(command, small_index):
    done = command("export", "nowhere/entries.jsonl", "--index", small_index)
    assert (done.code, done.err) == (2, "error nowhere/entries.jsonl: there is no folder nowhere")


def test_a_missing_index_is_one_error_and_leaves_no_file(command, tmp_path):
    done = command("export", "out.jsonl", "--index", "nowhere")
    assert done.code == 2
    assert "nowhere" in done.err
    assert list(tmp_path.iterdir()) == []
