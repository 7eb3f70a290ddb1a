# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
import tantivy
from haystack import Document

import site_server
import tiny_sentence_encoders
from answer_selection.indexing.encoder import ENCODER_FIELD, maker_of
from answer_selection.indexing.formats import FORMATS
from hash_encoder import HashEncoder
from haystack_integrations.components.converters.faq import FAQConverter
from haystack_integrations.components.embedders.answer_selection import AnswerSelectionDocumentEmbedder
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore
from site_server import Reply

FAQ = [
    {"id": "renew", "question": "How do I renew a book?", "answer": "Online, or by phone."},
    {"id": "fines", "question": "What does a late book cost?", "answer": "Twenty cents a day."},
    {"id": "rooms", "question": "Can I book a room?", "answer": "Yes, for two hours a day."},
]


@pytest.fixture
def faq(tmp_path: Path) -> Path:
    return write(tmp_path / "faq.jsonl", FAQ)


def write(path: Path, entries: list) -> Path:
    """Entries as lines; a string is a line as it is."""
    lines = (entry if isinstance(entry, str) else json.dumps(entry) for entry in entries)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def answers(index: Path) -> dict[str, str | None]:
    return {document.id: document.content for document in TantivyDocumentStore.open(index).filter_documents()}


def digest(folder: Path) -> dict[str, str]:
    # Looking at an index may take and leave a lock file; that is not its content.
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix != ".lock"
    }


def test_indexes_files_of_several_formats_into_the_folder_that_the_pipelines_name(command, faq, tmp_path):
    (tmp_path / "more.md").write_text("# Where can I park?\n\nBehind the building.\n", encoding="utf-8")
    done = command("index", "faq.jsonl", "more.md")
    assert done.code == 0
    assert "4 entries written, 4 documents in faq-index" in done.out
    assert {"Online, or by phone.", "Behind the building."} <= set(answers(tmp_path / "faq-index").values())


def test_an_index_is_never_written_into_without_being_asked(command, faq, tmp_path):
    command("index", "faq.jsonl", "--index", "index")
    before = digest(tmp_path / "index")
    write(faq, [{**FAQ[0], "answer": "No more."}])
    done = command("index", "faq.jsonl", "--index", "index")
    assert done.code == 2
    assert done.err == ("error index already exists. Pass --update to change it, or name another --index")
    assert digest(tmp_path / "index") == before


@pytest.mark.slow
def test_update_adds_and_replaces_and_removes_only_what_it_is_asked_to(command, faq, tmp_path):
    command("index", "faq.jsonl")
    write(faq, [{**FAQ[0], "answer": "At any desk."}, FAQ[1], {"id": "wifi", "question": "Wi-Fi?", "answer": "Free."}])
    assert command("index", "faq.jsonl", "--update").code == 0
    index = tmp_path / "faq-index"
    assert answers(index) == {
        "renew": "At any desk.",
        "fines": "Twenty cents a day.",
        "rooms": "Yes, for two hours a day.",
        "wifi": "Free.",
    }
    done = command("index", "faq.jsonl", "--update", "--remove-missing", "--yes")
    assert "1 entry removed: rooms" in done.out
    assert sorted(answers(index)) == ["fines", "renew", "wifi"]


def test_an_update_says_how_to_remove_what_is_gone(command, tmp_path):
    ten = [{"id": f"e{number}", "question": f"Number {number}?", "answer": "Yes."} for number in range(10)]
    faq = write(tmp_path / "faq.jsonl", ten)
    command("index", "faq.jsonl", "--encoder", "none")
    told = "1 entry is in none of these files. Pass --remove-missing if it is gone"
    write(faq, ten[1:])
    assert told in command("index", "faq.jsonl", "--update").out
    assert told not in command("index", "faq.jsonl", "--update", "--dry-run").out
    # One file of several.
    write(faq, ten[:3])
    assert "--remove-missing" not in command("index", "faq.jsonl", "--update").out


def test_a_dry_run_says_what_would_be_done_and_does_nothing(command, faq, tmp_path):
    done = command("index", "faq.jsonl", "--dry-run")
    assert "3 entries would be written to faq-index" in done.out
    assert "documents" not in done.out
    write_files(tmp_path, {"faq.md": "# FAQ\n\n## Printing\n\n### Which paper?\n\nA4.\n"})
    assert "Which paper? 3 A4. FAQ > Printing" in command("index", "faq.md", "--dry-run").out
    # To look at: the question, the answer's length, its beginning, its end.
    assert f"{FAQ[0]['question']} {len(FAQ[0]['answer'])} {FAQ[0]['answer'][:80]}" in done.out
    write_files(tmp_path, {"long.md": f"# FAQ\n\n## Which?\n\n{'Any. ' * 60}The last one.\n"})
    assert (
        f"Which? 313 {'Any. ' * 16}… . {'Any. ' * 5}The last one. FAQ" in command("index", "long.md", "--dry-run").out
    )
    assert not (tmp_path / "faq-index").exists()
    command("index", "faq.jsonl")
    before = digest(tmp_path / "faq-index")
    write(faq, FAQ[:2])
    done = command("index", "faq.jsonl", "--update", "--remove-missing", "--yes", "--dry-run")
    assert done.code == 0
    assert "0 entries would be written to faq-index, 2 unchanged" in done.out
    assert "1 entry would be removed: rooms" in done.out
    assert digest(tmp_path / "faq-index") == before


@pytest.mark.slow
def test_more_than_a_fifth_is_removed_only_when_that_is_confirmed(command, tmp_path):
    ten = [{"id": f"e{number}", "question": f"Number {number}?", "answer": "Yes."} for number in range(10)]
    faq = write(tmp_path / "faq.jsonl", ten)
    command("index", "faq.jsonl")
    index = tmp_path / "faq-index"
    write(faq, [*ten[3:], {"id": "new", "question": "New?", "answer": "Yes."}])
    told = (
        "removed: 3 of 10 documents (30%) are in none of the files, more than a fifth of the index. Pass --yes to "
        "remove them: e0, e1, e2"
    )
    done = command("index", "faq.jsonl", "--update", "--remove-missing", "--dry-run")
    assert (done.code, f"nothing would be {told}" in done.out) == (0, True)
    assert len(answers(index)) == 10
    done = command("index", "faq.jsonl", "--update", "--remove-missing")
    assert (done.code, f"nothing {told}" in done.err) == (1, True)
    # What is in the files is indexed all the same.
    assert len(answers(index)) == 11
    done = command("index", "faq.jsonl", "--update", "--remove-missing", "--yes")
    assert (done.code, "3 entries removed: e0, e1, e2" in done.out) == (0, True)
    assert len(answers(index)) == 8
    write(faq, ten[4:])
    done = command("index", "faq.jsonl", "--update", "--remove-missing", "--yes")
    assert (done.code, "2 entries removed: e3, new" in done.out) == (0, True)
    write(faq, ten[5:])
    done = command("index", "faq.jsonl", "--update", "--remove-missing")
    assert (done.code, "1 entry removed: e4" in done.out) == (0, True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text"), [("empty.jsonl", ""), ("empty.json", "[]"), ("empty.csv", "q,a\n"), ("empty.html", "")]
)
def test_a_source_without_an_entry_is_named_and_nothing_is_removed_for_it(command, faq, tmp_path, name, text):
    (tmp_path / name).write_text(text, encoding="utf-8")
    done = command("index", "faq.jsonl", name)
    assert done.code == 1
    assert f"error {name}: there is no entry in it; expected at least one" in done.err
    assert "3 entries written" in done.out
    done = command("index", name, "--update", "--remove-missing", "--yes")
    assert (done.code, "nothing removed" in done.out) == (1, True)
    assert len(answers(tmp_path / "faq-index")) == 3
    assert command("index", name, "--index", "none").code == 1


@pytest.mark.slow
def test_a_page_that_is_cut_off_removes_nothing(command, tmp_path):
    shown = "<details><summary>Question {0}?</summary>Answer {0}.</details>"
    page = tmp_path / "faq.html"
    page.write_text("".join(map(shown.format, range(10))), encoding="utf-8")
    command("index", "faq.html")
    page.write_text(shown.format(0) + "<font>" * 3000 + "".join(map(shown.format, range(1, 10))), encoding="utf-8")
    done = command("index", "faq.html", "--update", "--remove-missing", "--yes")
    assert done.code == 1
    assert "error faq.html: the HTML cannot be read beyond its line 1" in done.err
    assert len(answers(tmp_path / "faq-index")) == 10


@pytest.mark.parametrize(
    ("name", "text", "place", "others"),
    [
        ("faq.jsonl", f'{{"id": "{"x" * 1025}", "q": "a?", "a": "b"}}\n{{"q": "c?", "a": "d"}}', "line 1", 1),
        ("faq.json", f'[{{"q": "a?", "a": "b", "n": {"9" * 5000}}}, {{"q": "c?", "a": "d"}}]', "item 1", 1),
        ("faq.csv", f'q,a\n"a?,{"b" * 2_000_000}\nc?,d\n', "line 2", 1),
        (
            "faq.html",
            '<script type="application/ld+json">[{"@type": "Question", "name": "\\ud83d", "acceptedAnswer": "b"}, '
            '{"@type": "Question", "name": "c?", "acceptedAnswer": {"text": "d", "upvoteCount": 1e999}}]</script>',
            "JSON-LD in line 1",
            1,
        ),
    ],
)
def test_one_bad_entry_is_named_and_the_others_are_indexed(command, tmp_path, name, text, place, others):
    (tmp_path / name).write_text(text, encoding="utf-8")
    done = command("index", name)
    assert done.code == 1
    assert f"error {name}, {place}" in done.err
    assert re.search(rf"\b{others} entr(y|ies) written, ", done.out)
    assert list(answers(tmp_path / "faq-index").values()) == ["d"]


def test_entries_that_cannot_be_read_are_all_named_at_the_end_and_the_others_are_indexed(command, faq, tmp_path):
    write(faq, [FAQ[0], '{"id": "torn", "question": ', {"id": "empty", "question": "Why?", "answer": " "}, FAQ[1]])
    (tmp_path / "more.csv").write_text("question,answer\n,Nobody asked.\n", encoding="utf-8")
    done = command("index", "faq.jsonl", "more.csv", "gone.html")
    assert done.code == 1
    assert "2 entries written, 2 documents" in done.out
    assert sorted(answers(tmp_path / "faq-index")) == ["fines", "renew"]
    positions = [
        done.err.index(part)
        for part in (
            "error faq.jsonl, line 2",
            "error faq.jsonl, line 3, field 'answer': missing or empty",
            "error more.csv, line 2, field 'question': missing or empty; expected the question's text",
            "error gone.html: cannot be read: No such file or directory",
            "4 entries, files or pages could not be read",
        )
    ]
    assert positions == sorted(positions)
    assert "Traceback" not in done.err


@pytest.mark.parametrize("name", ["gone.html", "gone/*.html"])
def test_files_that_are_not_there_are_told_before_an_encoder_is_loaded(command, tmp_path, loaded, name):
    done = command("index", name, "--index", "new")
    assert (done.code, done.out, loaded) == (1, "", [])
    assert done.err.startswith(f"error {name}: ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_nothing_is_removed_while_an_entry_cannot_be_read(command, faq, tmp_path):
    command("index", "faq.jsonl")
    write(faq, [FAQ[0], {**FAQ[1], "answer": ""}])
    done = command("index", "faq.jsonl", "--update", "--remove-missing")
    assert done.code == 1
    assert "nothing removed" in done.out
    assert sorted(answers(tmp_path / "faq-index")) == ["fines", "renew", "rooms"]


def test_the_same_id_in_two_files_is_an_error_that_names_both(command, faq, tmp_path):
    write(tmp_path / "other.jsonl", [{**FAQ[0], "answer": "Never."}])
    done = command("index", "faq.jsonl", "other.jsonl")
    assert done.code == 1
    assert (
        "error other.jsonl, line 1, field 'entry_id': the id 'renew' is in faq.jsonl already; expected each id once"
        in done.err
    )
    assert answers(tmp_path / "faq-index")["renew"] == "Online, or by phone."


def test_strict_stops_at_the_first_entry_that_cannot_be_read(command, faq):
    write(faq, [FAQ[0], {"id": "a", "question": "Why?"}, {"id": "b", "question": "Why not?"}])
    done = command("index", "faq.jsonl", "--strict")
    assert done.code == 2
    assert "line 2, field 'answer'" in done.err
    assert "line 3" not in done.err


def test_a_corpus_of_answers_alone(command, tmp_path):
    corpus = write(
        tmp_path / "corpus.jsonl", [{"entry_id": "a", "answer": "One."}, {"entry_id": "b", "answer": "Two."}]
    )
    done = command("index", corpus)
    assert done.code == 1
    assert "field 'question': missing or empty" in done.err
    done = command("index", corpus, "--answers-only", "--index", "corpus-index")
    assert done.code == 0
    assert sorted(answers(tmp_path / "corpus-index")) == ["a", "b"]


def test_an_index_keeps_its_language(command, faq, tmp_path):
    assert command("index", "faq.jsonl", "--language", "german").code == 0
    assert command("index", "faq.jsonl", "--update").code == 0
    assert TantivyDocumentStore.open(tmp_path / "faq-index").language == "german"
    done = command("index", "faq.jsonl", "--update", "--language", "none")
    assert done.code == 2
    assert "faq-index was made with --language german, which --update can't change" in done.err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["faq.jsonl", "--remove-missing"], "--remove-missing needs --update"),
        (["faq.jsonl", "--update", "--yes"], "--yes needs --remove-missing"),
        (["faq.jsonl", "--language", "klingon"], "language must be None or one of arabic,"),
        (["faq.jsonl", "--index", "faq.jsonl"], "faq.jsonl is a file; an index needs a folder"),
        (["faq.jsonl", "--index", "."], ". is not an index: it holds other files (faq.jsonl). Name a folder with an"),
        (["faq.jsonl", "--index", ".", "--update"], ". is not an index: it holds other files"),
        ([], "Missing argument"),
        (["faq.jsonl", "--nope"], "No such option"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(command, faq, arguments, message):
    done = command("index", *arguments)
    assert done.code == 2
    assert message.lower() in done.err.lower()
    assert "Traceback" not in done.err


@pytest.mark.slow
def test_another_writer_is_named(command, faq, tmp_path):
    command("index", "faq.jsonl")
    write(faq, [*FAQ[1:], {**FAQ[0], "answer": "At any desk."}])
    writer = tantivy.Index.open(str(tmp_path / "faq-index" / "index")).writer()
    done = command("index", "faq.jsonl", "--update")
    del writer
    assert done.code == 2
    assert "lock" in done.err
    assert "Traceback" not in done.err


def test_a_damaged_index_is_said_to_be_one(command, faq, tmp_path):
    command("index", "faq.jsonl")
    for path in (tmp_path / "faq-index" / "index").glob("*.json"):
        path.write_text("{", encoding="utf-8")
    done = command("index", "faq.jsonl", "--update")
    assert done.code == 2
    assert "faq-index" in done.err
    assert "damaged" in done.err


# --- vectors ---


@pytest.fixture
def loaded(monkeypatch) -> list:
    """Every encoder is one that draws vectors by their texts' hashes. Gives those that were loaded."""
    encoders = []

    def load(name):
        encoders.append(HashEncoder(name))
        return encoders[-1]

    monkeypatch.setattr("answer_selection.pipelines.index_time.encoders.load_encoder", load)
    return encoders


def vectors(index: Path) -> dict[str, bool]:
    return {document.id: bool(document.embedding) for document in TantivyDocumentStore.open(index).filter_documents()}


def test_entries_are_encoded_by_the_encoder_that_is_named_and_then_by_the_indexs_own(command, faq, tmp_path, loaded):
    done = command("index", "faq.jsonl", "--encoder", "small")
    assert (done.code, done.out) == (0, "3 entries written, 3 documents in faq-index 3 encoded by small")
    write(faq, [{**FAQ[0], "answer": "At any desk."}, FAQ[1]])
    done = command("index", "faq.jsonl", "--update")
    assert done.out == (
        "1 entry written, 1 unchanged, 3 documents in faq-index 1 encoded by small, 2 had their vectors already"
    )
    assert [encoder.record.name for encoder in loaded] == ["small", "small"]
    assert loaded[1].texts == ["How do I renew a book? At any desk."]
    assert "3 documents with vectors of small" in command("verify").out
    TantivyDocumentStore.open(tmp_path / "faq-index").write_documents([Document(id="new", content="Yes.")])
    assert "3 documents with vectors of small 1 document without vectors" in command("verify").out


def test_another_encoder_than_the_indexs_is_refused(command, faq, tmp_path, loaded):
    command("index", "faq.jsonl", "--encoder", "small")
    before = digest(tmp_path / "faq-index")
    for name, told in (
        ("large", "are of the encoder 'small' (fingerprint"),
        ("large", "not of 'large' ("),
        ("large", "index the sources into a new folder with the other"),
        ("none", "has vectors of the encoder 'small', and new entries get them too: leave out --encoder none"),
    ):
        done = command("index", "faq.jsonl", "--update", "--encoder", name)
        assert (done.code, told in done.err) == (2, True), done.err
    assert digest(tmp_path / "faq-index") == before


def test_vectors_of_which_nobody_names_the_encoder_stay(command, faq, tmp_path, loaded):
    index = TantivyDocumentStore(path=tmp_path / "faq-index")
    index.write_documents([Document(id="new", content="Yes.", embedding=[1.0, 0.0])])
    done = command("index", "faq.jsonl", "--update")
    assert done.err == (
        "error the index in faq-index has vectors, but does not say of which encoder: name it with --encoder, or pass "
        "--encoder none to write new entries without vectors"
    )
    assert command("index", "faq.jsonl", "--update", "--encoder", "none").code == 0
    assert vectors(tmp_path / "faq-index") == {"new": True, "renew": False, "fines": False, "rooms": False}


def test_vectors_are_added_to_an_index_without(command, faq, tmp_path, loaded, monkeypatch):
    done = command("index", "faq.jsonl", "--encoder", "none")
    assert done.out == "3 entries written, 3 documents in faq-index"
    write(faq, FAQ[:1])
    # The default is of new indexes.
    monkeypatch.setattr("answer_selection.pipelines.index_time.encoders.DEFAULT_ENCODER", "small")
    done = command("index", "faq.jsonl", "--update")
    assert done.out == (
        "0 entries written, 1 unchanged, 3 documents in faq-index faq-index has no vectors, and is "
        "searched by BM25 alone. Pass --encoder NAME with --update to add them"
    )
    assert not any(vectors(tmp_path / "faq-index").values())
    done = command("index", "faq.jsonl", "--update", "--encoder", "small")
    assert done.out == "1 entry written, 3 documents in faq-index 3 encoded by small"
    assert vectors(tmp_path / "faq-index") == {"renew": True, "fines": True, "rooms": True}


def test_a_new_index_has_the_default_encoder(command, faq, tmp_path, loaded, monkeypatch):
    monkeypatch.setattr("answer_selection.pipelines.index_time.encoders.DEFAULT_ENCODER", "small")
    assert command("index", "faq.jsonl", "--dry-run").code == 0
    assert loaded == []
    assert "3 encoded by small" in command("index", "faq.jsonl").out
    # What was killed before it had written anything is new, too.
    TantivyDocumentStore.open(tmp_path / "faq-index").delete_all_documents()
    assert "3 encoded by small" in command("index", "faq.jsonl", "--update").out


def test_an_index_of_an_earlier_version_has_no_place_for_vectors(command, faq, loaded, monkeypatch):
    with monkeypatch.context() as earlier:
        earlier.setattr("haystack_integrations.document_stores.tantivy.folder._FORMAT_VERSION", 2)
        command("index", "faq.jsonl", "--encoder", "none")
    done = command("index", "faq.jsonl", "--update")
    assert (done.code, "An earlier version made it: index its sources into a new folder" in done.out) == (0, True)
    done = command("index", "faq.jsonl", "--update", "--encoder", "small")
    assert (done.code, "was made by an earlier version and has no place for vectors" in done.err) == (2, True)


def test_an_encoders_folder_and_a_pipeline_that_writes_by_it(command, faq, tmp_path):
    """What the command has written and what a pipeline's embedder makes are of the same encoder, and texts."""
    folder = tiny_sentence_encoders.save(tmp_path / "encoder")
    done = command("index", "faq.jsonl", "--encoder", "encoder")
    assert (done.code, f"3 encoded by {folder.resolve()}" in done.out) == (0, True)
    store = TantivyDocumentStore.open(tmp_path / "faq-index")
    documents = store.filter_documents()
    embedder = AnswerSelectionDocumentEmbedder(model=folder)
    bare = [replace(document, embedding=None) for document in documents]
    for again, document in zip(embedder.run(bare)["documents"], documents, strict=True):
        assert again.meta == {**document.meta, ENCODER_FIELD: maker_of(str(folder), again.embedding)}
        assert again.embedding == pytest.approx(document.embedding, abs=1e-5)
    new = Document(id="wifi", content="Free.", meta={"question": "Wi-Fi?"})
    store.write_documents(embedder.run([new])["documents"])
    done = command("index", "faq.jsonl", "--update")
    assert "0 encoded by" in done.out
    assert "4 documents with vectors" in command("verify").out
    # An index that a pipeline has made alone is the same to the command.
    made = TantivyDocumentStore(path=tmp_path / "made")
    made.write_documents(embedder.run(FAQConverter().run(sources=[faq])["documents"])["documents"])
    done = command("index", "faq.jsonl", "--index", "made", "--update")
    assert "0 encoded by" in done.out
    assert "3 documents with vectors" in command("verify", "--index", "made").out
    done = command("index", "faq.jsonl", "--index", "other", "--encoder", "nowhere/at-all")
    assert (done.code, "nowhere/at-all" in done.err) == (2, True)
    assert not (tmp_path / "other").exists()


# --- folders, patterns, tables, pages ---


def write_files(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def metas(index: Path, *names: str) -> list[tuple]:
    documents = TantivyDocumentStore.open(index).filter_documents()
    return sorted(tuple(document.meta.get(name) for name in names) for document in documents)


def test_folders_patterns_and_tables_become_one_index_that_says_what_was_found_where(command, tmp_path):
    write_files(
        tmp_path,
        {
            "docs/faq.md": "# Books\n\n## How do I renew?\n\nOnline.\n",
            "docs/guide/room.md": "# Rooms\n\nWho may come in?\n\nFor how long?\n\n## Can I book one?\n\nYes.\n",
            "docs/guide/notes.md": "no headings\n",
            "docs/logo.png": "x",
            "web/a.html": "<details><summary>Wi-Fi?</summary>Yes.</details>",
            "web/b.html": "<details><summary>Wi-Fi?</summary>Yes.</details>",
            "fragen.csv": "\ufeffFrage;Antwort\r\nWo?;Hier.\r\n",
        },
    )
    given = ("docs", "web/**/*.html", "fragen.csv")
    done = command("index", *given, "--columns", "question=Frage,answer=Antwort", "--encoder", "none")
    assert done.code == 0
    assert done.out == (
        "docs/faq.md: 1 entry "
        "docs/guide/notes.md: no entries (expected questions as headings, in bold print, in lists, tables or "
        "<details>, or behind 'Q:'; found none) "
        "docs/guide/room.md: 1 entry (lines that ask: 2 are in no entry, such as 'Who may come in?', 'For how long?') "
        "web/a.html: 1 entry "
        "web/b.html: 0 entries, and 1 that came before in the same words "
        "fragen.csv: 1 entry "
        "left out, as their type is not known: .png (1): docs/logo.png "
        "4 entries written, 4 documents in faq-index"
    )
    assert metas(tmp_path / "faq-index", "source") == [
        ("docs/faq.md",),
        ("docs/guide/room.md",),
        ("fragen.csv",),
        ("web/a.html",),
    ]


def test_a_folder_that_holds_the_index_is_read_without_it(command, tmp_path):
    write_files(tmp_path, {"faq.md": "# How?\n\nSo.\n"})
    assert command("index", ".", "--encoder", "none").code == 0
    done = command("index", ".", "--update", "--remove-missing", "--encoder", "none")
    assert (done.code, "0 entries written, 1 unchanged, 1 document" in done.out) == (0, True)


def test_what_is_gone_from_a_folder_is_removed(command, tmp_path):
    pages = {f"docs/{number}.md": f"# Number {number}?\n\nYes.\n" for number in range(6)}
    write_files(tmp_path, pages)
    command("index", "docs", "--encoder", "none")
    (tmp_path / "docs" / "0.md").unlink()
    done = command("index", "docs", "--update", "--remove-missing")
    assert (done.code, "1 entry removed" in done.out) == (0, True)
    # A file that lost its questions is in order; a folder that lost all of its files is not.
    write_files(tmp_path, {"docs/1.md": "no more\n"})
    done = command("index", "docs", "--update", "--remove-missing")
    assert (done.code, "1 entry removed" in done.out) == (0, True)
    for path in (tmp_path / "docs").iterdir():
        path.unlink()
    done = command("index", "docs", "--update", "--remove-missing", "--yes")
    assert (done.code, "error docs: there is no file that could be read" in done.err) == (1, True)
    assert len(answers(tmp_path / "faq-index")) == 4


def test_more_files_than_can_be_listed_are_told_by_type(command, tmp_path):
    write_files(tmp_path, {f"docs/{number}.md": f"# Number {number}?\n\nYes.\n" for number in range(40)})
    write_files(tmp_path, {"docs/page.html": "<p>Hello.</p>"})
    done = command("index", "docs", "--dry-run")
    assert "markdown: 40 entries in 40 files html: 0 entries in 1 files" in done.out
    assert "docs/page.html: no entries" in done.out
    assert "docs/1.md" not in done.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["faq.jsonl", "--columns", "question"], "--columns 'question': expected NAME=COLUMN, such as question=title"),
        (["faq.jsonl", "--columns", "=Frage"], "expected NAME=COLUMN"),
        (["faq.jsonl", "--format", "docs"], "unknown format 'docs'; known: jsonl, json"),
        (["faq.jsonl", "--base-url", "example.org"], "--base-url example.org is no address"),
        (["--fetch", "example.org"], "'example.org' is no address of a page"),
        (["faq.jsonl", "--pause", "1"], "--pause needs --fetch"),
        (["faq.jsonl", "--max-pages", "5"], "--max-pages needs --fetch"),
        ([], "or pages with --fetch"),
    ],
)
def test_what_cannot_be_a_source_is_said_in_one_line(command, faq, arguments, message):
    done = command("index", *arguments, "--encoder", "none")
    assert (done.code, message in done.err) == (2, True), done.err
    assert "Traceback" not in done.err


def test_the_formats_that_it_reads_are_in_its_help(command):
    told = command("index", "--help").out
    assert all(name in told for name in FORMATS)


def test_a_column_that_no_file_has_is_an_error_that_names_those_there_are(command, tmp_path):
    write_files(tmp_path, {"fragen.csv": "Frage,Antwort,Thema\nWo?,Hier.,\n", "faq.md": "# Who?\n\nWe.\n"})
    columns = "question=Frage,answer=Antwort,topic=Thmea"
    done = command("index", "fragen.csv", "faq.md", "--columns", columns, "--encoder", "none")
    assert (done.code, len(answers(tmp_path / "faq-index"))) == (1, 2)
    found = "'Frage', 'Antwort', 'Thema', 'question', 'answer'"
    assert f"error --columns topic=Thmea: no file has a column or field of this name; found {found}" in done.err
    # It comes before what it is the reason of, and of many equal errors the first are enough.
    write_files(tmp_path, {"alle.csv": "Anliegen,answer\n" + "Wo?,Hier.\n" * 50})
    done = command("index", "alle.csv", "--columns", "question=Frag", "--index", "alle")
    first, *others = done.err.split("error ")[1:]
    assert first.startswith("--columns question=Frag: no file has a column")
    assert (len(others), "31 more. Mend these first" in done.err, "51 entries" in done.err) == (19, True, True)
    assert "no index was written" in done.out
    updated = command("index", "alle.csv", "--columns", "question=Frag", "--index", "alle", "--update")
    assert updated.err == done.err
    # A column that is there may be empty in every row.
    columns = columns.replace("Thmea", "thema")
    assert command("index", "fragen.csv", "--columns", columns, "--index", "other", "--encoder", "none").code == 0


def test_where_a_folder_is_served_is_where_its_entries_come_from(command, tmp_path):
    write_files(tmp_path, {"docs/guide/room.md": "# Can I book one?\n\nSee [rates](../rates.html).\n"})
    done = command("index", "docs", "--base-url", "https://example.org/help", "--encoder", "none")
    assert done.code == 0
    assert metas(tmp_path / "faq-index", "source") == [("https://example.org/help/guide/room.md",)]
    assert list(answers(tmp_path / "faq-index").values()) == ["See rates (https://example.org/help/rates.html)."]


@pytest.fixture
def site():
    with site_server.serve() as served:
        served.pages = {
            "/": Reply('<a href="/faq">FAQ</a><a href="/gone">gone</a><a href="/bad">bad</a>'),
            "/faq": Reply('<details><summary>Do you ship?</summary>See <a href="rates">rates</a>.</details>'),
            "/rates": Reply("<details><summary>What does it cost?</summary>Nothing.</details>"),
            "/bad": Reply("", status=404),
        }
        yield served


def test_a_sites_pages_are_fetched_and_indexed(command, site, tmp_path):
    done = command("index", "--fetch", f"{site.url}/", "--pause", "0", "--encoder", "none")
    assert done.code == 0
    assert "3 pages fetched" in done.out
    assert f"left out: {site.url}/gone, {site.url}/bad (gave the status 404)" in done.out
    assert f"{site.url}/: no entries" in done.out
    assert metas(tmp_path / "faq-index", "source") == [(f"{site.url}/faq",), (f"{site.url}/rates",)]
    assert f"See rates ({site.url}/rates)." in answers(tmp_path / "faq-index").values()
    assert not (tmp_path / "faq-index.pages").exists()


def test_pages_that_fail_are_named_and_the_others_are_indexed_and_kept(command, site, tmp_path, monkeypatch):
    monkeypatch.setattr("answer_selection.indexing.fetching.site.MOST_BYTES", 1000)
    site.pages["/bad"] = Reply("x" * 1001)
    fetch = ("index", "--fetch", f"{site.url}/", "--pause", "0", "--encoder", "none")
    done = command(*fetch)
    assert (done.code, f"error {site.url}/bad: has more than 1,000 bytes" in done.err) == (1, True)
    assert (
        "the fetched pages are in faq-index.pages for a day: give the command again to fetch only the others"
        in done.out
    )
    assert len(answers(tmp_path / "faq-index")) == 2
    site.pages["/bad"] = Reply("<details><summary>Bad?</summary>No.</details>")
    site.asked.clear()
    done = command(*fetch, "--update", "--remove-missing")
    assert (done.code, site.asked) == (0, ["/robots.txt", "/bad"])
    assert len(answers(tmp_path / "faq-index")) == 3
    assert not (tmp_path / "faq-index.pages").exists()


def test_more_pages_than_allowed_are_told_and_nothing_is_removed_for_them(command, site, tmp_path):
    fetch = ("index", "--fetch", f"{site.url}/", "--pause", "0", "--encoder", "none")
    command(*fetch)
    done = command(*fetch, "--update", "--max-pages", "2")
    assert (done.code, "more pages are known than --max-pages 2 allows" in done.out) == (0, True)
    done = command(*fetch, "--update", "--max-pages", "2", "--remove-missing", "--yes")
    assert (done.code, "more pages are known than --max-pages 2 allows" in done.err) == (1, True)
    assert len(answers(tmp_path / "faq-index")) == 2


def test_a_site_without_a_page_is_one_error(command, site, tmp_path):
    done = command("index", "--fetch", f"{site.url}/nowhere", "--encoder", "none")
    assert done.code == 2
    assert f"error no page could be fetched: {site.url}/nowhere gave the status 404" in done.err
    assert not (tmp_path / "faq-index.pages").exists()
