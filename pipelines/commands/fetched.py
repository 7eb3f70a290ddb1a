# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Fetching the pages of a site for a command, and telling what could not be fetched."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from answer_selection.pipelines.commands.console import STDOUT, CommandError, bar, say

if TYPE_CHECKING:
    from answer_selection.indexing.entries import EntryError
    from answer_selection.indexing.fetching.crawl import CrawlReport
    from answer_selection.indexing.fetching.pages_file import PagesFile
    from answer_selection.indexing.source_files import FileChoice

MOST_PAGES: Final = 1000
"""The most pages that are fetched, unless somebody says otherwise."""
PAUSE: Final = 0.5
"""Seconds between two requests, likewise."""
# How many of the addresses that have one reason are named.
_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class FetchedPages:
    """
    Pages that are to be indexed.

    :param file: The pages.
    :param errors: Those that could not be fetched.
    """

    file: "PagesFile"
    errors: "Sequence[EntryError]"

    def end(self, *, dry_run: bool) -> None:
        """
        Delete the file when its pages are indexed, or say what it is good for.

        :param dry_run: Whether nothing was written.
        """
        if not self.errors and not dry_run:
            self.file.delete()
            return
        what = "fetch only the others" if self.errors else "index them"
        say(f"the fetched pages are in {self.file.path} for a day: give the command again to {what}")


def fetch_pages(
    starts: Sequence[str],
    path: Path,
    choice: "FileChoice",
    most: int | None,
    pause: float | None,
    *,
    all_needed: bool,
) -> FetchedPages:
    """
    Fetch pages, and print which were left out.

    :param starts: Addresses of pages or sitemaps.
    :param path: The file that keeps the pages.
    :param choice: Which paths are fetched.
    :param most: The most pages; None is :data:`MOST_PAGES`.
    :param pause: Seconds between two requests; None is :data:`PAUSE`.
    :param all_needed: Whether it is an error if there are more pages.
    :returns: The pages.
    :raises CommandError: If there is none.
    """
    from answer_selection.indexing.entries import EntryError
    from answer_selection.indexing.fetching.crawl import crawl
    from answer_selection.indexing.fetching.pages_file import PagesFile
    from answer_selection.indexing.fetching.site import Site

    most, pause = MOST_PAGES if most is None else most, PAUSE if pause is None else pause
    file = PagesFile(path)
    with bar("fetching", unit="pages") as progress:
        report = crawl(
            starts,
            file,
            choice=choice,
            most_pages=most,
            make_site=partial(Site, pause=pause),
            progress=progress,
        )
    if not report.fetched:
        file.delete()
        [(url, reason), *_] = [*report.failed, *report.left_out]
        msg = f"no page could be fetched: {url} {reason}"
        raise CommandError(msg)
    _tell(report)
    errors = [EntryError(url, "", None, reason) for url, reason in report.failed]
    if report.stopped:
        errors.append(EntryError(starts[0], "", None, f"stopped answering: {report.waiting} pages were not asked for"))
    elif report.waiting:
        more = f"{report.waiting} more pages are known than --max-pages {most} allows"
        if all_needed:
            errors.append(EntryError(starts[0], "", None, more))
        else:
            STDOUT.print(more, highlight=False)
    return FetchedPages(file, errors)


def _tell(report: "CrawlReport") -> None:
    say(f"{report.fetched} {'page' if report.fetched == 1 else 'pages'} fetched")
    by_reason: defaultdict[str, list[str]] = defaultdict(list)
    for url, reason in report.left_out:
        by_reason[reason].append(url)
    for reason, urls in by_reason.items():
        first = ", ".join(urls[:_NAMED]) + (f" and {len(urls) - _NAMED} more" if len(urls) > _NAMED else "")
        say(f"left out: {first} ({reason})")
