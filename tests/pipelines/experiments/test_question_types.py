# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""`question_types.py`: scores that are made up, of questions of the published form."""

from statistics import mean

import pytest

from answer_selection.indexing.candidates import read_jsonl
from answer_selection.pipelines.commands.console import bar
from answer_selection.pipelines.evaluation.scores import Scores
from answer_selection.pipelines.experiments.data import open_dataset
from answer_selection.pipelines.experiments.question_types import by_type, question_type
from answer_selection.pipelines.experiments.runs import Runs
from research_files import write_data_sets


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What is a heron?", "what"),
        ("how are glacier caves formed ?", "how"),
        ("In what year, and where, was it?", "what"),
        ("Since when is it so?", "when"),
        ("WHO wrote it", "who"),
        ("where's the desk?", "where"),
        ("is somehow a word of these?", "other"),
        ("", "other"),
    ],
)
def test_the_type_of_a_question(question, kind):
    assert question_type(question) == kind


def test_values_are_sorted_by_type():
    texts = {"a": "what is it?", "b": "how is it?", "c": "and what of that?", "d": "is it?"}
    assert by_type("abcd", [1.0, 0.5, 0.0, 0.25], texts) == {"what": [1.0, 0.0], "how": [0.5], "other": [0.25]}


@pytest.fixture
def line(tmp_path):
    """Two experiments on WikiQA, two seeds each, that were run with the test part."""
    data, runs = write_data_sets(tmp_path / "data"), Runs(tmp_path / "runs")
    lists = list(read_jsonl(open_dataset("wikiqa", data, runs.work).part("test", bar)))
    asked = [one for one in lists if any(candidate.label for candidate in one.candidates)]
    for number, name in enumerate(("one", "two")):
        (tmp_path / f"{name}.yaml").write_text(
            "data: wikiqa\nseeds: [0, 1]\nrecipe: {model: {name: qrnn}}\n", encoding="utf-8"
        )
        for seed in (0, 1):
            path = runs.scores(name, seed, "test")
            path.parent.mkdir(parents=True, exist_ok=True)
            ranks = " ".join(str(1 + (number + seed) * (one.query_id != "all")) for one in asked)
            ids = [one.query_id for one in asked]
            Scores("with-relevant", ids, list(range(len(ids))), [1] * len(ids), [], ranks).save(path)
    return ("question_types", tmp_path / "one.yaml", tmp_path / "two.yaml", "--data", data, "--output", runs.folder)


def test_a_row_a_type_and_a_column_an_experiment(research, line):
    done = research(*line, "--part", "test")
    assert done.code == 0, done.err
    assert "MRR by type of question (wikiqa, test)" in done.out
    # Twelve ask where an animal lives, one what a bird is; the one without a right answer does not count.
    assert "│ what │ 1 │ 7.7% │ 1.0000 │ 1.0000 │" in done.out
    two = f"{mean([1, 1 / 2]):.4f} │ {mean([1 / 2, 1 / 3]):.4f}"
    assert f"│ where │ 12 │ 92.3% │ {two} │" in done.out


def test_what_is_missing_or_unknown_is_named(research, line, tmp_path):
    assert "seed-0-validation.json: no such file; run the experiment first" in research(*line).err
    assert "--part is 'dev'; expected one of validation, test" in research(*line, "--part", "dev").err
    assert "--metric is 'F1'; expected one of MAP, MRR, P@1" in research(*line, "--metric", "F1").err
    other = tmp_path / "other.yaml"
    other.write_text("data: trecqa-raw\nrecipe: {model: {name: qrnn}}\n", encoding="utf-8")
    assert "these experiments are on trecqa-raw, wikiqa; expected one" in research(*line[:2], other, *line[3:]).err
    other.write_text("data: squad-sentences\nrecipe: {model: {name: qrnn}}\n", encoding="utf-8")
    assert "squad-sentences has no candidate lists of its own" in research(line[0], other, *line[3:]).err
