# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
from io import BytesIO

import pytest

from answer_selection.indexing.formats import html
from answer_selection.indexing.formats.raw import RawEntry

ASKED = [("Is it hot?", "Yes, in summer."), ("Is it far?", "No.")]


def read(body: str, title: str = "Our FAQ") -> list[tuple[str, str]]:
    page = f"<title>{title}</title><h1>{title}</h1>{body}"
    items = html.read(BytesIO(page.encode()))
    return [(item.fields["question"], item.fields["answer"]) for item in items if isinstance(item, RawEntry)]


@pytest.mark.parametrize(
    "form",
    [
        "<p>{}</p><p>{}</p>",
        "<p>{}<br>{}</p>",
        "<p><font color=red>{}</font><br>{}</p>",
        "<p><big>{}</big></p><blockquote>{}</blockquote>",
        "<center>{}</center><p>{}</p>",
        "<div style='color: blue'>{}</div><div>{}</div>",
        "<div><div>{}</div><div>{}</div></div>",
        "<center>{}</center>{}",
        "<p><a name=here>{}</a><br>{}</p>",
        "<hr><p>{}</p>{}",
        "<!-- a --><p><!-- b -->{}</p><!-- c --><script>p('?')</script><p>{}</p>",
        "{}<br>{}<br><br>",
        "<a name=here></a>{}<br><br>{}<br>\n<br>",
    ],
)
def test_paragraphs_that_only_ask_are_questions_of_an_faq_without_others(form: str) -> None:
    assert read("".join(form.format(*pair) for pair in ASKED)) == ASKED
    assert read("".join(form.format(*pair) for pair in ASKED), "On the weather") in ([], ASKED[:0])


def test_contents_and_numbers_are_left_out() -> None:
    contents = "".join(f"<p>{question}</p>" for question, _ in ASKED)
    answered = "".join(f"<p>{number}. {q}</p><p>{a}</p>" for number, (q, a) in enumerate(ASKED, 1))
    assert read(answered) == ASKED
    assert read(contents + "<hr>" + answered.replace("1. ", "").replace("2. ", "")) == ASKED


@pytest.mark.parametrize(
    "body",
    [
        "<p>Is it hot?</p><p>Is it far?</p><p>Ask us.</p>",
        "<p>Is it hot?</p><p>Yes.</p><p>Is it far?</p>",
        "<p>Is it hot?</p><p>Yes.</p>",
        "<p>Is it hot? It is.</p><p>Yes.</p><p>Is it far? It is.</p><p>No.</p>",
        "<form><p>Is it hot?</p><input><p>Is it far?</p><input></form><p>Thanks.</p>",
        "<p><a href=a.html>Is it hot?</a></p><p>Yes.</p><p><a href=b.html>Is it far?</a></p><p>No.</p>",
    ],
)
def test_where_one_has_no_answer_there_are_no_questions(body: str) -> None:
    assert read(body) == []


def test_headings_above_them_are_sections() -> None:
    body = "<h2>Weather</h2><p>Is it hot?</p><p>Yes.</p><h2>Ways</h2><div><p>Is it far?</p><p>No.</p></div>"
    items = list(html.read(BytesIO(f"<title>FAQ</title><h1>FAQ</h1><p>Of us.</p>{body}".encode())))
    assert [(item.fields["question"], item.headings) for item in items if isinstance(item, RawEntry)] == [
        ("Is it hot?", ("FAQ", "Weather")),
        ("Is it far?", ("FAQ", "Ways")),
    ]
    # A text below a heading that does not begin with a question is its own.
    assert [question for question, _ in read(body.replace("<p>Is it far", "<p>By foot.</p><p>Is it far"))] == [
        "Weather",
        "Ways",
    ]


@pytest.mark.parametrize(("title", "heading"), [("Our FAQ", "It does not print"), ("Troubleshooting FAQ", "Printing")])
def test_what_an_answer_asks_its_reader_is_no_question(title: str, heading: str) -> None:
    body = "<h2>{}</h2><p>Is the light on?</p><p>Then press it.</p><h2>Scans</h2><p>Is it on?</p><p>Wait.</p>"
    assert [question for question, _ in read(body.format(heading), title)] == [heading, "Scans"]


def test_lines_of_an_answer_stay_together() -> None:
    body = "Is it hot?<br><br>Yes,<br><i>very</i>.<hr>Really.<br><br>Is it far?<br>No."
    assert read(body) == [("Is it hot?", "Yes,\nvery.\n\nReally."), ("Is it far?", "No.")]


def test_other_forms_come_first() -> None:
    body = "<h2>Is it cold?</h2><p>Never.</p>" + "".join(f"<p>{q}</p><p>{a}</p>" for q, a in ASKED)
    assert [question for question, _ in read(body)] == ["Is it cold?"]
