# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What every ranker of this package does with documents, whatever it scores them by."""

import math
import numbers
import reprlib
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Any, Final, Self, TypeGuard

import numpy as np
from haystack import Document, default_from_dict
from haystack.utils.misc import _deduplicate_documents

from answer_selection.indexing.passages import PASSAGES_FIELD
from answer_selection.indexing.ranking_fields import RANKER_PROBABILITY, RETRIEVER_RANK, RETRIEVER_SCORE
from answer_selection.indexing.text.answer_text import answer_text
from answer_selection.indexing.word_states import WORDS_FIELD
from haystack_integrations.components.rankers.answer_selection.mixing import Scores
from haystack_integrations.components.rankers.answer_selection.models.record import Record, StoredVector
from haystack_integrations.components.rankers.answer_selection.ranked_text import RankedText

SIGNALS_FIELD: Final = "ranker_signals"
"""Where a ranker that weighs signals says what puts a candidate ahead."""

# From one query's candidates and their pairs to the places of those that are scored.
Choose = Callable[[Sequence[Document], Sequence[Record]], Sequence[int]]
# From one query's raw scores (NaN for what was not scored), its candidates and their pairs to the final scores, and
# what else goes into the metadata.
Combine = Callable[[Scores, Sequence[Document], Sequence[Record]], tuple[Scores, dict[str, list[Any]]]]


class AnswerSelectionRanker:
    """
    The contract that all rankers of this package share.

    - Documents are never changed: what comes back are copies, highest score first, equal scores in their incoming
      order.
    - Of documents with the same id the one with the highest incoming score is kept (the first, if they are equal).
    - A document without content is scored as the empty text, and so is an empty query.
    - `score_threshold` is held against the final score, and `top_k` cuts what is left.
    - A parameter given at run time wins over the constructor's even if it is 0, 0.0 or False; None means "not given".
    - The copies' metadata says how they came in: `retriever_score` (None if there was none) and `retriever_rank` (1 is
      the first, counted after duplicates are gone). Existing keys of these names are replaced.

    A ranker sees a document's content alone. The question an FAQ entry brings along in `meta["question"]` stays unseen
    unless `meta_fields_to_embed` names it.
    """

    def __init__(
        self,
        *,
        top_k: int = 10,
        score_threshold: float | None = None,
        meta_fields_to_embed: list[str] | None = None,
        embedding_separator: str = "\n",
    ) -> None:
        """
        Keeps what all rankers have in common.

        :param top_k: The most documents to return per query.
        :param score_threshold: The least score of a returned document.
        :param meta_fields_to_embed: Metadata whose values are put in front of the content before scoring.
        :param embedding_separator: What stands between those values and the content.
        :raises ValueError: If `top_k` is not greater than 0, or `score_threshold` is NaN.
        """
        self.top_k = top_k
        self.score_threshold = score_threshold
        self.meta_fields_to_embed = list(meta_fields_to_embed or [])
        self.embedding_separator = embedding_separator
        self._limits(None, None)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """
        Deserializes the component from a dictionary.

        :param data: The dictionary that `to_dict` returned.
        :returns: The component.
        """
        return default_from_dict(cls, data)

    def rank(self, query: str, texts: Sequence[str], *, top_k: int | None = None) -> list[RankedText]:
        """
        Ranks texts, without documents around them, in one line of Python.

        Scores are those of `run` with a document a text. The model is loaded by the first call. A model that keeps the
        retriever's order (`retriever_order`) keeps that of the texts, unless the ranker has a `retriever_weight`.

        :param query: The question.
        :param texts: The texts. Equal ones are ranked each.
        :param top_k: The most texts to return. None is all of them, whatever the component's own `top_k`.
        :returns: The texts, highest score first, equal scores in their order; none where the ranker keeps silent.
        :raises ValueError: If `top_k` is not greater than 0, or the model cannot be loaded.
        :raises TypeError: If `query` is no text, or `texts` no list of texts.
        """
        _check_items("texts", texts, str, "texts (str)")
        documents = [Document(id=str(index), content=text) for index, text in enumerate(texts)]
        limit = max(1, len(texts)) if top_k is None else top_k
        [ranked] = self.run_batch([query], [documents], top_k=limit)["documents"]
        return [
            RankedText(index, document.score or 0.0, document.meta.get(RANKER_PROBABILITY), texts[index])
            for document in ranked
            for index in [int(document.id)]
        ]

    def run_batch(
        self,
        queries: Sequence[str],
        documents: Sequence[Sequence[Document]],
        *,
        top_k: int | None = None,
        score_threshold: float | None = None,
        query_metas: Sequence[Mapping[str, Any] | None] | None = None,
    ) -> dict[str, list[list[Document]]]:
        """
        Ranks the documents of many queries in one call.

        :param queries: The questions.
        :param documents: One list of candidates a query.
        :param top_k: The most documents to return per query.
        :param score_threshold: The least final score of a returned document.
        :param query_metas: What else is known of each query.
        :returns: A dictionary with `documents`, one list a query in the queries' order, highest score first.
        """
        raise NotImplementedError

    def score_pairs(self, records: Sequence[Record]) -> Scores:
        """
        Scores pairs of query and answer, without documents around them.

        :param records: Pairs; those of one query stand together.
        :returns: One raw score a pair, in the order of `records`, [n_pairs].
        """
        raise NotImplementedError

    def _score_lists(self, lists: Sequence[Sequence[Record]]) -> Scores:
        """The raw scores of every query's pairs, one list after the other, [n_pairs]."""
        return self.score_pairs([record for pairs in lists for record in pairs])

    def _limits(self, top_k: int | None, score_threshold: float | None) -> tuple[int, float]:
        """The two limits that hold for a call, checked; no threshold is one that every score reaches."""
        top_k = self.top_k if top_k is None else top_k
        if isinstance(top_k, bool) or not isinstance(top_k, numbers.Integral) or top_k <= 0:
            msg = f"top_k must be an integer > 0, but got {top_k!r}"
            raise ValueError(msg)
        score_threshold = self.score_threshold if score_threshold is None else score_threshold
        if score_threshold is None:
            return top_k, -math.inf
        if not isinstance(score_threshold, numbers.Real) or math.isnan(score_threshold):
            msg = f"score_threshold must be a number or None, but got {score_threshold!r}"
            raise ValueError(msg)
        return top_k, score_threshold

    def _records(self, query: str, query_meta: Mapping[str, Any], documents: Sequence[Document]) -> list[Record]:
        """What the ranker sees of one query's pairs."""
        if not documents:
            return []
        texts = [answer_text(document, self.meta_fields_to_embed, self.embedding_separator) for document in documents]
        fields = self._meta_fields()
        metas = [{key: d.meta[key] for key in fields if key in d.meta} if fields else {} for d in documents]
        return [
            Record(query, text, query_meta, meta, vector)
            for text, meta, vector in zip(texts, metas, self._vectors(documents, texts), strict=True)
        ]

    def _meta_fields(self) -> Sequence[str]:
        """The keys of documents' metadata that the ranker reads, a parse tree's for example; by default none."""
        return ()

    def _vectors(
        self,
        documents: Sequence[Document],
        texts: Sequence[str],  # noqa: ARG002  those of rankers that can use some
    ) -> Sequence[StoredVector | None]:
        """The answers' vectors that documents keep and the ranker can use; by default it can use none."""
        return [None] * len(documents)

    def _rerank(
        self,
        queries: Sequence[str],
        documents: Sequence[Sequence[Document]],
        *,
        top_k: int | None,
        score_threshold: float | None,
        query_metas: Sequence[Mapping[str, Any] | None] | None,
        combine: Combine,
        choose: Choose | None = None,
    ) -> list[list[Document]]:
        """
        Scores all pairs of all queries in one call of `score_pairs`, then sorts and cuts every query's own list.

        With `choose` those are the pairs that it chooses, some of each query's.
        """
        limit, threshold = self._limits(top_k, score_threshold)
        _check_types(queries, documents)
        metas = [None] * len(queries) if query_metas is None else query_metas
        if not len(queries) == len(documents) == len(metas):
            msg = (
                f"expected one list of documents and one query_meta per query, but got {len(queries)} queries, "
                f"{len(documents)} lists of documents and {len(metas)} query_metas"
            )
            raise ValueError(msg)

        candidates = [_deduplicate_documents(list(incoming)) for incoming in documents]
        lists = [
            self._records(query, meta or {}, kept) for query, meta, kept in zip(queries, metas, candidates, strict=True)
        ]
        chosen = [
            choose(kept, records) if choose and kept else range(len(kept))
            for kept, records in zip(candidates, lists, strict=True)
        ]
        read = [[records[place] for place in places] for records, places in zip(lists, chosen, strict=True)]
        raw = self._score_lists(read) if any(read) else np.zeros(0)

        ranked = []
        start = 0
        for kept, records, places in zip(candidates, lists, chosen, strict=True):
            scores = raw[start : start + len(places)]
            start += len(places)
            if not (finite := np.isfinite(scores)).all():
                wrong = int(np.argmin(finite))
                msg = (
                    f"{type(self).__name__} scored document '{kept[places[wrong]].id}' with {scores[wrong]}; expected "
                    "a finite number"
                )
                raise ValueError(msg)
            whole = np.full(len(kept), np.nan)
            whole[list(places)] = scores
            ranked.append(_select(kept, records, whole, combine, limit, threshold) if kept else [])
        return ranked


def _check_types(queries: object, documents: object) -> None:
    """Refuse what is no query or no document before it is looked at, and say what is expected."""
    if not _is_list(queries):
        msg = f"queries must be a list of texts (str), but is {reprlib.repr(queries)}"
        raise TypeError(msg)
    for query in queries:
        if not isinstance(query, str):
            msg = f"query must be a text (str), but is {reprlib.repr(query)}"
            raise TypeError(msg)
    if not _is_list(documents):
        msg = f"documents must be a list of lists of Document, but is {reprlib.repr(documents)}"
        raise TypeError(msg)
    for candidates in documents:
        _check_items("documents", candidates, Document, "Document")


def _check_items(name: str, items: object, kind: type, called: str) -> None:
    """Refuse what is no list of a kind; `name` is the argument's, in the plural."""
    if not _is_list(items):
        msg = f"{name} must be a list of {called}, but is {reprlib.repr(items)}"
        raise TypeError(msg)
    for place, item in enumerate(items):
        if not isinstance(item, kind):
            msg = f"{name} must be a list of {called}, but {name[:-1]} {place} is {reprlib.repr(item)}"
            raise TypeError(msg)


def _is_list(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _select(
    documents: list[Document], records: list[Record], raw: Scores, combine: Combine, limit: int, threshold: float
) -> list[Document]:
    """One query's candidates with final scores and metadata, highest first, without those below the threshold."""
    final, columns = combine(raw, documents, records)
    order = np.argsort(-final, kind="stable")
    order = order[final[order] >= threshold][:limit]
    ranked = []
    for index in order.tolist():
        meta = {key: values[index] for key, values in columns.items()}
        meta |= {RETRIEVER_SCORE: documents[index].score, RETRIEVER_RANK: index + 1}
        ranked.append(_rescored(documents[index], float(final[index]), meta))
    return ranked


def _rescored(document: Document, score: float, meta: dict[str, Any]) -> Document:
    """A copy with another score and more metadata."""
    copied = copy(document)
    merged = {**document.meta, **meta}
    # Kilobytes that a result would carry (another AnswerRanker behind this one reads the words itself), and what an
    # earlier ranker went by.
    for key in (WORDS_FIELD, PASSAGES_FIELD, *({SIGNALS_FIELD} - meta.keys())):
        merged.pop(key, None)
    # As `replace` does, in a third of its time: the fields that are made of others stay as they are.
    vars(copied).update(score=score, meta=merged)
    return copied
