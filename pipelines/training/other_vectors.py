# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""An index as it will be with the vectors of another encoder, before it is written."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from answer_selection.indexing.corpus_index import CorpusIndex, DocumentUpdate
from answer_selection.indexing.encoder import EncoderRecord, TextEncoder, entry_text
from answer_selection.indexing.fusion import Fusion, ScoredByBoth, with_passages
from answer_selection.indexing.passages import best_cosines, passage_texts
from answer_selection.indexing.progress import Progress

# The most that an index gives at once. Entries with words of the query that come later count as without.
_MATCHES: Final = 10_000


class OtherVectors:
    """
    An index whose vectors are another encoder's. Nothing is written: they are in memory, and BM25 is the index's own.

    It is a `CorpusIndex` with vectors, also over one that has none.

    :param index: The index.
    :param encoder: The other encoder.
    :param progress: Shows progress.
    :param answers_alone: Whether vectors are of the answers, not of questions and answers.
    """

    def __init__(
        self, index: CorpusIndex, encoder: TextEncoder, progress: Progress, *, answers_alone: bool = False
    ) -> None:
        self._index = index
        self.encoder: EncoderRecord | None = encoder.record
        self.has_passages = True
        self._ids: list[str] = []
        vectors = [np.empty((0, encoder.record.dimension), np.float32)]
        # In half precision, as an index keeps them.
        self._passages: dict[int, NDArray[np.float16]] = {}
        with progress("encoding the entries", index.count_documents()) as bar:
            for page in index.iter_pages(["id", "content", "meta.question"]):
                own = [None if answers_alone else row["meta.question"] for row in page]
                entries = [
                    (question if isinstance(question, str) else None, row["content"] or "")
                    for question, row in zip(own, page, strict=True)
                ]
                vectors.append(encoder.encode([entry_text(*entry) for entry in entries]))
                passages = {len(self._ids) + place: passage_texts(*entry) for place, entry in enumerate(entries)}
                texts = list(chain.from_iterable(passages.values()))
                made = iter(encoder.encode(texts) if texts else ())
                for place, each in passages.items():
                    if each:
                        self._passages[place] = np.stack(list(islice(made, len(each)))).astype(np.float16)
                self._ids += [row["id"] for row in page]
                bar(len(self._ids))
        self._vectors = np.concatenate(vectors)
        self._places = {id_: place for place, id_ in enumerate(self._ids)}

    @property
    def label(self) -> str:
        """See `CorpusIndex`."""
        return self._index.label

    @property
    def location(self) -> str:
        """See `CorpusIndex`."""
        return self._index.location

    @property
    def search_fields(self) -> Mapping[str, float]:
        """See `CorpusIndex`."""
        return self._index.search_fields

    def count_documents(self) -> int:
        """See `CorpusIndex`."""
        return self._index.count_documents()

    def search_ids(
        self, queries: Sequence[str], top_k: int, fields: Mapping[str, float] | None = None
    ) -> Iterator[list[str]]:
        """See `CorpusIndex`."""
        return self._index.search_ids(queries, top_k, fields)

    def search_scored(
        self, queries: Sequence[str], top_k: int, fields: Mapping[str, float] | None = None
    ) -> Iterator[list[tuple[str, float]]]:
        """See `CorpusIndex`."""
        return self._index.search_scored(queries, top_k, fields)

    def iter_pages(self, fields: Sequence[str], page_size: int = 1000) -> Iterator[list[dict[str, Any]]]:
        """See `CorpusIndex`."""
        return self._index.iter_pages(fields, page_size)

    def update_documents(self, updates: Iterable[DocumentUpdate]) -> None:
        """See `CorpusIndex`."""
        self._index.update_documents(updates)

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
        Find the best documents for many queries by BM25 and by the other vectors.

        :param queries: The queries' texts.
        :param query_embeddings: Their vectors.
        :param top_k: Greatest number of documents for a query, of each search and of both.
        :param fields: What BM25 searches, with boosts, instead of the index's own.
        :param weight: The vectors' weight; that of BM25 is 1.
        :returns: For each query its documents, the best first.
        """
        fusion = Fusion(weight=weight)
        matches = self._index.search_scored(queries, max(top_k, _MATCHES), fields)
        for embedding, matched in zip(query_embeddings, matches, strict=True):
            cosines = self._vectors @ np.asarray(embedding, np.float32)
            # An entry that was written since then has no vector here.
            known = [(self._places[id_], score) for id_, score in matched if id_ in self._places]
            bm25, in_bm25 = np.zeros(len(cosines)), np.zeros(len(cosines), bool)
            bm25[[place for place, _ in known]] = [score for _, score in known]
            in_bm25[[place for place, _ in known[:top_k]]] = True
            in_nearest = np.zeros(len(cosines), bool)
            in_nearest[np.argsort(-cosines, kind="stable")[:top_k]] = True
            found = np.flatnonzero(in_bm25 | in_nearest)
            best = best_cosines(
                ((place, self._passages[place]) for place in found.tolist() if place in self._passages),
                np.asarray(embedding),
            )
            for place, cosine in best.items():
                cosines[place] = with_passages(cosines[place], cosine)
            scores = fusion.scores(bm25[found], cosines[found].astype(np.float64), in_bm25[found], in_nearest[found])
            yield [
                ScoredByBoth(
                    self._ids[found[one]], float(scores[one]), float(bm25[found[one]]), float(cosines[found[one]])
                )
                for one in np.argsort(-scores, kind="stable")[:top_k].tolist()
            ]
