# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What `eval` shows of a run: a table, a page, and a comparison with an earlier run."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer
from rich.markup import escape

from answer_selection.pipelines.commands.console import STDERR, STDOUT, say
from answer_selection.pipelines.evaluation.hybrid_rows import BM25, HYBRID, VECTORS
from answer_selection.pipelines.evaluation.report import Report, render

if TYPE_CHECKING:
    from answer_selection.pipelines.evaluation.kept_results import KeptResults

Titles = Callable[[Iterable[str]], Mapping[str, str]]
"""What to call entries, for their ids."""

_CEILINGS: Final = (BM25, VECTORS, HYBRID)


@dataclass(frozen=True, slots=True)
class Evaluated:
    """
    A run.

    :param report: What it found.
    :param title: What was measured.
    :param titles: What to call its entries.
    """

    report: Report
    title: str
    titles: Titles


@dataclass(frozen=True, slots=True)
class ShownReport:
    """
    How a run is shown.

    :param page: The HTML file to write, if there is to be one.
    :param kept: The earlier run that it is compared with, if there is one.
    :param seed: Of the comparison's test.
    :param fail_if_worse: Whether the command fails where the run is worse than the earlier one by more than chance.
    """

    page: Path | None
    kept: "KeptResults | None"
    seed: int
    fail_if_worse: bool

    def show(self, run: Evaluated) -> None:
        """
        Print the table and the comparison, and write the page.

        :param run: The run.
        :raises ValueError: If the earlier run was asked other questions.
        :raises typer.Exit: If it is worse, and that is to fail.
        """
        labels = {BM25: "BM25", "ranker": f"{'hybrid' if HYBRID in run.report.means else 'BM25'} + ranker"}
        STDOUT.print(render(run.report, title=escape(run.title), labels=labels, ceilings=_CEILINGS))
        page = "" if self.page is not None else ". Pass --report FILE.html for a page of them"
        say(f"results and every question: {run.report.folder}{page}")
        if self.page is not None or self.kept is not None:
            self._look_closer(run, labels)

    def _look_closer(self, run: Evaluated, labels: Mapping[str, str]) -> None:
        from answer_selection.pipelines.evaluation.kept_results import KeptResults, compare_with_kept, worse
        from answer_selection.pipelines.evaluation.report_page import report_page

        results, kept = KeptResults.read(run.report.folder), self.kept
        compared = None if kept is None else compare_with_kept(results, kept, seed=self.seed)
        if self.page is not None:
            named = run.titles([*results.entries, *(kept.entries if kept else ())])
            page = report_page(results, title=run.title, labels=labels, titles=named, kept=kept, compared=compared)
            self.page.write_text(page, encoding="utf-8", errors="xmlcharrefreplace")
            say(f"report: {self.page}")
        if kept is None or compared is None:
            return
        told = ", ".join(f"{name} {one.difference:+.3f} (p {one.p_value:.4f})" for name, one in compared.items())
        say(f"compared with {kept.folder}: {told}")
        if lost := worse(compared):
            STDERR.print(escape(f"worse than {kept.folder} by more than chance: {', '.join(lost)}"))
            if self.fail_if_worse:
                raise typer.Exit(1)
