# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The `index` command: from FAQ files, folders or a corpus to an index, on disk or in Elasticsearch."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.markup import escape

from answer_selection.indexing.formats import FORMATS
from answer_selection.indexing.source_link import is_url
from answer_selection.pipelines.commands.console import STDERR, CommandError, bar, counted, say
from answer_selection.pipelines.commands.fetched import MOST_PAGES, PAUSE, fetch_pages
from answer_selection.pipelines.commands.found import tell_entries, tell_found
from answer_selection.pipelines.commands.indexed import (
    all_is_done,
    tell_encoded,
    tell_how_to_add_vectors,
    tell_language,
    tell_missing,
    tell_of_bm25_alone,
    tell_removed,
    tell_version,
)
from answer_selection.pipelines.commands.stores import DEFAULT_INDEX, IndexOption, Store, StoreOption

if TYPE_CHECKING:
    from answer_selection.indexing.elasticsearch.settings import IndexSettings
    from answer_selection.indexing.sources import Sources

_NEXT_COLUMN: Final = re.compile(r",(?=\s*\w+\s*=)")


def index(
    sources: Annotated[
        list[Path] | None,
        typer.Argument(
            help="FAQ files (of the types that --format lists), folders of them, or quoted patterns such as "
            "'faq/**/*.html'; or a corpus.jsonl.",
            show_default=False,
        ),
    ] = None,
    index: IndexOption = DEFAULT_INDEX,
    store: StoreOption = Store.TANTIVY,
    language: Annotated[
        str | None,
        typer.Option(help="Language of stemming, or 'none'. --update can't change it.", show_default="english"),
    ] = None,
    encoder: Annotated[
        str | None,
        typer.Option(
            help="Encoder of the entries' vectors: a folder or a name on the hub; 'none' is BM25 alone. With --update "
            "it is the index's own by default; name one to add vectors to an index without (in Elasticsearch with "
            "--rebuild).",
            show_default="answer-selection-small; none for another --language than english",
        ),
    ] = None,
    settings: Annotated[
        Path | None,
        typer.Option(
            help="With Elasticsearch: a YAML file with language, synonyms, k1, b, search_fields, shards, replicas. By "
            "default they stay as they are."
        ),
    ] = None,
    include: Annotated[
        list[str] | None,
        typer.Option(
            help="Of folders and patterns, read only files that this pattern fits, as in .gitignore. May be repeated.",
            show_default="known types",
        ),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(help="Of folders and patterns, leave out what this pattern fits. May be repeated."),
    ] = None,
    format: Annotated[  # noqa: A002 - the option's name
        str | None,
        typer.Option(
            help=f"Read all files in this format: {', '.join(FORMATS)}.",
            show_default="by the ending of a file's name",
        ),
    ] = None,
    encoding: Annotated[
        str | None, typer.Option(help="Encoding of the files that are not UTF-8, such as cp1252.")
    ] = None,
    columns: Annotated[
        list[str] | None,
        typer.Option(
            help="How fields are called in the files: question=title,answer=text. Also id=, and other names for "
            "metadata."
        ),
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option(help="Address where the folder's files are served: an answer then leads to its page."),
    ] = None,
    fetch: Annotated[
        list[str] | None,
        typer.Option(
            help="Fetch the pages of a site: the address of a page, whose links on the same host are followed, or of a "
            "sitemap. May be repeated. --include and --exclude fit paths.",
        ),
    ] = None,
    max_pages: Annotated[
        int | None, typer.Option(min=1, help="With --fetch: the most pages.", show_default=str(MOST_PAGES))
    ] = None,
    pause: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            help="With --fetch: seconds between requests; robots.txt may ask for more.",
            show_default=str(PAUSE),
        ),
    ] = None,
    update: Annotated[
        bool, typer.Option("--update", help="Add new entries to an existing index and replace changed ones.")
    ] = False,
    rebuild: Annotated[
        bool,
        typer.Option(
            "--rebuild",
            help="With Elasticsearch: build a new version of an existing index. It replaces the old one when every "
            "entry is in it.",
        ),
    ] = False,
    remove_missing: Annotated[
        bool, typer.Option("--remove-missing", help="With --update: remove entries that are gone from the sources.")
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="With --remove-missing: also remove more than a fifth of the index.")
    ] = False,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Only show the entries that were found, and what would be written and removed."),
    ] = False,
    answers_only: Annotated[
        bool, typer.Option("--answers-only", help="The corpus has no questions: an entry without one is no error.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first entry that cannot be read.")] = False,
    rejects: Annotated[
        Path | None,
        typer.Option(
            help="With Elasticsearch: file for entries that the server refuses, with the reasons (JSONL).",
            show_default="INDEX.rejects.jsonl",
        ),
    ] = None,
) -> None:
    """
    Index FAQ files, for BM25 over questions and answers and for their vectors: on disk, or in Elasticsearch.

    Every entry keeps the file or address that it comes from. A folder's hidden files and unknown types are left out.
    Fetched pages are kept in INDEX.pages until all of them are indexed: give the command again to go on.

    Give the command again to continue a killed run; for an index on disk with --update: what has not changed is not
    encoded again. Exit code 1 if an entry could not be read or was refused; the others are indexed all the same. Exit
    code 1 also if --remove-missing would remove more than a fifth of the index and --yes is not given; then nothing is
    removed.
    """
    from answer_selection.indexing.source_files import FileChoice
    from answer_selection.indexing.sources import Sources

    rejects_file = rejects or Path(f"{index}.rejects.jsonl")
    on_disk = store is Store.TANTIVY
    _refuse(
        (
            not sources and not fetch,
            "Missing argument: name files, folders or patterns to index, or pages with --fetch",
        ),
        (max_pages is not None and not fetch, "--max-pages needs --fetch: nothing else fetches pages"),
        (pause is not None and not fetch, "--pause needs --fetch: nothing else fetches pages"),
        (remove_missing and not update, "--remove-missing needs --update: a new index has nothing to remove"),
        (yes and not remove_missing, "--yes needs --remove-missing: nothing else asks for confirmation"),
        (update and rebuild, "--update writes into the index, --rebuild makes a new version of it: choose one"),
        (
            base_url is not None and not is_url(base_url),
            f"--base-url {base_url} is no address: expected one that begins with http:// or https://",
        ),
        (on_disk and settings is not None, "--settings needs --store elasticsearch"),
        (on_disk and rebuild, "--rebuild needs --store elasticsearch"),
        (on_disk and rejects is not None, "--rejects needs --store elasticsearch"),
        (
            not on_disk and any(rejects_file.resolve() == source.resolve() for source in sources or ()),
            f"--rejects {rejects_file} is one of the files to read: name another",
        ),
        (
            settings is not None and language is not None,
            f"--language and --settings exclude each other: write the language into {settings}",
        ),
    )
    pages_file = Path(f"{index}.pages")
    choice = FileChoice(include or (), exclude or (), (Path(index), rejects_file, pages_file))
    names = _columns(columns or [])
    pages = fetch_pages(fetch, pages_file, choice, max_pages, pause, all_needed=remove_missing) if fetch else None
    corpus = Sources(
        sources or (),
        require_question=not answers_only,
        strict=strict,
        choice=choice,
        format=format,
        encoding=encoding,
        columns=names,
        base_url=base_url,
        pages=pages.file if pages else (),
        lost=pages.errors if pages else (),
    )
    # An encoder takes seconds to load: a mistyped name is told before.
    if not all_is_done(corpus.errors_without_files()):
        raise typer.Exit(1)
    if dry_run:
        tell_entries(corpus)
    options = {"remove_missing": remove_missing, "remove_many": yes, "dry_run": dry_run}
    if on_disk:
        is_done = _into_folder(corpus, Path(index), language, encoder, update=update, **options)
    else:
        wanted = _settings(settings, language)
        is_done = _into_elasticsearch(
            corpus, index, rejects_file, wanted, encoder, update=update, rebuild=rebuild, **options
        )
    if is_done and language is None and settings is None and not (update or dry_run):
        tell_language(store, index)
    if pages is not None:
        pages.end(dry_run=dry_run)
    if not is_done:
        raise typer.Exit(1)


def _refuse(*problems: tuple[bool, str]) -> None:
    """Refuse a command line for the first thing that is wrong with it."""
    for is_wrong, message in problems:
        if is_wrong:
            raise CommandError(message)


def _columns(options: Sequence[str]) -> dict[str, str]:
    """Read `question=title,answer=text`; a column's name may have commas in it."""
    columns: dict[str, str] = {}
    for part in (part for option in options for part in _NEXT_COLUMN.split(option)):
        ours, _, theirs = (text.strip() for text in part.partition("="))
        if not ours or not theirs:
            msg = f"--columns {part!r}: expected NAME=COLUMN, such as question=title,answer=text"
            raise CommandError(msg)
        columns[ours] = theirs
    return columns


def _into_folder(
    sources: "Sources",
    folder: Path,
    language: str | None,
    encoder_name: str | None,
    *,
    update: bool,
    remove_missing: bool,
    remove_many: bool,
    dry_run: bool,
) -> bool:
    from answer_selection.indexing.building.embedded import build_index
    from answer_selection.pipelines.index_time.encoders import choose_encoder, load_word_reader
    from haystack_integrations.document_stores.tantivy import TantivyDocumentStore
    from haystack_integrations.document_stores.tantivy.folder import INDEX_FOLDER

    store = TantivyDocumentStore(path=folder, language=None if language == "none" else language or "english")
    if (folder / INDEX_FOLDER).is_dir():
        store = TantivyDocumentStore.open(folder)
        if not (update or dry_run):
            msg = f"{folder} already exists. Pass --update to change it, or name another --index"
            raise CommandError(msg)
        if language is not None and language != (store.language or "none"):
            msg = f"{folder} was made with --language {store.language or 'none'}, which --update can't change"
            raise CommandError(msg)
    encoder = None if dry_run else choose_encoder(store, encoder_name)
    with bar("indexing") as progress:
        report = build_index(
            store,
            sources,
            encoder=encoder,
            words=load_word_reader(encoder),
            remove_missing=remove_missing,
            remove_many=remove_many,
            dry_run=dry_run,
            progress=progress,
        )
    tell_found(report.found)
    written, held = counted(report.written, "entry"), counted(report.documents, "document")
    same = f", {report.entries - report.written} unchanged" if report.written < report.entries else ""
    if dry_run:
        say(f"{written} would be written to {folder}{same}")
    else:
        say(f"{written} written{same}, {held} in {folder}" if report.documents else "no index was written")
    if encoder is not None:
        tell_encoded(encoder.record.name, report.encoded, report.documents)
    elif encoder_name is None and report.documents and not dry_run:
        if update:
            tell_how_to_add_vectors(folder)
        else:
            tell_of_bm25_alone()
    if remove_missing:
        tell_removed(report.removal, report.found.errors, dry_run=dry_run)
    elif update and not (dry_run or report.found.errors):
        tell_missing(report.documents - report.entries, report.documents)
    return all_is_done(report.found.errors, kept=report.removal.is_refused and not dry_run)


def _settings(file: Path | None, language: str | None) -> "IndexSettings | None":
    from answer_selection.indexing.elasticsearch.settings import IndexSettings, read_index_settings

    if file is not None:
        return read_index_settings(file)
    return None if language is None else IndexSettings(language=None if language == "none" else language)


def _into_elasticsearch(
    sources: "Sources",
    name: str,
    rejects: Path,
    settings: "IndexSettings | None",
    encoder_name: str | None,
    *,
    update: bool,
    rebuild: bool,
    remove_missing: bool,
    remove_many: bool,
    dry_run: bool,
) -> bool:
    from answer_selection.indexing.elasticsearch.connection import connect

    client = connect()
    # Imported only now: it needs the client's package, and without it `connect` has said so.
    from answer_selection.indexing.building.elasticsearch import Change, build_version
    from answer_selection.pipelines.index_time.encoders import choose_elasticsearch_encoder, load_word_reader

    language = "english" if settings is None else settings.language
    encoder = choose_elasticsearch_encoder(client, name, encoder_name, language)
    with bar("indexing", unit="documents") as progress:
        report = build_version(
            client,
            name,
            sources,
            rejects=rejects,
            change=Change.UPDATE if update else Change.REBUILD if rebuild else Change.NOTHING,
            settings=settings,
            encoder=encoder,
            words=load_word_reader(encoder),
            remove_missing=remove_missing,
            remove_many=remove_many,
            dry_run=dry_run,
            progress=progress,
        )
    tell_found(report.found)
    tell_version(report, name, dry_run=dry_run)
    if encoder is not None and report.written and not dry_run:
        tell_encoded(encoder.record.name, report.encoded, report.written)
    elif encoder is None and encoder_name is None and language not in ("english", None) and not dry_run:
        tell_of_bm25_alone()
    if remove_missing:
        tell_removed(report.removal, report.found.errors, dry_run=dry_run)
    elif update and report.live and not (dry_run or report.refused or report.found.errors):
        tell_missing(report.documents - report.entries, report.documents)
    if report.refused and not dry_run:
        STDERR.print(
            f"{counted(report.refused, 'entry')} refused by Elasticsearch: {escape(str(rejects))} has the reasons",
            soft_wrap=True,
            highlight=False,
        )
    return all_is_done(report.found.errors, refused=report.refused, kept=report.removal.is_refused and not dry_run)
