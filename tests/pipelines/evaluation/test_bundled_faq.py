# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The README's main command, with a part of the FAQ and a recipe of a second where the real one takes minutes."""

import json
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import pytest

from answer_selection.pipelines.commands.console import bar
from answer_selection.pipelines.evaluation import bundled_faq
from answer_selection.pipelines.evaluation.bundled_faq import run_chain
from computed_twice import assert_trained_alike
from haystack_integrations.components.rankers.answer_selection import AnswerRanker
from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

pytestmark = pytest.mark.slow

RUN = Path("answer-selection-runs") / "library-faq"


ENTRIES, QUESTIONS = 60, 40


@pytest.fixture(autouse=True)
def a_part_of_the_faq(tmp_path_factory, monkeypatch):
    """Its first entries, and questions about them."""
    folder = tmp_path_factory.mktemp("part")
    with bundled_faq.library_file("faq.jsonl") as faq, bundled_faq.library_file("test.jsonl") as test:
        entries = faq.read_text(encoding="utf-8").splitlines()
        questions = test.read_text(encoding="utf-8").splitlines()
    assert (len(entries), len(questions)) == (252, 536)
    ids = {json.loads(line)["id"] for line in entries[:ENTRIES]}
    asked = [line for line in questions if ids & set(json.loads(line)["relevant"])][:QUESTIONS]
    assert len(asked) == QUESTIONS
    for name, lines in (("faq.jsonl", entries[:ENTRIES]), ("test.jsonl", asked)):
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    monkeypatch.setattr(bundled_faq, "library_file", lambda name: nullcontext(folder / name))


@pytest.fixture
def eval_alone(command, small_recipe, monkeypatch):
    monkeypatch.setattr(bundled_faq, "run_chain", partial(run_chain, recipe=small_recipe, start="scratch"))
    return partial(command, "eval")


def test_one_command_indexes_trains_asks_and_prints_one_table_and_reuses_what_is_there(eval_alone, tmp_path):
    first = eval_alone()
    assert first.code == 0
    for text in (
        "hybrid + ranker",
        "P@1",
        "MRR",
        "MAP",
        "recall@10",
        "p-value",
        f"results and every question: {RUN / 'eval-test'}",
        f"index: {RUN / 'index'}",
        f"model: {RUN / 'model'}",
    ):
        assert text in first.out, first.out
    for step in ("indexing the FAQ", "sampling negatives", "training", "asking the held-out questions"):
        assert step in first.err

    folder = tmp_path / RUN
    assert TantivyDocumentStore.open(folder / "index").count_documents() == ENTRIES
    results = json.loads((folder / "eval-test" / "results.json").read_text(encoding="utf-8"))
    assert results["questions"]["counted"] == QUESTIONS
    # An FAQ's own questions teach; the test half's questions are in nothing that is learned from.
    learned = (folder / "model" / "lists" / "train.jsonl").read_text(encoding="utf-8")
    asked = [
        json.loads(line)["query"]
        for line in (folder / "eval-test" / "per_question.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert not {json.loads(line)["query"] for line in learned.splitlines()} & set(asked)
    AnswerRanker(model=folder / "model").warm_up()

    model, index = files_of(folder)
    second = eval_alone()
    assert second.code == 0
    assert f"index: {RUN / 'index'} exists" in second.err
    assert f"model: {RUN / 'model'} exists" in second.err
    assert "training" not in second.err
    assert files_of(folder) == (model, index)

    # Other settings make another model: not in the place of the first one, but where that is asked for.
    refused = eval_alone("--seed", 1)
    assert refused.code == 2
    assert f"{RUN / 'model'} was made from something else (other seed)" in refused.err
    assert "--overwrite" in refused.err
    assert files_of(folder) == (model, index)
    assert eval_alone("--seed", 1, "--overwrite").code == 0
    assert files_of(folder)[0] != model
    assert files_of(folder)[1] == index


def files_of(folder: Path) -> tuple[bytes, bytes]:
    return (folder / "model" / "model.safetensors").read_bytes(), (
        folder / "index" / "index" / "meta.json"
    ).read_bytes()


def test_goes_on_where_it_was_killed(small_recipe, tmp_path, monkeypatch):
    class KilledError(Exception):
        pass

    def kill(*_, **__):
        raise KilledError

    run = partial(run_chain, tmp_path / "killed", bar, print, recipe=small_recipe, start="scratch")
    for step in ("build_index", "train_from_index", "evaluate_end_to_end"):
        with monkeypatch.context() as context, pytest.raises(KilledError):
            context.setattr(bundled_faq, step, kill)
            run()
    # An index that was only begun is made anew.
    (tmp_path / "begun" / "index").mkdir(parents=True)
    whole = run_chain(tmp_path / "begun", bar, print, recipe=small_recipe, start="scratch")
    assert run().report.means == whole.report.means
    assert_trained_alike(tmp_path / "killed" / "model", tmp_path / "begun" / "model")


def test_with_an_encoder_there_are_four_rows(command, small_recipe, tiny_encoder, monkeypatch, tmp_path):
    monkeypatch.setattr(bundled_faq, "run_chain", partial(run_chain, recipe=small_recipe, start="scratch"))
    done = command("eval", "--encoder", tiny_encoder)
    assert done.code == 0, done.err
    folder = tmp_path / f"{RUN}-{tiny_encoder.name}"
    results = json.loads((folder / "eval-test" / "results.json").read_text(encoding="utf-8"))
    assert list(results["stages"]) == ["bm25", "vectors", "hybrid", "ranker"]
    assert TantivyDocumentStore.open(folder / "index").encoder == SentenceEncoder.load(tiny_encoder).record
    assert "minus hybrid" in done.out
