# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import math
import unicodedata
from dataclasses import replace

import numpy as np
import pytest

from haystack_integrations.components.rankers.answer_selection.models.record import Record
from haystack_integrations.components.rankers.answer_selection.signals import (
    BM25_WEIGHTS,
    GIVEN_WEIGHTS,
    HYBRID_WEIGHTS,
    SCORED_WEIGHTS,
    SIGNALS,
    leads,
    signals_of,
    weighed,
    worth_reading,
)

QUERY = "How do I install the printer?"
TEXTS = ["Installation of a printer", "Printing costs ten cents", "The library", "Install it, and install it again"]
LOGITS = np.array([0.5, -1.0, -2.0, 0.25])
NONE = np.full(4, np.nan)


def records(bm25=(), cosines=(), query=QUERY, texts=TEXTS):
    metas = [{} for _ in texts]
    for key, values in (("bm25_score", bm25), ("vector_score", cosines)):
        for meta, value in zip(metas, values, strict=False):
            meta[key] = value
    return [Record(query, text, {}, meta) for text, meta in zip(texts, metas, strict=True)]


def log_odds(*arguments, **options):
    return weighed(*arguments, **options).sum(axis=1)


def column(name, rows):
    return rows[:, SIGNALS.index(name)].tolist()


def test_a_row_by_hand():
    rows = signals_of(records([4.0, 2.0, 0.0, 2.0], [0.1, 0.3, 0.1, 0.3]), LOGITS, NONE)
    assert column("model", rows) == LOGITS.tolist()
    # mean 2, variance (4 + 0 + 4 + 0) / 4
    assert column("bm25", rows) == pytest.approx([math.sqrt(2), 0.0, -math.sqrt(2), 0.0])
    assert column("cosine", rows) == pytest.approx([-1.0, 1.0, -1.0, 1.0])
    # "install" and "printer", cut to "insta" and "print", are each in two of four texts; "how", "do", "i", "the" are
    # stop words.
    assert column("words", rows) == [0.0] * 4
    assert column("coverage", rows) == pytest.approx([1.0, 0.5, 0.0, 0.5])
    assert column("length", rows) == pytest.approx([math.log(5), math.log(5), math.log(3), math.log(7)])
    assert column("retriever", rows) == [0.0] * 4
    assert column("nearest", rows) == [0.0] * 4
    assert column("candidates", rows) == pytest.approx([math.log(4 / 30)] * 4)
    assert column("constant", rows) == [1.0] * 4


def test_copies_of_a_text_count_once():
    found, retrieved = records([4.0, 2.0, 0.0, 1.0], [0.1, 0.3, 0.1, 0.5]), np.array([4.0, 3.0, 2.0, 1.0])
    copies = [replace(found[0], answer=f"  {found[0].answer}\n"), found[0], found[3]]
    once = signals_of(found, LOGITS, retrieved)
    places = [0, 1, 2, 3, 0, 0, 3]
    several = signals_of([*found, *copies], LOGITS[places], retrieved[places])
    assert several == pytest.approx(once[places])


def test_how_near_the_nearest_is_moves_no_candidate_and_the_score():
    cosines = [0.1, 0.6, 0.2, 0.3]
    found = [replace(one, meta={"package_cosine": each}) for one, each in zip(records(), cosines, strict=True)]
    assert column("nearest", signals_of(found, LOGITS, NONE)) == [0.6] * 4
    retrieved = np.array([4.0, 3.0, 2.0, 1.0])
    gained = log_odds(found, LOGITS, retrieved) - log_odds(records(), LOGITS, retrieved)
    assert gained == pytest.approx([0.6 * HYBRID_WEIGHTS["nearest"]] * 4)


def test_how_many_candidates_there_are_counts_from_four_to_thirty():
    for count, counted in ((1, 4), (4, 4), (12, 12), (30, 30), (60, 30)):
        found = signals_of(
            records(texts=[f"door {place}" for place in range(count)]), np.zeros(count), np.full(count, np.nan)
        )
        assert column("candidates", found) == pytest.approx([math.log(counted / 30)] * count)


def test_what_is_far_from_all_is_farther_than_its_cosine_says():
    for cosine, counted in ((0.2, 0.2), (0.1, -0.4), (-0.1, -1.6)):
        found = [replace(one, meta={"package_cosine": cosine}) for one in records()]
        assert column("nearest", signals_of(found, LOGITS, NONE)) == pytest.approx([counted] * 4)


def test_how_words_are_met_is_standardised():
    found = [
        replace(one, meta={"word_score": score}) for one, score in zip(records(), [0.9, 0.7, 0.5, 0.7], strict=True)
    ]
    assert column("words", signals_of(found, LOGITS, NONE)) == pytest.approx([math.sqrt(2), 0.0, -math.sqrt(2), 0.0])


def test_a_rare_word_covers_more():
    found = records(query="install printer", texts=["install", "install now", "install here", "printer"])
    common, rare = math.log1p(1.5 / 3.5), math.log1p(3.5 / 1.5)
    whole = common + rare
    assert column("coverage", signals_of(found, LOGITS, NONE)) == pytest.approx([common / whole] * 3 + [rare / whole])


def test_stop_words_count_where_there_is_nothing_else():
    found = records(query="what is it", texts=["It is", "what", "nothing", "is"])
    covered = column("coverage", signals_of(found, LOGITS, NONE))
    assert covered[0] > covered[3] > 0
    assert covered[2] == 0.0


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("how to install", "Installation"),
        ("Où est le musée", unicodedata.normalize("NFD", "Le Musée")),
        ("如何安装打印机", "安装打印机的方法在这里"),
        ("WLAN安装", "wlan"),
    ],
    ids=["prefix", "decomposed", "no spaces", "two scripts"],
)
def test_words_are_found_in_other_forms_and_scripts(query, text):
    found = records(query=query, texts=[text, "图书馆", "musical", ""])
    covered = column("coverage", signals_of(found, LOGITS, NONE))
    assert covered[0] > max(covered[1:])


@pytest.mark.parametrize("query", ["", "?!"])
def test_a_query_without_words_is_covered_by_none(query):
    assert column("coverage", signals_of(records(query=query), LOGITS, NONE)) == [0.0] * 4


def test_the_retrievers_score_is_a_signal_of_its_own():
    rows = signals_of(records([4.0, 2.0, 0.0, 2.0]), LOGITS, np.array([30.0, 10.0, 10.0, 30.0]))
    assert column("retriever", rows) == pytest.approx([1.0, -1.0, -1.0, 1.0])
    assert column("bm25", rows) == pytest.approx([math.sqrt(2), 0.0, -math.sqrt(2), 0.0])
    assert column("cosine", rows) == [0.0] * 4


def test_a_candidate_without_a_cosine_is_neither_near_nor_far():
    rows = signals_of(records([1.0] * 4, [0.2, None, 0.4, None]), LOGITS, NONE)
    assert column("cosine", rows) == pytest.approx([-1.0, 0.0, 1.0, 0.0])


BM25 = [4.0, 2.0, 0.0, 2.0]


@pytest.mark.parametrize(
    ("retrieved", "hybrid", "weights"),
    [
        ([3.0, 2.0, 1.0, 0.0], True, HYBRID_WEIGHTS),
        # The very order of BM25, and of no known scale.
        ([40.0, 20.0, 0.0, 20.0], False, BM25_WEIGHTS),
        # Another's order, of any scale; and a cosine may agree with BM25 without being it.
        ([0.0, 20.0, 40.0, 20.0], False, SCORED_WEIGHTS),
        ([0.4, 0.2, 0.0, 0.2], False, SCORED_WEIGHTS),
        ([7.0, 7.0, 7.0, 7.0], False, SCORED_WEIGHTS),
        ([math.nan] * 4, False, GIVEN_WEIGHTS),
    ],
    ids=["hybrid", "bm25", "another", "cosine", "all equal", "none"],
)
def test_the_score_is_the_weighted_sum(retrieved, hybrid, weights):
    found = records(BM25, [0.2, None, 0.4, None])
    rows = signals_of(found, LOGITS, np.array(retrieved))
    by_hand = [sum(weights[name] * value for name, value in zip(SIGNALS, row, strict=True)) for row in rows.tolist()]
    assert log_odds(found, LOGITS, np.array(retrieved), hybrid=hybrid) == pytest.approx(by_hand)


def test_what_puts_a_candidate_ahead_sums_to_its_lead():
    found, retrieved = records(BM25, [0.2, None, 0.4, None]), np.array([3.0, 2.0, 1.0, 0.0])
    for share in (1.0, 0.4, 0.0):
        odds = log_odds(found, LOGITS, retrieved, share)
        told = leads(weighed(found, LOGITS, retrieved, share))
        assert [sum(each.values()) for each in told] == pytest.approx((odds - odds.mean()).tolist(), abs=0.005)
        assert all("constant" not in each for each in told)
    rows = signals_of(found, LOGITS, retrieved)[:, SIGNALS.index("cosine")] * HYBRID_WEIGHTS["cosine"]
    told = leads(weighed(found, LOGITS, retrieved))
    assert [each["cosine"] for each in told] == pytest.approx((rows - rows.mean()).tolist(), abs=0.0006)
    # The retriever's own score weighs nothing here, and of one candidate there is nothing to tell.
    assert "retriever" not in told[0]
    assert leads(weighed(found[:1], LOGITS[:1], retrieved[:1])) == [{}]
    middle = leads(np.array([[0.0] * 8, [-1.0] * 8, [1.0] * 8]))[0]
    assert [math.copysign(1.0, value) for value in middle.values()] == [1.0] * 8


def test_between_bm25_and_another_the_weights_are_between():
    retrieved = np.array([4.0, 1.0, 2.0, 4.0])
    rows = signals_of(records(BM25), LOGITS, retrieved)
    correlation = np.mean(rows[:, SIGNALS.index("bm25")] * rows[:, SIGNALS.index("retriever")])
    assert 0.3 < correlation < 0.6
    share = (correlation - 0.3) / 0.3
    weights = [(1 - share) * SCORED_WEIGHTS[name] + share * BM25_WEIGHTS[name] for name in SIGNALS]
    assert log_odds(records(BM25), LOGITS, retrieved, hybrid=False) == pytest.approx(rows @ np.array(weights))


def test_no_scale_of_a_retriever_matters():
    plain = log_odds(records([4.0, 2.0, 0.0, 2.0], [0.1, 0.3, 0.1, 0.2]), LOGITS, NONE)
    other = log_odds(records([40.0, 20.0, 0.0, 20.0], [0.81, 0.83, 0.81, 0.82]), LOGITS, NONE)
    assert other == pytest.approx(plain)


def test_what_is_not_listened_to_leaves_the_retrievers_order():
    retrieved = np.array([1.0, 4.0, 2.0, 3.0])
    found = records([4.0, 2.0, 0.0, 2.0], [0.9, 0.3, 0.1, 0.2])
    assert np.argsort(-log_odds(found, LOGITS, retrieved, 0.0)).tolist() == [1, 3, 2, 0]
    half = log_odds(found, LOGITS, retrieved, 0.5)
    assert half == pytest.approx(
        (log_odds(found, LOGITS, retrieved, 1.0) + log_odds(found, LOGITS, retrieved, 0.0)) / 2
    )


@pytest.mark.parametrize("score", [math.nan, math.inf, "0.5", True])
def test_a_score_that_is_none_is_named(score):
    with pytest.raises(ValueError, match="'vector_score' of the answer 'Printing costs ten cents' is "):
        log_odds(records([1.0] * 4, [0.2, score, 0.4, 0.1]), LOGITS, NONE)


def test_every_signal_has_its_weight():
    for weights in (HYBRID_WEIGHTS, SCORED_WEIGHTS, BM25_WEIGHTS):
        assert tuple(weights) == SIGNALS
        assert min(weights[name] for name in ("model", "bm25", "cosine", "coverage")) > 0 > weights["length"]
    # In hybrid retrieval's own score is nothing that the two others do not tell.
    assert HYBRID_WEIGHTS["retriever"] == 0.0 < BM25_WEIGHTS["retriever"] < SCORED_WEIGHTS["retriever"]


def test_candidates_that_nobody_retrieved_are_not_weighed_by_their_length():
    given = records([4.0, 2.0, 0.0, 2.0], [0.1, 0.3, 0.1, 0.3])
    longer = [replace(one, answer=one.answer + " of of of") for one in given]
    assert log_odds(given, LOGITS, NONE) == pytest.approx(log_odds(longer, LOGITS, NONE))
    weights = np.array([GIVEN_WEIGHTS[name] for name in SIGNALS])
    assert log_odds(given, LOGITS, NONE) == pytest.approx(signals_of(given, LOGITS, NONE) @ weights)
    # Of a language that the model does not know, BM25 among the candidates decides.
    assert log_odds(given, LOGITS, NONE, 0.0) == pytest.approx(column("bm25", signals_of(given, LOGITS, NONE)))


def test_of_a_book_the_beginning_is_read():
    beginning = "Installation of a printer. " * 2000
    found = signals_of(records(texts=[beginning, beginning + "library " * 100_000, "library", ""]), LOGITS, NONE)
    for name in ("coverage", "length"):
        assert column(name, found)[0] == column(name, found)[1]


@pytest.mark.parametrize(
    ("most", "margin", "places"),
    [
        (None, None, [0, 1, 2, 3]),
        (2, None, [0, 2]),
        (3, 1.5, [0, 2]),
        (3, 2.0, [0, 2, 3]),
        (None, 0.0, [2]),
        (1, 9.0, [2]),
        (9, 9.0, [0, 1, 2, 3]),
    ],
)
def test_worth_reading_is_what_is_near_the_first(most, margin, places):
    assert worth_reading(np.array([2.0, 0.0, 3.0, 1.0]), most, margin) == places


def test_of_equal_ones_the_first_are_read():
    assert worth_reading(np.zeros(3), 2, 1.0) == [0, 1]
    assert worth_reading(np.zeros(0), 2, 1.0) == []
