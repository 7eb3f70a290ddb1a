# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The `list` command: the entries of an index, one a line."""

from collections.abc import Iterable
from typing import Annotated

import typer

from answer_selection.pipelines.commands.console import STDERR, printable
from answer_selection.pipelines.commands.stores import DEFAULT_INDEX, IndexOption, Store, StoreOption, open_index


def list_entries(
    index: IndexOption = DEFAULT_INDEX,
    store: StoreOption = Store.TANTIVY,
    match: Annotated[
        str | None,
        typer.Option(help="Only entries that have this text in their id, question, answer or source, in any case."),
    ] = None,
) -> None:
    """
    List the entries of an index: id, question and source, with tabs between them.

    Exit code 1 if there is none.
    """
    from answer_selection.indexing.stored_entries import iter_stored_entries

    wanted, found = (match or "").casefold(), 0
    for entry in iter_stored_entries(open_index(store, index)):
        source = "#".join(_texts(entry.meta.get("source"), entry.meta.get("anchor")))
        columns = (entry.entry_id, entry.question or "", source)
        if wanted in "\n".join((*columns, entry.answer)).casefold():
            found += 1
            typer.echo(printable("\t".join(" ".join(column.split()) for column in columns)))
    if not found:
        STDERR.print("no such entry" if match else "the index is empty")
        raise typer.Exit(1)


def _texts(*values: object) -> Iterable[str]:
    return (str(value) for value in values if value)
