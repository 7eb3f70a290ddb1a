# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Questions that repeat: elements of one make, each with a line and what it opens, and no name that ties them."""

import time
from io import BytesIO

import pytest

from answer_selection.indexing.formats.html import read
from answer_selection.indexing.formats.raw import RawEntry

QUESTIONS = ["How do I pay?", "I cannot log in", "Why is it slow?"]


def pairs(html: str) -> list[tuple[str, str]]:
    items = list(read(BytesIO(html.encode())))
    return [(item.fields["question"], item.fields["answer"]) for item in items if isinstance(item, RawEntry)]


def page(item: str, around: str = "{}", title: str = "FAQ") -> str:
    items = "".join(item.format(q=q, a=f"<p>Answer {i}.</p><p>More.</p>", i=i) for i, q in enumerate(QUESTIONS))
    return f"<title>{title}</title><body><h1>{title}</h1>{around.format(items)}<div><p>Bye.</p></div></body>"


WHOLE = [(question, f"Answer {i}.\n\nMore.") for i, question in enumerate(QUESTIONS)]


@pytest.mark.parametrize(
    ("item", "around"),
    [
        # A check box that opens what follows its label.
        (
            '<div class="tab"><input type="checkbox" id="c{i}"><label for="c{i}">{q}</label>'
            '<div class="x">{a}</div></div>',
            "<div>{}</div>",
        ),
        # A button without a target, alone or around the line.
        ('<div><button aria-expanded="false"><span>{q}</span><svg></svg></button><div>{a}</div></div>', "{}"),
        ('<button class="accordion">{q}</button><div class="panel">{a}</div>', "{}"),
        (
            '<div class="pane"><div class="wrap"><button class="accordion-t"><span>{q}</span></button></div>'
            "<div>{a}</div></div>",
            "<div>{}</div>",
        ),
        # A number and a sign beside the line, and a word for who hears the page.
        (
            '<div class="faq-item"><div class="faq-header"><span>0{i}</span><p>{q}</p><i>+</i>'
            '<b class="sr-only">Expand</b></div><div>{a}</div></div>',
            "{}",
        ),
        # "Q" and "A" beside them.
        (
            '<div class="qa"><div><span>Q</span><span>{q}</span></div><div><span>A</span><div>{a}</div></div></div>',
            "<div>{}</div>",
        ),
        # Rows, cells, list items, admonitions.
        (
            '<div class="row"><div class="field f1"><span>{q}</span></div><div class="field f2">{a}</div></div>',
            "<div>{}</div>",
        ),
        ('<li class="it"><div class="h"><div>{q}</div></div><div class="b">{a}</div></li>', "<ul>{}</ul>"),
        ('<div class="admonition"><p class="admonition-title">{q}</p>{a}</div>', "<div>{}</div>"),
        # Lines and panels that take turns in an accordion.
        (
            '<div class="title"><i></i>{q}</div><div class="content">{a}</div>',
            '<div class="ui accordion">{}</div>',
        ),
        # A heading in an accordion: the answer ends where its element does.
        (
            '<div class="accordion-item"><div class="head"><h3>{q}</h3></div><div>{a}</div></div>',
            '<div class="accordion">{}</div><p>After.</p>',
        ),
        # A menu that a builder of sites makes an accordion of.
        (
            '<div class="w"><div id="t{i}" aria-controls="l{i}" role="button">{q}</div>'
            '<nav id="l{i}" aria-labelledby="t{i}">{a}</nav></div>',
            "{}",
        ),
        # Tabs whose panels follow them.
        ('<section><p role="tab" aria-controls="p{i}">{q}</p><div id="p{i}">{a}</div></section>', "{}"),
    ],
)
def test_each_make(item: str, around: str) -> None:
    assert pairs(page(item, around)) == WHOLE


@pytest.mark.parametrize("address", ["#0", "https://shop.example/faq/#0", "/faq#", "https://shop.example/#/faq#!"])
def test_a_link_that_leads_nowhere_opens_what_follows(address: str) -> None:
    item = f'<li><a href="{address}">{{q}}</a><div>{{a}}</div></li>'
    assert pairs(page(item, "<ul>{}</ul>")) == WHOLE


def test_a_button_whose_script_names_what_follows_opens_it() -> None:
    item = (
        """<button onclick="toggle('a{i}', 1)" class="w3-button">{q}</button><div id="a{i}" class="w3-hide">{a}</div>"""
    )
    assert pairs(page(item)) == WHOLE
    other = """<button onclick="toggle('menu')">{q}</button><div id="a{i}">{a}</div>"""
    assert "I cannot log in" not in dict(pairs(page(other)))


@pytest.mark.parametrize("opener", ['<button data-bs-target="#two"', '<a data-toggle="collapse" href="#two"'])
def test_what_a_script_opens_counts_more_than_what_is_said_to_be_controlled(opener: str) -> None:
    page = (
        '<title>FAQ</title><button aria-controls="one" data-bs-target="#one">Where?</button><div id="one">Here.</div>'
        f'{opener} aria-controls="one">When?</a></button><div id="two">Now.</div>'
    )
    assert pairs(page) == [("Where?", "Here."), ("When?", "Now.")]


def test_a_button_that_begins_an_item_is_a_question_whatever_it_says() -> None:
    assert pairs(page('<div class="faq-item"><button>{q}</button><div>{a}</div></div>')) == WHOLE


def test_tables_of_two_columns() -> None:
    rows = "".join(f"<tr><td>{question}</td><td>So {i}.</td></tr>" for i, question in enumerate(QUESTIONS))
    html = f"<title>FAQ</title><h1>FAQ</h1><table><tr><th>Question</th><th>Answer</th></tr>{rows}</table>"
    assert pairs(html) == [(question, f"So {i}.") for i, question in enumerate(QUESTIONS)]


@pytest.mark.parametrize(
    "body",
    [
        # A forum's topics, cards that lead elsewhere, fields to fill in, tabs of a product.
        '<div class="row"><div>Who knows love?</div><div>bob, 3 replies</div></div>' * 3,
        '<div class="card"><a href="/a"><h3>How do I pay?</h3><p>Learn how.</p></a></div>' * 3,
        '<article><h2><a href="/p">Why is it slow?</a></h2><p>We explain.</p></article>' * 3,
        '<div><label for="i">What is your name?</label><div><p>Type it.</p><input id="i"></div></div>' * 3,
        '<div class="t"><div class="tt">Description</div><div><p>A chair.</p></div></div>' * 3,
    ],
)
def test_what_repeats_elsewhere_is_no_question(body: str) -> None:
    assert pairs(f"<title>Shop</title><h1>Shop</h1>{body}") == []


def test_an_accordion_asks_on_any_page() -> None:
    item = '<div class="accordion-item"><div class="t">{q}</div><div class="c">{a}</div></div>'
    assert pairs(page(item, title="Prices")) == WHOLE


def test_what_has_questions_inside_is_a_section() -> None:
    inner = "".join(f'<div class="q"><div class="h">{q}</div><div class="b">So.</div></div>' for q in QUESTIONS)
    outer = f'<div class="group"><div class="name">What is new?</div><div class="list">{inner}</div></div>' * 2
    assert pairs(f"<title>FAQ</title><h1>FAQ</h1>{outer}")[:3] == [(question, "So.") for question in QUESTIONS]


def test_a_word_of_the_question_is_no_sign() -> None:
    item = '<div class="i"><div class="h">Is it for <b>R</b></div><div class="b">{a}</div></div>'
    other = '<div class="i"><div class="h"><span>1</span><span>Is it for 3?</span></div><div class="b">So.</div></div>'
    questions = [question for question, _ in pairs(page(item + other))]
    assert questions[:2] == ["Is it for R", "Is it for 3?"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ["<div>", '<div class="accordion"><p class="t">How?</p><div>', "<button>How?<p>", "<li><div>"]
)
def test_long_pages_take_no_time_that_grows_with_a_power(piece: str) -> None:
    start = time.process_time()
    pairs("<title>FAQ</title>" + piece * (200_000 // len(piece)))
    assert time.process_time() - start < 60
