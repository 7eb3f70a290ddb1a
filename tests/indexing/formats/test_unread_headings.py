# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Headings beside questions that are in no entry are told, and are no error."""

import time
from io import BytesIO

import pytest

from answer_selection.indexing.entries import Entry, iter_entries
from answer_selection.indexing.formats import html, rst
from answer_selection.indexing.formats.raw import Problem, RawEntry
from answer_selection.indexing.ids import EntryIds
from answer_selection.indexing.sources import Sources, SourcesReport

PAGE = (
    "<title>{title}</title><h1>{title}</h1><p>Hello.</p><h2>Your plan</h2>{before}<h3>How do I pay?</h3><p>By card.</p>"
    "<h3>{heading}</h3>{text}<h3>Can I pause?</h3><p>For a month.</p>{after}"
)


def page(*, title="Our bicycles", heading="Cancelling", text="<p>In the app.</p>", before="", after="") -> str:
    return PAGE.format(title=title, heading=heading, text=text, before=before, after=after)


def told(text: str, module=html) -> list[str]:
    items = list(module.read(BytesIO(text.encode())))
    assert any(isinstance(item, RawEntry) for item in items)
    problems = [item for item in items if isinstance(item, Problem)]
    assert all(item.nothing and item.location == "headings" for item in problems)
    return [item.message for item in problems]


def test_they_are_counted_and_named() -> None:
    more = "if the page is an FAQ, say so in its title or file name"
    assert told(page()) == [f"1 beside those that ask is in no entry, such as 'Cancelling'; {more}"]
    after = "".join(f"<h3>{title}</h3><p>Text.</p>" for title in ("Is it safe?", "Gifts", "Lost keys"))
    expected = f"3 beside those that ask are in no entry, such as 'Cancelling', 'Gifts'; {more}"
    assert told(page(after=after)) == [expected]


@pytest.mark.parametrize(
    "changes",
    [
        {"title": "FAQ"},  # where it is a question
        {"heading": "Related articles"},
        {"text": ""},
        {"heading": "3. Is it insured?"},
        # Most of what stands beside it does not ask.
        {"after": "<h3>Gifts</h3><p>Text.</p><h3>Keys</h3><p>Text.</p>"},
        {
            "before": "<dl><dt>Is it dear?</dt><dd><h3>Cancelling</h3><p>It is not.</p></dd></dl>",
            "heading": "Who pays?",
        },
    ],
)
def test_others_are_not(changes: dict[str, str]) -> None:
    assert told(page(**changes)) == []


def test_those_of_other_sections_are_not_beside_them() -> None:
    assert told(page(heading="Who pays?", after="<h2>About us</h2><h3>History</h3><p>Text.</p>")) == []


def test_so_it_is_in_restructured_text() -> None:
    text = "Bikes\n=====\n\nText.\n\n"
    for title in ("How do I pay?", "Cancelling", "Can I pause?"):
        text += f"{title}\n{'-' * len(title)}\n\nText.\n\n"
    found = list(rst.entries(text, is_page=False))
    assert [item.location for item in found if isinstance(item, Problem)] == ["headings"]


def test_they_are_no_error_of_a_file(tmp_path) -> None:
    file = tmp_path / "plan.html"
    file.write_text(page())
    *entries, error = iter_entries(file)
    assert [type(entry) for entry in entries] == [Entry, Entry]
    assert error.is_of_a_part


def test_both_are_told_of_a_file_with_other_lines_that_ask(tmp_path) -> None:
    (tmp_path / "plan.html").write_text(page(before="<p>Is it a bicycle?</p><p>Is it a tandem?</p>"))
    report = SourcesReport()
    with EntryIds() as ids:
        assert len(list(Sources([tmp_path / "plan.html"]).read(ids, report))) == 2
    told_of_file = str(report.counts[0].nothing)
    assert told_of_file.startswith("lines that ask: 2 are in no entry") and "; headings: 1 beside" in told_of_file


def test_many_take_no_time_that_grows_with_a_power() -> None:
    after = "".join(
        f"<h3>Is it number {number}?</h3><p>It is.</p><h3>No. {number}</h3><p>-</p>" for number in range(5_000)
    )
    started = time.process_time()
    assert told(page(after=after))[0].startswith("5001 beside")
    assert time.process_time() - started < 60
