# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""`pipelines/experiments/probe.py` as people type it: trained models, on sentences of a little grammar."""

import json
import shutil

import pytest

from answer_selection.indexing.candidates import Candidate, CandidateList, write_jsonl
from probing_sentences import sentences, write_sentences

pytestmark = pytest.mark.slow

FILES = {"results.json", "table.md", "table.csv", "plot.png"}


@pytest.fixture(scope="module")
def trees(tmp_path_factory):
    return write_sentences(tmp_path_factory.mktemp("trees") / "trees.jsonl", 900)


def test_models_are_compared_by_name_over_seeds(research, trees, small_model, tmp_path):
    shutil.copytree(small_model, tmp_path / "other")
    done = research(
        *("probe", "--model", f"one={small_model}", "--model", "two=other", "--model", f"two={small_model}"),
        *("--data", trees, "--seeds", 2, "--output", "found"),
    )
    assert done.code == 0, done.err
    for word in ("Sentences: ", " train", "top constituents", "tree depth", "bag of words", "majority", "two", "found"):
        assert word in done.out
    assert {path.name for path in (tmp_path / "found").iterdir()} == FILES
    results = json.loads((tmp_path / "found" / "results.json").read_text(encoding="utf-8"))
    by_task = {}
    for one in results["results"]:
        by_task.setdefault(one["task"], {})[one["representation"]] = one["runs"]
    assert list(by_task) == ["top constituents", "tree depth", "sentence length"]
    for found in by_task.values():
        assert {name: len(runs) for name, runs in found.items()} == {
            "majority": 1,
            "bag of words": 2,
            "one": 2,
            "two": 4,
        }
        # The same weights in two folders, the same seeds.
        assert found["two"] == found["one"] * 2
        assert found["bag of words"][0]["macro_f1"] > 2 * found["majority"][0]["macro_f1"]
    settings = results["settings"]
    assert settings["models"] == {"one": [str(small_model)], "two": ["other", str(small_model)]}
    assert sum(settings["sentences"][part] for part in ("train", "validation", "test")) == 900
    assert sum(settings["tasks"]["top constituents"].values()) == settings["sentences"]["test"]

    again = research("probe", "--model", small_model, "--data", trees, "--output", "found")
    assert again.code == 2
    assert "found is not empty. Pass --overwrite to replace its results" in again.err


def test_candidates_without_trees_are_parsed_once(research, small_model, tmp_path):
    lists = [
        CandidateList(f"q{number}", "which one ?", (Candidate(f"c{number}", line["text"], 1),))
        for number, line in enumerate(sentences(900))
    ]
    write_jsonl(tmp_path / "lists.jsonl", lists)
    given = ("probe", "--model", small_model, "--data", "lists.jsonl", "--seeds", 1)
    done = research(*given)
    assert done.code == 2
    assert "lists.jsonl, query 'q0', candidate 'c0': no parse_tree, as 900 of 900 sentences" in done.err
    done = research(*given, "--trees", "shallow", "--tree-cache", "trees.sqlite")
    assert done.code == 0, done.err
    size = (tmp_path / "trees.sqlite").stat().st_size
    done = research(*given, "--trees", "shallow", "--tree-cache", "trees.sqlite", "--overwrite")
    assert done.code == 0, done.err
    assert (tmp_path / "trees.sqlite").stat().st_size == size


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--model", "nowhere/at/all"], "there is no model folder nowhere/at/all"),
        (["--model", "no-model"], "the model folder no-model lacks config.json and model.safetensors"),
        (["--model", "majority={model}"], "a model can't be named 'majority', which is a baseline"),
        (["--model", "={model}"], "expected a folder or NAME=FOLDER"),
        (["--model", "{model}", "--tree-cache", "trees.sqlite"], "--tree-cache needs --trees"),
        (["--model", "{model}", "--corenlp-url", "http://x"], "--corenlp-url needs --trees corenlp"),
        (["--model", "{model}", "--data", "few.jsonl"], "few or too much alike"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(given, message, research, trees, small_model, tmp_path):
    (tmp_path / "no-model").mkdir()
    write_sentences(tmp_path / "few.jsonl", 20)
    data = [] if "few.jsonl" in given else ["--data", trees]
    done = research("probe", *(word.format(model=small_model) for word in given), *data)
    assert done.code == 2
    assert message in done.err
    assert not (tmp_path / "answer-selection-runs").exists()
