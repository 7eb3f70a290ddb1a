# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""From FAQ files or a corpus to an index on disk, entry by entry."""

from collections.abc import Callable
from dataclasses import dataclass, field

from haystack.document_stores.types import DuplicatePolicy

from answer_selection.indexing.batched import batched
from answer_selection.indexing.building.removal import Removal
from answer_selection.indexing.entries import EntryError
from answer_selection.indexing.ids import EntryIds
from answer_selection.indexing.sources import Sources
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
    :param removal: Entries that were gone from the sources, and so were removed, unless they were too many (in a dry
        run: would be).
    """

    entries: int
    documents: int
    errors: list[EntryError] = field(default_factory=list)
    removal: Removal = field(default_factory=Removal)


def build_index(
    store: TantivyDocumentStore,
    sources: Sources,
    *,
    remove_missing: bool = False,
    remove_many: bool = False,
    dry_run: bool = False,
    progress: Callable[[int], None] | None = None,
) -> IndexReport:
    """
    Write the entries of all sources into a store. Ids are stable, so that doing it twice changes nothing.

    :param store: The store; its index is made if there is none.
    :param sources: FAQ files or corpus files.
    :param remove_missing: Remove the entries that are in the index but not in the sources. Not done where an entry
        could not be read: it would be taken for gone.
    :param remove_many: Remove them even if they are more than a fifth of the index.
    :param dry_run: Write and remove nothing, only say what would be.
    :param progress: Called with the number of entries read so far.
    :returns: What was done.
    :raises EntrySourceError: From strict sources, at the first entry that cannot be read.
    """
    errors: list[EntryError] = []
    removal = Removal()
    before = store.count_documents()
    written = 0
    with EntryIds() as ids:
        for batch in batched(sources.read(ids, errors), BATCH):
            if not dry_run:
                store.write_documents([entry.to_document() for entry in batch], policy=DuplicatePolicy.OVERWRITE)
            written += len(batch)
            if progress:
                progress(written)
        if remove_missing and not errors:
            removal = Removal(store.delete_missing(ids, dry_run=True), before, remove_many)
            if removal.ids and not dry_run and not removal.is_refused:
                store.delete_documents(list(removal.ids))
    return IndexReport(written, store.count_documents(), errors, removal)
