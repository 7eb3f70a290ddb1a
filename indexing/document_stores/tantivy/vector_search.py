# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Searching a commit by vectors: cosines with all that there are, and so the very best."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from haystack.document_stores.errors import DocumentStoreError
from numpy.typing import NDArray

import tantivy
from answer_selection.indexing.unit_vector import check_width, unit
from haystack_integrations.document_stores.tantivy.generation import Generation
from haystack_integrations.document_stores.tantivy.vectors import Vectors

# How many products, in single precision, are in memory at a time.
_PRODUCTS: Final = 1 << 23
# If a filter keeps less than this part of the vectors, they are copied out of all and multiplied alone.
_FEW: Final = 1 / 8
# Products of which the greatest is looked at first.
_BLOCK: Final = 64


class VectorHit(NamedTuple):
    """
    A document that was found.

    :param score: Its cosine with the query.
    :param order: Its place in the order of writing.
    :param address: Where it is.
    """

    score: float
    order: int
    address: tantivy.DocAddress


class VectorSearch:
    """
    Searches by vectors.

    :param path: The store's folder, for messages.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def query(self, generation: Generation, embedding: Sequence[float]) -> NDArray[np.float64]:
        """
        Look at a query's embedding.

        :param generation: What is searched.
        :param embedding: The embedding.
        :returns: The unit vector.
        :raises ValueError: If it is none, or of another width than the index's vectors.
        :raises DocumentStoreError: If the index has no vectors.
        """
        vector = unit(embedding, "query_embedding")
        widths = self.vectors(generation).widths
        if len(widths) > 1:
            msg = (
                f"the vectors of the index in {self._path} are of several widths "
                f"({', '.join(map(str, widths))}): embed all documents by one model, by `update_documents`"
            )
            raise DocumentStoreError(msg)
        if widths:
            check_width(len(vector), widths[0], f"in {self._path}")
        return vector

    def vectors(self, generation: Generation) -> Vectors:
        """
        Give a commit's vectors.

        :param generation: The commit.
        :returns: Its vectors; none of an index without documents.
        :raises DocumentStoreError: If there are documents, but none of them has a vector.
        """
        if generation.vectors is None:
            msg = (
                f"the index in {self._path} was made by an earlier version and has no place for vectors: write its "
                "documents with their embeddings into a new folder"
            )
            raise DocumentStoreError(msg)
        if not generation.vectors.parts and generation.searcher.num_docs:
            msg = (
                f"no document of the index in {self._path} has an embedding: write the documents with theirs, or add "
                "them by `update_documents`"
            )
            raise DocumentStoreError(msg)
        return generation.vectors

    def search(
        self,
        generation: Generation,
        queries: Sequence[NDArray[np.float64]],
        top_k: int,
        filters: dict[str, Any] | None = None,
    ) -> Iterator[list[VectorHit]]:
        """
        Find the nearest documents of each query.

        :param generation: What is searched.
        :param queries: Unit vectors, each from :meth:`query`.
        :param top_k: Greatest number of documents for a query.
        :param filters: A filter in Haystack's syntax.
        :returns: Each query's documents, the best first, equal scores in the order of writing.
        """
        vectors = self.vectors(generation)
        kept = generation.vector_positions(vectors, filters)
        number = len(vectors.rows) if kept is None else len(kept)
        if not number:
            yield from ([] for _ in queries)
            return
        few = vectors.take(kept) if kept is not None and number < _FEW * len(vectors.rows) else None
        at_once = max(1, _PRODUCTS // len(vectors.rows))
        for start in range(0, len(queries), at_once):
            some = np.stack(queries[start : start + at_once])
            single = some.astype(np.float32)
            if few is not None:
                products = single @ few.T
            else:
                products = vectors.products(single)
                if kept is not None:
                    products = products[:, kept]
            for query, row in zip(some, products, strict=True):
                best = _best(row, top_k, len(query))
                yield self._hits(generation, vectors, query, best if kept is None else kept[best], top_k)

    def cosines(
        self, generation: Generation, query: NDArray[np.float64], addresses: list[tantivy.DocAddress]
    ) -> NDArray[np.float64]:
        """
        Give documents' cosines with a query.

        :param generation: What is searched.
        :param query: A unit vector, from :meth:`query`.
        :param addresses: Where the documents are.
        :returns: The cosines; NaN for a document without a vector.
        """
        vectors = self.vectors(generation)
        rows = generation.searcher.rows(addresses)
        cosines = np.full(len(rows), np.nan)
        there = np.array([row is not None for row in rows], bool)
        if there.any():
            positions = vectors.positions(np.array([row for row in rows if row is not None], np.int64))
            cosines[there] = _exact(vectors.take(positions), query)
        return cosines

    def _hits(
        self,
        generation: Generation,
        vectors: Vectors,
        query: NDArray[np.float64],
        positions: NDArray[np.int64],
        top_k: int,
    ) -> list[VectorHit]:
        """The best of a few documents, by their positions among the vectors."""
        cosines = dict(
            zip(vectors.rows[positions].tolist(), _exact(vectors.take(positions), query).tolist(), strict=True)
        )
        found = generation.searcher.with_rows(list(cosines))
        orders = generation.searcher.orders([address for _, address in found])
        hits = [VectorHit(cosines[row], order, address) for (row, address), order in zip(found, orders, strict=True)]
        return sorted(hits, key=lambda hit: (-hit.score, hit.order))[:top_k]


def _best(products: NDArray[np.float32], top_k: int, width: int) -> NDArray[np.int64]:
    """Where the greatest are, and those that may be as great: the sum of single products is rounded at every step."""
    if top_k >= len(products):
        return np.arange(len(products))
    # The least of so many blocks' greatest is not above the one that is looked for, and leaves few to be sorted.
    greatest = np.maximum.reduceat(products, np.arange(0, len(products), _BLOCK))
    some = products[products >= _least(greatest, top_k)] if top_k < len(greatest) else products
    least = _least(some, top_k)
    # Two sums, each off by at most width * 2**-24 for vectors of length 1, and as much again for their own rounding.
    return np.flatnonzero(products >= least - 4 * width * 2.0**-24)


def _least(products: NDArray[np.float32], top_k: int) -> np.float32:
    """The least of the greatest."""
    least: np.float32 = np.partition(products, len(products) - top_k)[len(products) - top_k]
    return least


def _exact(vectors: NDArray[np.float32], query: NDArray[np.float64]) -> NDArray[np.float64]:
    """Cosines in double precision, every row summed in the same way, so that equal vectors have equal scores."""
    cosines: NDArray[np.float64] = (vectors.astype(np.float64) * query).sum(axis=1)
    return cosines
