# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The `stackexchange` command: make a corpus with questions from a StackExchange site's public dump."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from answer_selection.pipelines.commands.console import STDERR, bar, counted, say

if TYPE_CHECKING:
    from answer_selection.indexing.stackexchange import StackExchangeReport

_MEGABYTE = 1_000_000


def stackexchange(
    posts: Annotated[Path, typer.Argument(help="The dump's Posts.xml, unpacked.")],
    output: Annotated[Path, typer.Argument(help="Folder for corpus.jsonl and queries.jsonl.")],
    site: Annotated[
        str | None,
        typer.Option(help="The site's name; ids begin with it.", show_default="name of the folder of Posts.xml"),
    ] = None,
    min_score: Annotated[int, typer.Option(help="Votes that an answer needs to be relevant to its question.")] = 2,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace existing files.")] = False,
) -> None:
    """
    Make a corpus with questions from a StackExchange site's dump, for `index`, `negatives` and `train`.

    Every answer becomes an entry, with its question's title. Every title with a relevant answer becomes a query. Exit
    code 1 if the dump is cut off or a row could not be read; the others are written all the same.
    """
    from answer_selection.indexing.stackexchange import convert_dump

    total = posts.stat().st_size // _MEGABYTE if posts.is_file() else None
    with bar("reading posts", total=total, unit="MB") as progress:
        report = convert_dump(
            posts,
            output,
            site=site,
            min_score=min_score,
            overwrite=overwrite,
            progress=lambda done: progress(done // _MEGABYTE, total),
        )
    say(
        f"{counted(report.entries, 'entry')} in {output / 'corpus.jsonl'}; {report.queries} queries with "
        f"{report.relevant} relevant entries in {output / 'queries.jsonl'}"
    )
    for line in _left_out(report):
        STDERR.print(line, soft_wrap=True, highlight=False)
    for error in (*report.errors, *([report.damage] if report.damage else [])):
        STDERR.print(f"[red]error[/red] {escape(str(error))}", soft_wrap=True, highlight=False)
    if report.wrong:
        STDERR.print(f"{report.wrong} rows could not be read")
    if report.damage:
        STDERR.print("the files hold what was read before that")
    if report.wrong or report.damage:
        raise typer.Exit(1)


def _left_out(report: "StackExchangeReport") -> list[str]:
    lines = []
    if report.without_question:
        named = ", ".join(map(str, report.orphans))
        more = ", …" if report.without_question > len(report.orphans) else ""
        answers = counted(report.without_question, "answer")
        lines.append(f"{answers} left out: their question is not in the dump ({named}{more})")
    if report.empty:
        lines.append(f"{counted(report.empty, 'answer')} left out: empty")
    if report.without_votes:
        lines.append(f"{report.without_votes} answers have no votes in the dump (Score): none counts as relevant")
    return lines
