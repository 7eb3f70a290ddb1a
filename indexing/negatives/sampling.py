# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Sampling a query's negatives from its hits.

From the best BM25 answers to it, as YahooQA's were (Tay et al. 2017, "Learning to rank question answer pairs with
holographic dual LSTM architecture", section 4.3: four negatives from the top 1000 hits), or from all of them.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

import numpy as np

from answer_selection.indexing.batched import batched
from answer_selection.indexing.candidates import Candidate, CandidateList
from answer_selection.indexing.corpus import Query
from answer_selection.indexing.negatives.answers import Answer, AnswerTable
from answer_selection.indexing.negatives.hits import Hit
from answer_selection.indexing.negatives.plan import SamplingPlan
from answer_selection.indexing.text.sameness import sameness
from answer_selection.indexing.text.tree import TREE_FIELD, is_tree_of


class Sampler:
    """
    Turns one query and its hits into its candidate list: a function of these, the plan and the answers alone.

    :param answers: the answers of all hits and of the relevant entries.
    :param plan: how to sample.
    :param held_out: ids of entries that are kept apart.
    """

    def __init__(self, answers: AnswerTable, plan: SamplingPlan, held_out: Collection[str]) -> None:
        self.answers, self.plan, self.held_out = answers, plan, held_out

    def candidates(self, query: Query, hits: Sequence[Hit]) -> CandidateList | None:
        """
        Sample a query's candidates.

        :param query: the query.
        :param hits: what was found for it, best first.
        :returns: its list, or None where the query has to be left out.
        :raises ValueError: if a relevant entry has no answer.
        """
        apart = bool(query.relevant) and all(id_ in self.held_out for id_ in query.relevant)
        hits = [hit for hit in hits if (hit.id in self.held_out) == apart]
        if self.plan.mode == "retrieved":
            return self._retrieved(query, hits)
        if self.plan.exact and not self.plan.fits(query.query):
            return None
        random = self.plan.random(query.query_id)
        if not query.relevant:
            return None
        relevant = self._relevant(query)
        positives = [id_ for id_, answer in relevant.items() if self.plan.fits(answer.text)]
        if self.plan.one_positive and positives:
            positives = [positives[int(random.integers(len(positives)))]]
        if not positives:
            return None
        negatives = self._negatives(query, hits, relevant, random)
        if not negatives or (self.plan.exact and len(negatives) < self.plan.negatives):
            return None
        places = {hit.id: hit for hit in hits}
        candidates = [
            Candidate(id_, relevant[id_].text, 1, _meta(relevant[id_], places.get(id_))) for id_ in positives
        ] + negatives
        # In no order that says anything: a ranker that ties them all must not come out right.
        shuffled = tuple(candidates[i] for i in random.permutation(len(candidates)))
        return CandidateList(query.query_id, query.query, shuffled, {})

    def _relevant(self, query: Query) -> dict[str, Answer]:
        """The relevant answers, in the query's own order."""
        found = self.answers.get(query.relevant)
        for id_ in query.relevant:
            if id_ not in found:
                msg = f"query '{query.query_id}': relevant entry '{id_}' is not in the store, or has no answer there"
                raise ValueError(msg)
        return {id_: found[id_] for id_ in query.relevant}

    def _negatives(
        self,
        query: Query,
        hits: Sequence[Hit],
        relevant: Mapping[str, Answer],
        random: np.random.Generator,
    ) -> list[Candidate]:
        seen = {answer.sameness for answer in relevant.values()}
        asked = sameness(query.query)
        hits = [hit for hit in hits if hit.id not in relevant]

        def admissible(order: Iterable[Hit]) -> Iterator[Candidate]:
            # Texts are fetched for a few hits at a time: out of a thousand, about as many as are wanted are looked at.
            for some in batched(order, 2 * self.plan.negatives):
                rows = self.answers.get([hit.id for hit in some])
                for hit in some:
                    answer = rows.get(hit.id)
                    # Another answer to the question itself may be as right as the relevant ones.
                    if answer is None or answer.question == asked or answer.sameness in seen:
                        continue
                    if self.plan.fits(answer.text):
                        seen.add(answer.sameness)
                        yield Candidate(hit.id, answer.text, 0, _meta(answer, hit))

        best = islice(admissible(hits), self.plan.keep_top)
        return list(islice(chain(best, admissible(self._order(hits, random))), self.plan.negatives))

    def _order(self, hits: Sequence[Hit], random: np.random.Generator) -> list[Hit]:
        """A random order to take negatives in; what was drawn at random has one."""
        if self.plan.mode == "random":
            return list(hits)
        return [hits[i] for i in np.argsort(random.random(len(hits)), kind="stable")]

    def _retrieved(self, query: Query, hits: Sequence[Hit]) -> CandidateList:
        hits = hits[: self.plan.longest]
        rows = self.answers.get([hit.id for hit in hits])
        same = {answer.sameness for answer in self.answers.get(query.relevant).values()}
        asked = sameness(query.query)
        candidates = []
        for hit in hits:
            answer = rows.get(hit.id)
            label = int(hit.id in query.relevant)
            if answer and (label or (answer.sameness not in same and answer.question != asked)):
                candidates.append(Candidate(hit.id, answer.text, label, _meta(answer, hit)))
        return CandidateList(query.query_id, query.query, tuple(candidates), {})


def _meta(answer: Answer, hit: Hit | None) -> dict[str, Any]:
    """What is known of an answer as a candidate: where it was found, and its parse tree."""
    found = {} if hit is None else hit.meta()
    # It may be the tree of question and answer together, for a ranker that reads both.
    if answer.tree is not None and is_tree_of(answer.tree, answer.text):
        found[TREE_FIELD] = answer.tree
    return found
