# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The `export` command: the entries of an index as a file that `index` reads again."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from answer_selection.pipelines.commands.console import STDOUT, CommandError, bar
from answer_selection.pipelines.commands.stores import DEFAULT_INDEX, IndexOption, Store, StoreOption, open_index


def export(
    output: Annotated[Path, typer.Argument(help="File to write (JSONL).")],
    index: IndexOption = DEFAULT_INDEX,
    store: StoreOption = Store.TANTIVY,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing file.")] = False,
) -> None:
    """
    Write an index's entries into a file, with their ids, questions, answers and metadata.

    Vectors and parse trees are left out: `index`, `encode` and `parse` make them again. Exit code 1 if an entry has no
    answer, which `index` would refuse: it is left out, too.
    """
    from answer_selection.indexing.stored_entries import iter_stored_entries, to_line

    if output.exists() and not overwrite:
        msg = f"{output} already exists. Pass --overwrite to replace it, or name another file"
        raise CommandError(msg)
    corpus = open_index(store, index)
    written = with_question = 0
    empty: list[str] = []
    # A kill leaves the file that was there, or none.
    part = output.with_name(f"{output.name}.part")
    with part.open("w", encoding="utf-8") as file, bar("exporting", corpus.count_documents(), unit="entries") as show:
        for done, entry in enumerate(iter_stored_entries(corpus), start=1):
            if entry.answer.strip():
                file.write(json.dumps(to_line(entry), ensure_ascii=False) + "\n")
                written += 1
                with_question += entry.question is not None
            else:
                empty.append(entry.entry_id)
            show(done)
    part.replace(output)
    STDOUT.print(escape(f"{written} entries of {index} in {output}"), soft_wrap=True, highlight=False)
    if lacking := written - with_question:
        STDOUT.print(f"{lacking} have no question: `index` reads the file with --answers-only", soft_wrap=True)
    if empty:
        STDOUT.print(escape(f"{len(empty)} left out, without an answer: {', '.join(empty[:5])}"), soft_wrap=True)
        raise typer.Exit(1)
