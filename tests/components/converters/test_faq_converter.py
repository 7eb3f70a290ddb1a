# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest
from haystack import Pipeline
from haystack.components.writers import DocumentWriter
from haystack.dataclasses import ByteStream
from haystack.document_stores.in_memory import InMemoryDocumentStore

import office_files
from answer_selection.indexing.entries import EntrySourceError, entry_id_of
from haystack_integrations.components.converters.faq import FAQConverter

JSONL = b'{"q": "How?", "a": "So.", "topic": "x"}\nbroken\n{"q": "Why?"}\n'


def test_to_dict_and_from_dict() -> None:
    converter = FAQConverter(
        strict=True, require_question=False, format="csv", encoding="cp1252", columns={"question": "Thema"}
    )
    data = {
        "type": "haystack_integrations.components.converters.faq.converter.FAQConverter",
        "init_parameters": {
            "strict": True,
            "require_question": False,
            "format": "csv",
            "encoding": "cp1252",
            "columns": {"question": "Thema"},
        },
    }
    assert converter.to_dict() == data
    assert FAQConverter.from_dict(data).to_dict() == data
    defaults = {"strict": False, "require_question": True, "format": None, "encoding": None, "columns": None}
    assert FAQConverter().to_dict()["init_parameters"] == defaults


def test_what_a_source_does_not_tell_is_told_as_to_the_command() -> None:
    source = ByteStream("Thema;Lösung\nGröße?;Über zwei Meter.\n".encode("cp1252"), meta={"file_path": "liste.dat"})
    assert "unknown format" in FAQConverter().run(sources=[source])["errors"][0]
    converter = FAQConverter(format="csv", encoding="cp1252", columns={"question": "Thema", "answer": "Lösung"})
    [document] = converter.run(sources=[source])["documents"]
    assert (document.meta["question"], document.content) == ("Größe?", "Über zwei Meter.")
    with pytest.raises(ValueError, match="unknown format 'excel'; known: "):
        FAQConverter(format="excel")
    with pytest.raises(ValueError, match="unknown encoding 'utf-9'; expected one that Python knows"):
        FAQConverter(encoding="utf-9")


def test_files_and_streams_become_documents_and_errors(tmp_path: Path) -> None:
    path = tmp_path / "faq.md"
    path.write_text("# When?\nNow.\n", encoding="utf-8")
    stream = ByteStream(JSONL, meta={"file_path": "/some/where/faq.jsonl", "site": "s"})
    result = FAQConverter().run(sources=[stream, path, str(tmp_path / "none.csv")], meta={"language": "en"})
    how, when = result["documents"]
    assert (how.id, how.content) == (entry_id_of("How?"), "So.")
    assert how.meta == {
        "question": "How?",
        "entry_id": how.id,
        "topic": "x",
        "site": "s",
        "file_path": "faq.jsonl",
        "source": "/some/where/faq.jsonl",
        "language": "en",
    }
    assert (when.content, when.meta["file_path"]) == ("Now.", "faq.md")
    assert [error.partition(": ")[0] for error in result["errors"]] == [
        "/some/where/faq.jsonl, line 2",
        "/some/where/faq.jsonl, line 3, field 'answer'",
        f"{tmp_path / 'none.csv'}",
    ]


def test_strict_stops_at_the_first_error() -> None:
    with pytest.raises(EntrySourceError, match="byte stream, line 2: expected one JSON object"):
        FAQConverter(strict=True).run(sources=[ByteStream(JSONL, mime_type="application/x-ndjson")])


def test_metadata_for_each_source() -> None:
    streams = [ByteStream(f"# Q{i}\nA".encode(), mime_type="text/markdown") for i in range(2)]
    documents = FAQConverter().run(sources=streams, meta=[{"n": 0}, {"n": 1}])["documents"]
    assert [document.meta["n"] for document in documents] == [0, 1]
    with pytest.raises(ValueError, match="length of the metadata list must match"):
        FAQConverter().run(sources=streams, meta=[{"n": 0}])


def test_a_question_of_two_sources_is_one_document_for_each_answer() -> None:
    def stream(name: str, answer: str) -> ByteStream:
        return ByteStream(f"# How?\n{answer}".encode(), meta={"file_path": name})

    result = FAQConverter().run(sources=[stream("a.md", "So."), stream("b.md", "So."), stream("c.md", "Not so.")])
    assert [(document.content, document.meta["file_path"]) for document in result["documents"]] == [
        ("So.", "a.md"),
        ("Not so.", "c.md"),
    ]
    assert result["errors"] == []
    ids = [document.id for document in result["documents"]]
    assert ids == [entry_id_of("How?"), entry_id_of("How?", (), "c.md")]


def test_an_entrys_own_id_in_two_sources_is_an_error_unless_they_say_the_same() -> None:
    def stream(name: str, answer: str) -> ByteStream:
        return ByteStream(f'{{"id": "x", "q": "How?", "a": "{answer}"}}'.encode(), meta={"file_path": name})

    result = FAQConverter().run(sources=[stream(f"{name}.jsonl", name) for name in ("a", "a", "b")])
    assert [document.content for document in result["documents"]] == ["a"]
    assert result["errors"] == [
        "b.jsonl, line 1, field 'entry_id': the id 'x' is in a.jsonl already; expected each id once",
    ]


def test_a_document_says_where_it_comes_from_and_its_links_lead_somewhere(tmp_path: Path) -> None:
    page = b'<details><summary>How?</summary><a href="b">So</a></details>'
    (tmp_path / "faq.html").write_bytes(page)
    streams = [
        ByteStream(page.replace(b"How", b"When"), mime_type="text/html", meta={"url": "https://x.org/help/a"}),
        ByteStream(page.replace(b"How", b"Why"), mime_type="text/html"),
    ]
    documents = FAQConverter().run(sources=[tmp_path / "faq.html", *streams])["documents"]
    assert [(document.content, document.meta.get("source")) for document in documents] == [
        ("So (b)", str(tmp_path / "faq.html")),
        ("So (https://x.org/help/b)", "https://x.org/help/a"),
        ("So (b)", None),
    ]
    [document] = FAQConverter().run(sources=[tmp_path / "faq.html"], meta={"source": "https://y.org/c/"})["documents"]
    assert (document.content, document.meta["source"]) == ("So (https://y.org/c/b)", "https://y.org/c/")


def test_no_question_where_none_is_required() -> None:
    stream = ByteStream(b'{"entry_id": "1", "answer": "So."}', meta={"file_name": "corpus.jsonl"})
    [document] = FAQConverter(require_question=False).run(sources=[stream])["documents"]
    assert document.meta == {"entry_id": "1", "file_name": "corpus.jsonl"}
    assert FAQConverter().run(sources=[stream])["documents"] == []


def test_in_a_pipeline_that_is_loaded_from_yaml(tmp_path: Path) -> None:
    store = InMemoryDocumentStore()
    pipeline = Pipeline()
    pipeline.add_component("converter", FAQConverter())
    pipeline.add_component("writer", DocumentWriter(store))
    pipeline.connect("converter.documents", "writer.documents")
    pipeline = Pipeline.loads(pipeline.dumps())
    path = tmp_path / "faq.csv"
    path.write_text("question,answer\nHow?,So.\nWhy?\n", encoding="utf-8")
    result = pipeline.run({"converter": {"sources": [path]}})
    assert result["writer"]["documents_written"] == 1
    assert result["converter"]["errors"] == [f"{path}, line 3: expected 2 fields, as in the first line, found 1"]


def test_a_sheet_without_answers_beside_others_is_no_error() -> None:
    sheets = {"FAQ": [["Question", "Answer"], ["Is it hot?", "Yes."]], "Desks": [["Desk", "Phone"], ["Main", "12"]]}
    stream = ByteStream(office_files.xlsx(sheets), meta={"file_path": "faq.xlsx"})
    found = FAQConverter(strict=True).run(sources=[stream])
    assert [document.content for document in found["documents"]] == ["Yes."]
    assert FAQConverter().run(sources=[stream, stream])["errors"] == []
