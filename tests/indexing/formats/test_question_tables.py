# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import re
from io import BytesIO

import pytest

from answer_selection.indexing.formats import html, markdown
from answer_selection.indexing.formats.raw import RawEntry


def found(format_: object, text: str) -> list[tuple[str, str, tuple[str, ...]]]:
    items = list(format_.read(BytesIO(text.encode())))  # type: ignore[attr-defined]
    assert all(isinstance(item, RawEntry) for item in items), items
    return [(item.fields["question"], item.fields["answer"], item.headings) for item in items]


def test_columns_are_found_by_their_names() -> None:
    table = """# Money

| No. | Question | Answer | Owner |
|---|---|---|---|
| 1 | How do I pay? | [Online](https://x.example). | Ann |
| 2 | Refunds | Within `30` days. | |
"""
    assert found(markdown, table) == [
        ("How do I pay?", "Online (https://x.example).\n\nOwner: Ann", ("Money",)),
        ("Refunds", "Within 30 days.", ("Money",)),
    ]


def test_a_row_of_one_cell_is_a_heading_and_an_empty_cell_goes_on() -> None:
    page = """<title>Fragen</title><h1>Fragen</h1><table><tr><th>Frage<th>Antwort</tr>
    <tr><td colspan="2">Geld</td></tr>
    <tr><td>Wie teuer?</td><td>F\u00fcnf.</td></tr><tr><td></td><td>Oder sechs.</td></tr>
    <tr><td colspan="2">Zeit</td></tr><tr><td>Wann?</td><td>Jetzt.</td></tr></table>"""
    assert found(html, page) == [
        ("Wie teuer?", "F\u00fcnf.\n\nOder sechs.", ("Fragen", "Geld")),
        ("Wann?", "Jetzt.", ("Fragen", "Zeit")),
    ]


TABLE = "<table><tr><th>Question<th>Answer<th>{}</tr><tr id=pay><td>How do I pay?<td>By card.<td>{}</tr>{}</table>"


@pytest.mark.parametrize(
    ("name", "value", "answer"),
    [
        ("No.", "7", "By card."),
        ("#", "7", "By card."),
        ("Fee", "9.99", "By card.\n\nFee: 9.99"),
        ("Fee", "", "By card."),
    ],
)
def test_other_columns_are_told_but_for_numbers_of_rows(name: str, value: str, answer: str) -> None:
    assert found(html, f"<title>FAQ</title><h1>FAQ</h1>{TABLE.format(name, value, '')}") == [
        ("How do I pay?", answer, ("FAQ",))
    ]


def test_a_row_keeps_its_anchor_and_a_remark_is_no_heading() -> None:
    more = "<tr><td colspan=3>All with tax.</tr><tr><td>Can I?<td>Yes.<td></tr>"
    items = list(html.read(BytesIO(f"<title>FAQ</title><h1>FAQ</h1>{TABLE.format('No.', 1, more)}".encode())))
    assert [(item.fields["question"], item.fields.get("anchor"), item.headings) for item in items] == [
        ("How do I pay?", "pay", ("FAQ",)),
        ("Can I?", None, ("FAQ",)),
    ]


@pytest.mark.parametrize(
    "table",
    [
        "<tr><th>Question<th>Answer<th>Answer</tr><tr><td>Is it a?<td>b<td>c</tr>",
        "<tr><th>Question<th>Score</tr><tr><td>Is it a?<td>b</tr>",
        "<tr><th>Option<th>Answer</tr><tr><td>Is it a?<td>b</tr>",
        "<tr><th>A<th>B<th>Q</tr><tr><td>Is it?<td>1<td>1</tr>",
        "<tr><th>User<th>Questions<th>Answers</tr><tr><td>Ann<td>12<td>340</tr>",
        "<tr><th>Question<th>Answer</tr><tr><td rowspan=2>Is it a?<td>b</tr><tr><td>c</tr>",
        "<tr><th>Question<th colspan=2>Answer</tr><tr><td>Is it a?<td>b<td>c</tr>",
        "<tr><th>Question<th>A<th>B<th>Correct</tr><tr><td>Is it a?<td>b<td>c<td>B</tr>",
        "<tr><th>Answer</tr><tr><td>b</tr>",
        "",
        "<tr></tr><tr></tr>",
    ],
)
def test_other_tables_stay_as_they_are(table: str) -> None:
    page = f"<title>Tables</title><h1>Tables</h1><h2>Why do we have it?</h2><p>So:</p><table>{table}</table>"
    topic = page.replace("Why do we have it?", "About").replace("<title>Tables", "<title>FAQ")
    for text in (page, topic):
        [(_, answer, _)] = found(html, text)
        cells = [cell for cell in re.split("<[^>]*>", table) if cell]
        assert all(cell in answer for cell in cells)


def test_a_table_below_a_question_is_a_part_of_the_answer() -> None:
    page = f"<title>FAQ</title><h1>FAQ</h1><h2>What will it ask?</h2>{TABLE.format('No.', 1, '')}"
    assert found(html, page) == [
        ("What will it ask?", "Question | Answer | No.\nHow do I pay? | By card. | 1", ("FAQ",))
    ]
    text = "# FAQ\n## What will it ask?\n\n| Question | Answer |\n|---|---|\n| Enable SSL? | y |\n"
    assert found(markdown, text) == [("What will it ask?", "Question | Answer\nEnable SSL? | y", ("FAQ",))]


@pytest.mark.parametrize(("q", "a"), [("Question:", "Answer:"), ("Q.", "A."), ("<b>Q1</b>", "<b>A1</b>")])
def test_rows_that_begin_with_a_cell_q_and_a_by_turns_are_pairs(q: str, a: str) -> None:
    row = "<tr><td>{}</td><td>{}</td></tr>"
    rows = [
        row.format(q, "Can I pay?"),
        row.format(a, "<p>Yes.</p><p>By card.</p>"),
        row.format(q, "Later?"),
        row.format(a, "No."),
    ]
    page = f"<title>FAQ</title><h1>FAQ</h1><table>{''.join(rows)}</table>"
    assert found(html, page) == [("Can I pay?", "Yes.\n\nBy card.", ("FAQ",)), ("Later?", "No.", ("FAQ",))]


def test_a_number_may_stand_before_the_marks_of_a_table() -> None:
    row = "<table><tr><td>{0}<td><span id=q{0}>Q:</span><td>{1}</tr><tr><td><td>A:<td>{2}</tr></table>"
    page = "<title>Questions &amp; Answers</title><h1>Questions &amp; Answers</h1>"
    page += row.format(1, "It is dark", "Light it.") + row.format(2, "Is it free?", "Yes.")
    items = list(html.read(BytesIO(page.encode())))
    assert [(item.fields["question"], item.fields["answer"], item.fields["anchor"]) for item in items] == [
        ("It is dark", "Light it.", "q1"),
        ("Is it free?", "Yes.", "q2"),
    ]


def test_a_table_of_problems_and_solutions_need_not_ask() -> None:
    page = """<title>Troubleshooting</title><h1>Troubleshooting</h1><table>
    <tr><th>Problem</th><th>Cause</th><th>Solution</th></tr>
    <tr><td>The cake does not rise</td><td>No yeast</td><td>Add some.</td></tr>
    <tr><td>Cold oven</td><td>No power</td><td>Plug it in.</td></tr></table>"""
    assert [pair[:2] for pair in found(html, page)] == [
        ("The cake does not rise", "Add some.\n\nCause: No yeast"),
        ("Cold oven", "Plug it in.\n\nCause: No power"),
    ]


def test_rows_of_marks_may_have_titles_between() -> None:
    row = "<tr><td>{}:</td><td>{}</td></tr>"
    empty = "<tr><td colspan=2>&nbsp;</td></tr>"
    page = f"""<title>FAQ</title><table>{empty}<tr><td colspan=2><b>Namen</b><td></tr>{empty}
    {row.format("Frage", "Ist er weg?")}{row.format("Antwort", "Nein.")}{empty}
    <tr><td colspan=2>Chat</td></tr>{row.format("Frage", "Geht er?")}{row.format("Antwort", "Ja.")}</table>"""
    assert found(html, page) == [("Ist er weg?", "Nein.", ("Namen",)), ("Geht er?", "Ja.", ("Chat",))]


def test_a_column_of_issues_beside_questions_is_told() -> None:
    page = """<title>FAQ</title><table><tr><th>Issue</th><th>Question</th><th>Answer</th></tr>
    <tr><td>Billing</td><td>How do I pay?</td><td>By card.</td></tr>
    <tr><td>Login</td><td>How?</td><td>By name.</td></tr></table>"""
    assert [pair[:2] for pair in found(html, page)] == [
        ("How do I pay?", "By card.\n\nIssue: Billing"),
        ("How?", "By name.\n\nIssue: Login"),
    ]


@pytest.mark.parametrize(
    "row", ["<tr>Payment</tr>", "<tr><td>1</td><td></td><td></td></tr>", "<tr><td></td><td>More</td></tr>"]
)
def test_rows_that_are_neither_titles_nor_marked_do_no_harm(row: str) -> None:
    page = f"""<title>FAQ</title><table>{row}<tr><td>Q:</td><td>How do I pay?</td></tr>
    <tr><td>A:</td><td>By card.</td></tr></table>"""
    list(html.read(BytesIO(page.encode())))
