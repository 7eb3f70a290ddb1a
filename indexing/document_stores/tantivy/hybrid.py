# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Searching a commit by BM25 and by vectors: the best of both, every one of them with both scores."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import tantivy
from answer_selection.indexing.fusion import Fusion, ScoredByBoth
from answer_selection.indexing.passages import best_cosines
from haystack_integrations.document_stores.tantivy.bm25 import BM25
from haystack_integrations.document_stores.tantivy.generation import Generation
from haystack_integrations.document_stores.tantivy.vector_search import VectorHit, VectorSearch


class HybridHit(NamedTuple):
    """
    A document that was found.

    :param scored: Its scores; its id is its place in the order of writing.
    :param address: Where it is.
    """

    scored: ScoredByBoth[int]
    address: tantivy.DocAddress


class Hybrid:
    """
    Searches by both.

    :param bm25: Searches by words.
    :param vectors: Searches by vectors.
    """

    def __init__(self, bm25: BM25, vectors: VectorSearch) -> None:
        self._bm25, self._vectors = bm25, vectors

    def search(
        self,
        generation: Generation,
        text: str,
        query: NDArray[np.float64],
        nearest: list[VectorHit],
        top_k: int,
        boosts: Mapping[str, float],
        fusion: Fusion,
        filters: dict[str, Any] | None = None,
    ) -> list[HybridHit]:
        """
        Find the best documents for a query.

        :param generation: What is searched.
        :param text: The query.
        :param query: Its unit vector.
        :param nearest: What was found by it: at most `top_k` documents.
        :param top_k: Greatest number of documents, of each search and of both.
        :param boosts: The fields to search, with their boosts.
        :param fusion: Makes one score of both.
        :param filters: A filter in Haystack's syntax.
        :returns: The documents, the best first, equal scores in the order of writing.
        :raises IndexDamagedError: If a document is damaged.
        """
        matches = self._bm25.search(generation, text, top_k, boosts, filters)
        matched = generation.searcher.orders([address for _, address in matches]) if matches else []
        addresses = dict(zip(matched, (address for _, address in matches), strict=True))
        bm25 = dict(zip(matched, (score for score, _ in matches), strict=True))
        cosines = {hit.order: hit.score for hit in nearest}

        only_matched = [order for order in matched if order not in cosines]
        only_near = [hit.order for hit in nearest if hit.order not in bm25]
        missing = self._vectors.cosines(generation, query, [addresses[order] for order in only_matched])
        addresses.update((hit.order, hit.address) for hit in nearest)
        best = fusion.best(
            bm25,
            cosines,
            top_k,
            other_bm25=self._bm25.scores(generation, text, only_near, boosts),
            other_cosines=dict(zip(only_matched, missing.tolist(), strict=True)),
            passages=best_cosines(generation.passages(addresses, len(query)), query),
        )
        return [HybridHit(one, addresses[one.id]) for one in best]
