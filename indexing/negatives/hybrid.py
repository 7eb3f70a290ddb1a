# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Mining from an index with vectors: candidates by BM25 and by vectors, each with both scores.

An entry's vector is of its question and its answer, so that the entry's own question finds itself: a model that learned
from such cosines would trust them more than any user's question deserves. A query that is an entry's own question is
therefore held against the answers alone, the right one and all others alike, as BM25 is that reads the answers alone;
so are its passages, which begin with the question too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from answer_selection.indexing.candidates import Candidate, CandidateList
from answer_selection.indexing.encoder import TextEncoder
from answer_selection.indexing.fusion import VECTOR_WEIGHT, Fusion, with_passages
from answer_selection.indexing.passages import pieces
from answer_selection.indexing.ranking_fields import BM25_SCORE, RETRIEVER_RANK, RETRIEVER_SCORE, VECTOR_SCORE

# An answer comes back under many questions, with its sentences. Of the usual encoders' vectors, 200 MB.
_CACHED_TEXTS: Final = 1 << 17


@dataclass(frozen=True, slots=True)
class HybridSearch:
    """
    How queries search an index with vectors.

    :param encoder: what made its vectors.
    :param weight: the vectors' weight; that of BM25 is 1.
    :param own_questions: whether the queries are the entries' own questions.
    :param passages: whether the index has passages, so that its cosines are with theirs.
    """

    encoder: TextEncoder
    weight: float = VECTOR_WEIGHT
    own_questions: bool = False
    passages: bool = False
    _vectors: dict[str, NDArray[np.float32]] = field(default_factory=dict, repr=False, compare=False)

    def settings(self) -> dict[str, Any]:
        """
        Say what decides its candidates.

        :returns: what is kept beside the lists.
        """
        record = self.encoder.record
        settings = {"encoder": record.fingerprint, "weight": self.weight, "own_questions": self.own_questions}
        # Lists of an index without passages are what they were before there were any.
        return {**settings, "passages": True} if self.passages else settings

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """
        Encode texts, those that were seen lately not again.

        :param texts: the texts.
        :returns: their vectors, [n, dimension].
        """
        different = dict.fromkeys(texts)
        new = [text for text in different if text not in self._vectors]
        if len(self._vectors) + len(new) > _CACHED_TEXTS:
            self._vectors.clear()
            new = list(different)
        if new:
            self._vectors.update(zip(new, self.encoder.encode(new), strict=True))
        return np.stack([self._vectors[text] for text in texts])

    def complete(self, one: CandidateList) -> CandidateList:
        """
        Give candidates the cosines that the search did not give, or not as they are to be learned from.

        What was found for an entry's own question is held against the answers alone, and ordered anew. A relevant
        answer that was not found for another query gets the cosine of the answer.

        :param one: what was sampled for a query.
        :returns: the same with these cosines.
        """
        candidates = list(one.candidates)
        places = [place for place, each in enumerate(candidates) if self.own_questions or _not_found(each.meta)]
        if not places:
            return one
        # An answer, and as its passages its sentences without the question.
        texts = [
            [answer, *(pieces(answer) if self.passages else [])] for answer in (candidates[i].answer for i in places)
        ]
        [query, *vectors] = self.vectors([one.query, *chain.from_iterable(texts)])
        cosines = iter((np.stack(vectors) @ query).tolist())
        for place, [_, *passages] in zip(places, texts, strict=True):
            cosine, best = next(cosines), max(islice(cosines, len(passages)), default=None)
            scored = {**candidates[place].meta, VECTOR_SCORE: with_passages(cosine, best)}
            candidates[place] = replace(candidates[place], meta=scored)
        if all(RETRIEVER_SCORE in each.meta for each in candidates):
            candidates = self._ordered(candidates)
        return replace(one, candidates=tuple(candidates))

    def _ordered(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """What was retrieved, by the score of both as it is now."""
        metas = [each.meta for each in candidates]
        found = np.ones(len(candidates), dtype=bool)
        scores = Fusion(weight=self.weight).scores(
            _column(metas, BM25_SCORE), _column(metas, VECTOR_SCORE), found, found
        )
        order = np.argsort(-scores, kind="stable").tolist()
        return [
            replace(
                candidates[place],
                meta={**metas[place], RETRIEVER_RANK: rank, RETRIEVER_SCORE: float(scores[place])},
            )
            for rank, place in enumerate(order, start=1)
        ]


def _not_found(meta: Mapping[str, Any]) -> bool:
    return RETRIEVER_RANK not in meta


def _column(metas: Sequence[Mapping[str, Any]], key: str) -> NDArray[np.float64]:
    return np.array([meta[key] for meta in metas], dtype=np.float64)
