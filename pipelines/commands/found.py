# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Telling what was found in which file, when there is more than one."""

from collections import defaultdict
from typing import Final

from rich.markup import escape

from answer_selection.indexing.sources import SourceCount, SourcesReport
from answer_selection.pipelines.commands.console import STDOUT

# Of more files, only the types are listed, and those that gave nothing.
_LISTED: Final = 30


def tell_found(report: SourcesReport) -> None:
    """
    Print what was found in each file, or in each type of many files, and each file that gave nothing.

    :param report: What was found.
    """
    counts = report.counts
    is_listed = 1 < len(counts) <= _LISTED
    for count in counts:
        if count.nothing is not None:
            _print(f"{count.source}: no entries ({count.nothing})")
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
        _print(f"left out, as their type is not known: {endings}")


def _entries(entries: int, repeated: int) -> str:
    again = f", and {repeated:,} that came before in the same words" if repeated else ""
    return f"{entries:,} {'entry' if entries == 1 else 'entries'}{again}"


def _print(line: str) -> None:
    printable = line.encode(errors="backslashreplace").decode()
    STDOUT.print(escape(printable), soft_wrap=True, highlight=False)
