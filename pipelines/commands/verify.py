# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The `verify` command: check an index on disk for damage."""

from pathlib import Path
from typing import Annotated

import typer

from answer_selection.pipelines.commands.console import bar, counted, say
from answer_selection.pipelines.commands.stores import DEFAULT_INDEX

_SHOWN = 10


def verify(
    index: Annotated[Path, typer.Option("--index", help="Folder of the index.")] = Path(DEFAULT_INDEX),
) -> None:
    """
    Look for damage in an index on disk: compare files and documents with their checksums, vectors with their documents.

    Exit code 1 if something is damaged. The index can't be written to meanwhile. An index in Elasticsearch needs no
    such command: the server keeps its own checksums.
    """
    from haystack_integrations.document_stores.tantivy.verify import verify as verify_index

    with bar("verifying", unit="documents") as progress:
        found = verify_index(index, progress)
    for what in found.damaged[:_SHOWN]:
        _print(f"damaged: {what}")
    if len(found.damaged) > _SHOWN:
        _print(f"... and {len(found.damaged) - _SHOWN} more")
    for name in found.unchecked:
        _print(f"no checksum yet: {name}; its writer was killed. The next `answer-selection index --update` adds it")
    documents = counted(found.documents, "document")
    looked_at = f"{counted(found.files, 'file')} and {documents} were compared with their checksums"
    if found.damaged:
        places = counted(len(found.damaged), "place")
        _print(f"{index} is damaged in {places}; {looked_at}. Index its sources into a new folder")
        raise typer.Exit(1)
    if not found.files:
        _print(
            f"{index} has no checksums: an earlier version made it. Its {documents} can be read. "
            "`answer-selection index SOURCES --index NEW` makes an index with checksums"
        )
        return
    _print(f"{index} is sound: {looked_at}")
    if found.encoder is not None:
        with_vector = counted(found.documents - found.without_vector, "document")
        _print(f"{with_vector} with vectors of {found.encoder.name}")
    if found.without_vector:
        without = counted(found.without_vector, "document")
        _print(f"{without} without vectors. The next `answer-selection index --update` adds them")


def _print(line: str) -> None:
    say(line)
