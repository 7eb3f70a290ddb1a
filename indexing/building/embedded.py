# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""From FAQ files or a corpus to an index on disk, entry by entry."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any

from haystack import Document
from haystack.document_stores.types import DuplicatePolicy

from answer_selection.indexing.batched import batched
from answer_selection.indexing.building import embedding
from answer_selection.indexing.building.removal import Removal
from answer_selection.indexing.computed_fields import COMPUTED_FIELDS
from answer_selection.indexing.corpus_index import DocumentUpdate
from answer_selection.indexing.encoder import TextEncoder
from answer_selection.indexing.ids import EntryIds
from answer_selection.indexing.passages import PASSAGES_FIELD, document_passages
from answer_selection.indexing.source_link import SOURCE_FIELD
from answer_selection.indexing.sources import Sources, SourcesReport
from answer_selection.indexing.stored_entries import is_computed, own_meta
from answer_selection.indexing.word_states import WORDS_FIELD, ReadsWords
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

# Documents in one write, which is one commit and one segment: few make a search fast, and a killed run loses one batch.
BATCH = 50_000
# Commands and converters of a pipeline name a file differently.
_PLACES = frozenset([SOURCE_FIELD, "file_path"])
_FIELDS = tuple(each.name for each in fields(Document))


@dataclass(frozen=True, slots=True)
class IndexReport:
    """
    What indexing did.

    :param entries: Entries of the sources.
    :param written: How many of them are new or have changed, and were written (in a dry run: would be).
    :param documents: Documents in the index at the end.
    :param encoded: Documents that were encoded; the others had their embeddings, or no encoder was given.
    :param found: What was found in each source, and what could not be read.
    :param removal: Entries that were gone from the sources, and so were removed, unless they were too many (in a dry
        run: would be).
    """

    entries: int
    written: int
    documents: int
    encoded: int = 0
    found: SourcesReport = field(default_factory=SourcesReport)
    removal: Removal = field(default_factory=Removal)


def build_index(
    store: TantivyDocumentStore,
    sources: Sources,
    *,
    encoder: TextEncoder | None = None,
    words: ReadsWords | None = None,
    remove_missing: bool = False,
    remove_many: bool = False,
    dry_run: bool = False,
    progress: Callable[[int], None] | None = None,
) -> IndexReport:
    """
    Write the entries of all sources into a store. Ids are stable, so that doing it twice writes nothing.

    :param store: The store; its index is made if there is none.
    :param sources: FAQ files or corpus files.
    :param encoder: Makes the entries' embeddings and the vectors of their passages, and those of entries that were
        there without. What has not changed is not encoded again, so that a killed run goes on where it was.
    :param words: Reads the entries' words, beside the encoder, as rankers compare them.
    :param remove_missing: Remove the entries that are in the index but not in the sources. Not done where an entry
        could not be read: it would be taken for gone.
    :param remove_many: Remove them even if they are more than a fifth of the index.
    :param dry_run: Write and remove nothing, only say what would be.
    :param progress: Called with the number of entries read so far.
    :returns: What was done.
    :raises EntrySourceError: From strict sources, at the first entry that cannot be read.
    :raises OtherEncoderError: If the index's embeddings are of another encoder.
    :raises haystack.document_stores.errors.DocumentStoreError: If the index has no place for embeddings.
    """
    if encoder is not None:
        store.check_encoder(encoder.record)
    found = SourcesReport()
    removal = Removal()
    before = store.count_documents()
    read = written = encoded = 0
    with EntryIds() as ids:
        for batch in batched(sources.read(ids, found), BATCH if encoder is None else embedding.BATCH):
            new, made = _changed(store, [entry.to_document() for entry in batch], None if dry_run else encoder, words)
            if new and not dry_run:
                record = None if encoder is None else encoder.record
                store.write_documents(new, policy=DuplicatePolicy.OVERWRITE, encoder=record)
            read, written, encoded = read + len(batch), written + len(new), encoded + made
            if progress:
                progress(read)
        if remove_missing and not found.errors:
            removal = Removal(store.ids_not_in(ids), before, remove_many)
            if removal.ids and not dry_run and not removal.is_refused:
                store.delete_documents(list(removal.ids))
    if encoder is not None and not dry_run:
        encoded += _embed_others(store, encoder, words)
    return IndexReport(read, written, store.count_documents(), encoded, found, removal)


def _changed(
    store: TantivyDocumentStore, documents: list[Document], encoder: TextEncoder | None, words: ReadsWords | None
) -> tuple[list[Document], int]:
    """Give those documents that the store does not have as they are, and say how many documents were encoded."""
    new: list[Document] = []
    encoded = 0
    # A batch without vectors is large, and what the store has may have some.
    for batch in batched(documents, embedding.BATCH):
        stored = {document.id: document for document in store.documents_with_ids([document.id for document in batch])}
        same = [_with_computed(one, stored.get(one.id), embedding=encoder is None) for one in batch]
        made = embedding.Embedded(same, 0)
        if encoder is not None:
            made = embedding.embed(encoder, made.documents, stored.values(), words=words)
        encoded += made.encoded
        new += [document for document in made.documents if not _is_same(document, stored.get(document.id))]
    return new, encoded


def _with_computed(document: Document, stored: Document | None, *, embedding: bool) -> Document:
    """Give a document the tree and the vectors that were made of the same entry after it was written."""
    if stored is None or _entry(document) != _entry(stored):
        return document
    computed = {
        key: value
        for key, value in stored.meta.items()
        if is_computed(key, stored.meta) and (embedding or key not in COMPUTED_FIELDS)
    }
    kept = stored.embedding if embedding else document.embedding
    return replace(document, meta={**document.meta, **computed}, embedding=kept)


def _entry(document: Document) -> tuple[str | None, dict[str, Any]]:
    """What a document says, wherever it was read."""
    return document.content, {key: value for key, value in own_meta(document.meta).items() if key not in _PLACES}


def _is_same(document: Document, other: Document | None) -> bool:
    """Whether two documents are equal. Haystack's own comparison copies each number of their vectors first."""
    return other is not None and all(getattr(document, name) == getattr(other, name) for name in _FIELDS)


def _embed_others(store: TantivyDocumentStore, encoder: TextEncoder, words: ReadsWords | None) -> int:
    """Embed and read what is in the index without vectors of this encoder or states of its words; say how many."""
    encoded = 0

    def without_passages() -> Iterator[Document]:
        return filter(document_passages, store.documents_without(PASSAGES_FIELD))

    ways: list[Callable[[], Iterator[Document]]] = [
        partial(store.documents_without_embedding_of, encoder.record),
        without_passages,
    ]
    if words is not None:
        ways.append(partial(store.documents_without, WORDS_FIELD))
    # Each looks at the index as those before have left it.
    for lacking in ways:
        for page in batched(lacking(), embedding.BATCH):
            documents, new = embedding.embed(encoder, page, page, words=words)
            updates = (DocumentUpdate(each.id, each.embedding, embedding.meta_of(each)) for each in documents)
            store.update_documents(updates, encoder=encoder.record)
            encoded += new
    return encoded
