# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The `versions` command: list the versions of an index in Elasticsearch, and delete those that were replaced."""

from typing import Annotated

import typer
from rich.table import Table

from answer_selection.pipelines.commands.console import STDOUT, CommandError, say
from answer_selection.pipelines.commands.stores import DEFAULT_INDEX


def versions(
    index: Annotated[str, typer.Option(help="Name of the index.")] = DEFAULT_INDEX,
    delete_old: Annotated[
        bool, typer.Option("--delete-old", help="Delete the versions that the live one replaced.")
    ] = False,
) -> None:
    """
    List the versions of an index in Elasticsearch.

    One of them is live. Earlier ones are kept until you delete them.
    """
    from answer_selection.indexing.elasticsearch.connection import clear_errors, connect

    client = connect()
    from answer_selection.indexing.elasticsearch import versions as module

    with clear_errors():
        found = module.find_versions(client, index)
        live = module.live_one(found)
        if not found:
            msg = f"there is no index {index!r}. `answer-selection index FILE --store elasticsearch` makes one"
            raise CommandError(msg)
        # A version newer than the live one is being built or unfinished. It may become live any moment.
        old = [version for version in found if live is not None and version.number < live.number]
        table = Table()
        table.add_column("version", overflow="fold")
        table.add_column("documents", justify="right")
        table.add_column("made (UTC)")
        table.add_column("")
        for version in found:
            state = "live" if version.live else "old" if version in old else "unfinished"
            documents = f"{module.count_documents(client, version.name):,}"
            table.add_row(version.name, documents, f"{version.created:%Y-%m-%d %H:%M}", state)
        STDOUT.print(table)
        if delete_old:
            module.delete_versions(client, old)
            say(f"deleted: {', '.join(version.name for version in old) or 'none'}")
