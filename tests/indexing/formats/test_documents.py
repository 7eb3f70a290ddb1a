# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""PDF, DOCX, PPTX and XLSX: what the extra `documents` is for."""

import sys
from datetime import date, datetime

import pytest
from haystack.dataclasses import ByteStream
from pdfminer.layout import LTTextBoxHorizontal, LTTextLineHorizontal

import office_files
from answer_selection.indexing.entries import Entry, iter_entries
from answer_selection.indexing.formats import pdf

# Excel knows no time zones.
MIDNIGHT = datetime(2026, 1, 31)  # noqa: DTZ001


def read(kind: str, data: bytes, **options) -> tuple[list[Entry], list[str]]:
    items = list(iter_entries(ByteStream(data, meta={"file_name": f"faq.{kind}"}), **options))
    return [item for item in items if isinstance(item, Entry)], [str(i) for i in items if not isinstance(i, Entry)]


def test_headings_of_a_docx_are_questions():
    link = '<w:p><w:r><w:t>See </w:t></w:r><w:hyperlink r:id="l1"><w:r><w:t>rates</w:t></w:r></w:hyperlink></w:p>'
    cell = "<w:tc><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:tc>"
    row = f"<w:tr>{cell}{cell}</w:tr>"
    data = office_files.docx(
        [
            ("Heading1", "Cards"),
            ("Heading2", "I lost my card, what now?"),
            ("", "Any desk *replaces* it."),
            ("", "# 1 is the main desk."),
            ("", link),
            ("Heading2", "What does it cost?"),
            ("", f"<w:tbl>{row.format('adult', '$3')}{row.format('child', '$1')}</w:tbl>"),
        ]
    )
    entries, errors = read("docx", data, meta={"source": "https://x.org/help/cards.docx"})
    assert errors == []
    assert [(entry.question, entry.meta["headings"]) for entry in entries] == [
        ("I lost my card, what now?", ["Cards"]),
        ("What does it cost?", ["Cards"]),
    ]
    assert entries[0].answer == (
        "Any desk *replaces* it.\n\n# 1 is the main desk.\n\nSee rates (https://x.org/help/rates.html)"
    )
    assert "adult | $3" in entries[1].answer


def test_titles_of_slides_are_questions():
    renewals = [("How do I renew?", "Online.\nOr by phone."), ("How do I renew?", "At a desk.")]
    slides = [("Welcome", ""), *renewals, ("", "x")]
    entries, errors = read("pptx", office_files.pptx_file(slides))
    assert errors == []
    assert [(entry.question, entry.answer) for entry in entries] == [
        ("How do I renew?", "Online.\nOr by phone.\n\nAt a desk.")
    ]
    assert read("pptx", office_files.pptx_file(slides[:1]))[1] == [
        "faq.pptx: expected slides with a title and a text; found none"
    ]


def test_sheets_with_answers_are_tables():
    sheets = {
        "About": [["This file", "is for the desk"]],
        "FAQ": [
            [],
            ["Nr", "Anliegen", "Auskunft", "Stand", None],
            [7.0, "Wo?", "Hinten,\nlinks.", MIDNIGHT, None],
            [None, None, None, None, None],
            [8, "Wann?", None, date(2026, 1, 31), None],
            [9, "Wie viel?", 2.5, None, "too much"],
        ],
    }
    columns = {"id": "Nr", "question": "Anliegen", "answer": "Auskunft"}
    entries, errors = read("xlsx", office_files.xlsx(sheets), columns=columns)
    assert [(entry.entry_id, entry.question, entry.answer, entry.meta) for entry in entries] == [
        ("7", "Wo?", "Hinten,\nlinks.", {"Stand": "2026-01-31"})
    ]
    assert [error.partition(": ")[0] for error in errors] == [
        "faq.xlsx, sheet 'FAQ', row 5, field 'answer'",
        "faq.xlsx, sheet 'FAQ', row 6",
    ]
    entries, errors = read("xlsx", office_files.xlsx(sheets))
    assert entries == []
    assert [error.partition(": ")[0] for error in errors] == [
        "faq.xlsx, sheet 'About', row 1",
        "faq.xlsx, sheet 'FAQ', row 2",
    ]
    assert "found 'Nr', 'Anliegen', 'Auskunft', 'Stand'. Say which of them it is: --columns" in errors[1]
    _, [error] = read("xlsx", office_files.xlsx({"Empty": []}))
    assert error == "faq.xlsx: there is no entry in it; expected at least one"


def test_a_title_may_stand_above_a_sheets_names_and_other_tables_are_named():
    table = [["Question", "Answer"], ["Is it hot?", "Yes."]]
    sheets = {
        "Heat": [["Our FAQ", None], [], *table],
        "Notes": [["For the desk only."], ["Ask Ada."]],
        "Desks": [["Desk", "Phone"], ["Main", "12"]],
        "Doors": [["question", "answer"], ["Is it shut?", "No."]],
    }
    entries, errors = read("xlsx", office_files.xlsx(sheets))
    assert [(entry.question, entry.answer) for entry in entries] == [("Is it hot?", "Yes."), ("Is it shut?", "No.")]
    assert errors == ["faq.xlsx, sheet 'Desks': passed over, as no row at the top names the column of answers"]


def test_neither_blanks_nor_data_are_the_names_of_columns():
    table = [["Question", "Answer"], ["Is it hot?", "Yes."]]
    grades = [["Student", "Grade"], ["Bob", "A"], ["Eve", "B"]]
    sheets = {"FAQ": [[" ", None], *table], "Blank": [[" "]], "Grades": grades, "Units": [["Units"], ["A", "Ampere"]]}
    entries, errors = read("xlsx", office_files.xlsx(sheets))
    assert [(entry.question, entry.answer) for entry in entries] == [("Is it hot?", "Yes.")]
    assert [error.partition(": ")[0] for error in errors] == ["faq.xlsx, sheets 'Grades', 'Units'"]
    _, errors = read("xlsx", office_files.xlsx({"Grades": grades}))
    assert "found 'Student', 'Grade'. Say which of them it is: --columns" in errors[0]


def test_large_and_bold_lines_of_a_pdf_are_questions_and_lead_to_their_page():
    text = ("Helvetica", 10)
    pages = [
        [
            ("Helvetica-Bold", 20, "Library"),
            (*text, "Everything about us."),
            ("Helvetica-Bold", 14, "Cards"),
            ("Helvetica-Bold", 10, "I lost my card, what now?"),
            (*text, "Any desk replaces it (for $3)."),
            (*text, "Bring a photo."),
            (*text, "1"),
        ],
        [
            ("Helvetica-Bold", 10, "Can I have two?"),
            (*text, "No, one is enough for all of our houses."),
            ("Helvetica-Bold", 14, "Rooms"),
            (*text, "Ask at the desk."),
        ],
    ]
    entries, errors = read("pdf", office_files.pdf(pages))
    assert errors == []
    assert [(entry.question, entry.answer, entry.meta["anchor"], entry.meta.get("headings")) for entry in entries] == [
        ("Library", "Everything about us.", "page=1", None),
        (
            "I lost my card, what now?",
            "Any desk replaces it (for $3).\n\nBring a photo.",
            "page=1",
            ["Library", "Cards"],
        ),
        ("Can I have two?", "No, one is enough for all of our houses.", "page=2", ["Library", "Cards"]),
        ("Rooms", "Ask at the desk.", "page=2", ["Library"]),
    ]


def test_headers_and_footers_of_a_pdf_are_no_text_of_it():
    text = ("Helvetica", 10)
    pages = [
        [
            ("Helvetica-Bold", 10, "Our handbook"),
            *([("Helvetica-Bold", 12, f"Question {number}?")] if number != 3 else []),
            (*text, f"Answer {number}, and some more of it."),
            (*text, f"Print of May, {number} of 4"),
        ]
        for number in range(1, 5)
    ]
    entries, errors = read("pdf", office_files.pdf(pages))
    assert errors == []
    assert [(entry.question, entry.answer) for entry in entries] == [
        ("Question 1?", "Answer 1, and some more of it."),
        ("Question 2?", "Answer 2, and some more of it.\n\nAnswer 3, and some more of it."),
        ("Question 4?", "Answer 4, and some more of it."),
    ]


def test_the_foot_of_two_pages_is_no_text_of_them():
    pages = [
        [
            ("Helvetica-Bold", 12, f"Why {number}?"),
            ("Helvetica", 10, f"As it is {number}, and so."),
            ("Helvetica", 10, "ACME 2026"),
        ]
        for number in (1, 2)
    ]
    entries, _ = read("pdf", office_files.pdf(pages))
    assert [(entry.question, entry.answer) for entry in entries] == [
        ("Why 1?", "As it is 1, and so."),
        ("Why 2?", "As it is 2, and so."),
    ]


def test_a_pdf_as_tex_sets_it_is_read_without_numbers_contents_and_places_of_glyphs():
    text, title = ("Helvetica", 10), ("Helvetica-Bold", 10)
    pages = [
        [
            ("Helvetica-Bold", 14, "Contents"),
            (*title, "1 General"),
            (*text, "1.1 What is it? . . . 1"),
            ("Helvetica-Bold", 14, "General"),
            (*title, "1.1"),
            (*title, "What is the di(cid:27)erence between one of the"),
            (*title, "two and all the others?"),
            (*text, "None. It is (cid:28)ne, and no sym-"),
            (*text, "bols are well- and ill-known."),
            (*title, "1.2 Is it free?"),
            (*text, f"Yes, {'as it is for all, ' * 4}now."),
            (*title, "1.3"),
            (*title, "Is it far?"),
            (*text, "No."),
        ]
    ]
    entries, errors = read("pdf", office_files.pdf(pages, gap=1.56))
    assert errors == []
    assert [(entry.question, " ".join(entry.answer.split()), entry.meta["headings"]) for entry in entries] == [
        (
            "What is the difference between one of the two and all the others?",
            "None. It is fine, and no sym- bols are well- and ill-known.",
            ["General"],
        ),
        ("Is it free?", f"Yes, {'as it is for all, ' * 4}now.", ["General"]),
        ("Is it far?", "No.", ["General"]),
    ]


def test_words_that_a_lines_end_breaks_are_whole_again():
    pages = [
        [
            ("Helvetica-Bold", 10, "Is it?"),
            ("Helvetica", 10, "No sym-"),
            ("Helvetica", 10, "bols are well-"),
            ("Helvetica", 10, "and ill-known."),
        ]
    ]
    [entry], _ = read("pdf", office_files.pdf(pages, gap=1.2))
    assert entry.answer == "No symbols are well- and ill-known."


def test_cells_of_a_row_of_a_pdf_are_read_from_left_to_right():
    """Where pdfminer finds several as near as each other, their places in memory decide."""

    def box(x, y, lines=1):
        made = LTTextBoxHorizontal()
        made.set_bbox((x, y, x + 30, y + 10 * lines))
        made._objs = [LTTextLineHorizontal(0.1)] * lines
        return made

    high, opened, low = box(100, 500), box(50, 501), box(150, 499)
    left, right = box(0, 300, 3), box(200, 300, 3)
    below = box(0, 200)
    # Columns stay as they were found.
    assert list(pdf._in_rows([high, opened, low, right, left, below])) == [opened, high, low, right, left, below]


def test_a_pdf_without_headings_or_text_says_so():
    same = [[("Helvetica", 10, "One line."), ("Helvetica", 10, "Another line.")]]
    assert "expected headings in larger or bold letters" in read("pdf", office_files.pdf(same))[1][0]
    assert "are its pages pictures?" in read("pdf", office_files.pdf([[]]))[1][0]


@pytest.mark.parametrize("kind", ["pdf", "docx", "pptx", "xlsx"])
@pytest.mark.parametrize("data", [b"", b"no such file", b"PK\x03\x04 cut off", b"%PDF-1.4\n%%EOF"])
def test_what_is_no_such_file_is_an_error(kind, data):
    entries, [error] = read(kind, data)
    assert entries == []
    assert error.startswith(f"faq.{kind}: ")
    assert "\n" not in error


@pytest.mark.parametrize(
    ("kind", "package"), [("pdf", "pdfminer"), ("docx", "mammoth"), ("pptx", "pptx"), ("xlsx", "openpyxl")]
)
def test_without_the_extra_the_error_says_what_to_install(monkeypatch, kind, package):
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, f"answer_selection.indexing.formats.{kind}", raising=False)
    _, [error] = read(kind, b"")
    assert error.startswith(f"faq.{kind}: {kind.upper()} needs more packages: pip install '.[documents]' (")
