# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0

import re
from dataclasses import replace
from html import unescape

import pytest

from answer_selection.pipelines.experiments.quality_picture import PANELS, PICTURE, draw, points
from answer_selection.pipelines.experiments.result_files import read_results


def labels(path):
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", path.read_text(encoding="utf-8"))
    return sorted(unescape(text) for text in texts if text.endswith(" ms"))


@pytest.mark.slow
def test_the_picture_is_of_the_results(tmp_path):
    results = read_results()
    shown = sorted(one.label for data in PANELS for one in points(data, results))
    assert len({one.split()[0] for one in shown}) >= 10
    draw(results, tmp_path / "drawn.svg")
    assert labels(tmp_path / "drawn.svg") == shown
    assert labels(PICTURE) == shown, "run: python pipelines/experiments/tables.py"


@pytest.mark.slow
def test_a_models_experiment_is_chosen_by_validation_alone():
    results = {
        name: one for name, one in read_results().items() if one.result.data == "wikiqa" and one.result.model == "gsamn"
    }
    worst, *_, best = sorted(results, key=lambda name: _means(results[name], "validation"))
    # The worst on validation would be the best on test.
    results[worst] = _tested(results[worst], 0.99)
    (point,) = points("wikiqa", results)
    assert point.quality == pytest.approx(_means(results[best], "test"))
    assert point.encoder == (results[best].result.encoder is not None)
    assert point.milliseconds == results[best].result.milliseconds


def test_what_was_not_tested_is_not_shown():
    results = {name: _tested(one, None) for name, one in read_results().items()}
    assert not list(points("wikiqa", results))


def _means(one, part):
    return sum(getattr(seed, part)["MAP"] for seed in one.result.seeds.values()) / len(one.result.seeds)


def _tested(one, value):
    test = None if value is None else {"MAP": value}
    seeds = {name: replace(seed, test=test) for name, seed in one.result.seeds.items()}
    return replace(one, result=replace(one.result, seeds=seeds))
