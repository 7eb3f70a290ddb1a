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
from answer_selection.pipelines.commands.console import STDERR, STDOUT, CommandError, bar, counted, say
from answer_selection.pipelines.commands.fetched import MOST_PAGES, PAUSE, fetch_pages
from answer_selection.pipelines.commands.found import tell_entries, tell_found
from answer_selection.pipelines.commands.stores import DEFAULT_INDEX, IndexOption, Store, StoreOption, open_index

if TYPE_CHECKING:
    from answer_selection.indexing.building.elasticsearch import VersionReport
    from answer_selection.indexing.building.removal import Removal
    from answer_selection.indexing.elasticsearch.settings import IndexSettings
    from answer_selection.indexing.entries import EntryError
    from answer_selection.indexing.sources import Sources

_NEXT_COLUMN: Final = re.compile(r",(?=\s*\w+\s*=)")
# How many of the entries that are kept, not removed, the message names.
_NAMED = 5
# How many of the entries that could not be read: a table's thousand rows may all have one fault.
_ERRORS_NAMED: Final = 20


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

    if not sources and not fetch:
        msg = "Missing argument: name files, folders or patterns to index, or pages with --fetch"
        raise CommandError(msg)
    for option, value in (("--max-pages", max_pages), ("--pause", pause)):
        if value is not None and not fetch:
            msg = f"{option} needs --fetch: nothing else fetches pages"
            raise CommandError(msg)
    if remove_missing and not update:
        msg = "--remove-missing needs --update: a new index has nothing to remove"
        raise CommandError(msg)
    if yes and not remove_missing:
        msg = "--yes needs --remove-missing: nothing else asks for confirmation"
        raise CommandError(msg)
    if update and rebuild:
        msg = "--update writes into the index, --rebuild makes a new version of it: choose one"
        raise CommandError(msg)
    if base_url is not None and not is_url(base_url):
        msg = f"--base-url {base_url} is no address: expected one that begins with http:// or https://"
        raise CommandError(msg)
    rejects_file = rejects or Path(f"{index}.rejects.jsonl")
    pages_file = Path(f"{index}.pages")
    choice = FileChoice(include or (), exclude or (), (Path(index), rejects_file, pages_file))
    names = _columns(columns or [])
    if store is Store.TANTIVY:
        for option, given in (("--settings", settings), ("--rebuild", rebuild), ("--rejects", rejects)):
            if given:
                msg = f"{option} needs --store elasticsearch"
                raise CommandError(msg)
    elif any(rejects_file.resolve() == source.resolve() for source in sources or ()):
        msg = f"--rejects {rejects_file} is one of the files to read: name another"
        raise CommandError(msg)
    elif settings is not None and language is not None:
        msg = f"--language and --settings exclude each other: write the language into {settings}"
        raise CommandError(msg)
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
    if not _is_done(corpus.errors_without_files()):
        raise typer.Exit(1)
    if dry_run:
        tell_entries(corpus)
    options = {"remove_missing": remove_missing, "remove_many": yes, "dry_run": dry_run}
    if store is Store.TANTIVY:
        is_done = _into_folder(corpus, Path(index), language, encoder, update=update, **options)
    else:
        wanted = _settings(settings, language)
        is_done = _into_elasticsearch(
            corpus, index, rejects_file, wanted, encoder, update=update, rebuild=rebuild, **options
        )
    if is_done and language is None and settings is None and not (update or dry_run):
        _tell_language(store, index)
    if pages is not None:
        pages.end(dry_run=dry_run)
    if not is_done:
        raise typer.Exit(1)


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
        _tell_encoded(encoder.record.name, report.encoded, report.documents)
    elif encoder_name is None and report.documents and not dry_run:
        if update:
            _tell_how_to_add_vectors(folder)
        else:
            _tell_of_bm25_alone()
    if remove_missing:
        _tell_removed(report.removal, report.found.errors, dry_run=dry_run)
    elif update and not (dry_run or report.found.errors):
        _tell_missing(report.documents - report.entries, report.documents)
    return _is_done(report.found.errors, kept=report.removal.is_refused and not dry_run)


def _tell_encoded(encoder: str, encoded: int, documents: int) -> None:
    if not documents:
        return
    others = f", {documents - encoded} had their vectors already" if documents > encoded else ""
    say(f"{encoded} encoded by {encoder}{others}")


def _tell_of_bm25_alone() -> None:
    say(
        "the package's encoder reads English: these entries are searched by BM25 alone. Pass --encoder NAME for one of "
        "their language"
    )


def _tell_language(store: Store, index: str) -> None:
    """Say so if entries are not in English, which is what they are searched as."""
    from answer_selection.pipelines.index_time.language import language_of

    found = language_of(open_index(store, index))
    if found == "english":
        return
    read_as = "in a language that has no dictionary here" if found is None else found.title()
    named = found or "NAME (`--language xx` lists the names)"
    new = "make a new --index" if store is Store.TANTIVY else "give the command again with --rebuild, and"
    say(f"these entries seem to be {read_as}, and are searched as English. If so, {new} with --language {named}")


def _tell_how_to_add_vectors(folder: Path) -> None:
    from haystack_integrations.document_stores.tantivy.folder import keeps_vectors

    how = (
        "Pass --encoder NAME with --update to add them"
        if keeps_vectors(folder)
        else "An earlier version made it: index its sources into a new folder to have them"
    )
    say(f"{folder} has no vectors of a known encoder, and is searched by BM25 alone. {how}")


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
    _tell(report, name, dry_run=dry_run)
    if encoder is not None and report.written and not dry_run:
        _tell_encoded(encoder.record.name, report.encoded, report.written)
    elif encoder is None and encoder_name is None and language not in ("english", None) and not dry_run:
        _tell_of_bm25_alone()
    if remove_missing:
        _tell_removed(report.removal, report.found.errors, dry_run=dry_run)
    elif update and report.live and not (dry_run or report.refused or report.found.errors):
        _tell_missing(report.documents - report.entries, report.documents)
    if report.refused and not dry_run:
        STDERR.print(
            f"{counted(report.refused, 'entry')} refused by Elasticsearch: {escape(str(rejects))} has the reasons",
            soft_wrap=True,
            highlight=False,
        )
    return _is_done(report.found.errors, refused=report.refused, kept=report.removal.is_refused and not dry_run)


def _tell(report: "VersionReport", name: str, *, dry_run: bool) -> None:
    """Print what was done to the versions of an index."""
    before = report.entries - report.written
    written, held = counted(report.written, "entry"), counted(report.documents, "document")
    if dry_run:
        there = f", {before} are there already" if before else ""
        say(f"{written} would be written to {name}{there}")
        return
    if report.version is None:
        say(f"0 entries written, {held} in {name}")
        return
    where = f"{name} ({report.version})" if report.live else report.version
    if report.written:
        there = f" after {before} that were there already" if before else ""
        say(f"{written} written{there}, {held} in {where}")
    else:
        these = "this entry" if before == 1 else f"these {before} entries"
        others = f", of {held}" if report.documents > before else ""
        say(f"{where} has {these} already{others}: nothing was written")
    if report.settings_changed:
        say(f"{where} now has the boosts and replicas of these settings")
    if report.replaced:
        say(
            f"{report.version} replaced {report.replaced}, which is kept until "
            f"`answer-selection versions --index {name} --delete-old`"
        )
    elif not report.live:
        say(
            f"{name} is unchanged: {report.version} lacks some entries. Correct these entries, or take them out, and "
            "give the same command again"
        )


def _tell_missing(missing: int, documents: int) -> None:
    """Name the option that removes what is gone. Where much is in no file, they are a part of the sources."""
    from answer_selection.indexing.building.removal import MOST

    if 0 < missing <= MOST * documents:
        verb, they = ("is", "it is") if missing == 1 else ("are", "they are")
        say(f"{counted(missing, 'entry')} {verb} in none of these files. Pass --remove-missing if {they} gone")


def _tell_removed(removal: "Removal", errors: Sequence["EntryError"], *, dry_run: bool) -> None:
    if errors:
        say("nothing removed: some entries could not be read, so it is not known which ones are gone")
    elif removal.is_refused:
        share = f"{len(removal.ids)} of {removal.documents} documents ({removal.share:.0%})"
        first = ", ".join(removal.ids[:_NAMED]) + (", …" if len(removal.ids) > _NAMED else "")
        # A dry run was asked for just this; otherwise it is why the command fails.
        (STDOUT if dry_run else STDERR).print(
            f"nothing {'would be ' if dry_run else ''}removed: {share} are in none of the files, more than a fifth of "
            f"the index. Pass --yes to remove them: {escape(first)}",
            soft_wrap=True,
            highlight=False,
        )
    else:
        would = "would be " if dry_run else ""
        say(f"{counted(len(removal.ids), 'entry')} {would}removed: {', '.join(removal.ids) or 'none'}")


def _is_done(errors: Sequence["EntryError"], *, refused: int = 0, kept: bool = False) -> bool:
    """Name what could not be read, and say whether all was done."""
    for error in errors[:_ERRORS_NAMED]:
        STDERR.print(f"[red]error[/red] {escape(str(error))}", soft_wrap=True, highlight=False)
    if len(errors) > _ERRORS_NAMED:
        STDERR.print(f"… and {len(errors) - _ERRORS_NAMED} more. Mend these first")
    if errors:
        what = "entry, file or page" if len(errors) == 1 else "entries, files or pages"
        STDERR.print(f"{len(errors)} {what} could not be read")
    return not (errors or refused or kept)
