# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""`train --teacher`: a small model follows a trained one."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from haystack_integrations.components.preprocessors.answer_selection.shallow import ShallowBackend
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.training import teacher_scores
from haystack_integrations.components.rankers.answer_selection.training.dataset import CandidateFile
from haystack_integrations.components.rankers.answer_selection.training.scoring import score_lists

pytestmark = pytest.mark.slow

GGSA = """\
model: {name: ggsa, embedding_size: 12, projection_size: 12, head: mlp, mlp_size: 8, max_answer_length: 30}
vectors: {source: random}
negatives: 6
keep_top: 3
teacher: {loss: margin_mse, weight: 0.8}
training: {loss: listwise, epochs: 2, negatives: null, learning_rate: 0.01, use_cpu: true}
"""


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def follow(command, small_index, tmp_path):
    (tmp_path / "ggsa.yaml").write_text(GGSA, encoding="utf-8")
    return lambda output, teacher, *more: command(
        "train", output, "--index", small_index, "--recipe", "ggsa.yaml", "--teacher", teacher, *more
    )


def expected(teacher: Path, lists: Path) -> np.ndarray:
    model, collator = registry.load(teacher)
    return score_lists(model, collator, CandidateFile(lists, collator.pair_length))


def test_follows_a_trained_model_whose_scores_stay_beside_the_lists(follow, small_model, tmp_path) -> None:
    done = follow("student", small_model)
    assert done.code == 0, done.err
    folder = tmp_path / "student"
    found = np.fromfile(folder / "lists" / "teacher" / "scores.bin", dtype=np.float32)
    np.testing.assert_allclose(found, expected(small_model, folder / "lists" / "train.jsonl"), rtol=1e-4, atol=1e-4)
    assert registry.load(folder)[0].config.model_type == "ggsa"
    card = (folder / "README.md").read_text(encoding="utf-8")
    fingerprint = teacher_scores.fingerprint(small_model)
    assert f"| {small_model.name} | teacher | cc0-1.0 | fingerprint {fingerprint[:16]} |" in card
    assert "### teacher" in card
    assert "| loss | margin_mse |" in card
    assert "| weight | 0.8 |" in card


def test_a_run_that_was_killed_while_the_teacher_was_asked_goes_on(follow, small_model, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(teacher_scores, "_LISTS", 8)
    scoring, asked = teacher_scores.scores_of_some, []

    def killed(model, collator, file, lists, pairs_per_batch):
        if lists.start >= 16 and not asked:
            raise KeyboardInterrupt
        return scoring(model, collator, file, lists, pairs_per_batch)

    monkeypatch.setattr(teacher_scores, "scores_of_some", killed)
    assert follow("student", small_model).code != 0
    asked.append(True)
    starts = []

    def counted(model, collator, file, lists, pairs_per_batch):
        starts.append(lists.start)
        return scoring(model, collator, file, lists, pairs_per_batch)

    monkeypatch.setattr(teacher_scores, "scores_of_some", counted)
    shutil.copytree(small_model, tmp_path / "other")
    config = json.loads((tmp_path / "other" / "config.json").read_text(encoding="utf-8"))
    (tmp_path / "other" / "config.json").write_text(json.dumps(config | {"retriever_weight": 0.1}), encoding="utf-8")
    done = follow("student", "other")
    assert done.code == 2
    assert "student/lists/teacher holds a teacher's scores of something else (other teacher): name another" in done.err
    assert "--overwrite" in done.err
    assert not starts
    done = follow("student", small_model)
    assert done.code == 0, done.err
    assert starts[0] == 16
    assert follow("student", "other", "--overwrite").code == 0


def test_a_model_that_reads_trees_teaches_one_that_reads_none(command, small_faq, tmp_path, monkeypatch) -> None:
    texts = [entry["answer"] for entry in lines(small_faq.entries)]
    torch.manual_seed(5)
    encoder = {"model_type": "bert", "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    encoder |= {"intermediate_size": 24, "initializer_range": 0.3}
    registry.save(tmp_path / "trees", *registry.build("tree_aggregation", texts, encoder=encoder, max_pair_length=64))
    # What parses is the recipe's to say, since the teacher reads trees.
    (tmp_path / "ggsa.yaml").write_text(GGSA + "trees: shallow\n", encoding="utf-8")

    def flat(_: object, texts: list[str]) -> list[str]:
        return [f"(ROOT (S {' '.join(f'(X {word})' for word in text.split())}))" for text in texts]

    # The real one takes seconds, and is tested elsewhere.
    monkeypatch.setattr(ShallowBackend, "parse", flat)
    colours = ["red", "green", "blue", "black"]
    with (tmp_path / "lists.jsonl").open("w", encoding="utf-8") as file:
        for number, colour in enumerate(colours):
            candidates = [
                {"candidate_id": other, "answer": f"It is {other}.", "label": int(other == colour)} for other in colours
            ]
            one = {"query_id": str(number), "query": f"What is {colour}?", "candidates": candidates}
            file.write(json.dumps(one) + "\n")
    done = command(
        "train", "student", "--candidates", "lists.jsonl", "--recipe", "ggsa.yaml", "--teacher", "trees", "--seed", 1
    )
    assert done.code == 0, done.err
    folder = tmp_path / "student" / "lists"
    found = np.fromfile(folder / "teacher" / "scores.bin", dtype=np.float32)
    asked = expected(tmp_path / "trees", folder / "with_trees" / "train.jsonl")
    np.testing.assert_allclose(found, asked, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize(
    ("teacher", "more", "message"),
    [
        ("gone", [], "the teacher gone: no such model folder; expected the folder of a trained model"),
        ("empty", [], "the teacher empty: no ranker's model is in this folder; expected one that `train` wrote"),
        ("torn", [], "the teacher torn: the model folder lacks model.safetensors and tokenizer.json"),
        ("SELF", [], "the teacher and the model to write are the same folder, student: name another folder"),
        (
            "MODEL",
            ["--recipe", "wrong.yaml"],
            "wrong.yaml, line 1: teacher setting 'loss' is 'mse'; expected one of kl",
        ),
        (
            "MODEL",
            ["--recipe", "unknown.yaml"],
            "line 1: teacher: unknown teacher setting 'wait'; did you mean 'weight'",
        ),
        (
            "MODEL",
            ["--recipe", "cosine.yaml"],
            "cosine.yaml, line 1: the logits of ggsa with the head 'cosine' are bare",
        ),
    ],
)
def test_what_cannot_be_done_is_said(follow, small_model, tmp_path, teacher, more, message) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "torn").mkdir()
    shutil.copy(small_model / "config.json", tmp_path / "torn")
    (tmp_path / "wrong.yaml").write_text("teacher: {loss: mse}\n", encoding="utf-8")
    (tmp_path / "unknown.yaml").write_text("teacher: {wait: 1}\n", encoding="utf-8")
    cosine = "model: {name: ggsa, head: cosine}\ntraining: {loss: pairwise, margin: 0.1}\n"
    (tmp_path / "cosine.yaml").write_text(cosine, encoding="utf-8")
    if teacher == "SELF":
        shutil.copytree(small_model, tmp_path / "student")
    named = {"MODEL": small_model, "SELF": "student"}.get(teacher, teacher)
    done = follow("student", named, *more, "--overwrite")
    assert done.code == 2
    assert message in done.err
    assert "Traceback" not in done.err


def test_a_recipe_that_follows_a_teacher_needs_one(command, small_index, tmp_path) -> None:
    (tmp_path / "ggsa.yaml").write_text(GGSA, encoding="utf-8")
    done = command("train", "student", "--index", small_index, "--recipe", "ggsa.yaml")
    assert done.code == 2
    assert (
        "says how to follow a teacher, but not which one; expected a model folder (teacher.model, or --tea" in done.err
    )


QUESTIONS = ["what does a lost card cost?", "may I bring my dog?", "  MAY I bring my dog ", "", "when is story time?"]


def test_questions_that_nobody_labelled_are_learned_from_the_teacher_alone(
    follow, small_model, small_faq, tmp_path
) -> None:
    own = [entry["question"] for entry in lines(small_faq.entries)]
    (tmp_path / "asked.txt").write_text("\n".join([*QUESTIONS, own[0]]), encoding="utf-8")
    done = follow("student", small_model, "--teacher-questions", "asked.txt", "--licence", "CC0-1.0")
    assert done.code == 0, done.err
    folder = tmp_path / "student" / "lists"
    labelled, taught = lines(folder / "train.jsonl"), lines(folder / "with_unlabelled.jsonl")
    assert taught[: len(labelled)] == labelled
    # The entries' own questions are learned from, or validated on, already; each question comes once.
    unlabelled = taught[len(labelled) :]
    assert [one["query"] for one in unlabelled] == [QUESTIONS[0], QUESTIONS[1], QUESTIONS[4]]
    held_out = {each["candidate_id"] for one in lines(folder / "validation.jsonl") for each in one["candidates"]}
    for one in unlabelled:
        assert one["query_meta"] == {"unlabelled": True}
        assert one["candidates"]
        assert all(each["label"] == 0 and each["meta"]["retriever_rank"] for each in one["candidates"])
        assert held_out.isdisjoint(each["candidate_id"] for each in one["candidates"])
    found = np.fromfile(folder / "teacher" / "scores.bin", dtype=np.float32)
    asked = expected(small_model, folder / "with_unlabelled.jsonl")
    np.testing.assert_allclose(found, asked, rtol=1e-4, atol=1e-4)
    card = (tmp_path / "student" / "README.md").read_text(encoding="utf-8")
    assert "| questions without labels | training, ranked by the teacher | CC0-1.0 | 4 questions |" in card


def test_what_is_found_by_vectors_keeps_both_scores_for_student_and_teacher(
    command, embedded_index, small_faq, tmp_path
) -> None:
    shutil.copy(small_faq.queries, tmp_path / "queries.jsonl")
    recipe = "teacher: {weight: 1}\nmodel: {name: linear, embedding_size: 1, pair_features: [cosine, retrieved_bm25]}\n"
    recipe += "vectors: {source: random}\nnegatives: 6\nkeep_top: 3\ntraining: {epochs: 1, use_cpu: true}\n"
    (tmp_path / "linear.yaml").write_text(recipe, encoding="utf-8")
    texts = [entry["answer"] for entry in lines(small_faq.entries)]
    options = {"embedding_size": 1, "pair_features": ["cosine", "retrieved_bm25"]}
    registry.save(tmp_path / "teacher", *registry.build("linear", texts, **options))
    given = ("--recipe", "linear.yaml", "--teacher", "teacher", "--teacher-questions", "queries.jsonl")
    done = command("train", "student", "--index", embedded_index, *given)
    assert done.code == 0, done.err
    unlabelled = [one for one in lines(tmp_path / "student" / "lists" / "with_unlabelled.jsonl") if "query_meta" in one]
    assert unlabelled
    metas = [each["meta"] for one in unlabelled for each in one["candidates"]]
    assert all({"bm25_score", "vector_score"} <= meta.keys() for meta in metas)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--index", "INDEX", "--teacher-questions", "asked.txt"], "--teacher-questions needs --teacher: somebody has"),
        (["--candidates", "x.jsonl", "--teacher-questions", "asked.txt"], "--teacher-questions needs --index"),
        (
            ["--index", "INDEX", "--teacher", "MODEL", "--teacher-questions", "empty.txt"],
            "empty.txt: no question in the file; expected a question a line, or objects with `query`",
        ),
        (
            ["--index", "INDEX", "--teacher", "MODEL", "--teacher-questions", "gone.txt"],
            "gone.txt cannot be read: No such file or directory",
        ),
        (
            ["--index", "INDEX", "--teacher", "MODEL", "--teacher-questions", "torn.jsonl"],
            "torn.jsonl, line 1, field 'query': expected text, found nothing",
        ),
        (
            ["--index", "INDEX", "--teacher", "MODEL", "--teacher-questions", "own.txt"],
            "the questions for the teacher (1) are all learned from or validated on already; expected others",
        ),
    ],
)
def test_questions_that_cannot_be_used_are_said(
    command, small_index, small_model, small_recipe, small_faq, tmp_path, arguments, message
) -> None:
    (tmp_path / "asked.txt").write_text("why?\n", encoding="utf-8")
    (tmp_path / "empty.txt").write_text("\n", encoding="utf-8")
    (tmp_path / "torn.jsonl").write_text('{"query_id": "q", "relevant": []}\n', encoding="utf-8")
    (tmp_path / "own.txt").write_text(lines(small_faq.entries)[0]["question"], encoding="utf-8")
    named = {"INDEX": small_index, "MODEL": small_model}
    done = command("train", "student", "--recipe", small_recipe, *(named.get(one, one) for one in arguments))
    assert done.code == 2
    assert message in done.err
    assert "Traceback" not in done.err
