# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest
from haystack.dataclasses import ByteStream

from answer_selection.indexing.entries import Entry, EntrySourceError, entry_id_of
from answer_selection.indexing.ids import EntryIds
from answer_selection.indexing.source_files import FileChoice
from answer_selection.indexing.sources import Sources, SourcesReport


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(name: str, text: str | bytes) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def read(*paths: str, **options) -> tuple[list[Entry], SourcesReport]:
    report = SourcesReport()
    with EntryIds() as ids:
        return list(Sources([Path(path) for path in paths], **options).read(ids, report)), report


def counted(report: SourcesReport) -> dict[str, tuple[int, int]]:
    return {count.source: (count.entries, count.repeated) for count in report.counts}


def test_a_folder_of_several_types_becomes_entries_that_say_where_they_come_from():
    write("docs/faq.md", "# How?\nSo.\n")
    write("docs/deep/shop.html", "<details><summary>Bags?</summary>Yes.</details>")
    write("docs/table.csv", "question,answer,source\nWhen?,Now.,a book\n")
    write("docs/logo.png", b"\x89")
    entries, report = read("docs")
    assert [(entry.question, entry.meta["source"]) for entry in entries] == [
        ("Bags?", "docs/deep/shop.html"),
        ("How?", "docs/faq.md"),
        ("When?", "a book"),
    ]
    assert [(count.source, count.format, count.entries) for count in report.counts] == [
        ("docs/deep/shop.html", "html", 1),
        ("docs/faq.md", "markdown", 1),
        ("docs/table.csv", "csv", 1),
    ]
    assert (report.errors, report.other_types) == ([], {".png": 1})
    assert list(map(str, report.others)) == ["docs/logo.png"]


def test_a_file_without_an_ending_is_a_text_if_it_is_named_or_is_called_faq():
    pair = "Q: How?\nA: So.\n"
    for name in ("docs/FAQ", "docs/old/linux_faq", "docs/QUESTIONS", "docs/faq.1", "docs/TheFAQless"):
        write(name, pair)
    _, report = read("docs")
    assert [(count.source, count.format) for count in report.counts] == [
        ("docs/FAQ", "text"),
        ("docs/old/linux_faq", "text"),
    ]
    assert (report.other_types, len(report.others)) == ({"": 2, ".1": 1}, 3)
    entries, report = read("docs/QUESTIONS")
    assert ([entry.question for entry in entries], report.errors) == (["How?"], [])
    for number in range(9):
        write(f"docs/{number}.png", pair)
    _, report = read("docs")
    assert list(map(str, report.others)) == [f"docs/{number}.png" for number in range(5)]


def test_a_file_that_two_paths_mean_is_read_once():
    write("docs/faq.md", "# How?\nSo.\n")
    entries, report = read("docs/faq.md", "docs", "docs/*.md")
    assert (len(entries), counted(report)) == (1, {"docs/faq.md": (1, 0)})


def test_one_question_with_two_answers_in_two_files_is_two_entries_whose_ids_stay():
    write("a.md", "# How?\nSo.\n")
    write("b.md", "# How?\nNot so.\n\n# Why?\nBecause.\n")
    first, report = read("a.md", "b.md")
    assert report.errors == []
    assert [entry.answer for entry in first] == ["So.", "Not so.", "Because."]
    assert len({entry.entry_id for entry in first}) == 3
    assert (first[0].entry_id, first[2].entry_id) == (entry_id_of("How?"), entry_id_of("Why?"))
    write("b.md", "# Why?\nBecause.\n\n# How?\nStill not so.\n")
    again, _ = read("a.md", "b.md")
    assert {entry.entry_id for entry in again} == {entry.entry_id for entry in first}


def test_what_two_files_say_in_the_same_words_is_one_entry():
    for name in ("a", "b"):
        write(f"{name}.html", f"<details><summary>Bags?</summary>Yes.</details><p>{name}</p>")
    entries, report = read("*.html")
    assert [entry.meta["source"] for entry in entries] == ["a.html"]
    assert counted(report) == {"a.html": (1, 0), "b.html": (0, 1)}
    assert report.errors == []


def test_an_id_of_its_own_that_two_files_have_for_different_answers_is_an_error():
    write("a.jsonl", '{"id": "x", "q": "How?", "a": "So."}')
    write("b.jsonl", '{"id": "x", "q": "How?", "a": "Not so."}')
    entries, report = read("a.jsonl", "b.jsonl")
    assert len(entries) == 1
    assert [str(error) for error in report.errors] == [
        "b.jsonl, line 1, field 'entry_id': the id 'x' is in a.jsonl already; expected each id once"
    ]


def test_the_same_question_twice_in_one_file_stays_an_error_behind_another_file():
    write("a.csv", "q,a\nHow?,So.\n")
    write("b.csv", "q,a\nHow?,Not so.\nHow?,Or so.\n")
    entries, report = read("a.csv", "b.csv")
    assert [entry.answer for entry in entries] == ["So.", "Not so."]
    assert [error.location for error in report.errors] == ["line 3"]


def test_a_file_without_entries_is_an_error_only_where_it_is_named_itself():
    write("docs/faq.md", "# How?\nSo.\n")
    write("docs/notes.md", "no heading\n")
    write("docs/page.html", "<p>Hello.</p>")
    write("docs/package.json", '{"name": "x"}')
    write("docs/empty.jsonl", "")
    entries, report = read("docs")
    assert (len(entries), report.errors) == (1, [])
    without = {count.source: count.nothing for count in report.counts if count.nothing}
    assert sorted(without) == ["docs/empty.jsonl", "docs/notes.md", "docs/package.json", "docs/page.html"]
    assert (
        without["docs/notes.md"]
        == "expected questions as headings, in bold print, in lists, tables or <details>, or behind 'Q:'; found none"
    )
    _, report = read("docs/notes.md")
    assert [str(error).partition(":")[0] for error in report.errors] == ["docs/notes.md"]


def test_a_folder_or_pattern_that_gives_nothing_at_all_is_an_error():
    write("docs/notes.md", "no heading\n")
    write("docs/logo.png", b"\x89")
    write("pictures/logo.png", b"\x89")
    _, report = read("docs", "nothing/*.md", "pictures")
    assert [str(error) for error in report.errors] == [
        "docs: no file in it gave an entry: 1 read, 1 of unknown type (.png)",
        "nothing/*.md: there is no file that could be read",
        "pictures: no file in it gave an entry: 0 read, 1 of unknown type (.png)",
    ]
    assert [str(error) for error in read("missing")[1].errors] == ["missing: cannot be read: No such file or directory"]
    with pytest.raises(EntrySourceError, match="docs: no file in it gave an entry"):
        read("docs", strict=True)


def test_a_broken_file_in_a_folder_is_an_error():
    write("docs/faq.md", "# How?\nSo.\n")
    write("docs/bad.json", "{")
    _, report = read("docs")
    assert [str(error).partition(":")[0] for error in report.errors] == ["docs/bad.json, line 1"]


def test_a_table_of_a_spreadsheet():
    table = '\ufeffFrage;Antwort, kurz;Thema;;\r\n"Wo, bitte?";"Hinten,\r\nlinks.";Ort;;\r\nWann?;Spät.;;;\r\n;;;;\r\n'
    write("fragen.csv", table)
    columns = {"question": "frage", "answer": "Antwort, kurz", "topic": "Thema"}
    entries, report = read("fragen.csv", columns=columns)
    assert report.errors == []
    assert [(entry.question, entry.answer, entry.meta) for entry in entries] == [
        ("Wo, bitte?", "Hinten,\nlinks.", {"source": "fragen.csv", "topic": "Ort"}),
        ("Wann?", "Spät.", {"source": "fragen.csv"}),
    ]


def test_an_encoding_is_of_the_files_that_are_not_utf_8():
    write("docs/alt.csv", "question;answer\r\nWie spät?;Früh.\r\n".encode("cp1252"))
    write("docs/neu.md", "# Größe?\nKlein.\n")
    _, report = read("docs/alt.csv")
    assert "expected UTF-8" in str(report.errors[0])
    entries, report = read("docs", encoding="cp1252")
    assert ([entry.question for entry in entries], report.errors) == (["Wie spät?", "Größe?"], [])
    _, report = read("docs/alt.csv", encoding="klingon")
    assert "unknown encoding 'klingon'" in str(report.errors[0])


def test_columns_that_a_table_lacks_are_an_error_that_names_those_it_has():
    write("fragen.csv", "Anliegen,Auskunft\nWo?,Hier.\n")
    write("faq.csv", "question,answer\nWhere?,Here.\n")
    entries, report = read("fragen.csv", "faq.csv")
    assert [entry.question for entry in entries] == ["Where?"]
    [error] = report.errors
    assert "found 'Anliegen', 'Auskunft'" in error.message
    assert "--columns question=COLUMN,answer=COLUMN" in error.message
    [wrong] = read("fragen.csv", columns={"question": "Anliegen", "answer": "Body", "id": "No."})[1].errors
    assert wrong.message.endswith("None of them is what --columns answer=Body,id=No. names")
    [other] = read("fragen.csv", columns={"question": "Anliegen", "topic": "Thema"})[1].errors
    assert "--columns question=COLUMN,answer=COLUMN" in other.message
    # A table with our own names is read beside one with others.
    entries, report = read("fragen.csv", "faq.csv", columns={"question": "Anliegen", "answer": "Auskunft"})
    assert ([entry.question for entry in entries], report.errors) == (["Wo?", "Where?"], [])


def test_columns_are_the_names_of_json_fields_too_and_never_hide_another():
    write(
        "faq.jsonl",
        '{"Frage": "Wo?", "Antwort": "Hier.", "Nummer": 7}\n{"Frage": "a", "question": "b", "Antwort": "c"}',
    )
    columns = {"question": "Frage", "answer": "Antwort", "id": "Nummer"}
    entries, report = read("faq.jsonl", columns=columns)
    assert [(entry.entry_id, entry.question, entry.answer) for entry in entries] == [("7", "Wo?", "Hier.")]
    [error] = report.errors
    assert str(error) == (
        "faq.jsonl, line 2: two fields have one name: 'Frage' is to be 'question', and there is another 'question'"
    )
    write("both.csv", "Frage,question,Antwort\na,b,c\n")
    assert "two columns have one name" in str(read("both.csv", columns=columns)[1].errors[0])
    write("swapped.csv", "answer,question\na,b\n")
    [entry], _ = read("swapped.csv", columns={"question": "answer", "answer": "question"})
    assert (entry.question, entry.answer) == ("a", "b")


def test_a_format_that_is_named_is_that_of_all_files():
    write("list.dat", "question\tanswer\nWo?\tHier.\n")
    assert "unknown format" in str(read("list.dat")[1].errors[0])
    for paths, options in ((["list.dat"], {}), (["."], {"choice": FileChoice(include=["*.dat"])})):
        entries, report = read(*paths, format="tsv", **options)
        assert ([entry.question for entry in entries], report.errors) == (["Wo?"], [])


def test_with_a_base_url_sources_are_addresses_and_links_absolute():
    write("docs/guide/a b.html", '<details><summary>Rates?</summary><a href="../rates.html#x">Here</a>.</details>')
    write("docs/faq.md", "# How?\nSee [this](guide/), [that](#how), [mail](mailto:a@b.org), [it](https://x.org/y).\n")
    page = '{"@type": "FAQPage", "mainEntity": {"@type": "Question", "name": "Ship?", "acceptedAnswer": {"text": '
    write("docs/page.json", page + '"See <a href=\\"/rates\\">rates</a>."}}}')
    for base_url in ("https://example.org/help", "https://example.org/help/"):
        entries, report = read("docs", base_url=base_url)
        assert report.errors == []
        assert [(entry.meta["source"], entry.answer) for entry in entries] == [
            (
                "https://example.org/help/faq.md",
                "See this (https://example.org/help/guide/), that, mail (mailto:a@b.org), it (https://x.org/y).",
            ),
            ("https://example.org/help/guide/a%20b.html", "Here (https://example.org/help/rates.html#x)."),
            ("https://example.org/help/page.json", "See rates (https://example.org/rates)."),
        ]
    [entry] = [entry for entry in read("docs")[0] if entry.question == "Rates?"]
    assert entry.answer == "Here (../rates.html#x)."


def test_a_page_that_names_another_base_has_its_links_below_that():
    write("a.html", '<base href="/other/"><details><summary>How?</summary><a href="x">So</a></details>')
    [entry], _ = read("a.html", base_url="https://example.org/help")
    assert entry.answer == "So (https://example.org/other/x)"


def test_pages_come_after_files_with_their_address():
    def page(url: str, body: str) -> ByteStream:
        return ByteStream(body.encode(), mime_type="text/html", meta={"url": url})

    write("faq.md", "# How?\nSo.\n")
    shown = '<details><summary>How?</summary><a href="b">Otherwise</a></details>'
    pages = [page("https://x.org/faq/a", shown), page("https://x.org/about", "<p>Us</p>")]
    entries, report = read("faq.md", pages=pages)
    assert [(entry.meta["source"], entry.answer) for entry in entries] == [
        ("faq.md", "So."),
        ("https://x.org/faq/a", "Otherwise (https://x.org/faq/b)"),
    ]
    assert counted(report) == {"faq.md": (1, 0), "https://x.org/faq/a": (1, 0), "https://x.org/about": (0, 0)}
    assert report.errors == []
    _, report = read(pages=pages[1:])
    assert [str(error) for error in report.errors] == ["https://x.org/about: none of 1 pages holds an entry"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("faq.csv", "id,Pergunta,Resposta\n1,Onde fica?,Aqui.\n"),
        ("faq.json", '[{"id": 1, "pergunta": "Onde fica?", "resposta": "Aqui."}]'),
        ("faq.yml", "- id: 1\n  вопрос: Onde fica?\n  ответ: Aqui.\n"),
        ("faq.tsv", "id\tQuestion\tRe\u0301ponse\n1\tOnde fica?\tAqui.\n"),
        ("faq.jsonl", '{"id": 1, "質問": "Onde fica?", "回答": "Aqui."}'),
    ],
)
def test_fields_may_have_names_of_other_languages(name, text):
    write(name, text)
    [entry], report = read(name)
    assert (entry.entry_id, entry.question, entry.answer, entry.meta) == ("1", "Onde fica?", "Aqui.", {"source": name})
    assert report.errors == []


def test_a_column_is_found_however_its_accents_were_typed():
    write("faq.csv", "Pre\u0301cision,Texte\nWo?,Hier.\n")
    for typed in ("Pre\u0301cision", "Pr\u00e9cision"):
        [entry], _ = read("faq.csv", columns={"question": typed, "answer": "Texte"})
        assert entry.question == "Wo?"
