# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A Haystack document store on disk, searched by BM25 and by vectors, without a server."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
from haystack import Document, default_from_dict, default_to_dict, logging
from haystack.document_stores.errors import DuplicateDocumentError
from haystack.document_stores.types import DuplicatePolicy
from numpy.typing import NDArray

from answer_selection.indexing.analysis import check_language
from answer_selection.indexing.batched import batched
from answer_selection.indexing.corpus_index import DocumentUpdate
from answer_selection.indexing.encoder import FINGERPRINT_FIELD, EncoderRecord
from answer_selection.indexing.fusion import Fusion, FusionMethod, ScoredByBoth
from answer_selection.indexing.in_thread import in_thread
from answer_selection.indexing.passages import PASSAGES_FIELD, without
from answer_selection.indexing.ranking_fields import BM25_SCORE, VECTOR_SCORE
from answer_selection.indexing.search_fields import DEFAULT_SEARCH_FIELDS, check_boosts, check_fields
from haystack_integrations.document_stores.tantivy import metadata
from haystack_integrations.document_stores.tantivy.all_cores import on_all_cores
from haystack_integrations.document_stores.tantivy.bm25 import BM25
from haystack_integrations.document_stores.tantivy.checks import check_documents, check_top_k
from haystack_integrations.document_stores.tantivy.codec import with_meta
from haystack_integrations.document_stores.tantivy.commits import Commits
from haystack_integrations.document_stores.tantivy.encoders import check_encoder
from haystack_integrations.document_stores.tantivy.errors import IndexDamagedError
from haystack_integrations.document_stores.tantivy.fields import Fields
from haystack_integrations.document_stores.tantivy.folder import ID_FIELD, read_settings, settings
from haystack_integrations.document_stores.tantivy.generation import BLOCK
from haystack_integrations.document_stores.tantivy.hybrid import Hybrid
from haystack_integrations.document_stores.tantivy.vector_search import VectorSearch

logger = logging.getLogger(__name__)

# The sigmoid of Haystack's own BM25 retrievers divides by this number.
_SCALING_FACTOR = 8
_LARGE_WRITE = 1000
# Documents that are read at a time to be updated.
_UPDATES = 1000


class TantivyDocumentStore:
    """
    Keeps documents in an index on disk; finds them by BM25 over several fields (k1 1.2, b 0.75) and by embeddings.

    The index is embedded: no server, nothing in memory but what the operating system caches. It is written
    incrementally; when a method that writes returns, what it wrote is on disk and every reader sees it, in other
    processes too. One process at a time may write, any number may read. The folder is made by the first write.

    A document's `content` is the search field `"content"`; any other search field is the metadata of that name (a
    string or a list of strings). What is not text comes back as it was stored, but is not searched. Embeddings are of
    one width; a search by them compares the query's with all (cosine), so that the best are found.

    ```python
    from haystack import Document
    from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

    store = TantivyDocumentStore(path="library-index")
    store.write_documents([Document(content="At any desk.", meta={"question": "Where can I renew a card?"})])
    print(store.bm25_retrieval("renewing cards")[0].content)
    ```
    """

    def __init__(
        self,
        *,
        path: str | Path,
        language: str | None = "english",
        search_fields: Mapping[str, float] | None = None,
    ) -> None:
        """
        Name the index; nothing is opened or made yet.

        :param path: Folder of the index. It must be new, empty, or hold an index of this store.
        :param language: Language of stemming, one of :data:`answer_selection.indexing.analysis.LANGUAGES`, or None for
            no stemming. It is stored with the index and can't be changed afterwards.
        :param search_fields: Names of the fields that are indexed for search, and the boosts with which they are
            searched unless a search says otherwise. The names are stored with the index and can't be changed
            afterwards, the boosts can. By default :data:`DEFAULT_SEARCH_FIELDS`.
        :raises ValueError: If the language is unknown, or a boost is not a positive number.
        """
        check_language(language)
        self.path = Path(path)
        self.language = language
        self.search_fields = dict(DEFAULT_SEARCH_FIELDS if search_fields is None else search_fields)
        check_boosts(self.search_fields)
        made_with = settings(language, list(self.search_fields))
        self._commits = Commits(self.path, made_with)
        self._bm25, self._nearest = BM25(made_with), VectorSearch(self.path)
        self._hybrid = Hybrid(self._bm25, self._nearest)

    @classmethod
    def open(cls, path: str | Path) -> "TantivyDocumentStore":
        """
        Open an existing index, with the language and the fields that it was made with.

        Their boosts are as in :data:`DEFAULT_SEARCH_FIELDS`, 1.0 for others.

        :param path: Folder of the index.
        :returns: The store.
        :raises IndexOpenError: If there is no index, or not one of this store.
        """
        found = read_settings(Path(path))
        boosts = {name: DEFAULT_SEARCH_FIELDS.get(name, 1.0) for name in found.fields}
        return cls(path=path, language=found.language, search_fields=boosts)

    def __reduce__(self) -> tuple[Any, ...]:
        # A copy, in another process and folder too, opens the index by itself.
        data = self.to_dict()
        data["init_parameters"]["path"] = str(self.path.absolute())
        return type(self).from_dict, (data,)

    def to_dict(self) -> dict[str, Any]:
        """
        Serialize the store's parameters; the documents stay in their folder.

        :returns: A dictionary for :meth:`from_dict`.
        """
        return default_to_dict(
            self, path=str(self.path), language=self.language, search_fields=dict(self.search_fields)
        )

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "TantivyDocumentStore":
        """
        Make a store from what :meth:`to_dict` gave.

        :param data: The dictionary.
        :returns: The store.
        """
        store: TantivyDocumentStore = default_from_dict(cls, data)
        return store

    def close(self) -> None:
        """Let go of the index's files. The next use opens them again."""
        self._commits.close()

    @property
    def encoder(self) -> EncoderRecord | None:
        """
        The encoder of the documents' embeddings.

        :returns: The encoder; None if there are no embeddings, they are of several encoders, or nobody said of which:
            then only their width is known.
        :raises IndexOpenError: If the index can't be opened.
        """
        generation = self._commits.last()
        return None if generation is None else generation.encoder

    def check_encoder(self, encoder: EncoderRecord) -> None:
        """
        Make sure that embeddings of an encoder can be written.

        :param encoder: The encoder.
        :raises OtherEncoderError: If those in the index are of another one.
        :raises haystack.document_stores.errors.DocumentStoreError: If the index has no place for embeddings.
        """
        generation = self._commits.last()
        if generation is not None:
            check_encoder(self.path, generation.vectors, encoder)

    def check(self) -> None:
        """
        Make sure that the index is there, can be opened, and that nothing damaged was met since its last commit.

        It costs microseconds, unless something was written: the first use after that looks at the new files.

        :raises IndexOpenError: If there is no index, or it can't be opened.
        :raises IndexDamagedError: If a file is damaged, or a document that was asked for.
        """
        damage = self._commits.existing().searcher.damage
        if damage is not None:
            raise IndexDamagedError(damage.path, damage.what) from damage

    def check_documents(self) -> Iterator[IndexDamagedError | None]:
        """
        Read every document, and compare its embedding with the vector that is searched.

        :returns: For each, in the order of writing, what is wrong with it, or None.
        :raises IndexOpenError: If there is no index, or not one that can be opened.
        """
        generation = self._commits.existing()
        for order, address in generation.hits():
            try:
                document = generation.searcher.document(order, address)
            except IndexDamagedError as damage:
                yield damage
            else:
                right = generation.has_vector_of(document, address)
                yield None if right else IndexDamagedError(self.path, f"the vector of document {document.id!r}")

    # --- Haystack's protocol ---

    def count_documents(self) -> int:
        """
        Count the documents.

        :returns: Their number; 0 if there is no index yet.
        :raises IndexOpenError: If the folder holds something else, or the index is damaged or has other settings.
        """
        generation = self._commits.last()
        return 0 if generation is None else generation.searcher.num_docs

    def filter_documents(self, filters: dict[str, Any] | None = None) -> list[Document]:
        """
        Give the documents that a filter keeps.

        :param filters: A filter in Haystack's syntax; None or an empty one keeps all.
        :returns: The documents in the order in which they were written; none if there is no index yet.
        :raises haystack.errors.FilterError: If the filter is malformed.
        """
        generation = self._commits.last()
        return [] if generation is None else list(generation.documents(filters))

    def write_documents(
        self,
        documents: Iterable[Document],
        policy: DuplicatePolicy = DuplicatePolicy.NONE,
        *,
        encoder: EncoderRecord | None = None,
    ) -> int:
        """
        Write documents, all or (after an error) none of them.

        A corpus of any size is best written in one call: from a generator it streams, and the index becomes one piece,
        which is searched faster than many small ones.

        :param documents: The documents, in a list or any other iterable. Metadata must be JSON values.
        :param policy: What to do with an id that is there already, or that comes twice: FAIL raises an error, SKIP
            keeps the document that was first, OVERWRITE the one that was last. NONE means FAIL.
        :param encoder: The encoder of the documents' embeddings, which is kept with them; each has its fingerprint in
            the document's metadata. None: that of the index; in an index without embeddings the one that all of these
            documents name, as those of AnswerSelectionDocumentEmbedder do. Those that a store has given no longer name
            it: give its `encoder`.
        :returns: Number of documents written: all, or with SKIP those that were not skipped.
        :raises ValueError: If something other than documents is given, or a document can't be stored; if an embedding
            is of another width than the index's, holds NaN or infinity, or its fingerprint is not of the encoder and
            the document's text.
        :raises OtherEncoderError: If the index's embeddings are of another encoder.
        :raises haystack.document_stores.errors.DuplicateDocumentError: With FAIL, if an id is there already.
        :raises IndexLockedError: If another writer is at work.
        """
        if isinstance(documents, (str, bytes, Mapping)) or not isinstance(documents, Iterable):
            msg = f"documents must be Documents in a list or another iterable, got {type(documents).__name__}"
            raise ValueError(msg)
        pieces = batched(documents, BLOCK)
        first = next(pieces, ())
        check_documents(first)
        if not first:
            return 0
        written = 0
        with self._commits.transaction(large=len(first) >= _LARGE_WRITE, encoder=encoder) as transaction:
            order = transaction.generation.next_order()
            taken: set[str] = set()
            for piece in chain([first], pieces):
                check_documents(piece)
                transaction.learn_encoder(piece)
                taken |= transaction.generation.existing_ids(document.id for document in piece)
                for document in piece:
                    if document.id in taken:
                        if policy == DuplicatePolicy.SKIP:
                            logger.warning(
                                "document {document_id} is in the store already, skipped", document_id=document.id
                            )
                            continue
                        if policy != DuplicatePolicy.OVERWRITE:
                            msg = f"document {document.id!r} is in the store already, or given twice"
                            raise DuplicateDocumentError(msg)
                        transaction.writer.delete_documents_by_term(ID_FIELD, document.id)
                    taken.add(document.id)
                    transaction.add(document, order + written)
                    written += 1
        return written

    def documents_with_ids(self, ids: Sequence[str]) -> list[Document]:
        """
        Give documents by their ids.

        :param ids: The ids.
        :returns: Those that are there, in the order in which they were written.
        :raises IndexOpenError: If the index can't be opened.
        """
        generation = self._commits.last()
        if generation is None:
            return []
        pieces = (generation.searcher.with_ids(list(piece)) for piece in batched(dict.fromkeys(ids), BLOCK))
        hits = sorted(chain.from_iterable(pieces), key=itemgetter(0))
        return [generation.searcher.document(*hit) for hit in hits]

    def documents_without_embedding_of(self, encoder: EncoderRecord) -> Iterator[Document]:
        """
        Give the documents that have no embedding of an encoder: none, or another's.

        :param encoder: The encoder.
        :returns: The documents, in the order in which they were written, one after another: the index as it is at the
            time of the call.
        :raises IndexOpenError: If the index can't be opened.
        """
        generation = self._commits.last()
        return iter(()) if generation is None else generation.without_vector_of(encoder)

    def documents_without(self, key: str) -> Iterator[Document]:
        """
        Give the documents that lack something.

        :param key: The key in their metadata.
        :returns: The documents, in the order in which they were written, one after another: the index as it is at the
            time of the call.
        :raises IndexOpenError: If the index can't be opened.
        """
        generation = self._commits.last()
        none = {"field": f"meta.{key}", "operator": "==", "value": None}
        return iter(()) if generation is None else generation.documents(none)

    def delete_documents(self, document_ids: list[str]) -> None:
        """
        Delete documents by their ids.

        :param document_ids: The ids; those that are not there are passed over.
        :raises IndexLockedError: If another writer is at work.
        """
        if self._commits.last() is None:
            return
        with self._commits.transaction() as transaction:
            for document_id in sorted(transaction.generation.existing_ids(document_ids)):
                transaction.writer.delete_documents_by_term(ID_FIELD, document_id)
                transaction.changed = True

    # --- more of what Haystack's stores have ---

    def delete_all_documents(self) -> None:
        """
        Delete every document; the index and its settings stay.

        :raises IndexLockedError: If another writer is at work.
        """
        if self._commits.last() is None:
            return
        with self._commits.transaction() as transaction:
            transaction.writer.delete_all_documents()
            transaction.changed = True

    def delete_by_filter(self, filters: dict[str, Any]) -> int:
        """
        Delete the documents that a filter keeps.

        :param filters: A filter in Haystack's syntax.
        :returns: Number of documents deleted.
        :raises IndexLockedError: If another writer is at work.
        """
        if self._commits.last() is None:
            return 0
        with self._commits.transaction() as transaction:
            query = transaction.generation.matching(filters)
            count = transaction.generation.count(query)
            if count:
                transaction.writer.delete_documents_by_query(query)
                transaction.changed = True
        return count

    def update_by_filter(self, filters: dict[str, Any], meta: dict[str, Any]) -> int:
        """
        Set metadata of the documents that a filter keeps; they keep their place in the order.

        :param filters: A filter in Haystack's syntax.
        :param meta: Keys and values that are added or replaced.
        :returns: Number of documents updated.
        :raises ValueError: If they change a question that the index's vectors are of: write such a document anew.
        :raises IndexLockedError: If another writer is at work.
        """
        if self._commits.last() is None:
            return 0
        count = 0
        with self._commits.transaction(large=True) as transaction:
            generation = transaction.generation
            for order, address in generation.hits(filters):
                document = with_meta(generation.searcher.document(order, address), meta)
                transaction.writer.delete_documents_by_term(ID_FIELD, document.id)
                transaction.add(document, order, generation.row(address))
                count += 1
        return count

    def update_documents(self, updates: Iterable[DocumentUpdate], *, encoder: EncoderRecord | None = None) -> None:
        """
        Give documents embeddings and metadata, all or (after an error) none; they keep their place and all else.

        The updates may be a generator, which is read as they are written; the index is locked for that time. All
        embeddings of one call have the same width. It may be another one than the index's: those of a new model take
        the place of the old ones, and are searched when none of the old ones is left.

        :param updates: What is new, by ids; those that are not there are passed over. Of several for one document the
            last is taken.
        :param encoder: The encoder of the embeddings, as for :meth:`write_documents`.
        :raises ValueError: If metadata hold something else than JSON values; if embeddings are of several widths, hold
            NaN or infinity, or their fingerprints are not of the encoder and the documents' texts; if a question
            changes that an old embedding is of.
        :raises OtherEncoderError: If the index's embeddings are of another encoder.
        :raises IndexLockedError: If another writer is at work.
        """
        if self._commits.last() is None:
            return
        with self._commits.transaction(large=True, any_width=True, encoder=encoder) as transaction:
            generation = transaction.generation
            for piece in batched(updates, _UPDATES):
                given = {update.id: update for update in piece}
                for order, address in generation.searcher.with_ids(list(given)):
                    document = generation.searcher.document(order, address)
                    update = given[document.id]
                    row = generation.row(address)
                    if update.embedding is not None:
                        # Fingerprint and passages are the old embedding's.
                        old = (FINGERPRINT_FIELD, PASSAGES_FIELD)
                        meta = {key: value for key, value in document.meta.items() if key not in old}
                        document, row = replace(document, embedding=list(update.embedding), meta=meta), None
                    document = with_meta(document, update.meta)
                    transaction.writer.delete_documents_by_term(ID_FIELD, document.id)
                    transaction.add(document, order, row)

    def count_documents_by_filter(self, filters: dict[str, Any]) -> int:
        """
        Count the documents that a filter keeps.

        :param filters: A filter in Haystack's syntax.
        :returns: Their number.
        """
        generation = self._commits.last()
        return 0 if generation is None else generation.count(generation.matching(filters))

    def ids_not_in(self, keep_ids: Iterable[str]) -> list[str]:
        """
        Say which documents are gone from their source.

        :param keep_ids: Ids of all that the source still holds; read once, in pieces, so that a generator will do.
        :returns: The ids of the others, in the order in which the documents were written.
        """
        generation = self._commits.last()
        return [] if generation is None else generation.missing_from(keep_ids)

    def count_unique_metadata_by_filter(self, filters: dict[str, Any], metadata_fields: list[str]) -> dict[str, int]:
        """
        Count the different values of metadata fields among the documents that a filter keeps.

        :param filters: A filter in Haystack's syntax.
        :param metadata_fields: Names of fields, with or without "meta.".
        :returns: For each name, without "meta.", the number of different values.
        """
        return metadata.count_unique(self._metas(filters), metadata_fields)

    def get_metadata_fields_info(self) -> dict[str, dict[str, str]]:
        """
        Tell which metadata fields there are.

        :returns: For each field `{"type": ...}`: boolean, int, float or keyword.
        """
        return metadata.types(self._metas(None))

    def get_metadata_field_min_max(self, metadata_field: str) -> dict[str, Any]:
        """
        Find a metadata field's least and greatest value.

        :param metadata_field: The field's name, with or without "meta.".
        :returns: `min` and `max`, both None if there is nothing to compare.
        """
        return metadata.min_max(self._metas(None), metadata_field)

    def get_metadata_field_unique_values(
        self,
        metadata_field: str,
        search_term: str | None = None,
        from_: int = 0,
        size: int = 10,
        filters: dict[str, Any] | None = None,
    ) -> tuple[list[Any], int]:
        """
        List a metadata field's different values, sorted by their text.

        :param metadata_field: The field's name, with or without "meta.".
        :param search_term: Keep only values that have this in their text, whatever its case.
        :param from_: How many values to pass over.
        :param size: Greatest number of values.
        :param filters: Look only at the documents that this filter keeps.
        :returns: The values, and the number of all of them.
        """
        return metadata.unique_values(self._metas(filters), metadata_field, search_term, from_, size)

    def _metas(self, filters: dict[str, Any] | None) -> Iterator[Mapping[str, Any]]:
        generation = self._commits.last()
        return iter(()) if generation is None else (generation.searcher.meta(*hit) for hit in generation.hits(filters))

    # --- search ---

    def check_search(self, top_k: int, search_fields: Mapping[str, float] | None) -> Mapping[str, float]:
        """
        Check what a search is asked for, without opening the index.

        :param top_k: Greatest number of results.
        :param search_fields: The fields to search and their boosts; None for the store's.
        :returns: The fields and boosts that will be searched.
        :raises ValueError: If `top_k` is less than 1, or a search field is not in the index.
        """
        check_top_k(top_k)
        if search_fields is None:
            return self.search_fields
        check_fields(search_fields, self.search_fields)
        return search_fields

    def document_frequencies(self, words: Sequence[str]) -> dict[str, int]:
        """
        Count the documents that hold a word in one of the search fields, in any form that has its stem.

        :param words: The words.
        :returns: The numbers of documents by the words.
        :raises IndexOpenError: If there is no index to search, or it can't be opened.
        """
        return self._bm25.document_frequencies(self._commits.existing(), words, self.search_fields)

    def bm25_retrieval(
        self,
        query: str,
        *,
        filters: dict[str, Any] | None = None,
        top_k: int = 10,
        scale_score: bool = False,
        search_fields: Mapping[str, float] | None = None,
    ) -> list[Document]:
        """
        Find the documents that match a query best.

        The query is text: it has no syntax. One that holds no word finds nothing. A document's score is the sum of its
        fields' BM25 scores, each times its boost.

        :param query: Any string.
        :param filters: A filter in Haystack's syntax, evaluated in the index while it is searched.
        :param top_k: Greatest number of documents.
        :param scale_score: Squeeze scores into (0, 1) by a sigmoid, as Haystack's own store does.
        :param search_fields: The fields to search and their boosts, instead of the store's.
        :returns: New documents with their scores, the best first, equal scores in the order of writing. Which of
            several that have the last one's score are among them depends on where they lie in the index.
        :raises ValueError: If `top_k` is less than 1, or a search field is not in the index.
        :raises IndexOpenError: If there is no index, or not one that can be opened.
        """
        boosts = self.check_search(top_k, search_fields)
        generation = self._commits.existing()
        hits = self._bm25.search(generation, query, top_k, boosts, filters)
        if not hits:
            return []
        orders = generation.searcher.orders([address for _, address in hits])
        ranked = sorted(
            ((score, order, address) for (score, address), order in zip(hits, orders, strict=True)),
            key=lambda hit: (-hit[0], hit[1]),
        )
        return [
            _found(generation.searcher.document(order, address, _scale(score) if scale_score else score))
            for score, order, address in ranked
        ]

    def embedding_retrieval(
        self, query_embedding: Sequence[float], *, filters: dict[str, Any] | None = None, top_k: int = 10
    ) -> list[Document]:
        """
        Find the documents whose embeddings are nearest to a query's.

        Every embedding is compared, so these are the very best. A document's score is the cosine; documents without an
        embedding are not found.

        :param query_embedding: The query's embedding.
        :param filters: A filter in Haystack's syntax.
        :param top_k: Greatest number of documents.
        :returns: New documents with their scores, the best first, equal scores in the order of writing.
        :raises ValueError: If `top_k` is less than 1, or the embedding is of another width than the index's or holds
            NaN or infinity.
        :raises IndexOpenError: If there is no index, or not one that can be opened.
        :raises haystack.document_stores.errors.DocumentStoreError: If the index has documents, but none of them has an
            embedding.
        """
        check_top_k(top_k)
        generation = self._commits.existing()
        query = self._nearest.query(generation, query_embedding)
        [hits] = self._nearest.search(generation, [query], top_k, filters)
        return [_found(generation.searcher.document(hit.order, hit.address, hit.score)) for hit in hits]

    def hybrid_retrieval(
        self,
        query: str,
        query_embedding: Sequence[float],
        *,
        filters: dict[str, Any] | None = None,
        top_k: int = 10,
        search_fields: Mapping[str, float] | None = None,
        fusion: FusionMethod = "weighted",
        weight: float | None = None,
    ) -> list[Document]:
        """
        Find documents by BM25 and by embeddings: the best of both searches' `top_k`.

        Every document has both scores, whichever search has found it; they are in its metadata as `bm25_score` (0 if
        it holds no word of the query) and `vector_score` (None if it has no embedding). The latter is the cosine, with
        that of the :mod:`passages <answer_selection.indexing.passages>` in it where there are some. Its score is made
        of both, see :mod:`answer_selection.indexing.fusion`. The documents come without their embeddings, which a
        pipeline would copy number by number from component to component.

        :param query: Any string.
        :param query_embedding: The query's embedding.
        :param filters: A filter in Haystack's syntax.
        :param top_k: Greatest number of documents, of each search and of both.
        :param search_fields: The fields to search and their boosts, instead of the store's.
        :param fusion: How one score is made of both: "weighted" (by their values) or "reciprocal_rank".
        :param weight: The vectors' weight; that of BM25 is 1. None is 75 for "weighted", 1 for "reciprocal_rank".
        :returns: New documents with their scores, the best first, equal scores in the order of writing.
        :raises ValueError: As :meth:`bm25_retrieval` and :meth:`embedding_retrieval`; or if the fusion is unknown or
            the weight less than 0.
        :raises IndexOpenError: If there is no index, or not one that can be opened.
        :raises haystack.document_stores.errors.DocumentStoreError: If the index has documents, but none of them has an
            embedding.
        """
        boosts, fuse = self.check_search(top_k, search_fields), Fusion(fusion, weight)
        generation = self._commits.existing()
        vector = self._nearest.query(generation, query_embedding)
        [nearest] = self._nearest.search(generation, [vector], top_k, filters)
        hits = self._hybrid.search(generation, query, vector, nearest, top_k, boosts, fuse, filters)
        return [
            with_meta(
                _found(generation.searcher.document(scored.id, address, scored.score, embedding=False)),
                {BM25_SCORE: scored.bm25_score, VECTOR_SCORE: scored.vector_score},
            )
            for scored, address in hits
        ]

    @property
    def has_vectors(self) -> bool:
        """Whether any document has an embedding; False as well if there is no index yet."""
        generation = self._commits.last()
        return generation is not None and generation.has_vectors

    @property
    def has_passages(self) -> bool:
        """Whether any document has vectors of passages; False as well if there is no index yet."""
        generation = self._commits.last()
        return generation is not None and generation.has_passages

    @property
    def label(self) -> str:
        """The folder's name."""
        return self.path.absolute().name

    @property
    def location(self) -> str:
        """The folder's path."""
        return str(self.path)

    def search_ids(
        self, queries: Sequence[str], top_k: int, fields: Mapping[str, float] | None = None
    ) -> Iterator[list[str]]:
        """
        Find the ids of the best documents for many queries.

        No documents are built, all cores search, and results are given as they come, so memory stays the same
        whatever the number of queries. All queries see the index as it is at the time of the call.

        :param queries: The queries' texts.
        :param top_k: Greatest number of ids for a query.
        :param fields: The fields to search and their boosts, instead of the store's.
        :returns: For each query, in order, its ids, the best first.
        :raises ValueError: If `top_k` is less than 1, or a field is not in the index.
        :raises IndexOpenError: If there is no index, or not one that can be opened.
        """
        return (ids for ids, _ in self._search_many(queries, top_k, fields))

    def search_scored(
        self, queries: Sequence[str], top_k: int, fields: Mapping[str, float] | None = None
    ) -> Iterator[list[tuple[str, float]]]:
        """
        Find the ids of the best documents for many queries, and their scores; otherwise as :meth:`search_ids`.

        :param queries: The queries' texts.
        :param top_k: Greatest number of ids for a query.
        :param fields: The fields to search and their boosts, instead of the store's.
        :returns: For each query, in order, its ids with their scores, the best first.
        :raises ValueError: If `top_k` is less than 1, or a field is not in the index.
        :raises IndexOpenError: If there is no index, or not one that can be opened.
        """
        found = self._search_many(queries, top_k, fields)
        return (list(zip(ids, scores, strict=True)) for ids, scores in found)

    def _search_many(
        self, queries: Sequence[str], top_k: int, fields: Mapping[str, float] | None
    ) -> Iterator[tuple[list[str], list[float]]]:
        """Each query's ids and scores. Arguments and index are looked at now, the searches come with the iteration."""
        if isinstance(queries, str):
            msg = "queries must be a sequence of strings, got one string"
            raise ValueError(msg)
        boosts = self.check_search(top_k, fields)
        return self._bm25.search_many(self._commits.existing(), queries, top_k, boosts)

    def search_hybrid(
        self,
        queries: Sequence[str],
        query_embeddings: Sequence[Sequence[float]],
        top_k: int,
        fields: Mapping[str, float] | None = None,
        *,
        weight: float | None = None,
    ) -> Iterator[list[ScoredByBoth[str]]]:
        """
        Find the best documents for many queries by BM25 and by embeddings; otherwise as :meth:`search_ids`.

        :param queries: The queries' texts.
        :param query_embeddings: Their embeddings.
        :param top_k: Greatest number of documents for a query, of each search and of both.
        :param fields: The fields to search and their boosts, instead of the store's.
        :param weight: The vectors' weight; that of BM25 is 1. None is 75.
        :returns: For each query, in order, its documents' ids and scores, the best first.
        :raises ValueError: If an argument is not right; while it goes on, if an embedding can't be searched for.
        :raises IndexOpenError: If there is no index, or not one that can be opened.
        """
        if isinstance(queries, str) or len(queries) != len(query_embeddings):
            msg = "queries must be a sequence of strings, as many as query_embeddings"
            raise ValueError(msg)
        boosts, fuse = self.check_search(top_k, fields), Fusion(weight=weight)
        generation = self._commits.existing()
        self._nearest.vectors(generation)

        def search(pairs: Sequence[tuple[str, Sequence[float]]]) -> list[list[ScoredByBoth[str]]]:
            ids, vectors = generation.ids(), [self._nearest.query(generation, each) for _, each in pairs]
            results = []
            nearest = self._nearest.search(generation, vectors, top_k)
            for (text, _), vector, near in zip(pairs, vectors, nearest, strict=True):
                hits = self._hybrid.search(generation, text, vector, near, top_k, boosts, fuse)
                found = ids.of(_orders(scored.id for scored, _ in hits))
                results.append([ScoredByBoth(id_, *scored[1:]) for id_, (scored, _) in zip(found, hits, strict=True)])
            return results

        return on_all_cores(search, zip(queries, query_embeddings, strict=True))

    def iter_pages(self, fields: Sequence[str], page_size: int = 1000) -> Iterator[list[dict[str, Any]]]:
        """
        Go through all documents in the order in which they were written, a page at a time.

        The pages show the index as it is at the time of the call; one page is in memory at a time.

        :param fields: Names of a Document's fields ("id", "content", "meta", ...), or "meta.<key>", nested keys with
            dots between them.
        :param page_size: Number of documents in a page; the last may have fewer.
        :returns: Pages, each a list of dictionaries from field names to values (None where a document has none).
        :raises ValueError: If a field is unknown or the page size is less than 1.
        :raises IndexOpenError: If there is no index, or not one that can be opened.
        """
        wanted = Fields(fields)
        if page_size < 1:
            msg = f"page_size must be at least 1, got {page_size}"
            raise ValueError(msg)
        generation = self._commits.existing()
        # To unpack an embedding takes longer than all else.
        document = partial(generation.searcher.document, embedding="embedding" in fields)
        return ([wanted.of(document(*hit)) for hit in page] for page in batched(generation.hits(), page_size))

    # --- the same without blocking an event loop ---

    count_documents_async = in_thread(count_documents)
    filter_documents_async = in_thread(filter_documents)
    write_documents_async = in_thread(write_documents)
    delete_documents_async = in_thread(delete_documents)
    delete_all_documents_async = in_thread(delete_all_documents)
    delete_by_filter_async = in_thread(delete_by_filter)
    update_by_filter_async = in_thread(update_by_filter)
    count_documents_by_filter_async = in_thread(count_documents_by_filter)
    count_unique_metadata_by_filter_async = in_thread(count_unique_metadata_by_filter)
    get_metadata_fields_info_async = in_thread(get_metadata_fields_info)
    get_metadata_field_min_max_async = in_thread(get_metadata_field_min_max)
    get_metadata_field_unique_values_async = in_thread(get_metadata_field_unique_values)
    bm25_retrieval_async = in_thread(bm25_retrieval)
    embedding_retrieval_async = in_thread(embedding_retrieval)
    hybrid_retrieval_async = in_thread(hybrid_retrieval)
    close_async = in_thread(close)


def _found(document: Document) -> Document:
    """A document as a search gives it. Passages are for the search alone, and long."""
    return replace(document, meta=without(document.meta)) if PASSAGES_FIELD in document.meta else document


def _scale(score: float) -> float:
    return 1 / (1 + math.exp(-score / _SCALING_FACTOR))


def _orders(orders: Iterable[int]) -> NDArray[np.int64]:
    return np.fromiter(orders, np.int64)
