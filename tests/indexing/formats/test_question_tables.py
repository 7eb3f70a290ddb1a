# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
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


@pytest.mark.parametrize(
    "names", ["<th>Question<th>Answer<th>Answer", "<th>Question<th>Score", "<th>Option<th>Answer", "<th>Answer"]
)
def test_other_tables_stay_in_the_answer(names: str) -> None:
    page = f"""<title>FAQ</title><h1>FAQ</h1><h2>What is it?</h2>
    <table><tr>{names}</tr><tr><td>Is it a?</td><td>b</td><td>c</td></tr></table>"""
    [(question, answer, _)] = found(html, page)
    assert question == "What is it?"
    assert answer.endswith("Is it a? | b | c")
