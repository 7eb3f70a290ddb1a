# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Candidate mode: rankers put given candidate lists in order, as in the papers' setting."""

import inspect
import math
import random
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from haystack import Document

from answer_selection.indexing.batched import batched
from answer_selection.indexing.candidates import Candidate, CandidateList
from answer_selection.indexing.ranking_fields import RETRIEVER_RANK, RETRIEVER_SCORE
from answer_selection.pipelines.evaluation.results import QuestionResult, Ranking
from haystack_integrations.components.rankers.answer_selection.signals import SCORES

# What mining notes about a negative: a positive may have none of it, so that its presence would tell the label. So
# would the scores of a search where only some candidates have them.
_MINING_META = (RETRIEVER_SCORE, RETRIEVER_RANK)


def rank_candidates(
    rankers: Mapping[str, Any], lists: Iterable[CandidateList], *, seed: int = 0, batch_size: int = 64
) -> Iterator[QuestionResult]:
    """
    Ranks every candidate list with every ranker.

    A ranker is given each candidate as a document whose id is the candidate's and which has no score: no retriever
    found it. The incoming order is what decides ties, and in many files it gives the label away (positives first;
    comments by time), so every list is shuffled, seeded by `seed` and the question's id: the same way for all rankers
    and wherever the list stands in its file.

    :param rankers: Haystack ranker components by the name they shall have in the report, the baseline first. One that
        has `run_batch(queries, documents, ...)` gets many lists in a call, any other one list a call by `run`.
    :param lists: The candidate lists; consumed batch by batch.
    :param seed: Seed of the shuffling.
    :param batch_size: Lists in one call of `run_batch`.
    :returns: One result a list, in the order of the lists. The seconds of a list in a batch are the batch's mean; the
        first list is ranked once before any time is taken.
    :raises ValueError: If a list has a candidate id twice, or a ranker leaves out or adds candidates.
    """
    for ranker in rankers.values():
        if hasattr(ranker, "warm_up"):
            ranker.warm_up()
    warm = False
    for batch in batched(lists, batch_size):
        shuffled = [_documents(candidates, seed) for candidates in batch]
        if not warm:
            # What only a first call does, such as compiling, is no part of a question's time.
            for name, ranker in rankers.items():
                _rank(name, ranker, batch[:1], shuffled[:1])
            warm = True
        ranked = {name: _rank(name, ranker, batch, shuffled) for name, ranker in rankers.items()}
        for position, candidates in enumerate(batch):
            yield QuestionResult(
                query_id=candidates.query_id,
                query=candidates.query,
                relevance={candidate.candidate_id: candidate.label for candidate in candidates.candidates},
                closed=True,
                stages={name: rankings[position] for name, rankings in ranked.items()},
                entries=tuple(_entry(candidate) for candidate in candidates.candidates if candidate.label > 0),
            )


def _documents(candidates: CandidateList, seed: int) -> list[Document]:
    """The candidates in an order that does not depend on the one they came in."""
    ordered = sorted(candidates.candidates, key=lambda candidate: candidate.candidate_id)
    for before, after in pairwise(ordered):
        if before.candidate_id == after.candidate_id:
            msg = f"query {candidates.query_id!r}: candidate id {after.candidate_id!r} occurs twice in its list"
            raise ValueError(msg)
    random.Random(f"{seed}:{candidates.query_id}").shuffle(ordered)  # noqa: S311
    partly = (key for key in SCORES if any(candidate.meta.get(key) is None for candidate in ordered))
    untold = {*_MINING_META, *partly}
    return [_document(candidate, untold) for candidate in ordered]


def _entry(candidate: Candidate) -> str:
    """Files may number each list's candidates anew: the same id is the same entry only with the same answer."""
    return f"{candidate.candidate_id}\n{candidate.answer}"


def _document(candidate: Candidate, untold: Collection[str]) -> Document:
    meta = {key: value for key, value in candidate.meta.items() if key not in untold}
    return Document(id=candidate.candidate_id, content=candidate.answer, meta=meta)


def _rank(name: str, ranker: Any, batch: tuple[CandidateList, ...], documents: list[list[Document]]) -> list[Ranking]:
    if hasattr(ranker, "run_batch"):
        start = time.perf_counter()
        outputs = ranker.run_batch(
            queries=[candidates.query for candidates in batch],
            documents=documents,
            **_accepted(
                ranker,
                ranker.run_batch,
                max(map(len, documents)),
                query_metas=[candidates.query_meta for candidates in batch],
            ),
        )["documents"]
        seconds = [(time.perf_counter() - start) / len(batch)] * len(batch)
    else:
        outputs, seconds = [], []
        for candidates, given in zip(batch, documents, strict=True):
            start = time.perf_counter()
            options = _accepted(
                ranker, ranker.run, len(given), query=candidates.query, query_meta=candidates.query_meta
            )
            outputs.append(ranker.run(documents=given, **options)["documents"])
            seconds.append(time.perf_counter() - start)
    return [
        _ranking(name, candidates, given, output, took)
        for candidates, given, output, took in zip(batch, documents, outputs, seconds, strict=True)
    ]


def _accepted(ranker: Any, method: Any, longest: int, **options: Any) -> dict[str, Any]:
    """
    The options that a ranker's method knows.

    Nothing may be cut off, and there is no retriever whose order could be kept: the ranker's own limits are overruled.
    """
    known = inspect.signature(method).parameters
    options.update(top_k=max(longest, 1), score_threshold=-math.inf)
    if getattr(ranker, "keeps_order", False):
        options.update(retriever_weight=0.0)
    return {key: value for key, value in options.items() if key in known}


def _ranking(
    name: str, candidates: CandidateList, given: list[Document], output: list[Document], seconds: float
) -> Ranking:
    if sorted(document.id for document in output) != sorted(document.id for document in given):
        msg = (
            f"query {candidates.query_id!r}: ranker {name!r} was given {len(given)} candidates and returned "
            f"{len(output)}, not the same ones; candidate mode needs every candidate ranked exactly once"
        )
        raise ValueError(msg)
    return Ranking(tuple(document.id for document in output), tuple(document.score for document in output), seconds)
