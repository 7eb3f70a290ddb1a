# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Experiments over a published encoder: all signals, several sources at once, and two FAQs end to end."""

import json
import shutil
from pathlib import Path

import pytest

import tiny_teacher
from answer_selection.indexing.candidates import read_jsonl
from answer_selection.pipelines.commands.console import bar
from answer_selection.pipelines.experiments.data import open_dataset, squad_sentences
from answer_selection.pipelines.experiments.experiment import ExperimentError, read_experiment
from answer_selection.pipelines.training.recipe import Recipe
from haystack_integrations.components.rankers.answer_selection.models import registry
from research_files import write_data_sets

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_thread")]

BASE = """\
data: wikiqa
seeds: [0]
encoder: sentence-transformers/all-MiniLM-L6-v2
recipe:
  model: {name: cross_encoder, max_pair_length: 48}
  negatives: 4
  keep_top: 2
  training: {loss: pointwise, epochs: 1, pairs_per_batch: 64, negatives: 2, learning_rate: 0.001, use_cpu: true}
"""
JOINT = """\
source:
  data: [wikiqa, squad-sentences]
  questions: 10
  training: {epochs: 2}
  alone: true
"""


@pytest.fixture(autouse=True)
def few_questions(monkeypatch):
    monkeypatch.setattr(squad_sentences, "BLOCK", 50)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = write_data_sets(tmp_path_factory.mktemp("data"))
    shutil.copytree(tiny_teacher.folder(), folder / "encoders" / "all-MiniLM-L6-v2")
    return folder


@pytest.fixture
def write(tmp_path):
    def write(name, text):
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
        return tmp_path / f"{name}.yaml"

    return write


@pytest.fixture
def run(research, data):
    def run(*names, more=()):
        return research("run", *(f"{name}.yaml" for name in names), "--data", data, "--output", "runs", *more)

    return run


def result(folder: Path, name: str) -> dict:
    return json.loads((folder / name / "result.json").read_text(encoding="utf-8"))


def card(folder: Path) -> str:
    return (folder / "README.md").read_text(encoding="utf-8")


def test_all_signals_are_weighed_where_the_validation_part_says_so(run, write, tmp_path):
    write("plain", BASE)
    write("signals", "like: plain\nsignals: true\n")
    done = run("plain", "signals", more=("--test",))
    assert done.code == 0, done.err
    runs = tmp_path / "runs"
    plain, _ = registry.load(runs / "plain" / "seed-0")
    assert not plain.config.signals
    # The model alone is among what is chosen from.
    reached = {name: result(runs, name)["seeds"]["0"]["validation"]["MRR"] for name in ("signals", "plain")}
    assert reached["signals"] >= reached["plain"]
    chosen, _ = registry.load(runs / "signals" / "seed-0")
    assert chosen.config.signals == (reached["signals"] > reached["plain"])
    assert result(runs, "signals")["seeds"]["0"]["test"]
    # A run of before, without it, is not taken for one with it.
    write("plain", BASE + "signals: true\n")
    assert "other settings" in run("plain").err


def test_signals_of_retrieval_are_not_found_twice(run, write):
    write("end", BASE.replace("data: wikiqa", "data: squad-sentences") + "signals: true\n")
    done = run("end")
    assert done.code == 2
    assert "signals is for candidate lists, but the answers of squad-sentences are retrieved, with a score" in done.err


def test_one_model_of_several_data_sets_is_measured_on_each(run, write, tmp_path):
    write("base", BASE)
    write("wiki", "like: base\nsignals: true\n" + JOINT)
    write("squad", "like: base\ndata: squad-sentences\nrecipe: {training: {epochs: 3}}\n" + JOINT)
    done = run("wiki", "squad", more=("--test",))
    assert done.code == 0, done.err
    runs = tmp_path / "runs"
    [source] = (runs / "data" / "sources").glob("*/")
    [joint] = (runs / "data" / "joint").glob("*/")
    for part, most in (("train", 10), ("validation", 1)):
        ids = [one.query_id.split(":")[0] for one in read_jsonl(joint / f"{part}.jsonl")]
        assert {name: ids.count(name) for name in ids} == {"wikiqa": most, "squad-sentences": most}
    trained = registry.load(source)[0].state_dict()
    for name, own in (("wiki", "wikiqa"), ("squad", "squad-sentences")):
        folder = runs / name / "seed-0"
        model, _ = registry.load(folder)
        differs = {key for key, value in model.state_dict().items() if not value.equal(trained[key])}
        assert differs <= {"encoder.classifier.head.weight", "encoder.classifier.head.bias"}, "it is calibrated at most"
        assert result(runs, name)["seeds"]["0"]["seconds"] is None
        assert result(runs, name)["seeds"]["0"]["test"]
        assert f"| {own} | training, validation |" in card(folder)
        assert "trained on other data, and calibrated on those of its own" in card(folder)
        assert "| epochs | 2 |" in card(folder)
        assert "| sentence-transformers/all-MiniLM-L6-v2 | pretrained encoder | apache-2.0 |" in card(folder)
    assert run("wiki", "squad").code == 0
    assert len(list((runs / "data" / "sources").glob("*/"))) == 1


def test_one_source_can_be_cut_to_fewer_questions(run, write, tmp_path):
    write("base", BASE)
    write("whole", "like: base\nsource: {data: squad-sentences}\n")
    write("cut", "like: base\nsource: {data: squad-sentences, questions: 20}\n")
    assert read_experiment(tmp_path / "whole.yaml").digest != read_experiment(tmp_path / "cut.yaml").digest
    done = run("cut")
    assert done.code == 0, done.err
    [joint] = (tmp_path / "runs" / "data" / "joint").glob("*/")
    assert len(list(read_jsonl(joint / "train.jsonl"))) == 20
    assert "| squad-sentences | training first |" in card(tmp_path / "runs" / "cut" / "seed-0")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("{data: [squad-sentences, wiki]}", "source.data is 'wiki'; did you mean 'wikiqa'?"),
        ("{data: [qatarliving, qatarliving]}", "expected each data set once"),
        ("{data: []}", "source.data is []"),
        ("{data: [wikiqa]}", "source.data is 'wikiqa', which is the experiment's own data"),
        ("{data: qatarliving, questions: 0}", "source.questions is 0; expected a whole number, at least 1"),
        ("{data: qatarliving, alone: 1}", "source.alone is 1; expected true or false"),
        ("{data: qatarliving, alone: true}\nseeds: [0, 1]", "a source has one model; expected one seed"),
        (
            "{data: qatarliving, alone: true}\nteacher: {model: somewhere}\nseeds: [0]",
            "line 3: teacher is followed on the experiment's own data, and with source.alone nothing is learned",
        ),
    ],
)
def test_what_is_wrong_with_a_source_is_said(write, source, message):
    write("base", BASE)
    with pytest.raises(ExperimentError) as error:
        read_experiment(write("one", f"like: base\nsource: {source}\n"))
    assert message in str(error.value)


def test_a_switch_is_true_or_false(write):
    with pytest.raises(ExperimentError, match="signals is 2; expected true or false"):
        read_experiment(write("one", BASE + "signals: 2\n"))


def test_an_faq_is_asked_end_to_end_behind_hybrid_retrieval(run, write, data, tmp_path):
    write("faq", BASE.replace("data: wikiqa", "data: zoomcamp-faq") + JOINT)
    done = run("faq", more=("--test",))
    assert done.code == 0, done.err
    runs = tmp_path / "runs"
    found = result(runs, "faq")
    assert found["questions"]["test"] == 36
    assert 0 < found["questions"]["validation"] < 36
    work = runs / "data" / "zoomcamp-faq"
    assert {"data-engineering", "machine-learning"} <= {path.name for path in work.iterdir() if path.is_dir()}
    # What is validated on is what hybrid retrieval found for questions that are not learned from.
    lists = work / "lists-4-2"
    learned, chosen = (list(read_jsonl(lists / f"{part}.jsonl")) for part in ("train", "validation"))
    assert not {one.query_id for one in learned} & {one.query_id for one in chosen}
    assert all(one.meta["vector_score"] is not None for each in chosen for one in each.candidates)
    scores = json.loads((runs / "faq" / "seed-0-test.json").read_text(encoding="utf-8"))
    assert scores
    assert "| zoomcamp-faq | validation | not stated |" in card(runs / "faq" / "seed-0")
    dataset = open_dataset("zoomcamp-faq", data, runs / "data")
    assert dataset.digest("test", None) != dataset.digest("validation", None)
    assert dataset.lists(Recipe(negatives=4, keep_top=2), bar).real
