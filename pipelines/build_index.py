# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""From FAQ files or a corpus to an index on disk, entry by entry."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path

from answer_selection.indexing.entries import Entry, EntryError, EntrySourceError, iter_entries
from haystack.document_stores.types import DuplicatePolicy
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

# Documents in one write, which is one commit and one segment: few make a search fast, and a killed run loses one batch.
BATCH = 50_000


@dataclass(frozen=True, slots=True)
class IndexReport:
    """
    What indexing did.

    :param entries: Entries written, new ones and changed ones alike.
    :param documents: Documents in the index at the end.
    :param errors: Entries that could not be read, one line each.
    :param missing: Ids of the entries that were gone from the sources, and so were removed (in a dry run: would be).
    """

    entries: int
    documents: int
    errors: list[EntryError] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


def build_index(
    store: TantivyDocumentStore,
    sources: Iterable[Path],
    *,
    require_question: bool = True,
    strict: bool = False,
    remove_missing: bool = False,
    dry_run: bool = False,
    progress: Callable[[int], None] | None = None,
) -> IndexReport:
    """
    Write the entries of all sources into a store. Ids are stable, so that doing it twice changes nothing.

    An entry whose id another source had already is an error: which of the two is meant cannot be known.

    :param store: The store; its index is made if there is none.
    :param sources: FAQ files or corpus files.
    :param require_question: Whether an entry without a question is an error.
    :param strict: Raise at the first entry that cannot be read, instead of leaving it out.
    :param remove_missing: Remove the entries that are in the index but not in the sources. Not done where an entry
        could not be read: it would be taken for gone.
    :param dry_run: Write and remove nothing, only say what would be.
    :param progress: Called with the number of entries read so far.
    :returns: What was done.
    :raises EntrySourceError: In strict mode, at the first entry that cannot be read.
    """
    errors: list[EntryError] = []
    seen: dict[str, Path] = {}
    entries = _read(sources, require_question, strict, errors, seen)
    written = 0
    while batch := list(islice(entries, BATCH)):
        if not dry_run:
            store.write_documents([entry.to_document() for entry in batch], policy=DuplicatePolicy.OVERWRITE)
        written += len(batch)
        if progress:
            progress(written)
    missing = []
    if remove_missing and not errors:
        missing = store.delete_missing(seen, dry_run=dry_run)
    return IndexReport(written, store.count_documents(), errors, missing)


def _read(
    sources: Iterable[Path], require_question: bool, strict: bool, errors: list[EntryError], seen: dict[str, Path]
) -> Iterator[Entry]:
    pairs = chain.from_iterable(
        ((source, item) for item in iter_entries(source, require_question=require_question)) for source in sources
    )
    for source, item in pairs:
        if isinstance(item, Entry) and item.entry_id in seen:
            message = f"the same id is in {seen[item.entry_id]} already; expected every entry once"
            item = EntryError(str(source), f"entry {item.entry_id!r}", "entry_id", message)  # noqa: PLW2901
        if isinstance(item, EntryError):
            if strict:
                raise EntrySourceError(item)
            errors.append(item)
        else:
            seen[item.entry_id] = source
            yield item
