# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Where a model does not improve on retrieval, a ranker with it keeps retrieval's order."""

from pathlib import Path

import numpy as np
import pytest
import torch
from haystack import Document

from answer_selection.indexing.candidates import Candidate, CandidateList, write_jsonl
from haystack_integrations.components.rankers.answer_selection import AnswerRanker
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.training.dataset import CandidateFile
from haystack_integrations.components.rankers.answer_selection.training.other_signals import OtherSignals
from haystack_integrations.components.rankers.answer_selection.training.scoring import score_lists
from haystack_integrations.components.rankers.answer_selection.training.settings import TrainingSettings
from haystack_integrations.components.rankers.answer_selection.training.trainer import train
from haystack_integrations.components.rankers.answer_selection.training.validation import (
    choose_weight,
    measure,
)
from haystack_integrations.components.rankers.answer_selection.training.weighing import (
    RETRIEVER_WEIGHTS,
    SIGNAL_WEIGHTS,
)

QUERIES, CANDIDATES = 24, 6
NAMES = ("red", "blue", "green", "white", "black", "brown")


def lists(path: Path, *, cosine_tells: bool, retriever_rank: int, hybrid: bool = True) -> Path:
    """The retriever has the right answer at a rank; the cosine tells it, or tells the opposite."""

    def candidate(number: int, rank: int) -> Candidate:
        right = rank == retriever_rank
        cosine = {"vector_score": (0.9 if right is cosine_tells else 0.1) + 0.001 * rank} if hybrid else {}
        found = {"retriever_rank": rank, "retriever_score": 10.0 - rank - 0.01 * number, **cosine}
        # No number that a question may have: which candidate's words are nearest should tell nothing.
        return Candidate(f"c{rank}", f"answer {number} {NAMES[rank - 1]}", int(right), found)

    write_jsonl(
        path,
        (
            CandidateList(f"q{number}", f"ask {number}", tuple(candidate(number, r) for r in range(1, CANDIDATES + 1)))
            for number in range(QUERIES)
        ),
    )
    return path


def trained(tmp_path: Path, *, deployed: bool = True, choose_signals: bool = False, **told):
    """Learns to trust the cosine; the lists that choose are the ones that are told of."""
    torch.manual_seed(0)
    model, collator = registry.build(
        "linear", ["ask answer"], pair_features=["cosine"], embedding_size=1, batch_norm=False, retriever_weight=0.5
    )
    learned = lists(tmp_path / "train.jsonl", cosine_tells=True, retriever_rank=3)
    chosen_by = lists(tmp_path / "validation.jsonl", **told)
    settings = TrainingSettings(
        epochs=2,
        learning_rate=0.5,
        use_cpu=True,
        choose_retriever_weight=deployed,
        choose_signals=choose_signals,
        evaluations_per_epoch=1,
    )
    with torch.no_grad():
        model.classifier.output.weight.fill_(1.0)
    return train(model, collator, learned, chosen_by, tmp_path / "model", settings)


def documents() -> list[Document]:
    scores = [3.0, 2.9, 2.0, 1.0, 0.5]
    return [
        Document(id=f"d{place}", content=f"answer {place}", score=score, meta={"vector_score": 0.2 * place})
        for place, score in enumerate(scores)
    ]


def order(folder: Path, **told) -> list[str]:
    return [document.id for document in AnswerRanker(model=folder, **told).run("ask", documents())["documents"]]


@pytest.mark.slow
def test_a_model_that_does_not_gain_leaves_the_order_as_it_is(tmp_path):
    result = trained(tmp_path, cosine_tells=False, retriever_rank=1)
    validation = result.validation
    assert (validation.retriever.mrr, validation.beats_retriever) == (1.0, False)
    assert validation.verdict().startswith("Keep hybrid retrieval: this model does not improve on it here.")
    assert validation.verdict().endswith("A ranker with it keeps hybrid retrieval's order.")
    config = registry.load(result.folder)[0].config
    assert config.retriever_order
    assert order(result.folder) == ["d0", "d1", "d2", "d3", "d4"]

    ranked = AnswerRanker(model=result.folder).run("ask", documents())["documents"]
    scores = [document.score for document in ranked]
    assert scores == sorted(set(scores), reverse=True), "different scores, which a threshold can tell apart"
    assert all(0 < score < 1 for score in scores)
    # Who names a weight wants the model, too.
    alone = AnswerRanker(model=result.folder, retriever_weight=0.0).run("ask", documents())["documents"]
    assert [document.id for document in alone] == ["d4", "d3", "d2", "d1", "d0"]
    told = {document.id: document.meta["ranker_probability"] for document in ranked}
    assert [told[document.id] for document in alone] == pytest.approx([document.score for document in alone])


@pytest.mark.slow
def test_a_model_that_gains_reorders(tmp_path):
    result = trained(tmp_path, cosine_tells=True, retriever_rank=3)
    assert result.validation.beats_retriever
    assert not registry.load(result.folder)[0].config.retriever_order
    assert order(result.folder)[0] == "d4"
    assert "hybrid retrieval 0.3333, the model alone " in result.validation.verdict()


@pytest.mark.slow
def test_lists_that_are_no_real_queries_choose_no_weight(tmp_path):
    result = trained(tmp_path, cosine_tells=True, retriever_rank=3, deployed=False)
    config = registry.load(result.folder)[0].config
    assert (config.retriever_order, config.retriever_weight) == (False, 0.5)


@pytest.mark.slow
def test_without_real_queries_hybrid_retrieval_keeps_its_order_too(tmp_path):
    result = trained(tmp_path, cosine_tells=False, retriever_rank=1, deployed=False)
    assert registry.load(result.folder)[0].config.retriever_order
    assert order(result.folder) == ["d0", "d1", "d2", "d3", "d4"]


def weighed(tmp_path: Path, *, right_first: int, of: int) -> bool:
    """Whether a model that asks for all signals keeps the order of hybrid retrieval after training on own questions."""
    torch.manual_seed(0)
    model, collator = registry.build(
        # A model that knows too few words would not be heard.
        "linear",
        [f"ask answer {' '.join([*map(str, range(QUERIES)), *NAMES])}"],
        pair_features=["cosine"],
        embedding_size=1,
        batch_norm=False,
        signals=True,
    )
    learned = lists(tmp_path / "train.jsonl", cosine_tells=True, retriever_rank=1)
    good = lists(tmp_path / "good.jsonl", cosine_tells=True, retriever_rank=1).read_text().splitlines()
    bad = lists(tmp_path / "bad.jsonl", cosine_tells=False, retriever_rank=1).read_text().splitlines()
    chosen_by = tmp_path / "validation.jsonl"
    chosen_by.write_text("\n".join([*good[:right_first], *bad[right_first:of]]) + "\n")
    settings = TrainingSettings(epochs=1, learning_rate=0.01, use_cpu=True, evaluations_per_epoch=1)
    result = train(model, collator, learned, chosen_by, tmp_path / "model", settings)
    config = registry.load(result.folder)[0].config
    assert config.signals
    assert result.validation.keeps_order == config.retriever_order
    verdict = (
        "Keep hybrid retrieval:" if config.retriever_order else "No clear difference to hybrid retrieval here. MRR"
    )
    assert result.validation.beats_retriever or result.validation.verdict().startswith(verdict)
    return config.retriever_order


@pytest.mark.slow
def test_on_own_questions_all_signals_are_given_up_for_a_clear_loss_alone(tmp_path):
    (tmp_path / "equal").mkdir()
    (tmp_path / "one").mkdir()
    (tmp_path / "many").mkdir()
    assert not weighed(tmp_path / "equal", right_first=20, of=20), "nothing lost"
    assert not weighed(tmp_path / "one", right_first=19, of=20), "one question of twenty, which may be chance"
    assert weighed(tmp_path / "many", right_first=10, of=20)


@pytest.mark.slow
def test_real_queries_choose_between_all_signals_and_a_weight(tmp_path):
    result = trained(tmp_path, cosine_tells=True, retriever_rank=3)
    config = registry.load(result.folder)[0].config
    assert result.validation.signals == config.signals
    lists_file = CandidateFile(tmp_path / "validation.jsonl")
    model, collator = registry.load(result.folder)
    logits = score_lists(model, collator, lists_file, pairs_per_batch=64)
    best = choose_weight(logits, lists_file, RETRIEVER_WEIGHTS)
    by_signals = measure(OtherSignals.of(lists_file, collator).with_model(logits), lists_file)
    assert best is not None
    assert config.signals == (by_signals.mrr > best[1].mrr)


@pytest.mark.slow
def test_training_on_gives_the_model_another_chance(tmp_path):
    first = trained(tmp_path, cosine_tells=False, retriever_rank=1)
    model, collator = registry.load(first.folder)
    lists(tmp_path / "gains.jsonl", cosine_tells=True, retriever_rank=3)
    settings = TrainingSettings(epochs=1, learning_rate=0.1, use_cpu=True, choose_retriever_weight=True)
    train(model, collator, tmp_path / "train.jsonl", tmp_path / "gains.jsonl", tmp_path / "second", settings)
    assert not registry.load(tmp_path / "second")[0].config.retriever_order


def test_answers_of_other_lists_have_no_scores_to_learn_from(tmp_path):
    model, collator = registry.build("linear", ["ask answer"], pair_features=["cosine"], embedding_size=1)
    learned = lists(tmp_path / "train.jsonl", cosine_tells=True, retriever_rank=3)
    settings = TrainingSettings(list_size=8, negatives=None, use_cpu=True)
    with pytest.raises(ValueError, match="'list_size' is 8, but the model reads scores of retrieval"):
        train(model, collator, learned, None, tmp_path / "model", settings)


@pytest.mark.slow
def test_candidates_without_a_score_stay_where_they_came(tmp_path):
    result = trained(tmp_path, cosine_tells=False, retriever_rank=1)
    bare = [Document(id=str(number), content=f"answer {number}") for number in np.arange(4)]
    ranked = AnswerRanker(model=result.folder).run("ask", bare)["documents"]
    assert [document.id for document in ranked] == ["0", "1", "2", "3"]


@pytest.mark.slow
@pytest.mark.parametrize(("shares_words", "kept"), [(True, True), (False, False)])
def test_of_given_candidates_the_lists_choose_between_the_model_alone_and_all_signals(shares_words, kept, tmp_path):
    def given(number: int) -> CandidateList:
        right = f"{'heron' if shares_words else 'otter'} {number}"
        wrong = f"{'otter' if shares_words else 'heron'} {number + 40}"
        return CandidateList(f"q{number}", "where is the heron", (Candidate("0", wrong, 0), Candidate("1", right, 1)))

    write_jsonl(tmp_path / "lists.jsonl", map(given, range(20)))
    model, collator = registry.build("linear", [], pair_features=["exact_share"], embedding_size=1, signals=True)
    # It holds the question's words against an answer, and has no time to learn better.
    with torch.no_grad():
        model.classifier.output.weight.fill_(-1.0)
    settings = TrainingSettings(epochs=1, learning_rate=1e-9, use_cpu=True, choose_signals=True)
    train(model, collator, tmp_path / "lists.jsonl", tmp_path / "lists.jsonl", tmp_path / "model", settings)
    assert registry.load(tmp_path / "model")[0].config.signals is kept
    ranked = AnswerRanker(model=tmp_path / "model").rank("where is the heron", ["an otter", "a heron"])
    assert ranked[0].index == int(shares_words)


@pytest.mark.slow
def test_of_given_candidates_the_lists_choose_how_much_the_model_weighs(tmp_path):
    def given(number: int) -> CandidateList:
        # The model tells the first kind, meaning and rare words misled; of the second it knows nothing, and they do.
        right, wrong = (f"copper {number}", f"where is it {number + 40}") if number % 4 else ("where heron", "where is")
        return CandidateList(f"q{number}", "where is the heron", (Candidate("0", wrong, 0), Candidate("1", right, 1)))

    path = tmp_path / "lists.jsonl"
    write_jsonl(path, map(given, range(20)))
    words = f"where is the heron it copper {' '.join(map(str, range(80)))}"
    model, collator = registry.build("linear", [words], pair_features=["exact_share"], embedding_size=1)
    with torch.no_grad():
        model.classifier.output.weight.fill_(-1.0)
    settings = TrainingSettings(epochs=1, learning_rate=1e-9, use_cpu=True, choose_signals=True)
    result = train(model, collator, path, path, tmp_path / "model", settings)
    model, collator = registry.load(tmp_path / "model")
    file = CandidateFile(path)
    logits = score_lists(model, collator, file, pairs_per_batch=64)
    others = OtherSignals.of(file, collator)
    reached = [measure(others.with_model(logits, weight), file).mrr for weight in SIGNAL_WEIGHTS]
    assert max(reached[:3]) < measure(logits, file).mrr < reached[3] == max(reached)
    assert (model.config.signals, model.config.signal_weight) == (True, SIGNAL_WEIGHTS[3])
    assert result.validation is not None
    assert "with all signals 1.0000" in result.validation.verdict()
    # The ranker weighs them so, too.
    ranked = AnswerRanker(model=tmp_path / "model").rank("where is the heron", ["where is it 41", "copper 1"])
    assert ranked[0].index == 1


@pytest.mark.slow
def test_lists_with_a_search_s_scores_are_none_that_were_given(tmp_path):
    result = trained(tmp_path, cosine_tells=False, retriever_rank=1, deployed=False, choose_signals=True)
    config = registry.load(result.folder)[0].config
    assert (config.retriever_order, config.signals, config.signal_weight) == (True, False, None)
    assert result.validation.verdict().endswith("A ranker with it keeps hybrid retrieval's order.")


@pytest.mark.slow
def test_validation_weighs_the_model_as_its_configuration_says(tmp_path):
    reached = {}
    for weight in (None, 50.0):
        torch.manual_seed(0)
        model, collator = registry.build(
            "linear",
            [f"ask answer {' '.join([*map(str, range(QUERIES)), *NAMES])}"],
            pair_features=["exact_share"],
            embedding_size=1,
            batch_norm=False,
            signals=True,
            signal_weight=weight,
        )
        with torch.no_grad():
            model.classifier.output.weight.fill_(-1.0)
        path = tmp_path / "lists.jsonl"
        write_jsonl(
            path,
            (
                CandidateList(
                    f"q{number}",
                    "ask",
                    tuple(
                        Candidate(str(place), text, place, {"retriever_rank": place + 1, "retriever_score": -place})
                        for place, text in enumerate(["ask", "answer"])
                    ),
                )
                for number in range(4)
            ),
        )
        settings = TrainingSettings(epochs=1, learning_rate=1e-9, use_cpu=True)
        result = train(model, collator, path, path, tmp_path / f"model{weight}", settings)
        reached[weight] = result.validation.mixed.mrr
    # The model has the right order, and BM25 and the words in common the opposite.
    assert reached == {None: 0.5, 50.0: 1.0}
