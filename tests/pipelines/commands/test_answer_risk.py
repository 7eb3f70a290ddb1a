# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A risk from `train --answer-risk` to `ask --answer-risk`, with the package's model over an index without vectors."""

import json
import shutil
from dataclasses import replace

import pytest

from answer_selection.pipelines.definitions import pipeline_yaml
from answer_selection.pipelines.explanation.explained import of_pipeline
from haystack_integrations.components.rankers.answer_selection import CTRNRanker
from haystack_integrations.components.rankers.answer_selection.answer_risk import FILE, AnswerRisk, Threshold

QUESTION = "what does it cost to replace a lost card?"


@pytest.fixture
def asked(small_faq, tmp_path):
    """The entries' own questions and those that people ask."""
    entries = [json.loads(line) for line in small_faq.entries.read_text(encoding="utf-8").splitlines()]
    own = [{"query_id": f"own-{one['id']}", "query": one["question"], "relevant": [one["id"]]} for one in entries]
    lines = [json.dumps(one) + "\n" for one in own]
    path = tmp_path / "asked.jsonl"
    path.write_text("".join(lines) + small_faq.queries.read_text(encoding="utf-8"), encoding="utf-8")
    return path


@pytest.fixture
def model(tmp_path):
    folder = tmp_path / "ranker"
    shutil.copytree(CTRNRanker.default_model, folder)
    return folder


@pytest.mark.slow
def test_a_model_that_is_there_is_calibrated_and_then_asked(command, model, asked, small_index):
    weights = (model / "model.safetensors").read_bytes()
    done = command("train", model, "--index", small_index, "--validation", asked, "--answer-risk", 0.6)
    assert (done.code, done.out.count("answer_risk 0.6: ")) == (0, 1)
    assert "holds a model: it is calibrated, not trained anew" in done.out
    assert (model / "model.safetensors").read_bytes() == weights
    made = AnswerRisk.load(model)
    assert "answer_risk 0.6" in (model / "README.md").read_text(encoding="utf-8")
    assert 0 < made.without_answer < made.questions
    assert made.retrieval["top_k"] == 30

    ask = ("ask", QUESTION, "--index", small_index, "--model", model, "--answer-risk")
    replace(made, thresholds={0.6: Threshold(0.0, 1.0, 0.5)}).save(model)
    given = command(*ask, 0.6)
    assert given.code == 0
    assert "no answer here" not in given.out
    replace(made, thresholds={0.6: Threshold(1.0, 0.0, 0.0)}).save(model)
    kept_back = command(*ask, 0.6)
    assert kept_back.code == 1
    assert kept_back.out.startswith("no answer here (the best one is right with probability 0.")
    assert "lost-card" in kept_back.out
    risky = pipeline_yaml.point_at(pipeline_yaml.read("answer"), index=small_index, model=model)
    risky["components"]["ranker"]["init_parameters"]["answer_risk"] = 0.6
    explained = of_pipeline(pipeline_yaml.load(risky), QUESTION, "answer")
    assert len(explained.documents) == len(explained.pairs) > 1
    assert explained.about["answered"] == "no: none of these is sure enough for the stated risk"
    other = command(*ask, 0.05)
    assert other.code == 2
    assert "calibrated for the risks 0.6, but answer_risk is 0.05" in other.err
    assert "answer-selection train MODEL --index INDEX --validation queries.jsonl --answer-risk RISK" in other.err


@pytest.mark.slow
def test_a_model_is_calibrated_on_questions_that_did_not_choose_it(command, asked, small_index, tmp_path):
    options = ("--validation", asked, "--answer-risk", 0.6, "--answer-risk", 0.9, "--epochs", 1)
    done = command("train", "new", "--index", small_index, *options)
    assert done.code == 0
    made = AnswerRisk.load(tmp_path / "new")
    assert list(made.thresholds) == [0.6, 0.9]
    lists = (tmp_path / "new" / "lists" / "validation.jsonl").read_text(encoding="utf-8").splitlines()
    every = len(asked.read_text(encoding="utf-8").splitlines())
    assert made.questions + len(lists) <= every
    assert made.questions > 10 < len(lists)
    card = (tmp_path / "new" / "README.md").read_text(encoding="utf-8")
    assert "answer_risk 0.6" in card
    assert "## Measured" in card
    # A model that takes its place is not calibrated by it.
    again = command("train", "new", "--index", small_index, "--epochs", 1, "--overwrite")
    assert again.code == 0
    assert AnswerRisk.load(tmp_path / "new") is None


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--answer-risk", "0.1"], "--answer-risk needs --index and --validation"),
        (["--answer-risk", "5", "--validation", "asked.jsonl"], "--answer-risk 5: expected a share between 0 and 1"),
        (
            ["--answer-risk", "0.1", "--validation", "asked.jsonl", "--tune-encoder"],
            "--answer-risk can't be held behind an encoder that the index does not have yet",
        ),
        (
            ["--answer-risk", "0.01", "--validation", "asked.jsonl"],
            "questions are left to calibrate on, and for the risk 0.01 at least 339 must be answered rightly",
        ),
    ],
)
def test_what_cannot_be_calibrated_is_refused_before_training(command, asked, small_index, tmp_path, options, said):
    done = command("train", "new", "--index", small_index, *options)
    assert done.code == 2
    assert said in done.err
    assert not (tmp_path / "new" / FILE).exists()
