# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
from io import BytesIO

import pytest

from answer_selection.indexing.formats import format_of
from answer_selection.indexing.formats.fml import read
from answer_selection.indexing.formats.raw import Problem

FAQ = """<?xml version="1.0" encoding="{encoding}"?>
<!-- Licence -->
<faqs xmlns="http://maven.apache.org/FML/1.0.1" title="Frequently Asked Questions" toplink="false">
 <part id="general"><title>General</title>
  <faq id="proxy">
   <question>How do I use
     a <code>proxy</code> in Århus?</question>
   <answer><p>Name it &amp; its <a href="port.html">port</a>:</p>
    <source><![CDATA[<proxy>
  <host>x</host>
</proxy>]]></source><ul><li>first</li></ul></answer>
  </faq>
 </part>
 <part id="other"><faq id="why"><question>Why?</question><answer>Because.</answer></faq>
 <faq><question>Nothing?</question></faq></part>
</faqs>"""


def found(text: str, encoding: str = "UTF-8", **options: str) -> list:
    return list(read(BytesIO(text.encode(encoding)), **options))


@pytest.mark.parametrize("encoding", ["UTF-8", "ISO-8859-1"])
def test_questions_have_their_answers_and_the_titles_above_them(encoding: str) -> None:
    first, second, third = found(FAQ.format(encoding=encoding), encoding, base_url="https://x.org/docs/faq.fml")
    assert first.fields == {
        "question": "How do I use a proxy in Århus?",
        "answer": "Name it & its port (https://x.org/docs/port.html):\n\n"
        "<proxy>\n  <host>x</host>\n</proxy>\n\n- first",
        "anchor": "proxy",
    }
    assert first.headings == ("Frequently Asked Questions", "General")
    assert first.location == "<faq> in line 5"
    assert (second.fields["answer"], second.headings) == ("Because.", ("Frequently Asked Questions",))
    # Which of them lacks an answer is told.
    assert third.fields == {"question": "Nothing?", "answer": ""}


def test_files_without_namespace_or_end_are_read_and_no_entity_is_looked_up() -> None:
    text = """<!DOCTYPE faqs [<!ENTITY here SYSTEM "file:///etc/hostname">]>
<faqs><faq><question>How?</question><answer>Sohere.</answer></faq><faq><question>Why?</question><answer>As"""
    assert [one.fields["answer"] for one in found(text)] == ["Sohere.", "As"]


@pytest.mark.parametrize("text", ["<faqs></faqs>", "no XML", "<html><p>How?</p></html>"])
def test_a_file_without_questions_is_a_problem(text: str) -> None:
    [problem] = found(text)
    assert isinstance(problem, Problem)
    assert problem.nothing
    assert found("") == []


def test_what_files_are_called() -> None:
    assert [format_of(name) for name in ("faq.fml", "faq.Rmd", "faq.qmd")] == ["fml", "markdown", "markdown"]
