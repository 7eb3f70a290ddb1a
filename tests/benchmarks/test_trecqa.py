# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The TrecQA benchmark's command, on a few made-up questions: what it cuts, what it counts, and what it keeps."""

import importlib.util
import json
import sys
from pathlib import Path

import pytest
from answer_selection.pipelines.evaluation.policies import Policy
from answer_selection.pipelines.evaluation.results import QuestionResult, Ranking

ANIMALS = ("heron", "otter", "lynx", "badger", "stork", "weasel")


@pytest.fixture(scope="module")
def trecqa():
    path = Path(__file__).with_name("trecqa.py")
    spec = importlib.util.spec_from_file_location("trecqa_benchmark", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


def write_toks(folder: Path, rows: list[tuple[str, str, str, int]]) -> None:
    folder.mkdir()
    for column, name in enumerate(("id.txt", "a.toks", "b.toks", "sim.txt")):
        (folder / name).write_text("".join(f"{row[column]}\n" for row in rows), encoding="utf-8")


@pytest.fixture
def data(tmp_path):
    for part in ("train-all", "raw-dev", "raw-test"):
        rows = []
        for number, animal in enumerate(ANIMALS):
            asked = (f"q{number}", f"where does the {animal} live ?")
            rows += [(*asked, f"the {animal} lives by the river .", 1), (*asked, "nothing is known of it .", 0)]
        # One question with nothing but right answers, and one without any: the policies differ by them.
        rows += [("all", "what is a bird ?", "a heron is a bird .", 1), ("none", "what is a fish ?", "no idea .", 0)]
        write_toks(tmp_path / part, rows)
    return tmp_path


def test_answers_keep_the_first_40_tokens(trecqa, tmp_path):
    answer = " ".join(f"-lrb- w{number} ," for number in range(20))
    write_toks(tmp_path / "set", [("q", "what ?", answer, 1), ("q", "what ?", "short", 0)])
    (candidates,) = trecqa.cut_lists(tmp_path / "set")
    assert [one.answer for one in candidates.candidates] == [" ".join(answer.split()[:40]), "short"]
    assert [one.label for one in candidates.candidates] == [1, 0]


def test_the_command_trains_each_seed_once_and_reports_both_policies(
    trecqa, data, small_recipe, tmp_path, monkeypatch, capsys
):
    output = tmp_path / "runs"
    line = [
        "trecqa.py",
        "--data",
        str(data),
        "--recipe",
        str(small_recipe),
        "--output",
        str(output),
        "--seeds",
        "3",
        "4",
    ]
    monkeypatch.setattr(sys, "argv", line)
    trecqa.main()
    printed = capsys.readouterr().out
    assert "seed 3: step " in printed
    assert 'test: policy "with-relevant": 7 of 8 questions count' in printed
    assert 'test: policy "with-both": 6 of 8 questions count' in printed
    folder = output / "small"
    figures = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    # Only the right answers have the animal in them, so BM25 cannot miss them.
    assert figures["with-both"]["raw-test"]["BM25, words"] == {"MAP": 1.0, "MRR": 1.0, "P@1": 1.0}
    assert figures["with-relevant"]["raw-dev"].keys() == {*trecqa.BM25, "CTRN, seed 3", "CTRN, seed 4"}

    written = (folder / "seed-3" / "model.safetensors").stat().st_mtime_ns
    trecqa.main()
    printed = capsys.readouterr().out
    assert f"seed 3: the model in {folder / 'seed-3'} is taken as it is" in printed
    assert "step" not in printed
    assert (folder / "seed-3" / "model.safetensors").stat().st_mtime_ns == written
    assert json.loads((folder / "results.json").read_text(encoding="utf-8")) == figures


def test_the_difference_is_that_of_the_mean_over_the_seeds(trecqa):
    def result(number, seeds):
        relevance = {f"{number}-right": 1, f"{number}-wrong": 0}
        order = {True: tuple(relevance), False: tuple(reversed(relevance))}
        stages = {"BM25": False, **seeds}
        return QuestionResult(
            query_id=str(number),
            query="",
            relevance=relevance,
            closed=True,
            stages={name: Ranking(order[right], (1.0, 0.0)) for name, right in stages.items()},
            entries=(str(number),),
        )

    results = [result(number, {"one": True, "two": number < 5}) for number in range(10)]
    scores = trecqa.score(results, Policy.WITH_RELEVANT)
    assert scores.mean("BM25", "MAP") == 0.5
    found = scores.over("BM25", ["one", "two"], "MAP")
    assert found.difference == pytest.approx(0.375)
    # All ten differ the same way: 2 of the 1024 patterns of signs are as far out.
    assert found.p_value < 0.01
