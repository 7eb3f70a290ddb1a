# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from sentence_transformers import SentenceTransformer

import tiny_sentence_encoders
import tiny_teacher
from answer_selection.indexing.text.sameness import sameness
from computed_twice import assert_same_scores, assert_trained_alike
from haystack_integrations.components.embedders.answer_selection.tuning.pairs import (
    Pair,
    Text,
    TuningBatches,
    padded_tokens,
)
from haystack_integrations.components.embedders.answer_selection.tuning.settings import TuningSettings
from haystack_integrations.components.embedders.answer_selection.tuning.trainable_encoder import (
    TOGETHER,
    TrainableEncoder,
)
from haystack_integrations.components.embedders.answer_selection.tuning.tuner import tune
from haystack_integrations.components.rankers.answer_selection.encoders.encoder_folder import read_folder
from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_thread")]

WORDS = ("card", "room", "book", "desk", "loan", "lost", "eight", "weekdays", "online", "telephone", "dollars", "print")


class KilledError(BaseException):
    """Nothing that a program would catch."""


@contextmanager
def quiet(description: str, total: int | None) -> Iterator[Any]:
    yield lambda done, total=None: None


def text(answer: str) -> Text:
    return Text(answer, sameness(answer))


def pairs() -> list[Pair]:
    """Questions whose answers have other words: nothing but learning brings them together."""
    answers = [f"the {one}" for one in (*WORDS[1:], WORDS[0])]
    return [
        Pair(word, text(answers[at]), frozenset([sameness(answers[at])]), [text(answers[at - 1])])
        for at, word in enumerate(WORDS)
    ]


def settings(**changed: Any) -> TuningSettings:
    small = {"epochs": 4, "batch_size": 4, "learning_rate": 0.003, "checkpoints": 4, "log_every": 1, "use_cpu": True}
    return TuningSettings.from_dict({**small, **changed})


def source(folder: Path, kind: str = "electra", **shape: Any) -> Path:
    """An encoder without dropout: so small a one learns little with it."""
    tiny_sentence_encoders.save(folder, kind, **shape)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config.update({name: 0.0 for name in config if name.endswith("dropout_prob")})
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder


def nothing(result: Any) -> None:
    """There is nothing more to do."""


def first_places(encoder: SentenceEncoder) -> float:
    """The part of the questions whose answer is the nearest of all."""
    cosines = encoder.encode([one.question for one in pairs()]) @ encoder.encode([one.right.text for one in pairs()]).T
    return float((cosines.argmax(1) == np.arange(len(WORDS))).mean())


@pytest.mark.parametrize(
    ("kind", "shape"),
    [("electra", {"half": True}), ("bert", {"dense": None}), ("modernbert", {}), ("roberta", {"normalize": False})],
)
def test_questions_find_what_they_were_trained_to(kind, shape, tmp_path: Path) -> None:
    given = source(tmp_path / "source", kind, **shape)
    finished: list[Any] = []
    result = tune(
        str(given), pairs(), tmp_path / "tuned", settings(epochs=80, learning_rate=0.002), quiet, finish=finished.append
    )
    assert finished == [result]
    before, after = SentenceEncoder.load(given), SentenceEncoder.load(tmp_path / "tuned")
    assert first_places(before) < 0.5
    assert first_places(after) > 0.8
    losses = [entry["loss"] for entry in result.history if "loss" in entry]
    assert losses[-1] < losses[0] / 2

    # The folder is of the source's format: the same files, weights of the same names and precision.
    names = {str(path.relative_to(given)) for path in given.rglob("*") if path.is_file()} - {"README.md"}
    there = {str(path.relative_to(result.folder)) for path in result.folder.rglob("*") if path.is_file()}
    assert {name for name in there if not name.startswith("logs")} == names
    for name in names:
        if name.endswith("safetensors"):
            ours, theirs = load_file(result.folder / name), load_file(given / name)
            assert {key: (one.dtype, one.shape) for key, one in ours.items()} == {
                key: (one.dtype, one.shape) for key, one in theirs.items()
            }
    reference = SentenceTransformer(str(result.folder), device="cpu").float()
    assert_same_scores(after.encode(["a lost card"]), reference.encode(["a lost card"], normalize_embeddings=True))


def test_trains_what_the_index_computes(tmp_path: Path) -> None:
    given = tiny_sentence_encoders.save(tmp_path / "source")
    model = TrainableEncoder(read_folder(given)).eval()
    batches = TuningBatches(pairs(), model.tokenizer, model.padding, settings())
    batch = batches.batch(pairs()[:3], [])
    with torch.no_grad():
        found = model(batch["question_ids"], batch["question_mask"])
    assert_same_scores(found, SentenceEncoder.load(given).encode([one.question for one in pairs()[:3]]))


def test_many_texts_of_any_length_are_encoded_as_each_alone_and_teach_alike(tmp_path: Path) -> None:
    model = TrainableEncoder(read_folder(source(tmp_path / "source"))).eval()
    texts = [" ".join((WORDS * 3)[: 1 + number * 7 % 29]) for number in range(TOGETHER * 2 + 3)]
    ids, mask = padded_tokens(texts, model.tokenizer, model.padding)
    together = model(ids, mask)
    sizes = mask.sum(1).tolist()
    alone = [model(own[None, :size], one[None, :size]) for own, one, size in zip(ids, mask, sizes, strict=True)]
    assert_same_scores(together, torch.cat(alone))
    weights = model.transformer.get_input_embeddings().weight
    target = torch.randn(together.shape)
    gradients = [torch.autograd.grad((one * target).sum(), weights)[0] for one in (together, torch.cat(alone))]
    assert gradients[0].abs().max() > 1e-3
    torch.testing.assert_close(*gradients, rtol=1e-3, atol=1e-5)


def test_what_was_killed_goes_on(tmp_path: Path) -> None:
    given = str(source(tmp_path / "source"))
    tune(given, pairs(), tmp_path / "whole", settings(), quiet, finish=nothing)

    @contextmanager
    def killed(description: str, total: int | None) -> Iterator[Any]:
        def bar(done: int, total: int | None = None) -> None:
            if done >= 8:
                raise KilledError

        yield bar

    with pytest.raises(KilledError):
        tune(given, pairs(), tmp_path / "tuned", settings(), killed, finish=nothing)
    assert list((tmp_path / "tuned" / "checkpoints").glob("checkpoint-*"))
    with pytest.raises(FileExistsError, match=r"holds an unfinished run with other settings: epochs 4 \(now 3\)"):
        tune(given, pairs(), tmp_path / "tuned", settings(epochs=3), quiet, finish=nothing)
    steps: list[int] = []

    @contextmanager
    def counted(description: str, total: int | None) -> Iterator[Any]:
        yield lambda done, total=None: steps.append(done)

    tune(given, pairs(), tmp_path / "tuned", settings(), counted, finish=nothing)
    assert steps[0] > 3, "from its checkpoint, not from the start"
    assert_trained_alike(tmp_path / "tuned", tmp_path / "whole")
    assert not (tmp_path / "tuned" / "checkpoints").exists()


def test_what_diverges_is_said(tmp_path: Path) -> None:
    given = str(source(tmp_path / "source"))
    diverging = settings(learning_rate=1e30, max_grad_norm=0.0)
    with pytest.raises(FloatingPointError, match="no longer finite; a lower learning_rate"):
        tune(given, pairs(), tmp_path / "tuned", diverging, quiet, finish=nothing)
    assert not (tmp_path / "tuned" / "model.safetensors").exists()


def test_an_encoder_that_cannot_be_trained_is_said(tmp_path: Path) -> None:
    given = tiny_sentence_encoders.save(tmp_path / "source")
    with pytest.raises(ValueError, match=r"there are 1 questions with an answer; expected at least 2"):
        tune(str(given), pairs()[:1], tmp_path / "tuned", settings(), quiet, finish=nothing)
    other = tiny_sentence_encoders.save(tmp_path / "other", pooling="cls")
    with pytest.raises(ValueError, match="the pooling is cls"):
        tune(str(other), pairs(), tmp_path / "tuned", settings(), quiet, finish=nothing)
    tiny_teacher.wordpiece().save(str(given / "tokenizer.json"))
    with pytest.raises(ValueError, match=r"the encoder in .*source cannot be trained: it has [0-9]+ tokens"):
        tune(str(given), pairs(), tmp_path / "tuned", settings(), quiet, finish=nothing)


class TestBatches:
    @pytest.fixture
    def tokenizer(self, tmp_path: Path) -> Any:
        return TrainableEncoder(read_folder(tiny_sentence_encoders.save(tmp_path / "source"))).tokenizer

    def test_every_epoch_has_every_pair_once_and_another_order(self, tokenizer) -> None:
        batches = TuningBatches(pairs(), tokenizer, 0, settings(batch_size=5, epochs=2))
        # Of 12 pairs none is left alone.
        assert [len(batches[step]["question_ids"]) for step in range(len(batches))] == [4, 4, 4] * 2
        assert batches.epochs_at(3) == 1
        rows = [sorted(map(tuple, _rows(batches, range(start, start + 3)))) for start in (0, 3)]
        assert rows[0] == rows[1]
        assert len(set(rows[0])) == 12
        assert list(_rows(batches, range(3))) != list(_rows(batches, range(3, 6)))
        with pytest.raises(IndexError):
            batches[6]

    def test_a_step_depends_on_nothing_but_seed_and_step(self, tokenizer) -> None:
        ours, theirs = (TuningBatches(pairs(), tokenizer, 0, settings()) for _ in range(2))
        for name, values in ours[4].items():
            assert torch.equal(values, theirs[4][name])
        other = TuningBatches(pairs(), tokenizer, 0, settings(seed=1))
        assert not torch.equal(ours[4]["text_ids"], other[4]["text_ids"])

    def test_texts_that_are_right_for_another_question_too_are_left_out(self, tokenizer) -> None:
        same, other, wrong = text("At nine."), text("at nine"), text("Never.")
        right = frozenset([same.answer])
        given = [
            Pair("when does it open", same, right, [wrong]),
            Pair("from when on is it open", other, right, []),
            Pair("is it open at all", text("Yes."), frozenset([sameness("Yes.")]), []),
            # The first question once more, with a second answer.
            Pair("when does it open", text("In May."), frozenset([sameness("In May.")]), []),
        ]
        found = TuningBatches(given, tokenizer, 0, settings()).batch(given, [wrong, other])
        assert found["also_right"].int().tolist() == [
            [0, 1, 0, 1, 0, 1],
            [1, 0, 0, 0, 0, 1],
            [0, 0, 0, 0, 0, 0],
            [1, 1, 0, 0, 0, 1],
        ]
        assert len(found["text_ids"]) == 6


def _rows(batches: TuningBatches, steps: range) -> Iterator[list[int]]:
    for step in steps:
        batch = batches[step]
        for ids, mask in zip(batch["question_ids"], batch["question_mask"], strict=True):
            yield ids[mask.bool()].tolist()


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("epochs", 0, "at least 1"),
        ("batch_size", 1, "at least 2"),
        ("learning_rate", 0.0, "more than 0"),
        ("scale", -1.0, "more than 0"),
        ("warmup", 1.0, "less than 1"),
        ("weight_decay", -1.0, "at least 0"),
        ("precision", "int8", "one of float32"),
        ("hard_negatives", "many", "int"),
    ],
)
def test_settings_are_checked(name: str, value: object, expected: str) -> None:
    with pytest.raises(ValueError, match=rf"training setting '{name}' is .*{expected}"):
        TuningSettings.from_dict({name: value})
