# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from sentence_transformers import SentenceTransformer

import tiny_teacher
from computed_twice import assert_same_scores, assert_trained_alike
from haystack_integrations.components.embedders.answer_selection.distillation import teacher_states
from haystack_integrations.components.embedders.answer_selection.distillation.batches import DistillationBatches
from haystack_integrations.components.embedders.answer_selection.distillation.distiller import (
    distil,
    distillation_loss,
)
from haystack_integrations.components.embedders.answer_selection.distillation.settings import DistillationSettings
from haystack_integrations.components.embedders.answer_selection.distillation.student import (
    STUDENT_FILES,
    Student,
    make_start,
    mean_vectors,
    round_weights,
    save,
)
from haystack_integrations.components.embedders.answer_selection.distillation.teacher import Teacher, unit_mean
from haystack_integrations.components.embedders.answer_selection.distillation.teacher_states import write_states
from haystack_integrations.components.embedders.answer_selection.distillation.vocabulary import prune
from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_thread")]

TEXTS = list(dict.fromkeys(tiny_teacher.texts()))


class KilledError(BaseException):
    """Nothing that a program would catch."""


@contextmanager
def quiet(description: str, total: int | None) -> Iterator[Any]:
    yield lambda done, total=None: None


def killed_at(description: str, at: int) -> Any:
    """Progress in whose middle the process ends."""

    @contextmanager
    def progress(shown: str, total: int | None) -> Iterator[Any]:
        def bar(done: int, total: int | None = None) -> None:
            if shown == description and done >= at:
                raise KilledError

        yield bar

    return progress


def tiny(**changed: Any) -> DistillationSettings:
    sizes = {"vocabulary": 120, "layers": 1, "max_length": 32}
    training = {"epochs": 3, "batch_tokens": 600, "learning_rate": 0.01, "evaluations": 4, "log_every": 5}
    return DistillationSettings.from_dict({**sizes, **training, "use_cpu": True, **changed})


@pytest.fixture(scope="module")
def teacher(one_thread) -> Teacher:
    return Teacher.load(str(tiny_teacher.folder()), max_length=32, use_cpu=True)


@pytest.fixture(scope="module")
def distilled(teacher: Teacher, tmp_path_factory) -> Any:
    folder = tmp_path_factory.mktemp("distilled")
    return distil(teacher, TEXTS, folder / "student", tiny(), quiet, states=folder / "states")


class TestDistilled:
    def test_it_follows_the_teacher_where_it_learned_nothing(self, distilled, teacher, tmp_path: Path) -> None:
        barely = distil(teacher, TEXTS, tmp_path / "barely", tiny(epochs=0.01, learning_rate=1e-9), quiet)
        assert barely.cosine < 0.9
        assert distilled.cosine > 0.95
        measured = [entry["eval_cosine"] for entry in distilled.history if "eval_cosine" in entry]
        assert len(measured) == 4
        assert measured[-1] == pytest.approx(distilled.cosine, abs=1e-2), "but for the rounding of the weights"
        unseen = [text for text in tiny_teacher.texts(seed=77, count=30) if text not in TEXTS]
        found = SentenceTransformer(str(distilled.folder), device="cpu").encode(unseen)
        wanted = SentenceTransformer(str(tiny_teacher.folder()), device="cpu").encode(unseen)
        cosines = found @ wanted.T
        others = cosines[~np.eye(len(unseen), dtype=bool)]
        assert cosines.diagonal().mean() > others.mean() + 0.1, "each text's own vector, not one for all"

    def test_its_folder_is_half_precision_and_whole(self, distilled) -> None:
        there = {path.name for path in distilled.folder.iterdir()}
        assert there == {*STUDENT_FILES, "logs"} - {"model_quantized.safetensors"}
        assert {x.dtype for x in load_file(distilled.folder / "model.safetensors").values()} == {torch.float16}
        encoder = SentenceTransformer(str(distilled.folder), device="cpu")
        assert {x.dtype for x in encoder.parameters()} == {torch.float32}
        assert encoder.max_seq_length == 32
        assert encoder.get_embedding_dimension() == tiny_teacher.WIDTH
        saved = load_file(distilled.folder / "model.safetensors")
        assert sum(x.numel() for x in saved.values()) == distilled.parameters

    def test_killed_at_its_very_end_it_goes_on_and_has_its_card(self, teacher, tmp_path: Path) -> None:
        def killed(result: Any) -> None:
            raise KilledError

        settings, finished = tiny(epochs=0.01), []
        with pytest.raises(KilledError):
            distil(teacher, TEXTS, tmp_path / "student", settings, quiet, finish=killed)
        weights = (tmp_path / "student" / "model.safetensors").read_bytes()
        result = distil(teacher, TEXTS, tmp_path / "student", settings, quiet, finish=finished.append)
        assert finished == [result]
        assert (tmp_path / "student" / "model.safetensors").read_bytes() == weights
        assert not (tmp_path / "student" / "checkpoints").exists()

    def test_what_came_out_is_said(self, distilled) -> None:
        assert distilled.texts == len(TEXTS)
        assert distilled.held_out == len(TEXTS) // 100
        assert distilled.made > 100
        assert (distilled.start.layers, distilled.start.rank, distilled.start.word_rank) == ([1], 24, 26)
        assert 0.5 < distilled.start.words_kept < distilled.start.kept < 1
        assert f"a mean cosine of {distilled.cosine:.4f} to the teacher's" in distilled.verdict()

    def test_killed_and_resumed_to_the_same_weights(self, distilled, teacher, tmp_path: Path) -> None:
        half = distilled.steps // 2 + 2
        states = distilled.folder.parent / "states"
        with pytest.raises(KilledError):
            distil(teacher, TEXTS, tmp_path / "killed", tiny(), killed_at("distilling", half), states=states)
        with pytest.raises(FileExistsError, match=r"unfinished run with other settings: layers 1 \(now 2\)"):
            distil(teacher, TEXTS, tmp_path / "killed", tiny(layers=2), quiet, states=states)
        steps = []

        @contextmanager
        def progress(description: str, total: int | None) -> Iterator[Any]:
            assert description != "asking the teacher", "it was asked before"
            yield lambda done, total=None: steps.append(done)

        result = distil(teacher, TEXTS, tmp_path / "killed", tiny(), progress, states=states)
        assert 1 < steps[0] <= half, "it did not begin anew"
        assert (result.steps, steps[-1]) == (distilled.steps, distilled.steps)
        assert result.cosine == pytest.approx(distilled.cosine, abs=2e-3)
        assert_trained_alike(result.folder, distilled.folder)
        assert not (result.folder / "checkpoints").exists()
        with pytest.raises(FileExistsError, match="already holds a model; overwrite=True replaces it"):
            distil(teacher, TEXTS, result.folder, tiny(), quiet, states=states)

    def test_states_of_something_else_are_not_used(self, distilled, teacher, tmp_path: Path) -> None:
        states = distilled.folder.parent / "states"
        other = Teacher.load(str(tiny_teacher.folder(seed=2)), max_length=32, use_cpu=True)
        with pytest.raises(FileExistsError, match=r"states of something else \(other teacher\): name another folder"):
            distil(other, TEXTS, tmp_path / "student", tiny(), quiet, states=states)
        with pytest.raises(FileExistsError, match=r"states of something else \(other texts\)"):
            distil(teacher, TEXTS[1:], tmp_path / "other", tiny(), quiet, states=states)

    def test_the_student_that_was_trained_is_the_one_that_is_loaded(self, distilled, tmp_path: Path) -> None:
        student = Student(SentenceTransformer(str(distilled.folder), device="cpu")).eval()
        with torch.no_grad():
            for weights in student.parameters():
                weights.add_(0.01 * torch.randn_like(weights))
        round_weights(student.network, quantized=False)
        save(student, tmp_path / "saved", quantized=False)
        features = student.encoder.tokenizer(TEXTS[:5], padding=True, return_tensors="pt")
        with torch.inference_mode():
            outputs = student(features["input_ids"], features["attention_mask"])
        expected = mean_vectors(outputs, features["attention_mask"])
        assert_same_scores(
            SentenceTransformer(str(tmp_path / "saved"), device="cpu").encode(TEXTS[:5]),
            expected,
        )
        assert_same_scores(SentenceEncoder.load(tmp_path / "saved").encode(TEXTS[:5]), expected)


def test_quantized_it_learns_as_it_is_saved(distilled, teacher, tmp_path: Path) -> None:
    states = distilled.folder.parent / "states"
    result = distil(teacher, TEXTS, tmp_path / "student", tiny(quantized=True), quiet, states=states)
    there = {path.name for path in result.folder.iterdir()}
    assert there == {*STUDENT_FILES, "logs"} - {"model.safetensors"}
    # The tiny teacher's words are few and narrow, so four bits cost more than they would elsewhere.
    assert result.cosine > distilled.cosine - 0.15
    encoder, wanted = SentenceEncoder.load(result.folder), teacher.states(teacher.tokenise(TEXTS))
    order = np.random.default_rng(0).permutation(len(TEXTS))[: result.held_out]
    vectors = encoder.encode([TEXTS[number] for number in order])
    cosines = [vector @ unit_mean(wanted[number]) for vector, number in zip(vectors, order, strict=True)]
    assert np.mean(cosines) == pytest.approx(result.cosine, abs=2e-3), "what was measured is what was saved"
    with pytest.raises(OSError, match=r"model\.safetensors"):
        SentenceTransformer(str(result.folder), device="cpu")


def test_more_tokens_than_the_teacher_reads(teacher, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'max_length' is 64; expected at most 32, what the teacher reads"):
        distil(teacher, TEXTS, tmp_path / "student", tiny(max_length=64), quiet)


def test_too_few_texts(teacher, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there are 3 different texts; expected at least 50"):
        distil(teacher, TEXTS[:3] * 30, tmp_path / "student", tiny(), quiet)
    assert not (tmp_path / "student").exists()


class TestTeacher:
    def test_a_mean_of_states_is_sentence_transformers_vector(self, teacher: Teacher) -> None:
        texts = [*TEXTS[:9], "car " * 50]
        states = teacher.states(teacher.tokenise(texts))
        assert [len(one) for one in states][-1] == 32
        expected = SentenceTransformer(str(tiny_teacher.folder()), device="cpu")
        expected.max_seq_length = 32
        found = np.stack([unit_mean(one) for one in states])
        # They are kept in half precision.
        np.testing.assert_allclose(found, expected.encode(texts), atol=2e-3)

    def test_its_card_names_its_licence(self, teacher: Teacher) -> None:
        source = teacher.source()
        assert (source.name, source.licence, source.use) == ("teacher", "apache-2.0", "teacher")
        assert teacher.fingerprint[:16] in source.source

    def test_a_teacher_that_cannot_be_followed(self) -> None:
        from tokenizers.models import WordLevel

        with pytest.raises(ValueError, match="tokenizer of the kind WordLevel; expected WordPiece"):
            Teacher.load(str(tiny_teacher.folder(of=WordLevel)), max_length=32, use_cpu=True)
        with pytest.raises(ValueError, match="pools by 'cls'; expected 'mean'"):
            Teacher.load(str(tiny_teacher.folder(pooling="cls")), max_length=32, use_cpu=True)

    def test_a_teacher_with_a_prompt(self) -> None:
        model = SentenceTransformer(str(tiny_teacher.folder()), device="cpu")
        model.prompts, model.default_prompt_name = {"query": "query: "}, "query"
        with pytest.raises(ValueError, match=r"puts a prompt before every text [(]'query'[)]; expected one without"):
            Teacher("prompting", model, max_length=32)

    def test_a_teacher_of_another_type(self) -> None:
        model = SentenceTransformer(str(tiny_teacher.folder()), device="cpu")
        model[0].auto_model.config.model_type = "mpnet"
        with pytest.raises(ValueError, match="is of the type 'mpnet'; expected 'bert'"):
            Teacher("other", model, max_length=32)

    def test_a_student_may_teach(self, distilled) -> None:
        assert Teacher.load(str(distilled.folder), max_length=32, use_cpu=True).layers == 1


class TestStates:
    def test_what_a_killed_run_wrote_is_gone_on_with(self, teacher, tmp_path: Path, monkeypatch) -> None:
        monkeypatch.setattr(teacher_states, "_TEXTS", 4)
        with pytest.raises(KilledError):
            write_states(teacher, TEXTS[:20], tmp_path / "states", killed_at("asking the teacher", 8))
        file = tmp_path / "states" / "states.bin"
        kept = file.read_bytes()
        # A kill cuts the last text off.
        file.write_bytes(kept[:-5])
        asked = []
        with monkeypatch.context() as patch:
            real = teacher.states
            patch.setattr(teacher, "states", lambda ids: asked.extend(ids) or real(ids))
            states = write_states(teacher, TEXTS[:20], tmp_path / "states", quiet)
        assert len(asked) == 13
        expected = teacher.states(teacher.tokenise(TEXTS[:20]))
        for number, one in enumerate(expected):
            np.testing.assert_allclose(states[number].astype(np.float32), one.astype(np.float32), atol=2e-2)

    def test_damage_is_found(self, teacher, tmp_path: Path) -> None:
        write_states(teacher, TEXTS[:20], tmp_path, quiet)
        file = tmp_path / "states.bin"
        whole = bytearray(file.read_bytes())
        whole[77] ^= 1
        file.write_bytes(whole)
        with pytest.raises(ValueError, match="is not what was written: cut off, or changed"):
            write_states(teacher, TEXTS[:20], tmp_path, quiet)


class TestBatches:
    @pytest.fixture
    def batches(self, teacher: Teacher, tmp_path: Path) -> DistillationBatches:
        states = write_states(teacher, TEXTS, tmp_path / "states", quiet)
        # So few tokens that some words are written otherwise than the teacher writes them.
        pruned = prune(teacher.tokenizer, TEXTS, 70, special=teacher.special)
        size = teacher.tokenizer.get_vocab_size()
        settings = tiny(misspelt=0.5, batch_tokens=100, epochs=2)
        return DistillationBatches(TEXTS, states, np.arange(10, len(TEXTS)), pruned, settings, size)

    def test_tokens_are_compared_where_both_tokenise_alike_alone(self, batches, teacher) -> None:
        [batch] = list(batches.measured(np.arange(8)))
        order = sorted(range(8), key=lambda number: -len(teacher.tokenise(TEXTS[:8])[number]))
        own = batches._tokenizer.encode_batch([TEXTS[number] for number in order])
        taught = teacher.tokenizer.encode_batch([TEXTS[number] for number in order])
        alike = [mine.tokens == theirs.tokens for mine, theirs in zip(own, taught, strict=True)]
        assert set(alike) == {True, False}
        for row in range(8):
            expected = alike[row] * len(own[row].ids)
            assert batch["aligned"][row].sum() == expected
            assert batch["attention_mask"][row].sum() == len(own[row].ids)
            states = teacher.states([taught[row].ids])[0].astype(np.float32)
            if expected:
                np.testing.assert_allclose(batch["states"][row, :expected], states, atol=2e-2)
            np.testing.assert_allclose(batch["vectors"][row], unit_mean(states.astype(np.float16)), atol=1e-2)

    def test_every_text_comes_once_an_epoch_and_a_step_is_always_the_same(self, batches) -> None:
        seen = np.concatenate(batches._steps)
        assert sorted(seen) == sorted([*range(10, len(TEXTS))] * 2)
        assert batches.epochs_at(len(batches)) == 2
        for step in (0, len(batches) - 1):
            first, again = batches[step], batches[step]
            assert all(torch.equal(first[name], again[name]) for name in first)
        with pytest.raises(IndexError):
            batches[len(batches)]

    def test_a_part_of_the_questions_is_misspelt(self, batches) -> None:
        changed = []
        for step in range(len(batches)):
            numbers = batches._steps[step]
            plain = batches.batch(numbers, [TEXTS[number] for number in numbers])
            batch = batches[step]
            for row, number in enumerate(numbers):
                mine, given = (ids[row][ids[row] != 0].tolist() for ids in (batch["input_ids"], plain["input_ids"]))
                if mine != given:
                    changed.append(number)
                    assert not batch["aligned"][row].any(), "no token of a misspelt text is compared"
        assert all(TEXTS[number].endswith("?") for number in changed)
        questions = sum(text.endswith("?") for text in TEXTS[10:]) * 2
        assert 0.2 < len(changed) / questions < 0.5

    def test_the_loss_is_none_where_the_student_is_the_teacher(self, batches) -> None:
        batch = batches.batch(range(30), TEXTS[:30])
        alike = batch["aligned"].any(1)
        same = {name: values[alike] for name, values in batch.items()}
        assert distillation_loss(same["states"], same).item() == pytest.approx(0, abs=1e-3)
        assert distillation_loss(-same["states"], same).item() == pytest.approx(4, abs=1e-3)
        none = {**same, "aligned": torch.zeros_like(same["aligned"])}
        assert distillation_loss(-none["states"], none).item() == pytest.approx(2, abs=1e-3)


def test_the_start_gives_nearly_what_the_teacher_gives(teacher, tmp_path: Path) -> None:
    pruned = prune(teacher.tokenizer, TEXTS, teacher.tokenizer.get_vocab_size(), special=teacher.special)
    encoder, start = make_start(tmp_path / "start", teacher, pruned, TEXTS, tiny(layers=2))
    assert (start.layers, start.rank, start.word_rank) == ([0, 1], 24, 26)
    found = encoder.encode(TEXTS)
    wanted = SentenceTransformer(str(tiny_teacher.folder()), device="cpu").encode(TEXTS)
    assert (found * wanted).sum(1).mean() > 0.9
    network = Student(encoder).network
    query = network.encoder.layer[1].attention.self.query.weight
    assert torch.linalg.matrix_rank(query.detach(), rtol=1e-4) == 24
    given = teacher.encoder.state_dict()
    for name, values in network.state_dict().items():
        if values.dim() == 2 and "position" not in name and "type" not in name:
            assert not torch.equal(values, given[name][: len(values)]), f"{name} is a copy"
    again, same = make_start(tmp_path / "start", teacher, pruned, TEXTS, tiny(layers=2))
    assert same == start
    for name, values in encoder.state_dict().items():
        assert torch.equal(values, again.state_dict()[name]), name


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"layers": 0}, "'layers' is 0; expected at least 1"),
        ({"epochs": 0}, "'epochs' is 0; expected more than 0"),
        ({"batch_tokens": 20}, "'batch_tokens' is 20; expected at least the 32 tokens of max_length"),
        ({"misspelt": 2}, "'misspelt' is 2; expected between 0 and 1"),
        ({"precision": "int8"}, "'precision' is 'int8'; expected one of float32"),
    ],
)
def test_settings_that_are_wrong(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        tiny(**changed)
