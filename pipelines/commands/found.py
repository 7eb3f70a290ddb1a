# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Telling what was found: how much in which file, when there is more than one, and each entry."""

from collections import defaultdict
from typing import Final

import typer

from answer_selection.indexing.ids import EntryIds
from answer_selection.indexing.sources import SourceCount, Sources, SourcesReport
from answer_selection.pipelines.commands.console import printable, say

# Of more files, only the types are listed, and those that gave nothing.
_LISTED: Final = 30
# Characters of an answer: enough to see whether it is the question's, and whether the next one's has been added to it.
_BEGINNING: Final = 80
_END: Final = 40


def tell_found(report: SourcesReport) -> None:
    """
    Print what was found in each file, or in each type of many files, and each file that gave nothing.

    :param report: What was found.
    """
    counts = report.counts
    is_listed = 1 < len(counts) <= _LISTED
    for count in counts:
        if count.nothing is not None:
            found = _entries(count.entries, count.repeated) if count.entries or count.repeated else "no entries"
            _print(f"{count.source}: {found} ({count.nothing})")
        elif is_listed or (count.repeated and len(counts) <= _LISTED):
            _print(f"{count.source}: {_entries(count.entries, count.repeated)}")
    if len(counts) > _LISTED:
        by_type: defaultdict[str, list[SourceCount]] = defaultdict(list)
        for count in counts:
            by_type[count.format].append(count)
        for name, some in by_type.items():
            found = _entries(sum(one.entries for one in some), sum(one.repeated for one in some))
            _print(f"{name or 'unknown type'}: {found} in {len(some):,} files")
    if report.other_types:
        endings = ", ".join(
            f"{ending or 'no ending'} ({count})" for ending, count in sorted(report.other_types.items())
        )
        names = ", ".join(map(str, report.others)) + (
            ", …" if sum(report.other_types.values()) > len(report.others) else ""
        )
        _print(f"left out, as their type is not known: {endings}: {names}")


def tell_entries(sources: Sources) -> None:
    """
    Print each entry, to look at before it is indexed.

    Question, characters of the answer, the answer's beginning and end, and the headings above the question.

    :param sources: Where the entries are. What cannot be read is left out.
    """
    with EntryIds() as ids:
        for entry in sources.read(ids, SourcesReport()):
            answer = " ".join(entry.answer.split())
            is_short = len(answer) <= _BEGINNING + _END
            shown = answer if is_short else f"{answer[:_BEGINNING].rstrip()} … {answer[-_END:].lstrip()}"
            question = " ".join((entry.question or "").split())
            headings = entry.meta.get("headings")
            path = " > ".join(map(str, headings)) if isinstance(headings, list) else ""
            typer.echo(printable(f"{question}\t{len(entry.answer)}\t{shown}\t{path}".rstrip("\t")))


def _entries(entries: int, repeated: int) -> str:
    again = f", and {repeated:,} that came before in the same words" if repeated else ""
    return f"{entries:,} {'entry' if entries == 1 else 'entries'}{again}"


def _print(line: str) -> None:
    say(line)
