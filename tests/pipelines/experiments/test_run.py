# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""`run.py` on data that is made up here, in the forms in which the real data sets are published."""

import gzip
import json
import shutil
from dataclasses import replace
from pathlib import Path
from statistics import mean

import pytest

from answer_selection.indexing.artifact import Artifact
from answer_selection.indexing.candidates import read_jsonl
from answer_selection.pipelines.commands.console import bar
from answer_selection.pipelines.evaluation.scores import Scores
from answer_selection.pipelines.experiments.data import open_dataset, squad_sentences
from answer_selection.pipelines.experiments.experiment import read_experiment
from answer_selection.pipelines.experiments.result_files import collect, read_results
from answer_selection.pipelines.experiments.runs import Runs
from answer_selection.pipelines.experiments.tables import READMES, fill_in, table
from answer_selection.pipelines.training import word_vectors
from answer_selection.pipelines.training.recipe import read_recipe
from haystack_integrations.components.rankers.answer_selection.models import registry
from research_files import ANIMALS, write_data_sets

pytestmark = pytest.mark.slow

RECIPE = """\
recipe:
  model:
    name: qrnn
    embedding_size: 8
    projection_size: 8
    hidden_size: 8
    mlp_size: 4
    dropout: 0.0
    max_answer_length: 60
    pair_features: [overlap, idf_overlap]
  vectors: {source: corpus, method: word2vec, epochs: 1}
  negatives: 4
  keep_top: 2
  training: {loss: listwise, epochs: 1, negatives: null, learning_rate: 0.01, use_cpu: true}
"""


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return write_data_sets(tmp_path_factory.mktemp("data"))


@pytest.fixture
def experiment(tmp_path):
    def write(name, *lines):
        path = tmp_path / f"{name}.yaml"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    return write


def result(folder: Path, name: str) -> dict:
    return json.loads((folder / name / "result.json").read_text(encoding="utf-8"))


def weights(folder: Path, name: str, seed: int) -> int:
    return (folder / name / f"seed-{seed}" / "model.safetensors").stat().st_mtime_ns


def test_every_seed_is_trained_once_and_the_test_set_scored_once_if_asked(research, data, experiment, tmp_path):
    config = experiment("tiny", "data: wikiqa", "seeds: [0, 1]", RECIPE)
    line = ("run", config, "--data", data, "--output", "runs")
    done = research(*line)
    assert done.code == 0, done.err
    assert "tiny (wikiqa)" in done.out
    assert "│ validation │ BM25" in done.out
    assert "test" not in done.out
    assert "models: runs/tiny/seed-0, runs/tiny/seed-1" in done.out
    assert "training: without the time for its word vectors, encoder and source" in done.out
    runs = tmp_path / "runs"
    found = result(runs, "tiny")
    over = [mean(one["validation"][metric] for one in found["seeds"].values()) - 1 for metric in ("MAP", "MRR", "P@1")]
    assert f"│ validation │ over BM25 │ {' │ '.join(f'{one:+.4f}' for one in over)} │" in done.out
    # All but the one without a right answer.
    assert found["questions"] == {"validation": 13}
    assert (found["policy"], found["model"], found["vectors"]) == ("with-relevant", "qrnn", True)
    # Only the right answers have the animal in them, so BM25 cannot miss them.
    assert found["bm25"] == {"validation": {"MAP": 1.0, "MRR": 1.0, "P@1": 1.0}}
    assert found["milliseconds"] > 0
    assert found["seeds"]["0"].keys() == found["seeds"]["1"].keys() == {"seconds", "validation", "test"}
    assert found["seeds"]["0"]["seconds"] > 0
    assert found["seeds"]["0"]["test"] is None
    model, _ = registry.load(runs / "tiny" / "seed-0")
    # The four parts of the convolution's weight and all others, the vectors of words aside.
    words = model.embedding.weight.numel()
    assert found["parameters"] == sum(one.numel() for one in model.parameters()) - words
    assert len(list((runs / "data" / "vectors").glob("*.npy"))) == 2

    before = [weights(runs, "tiny", seed) for seed in (0, 1)]
    done = research(*line, "--test")
    assert done.code == 0, done.err
    assert "│ test │ seed 1" in done.out
    assert "│ test │ over BM25" in done.out
    assert [weights(runs, "tiny", seed) for seed in (0, 1)] == before, "trained again"
    tested = result(runs, "tiny")
    assert tested["seeds"]["0"]["validation"] == found["seeds"]["0"]["validation"]
    assert tested["seeds"]["0"]["seconds"] == found["seeds"]["0"]["seconds"]
    assert tested["questions"] == {"validation": 13, "test": 13}

    # Scores that are there are not made again; what they were is kept, also where the test is not asked for.
    kept = runs / "tiny" / "seed-0-test.json"
    marked = Scores.load(kept)
    replace(marked, relevant=[1] * len(marked.questions), ranks=" ".join("8" for _ in marked.questions)).save(kept)
    for more in (("--test",), ()):
        assert research(*line, *more).code == 0
        assert result(runs, "tiny")["seeds"]["0"]["test"]["MAP"] == 0.125
    assert research(*line, "--test", "--overwrite").code == 0
    assert result(runs, "tiny")["seeds"]["0"]["test"] == tested["seeds"]["0"]["test"]
    assert [weights(runs, "tiny", seed) for seed in (0, 1)] == before, "trained again"


def test_a_model_follows_one_of_another_experiment(research, data, experiment, tmp_path):
    experiment("tiny", "data: wikiqa", RECIPE)
    student = ("teacher: {experiment: tiny}", "recipe: {model: {hidden_size: 4}, teacher: {weight: 1}}")
    experiment("student", "like: tiny", "seeds: [0, 1]", *student)
    line = ("--data", data, "--output", "runs")
    done = research("run", "student.yaml", *line)
    assert done.code == 2
    assert "teacher is the model of tiny with seed 0, but runs/tiny/seed-0 holds no finished one; expected" in done.err

    assert research("run", "tiny.yaml", *line).code == 0
    done = research("run", "student.yaml", *line)
    assert done.code == 0, done.err
    runs = tmp_path / "runs"
    # The teacher was asked once for both seeds.
    assert len(list((runs / "data" / "teachers").glob("*/scores.bin"))) == 1
    assert "| seed-0 | teacher | " in (runs / "student" / "seed-1" / "README.md").read_text(encoding="utf-8")
    before = [weights(runs, "student", seed) for seed in (0, 1)]
    assert research("run", "student.yaml", *line).code == 0
    assert [weights(runs, "student", seed) for seed in (0, 1)] == before, "trained again"

    # Another teacher under the same name is not taken for the same.
    config = runs / "tiny" / "seed-0" / "config.json"
    config.write_text(json.dumps(json.loads(config.read_text()) | {"retriever_weight": 0.5}), encoding="utf-8")
    done = research("run", "student.yaml", *line)
    assert done.code == 2
    assert "student/seed-0 was made from something else (other teacher): move it away" in done.err


def test_other_settings_or_other_data_are_not_taken_for_the_same(research, data, experiment, tmp_path):
    mine = tmp_path / "mine"
    shutil.copytree(data / "wikiqa", mine / "wikiqa")
    experiment("tiny", "data: wikiqa", RECIPE)
    line = ("run", "tiny.yaml", "--data", mine)
    assert research(*line).code == 0
    runs = tmp_path / "answer-selection-runs" / "experiments"
    before = weights(runs, "tiny", 0)
    experiment("tiny", "data: wikiqa", RECIPE.replace("learning_rate: 0.01", "learning_rate: 0.02"))
    done = research(*line)
    assert done.code == 2
    assert "seed-0 was made from something else (other settings): move it away, or replace it: --overwrite" in done.err
    assert weights(runs, "tiny", 0) == before
    assert research(*line, "--overwrite").code == 0
    assert weights(runs, "tiny", 0) != before
    (mine / "wikiqa" / "train" / "b.toks").write_text(
        (data / "wikiqa" / "train" / "b.toks").read_text(encoding="utf-8").replace("river", "lake"), encoding="utf-8"
    )
    done = research(*line)
    assert done.code == 2
    assert "other training lists" in done.err


def test_a_killed_seed_goes_on_and_a_finished_one_stays(research, data, experiment, tmp_path, monkeypatch):
    config = experiment("tiny", "data: wikiqa", "seeds: [0, 1]", RECIPE.replace("epochs: 1, neg", "epochs: 3, neg"))
    from haystack_integrations.components.rankers.answer_selection.training import trainer

    class KilledError(Exception):
        pass

    save, saved = trainer.registry.save, []

    def kill(folder, *more):
        saved.append(folder)
        if len(saved) == 2:
            raise KilledError
        save(folder, *more)

    with monkeypatch.context() as context, pytest.raises(KilledError):
        context.setattr(trainer.registry, "save", kill)
        research("run", config, "--data", data, "--output", "runs")
    first = weights(tmp_path / "runs", "tiny", 0)
    assert (tmp_path / "runs" / "tiny" / "seed-1" / "checkpoints" / "run.json").exists()
    assert research("run", config, "--data", data, "--output", "runs").code == 0
    assert weights(tmp_path / "runs", "tiny", 0) == first
    # It was not timed as a whole.
    seeds = result(tmp_path / "runs", "tiny")["seeds"]
    assert seeds["1"]["seconds"] is None

    assert research("run", config, "--data", data, "--output", "whole").code == 0
    for seed in ("0", "1"):
        assert result(tmp_path / "whole", "tiny")["seeds"][seed]["validation"] == seeds[seed]["validation"]


def test_several_experiments_share_what_is_made_of_the_data(research, data, experiment, tmp_path, monkeypatch):
    experiment("tiny", "data: trecqa-raw", RECIPE)
    experiment("clean", "data: trecqa-clean", "like: tiny")
    experiment("other", "data: trecqa-raw", "like: tiny", "recipe: {model: {hidden_size: 4}}")
    trained = []
    vectors = word_vectors.corpus_vectors

    def counted(*arguments, **options):
        trained.append(arguments[2])
        return vectors(*arguments, **options)

    monkeypatch.setattr(word_vectors, "corpus_vectors", counted)
    names = ("tiny", "other", "clean")
    done = research("run", *(f"{n}.yaml" for n in names), "--data", data, "--output", "runs")
    assert done.code == 0, done.err
    assert trained == [8], "word vectors of the same words and texts are trained once"
    runs = tmp_path / "runs"
    assert result(runs, "tiny")["questions"] == {"validation": 13}
    assert result(runs, "clean")["questions"] == {"validation": 12}
    # TRAIN-ALL is cut as dev and test are; those stay as they are.
    answers = {
        part: [
            len(one["answer"].split())
            for line in (runs / "data" / "trecqa-raw" / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()
            for one in json.loads(line)["candidates"]
        ]
        for part in ("train", "validation")
    }
    assert max(answers["train"]) == 40
    assert max(answers["validation"]) == 56


def test_qatar_livings_dev_is_parted_by_thread(research, data, experiment, tmp_path):
    config = experiment("tiny", "data: qatarliving", "texts: [wikiqa]", RECIPE)
    done = research("run", config, "--data", data, "--output", "runs", "--test")
    assert done.code == 0, done.err
    folder = tmp_path / "runs" / "data" / "qatarliving"
    ids = {
        part: {
            json.loads(line)["query_id"] for line in (folder / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()
        }
        for part in ("validation", "test")
    }
    assert not ids["validation"] & ids["test"]
    assert len(ids["validation"] | ids["test"]) == len(ANIMALS)
    assert min(map(len, ids.values())) >= 3
    # The words of the other data set are known too.
    _, collator = registry.load(tmp_path / "runs" / "tiny" / "seed-0")
    assert {"bird", "comment"} & set(collator.vocabulary) == {"bird"}


def test_squad_sentences_are_asked_end_to_end_and_yahooqas_lists_made_of_them(
    research, data, experiment, tmp_path, monkeypatch
):
    monkeypatch.setattr(squad_sentences, "BLOCK", 50)
    experiment("tiny", "data: squad-sentences", RECIPE)
    experiment("lists", "data: yahooqa-style", "like: tiny")
    line = ("run", "tiny.yaml", "lists.yaml", "--data", data, "--output", "runs", "--test")
    done = research(*line)
    assert done.code == 0, done.err
    runs = tmp_path / "runs"
    # Of six runs of 50 questions one is held out.
    assert result(runs, "tiny")["questions"] == {"validation": 50, "test": 24}
    learned = (runs / "data" / "squad-sentences" / "lists-4-2" / "train.jsonl").read_text(encoding="utf-8")
    assert len(learned.splitlines()) == 250
    # The model that is asked of test knows test's words.
    _, adapted = registry.load(runs / "tiny" / "seed-0-adapted")
    assert "test" in adapted.vocabulary

    lists = [
        json.loads(line)
        for line in (runs / "data" / "yahooqa-style" / "test.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert len(lists) == result(runs, "lists")["questions"]["test"]
    assert {sum(one["label"] for one in row["candidates"]) for row in lists} == {1}
    assert {len(row["candidates"]) for row in lists} == {5}

    # Of other data, index and lists are made anew; models only where that is asked for.
    mine = tmp_path / "mine"
    shutil.copytree(data / "squad-sentences", mine / "squad-sentences")
    for half, name in (("dev", "src"), ("dev", "tgt"), ("test", "src"), ("test", "tgt")):
        file = mine / "squad-sentences" / f"{name}-{half}.txt"
        file.write_text(file.read_text(encoding="utf-8").replace("valley", "canyon"), encoding="utf-8")
    changed = [mine if word == data else word for word in line]
    done = research(*changed)
    assert done.code == 2
    assert "other training lists" in done.err
    done = research(*changed, "--overwrite")
    assert done.code == 0, done.err
    assert "canyon" in (runs / "data" / "yahooqa-style" / "test.jsonl").read_text(encoding="utf-8")


def test_insuranceqas_training_questions_get_negatives_from_its_own_answers(tmp_path):
    folder = tmp_path / "insuranceqa-v1"
    folder.mkdir()
    (folder / "vocabulary").write_text("".join(f"idx_{n}\tword{n}\n" for n in range(40)), encoding="utf-8")
    answers = "".join(f"{n}\tidx_{n} idx_{n * 3 % 40} idx_{n * 7 % 40}\n" for n in range(1, 31))
    (folder / "answers.label.token_idx").write_text(answers, encoding="utf-8")
    asked = "".join(f"idx_{n} idx_{n * 3 % 40}\t{n}\n" for n in range(1, 20))
    (folder / "question.train.token_idx.label").write_text(asked, encoding="utf-8")
    for split in ("dev", "test1", "test2"):
        pools = "".join(f"{n}\tidx_{n}\t{n} {n + 1} {n + 2}\n" for n in range(1, 9))
        (folder / f"question.{split}.label.token_idx.pool").write_text(pools, encoding="utf-8")
    data = open_dataset("insuranceqa-v1", tmp_path, tmp_path / "work")
    lists = list(read_jsonl(data.lists(read_recipe("small_ctrn"), bar).train))
    assert lists
    assert all({0, 1} <= {one.label for one in row.candidates} for row in lists)
    # The two test sets are measured as one.
    found = list(data.rank("test", None, bar))
    assert [one.query_id for one in found] == [f"{part}-{n}" for part in ("test1", "test2") for n in range(1, 9)]


POOLED = "InsuranceQA.question.anslabel.token.500.pool.solr.{}.encoded.gz"


@pytest.mark.parametrize(
    ("name", "split_file", "splits", "split", "beside"),
    [
        ("yahooqa", "{}.tsv", ("train", "dev", "test"), "what is it ?\ta newt .\t1\nwhat is it ?\tno .\t0\n", {}),
        (
            "selqa",
            "selqa-ass-{}.json",
            ("train", "dev", "test"),
            json.dumps([{"question": "what is it ?", "candidates": ["a newt .", "no ."], "answers": [0]}]),
            {},
        ),
        (
            "insuranceqa-v2",
            POOLED,
            ("train", "valid", "test"),
            "auto\tidx_0\t1\t2 1\n",
            {
                "vocabulary": "idx_0\twhat\nidx_1\tnewt\nidx_2\tno\n",
                "InsuranceQA.label2answer.token.encoded.gz": "1\tidx_1\n2\tidx_2\n",
            },
        ),
    ],
    ids=("yahooqa", "selqa", "insuranceqa-v2"),
)
def test_data_sets_are_found_under_the_names_that_they_are_published_under(
    tmp_path, name, split_file, splits, split, beside
):
    folder = tmp_path / name
    folder.mkdir()
    for file, text in ({split_file.format(part): split for part in splits} | beside).items():
        (folder / file).write_bytes(gzip.compress(text.encode()) if file.endswith(".gz") else text.encode())
    data = open_dataset(name, tmp_path, tmp_path / "work")
    lists = data.lists(read_recipe("small_ctrn"), bar)
    assert lists.validation is not None
    for file in (lists.train, lists.validation):
        [row] = read_jsonl(file)
        assert sorted(one.label for one in row.candidates) == [0, 1]
    [asked] = data.rank("test", None, bar)
    assert sorted(asked.relevance.values()) == [0, 1]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (("tiny.yaml",), "Missing option '--data'"),
        (("tiny.yaml", "--data", "nowhere"), "nowhere/wikiqa/train: no such file or folder; the data set"),
        (("tiny.yaml", "--data", "x", "--seed", "1"), "No such option: --seed"),
        (("--data", "x"), "Missing argument"),
        (("tiny.yaml", "tinny.yaml", "--data", "x"), "tinny.yaml: No such file or directory"),
    ],
)
def test_what_is_not_there_is_said(research, experiment, line, message):
    experiment("tiny", "data: wikiqa", RECIPE)
    done = research("run", *line)
    assert done.code == 2
    assert message in done.err
    assert "Traceback" not in done.err


def test_results_of_several_runs_make_a_file_each_and_their_tables(research, data, experiment, tmp_path):
    experiment("linear-wikiqa", "description: Linear", "data: wikiqa", "seeds: [0]", RECIPE)
    experiment("tiny", "description: Tiny", "paper: {MAP: 0.9}", "seeds: [0, 1]", "like: linear-wikiqa")
    line = ("--data", data, "--output", "runs")
    done = research("run", "linear-wikiqa.yaml", "tiny.yaml", *line, "--test")
    assert done.code == 0, done.err
    folder = tmp_path / "results"
    collected = collect(Runs(tmp_path / "runs"), folder, tmp_path)
    assert read_results(folder) == collected
    assert sorted(path.name for path in folder.iterdir()) == ["BM25", "linear-wikiqa.json", "tiny.json"]
    assert list(collected) == ["linear-wikiqa", "tiny"]
    tiny = collected["tiny"]
    assert list(tiny.differences["test"]) == ["BM25", "linear-wikiqa"]
    runs = Runs(tmp_path / "runs")
    own = [Scores.load(runs.scores("tiny", seed, "test")).means()["MAP"] for seed in (0, 1)]
    linear = Scores.load(runs.scores("linear-wikiqa", 0, "test")).means()["MAP"]
    assert tiny.differences["test"]["linear-wikiqa"]["MAP"].difference == pytest.approx(sum(own) / 2 - linear)
    assert tiny.differences["test"]["BM25"]["MAP"].difference == pytest.approx(sum(own) / 2 - 1)

    shown = table("wikiqa", collected)
    assert shown.startswith("| experiment | validation MAP | test MAP | test MRR | test P@1 | MAP, with-both | ")
    assert " | the paper's | MAP over others in points (95 % interval), p |" in shown
    assert "| BM25 | 1.000 | 1.000 | 1.000 | 1.000 | 1.000 | 1.000 | 1.000 |" in shown
    assert "| Tiny (`tiny`) | " in shown
    assert f"| {sum(own) / 2:.3f} ± " in shown
    assert "| MAP 0.900 | BM25 -" in shown
    text = "before\n<!-- experiments: wikiqa -->\nold\n<!-- /experiments -->\nafter\n"
    assert fill_in(text, collected) == text.replace("old\n", shown)
    assert fill_in(fill_in(text, collected), {}) == text.replace("old\n", "Not measured yet.\n")
    with pytest.raises(ValueError, match="unknown table 'wiki'"):
        fill_in(text.replace("wikiqa", "wiki"), collected)

    # What it was held against need not be there: its ranks are in the results.
    (tmp_path / "runs" / "linear-wikiqa").rename(tmp_path / "elsewhere")
    assert collect(runs, folder, tmp_path) == collected
    # What its file says of itself is taken from there, though it was not run again.
    experiment("linear-wikiqa", "description: A line", "data: wikiqa", "seeds: [0]", RECIPE)
    collected = collect(runs, folder, tmp_path)
    assert collected["linear-wikiqa"].description == "A line"

    # What the files say is what was run.
    experiment("tiny", "like: linear-wikiqa", "seeds: [0, 1]", "recipe: {training: {epochs: 2}}")
    with pytest.raises(ValueError, match="seed-0 was not made by the experiment tiny as its file is now"):
        collect(runs, folder, tmp_path)
    assert read_results(folder) == collected


def test_what_has_no_ranks_or_those_of_other_questions_is_not_compared(research, data, experiment, tmp_path):
    experiment("linear-wikiqa", "description: Linear", "data: wikiqa", RECIPE)
    experiment("tiny", "description: Tiny", "seeds: [0, 1]", "like: linear-wikiqa")
    line = ("run", "linear-wikiqa.yaml", "tiny.yaml", "--data", data, "--test")
    done = research(*line, "--output", "runs")
    assert done.code == 0, done.err
    runs, folder = Runs(tmp_path / "runs"), tmp_path / "results"
    before = collect(runs, folder, tmp_path)
    compared = before["tiny"].differences["test"]
    assert compared["linear-wikiqa"]["MAP"].single_seed
    assert not compared["BM25"]["MAP"].single_seed, "BM25 has no seed to be varied"
    assert ", one seed |" in table("wikiqa", before)

    # A row of earlier days keeps its means, and nothing that its ranks would be needed for.
    file = folder / "linear-wikiqa.json"
    values = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps(values | {"asked": {}, "ranks": {}}), encoding="utf-8")
    (tmp_path / "runs" / "linear-wikiqa").rename(tmp_path / "elsewhere")
    after = collect(runs, folder, tmp_path)
    assert after["linear-wikiqa"].result == before["linear-wikiqa"].result
    assert after["linear-wikiqa"].differences["test"] == {"BM25": None}
    assert after["tiny"].differences["test"] == {"BM25": compared["BM25"], "linear-wikiqa": None}
    shown = table("wikiqa", after)
    assert "| not tested again |\n" in shown
    assert "<br>`linear-wikiqa` not tested again |" in shown
    assert read_results(folder) == after

    # The questions are others now: what was measured on the earlier ones cannot be held against them.
    (tmp_path / "elsewhere").rename(tmp_path / "runs" / "linear-wikiqa")
    collect(runs, folder, tmp_path)
    (tmp_path / "runs" / "linear-wikiqa").rename(tmp_path / "elsewhere")
    for path in (runs.bm25("wikiqa", "test"), *(runs.scores("tiny", seed, "test") for seed in (0, 1))):
        scores = Scores.load(path)
        replace(scores, questions=[f"other-{one}" for one in scores.questions]).save(path)
    after = collect(runs, folder, tmp_path)
    assert after["tiny"].differences["test"]["linear-wikiqa"] is None
    assert after["tiny"].differences["validation"]["linear-wikiqa"] is not None
    assert after["linear-wikiqa"].differences["test"] == {"BM25": None}


def test_what_a_policy_leaves_out_stands_beside_it(research, data, experiment, tmp_path):
    experiment("bm25-wikiqa", "description: Counting", "data: wikiqa", "recipe: {model: {name: bm25}}")
    done = research("run", "bm25-wikiqa.yaml", "--data", data, "--output", "runs", "--test")
    assert done.code == 0, done.err
    runs = Runs(tmp_path / "runs")
    results = collect(runs, tmp_path / "results", tmp_path)
    assert results["bm25-wikiqa"].differences["test"]["BM25"]["MAP"].single_seed is False, "its order has no seed"

    for path, rank in ((runs.bm25("wikiqa", "test"), "1"), (runs.scores("bm25-wikiqa", 0, "test"), "2")):
        scores = Scores.load(path)
        count = len(scores.questions)
        ranks = " ".join(["1", *[rank] * (count - 1)])
        replace(scores, relevant=[1] * count, only_relevant=scores.questions[:1], ranks=ranks).save(path)
    shown = table("wikiqa", collect(runs, tmp_path / "results", tmp_path))
    assert "test P@1 | MAP, with-both | MRR, with-both | P@1, with-both |" in shown
    assert "| 1.000 | 1.000 | 1.000 |" in shown.splitlines()[2]
    assert "| 0.500 | 0.500 | 0.000 |" in shown.splitlines()[3]
    [one] = read_results(tmp_path / "results").values()
    assert "| - | - | - |" in table("wikiqa", {"bm25-wikiqa": replace(one, scores={})}).splitlines()[3]
    for without in ({}, {part: replace(scores, only_relevant=[]) for part, scores in one.bm25.items()}):
        assert "with-both" not in table("wikiqa", {"bm25-wikiqa": replace(one, bm25=without)})


def test_scores_of_an_earlier_form_are_not_read(research, data, experiment, tmp_path):
    config = experiment("tiny", "data: wikiqa", RECIPE)
    line = ("run", config, "--data", data, "--output", "runs")
    assert research(*line).code == 0
    runs = Runs(tmp_path / "runs")
    for path in (runs.scores("tiny", 0, "validation"), runs.bm25("wikiqa", "validation")):
        path.write_text('{"values": {}}', encoding="utf-8")
        noted = json.loads(Artifact(path).record.read_text(encoding="utf-8"))
        del noted["form of scores"]
        Artifact(path).record.write_text(json.dumps(noted), encoding="utf-8")
    done = research(*line)
    assert done.code == 2
    assert "seed-0-validation.json was made from something else (other form of scores)" in done.err
    done = research(*line, "--overwrite")
    assert done.code == 0, done.err


@pytest.mark.parametrize("readme", READMES, ids=lambda path: path.parent.name)
def test_the_readmes_tables_are_those_of_the_results(readme):
    text = readme.read_text(encoding="utf-8")
    assert fill_in(text, read_results()) == text, "run: python pipelines/experiments/tables.py"


def test_results_are_of_experiments_as_they_are_now():
    for name, measured in read_results().items():
        experiment = read_experiment(name)
        assert (measured.description, measured.paper) == (experiment.description, dict(experiment.paper))
        assert measured.result.data == experiment.data
        assert measured.result.model == experiment.recipe.name
        assert set(measured.result.seeds) == set(map(str, experiment.seeds))


def test_experiments_are_for_one_process(research, monkeypatch, tmp_path):
    monkeypatch.setenv("WORLD_SIZE", "2")
    done = research("run", "bm25-wikiqa", "--data", tmp_path)
    assert done.code == 2
    assert "experiments are for one process, but 2 were started" in done.err
