# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A teacher is asked once, and followed."""

import itertools
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from answer_selection.indexing.artifact import Artifact
from answer_selection.indexing.candidates import Candidate, CandidateList, write_jsonl
from computed_twice import assert_trained_alike
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.training import teacher_scores as module
from haystack_integrations.components.rankers.answer_selection.training.dataset import CandidateFile, Floats
from haystack_integrations.components.rankers.answer_selection.training.scoring import score_lists
from haystack_integrations.components.rankers.answer_selection.training.settings import TrainingSettings
from haystack_integrations.components.rankers.answer_selection.training.teacher_loss import Teaching
from haystack_integrations.components.rankers.answer_selection.training.teacher_scores import teacher_scores
from haystack_integrations.components.rankers.answer_selection.training.teacher_settings import TeacherSettings
from haystack_integrations.components.rankers.answer_selection.training.trainer import train
from tiny_encoders import folder as cross_encoder

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_thread")]

VERBS = ["drive", "sail", "fly", "pedal", "ride", "walk"]


def lists(n: int, *, unlabelled: int = 0) -> Iterator[CandidateList]:
    """Questions that name one of the verbs, which is the right one; of every verb an answer."""
    for number in range(n):
        query = f"May I {VERBS[number % 6]} number {number} here?"
        random = np.random.default_rng(number)
        candidates = tuple(
            Candidate(
                f"a{place}",
                f"You may {VERBS[place]} it.",
                int(place == number % 6 and number >= unlabelled),
                {"retriever_rank": rank + 1, "bm25_score": 9.0 - rank, "vector_score": float(random.uniform(-1, 1))},
            )
            for rank, place in enumerate(random.permutation(6).tolist())
        )
        yield CandidateList(
            f"q{number}", query, candidates[: 6 - number % 2], {"unlabelled": True} if number < unlabelled else {}
        )


TEXTS = [text for one in lists(30) for text in (one.query, *(each.answer for each in one.candidates))]
SIZES = {"embedding_size": 12, "dropout": 0.0}


def new_model(name: str, seed: int = 3, **options: Any) -> tuple[Any, Any]:
    torch.manual_seed(seed)
    return registry.build(name, TEXTS, **SIZES, **options)


@pytest.fixture
def lists_file(tmp_path: Path) -> Path:
    write_jsonl(tmp_path / "lists.jsonl", lists(30))
    return tmp_path / "lists.jsonl"


@pytest.fixture
def teacher(tmp_path: Path) -> Path:
    registry.save(tmp_path / "teacher", *new_model("ctrn", hidden_size=8, mlp_size=8))
    return tmp_path / "teacher"


@contextmanager
def no_progress(_description: str, _total: int | None, /) -> Iterator[Callable[..., None]]:
    yield lambda _done, _total=None: None


def ask(teacher: Path, lists: Path, folder: Path) -> Floats:
    return teacher_scores(teacher, lists, folder, no_progress, pairs_per_batch=20, use_cpu=True)


def expected(teacher: Path, lists: Path) -> Floats:
    model, collator = registry.load(teacher)
    return score_lists(model, collator, CandidateFile(lists, collator.pair_length))


def test_scores_are_the_teachers_and_asked_for_once(teacher, lists_file, tmp_path, monkeypatch) -> None:
    found = ask(teacher, lists_file, tmp_path / "scores")
    np.testing.assert_allclose(found, expected(teacher, lists_file), rtol=1e-4, atol=1e-5)
    shutil.move(teacher, tmp_path / "moved")
    monkeypatch.setattr(module.registry, "load", lambda _: pytest.fail("asked again"))
    assert ask(tmp_path / "moved", lists_file, tmp_path / "scores").tolist() == found.tolist()


def test_a_cross_encoder_of_others_teaches_too(lists_file, tmp_path) -> None:
    teacher = Path(cross_encoder("bert"))
    found = ask(teacher, lists_file, tmp_path / "scores")
    np.testing.assert_allclose(found, expected(teacher, lists_file), rtol=1e-4, atol=1e-5)


def test_a_killed_run_goes_on_after_its_last_whole_block(teacher, lists_file, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(module, "_LISTS", 7)
    asked: list[int] = []
    scoring = module.scores_of_some

    def killed(model, collator, file, lists, pairs_per_batch):
        if 20 in lists:
            raise KeyboardInterrupt
        asked.extend(lists)
        return scoring(model, collator, file, lists, pairs_per_batch)

    with monkeypatch.context() as context, pytest.raises(KeyboardInterrupt):
        context.setattr(module, "scores_of_some", killed)
        ask(teacher, lists_file, tmp_path / "scores")
    assert asked == list(range(14))
    with (tmp_path / "scores" / "scores.bin").open("ab") as file:
        file.write(b"torn 7")
    asked.clear()

    def counted(model, collator, file, lists, pairs_per_batch):
        asked.extend(lists)
        return scoring(model, collator, file, lists, pairs_per_batch)

    monkeypatch.setattr(module, "scores_of_some", counted)
    found = ask(teacher, lists_file, tmp_path / "scores")
    assert asked == list(range(14, 30))
    np.testing.assert_allclose(found, expected(teacher, lists_file), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("whole", [True, False])
def test_another_teacher_and_other_lists_are_refused(teacher, lists_file, tmp_path, whole) -> None:
    folder = tmp_path / "scores"
    ask(teacher, lists_file, folder)
    if not whole:
        artifact = Artifact(folder / "scores.bin")
        recorded = artifact.recorded()
        del recorded["sha256"]
        artifact.write_record(recorded)
    registry.save(tmp_path / "other", *new_model("ctrn", seed=4, hidden_size=8, mlp_size=8))
    with pytest.raises(FileExistsError, match=r"scores of something else \(other teacher\): name another"):
        ask(tmp_path / "other", lists_file, folder)
    write_jsonl(lists_file, lists(29))
    with pytest.raises(FileExistsError, match=r"\(other lists\)"):
        ask(teacher, lists_file, folder)


def test_a_changed_file_of_scores_is_found(teacher, lists_file, tmp_path) -> None:
    ask(teacher, lists_file, tmp_path / "scores")
    path = tmp_path / "scores" / "scores.bin"
    path.write_bytes(path.read_bytes()[:-4])
    with pytest.raises(ValueError, match=r"scores\.bin is not what was written: cut off, or changed; remove"):
        ask(teacher, lists_file, tmp_path / "scores")


def refused(teacher: Path, lists: Path, folder: Path) -> str:
    with pytest.raises(ValueError) as error:
        ask(teacher, lists, folder)
    assert "\n" not in str(error.value)
    # It is refused again, however often it is tried.
    with pytest.raises(ValueError, match="expected"):
        ask(teacher, lists, folder)
    return str(error.value)


def test_a_teacher_that_ranks_nothing_is_refused(lists_file, tmp_path) -> None:
    model, collator = new_model("ctrn", hidden_size=8, mlp_size=8)
    with torch.no_grad():
        for parameter in model.classifier.parameters():
            parameter.zero_()
    registry.save(tmp_path / "flat", model, collator)
    message = refused(tmp_path / "flat", lists_file, tmp_path / "scores")
    assert "flat gives all candidates of a list the same score, in each of the 30 lists of" in message
    assert "there is no order to learn; expected another teacher" in message
    # Nothing is left that would be in another one's way.
    registry.save(tmp_path / "other", *new_model("ctrn", hidden_size=8, mlp_size=8))
    assert len(ask(tmp_path / "other", lists_file, tmp_path / "scores"))


def test_a_teacher_that_reads_trees_needs_them(lists_file, tmp_path) -> None:
    encoder = {"model_type": "bert", "vocab_size": 100, "hidden_size": 16, "num_hidden_layers": 1}
    encoder |= {"num_attention_heads": 2, "intermediate_size": 24}
    registry.save(tmp_path / "trees", *registry.build("tree_aggregation", TEXTS, encoder=encoder))
    message = refused(tmp_path / "trees", lists_file, tmp_path / "scores")
    assert "lists.jsonl: the teacher reads parse trees, and the query" in message
    assert "has no parse tree; expected one under 'parse_tree' in its metadata" in message


def test_a_teacher_that_reads_cosines_needs_them(lists_file, tmp_path) -> None:
    teacher = tmp_path / "cosines"
    registry.save(teacher, *new_model("linear", pair_features=["cosine", "retrieved_bm25"]))
    found = ask(teacher, lists_file, tmp_path / "scores")
    assert np.ptp(found) > 0
    stripped = [replace(each, meta={}) for one in lists(1) for each in one.candidates]
    write_jsonl(lists_file, [CandidateList("q", "May I?", tuple(stripped))])
    message = refused(teacher, lists_file, tmp_path / "others")
    assert "the teacher" in message
    assert "reads cosines (pair_features: cosine), but the candidates of" in message


SETTINGS = TrainingSettings(
    loss="listwise",
    epochs=20,
    pairs_per_batch=60,
    negatives=None,
    learning_rate=0.02,
    use_cpu=True,
    freeze_embeddings=False,
)


def agreement(first: Floats, second: Floats, file: CandidateFile) -> float:
    """The part of all pairs of a list's candidates that both order alike."""
    pairs = [pair for i in range(len(file)) for pair in itertools.combinations(file.pairs(i), 2)]
    return float(np.mean([(first[i] > first[j]) == (second[i] > second[j]) for i, j in pairs]))


def by_verb(file: CandidateFile) -> Floats:
    """The same verbs first, whatever the question: an order that no label has."""
    scores = np.zeros(len(file.labels))
    for index in range(len(file)):
        for pair, record in zip(file.pairs(index), file.sample(index, file.pairs(index)).records, strict=True):
            scores[pair] = 3.0 - 1.5 * VERBS.index(record.answer.split()[2])
    return scores


@pytest.mark.parametrize(
    ("name", "options", "followed"),
    [
        ("ctrn", {"hidden_size": 16, "mlp_size": 16}, {"loss": "kl", "temperature": 3.0}),
        ("ggsa", {"projection_size": 12, "head": "mlp", "mlp_size": 16}, {"loss": "margin_mse"}),
    ],
)
def test_a_student_learns_its_teachers_order(name, options, followed, lists_file, tmp_path) -> None:
    file = CandidateFile(lists_file)
    scores = by_verb(file)
    model, collator = new_model(name, **options)
    start = agreement(score_lists(model, collator, file), scores, file)
    teaching = Teaching(TeacherSettings(**followed, weight=1.0), scores)
    train(model, collator, lists_file, None, tmp_path / "model", SETTINGS, teaching=teaching)
    learned = score_lists(model, collator, file)
    assert agreement(learned, scores, file) > 0.95 > start
    # Not the order alone: the margins, too, which are 1.5 from verb to verb.
    gaps = [np.ptp(learned[file.starts[i] : file.starts[i] + 5]) for i in range(len(file))]
    wanted = [np.ptp(scores[file.starts[i] : file.starts[i] + 5]) for i in range(len(file))]
    assert np.mean(gaps) == pytest.approx(np.mean(wanted), rel=0.35)


def test_a_student_that_reads_retrievals_scores_learns_what_they_say(lists_file, tmp_path) -> None:
    file = CandidateFile(lists_file)
    metas = [record.meta for i in range(len(file)) for record in file.sample(i, file.pairs(i)).records]
    scores = np.array([6 * meta["vector_score"] - 0.2 * meta["bm25_score"] for meta in metas])
    model, collator = new_model("linear", pair_features=["cosine", "retrieved_bm25"])
    teaching = Teaching(TeacherSettings(weight=1.0), scores)
    train(
        model, collator, lists_file, None, tmp_path / "model", replace(SETTINGS, learning_rate=0.2), teaching=teaching
    )
    assert agreement(score_lists(model, collator, file), scores, file) > 0.97


def test_lists_without_labels_are_learned_from_the_teacher(tmp_path) -> None:
    path = tmp_path / "lists.jsonl"
    write_jsonl(path, lists(30, unlabelled=30))
    model, collator = new_model("ctrn", hidden_size=16, mlp_size=16)
    with pytest.raises(ValueError, match=r"lists\.jsonl: list 1 has no labels .* expected a teacher"):
        train(model, collator, path, None, tmp_path / "untaught", SETTINGS)
    file = CandidateFile(path)
    scores = by_verb(file)
    # The labels' loss has nothing to say, so that the teacher's alone is left of the sum.
    teaching = Teaching(TeacherSettings(weight=0.5), scores)
    train(model, collator, path, None, tmp_path / "model", replace(SETTINGS, loss="pointwise"), teaching=teaching)
    assert agreement(score_lists(model, collator, file), scores, file) > 0.85


def test_lists_that_are_filled_up_are_learned_from_as_far_as_the_teacher_knows_them(lists_file, tmp_path) -> None:
    file = CandidateFile(lists_file)
    scores = by_verb(file)
    settings = replace(SETTINGS, negatives=None, list_size=6, epochs=1)
    model, collator = new_model("ctrn", hidden_size=8, mlp_size=8)
    result = train(
        model, collator, lists_file, None, tmp_path / "model", settings, teaching=Teaching(TeacherSettings(), scores)
    )
    assert all(np.isfinite(entry["loss"]) for entry in result.history if "loss" in entry)
    with pytest.raises(ValueError, match=r"candidates, but the teacher's scores are 3"):
        teaching = Teaching(TeacherSettings(), scores[:3])
        train(model, collator, lists_file, None, tmp_path / "other", settings, teaching=teaching)


def test_a_taught_run_goes_on_and_never_with_another_teacher(lists_file, tmp_path) -> None:
    scores = by_verb(CandidateFile(lists_file))
    teaching = Teaching(TeacherSettings(model="here", weight=0.7), scores)
    settings = replace(SETTINGS, epochs=4, learning_rate=0.002)

    def run(folder: str, teaching: Teaching | None, stop: int = 0) -> None:
        def progress(step: int, _steps: int, _logs: dict[str, float]) -> None:
            if step == stop:
                raise KeyboardInterrupt

        model, collator = new_model("ctrn", hidden_size=8, mlp_size=8)
        train(model, collator, lists_file, None, tmp_path / folder, settings, teaching=teaching, progress=progress)

    run("whole", teaching)
    with pytest.raises(KeyboardInterrupt):
        run("killed", teaching, stop=7)
    others = [None, Teaching(teaching.settings, scores + np.arange(len(scores)))]
    for other in (*others, Teaching(TeacherSettings(weight=0.6), scores)):
        with pytest.raises(FileExistsError, match="holds an unfinished run with other settings: teacher"):
            run("killed", other)
    # Where the teacher lies says nothing.
    run("killed", Teaching(TeacherSettings(model="there", weight=0.7), scores))
    assert_trained_alike(tmp_path / "killed", tmp_path / "whole")
