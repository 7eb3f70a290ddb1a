# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Lines that ask and are in no entry are told, and are no error."""

import time
from io import BytesIO

import pytest

from answer_selection.indexing.entries import Entry, iter_entries
from answer_selection.indexing.formats import html, markdown, rst, text
from answer_selection.indexing.formats.raw import Problem, RawEntry

ASKED = "What is a library card?", "Where can I get one?"
MARKDOWN = "# Library FAQ\n\n{}\n\n## How do I renew?\n\nOnline.\n\n## How long?\n\nThree weeks.\n"
HTML = "<title>Library FAQ</title><h1>Library FAQ</h1>{}<h2>How do I renew?</h2><p>Online.</p>"


def told(module, page: str) -> list[str]:
    items = list(module.read(BytesIO(page.encode())))
    assert any(isinstance(item, RawEntry) for item in items)
    problems = [item for item in items if isinstance(item, Problem)]
    assert all(item.nothing and item.location == "lines that ask" for item in problems)
    return [item.message for item in problems]


@pytest.mark.parametrize(
    ("module", "page"),
    [
        (markdown, MARKDOWN.format("\n\n".join(ASKED))),
        (html, HTML.format("".join(f"<p>{line}</p>" for line in ASKED))),
        (html, HTML.format(f"<div>{ASKED[0]}<br><!-- new --><em>Where</em> can I <a href='x'>get</a> one?</div>")),
        (rst, "{}\n\nRenewal\n=======\n\nHow do I renew?\n---------------\n\nOnline.\n".format("\n\n".join(ASKED))),
        (text, "Library FAQ\n\n{}\n\nQ: How do I renew?\nA: Online.\n".format("\n\n".join(ASKED))),
    ],
)
def test_the_first_two_are_named(module, page: str) -> None:
    assert told(module, page) == [f"2 are in no entry, such as {ASKED[0]!r}, {ASKED[1]!r}"]


@pytest.mark.parametrize(
    "part",
    [
        f"<p>{ASKED[0]}</p>",
        f"<p>{ASKED[0]}</p><p>{ASKED[0]}</p>",
        "<ul>{}</ul>".format("".join(f"<li>1. <a href='#x'>{line}</a></li>" for line in ASKED)),
        "<nav>{}</nav>".format("".join(f"<p>{line}</p>" for line in ASKED)),
        "<pre>{}</pre>".format("\n".join(ASKED)),
        "<p>Did you know? Ask us. Or shall we ask you?</p><p>Why?</p><p>Why not?</p>",
        "".join(f"<h3><a href='/a/{line}'>{line}</a></h3>" for line in ASKED),
        "".join(f"<p><b><a href='#a'>{line}</a></b></p>" for line in ASKED),
        "<p>Still have questions?</p><p>Was this page helpful?</p>",
        "<p>1.1 How do I renew?</p><p>FAQ-7 How do I renew?</p><p>How do I <b>renew</b>?</p>",
    ],
)
def test_one_line_contents_and_what_is_of_the_page_are_not(part: str) -> None:
    assert told(html, HTML.format(part)) == []


def test_lines_of_answers_are_read() -> None:
    asked = "\n\n".join(ASKED)
    assert told(markdown, MARKDOWN.format("") + asked) == []
    assert told(text, f"Library FAQ\n\nQ: How do I renew?\nA: Online.\n\n{asked}\n") == []


def test_they_are_no_error(tmp_path) -> None:
    file = tmp_path / "faq.md"
    file.write_text(MARKDOWN.format("\n\n".join(ASKED)))
    *entries, error = iter_entries(file)
    assert [type(entry) for entry in entries] == [Entry, Entry]
    assert error.is_of_a_part


def test_many_lines_take_no_time_that_grows_with_a_power() -> None:
    lines = "".join(f"<p>Is it number {number}?</p>" for number in range(10_000))
    started = time.process_time()
    [message] = told(html, HTML.format(lines))
    assert message.startswith("300 or more are in no entry, ")
    assert time.process_time() - started < 60
