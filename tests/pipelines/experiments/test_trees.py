# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Experiments with models that read parse trees: where training, scoring and candidate lists have them from."""

import json
from pathlib import Path

import pytest

from answer_selection.indexing.candidates import read_candidates, read_jsonl
from haystack_integrations.components.preprocessors.answer_selection.corenlp import CoreNLPBackend
from haystack_integrations.components.preprocessors.answer_selection.shallow import ShallowBackend
from haystack_integrations.components.preprocessors.answer_selection.tree_cache import TreeCache
from research_files import write_data_sets
from tree_lists import flat, recipe, trees

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_thread")]

NOBODY = "http://127.0.0.1:9"


def experiment(tmp_path: Path, data: str, more: str = "") -> None:
    written = recipe(tmp_path, more).read_text(encoding="utf-8")
    text = f"data: {data}\nrecipe:\n" + "".join(f"  {line}\n" for line in written.splitlines())
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")


def texts(lists) -> list[str]:
    return [text for one in lists for text in (one.query, *(each.answer for each in one.candidates))]


def test_an_experiment_takes_trees_from_the_cache_and_needs_no_server_then(research, tmp_path):
    data = write_data_sets(tmp_path / "data")
    experiment(tmp_path, "wikiqa", "trees: corenlp\n")
    read = {text for part in ("train", "dev") for text in texts(read_candidates(data / "wikiqa" / part))}
    TreeCache(tmp_path / "trees.sqlite").keep(CoreNLPBackend().name, {text: flat(text) for text in read})
    options = ("mine.yaml", "--data", data, "--output", "runs", "--corenlp-url", NOBODY)
    done = research("run", *options, "--tree-cache", "trees.sqlite")
    assert done.code == 0, done.err
    for part in ("train", "validation"):
        lists = tmp_path / "runs" / "data" / "wikiqa" / "trees-corenlp" / f"{part}.jsonl"
        assert trees(lists) == {text: flat(text) for text in trees(lists)}
    assert "| trees | corenlp |" in (tmp_path / "runs" / "mine" / "seed-0" / "README.md").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "runs" / "mine" / "result.json").read_text(encoding="utf-8"))["milliseconds"] > 0
    # The cache decides no model: the trees in the lists do.
    weights = tmp_path / "runs" / "mine" / "seed-0" / "model.safetensors"
    before = weights.stat().st_mtime_ns
    assert research("run", *options, "--tree-cache", "trees.sqlite").code == 0
    assert weights.stat().st_mtime_ns == before


def test_without_server_and_cache_it_says_so(research, tmp_path, monkeypatch):
    monkeypatch.setattr("haystack_integrations.components.preprocessors.answer_selection.corenlp._FIRST_WAIT", 0)
    data = write_data_sets(tmp_path / "data")
    experiment(tmp_path, "wikiqa", "trees: corenlp\n")
    done = research("run", "mine.yaml", "--data", data, "--corenlp-url", NOBODY)
    assert done.code == 2
    assert f"the CoreNLP server at {NOBODY} parsed nothing of " in done.err


def test_train_learns_from_train_and_its_texts_are_those_of_train_all(research, tmp_path):
    data = write_data_sets(tmp_path / "data")
    experiment(tmp_path, "trecqa-train-clean")
    done = research("run", "mine.yaml", "--data", data, "--output", "runs", "--test")
    assert done.code == 0, done.err
    made = tmp_path / "runs" / "data" / "trecqa-train-clean"
    assert {path.name for path in (made / "trees-shallow").glob("*.jsonl")} == {
        "train.jsonl",
        "validation.jsonl",
        "test.jsonl",
    }
    lists = read_candidates(data / "trecqa" / "train")
    assert {one.query_id for one in read_jsonl(made / "train.jsonl")} == {one.query_id for one in lists}


def test_an_end_to_end_experiment_parses_its_training_lists_too(research, tmp_path, monkeypatch):
    timed = []

    def watched(model, lists):
        timed.append(trees(lists))
        return 1.0

    monkeypatch.setattr("answer_selection.pipelines.experiments.data.squad_sentences.BLOCK", 50)
    monkeypatch.setattr("answer_selection.pipelines.experiments.train_and_measure.time_ranker", watched)
    data = write_data_sets(tmp_path / "data")
    experiment(tmp_path, "squad-sentences", "negatives: 2\nkeep_top: 1\n")
    done = research("run", "mine.yaml", "--data", data, "--output", "runs")
    assert done.code == 0, done.err
    # An index has trees of its answers before anything is asked of it.
    assert timed == [dict(zip(timed[0], ShallowBackend().parse(list(timed[0])), strict=True))]
    found = trees(tmp_path / "runs" / "mine" / "seed-0" / "lists" / "with_trees" / "train.jsonl")
    assert found == dict(zip(found, ShallowBackend().parse(list(found)), strict=True))


def test_an_end_to_end_experiment_ranks_with_the_trees_that_it_learned_from(research, tmp_path):
    data = write_data_sets(tmp_path / "data")
    experiment(tmp_path, "squad-sentences", "trees: corenlp\n")
    done = research("run", "mine.yaml", "--data", data)
    assert done.code == 2
    assert "recipe.trees is 'corenlp', but the answers that are retrieved from squad-sentences" in done.err
