# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The `export` command: the entries of an index as lines that `index` reads again."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from answer_selection.pipelines.commands.console import STDERR, STDOUT, CommandError, bar, check_file, counted
from answer_selection.pipelines.commands.stores import DEFAULT_INDEX, IndexOption, Store, StoreOption, open_index

if TYPE_CHECKING:
    from answer_selection.indexing.corpus_index import CorpusIndex


@dataclass
class _Exported:
    """What has been exported so far."""

    written: int = 0
    with_question: int = 0
    empty: list[str] = field(default_factory=list)

    def lines(self, corpus: "CorpusIndex", show: Callable[[int], None] | None = None) -> Iterator[dict[str, Any]]:
        from answer_selection.indexing.corpus import to_line
        from answer_selection.indexing.stored_entries import iter_stored_entries

        for entry in iter_stored_entries(corpus):
            if entry.answer.strip():
                self.written += 1
                self.with_question += entry.question is not None
                yield to_line(entry)
                if show is not None:
                    show(self.written)
            else:
                self.empty.append(entry.entry_id)


def export(
    output: Annotated[
        Path | None,
        typer.Argument(help="File to write (JSONL); '-' is standard output.", show_default="standard output"),
    ] = None,
    index: IndexOption = DEFAULT_INDEX,
    store: StoreOption = Store.TANTIVY,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing file.")] = False,
) -> None:
    """
    Write an index's entries into a file, with their ids, questions, answers and metadata.

    Vectors and parse trees are left out: `index`, `encode` and `parse` make them again. Exit code 1 if an entry has no
    answer, which `index` would refuse: it is left out, too.
    """
    if output == Path("-"):
        output = None
    if output is None and overwrite:
        msg = "--overwrite needs a file: nothing is replaced on standard output"
        raise CommandError(msg)
    if output is not None:
        check_file(output, "file", overwrite=overwrite)
    corpus, exported = open_index(store, index), _Exported()
    if output is None:
        # Without a bar: on a terminal it takes what is printed for its own.
        for line in exported.lines(corpus):
            typer.echo(json.dumps(line, ensure_ascii=False))
    else:
        from answer_selection.indexing.formats.jsonl import write_lines

        with bar("exporting", corpus.count_documents(), unit="entries") as show:
            write_lines(output, exported.lines(corpus, show))
    console, where = (STDERR, "") if output is None else (STDOUT, f" in {output}")
    console.print(escape(f"{counted(exported.written, 'entry')} of {index}{where}"), soft_wrap=True, highlight=False)
    if lacking := exported.written - exported.with_question:
        console.print(f"{lacking} have no question: `index` reads them with --answers-only", soft_wrap=True)
    if empty := exported.empty:
        console.print(escape(f"{len(empty)} left out, without an answer: {', '.join(empty[:5])}"), soft_wrap=True)
        raise typer.Exit(1)
