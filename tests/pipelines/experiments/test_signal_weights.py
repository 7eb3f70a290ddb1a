# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import json

import numpy as np
import pytest
import typer

from answer_selection.indexing.building.embedded import build_index
from answer_selection.indexing.corpus import Query, iter_queries
from answer_selection.indexing.sources import Sources
from answer_selection.pipelines.experiments.signal_weights import Asked, Retrieval, ask, certainty, fit, main, measure
from haystack_integrations.components.rankers.answer_selection import AnswerRanker
from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder
from haystack_integrations.components.rankers.answer_selection.signals import SIGNALS
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore


def questions(
    seed: int, weights: np.ndarray, count: int = 200, noise: float = 0.5, nearest: float = 0.5, candidates: int = 10
) -> list[Asked]:
    """The right candidate has the greatest sum of the weighted signals and some noise."""
    random = np.random.default_rng(seed)
    asked = []
    for _ in range(count):
        same = np.tile([nearest + 0.1 * random.normal(), np.log(candidates / 30), 1.0], (candidates, 1))
        rows = np.concatenate([random.normal(size=(candidates, len(WEIGHTS))), same], axis=1)
        scores = rows[:, : len(WEIGHTS)] @ weights + noise * random.gumbel(size=candidates)
        asked.append(Asked(rows, np.arange(candidates) == scores.argmax()))
    return asked


WORDS = ("door", "desk", "roof", "lift")
WEIGHTS = np.array([1.0, 0.5, 2.0, 0.8, 3.0, -1.0, 0.7])


def test_the_weights_that_made_the_answers_are_found():
    found = fit([questions(0, WEIGHTS), questions(1, WEIGHTS)])
    # The noise has a scale of a half, so that the weights are twice as great in units of log-odds.
    assert found / found[4] == pytest.approx(WEIGHTS / 3, abs=0.1)
    held_out = questions(2, WEIGHTS)
    p1, mrr = measure(held_out, found)
    assert p1 > 0.7 > measure(held_out, np.roll(found, 1))[0]
    assert p1 < mrr < 1


def test_an_faqs_say_grows_as_the_root_of_its_questions():
    other = np.array([1.0, 0.5, 2.0, 0.8, -3.0, -1.0, 0.7])
    few, many = questions(0, WEIGHTS, 100), questions(1, other, 100)
    # Four times the questions are twice the say, as if the FAQ were there twice.
    assert fit([few, many * 4]) == pytest.approx(fit([few, many, many]), abs=1e-3)


def test_the_unit_of_a_signal_does_not_matter():
    plain = questions(0, WEIGHTS)
    scale = np.ones(len(SIGNALS))
    scale[4] = 100
    scaled = [Asked(one.signals * scale, one.right) for one in plain]
    assert fit([scaled]) * scale[: len(WEIGHTS)] == pytest.approx(fit([plain]), rel=0.02, abs=0.02)


def mean_probability(asked: list[Asked], weights: np.ndarray) -> float:
    best = [(one.signals @ weights).max() for one in asked if len(one.right)]
    return float(np.mean(1 / (1 + np.exp(-np.array(best)))))


def test_the_best_candidates_score_is_the_probability_that_it_is_right():
    asked = questions(0, WEIGHTS, 2000)
    foreign = [Asked(one.signals, np.zeros(10, bool)) for one in questions(1, WEIGHTS, 400, nearest=0.2)]
    same = certainty([asked], [foreign], WEIGHTS)
    assert same[0] > 0
    weights = np.concatenate([WEIGHTS, same])
    # A question to another FAQ, which no candidate is near to, has no right answer.
    assert mean_probability(foreign, weights) < 0.5 * mean_probability(asked, weights)
    without = [Asked(one.signals[~one.right], one.right[~one.right]) for one in asked]
    right = np.mean([bool(one.right[(one.signals @ weights).argmax()]) for one in asked])
    parts = [mean_probability(part, weights) for part in (asked, without, foreign)]
    assert np.dot([0.7, 0.15, 0.15], parts) == pytest.approx(0.7 * right, abs=0.01)


def test_the_best_of_many_has_no_higher_score_for_that():
    few, many = questions(0, WEIGHTS, 1000, candidates=4), questions(1, WEIGHTS, 1000, candidates=30)
    foreign = [Asked(one.signals, np.zeros(len(one.right), bool)) for one in (*few[:200], *many[:200])]
    weights = np.concatenate([WEIGHTS, certainty([[*few, *many]], [foreign], WEIGHTS)])
    assert weights[SIGNALS.index("candidates")] < 0
    again = certainty([[*few, *many]], [foreign], WEIGHTS, (weights[-3], np.nan, weights[-1]))
    assert again == pytest.approx(weights[-3:], abs=0.01)
    right = [np.mean([bool(one.right[(one.signals @ weights).argmax()]) for one in part]) for part in (few, many)]
    told = [mean_probability(part, weights) for part in (few, many)]
    # Some of what is asked has no right answer, so that all scores are lower.
    assert told[0] - told[1] == pytest.approx(right[0] - right[1], abs=0.15)


def test_the_retrievers_order_and_questions_without_the_answer():
    rows = np.ones((2, len(SIGNALS)))
    asked = [Asked(rows, np.array([False, True])), Asked(rows, np.array([False, False]))]
    assert measure(asked, None) == (0.0, 0.25)


@pytest.fixture(scope="module")
def faq(tmp_path_factory):
    folder = tmp_path_factory.mktemp("faq")
    entries = [
        ("Where is the desk?", "Beside the door."),
        ("What is a card?", "It opens the door and costs two dollars."),
    ]
    lines = [{"id": str(i), "question": q, "answer": a} for i, (q, a) in enumerate(entries)]
    (folder / "faq.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "queries.jsonl").write_text(
        json.dumps({"query_id": "1", "query": "dollars for a card", "relevant": ["1"]})
    )
    store = TantivyDocumentStore(path=folder / "index")
    build_index(store, Sources([folder / "faq.jsonl"], strict=True))
    store.close()
    return folder


def test_a_real_index_is_asked(faq):
    ranker = AnswerRanker(meta_fields_to_embed=["question"])
    [asked] = ask(faq / "index", list(iter_queries(faq / "queries.jsonl")), ranker, Retrieval.BM25)
    assert asked.signals.shape == (len(asked.right), len(SIGNALS))
    assert asked.right.tolist()[0]
    coverage = asked.signals[:, SIGNALS.index("coverage")]
    assert coverage[0] == pytest.approx(1.0)


@pytest.mark.parametrize("retrieval", Retrieval)
def test_every_retrieval_has_its_signals(retrieval, tmp_path):
    lines = [{"id": str(i), "question": f"Where is the {w}?", "answer": f"Beside {w}."} for i, w in enumerate(WORDS)]
    (tmp_path / "faq.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    queries = [Query("1", "where is the desk", ("1",))]
    encoder = SentenceEncoder.load()
    store = TantivyDocumentStore(path=tmp_path / "index")
    build_index(store, Sources([tmp_path / "faq.jsonl"], strict=True), encoder=encoder)
    store.close()
    [asked] = ask(tmp_path / "index", queries, AnswerRanker(meta_fields_to_embed=["question"]), retrieval)
    by_name = dict(zip(SIGNALS, asked.signals.std(axis=0), strict=True))
    assert by_name["bm25"] > 0 < by_name["cosine"]
    assert (by_name["retriever"] > 0) == (retrieval != Retrieval.HYBRID)


def test_weights_are_printed(faq, capsys):
    main([f"{faq / 'index'}={faq / 'queries.jsonl'}"], retrieval=[Retrieval.BM25], test=[])
    printed = capsys.readouterr().out
    assert all(f"{name}: " in printed for name in SIGNALS)


def test_an_index_without_vectors_is_refused(faq):
    with pytest.raises(typer.BadParameter, match="the index has no vectors"):
        ask(faq / "index", list(iter_queries(faq / "queries.jsonl")), AnswerRanker(), Retrieval.HYBRID)
