# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""AsciiDoc, wikis, OpenDocument and others, by Pandoc."""

import subprocess
import sys

import pypandoc
import pytest
from haystack.dataclasses import ByteStream

from answer_selection.indexing.entries import Entry, iter_entries
from answer_selection.indexing.formats import FORMATS, format_of, pandoc
from answer_selection.indexing.ids import EntryIds
from answer_selection.indexing.sources import Sources, SourcesReport

QUESTIONS = ["I lost my card, what now?", "What does it cost?"]
ANSWERS = ["Any desk replaces it. See the rates", "Three dollars."]
FILES = {
    "adoc": """= Help of the library
:toc:

== Cards

=== I lost my card, what now?
Any desk _replaces_ it. See link:rates.html[the rates].

// a comment
=== What does it cost?
Three dollars.
""",
    "dbk": """<article><title>Help of the library</title><sect1 id="cards"><title>Cards</title>
<sect2 id="lost"><title>I lost my card, what now?</title>
<para>Any desk <emphasis>replaces</emphasis> it. See <ulink url="rates.html">the rates</ulink>.</para></sect2>
<sect2 id="cost"><title>What does it cost?</title><para>Three dollars.</para></sect2></sect1></article>
""",
    "mediawiki": """== Cards ==
=== I lost my card, what now? ===
Any desk ''replaces'' it. See [https://x.org/help/rates.html the rates].

=== What does it cost? ===
Three dollars.
""",
    "org": """#+TITLE: Help of the library
* Cards
** I lost my card, what now?
Any desk /replaces/ it. See [[file:rates.html][the rates]].
** What does it cost?
Three dollars.
""",
    "textile": """h1. Cards

h2. I lost my card, what now?

Any desk _replaces_ it. See "the rates":rates.html.

h2. What does it cost?

Three dollars.
""",
    "tex": r"""\documentclass{article}\title{Help of the library}
\begin{document}\maketitle
\section{Cards}
\subsection{I lost my card, what now?}
Any desk \emph{replaces} it. See \href{rates.html}{the rates}.
\subsection{What does it cost?}
Three dollars.
\end{document}
""",
}


def read(name: str, data: bytes, **options) -> tuple[list[Entry], list[str]]:
    items = list(iter_entries(ByteStream(data, meta={"file_name": name}), **options))
    return [item for item in items if isinstance(item, Entry)], [str(i) for i in items if not isinstance(i, Entry)]


def questions_and_answers(name: str, text: str, **options) -> list[tuple[str | None, str]]:
    entries, errors = read(name, text.encode(), **options)
    assert errors == []
    return [(entry.question, entry.answer) for entry in entries]


@pytest.mark.parametrize("ending", FILES)
def test_headings_of_a_text_are_questions(ending):
    entries, errors = read(f"cards.{ending}", FILES[ending].encode(), meta={"source": f"https://x.org/help/c.{ending}"})
    assert errors == []
    assert [entry.question for entry in entries] == QUESTIONS
    assert [entry.meta["headings"] for entry in entries] == [["Cards"], ["Cards"]]
    assert entries[0].answer.startswith(ANSWERS[0])
    assert "rates.html" in entries[0].answer
    assert entries[1].answer == ANSWERS[1]


@pytest.mark.parametrize("ending", ["epub", "odt", "rtf"])
def test_headings_of_a_document_are_questions(ending, tmp_path):
    path = tmp_path / f"cards.{ending}"
    pypandoc.convert_text(
        FILES["adoc"], to=ending, format="asciidoc", outputfile=str(path), extra_args=["--standalone"]
    )
    entries, errors = read(path.name, path.read_bytes())
    assert errors == []
    assert [(entry.question, entry.answer[:35].rstrip(" (")) for entry in entries] == list(
        zip(QUESTIONS, ANSWERS, strict=True)
    )


def test_anchors_are_those_of_the_pages_that_are_made_of_the_file():
    for ending, anchors in (
        ("adoc", ["_i_lost_my_card_what_now", "_what_does_it_cost"]),
        ("dbk", ["lost", "cost"]),
        ("org", [None, None]),
    ):
        entries, _ = read(f"cards.{ending}", FILES[ending].encode())
        assert [entry.meta.get("anchor") for entry in entries] == anchors


def test_labelled_lists_are_questions():
    text = """= FAQ

[qanda]
I lost my card, what now?::
Any desk replaces it.
What does it cost?:: Three dollars.
"""
    assert questions_and_answers("faq.adoc", text) == [
        (QUESTIONS[0], "Any desk replaces it."),
        (QUESTIONS[1], "Three dollars."),
    ]


def test_a_term_that_asks_ends_the_list_above_it():
    text = b"""= FAQ

I lost my card, what now?::
+
Any desk replaces it:
+
* the main desk
* the small one
+
Bring a photo.
+
What does it cost?::
Three dollars.
"""
    entries, _ = read("faq.adoc", text)
    assert [(entry.question, entry.answer[:20]) for entry in entries] == [
        (QUESTIONS[0], "Any desk replaces it"),
        (QUESTIONS[1], "Three dollars."),
    ]
    assert entries[0].answer.endswith("Bring a photo.")


def test_what_stands_below_a_term_that_asks_is_its_answer():
    text = """= FAQ

How do I renew?::

You can do it here:

* if you have a card, at any desk

* or with a photo:

 $ renew --photo

Lost cards::
They are replaced.
What does it cost?::
Three dollars.

Children pay nothing.

== Rooms

Rooms are free.
"""
    assert questions_and_answers("faq.adoc", text)[:3] == [
        (
            "How do I renew?",
            "You can do it here:\n\n- if you have a card, at any desk\n- or with a photo:\n\n  $ renew --photo",
        ),
        ("Lost cards", "They are replaced."),
        ("What does it cost?", "Three dollars.\n\nChildren pay nothing."),
    ]


def test_what_other_files_would_say_of_asciidoc_is_left_out():
    text = """include::attributes.adoc[]
What does it cost?
------------------
See {docs}/rates.html#cards[the rates].

----
include::rates.txt[lines=1..2]
Why?:: {docs}/x[y]
----

How long?
---------
A year.
"""
    assert questions_and_answers("faq.adoc", text) == [
        ("What does it cost?", "See the rates.\n\nWhy?:: {docs}/x[y]"),
        ("How long?", "A year."),
    ]


def test_entities_that_other_files_declare_keep_their_names():
    text = """<!DOCTYPE article [<!ENTITY us "the library"> <!ENTITY rates_ SYSTEM "rates.xml">]>
<article><title>FAQ</title><sect1><title>Where is &us;?</title><para>Left of &bank; &amp; right&hellip; &rates_;</para>
</sect1></article>"""
    assert questions_and_answers("faq.xml", text, format="docbook") == [
        ("Where is the library?", "Left of bank & right\u2026 rates_")
    ]


@pytest.mark.parametrize(
    ("ending", "text"),
    [
        ("org", '* Where is it?\nHere:\n#+INCLUDE: "secret.txt"\n* And then?\nNothing.\n'),
        ("tex", "\\section{Where is the FAQ?}\nHere: \\input{secret.txt}\n\\section{And then?}\nNothing.\n"),
        ("adoc", "== Where is it?\nHere:\n\ninclude::secret.txt[]\n\n== And then?\nNothing.\n"),
    ],
)
def test_no_other_file_is_opened(tmp_path, monkeypatch, ending, text):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret.txt").write_text("Xyzzy.\n", encoding="utf-8")
    path = tmp_path / f"faq.{ending}"
    path.write_text(text, encoding="utf-8")
    found = list(iter_entries(path))
    assert [item.question for item in found if isinstance(item, Entry)][-1] == "And then?"
    assert not any("Xyzzy" in str(item) for item in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "== Which map?\nPrefer std::map here.\n\n== What is `std::map`?\nA tree.\n",
            [("Which map?", "Prefer std::map here."), ("What is std::map?", "A tree.")],
        ),
        ("== How?\n\nUsage:\n----\n$ run\n----\n\n== And?\nx\n", [("How?", "Usage:\n\n$ run"), ("And?", "x")]),
        ("== Why?\n\n====\nText.\n\nDone\n====\n\n== And?\nx\n", [("Why?", "Text.\n\nDone"), ("And?", "x")]),
        ("== Why?\n\n----\nx\n", [("Why?", "x")]),
        (
            ":docs: https://x.org\n\n== How?\n{docs}/a[guide], {more}/b[help], `${items}[0]`.\n",
            [("How?", "guide (https://x.org/a), help, ${items}[0].")],
        ),
        (
            "ifdef::env[]\n:a: b\nendif::[]\n\n== Why?\n// not this\nSo.\n\n////\nnor this\n\n== Or?\nThis\n////\n",
            [("Why?", "So.")],
        ),
        (
            "= Oven FAQ =\n\n== Is it hot? ==\n\nNo.\n\n== The sign == ==\n\nIt is.\n",
            [("Is it hot?", "No."), ("The sign ==", "It is.")],
        ),
        ("== Credits ==\n\nThanks.\n\n== Is it 2 == 2?\n\nYes.\n", [("Is it 2 == 2?", "Yes.")]),
        (
            "== Why?\nhttps://x.org[Node.js^], link:a.adoc[#12, b], `a -- *_b*`, `x::y`:\n  https://y.org[.N] a::b\n",
            [("Why?", "Node.js (https://x.org), #12, b (a.adoc), a -- *_b*, x::y: .N (https://y.org) a::b")],
        ),
        (
            "== Why?\n*Because of:*\n* the oven\n* the\nroom\n\n== And?\nSo.\n",
            [("Why?", "Because of:\n\n- the oven\n- the room"), ("And?", "So.")],
        ),
        (
            "= FAQ\n\nIs it on?::\n+\n--\nFirst.\n\nSecond.\n--\nIs it off?::\nNo.\n",
            [("Is it on?", "First.\n\nSecond."), ("Is it off?", "No.")],
        ),
    ],
)
def test_what_asciidoc_may_have(text, expected):
    assert questions_and_answers("faq.adoc", text) == expected


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("faq.tex", "\\section{How much?}\nIt is 50\\footnote{Plus tax.} dollars.\n", "It is 50 (Plus tax.) dollars."),
        ("faq.tex", "\\section{How much?}\n$10^6$ bytes\n", "10^6 bytes"),
        ("faq.tex", "\\section{How much?}\n\\begin{wrapfigure}{r}{0.1cm}x\\end{wrapfigure}\nTen.\n", "x\n\nTen."),
        (
            "faq.dbk",
            "<sect1><title>How much?</title><para>Ten<xref linkend='a'/>.</para></sect1>",
            "Ten.",
        ),
        ("faq.org", "* TODO How much? :a:b:\nTen.\n", "Ten."),
        ("faq.mediawiki", "== How much? ==\nTen.\n\n[[Category:FAQ]] [[de:FAQ]]\n", "Ten."),
        ("faq.dbk", "<article><sect1><title>How much?</title><para>x &AMP; y</para></sect1></article>", "x & y"),
    ],
)
def test_what_is_about_the_file_is_no_text_and_notes_are(name, text, expected):
    assert questions_and_answers(name, text) == [("How much?", expected)]


def test_files_may_declare_their_encoding():
    text = "<article><sect1><title>B\xfcro?</title><para>x</para></sect1></article>"
    data = f'<?xml version="1.0" encoding="ISO-8859-1"?>{text}'.encode("latin-1")
    assert [entry.question for entry in read("faq.dbk", data)[0]] == ["B\xfcro?"]
    # What is said in vain is not listened to.
    data = f'<?xml version="1.0" encoding="undefined"?>{text}'.encode()
    assert [entry.question for entry in read("faq.dbk", data)[0]] == ["B\xfcro?"]
    rtf = rb"{\rtf1\ansi\ansicpg99999 {\b Why?}\par So.}"
    assert not any("encoding" in error for error in read("faq.rtf", rtf)[1])


def test_a_readme_and_a_paper_give_the_questions_that_they_ask():
    text = "= The oven\n\n== Parts\nMany.\n\n== Is it hot?\nYes.\n"
    assert [entry.question for entry in read("README.adoc", text.encode())[0]] == ["Is it hot?"]
    paper = r"\section{Introduction}Many ovens are hot.\section{Why are ovens hot?}Fire."
    assert [entry.question for entry in read("paper.tex", paper.encode())[0]] == ["Why are ovens hot?"]


@pytest.mark.parametrize(
    ("name", "data", "error"),
    [
        ("faq.odt", b"no zip file", "faq.odt: cannot be read as OpenDocument: "),
        ("faq.epub", b"PK\x03\x04", "faq.epub: cannot be read as EPUB: "),
        (
            "faq.adoc",
            b"= FAQ\n\nNothing asks here.\n",
            "faq.adoc: expected headings, which are the questions; found none",
        ),
        ("faq.org", b"* Wo?\nh\xfcm\n", "faq.org: line 2: byte 0xfc"),
        ("faq.rtf", b"", "faq.rtf: there is no entry in it; expected at least one"),
    ],
)
def test_what_cannot_be_read_is_named(name, data, error):
    entries, [found] = read(name, data)
    assert entries == []
    assert found.startswith(error)


def test_a_file_that_takes_too_long_is_named(monkeypatch):
    def run(*arguments, timeout, **options):
        raise subprocess.TimeoutExpired(arguments, timeout)

    monkeypatch.setattr(subprocess, "run", run)
    _, [error] = read("faq.org", b"* Why?\nBecause.\n")
    assert error == "faq.org: cannot be read as Org: it took Pandoc more than 30 seconds"


def test_without_the_package_the_extra_is_named(monkeypatch, tmp_path):
    pandoc._program.cache_clear()
    monkeypatch.setitem(sys.modules, "pypandoc", None)
    why = "Org needs Pandoc: pip install '.[pandoc]'"
    assert read("faq.org", b"* Why?\nBecause.\n") == ([], [f"faq.org: {why}"])
    # In a folder it is no error.
    (tmp_path / "notes.org").write_text("* Why?\nBecause.\n", encoding="utf-8")
    (tmp_path / "faq.md").write_text("# Why?\nBecause.\n", encoding="utf-8")
    report = SourcesReport()
    with EntryIds() as ids:
        assert len(list(Sources([tmp_path]).read(ids, report))) == 1
    assert (report.errors, [count.nothing for count in report.counts]) == ([], [None, why])


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("FAQ.asciidoc", "asciidoc"),
        ("faq.docbook", "docbook"),
        ("Faq.mediawiki", "mediawiki"),
        ("help.epub", "epub"),
        ("help.ORG", "org"),
    ],
)
def test_formats_are_told_by_endings(name, found):
    assert format_of(name) == found
    assert found in FORMATS
