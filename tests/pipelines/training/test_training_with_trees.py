# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Models that read parse trees: where training, scoring and candidate lists have them from."""

import json
from pathlib import Path

import pytest
from answer_selection.indexing.candidates import Candidate, CandidateList, read_candidates, read_jsonl, write_jsonl
from answer_selection.indexing.text.tree import read_tree
from answer_selection.pipelines.training.recipe import RecipeError, read_recipe
from haystack_integrations.components.preprocessors.answer_selection.corenlp import CoreNLPBackend
from haystack_integrations.components.preprocessors.answer_selection.shallow import ShallowBackend
from haystack_integrations.components.preprocessors.answer_selection.tree_cache import TreeCache
from research_files import write_data_sets
from tiny_encoders import folder as tiny_encoder

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_thread")]

RECIPE = """\
model:
  {{name: tree_aggregation, encoder: {encoder}, max_pair_length: 48, half_size: 8, heads: 2, feed_forward_size: 8}}
training: {{loss: pointwise, epochs: 1, pairs_per_batch: 64, negatives: 2, learning_rate: 0.001, use_cpu: true}}
"""
NOBODY = "http://127.0.0.1:9"


def recipe(tmp_path: Path, more: str = "") -> Path:
    path = tmp_path / "recipe.yaml"
    path.write_text(RECIPE.format(encoder=tiny_encoder("bert")) + more, encoding="utf-8")
    return path


def experiment(tmp_path: Path, data: str, more: str = "") -> None:
    written = recipe(tmp_path, more).read_text(encoding="utf-8")
    text = f"data: {data}\nrecipe:\n" + "".join(f"  {line}\n" for line in written.splitlines())
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")


def flat(text: str) -> str:
    """A tree that no parser makes."""
    return f"(ROOT (X {' '.join(f'(XX {word})' for word in text.split())}))"


def texts(lists) -> list[str]:
    return [text for one in lists for text in (one.query, *(each.answer for each in one.candidates))]


def trees(path: Path) -> dict[str, str]:
    found = {}
    for one in read_jsonl(path):
        found[one.query] = one.query_meta["parse_tree"]
        found.update((each.answer, each.meta["parse_tree"]) for each in one.candidates)
    return found


def test_an_experiment_takes_trees_from_the_cache_and_needs_no_server_then(command, tmp_path):
    data = write_data_sets(tmp_path / "data")
    experiment(tmp_path, "wikiqa", "trees: corenlp\n")
    read = {text for part in ("train", "dev") for text in texts(read_candidates(data / "wikiqa" / part))}
    TreeCache(tmp_path / "trees.sqlite").keep(CoreNLPBackend().name, {text: flat(text) for text in read})
    options = ("--config", "mine.yaml", "--data", data, "--output", "runs", "--corenlp-url", NOBODY)
    done = command("train", *options, "--tree-cache", "trees.sqlite")
    assert done.code == 0, done.err
    for part in ("train", "validation"):
        lists = tmp_path / "runs" / "data" / "wikiqa" / "trees-corenlp" / f"{part}.jsonl"
        assert trees(lists) == {text: flat(text) for text in trees(lists)}
    assert "| trees | corenlp |" in (tmp_path / "runs" / "mine" / "seed-0" / "README.md").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "runs" / "mine" / "result.json").read_text(encoding="utf-8"))["milliseconds"] > 0
    # The cache decides no model: the trees in the lists do.
    weights = tmp_path / "runs" / "mine" / "seed-0" / "model.safetensors"
    before = weights.stat().st_mtime_ns
    assert command("train", *options, "--tree-cache", "trees.sqlite").code == 0
    assert weights.stat().st_mtime_ns == before


def test_without_server_and_cache_it_says_so(command, tmp_path, monkeypatch):
    monkeypatch.setattr("haystack_integrations.components.preprocessors.answer_selection.corenlp._FIRST_WAIT", 0)
    data = write_data_sets(tmp_path / "data")
    experiment(tmp_path, "wikiqa", "trees: corenlp\n")
    done = command("train", "--config", "mine.yaml", "--data", data, "--corenlp-url", NOBODY)
    assert done.code == 2
    assert f"the CoreNLP server at {NOBODY} parsed nothing of " in done.err


def test_train_learns_from_train_and_its_texts_are_those_of_train_all(command, tmp_path):
    data = write_data_sets(tmp_path / "data")
    experiment(tmp_path, "trecqa-train-clean")
    done = command("train", "--config", "mine.yaml", "--data", data, "--output", "runs", "--test")
    assert done.code == 0, done.err
    made = tmp_path / "runs" / "data" / "trecqa-train-clean"
    assert {path.name for path in (made / "trees-shallow").glob("*.jsonl")} == {
        "train.jsonl",
        "validation.jsonl",
        "test.jsonl",
    }
    lists = read_candidates(data / "trecqa" / "train")
    assert {one.query_id for one in read_jsonl(made / "train.jsonl")} == {one.query_id for one in lists}


def test_an_end_to_end_experiment_parses_its_training_lists_too(command, tmp_path, monkeypatch):
    timed = []

    def watched(model, lists):
        timed.append(trees(lists))
        return 1.0

    monkeypatch.setattr("answer_selection.pipelines.experiments.data.squad_sentences.BLOCK", 50)
    monkeypatch.setattr("answer_selection.pipelines.experiments.runs.time_ranker", watched)
    data = write_data_sets(tmp_path / "data")
    experiment(tmp_path, "squad-sentences", "negatives: 2\nkeep_top: 1\n")
    done = command("train", "--config", "mine.yaml", "--data", data, "--output", "runs")
    assert done.code == 0, done.err
    # An index has trees of its answers before anything is asked of it.
    assert timed == [dict(zip(timed[0], ShallowBackend().parse(list(timed[0])), strict=True))]
    found = trees(tmp_path / "runs" / "mine" / "seed-0" / "lists" / "with_trees" / "train.jsonl")
    assert found == dict(zip(found, ShallowBackend().parse(list(found)), strict=True))


def test_an_end_to_end_experiment_ranks_with_the_trees_that_it_learned_from(command, tmp_path):
    data = write_data_sets(tmp_path / "data")
    experiment(tmp_path, "squad-sentences", "trees: corenlp\n")
    done = command("train", "--config", "mine.yaml", "--data", data)
    assert done.code == 2
    assert "recipe.trees is 'corenlp', but the answers that are retrieved from squad-sentences" in done.err


def test_candidate_lists_keep_their_own_trees_and_get_those_that_they_lack(command, tmp_path):
    questions = [f"when does room {number} close ?" for number in range(4)]
    write_jsonl(
        tmp_path / "lists.jsonl",
        [
            CandidateList(
                f"q{number}",
                question,
                (
                    Candidate(
                        "right",
                        f"room {number} closes at nine .",
                        1,
                        {"parse_tree": flat(f"room {number} closes at nine .")},
                    ),
                    Candidate("wrong", "the lift is out of order .", 0, {"parse_tree": flat("another text")}),
                ),
                {"asked": number},
            )
            for number, question in enumerate(questions)
        ],
    )
    options = ("--candidates", "lists.jsonl", "--validation", "lists.jsonl", "--recipe", recipe(tmp_path))
    done = command("train", "model", *options)
    assert done.code == 0, done.err
    found = trees(tmp_path / "model" / "lists" / "with_trees" / "train.jsonl")
    assert found["room 1 closes at nine ."] == flat("room 1 closes at nine .")
    [shallow] = ShallowBackend().parse(["the lift is out of order ."])
    assert found["the lift is out of order ."] == shallow
    for text, tree in found.items():
        read_tree(tree, text)
    [first, *_] = read_jsonl(tmp_path / "model" / "lists" / "with_trees" / "train.jsonl")
    assert first.query_meta["asked"] == 0
    scored = command(
        "eval", "--candidates", tmp_path / "model" / "lists" / "with_trees" / "train.jsonl", "--model", "model"
    )
    assert scored.code == 0, scored.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "model: {name: ctrn}\ntrees: shallow\n",
            "line 2: trees are for models that read them, and ctrn does not",
        ),
        ("model: {name: tree_aggregation}\ntrees: charniak\n", "trees is 'charniak'; expected one of shallow, corenlp"),
    ],
)
def test_wrong_trees_in_a_recipe(tmp_path, text, message):
    path = tmp_path / "recipe.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RecipeError) as error:
        read_recipe(path)
    assert message in str(error.value)
