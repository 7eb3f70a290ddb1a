# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The `index` command: from FAQ files or a corpus to an index."""

from pathlib import Path
from typing import Annotated

import typer
from answer_selection.pipelines.console import STDERR, STDOUT, CommandError, bar
from rich.markup import escape

DEFAULT_INDEX = Path("faq-index")
Index = Annotated[Path, typer.Option("--index", help="Folder of the index.")]


def index(
    sources: Annotated[
        list[Path], typer.Argument(help="FAQ files: JSONL, JSON, CSV, TSV, Markdown or HTML; or a corpus.jsonl.")
    ],
    index: Index = DEFAULT_INDEX,
    language: Annotated[
        str | None,
        typer.Option(help="Language of stemming, or 'none'. It stays as it is with --update.", show_default="english"),
    ] = None,
    update: Annotated[
        bool, typer.Option("--update", help="Add to an index that is there, and replace its changed entries.")
    ] = False,
    remove_missing: Annotated[
        bool, typer.Option("--remove-missing", help="With --update: remove entries that are gone from the sources.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be written and removed.")] = False,
    answers_only: Annotated[
        bool, typer.Option("--answers-only", help="The corpus has no questions: an entry without one is no error.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first entry that cannot be read.")] = False,
) -> None:
    """
    Index FAQ files on disk, for BM25 over questions and answers.

    Exit code 1 if an entry could not be read; the others are indexed all the same.
    """
    from answer_selection.indexing.sources import Sources
    from answer_selection.pipelines.build_index import build_index
    from haystack_integrations.document_stores.tantivy import TantivyDocumentStore
    from haystack_integrations.document_stores.tantivy.folder import INDEX_FOLDER

    if remove_missing and not update:
        msg = "--remove-missing goes with --update: a new index has nothing to remove"
        raise CommandError(msg)
    store = TantivyDocumentStore(path=index, language=None if language == "none" else language or "english")
    if (index / INDEX_FOLDER).is_dir():
        store = TantivyDocumentStore.open(index)
        if not (update or dry_run):
            msg = f"{index} is there already: --update adds to it and replaces changed entries; or name another --index"
            raise CommandError(msg)
        if language is not None and language != (store.language or "none"):
            msg = f"{index} was made with --language {store.language or 'none'}, which --update can't change"
            raise CommandError(msg)
    with bar("indexing") as progress:
        report = build_index(
            store,
            Sources(sources, require_question=not answers_only, strict=strict),
            remove_missing=remove_missing,
            dry_run=dry_run,
            progress=progress,
        )
    would = "would be " if dry_run else ""
    now = "now " if dry_run else ""
    STDOUT.print(f"{report.entries} entries {would}written, {now}{report.documents} documents in {escape(str(index))}")
    if remove_missing:
        if report.errors:
            STDOUT.print("nothing removed: an entry that could not be read would be taken for one that is gone")
        else:
            STDOUT.print(f"{len(report.missing)} entries {would}removed: {escape(', '.join(report.missing)) or 'none'}")
    for error in report.errors:
        STDERR.print(f"[red]error[/red] {escape(str(error))}", soft_wrap=True, highlight=False)
    if report.errors:
        STDERR.print(f"{len(report.errors)} entries could not be read")
        raise typer.Exit(1)
