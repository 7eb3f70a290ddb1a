# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What the package's ranker reaches on lists is what it does when it ranks their candidates."""

import json
from importlib.resources import files

import numpy as np
import pytest
from haystack import Document

from answer_selection.indexing.candidates import Candidate, CandidateList, write_jsonl
from haystack_integrations.components.rankers.answer_selection import AnswerRanker
from haystack_integrations.components.rankers.answer_selection.training.untrained import measure_untrained

FAQ = files("answer_selection.indexing.library_faq")
LISTS, CANDIDATES = 24, 12


def lines(name):
    return [json.loads(line) for line in (FAQ / name).read_text(encoding="utf-8").splitlines()]


@pytest.mark.slow
def test_it_is_what_the_ranker_does(tmp_path):
    answers = {entry["id"]: entry["answer"] for entry in lines("faq.jsonl")}
    lists, names = [], list(answers)
    for query in lines("validation.jsonl")[::12][:LISTS]:
        # Neighbours are about the same subject.
        place = min(names.index(query["relevant"][0]), len(names) - CANDIDATES)
        near = [entry for entry in names[place : place + CANDIDATES] if entry not in query["relevant"]]
        shown = [query["relevant"][0], *near]
        candidates = tuple(Candidate(entry, answers[entry], int(entry in query["relevant"])) for entry in shown)
        lists.append(CandidateList(query["query_id"], query["query"], candidates, {}))
    write_jsonl(tmp_path / "lists.jsonl", lists)

    ranker, ranks = AnswerRanker(), []
    for one in lists:
        ranked = ranker.run(
            query=one.query, documents=[Document(id=each.candidate_id, content=each.answer) for each in one.candidates]
        )
        ranks.append([document.id for document in ranked["documents"]].index(one.candidates[0].candidate_id) + 1)
    assert len(set(ranks)) > 1
    measures = measure_untrained(tmp_path / "lists.jsonl", use_cpu=True)
    assert measures.mrr == pytest.approx(np.mean([1 / rank for rank in ranks]))
