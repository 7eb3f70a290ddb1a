# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The papers' tables: every row has an experiment or a reason, and what the experiments came to."""

from dataclasses import replace

import pytest

from answer_selection.pipelines.evaluation.scores import METRICS, Scores
from answer_selection.pipelines.experiments.experiment import read_experiment, shipped_experiments
from answer_selection.pipelines.experiments.experiment_result import ExperimentResult, SeedResult
from answer_selection.pipelines.experiments.paper_tables import papers, seed_values
from answer_selection.pipelines.experiments.result_files import Measured
from answer_selection.pipelines.experiments.tables import table

ROWS = [
    (paper, title, row, content.get("measures", []), figures, here)
    for paper, tables in papers().items()
    for title, content in tables.items()
    for row, (figures, here) in content["rows"].items()
]


def measured(name, ranks, ids):
    scores = {
        str(seed): Scores("with-relevant", ids, list(range(len(ids))), [1] * len(ids), [], of_seed)
        for seed, of_seed in enumerate(ranks)
    }
    seeds = {seed: SeedResult(1.0, one.means(), one.means()) for seed, one in scores.items()}
    bm25 = {"test": next(iter(scores.values())), "validation": next(iter(scores.values()))}
    result = ExperimentResult(
        read_experiment(name).data,
        "ggsa",
        "with-relevant",
        {},
        1,
        1.0,
        False,
        {part: one.means() for part, one in bm25.items()},
        seeds,
    )
    return Measured("GGSA", {}, result, bm25, {"test": scores}, {})


def test_every_row_has_experiments_or_a_reason():
    known = shipped_experiments()
    for _, title, row, measures, _, here in ROWS:
        if isinstance(here, str):
            assert len(here.split()) > 1, f"{title}, {row}: expected a reason"
            assert here not in known
        else:
            assert here, f"{title}, {row}"
            assert measures, f"{title}, {row}"
            assert set(here) <= set(known), f"{title}, {row}"


@pytest.mark.slow
def test_what_an_experiments_file_says_of_its_paper_is_a_rows_figure():
    """Two papers may have figures of one experiment; its file has those of one."""
    stated = {}
    for _, _, _, measures, figures, here in ROWS:
        if not isinstance(here, str):
            numbers = [
                float(word.strip(",")) for word in str(figures).split() if word.strip(",").replace(".", "").isdigit()
            ]
            values = [number / (100 if number > 1 else 1) for number in numbers]
            for name in here:
                stated.setdefault(name, []).append(dict(zip(measures, values, strict=False)))
    for name in shipped_experiments():
        if own := read_experiment(name).paper:
            assert any(
                row.keys() == own.keys() and all(abs(row[measure] - own[measure]) < 6e-4 for measure in own)
                for row in stated.get(name, [])
            ), f"{name}: no row of a paper's table has {dict(own)}"


@pytest.mark.parametrize("data", ["insuranceqa-v1"])
def test_two_test_sets_are_apart(data):
    name = f"ggsa_paper-{data}"
    # Of test 1 both seeds find the first question's answer; of test 2 one does.
    one = measured(name, ["1 2 2", "1 4 1"], ["test1-1", "test1-2", "test2-1"])
    assert seed_values(one, "P@1 test1") == [0.5, 0.5]
    assert seed_values(one, "P@1 test2") == [0.0, 1.0]
    assert seed_values(one, "MRR test2") == [0.5, 1.0]
    assert seed_values(one, "P@1 test3") == []
    heading, _, bm25, row = table(data, {name: one}).splitlines()
    columns = [column.strip() for column in heading.split("|")]
    place = columns.index("P@1 test1")
    assert columns[place + 1] == "P@1 test2"
    assert [cell.strip() for cell in row.split("|")][place : place + 2] == ["0.500 ± 0.000", "0.500 ± 0.707"]
    assert [cell.strip() for cell in bm25.split("|")][place : place + 2] == ["0.500", "0.000"]
    assert f"`{name}` 0.500 ± 0.000, 0.500 ± 0.707 |" in table("paper-ggsa", {name: one})
    without = replace(one, scores={})
    assert f"`{name}` not run, not run |" in table("paper-ggsa", {name: without})


def test_a_papers_table_has_what_was_measured():
    name = "hmda_paper-wikiqa"
    one = measured(name, ["1 2"], ["a", "b"])
    shown = table("paper-hmda", {name: one})
    assert (
        "|  | vertical | 0.763 0.776 | `hmda_paper-wikiqa` 0.750, 0.750<br>`hmda-wikiqa` not run: no time |\n" in shown
    )
    assert "| Table III, WikiQA (MAP, MRR) | the twelve models of others |" in shown
    assert "`ggsa_paper-insuranceqa-v1` not run: no data |\n" in table("paper-ggsa", {name: one})
    assert set(METRICS) >= {"MAP", "MRR"}
