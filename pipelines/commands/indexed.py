# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What `index` says of what it did: what was written, encoded and removed, and what could not be read."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.markup import escape

from answer_selection.pipelines.commands.console import STDERR, STDOUT, counted, say
from answer_selection.pipelines.commands.stores import Store, open_index

if TYPE_CHECKING:
    from answer_selection.indexing.building.elasticsearch import VersionReport
    from answer_selection.indexing.building.removal import Removal
    from answer_selection.indexing.entries import EntryError

# How many of the entries that are kept, not removed, the message names.
_NAMED: Final = 5
# How many of the entries that could not be read: a table's thousand rows may all have one fault.
_ERRORS_NAMED: Final = 20


def tell_encoded(encoder: str, encoded: int, documents: int) -> None:
    """Say how many entries were encoded, and by what."""
    if not documents:
        return
    others = f", {documents - encoded} had their vectors already" if documents > encoded else ""
    say(f"{encoded} encoded by {encoder}{others}")


def tell_of_bm25_alone() -> None:
    """Say why there are no vectors."""
    say(
        "the package's encoder reads English: these entries are searched by BM25 alone. Pass --encoder NAME for one of "
        "their language"
    )


def tell_language(store: Store, index: str) -> None:
    """Say so if entries are not in English, which is what they are searched as."""
    from answer_selection.pipelines.index_time.language import language_of

    found = language_of(open_index(store, index))
    if found == "english":
        return
    read_as = "in a language that has no dictionary here" if found is None else found.title()
    named = found or "NAME (`--language xx` lists the names)"
    new = "make a new --index" if store is Store.TANTIVY else "give the command again with --rebuild, and"
    say(f"these entries seem to be {read_as}, and are searched as English. If so, {new} with --language {named}")


def tell_how_to_add_vectors(folder: Path) -> None:
    """Say so if an index has no vectors, and how it gets some."""
    from haystack_integrations.document_stores.tantivy.folder import keeps_vectors

    how = (
        "Pass --encoder NAME with --update to add them"
        if keeps_vectors(folder)
        else "An earlier version made it: index its sources into a new folder to have them"
    )
    say(f"{folder} has no vectors, and is searched by BM25 alone. {how}")


def tell_version(report: "VersionReport", name: str, *, dry_run: bool) -> None:
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


def tell_missing(missing: int, documents: int) -> None:
    """Name the option that removes what is gone. Where much is in no file, they are a part of the sources."""
    from answer_selection.indexing.building.removal import MOST

    if 0 < missing <= MOST * documents:
        verb, they = ("is", "it is") if missing == 1 else ("are", "they are")
        say(f"{counted(missing, 'entry')} {verb} in none of these files. Pass --remove-missing if {they} gone")


def tell_removed(removal: "Removal", errors: Sequence["EntryError"], *, dry_run: bool) -> None:
    """Say which entries were removed, or why none."""
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


def all_is_done(errors: Sequence["EntryError"], *, refused: int = 0, kept: bool = False) -> bool:
    """Name what could not be read, and say whether all was done."""
    for error in errors[:_ERRORS_NAMED]:
        STDERR.print(f"[red]error[/red] {escape(str(error))}", soft_wrap=True, highlight=False)
    if len(errors) > _ERRORS_NAMED:
        STDERR.print(f"… and {len(errors) - _ERRORS_NAMED} more. Mend these first")
    if errors:
        what = "entry, file or page" if len(errors) == 1 else "entries, files or pages"
        STDERR.print(f"{len(errors)} {what} could not be read")
    return not (errors or refused or kept)
