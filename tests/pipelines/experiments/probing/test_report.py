# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0

import csv
import json
from statistics import mean, stdev

import numpy as np
import pytest
from matplotlib.image import imread

from answer_selection.pipelines.experiments.probing.classifier import ProbeScores
from answer_selection.pipelines.experiments.probing.report import Measured, Report, draw, markdown, write

TREE = (0.60, 0.64, 0.62)
OTHERS = {"majority": (0.05,), "plain": (0.50, 0.58, 0.54), "random | trees": (0.61, 0.55, 0.58)}


def measured(name, task, values):
    return Measured(name, task, tuple(ProbeScores(value, value + 0.1) for value in values))


@pytest.fixture
def report():
    found = [measured(name, "depth", values) for name, values in {**OTHERS, "tree": TREE}.items()]
    found += [measured(name, "length", (0.5, 0.5, 0.5)) for name in [*OTHERS, "tree"]]
    return Report(tuple(found), ("tree", "plain", "random | trees"), {"seeds": [0, 1, 2]})


def test_the_first_model_is_compared_with_all_others(report):
    found = list(report.differences())
    assert [(one.task, one.other) for one in found] == [(task, name) for task in ("depth", "length") for name in OTHERS]
    assert {one.first for one in found} == {"tree"}
    for one, values in zip(found, OTHERS.values(), strict=False):
        assert one.difference == pytest.approx(mean(TREE) - mean(values))
        together = stdev(TREE) + (stdev(values) if len(values) > 1 else 0)
        assert one.outside == (one.difference > together)
    # Of 0.62 ± 0.02: 0.54 ± 0.04 is outside the deviations, 0.58 ± 0.03 is not, and nothing is above its like.
    assert [one.outside for one in found] == [True, True, False, False, False, False]


def test_all_that_is_found_is_written(report, tmp_path):
    write(report, tmp_path / "deep" / "folder")
    folder = tmp_path / "deep" / "folder"
    assert {path.name for path in folder.iterdir()} == {"results.json", "table.md", "table.csv", "plot.png"}
    results = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    assert results["settings"] == {"seeds": [0, 1, 2]}
    assert results["results"][3]["runs"][1] == {"macro_f1": 0.64, "accuracy": 0.74}
    assert results["differences"][1]["outside"] is True
    with (folder / "table.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 2 * 4 * 2
    assert rows[6] == {
        "task": "depth",
        "representation": "tree",
        "metric": "macro_f1",
        "mean": "0.620000",
        "deviation": "0.020000",
        "runs": "3",
    }


def test_the_table_says_means_deviations_and_what_is_outside_them(report):
    lines = markdown(report).splitlines()
    assert lines[0] == ("| representation | depth, macro-F1 | depth, accuracy | length, macro-F1 | length, accuracy |")
    assert lines[2].startswith("| majority | 0.050 | 0.150 |")
    assert lines[4].startswith(r"| random \| trees | 0.580 ± 0.030 |")
    assert lines[5].startswith("| tree | 0.620 ± 0.020 | 0.720 ± 0.020 |")
    assert lines[7] == "| macro-F1 of tree less that of | depth | length |"
    assert lines[10:12] == ["| plain | +0.080 * | +0.000 |", r"| random \| trees | +0.040 | +0.000 |"]


def test_the_plot_needs_no_colour(report, tmp_path):
    draw(report, tmp_path / "plot.png")
    picture = imread(tmp_path / "plot.png")[..., :3]
    assert picture.shape[0] > 300
    assert np.ptp(picture, axis=2).max() == 0
    assert picture.min() == 0
    # Of bars of two lengths the longer one has more ink.
    ink = (picture[..., 0] < 0.9).sum(axis=1)
    assert ink.max() > 200
