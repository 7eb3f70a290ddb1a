# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Searching a commit by BM25: one query, or many on all cores."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tantivy
from haystack_integrations.document_stores.tantivy.all_cores import on_all_cores
from haystack_integrations.document_stores.tantivy.analysis import build_analyzer, prepare
from haystack_integrations.document_stores.tantivy.folder import ORDER_FIELD, Settings, text_field
from haystack_integrations.document_stores.tantivy.generation import Generation

Scored = list[tuple[float, tantivy.DocAddress]]
"""Scores, best first, and where the documents are."""


class BM25:
    """
    Searches for any of a text's words in any of the fields.

    :param settings: What the index was made with.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._analyzer = build_analyzer(settings.language)

    def search(
        self,
        generation: Generation,
        text: str,
        top_k: int,
        boosts: Mapping[str, float],
        filters: dict[str, Any] | None = None,
    ) -> Scored:
        """
        Find the best documents for a query.

        :param generation: What is searched.
        :param text: The query.
        :param top_k: Greatest number of documents.
        :param boosts: The fields to search, with their boosts.
        :param filters: A filter in Haystack's syntax.
        :returns: The best ones.
        :raises ValueError: If the query is no string.
        """
        kept = generation.matching(filters) if filters else None
        query = self._text_query(generation, text, boosts)
        # tantivy makes room for as many hits as it is asked for.
        limit = min(top_k, generation.searcher.num_docs)
        if query is None or limit == 0:
            return []
        if kept is not None:
            query = tantivy.Query.boolean_query([(tantivy.Occur.Must, query), (tantivy.Occur.Must, kept)])
        hits: Scored = generation.searcher.search(query, limit).hits
        return hits

    def scores(
        self, generation: Generation, text: str, orders: Sequence[int], boosts: Mapping[str, float]
    ) -> dict[int, float]:
        """
        Score some documents, whether they are among the best or not.

        :param generation: What is searched.
        :param text: The query.
        :param orders: The documents' places in the order of writing.
        :param boosts: The fields to search, with their boosts.
        :returns: The scores of those that hold a word of the query, by their places.
        """
        query = self._text_query(generation, text, boosts)
        if query is None or not orders:
            return {}
        chosen = tantivy.Query.term_set_query(generation.index.schema, ORDER_FIELD, list(orders))
        kept = tantivy.Query.const_score_query(chosen, 0.0)
        query = tantivy.Query.boolean_query([(tantivy.Occur.Must, query), (tantivy.Occur.Must, kept)])
        hits: Scored = generation.searcher.search(query, len(orders)).hits
        found = generation.searcher.orders([address for _, address in hits])
        return {order: score for order, (score, _) in zip(found, hits, strict=True)}

    def document_frequencies(
        self, generation: Generation, words: Sequence[str], boosts: Mapping[str, float]
    ) -> dict[str, int]:
        """
        Count the documents that hold a word, in any form that has its stem.

        :param generation: What is searched.
        :param words: The words.
        :param boosts: The fields to search.
        :returns: The numbers of documents by the words.
        """
        queries = {word: self._text_query(generation, word, boosts) for word in words}
        return {word: 0 if query is None else generation.count(query) for word, query in queries.items()}

    def search_many(
        self, generation: Generation, queries: Sequence[str], top_k: int, boosts: Mapping[str, float]
    ) -> Iterator[tuple[list[str], list[float]]]:
        """
        Find the best documents' ids for many queries. No documents are built, and all cores search.

        :param generation: What is searched.
        :param queries: The queries.
        :param top_k: Greatest number of ids for a query.
        :param boosts: The fields to search, with their boosts.
        :returns: Each query's ids and scores, as they come.
        """

        def search(texts: Sequence[str]) -> list[tuple[list[str], list[float]]]:
            ids, results = generation.ids(), []
            for text in texts:
                orders, scores = _ranked(generation, self.search(generation, text, top_k, boosts))
                results.append((ids.of(orders), scores))
            return results

        return on_all_cores(search, queries)

    def _text_query(self, generation: Generation, text: str, boosts: Mapping[str, float]) -> tantivy.Query | None:
        """Any of the text's words in any of the fields; None if the text holds no word."""
        if not isinstance(text, str):
            msg = f"a query must be a string, got {type(text).__name__}: {text!r}"
            raise ValueError(msg)
        words = Counter(self._analyzer.analyze(prepare(text)))
        schema = generation.index.schema
        clauses = []
        for name, boost in boosts.items():
            schema_name = text_field(self._settings, name)
            for word, count in words.items():
                query = tantivy.Query.term_query(schema, schema_name, word, "freq")
                weight = boost * count
                clauses.append(
                    (tantivy.Occur.Should, query if weight == 1 else tantivy.Query.boost_query(query, weight))
                )
        return tantivy.Query.boolean_query(clauses) if clauses else None


def _ranked(generation: Generation, hits: Scored) -> tuple[NDArray[np.int64], list[float]]:
    """The places of hits in the order of writing, and their scores: best first, equal scores in that order."""
    scores = [score for score, _ in hits]
    if not hits:
        return np.empty(0, np.int64), scores
    orders = np.array(generation.searcher.orders([address for _, address in hits]), np.int64)
    ranks = np.array(scores)
    # Hits come sorted by score, so only runs of equal scores are to be sorted: by the run's number, then by place.
    runs = np.concatenate(([0], np.cumsum(ranks[1:] != ranks[:-1])))
    return orders[np.lexsort((orders, runs))], scores
