# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import json
import random
import tracemalloc
from pathlib import Path

import pytest
from haystack.dataclasses import ByteStream

from answer_selection.indexing.entries import Entry, EntryError, entry_id_of, iter_entries
from answer_selection.indexing.formats import FORMATS


def read(data: str | bytes, kind: str, **options):
    data = data.encode() if isinstance(data, str) else data
    items = list(iter_entries(ByteStream(data, meta={"file_name": "faq"}), format=kind, **options))
    return [i for i in items if isinstance(i, Entry)], [str(i) for i in items if isinstance(i, EntryError)]


SAME_FAQ = {
    "jsonl": '{"question": "How?", "answer": "So.", "topic": "x"}\n\n{"q": "Why?", "a": "Thus, and so."}\n',
    "json": '{"faq": [{"question": "How?", "answer": "So.", "topic": "x"}, {"q": "Why?", "a": "Thus, and so."}]}',
    "yaml": "- question: How?\n  answer: So.\n  topic: x\n- {q: 'Why?', a: 'Thus, and so.'}\n",
    "csv": 'Question,Answer,topic\r\nHow?,So.,x\r\nWhy?,"Thus, and so.",\r\n',
    "tsv": "question\tanswer\ttopic\nHow?\tSo.\tx\nWhy?\tThus, and so.\t\n",
}


@pytest.mark.parametrize("kind", SAME_FAQ)
def test_formats_of_fields_give_the_same_entries(kind: str) -> None:
    assert read(SAME_FAQ[kind], kind) == (
        [
            Entry(entry_id_of("How?"), "So.", "How?", {"topic": "x"}),
            Entry(entry_id_of("Why?"), "Thus, and so.", "Why?", {}),
        ],
        [],
    )


def test_an_entry_becomes_a_document_by_the_convention() -> None:
    document = Entry("7", "So.", "How?", {"topic": "x"}).to_document()
    assert (document.id, document.content) == ("7", "So.")
    assert document.meta == {"topic": "x", "entry_id": "7", "question": "How?"}
    assert "question" not in Entry("7", "So.").to_document().meta


@pytest.mark.parametrize("kind", ["jsonl", "json", "yaml", "csv", "tsv", "markdown", "html"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_encodings_with_a_byte_order_mark_are_read(kind: str, encoding: str) -> None:
    texts = {**SAME_FAQ, "markdown": "# How?\nSo.\n", "html": "<dl><dt>How?<dd>So.</dl>"}
    text = texts[kind].replace("So.", "Só 東京 😀.")
    data = (("\ufeff" if encoding == "utf-16-le" else "") + text).encode(encoding)
    entries, errors = read(data, kind)
    assert not errors
    assert entries[0].answer == "Só 東京 😀."


def test_a_declared_encoding_is_used() -> None:
    data = "question,answer\nOù?,Là.\n".encode("cp1252")
    for stream in (
        ByteStream(data, mime_type="text/csv", meta={"encoding": "cp1252"}),
        ByteStream(data, mime_type="text/csv; charset=windows-1252"),
        ByteStream(data, mime_type='text/csv; charset="windows-1252"; header=present'),
    ):
        assert [entry.answer for entry in iter_entries(stream)] == ["Là."]
    page = '<meta charset="windows-1252"><dl><dt>Où?<dd>Là.</dl>'.encode("cp1252")
    assert read(page, "html")[0][0].question == "Où?"


@pytest.mark.parametrize(
    ("kind", "data", "expected"),
    [
        (
            "jsonl",
            b'{"q": "a", "a": "b"}\n{"q": "c", "a": "\xe9"}\n{"q": "d", "a": "e"}\n',
            "faq, line 2: byte 0xe9 at offset 38 of the file is not valid UTF-8; expected UTF-8, or UTF-16 or ",
        ),
        (
            "csv",
            b"q,a\na,b\n\xe9,d\nd,e\n",
            "faq, line 3: byte 0xe9 at offset 8 of the file is not valid UTF-8; expected UTF-8, or UTF-16 or ",
        ),
    ],
)
def test_a_line_in_another_encoding_is_named_and_the_others_are_read(kind: str, data: bytes, expected: str) -> None:
    entries, errors = read(data, kind)
    assert errors == [f"{expected}UTF-32 with a byte order mark; or name its encoding: --encoding cp1252"]
    assert [entry.question for entry in entries] == ["a", "d"]


@pytest.mark.parametrize("kind", ["json", "markdown", "html"])
def test_a_file_in_another_encoding_is_named(kind: str) -> None:
    entries, errors = read(b"# one\n# \xe9\n", kind)
    assert (entries, len(errors)) == ([], 1)
    assert errors[0].startswith("faq: line 2: byte 0xe9 at offset 8 of the file is not valid UTF-8; expected UTF-8")


@pytest.mark.parametrize(
    ("kind", "question", "place"),
    [
        ("text", "{}. Is it on?", "line 9"),
        ("markdown", "# {}. Is it on?", "line 9"),
        ("html", "<meta charset=utf-8><title>FAQ</title><h2>{}. Is it on?</h2>", "<h2> in line 9"),
    ],
)
def test_an_entry_with_a_byte_that_is_no_text_is_named_and_the_others_are_read(
    kind: str, question: str, place: str
) -> None:
    blocks = [f"{question.format(number)}\n\nYes: {number}.\n\n".encode() for number in range(1, 31)]
    blocks[2] = blocks[2].replace(b"Yes", b"Ou\xec")
    entries, errors = read(b"".join(blocks), kind)
    assert [entry.answer for entry in entries] == [f"Yes: {number}." for number in range(1, 31) if number != 3]
    [error] = errors
    assert error.startswith(
        f"faq, {place}: it holds a byte that is no text, one of those in line 11 of the file: byte "
    )
    assert error.endswith("or name its encoding: --encoding cp1252")
    # Two of sixty lines.
    _, errors = read(b"".join(blocks).replace(b"Yes: 4", b"\xec"), kind)
    assert len(errors) == 1
    assert errors[0].startswith("faq: line 11: byte 0xec")


@pytest.mark.parametrize("kind", ["csv", "html", "markdown", "rst", "text"])
def test_japanese_in_escape_sequences_is_no_utf_8(kind: str) -> None:
    text = "question,answer\nいつ,So.\n" if kind == "csv" else "FAQ\n\nいつ\n"
    *_, error = read(text.encode("iso-2022-jp"), kind)[1]
    assert "bytes of ISO-2022-JP at offset" in error
    assert error.endswith("; expected UTF-8; or name its encoding: --encoding iso-2022-jp")


def test_japanese_in_escape_sequences_is_read_in_its_encoding() -> None:
    data = "FAQ\n\nQ: いつ\nA: 九時\n".encode("iso-2022-jp")
    [entry] = iter_entries(ByteStream(data, meta={"file_name": "faq", "encoding": "iso-2022-jp"}), format="text")
    assert (entry.question, entry.answer) == ("いつ", "九時")


def test_utf_16_without_a_mark_and_unknown_encodings_are_named() -> None:
    data = SAME_FAQ["jsonl"].encode("utf-16-le")
    assert "NUL byte at offset 1 of the file; expected UTF-8" in read(data, "jsonl")[1][0]
    assert "line 1: NUL byte at offset 1 of the file; expected UTF-8" in read(data, "json")[1][0]
    truncated = SAME_FAQ["csv"].encode("utf-16")[:-1]
    entries, errors = read(truncated, "csv")
    assert [entry.question for entry in entries] == ["How?"]
    assert "not valid UTF-16" in errors[0]
    for kind in ("csv", "json"):
        # The last three are Python's, of bytes that are no text.
        for encoding in ("klingon", "a\0b", "hex", "rot13", "zlib"):
            stream = ByteStream(b"q,a", meta={"encoding": encoding})
            [error] = iter_entries(stream, format=kind)
            assert f"unknown encoding {encoding!r}; expected a name such as" in str(error)
        [error] = iter_entries(ByteStream(b"q,a", meta={"encoding": "undefined"}), format=kind)
        assert "undefined" in str(error)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("{", "line 1: expected one JSON object, but at column 2 it is not JSON: Expecting property name"),
        ("[1]", "line 1: expected a JSON object, found an array"),
        ("7", "line 1: expected a JSON object, found a number"),
        ('{"q": "x"}', "line 1, field 'answer': missing or empty (question: 'x'); expected the answer's text"),
        ('{"q": "x", "a": " \\n"}', "line 1, field 'answer': missing or empty (question: 'x')"),
        ('{"q": "x", "answer": null, "a": "y"}', "line 1, field 'answer': missing or empty"),
        ('{"q": "x", "a": ["y"]}', "line 1, field 'a': expected text, found an array"),
        ('{"q": {"x": 1}, "a": "y"}', "line 1, field 'q': expected text, found an object"),
        ('{"id": true, "q": "x", "a": "y"}', "line 1, field 'id': expected text, found true or false"),
        ('{"a": "y"}', "line 1, field 'question': missing or empty; expected the question's text"),
        ('{"id": "1", "q": "", "a": "y"}', "line 1, field 'question': missing or empty"),
        (
            '{"q": "x", "a": "\\ud800"}',
            "line 1, field 'a': it holds half of a surrogate pair: \\ud800",
        ),
        ("[" * 100_000, "line 1: expected one JSON object, but it is nested too deeply"),
        ('{"q": "x", "a": "y", "n": 1e999}', "line 1, field 'n': it holds NaN, or a number beyond 1.8e308"),
        ('{"q": "x", "a": "y", "n": [-1e999]}', "line 1, field 'n': it holds NaN, or a number beyond 1.8e308"),
        ('{"q": "x", "a": "y", "n": NaN}', "line 1, field 'n': it holds NaN, or a number beyond 1.8e308"),
        (f'{{"q": "x", "a": "y", "n": {"9" * 310}}}', "line 1, field 'n': it holds NaN, or a number beyond 1.8e308"),
        (f'{{"q": "x", "a": "y", "n": {"9" * 5000}}}', "line 1, field 'n': it holds NaN, or a number beyond 1.8e308"),
        (f'{{"q": "x", "a": "y", "n": {"[" * 500}{"]" * 500}}}', "line 1, field 'n': it is nested more than 100 deep"),
        (
            '{"q": "x", "a": "y", "\\ud800": 1}',
            "line 1, field '\\ud800': it holds half of a surrogate pair: \\ud800",
        ),
        (
            f'{{"id": "{"é" * 513}", "q": "x", "a": "y"}}',
            "line 1, field 'entry_id': 'ééééééééééééééééééééééééé",
        ),
    ],
)
def test_a_broken_line_says_what_was_expected_and_stops_no_other(line: str, expected: str) -> None:
    entries, errors = read(f'{line}\n{{"q": "fine", "a": "yes"}}\n', "jsonl")
    assert [entry.question for entry in entries] == ["fine"]
    assert len(errors) == 1
    assert errors[0].startswith(f"faq, {expected}")
    assert "\n" not in errors[0]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ('[{"q": "x"', "faq, line 1: expected JSON, but at column 11 it is not: "),
        ('"text"', "faq: expected objects with 'question' and 'answer' (or 'q' and 'a'); found a string. If"),
        ('{"x": [], "y": []}', "faq: expected objects with 'question' and 'answer' (or 'q' and 'a'); found an object"),
        ("[7]", "faq, item 1: expected an object, found a number"),
        ('[{"q": "x"}]', "faq, item 1, field 'answer': missing or empty (question: 'x')"),
    ],
)
def test_broken_json(data: str, expected: str) -> None:
    entries, errors = read(data, "json")
    assert (entries, len(errors)) == ([], 1)
    assert errors[0].startswith(expected)


def test_one_item_that_cannot_be_stored_stops_no_other() -> None:
    fine = '{"q": "fine", "a": "yes"}'
    for broken in ('{"q": "x", "a": "\\ud83d"}', f'{{"q": "x", "a": "y", "n": {"9" * 5000}}}', '{"q": "x", "n": NaN}'):
        entries, errors = read(f"[{broken}, {fine}]", "json")
        assert [entry.question for entry in entries] == ["fine"]
        assert len(errors) == 1
        assert errors[0].startswith("faq, item 1, field ")


def test_an_id_is_as_long_as_stores_take_it() -> None:
    longest = "é" * 512
    assert read(json.dumps({"id": longest, "q": "x", "a": "y"}), "jsonl")[0][0].entry_id == longest
    entries, [error] = read(json.dumps({"id": f"{longest}x", "q": "x", "a": "y"}), "jsonl")
    assert entries == []
    assert error.startswith("faq, line 1, field 'entry_id': ")
    assert error.endswith(" has 1,025 bytes; expected at most 1,024")


def test_lines_of_answers_end_as_in_unix_and_ids_stay_as_they_are() -> None:
    texts = {
        "jsonl": json.dumps({"id": "a\r\nb", "q": "one\r\ntwo", "a": "one\r\ntwo\rthree"}),
        "json": json.dumps([{"id": "a\r\nb", "q": "one\r\ntwo", "a": "one\r\ntwo\rthree"}]),
        "csv": 'id,q,a\r\n"a\r\nb","one\r\ntwo","one\r\ntwo\rthree"\r\n',
    }
    for kind, text in texts.items():
        [entry], errors = read(text, kind)
        assert (entry.entry_id, entry.question, entry.answer) == ("a\r\nb", "one\ntwo", "one\ntwo\nthree"), kind
        assert errors == []
    # A question's id does not depend on how its lines end, or it would be another entry's now.
    assert entry_id_of("one\r\ntwo") == entry_id_of("one\ntwo")


def test_a_long_field_of_csv_is_read_and_a_quote_without_end_is_named() -> None:
    [entry], errors = read(f'q,a\nx,"{"y" * 200_000}"\n', "csv")
    assert (len(entry.answer), errors) == (200_000, [])
    entries, errors = read(f'q,a\n"x,{"y" * 2_000_000}\nfine,yes\n', "csv")
    assert [entry.question for entry in entries] == ["fine"]
    assert errors == [
        "faq, line 2: expected a row of fields, but one of them has more than 1,048,576 characters, or its quote is "
        "never closed"
    ]


@pytest.mark.parametrize("kind", ["jsonl", "json", "yaml", "csv", "tsv", "markdown", "html"])
@pytest.mark.parametrize("text", ["", "\n", "\ufeff"])
def test_a_source_without_an_entry_is_an_error(kind: str, text: str) -> None:
    entries, [error] = read(text, kind)
    assert entries == []
    assert error.startswith("faq")


def test_what_is_no_entry_is_said_of_an_array_and_a_header_too() -> None:
    message = "faq: there is no entry in it; expected at least one"
    assert [read("[]", "json")[1], read("q,a\n", "csv")[1], read("", "jsonl")[1]] == [[message]] * 3


def test_broken_rows_stop_no_other_row() -> None:
    rows = [
        "question,answer",
        "one,1",
        "two",
        '"three"x,3',
        "four,4",
        '"five,5',
        'six,"6',
        '6"',
        '"seven',
        "eight,8",
        "",
    ]
    entries, errors = read("\n".join(rows), "csv")
    assert [(entry.question, entry.answer) for entry in entries] == [
        ("one", "1"),
        ("four", "4"),
        ("six", "6\n6"),
        ("eight", "8"),
    ]
    assert [error.partition(":")[0] for error in errors] == ["faq, line 3", "faq, line 4", "faq, line 6", "faq, line 9"]
    assert errors[0] == "faq, line 3: expected 2 fields, as in the first line, found 1"
    assert "its quotes are wrong" in errors[1]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("Paying,By card.\n", "'answer' (or 'a') among them; found 'Paying', 'By card.'"),
        ("How?,So.,x\n", "'answer' (or 'a') among them; found 'How?', 'So.', 'x'"),
        ("question,answer,answer\n1,2,3\n", "the name of column 3 is 'answer' again"),
        ("question,,answer\n1,2,3\n", "the name of column 2 is empty"),
    ],
)
def test_a_first_line_without_field_names(data: str, expected: str) -> None:
    entries, errors = read(data, "csv")
    assert entries == []
    assert len(errors) == 1
    assert errors[0].startswith("faq, line 1: expected the first line to hold the field names")
    assert expected in errors[0]


def test_a_table_without_names_that_begins_with_a_question_and_its_answer() -> None:
    entries, errors = read("How do I pay?,By card.\nPaying twice,Call us.\n", "csv")
    assert [(entry.question, entry.answer) for entry in entries] == [
        ("How do I pay?", "By card."),
        ("Paying twice", "Call us."),
    ]
    assert errors == ["faq, line 1: it names no columns, and was read as a question with its answer"]
    [entry], [_] = read("How do I pay?,By card.,https://example.com/pay\n", "csv")
    assert entry.meta["source"] == "https://example.com/pay"


@pytest.mark.parametrize(
    "text",
    [
        "Title,Category,Article Body\nHow?,x,So.\n",
        "Name,Answer\nHow?,So.\n",
        "Questions,Answers\nHow?,So.\n",
        "Subject,Name,Answer\nHow?,Bob,So.\n",
        "Our questions,,\n,,\nQuestion,Answer,\nHow?,So.,\n",
    ],
)
def test_columns_of_titles_and_a_title_above_them(text: str) -> None:
    entries, errors = read(text, "csv")
    assert [(entry.question, entry.answer, errors) for entry in entries] == [("How?", "So.", [])]


@pytest.mark.parametrize("names", ["_question,_answer,_source_uri", "Question__c,Answer__c,UrlName"])
def test_names_of_exports_and_html_in_their_cells(names: str) -> None:
    text = f'{names}\nHow do I pay?,"<p>By card.</p><ul><li>Visa</li></ul>",x\nIf a < b?,a<b or <value>,y\n'
    entries, errors = read(text, "csv")
    assert [(entry.question, entry.answer) for entry in entries] == [
        ("How do I pay?", "By card.\n\n- Visa"),
        ("If a < b?", "a<b or <value>"),
    ]
    assert errors == []


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("What is the difference between <p> and <div>?", "What is the difference between <p> and <div>?"),
        ("Add <script>alert(1)</script> before </p>", "Add <script>alert(1)</script> before </p>"),
        ("if a<b and c>d then x<y", "if a<b and c>d then x<y"),
        ("Write `&lt;` for <.", "Write `&lt;` for <."),
        ("See C:\\*x\\_new and 2*3*4<br>or not", "See C:\\*x\\_new and 2*3*4<br>or not"),
        ("Write <b>text</b>.\n\n    if a:\n        b()", "Write <b>text</b>.\n\n    if a:\n        b()"),
        ("<p> is a paragraph.", "<p> is a paragraph."),
        ("<div>x</div>\n\n- more *md*", "<div>x</div>\n\n- more *md*"),
        ("<p></p>", "<p></p>"),
        ("R&amp;D", "R&amp;D"),
        ("<p>By card.</p><p>Or not.</p>", "By card.\n\nOr not."),
    ],
)
def test_cells_are_html_where_they_are_nothing_else(cell: str, expected: str) -> None:
    [entry], [] = read(f'question,answer\nHow?,"{cell}"\n', "csv")
    assert entry.answer == expected


def test_links_in_cells_are_relative_to_the_table() -> None:
    text = "question,answer\nHow?,\"<p><a href='/x'>So</a>.</p>\"\n"
    [entry], [] = read(text, "csv", meta={"source": "https://example.com/faq.csv"})
    assert "https://example.com/x" in entry.answer


def test_semicolons_and_own_ids() -> None:
    [entry], errors = read("id;question;answer\n 7 ;How?;So, or so.\n", "csv")
    assert (entry.entry_id, entry.answer, entry.meta, errors) == ("7", "So, or so.", {}, [])
    assert read('{"id": 7, "q": "How?", "a": "So."}', "jsonl")[0][0].entry_id == "7"
    [entry], _ = read('{"entry_id": "x", "id": 7, "q": "How?", "a": "So."}', "jsonl")
    assert (entry.entry_id, entry.meta) == ("x", {"id": 7})


@pytest.mark.parametrize("line", ["sep=|", '"sep=|"', "SEP=|\r"])
def test_the_separator_may_be_told_as_excel_wants_it(line: str) -> None:
    [entry], errors = read(f"{line}\nquestion|answer\nHow?|So, or so; or not.\n", "csv")
    assert (entry.question, entry.answer, errors) == ("How?", "So, or so; or not.", [])
    assert read(f"{line}\n", "csv")[0] == []


def test_a_corpus_without_questions_needs_ids() -> None:
    data = '{"id": 1, "a": "one"}\n{"a": "two"}\n{"q": "three?", "a": "three"}'
    entries, errors = read(data, "jsonl", require_question=False)
    assert [(entry.entry_id, entry.question) for entry in entries] == [("1", None), (entry_id_of("three?"), "three?")]
    assert errors == ["faq, line 2, field 'entry_id': missing or empty; an entry without a question needs its own id"]


def test_an_id_stays_when_the_answer_changes_or_the_entry_moves_or_the_file_is_renamed(tmp_path: Path) -> None:
    one = tmp_path / "one.md"
    one.write_text("# Loans\n## How?\nSo.\n## Why?\nThus.\n", encoding="utf-8")
    other = tmp_path / "other.markdown"
    other.write_text("intro\n\n# Loans\n\n## Why?\nThus!\n\n##  How? ##\nSo.\n", encoding="utf-8")
    ids = [{entry.question: entry.entry_id for entry in iter_entries(path)} for path in (one, other)]
    assert ids[0] == ids[1]
    # Pinned: a release that changes it would make every stored entry a new one.
    assert ids[0]["How?"] == entry_id_of("How?", ("Loans",)) == "89e0c2e68c88d6a7f1e5e527"


def test_the_same_question_twice_is_an_error_only_where_its_author_can_give_ids() -> None:
    entries, errors = read("# A\n## How?\n1\n# B\n## How?\n2\n## How?\n3\n", "markdown")
    assert [entry.answer for entry in entries] == ["1", "2", "3"]
    assert not errors
    entries, errors = read('{"q": "How?", "a": "1"}\n{"q": "How?", "a": "2"}', "jsonl")
    assert [entry.answer for entry in entries] == ["1"]
    assert errors == [
        "faq, line 2, field 'question': the question 'How?' comes twice; expected each question once there, or entries "
        "with ids of their own"
    ]
    _, errors = read('{"id": 1, "q": "x", "a": "y"}\n{"id": "1", "q": "z", "a": "y"}', "jsonl")
    assert errors == ["faq, line 2, field 'entry_id': the id '1' comes twice; expected each id once"]


def test_the_format_is_told_by_mime_type_or_name_or_argument(tmp_path: Path) -> None:
    data = b'{"q": "x", "a": "y"}\n'
    for stream in (
        ByteStream(data, mime_type="application/x-ndjson; charset=utf-8"),
        ByteStream(data, meta={"file_path": "/somewhere/FAQ.JSONL"}),
        ByteStream(data, meta={"name": "faq.ndjson"}),
    ):
        assert [entry.question for entry in iter_entries(stream)] == ["x"]
    path = tmp_path / "faq.data"
    path.write_bytes(data)
    assert [entry.question for entry in iter_entries(str(path), format="jsonl")] == ["x"]
    [error] = iter_entries(path)
    assert str(error) == (
        f"{path}: unknown format (a name with no known ending); expected one of {', '.join(FORMATS)}; "
        "say which with --format"
    )
    with pytest.raises(ValueError, match="unknown format 'sgml'; known: jsonl, json, yaml"):
        iter_entries(path, format="sgml")


def test_a_file_that_cannot_be_opened_is_an_error(tmp_path: Path) -> None:
    [missing] = iter_entries(tmp_path / "faq.csv")
    assert str(missing) == f"{tmp_path / 'faq.csv'}: cannot be read: No such file or directory"
    (tmp_path / "folder.md").mkdir()
    [folder] = iter_entries(tmp_path / "folder.md")
    assert "cannot be read" in str(folder)


def test_metadata_is_added_and_the_entrys_own_wins() -> None:
    entries, _ = read('{"q": "x", "a": "y", "topic": "own"}', "jsonl", meta={"topic": "given", "site": "s"})
    assert entries[0].meta == {"topic": "own", "site": "s"}


@pytest.mark.parametrize("kind", ["jsonl", "json", "yaml", "csv", "tsv", "markdown", "html"])
def test_no_bytes_whatever_raise(kind: str) -> None:
    draw = random.Random(5)
    markdown = "---\na: b\n---\n# How?\n- So\n\n| a |\n|---|\n| b |\n\n```\nx\n"
    html = (
        '<script type="application/ld+json">{"@graph": [{"@type": "Question", "name": "q", "acceptedAnswer": {}}]}'
        '</script><div itemscope itemtype="x/Question"><a itemprop="name" href=x>y</a></div><ul><li>x</ul>'
        "<details><summary>q</summary>a<dl><dt>q<dd>a</dl></details>"
    )
    text = {**SAME_FAQ, "markdown": markdown, "html": html}[kind]
    for _ in range(500):
        data = bytearray(text.encode(draw.choice(["utf-8", "utf-16"])))
        for _ in range(draw.randint(1, 8)):
            place = draw.randrange(len(data))
            data[place : place + draw.randint(0, 3)] = draw.choice(
                [b"", b'"', b"<", b">", b"{", b"]", b"\0", b"\xe9", b"\n", b"1"]
            )
        for item in iter_entries(ByteStream(bytes(data)), format=kind):
            if isinstance(item, Entry):
                assert item.question
                assert item.answer
            else:
                assert "\n" not in str(item)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["jsonl", "csv"])
def test_a_large_file_is_streamed(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"large.{kind}"
    answer = "so " * 1200
    with path.open("w", encoding="utf-8") as stream:
        if kind == "csv":
            stream.write("question,answer\n")
        for number in range(5_000):
            line = json.dumps({"q": f"q{number}", "a": answer}) if kind == "jsonl" else f"q{number},{answer}"
            stream.write(line + "\n")
    assert path.stat().st_size > 17e6
    tracemalloc.start()
    count = sum(isinstance(item, Entry) for item in iter_entries(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 5_000
    assert peak < 2e6  # 5,000 hashes of ids, and one entry
