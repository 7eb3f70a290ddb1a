# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import pytest

from answer_selection.indexing.formats.footers import without_footer

TEXT = "The oven is hot.\nSo is the door."
BELOW = [
    "\n\n--\nAda <ada@example.org>",
    "\n\n\n-- \nAda\nThe desk",
    "\n--",
    "\n\n--EOF",
    "\n-- EOF",
    "\n--\nEOF",
    "\n\n# vi: tw=70 ai",
    "\n\n.. vim: set ft=rst :",
    "\nvim:ts=4:sw=4",
    "\n\nLast updated: 5 May 2010",
    "\n\nlast update: $Date$",
    "\n\nLast edited on Tue Sep 22 17:52:23 EDT 1998 by Ada",
    "\n\nCreated: 15 Feb., 1999 / Last updated: 22 March, 2010",
    "\n\nThis document was last modified on 2010-05-05.",
    "\n\n$Date$",
    "\n$Id: faq.txt,v 1.6 2002/11/25 21:54:19 ada Exp $",
    "\n\nLast change: 2010\n\n$Revision$\n\n# vim: set et:",
]


@pytest.mark.parametrize("footer", BELOW)
def test_a_footer_at_the_end_of_a_text_is_no_part_of_it(footer: str) -> None:
    assert without_footer(f"{TEXT}{footer}\n\n").rstrip("\n") == TEXT


@pytest.mark.parametrize("footer", BELOW)
def test_what_looks_like_a_footer_with_something_else_below_it_stays(footer: str) -> None:
    text = f"{TEXT}{footer}\n\nIs it still hot? It is.\n"
    assert without_footer(text) == text


@pytest.mark.parametrize("footer", [footer for footer in BELOW if "Revision" not in footer])
def test_what_an_answer_shows_below_a_colon_stays(footer: str) -> None:
    text = f"{TEXT}\nWrite this:{footer}\n"
    assert without_footer(text) == text


@pytest.mark.parametrize(
    "end",
    [
        "\nLast updated: 5 May 2010",
        "\n\nLast updated by hand.",
        "\n\n    # vim: ts=4",
        "\n\nvim: an editor",
        "\n\ncat <<EOF\nhot\nEOF",
        "\n\n--\nDROP oven;",
        "\n\n-----",
        "\n\n-- Ada",
    ],
)
def test_a_line_of_the_text_is_no_footer(end: str) -> None:
    assert without_footer(f"{TEXT}{end}\n") == f"{TEXT}{end}\n"


@pytest.mark.parametrize(
    "answer", ["# vim: tw=70", "$Date$", "--", "Last modified: Tue, 5 May 2010 12:00", "Regards,\nAda"]
)
def test_what_looks_like_a_footer_below_a_question_is_its_answer(answer: str) -> None:
    text = f"1. How hot?\n\nVery.\n\n2. What do I write?\n\n{answer}\n"
    assert without_footer(text) == text
