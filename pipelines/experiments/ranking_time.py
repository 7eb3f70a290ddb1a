# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The time that it takes to rank candidates."""

import time
from pathlib import Path
from random import Random
from statistics import median
from typing import Final

import torch
from haystack import Document
from haystack.utils import ComponentDevice

from answer_selection.indexing.candidates import read_jsonl
from haystack_integrations.components.rankers.answer_selection import AnswerRanker

CANDIDATES: Final = 100
_ROUNDS, _WARM_UP = 9, 2


def time_ranker(model: Path, lists: Path) -> float:
    """
    Measure how long candidates take to be ranked, through the component, on one thread of the CPU.

    :param model: The model's folder.
    :param lists: Candidate lists, whose questions and answers are ranked.
    :returns: Milliseconds for :data:`CANDIDATES` candidates, the median of several rounds of other texts.
    """
    queries, answers = [], []
    for candidates in read_jsonl(lists):
        queries.append((candidates.query, candidates.query_meta))
        answers += [(one.answer, one.meta) for one in candidates.candidates]
    random, threads = Random(0), torch.get_num_threads()  # noqa: S311 - a sample, not a secret
    # A small data set's answers come again in later rounds: none is to be encoded already.
    # The CPU also where there is an accelerator: tables compare models that were trained on different machines.
    ranker = AnswerRanker(model=model, answer_cache_mib=0, device=ComponentDevice.from_str("cpu"))
    ranker.warm_up()
    taken = []
    torch.set_num_threads(1)
    try:
        for _ in range(_WARM_UP + _ROUNDS):
            query, query_meta = random.choice(queries)
            documents = [
                Document(id=str(place), content=answer, meta=meta)
                for place, (answer, meta) in enumerate(random.choices(answers, k=CANDIDATES))
            ]
            start = time.perf_counter()
            ranker.run(query=query, documents=documents, top_k=CANDIDATES, query_meta=query_meta)
            taken.append(time.perf_counter() - start)
    finally:
        torch.set_num_threads(threads)
    return 1000 * median(taken[_WARM_UP:])
