# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import itertools
import json
import random
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
import torch
from torch.optim.optimizer import register_optimizer_step_pre_hook

from answer_selection.indexing.candidates import Candidate, CandidateList, write_jsonl
from computed_twice import assert_same_scores, assert_same_weights, assert_trained_alike
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.linear import COUNTING
from haystack_integrations.components.rankers.answer_selection.models.record import Record
from haystack_integrations.components.rankers.answer_selection.training import transformers_trainer
from haystack_integrations.components.rankers.answer_selection.training.batches import TrainingBatches, TrainingLists
from haystack_integrations.components.rankers.answer_selection.training.dataset import CandidateFile
from haystack_integrations.components.rankers.answer_selection.training.losses import LOSSES
from haystack_integrations.components.rankers.answer_selection.training.scoring import score_lists
from haystack_integrations.components.rankers.answer_selection.training.settings import TrainingSettings
from haystack_integrations.components.rankers.answer_selection.training.trainer import make_batch, train
from haystack_integrations.components.rankers.answer_selection.training.training_result import Validation
from haystack_integrations.components.rankers.answer_selection.training.validation import Measures, measure
from new_process import python

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_thread")]

# Whoever asks for the one wants the other: no word in common, so it has to be learned; BM25 cannot know it.
THINGS = {"car": "drive", "boat": "sail", "plane": "fly", "bike": "pedal", "horse": "ride", "shoe": "walk"}
FILLERS = ("please", "today", "often", "here", "now", "always", "there", "gladly")


def tree(text: str) -> dict[str, str]:
    """Metadata with a parse tree, for those models that read one."""
    return {"parse_tree": f"(ROOT {' '.join(f'(NN {word})' for word in text.split())})"}


def lists(n: int, seed: int, *, relevant_rank: int = 4) -> Iterator[CandidateList]:
    """One relevant answer of six, which the retriever has at a given rank."""
    random_ = random.Random(seed)
    ranks = [rank for rank in range(1, 7) if rank != relevant_rank]
    for number in range(n):
        thing = random_.choice(list(THINGS))
        verbs = [THINGS[thing], *(verb for verb in THINGS.values() if verb != THINGS[thing])]
        candidates = [
            Candidate(
                f"a{place}",
                (answer := f"You {verb} it {random_.choice(FILLERS)} and {random_.choice(FILLERS)}"),
                int(place == 0),
                {"retriever_rank": rank, "retriever_score": 10.0 - rank, **tree(answer)},
            )
            for place, (verb, rank) in enumerate(zip(verbs, [relevant_rank, *ranks], strict=True))
        ]
        random_.shuffle(candidates)
        query = f"What about my {thing} {random_.choice(FILLERS)}?"
        yield CandidateList(f"q{number}", query, tuple(candidates), tree(query))


def new_model(name: str = "ctrn", **options: Any) -> tuple[Any, Any]:
    torch.manual_seed(7)
    texts = [text for one in lists(40, 0) for text in (one.query, *(c.answer for c in one.candidates))]
    sizes = {"embedding_size": 12, "projection_size": 12, "hidden_size": 16, "mlp_size": 8, "dropout": 0.2}
    sizes |= {"half_size": 16, "feed_forward_size": 24}
    sizes["encoder"] = {
        "model_type": "bert",
        "vocab_size": 100,
        "hidden_size": 16,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "intermediate_size": 24,
    }
    known = registry.MODELS[name].config_class().to_dict()
    sizes = {option: value for option, value in sizes.items() if option in known}
    return registry.build(name, texts, **{**sizes, **options})


ENCODER = {
    "model_type": "bert",
    "vocab_size": 100,
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "hidden_dropout_prob": 0.2,
}


def new_encoder() -> tuple[Any, Any]:
    return new_model("gsamn", encoder=ENCODER, max_pair_length=32)


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("lists")
    write_jsonl(folder / "train.jsonl", lists(96, 1))
    write_jsonl(folder / "validation.jsonl", lists(40, 2))
    return folder


SETTINGS = TrainingSettings(
    epochs=12,
    pairs_per_batch=24,
    negatives=4,
    learning_rate=0.02,
    warmup=0.1,
    use_cpu=True,
    evaluations_per_epoch=2,
    patience=6,
    freeze_embeddings=False,
)


@pytest.fixture(scope="module")
def trained(data: Path) -> tuple[Any, Path]:
    model, collator = new_model(batch_norm=True, pair_features=["overlap", "bm25"])
    result = train(model, collator, data / "train.jsonl", data / "validation.jsonl", data / "whole", SETTINGS)
    return result, data / "whole"


def test_learns_and_keeps_the_best(trained, data: Path) -> None:
    result, folder = trained
    history = [(entry["step"], entry["eval_mrr"]) for entry in result.history if "eval_mrr" in entry]
    assert result.best_step == max(history, key=lambda pair: pair[1])[0]
    assert result.validation.model.mrr == max(mrr for _, mrr in history) > 0.75 > result.start.mrr
    assert result.validation.retriever == Measures(pytest.approx(0.25), pytest.approx(0.25), 0.0)
    assert "BM25 0.2500, the model alone " in result.validation.verdict()
    assert "Keep BM25" not in result.validation.verdict()
    assert result.verdict() == result.validation.verdict()
    model, collator = registry.load(folder)
    file = CandidateFile(data / "validation.jsonl", collator.pair_length)
    assert measure(score_lists(model, collator, file), file) == result.validation.model, "the folder holds the best"
    files = sorted(path.name for path in folder.iterdir())
    assert files == [
        "config.json",
        "logs",
        "model.safetensors",
        "tokenizer.json",
    ]


def test_tensorboard(trained) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    result, folder = trained
    events = EventAccumulator(str(folder / "logs")).Reload()
    logged = {event.step: event.value for event in events.Scalars("eval/mrr")}
    expected = {entry["step"]: entry["eval_mrr"] for entry in result.history if "eval_mrr" in entry}
    assert logged == {step: pytest.approx(mrr) for step, mrr in expected.items()}


SCRIPT = """
import os, signal, sys, torch
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
spec = spec_from_file_location("shared", sys.argv[1])
shared = module_from_spec(spec)
spec.loader.exec_module(shared)

def progress(step, steps, logs):
    if step == int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)

torch.set_num_threads(1)
data = Path(sys.argv[2])
model, collator = shared.new_model(batch_norm=True, pair_features=["overlap", "bm25"])
shared.train(model, collator, data / "train.jsonl", data / "validation.jsonl", data / "killed", shared.SETTINGS,
             progress=progress)
"""


def test_killed_and_resumed_to_the_same_weights(trained, data: Path) -> None:
    """Data order, sampled negatives, dropout, learning rate, running means, early stopping: all go on as they were."""
    whole, folder = trained
    process = python(SCRIPT, __file__, data, 43)
    assert process.returncode == -signal.SIGKILL, process.stderr
    checkpoints = sorted((data / "killed" / "checkpoints").glob("checkpoint-*"))
    assert checkpoints
    # As if it had been killed in the middle of writing a later one.
    torn = data / "killed" / "checkpoints" / "checkpoint-42"
    shutil.copytree(checkpoints[-1], torn)
    (torn / "trainer_state.json").write_text('{"global_step": 42, "log_h', encoding="utf-8")
    (torn / "model.safetensors").write_bytes(b"torn")

    steps = []
    # Other weights than the first time: what counts is the checkpoint.
    model, collator = new_model(batch_norm=True, pair_features=["overlap", "bm25"])
    result = train(
        model,
        collator,
        data / "train.jsonl",
        data / "validation.jsonl",
        data / "killed",
        SETTINGS,
        progress=lambda step, _steps, _logs: steps.append(step),
    )
    assert 1 < steps[0] <= 43, "it did not begin anew"
    assert (result.steps, result.best_step, result.validation) == (whole.steps, whole.best_step, whole.validation)
    assert_trained_alike(data / "killed", folder)
    assert (data / "killed" / "config.json").read_bytes() == (folder / "config.json").read_bytes()


def test_kill_inside_a_long_epoch_costs_few_steps(data: Path, tmp_path: Path, monkeypatch) -> None:
    """One epoch can take hours: what it has learned is kept before its end, too."""
    settings = with_settings(epochs=1, evaluations_per_epoch=1)
    files = data / "train.jsonl", data / "validation.jsonl"
    whole = train(*new_model(), *files, tmp_path / "whole", settings)
    monkeypatch.setattr(transformers_trainer, "SAVED_EVERY", 5)

    def kill(step: int, _steps: int, _logs: dict) -> None:
        if step == 13:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(*new_model(), *files, tmp_path / "killed", settings, progress=kill)
    steps: list[int] = []
    result = train(
        *new_model(), *files, tmp_path / "killed", settings, progress=lambda step, _steps, _logs: steps.append(step)
    )
    assert steps == list(range(11, whole.steps + 1))
    assert (result.best_step, result.validation) == (whole.best_step, whole.validation)
    assert_trained_alike(tmp_path / "killed", tmp_path / "whole")


def with_settings(**changed: Any) -> TrainingSettings:
    return TrainingSettings.from_dict(SETTINGS.to_dict() | changed)


# Small models learn this by a few words' luck; these ones are large enough to learn it for certain.
LARGER = {"embedding_size": 32, "projection_size": 32, "hidden_size": 48, "mlp_size": 32, "dropout": 0.0}


class TestMixedPrecision:
    MODEL: ClassVar = {"batch_norm": True, "pair_features": ["overlap", "bm25"]}

    @pytest.mark.parametrize("name", ["ctrn", "qrnn"])
    def test_trains_about_as_well(self, name: str, data: Path, tmp_path: Path) -> None:
        found = {}
        for precision in ("bfloat16", "float32"):
            model, collator = new_model(name, **LARGER)
            seen = set()
            convolution = model.convolution.register_forward_hook(lambda *x, seen=seen: seen.add(x[2].dtype))
            settings = with_settings(precision=precision, log_every=1, patience=0, learning_rate=5e-3)
            files = data / "train.jsonl", data / "validation.jsonl", tmp_path / precision
            found[precision] = result = train(model, collator, *files, settings)
            # Steps in the one precision, validation in the other.
            assert seen == {torch.float32, getattr(torch, precision)}
            assert {x.dtype for x in model.state_dict().values() if x.is_floating_point()} == {torch.float32}
            seen.clear()
            convolution.remove()
            loaded, _ = registry.load(tmp_path / precision)
            file = CandidateFile(data / "validation.jsonl", collator.pair_length)
            # The model that was handed over is as good as the saved one: nothing of autocast is left on it.
            assert_same_weights(loaded, model)
            assert_same_scores(score_lists(loaded, collator, file), score_lists(model, collator, file))
            assert measure(score_lists(loaded, collator, file), file) == result.validation.model
        first, second = (found[precision].history for precision in ("bfloat16", "float32"))
        assert first[0]["loss"] == pytest.approx(second[0]["loss"], rel=0.02)
        assert first[0]["loss"] != second[0]["loss"]
        for result in found.values():
            last = [entry["loss"] for entry in result.history if "loss" in entry][-10:]
            assert np.mean(last) < 0.3
            assert result.validation.model.mrr > 0.9

    def test_goes_on_where_it_was(self, data: Path, tmp_path: Path) -> None:
        # The last bits of half precision are large, and grow from step to step: a low rate keeps them together.
        settings = with_settings(precision="bfloat16", epochs=3, learning_rate=1e-3)
        files = data / "train.jsonl", None
        train(*new_model(**self.MODEL), *files, tmp_path / "whole", settings)

        def stop(step: int, _steps: int, _logs: dict[str, float]) -> None:
            if step == 33:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            train(*new_model(**self.MODEL), *files, tmp_path / "stopped", settings, progress=stop)
        steps = []
        train(*new_model(), *files, tmp_path / "other", with_settings(epochs=1))  # another precision between them
        train(
            *new_model(**self.MODEL),
            *files,
            tmp_path / "stopped",
            settings,
            progress=lambda step, _steps, _logs: steps.append(step),
        )
        assert steps[0] > 1, "it did not begin anew"
        assert_trained_alike(tmp_path / "stopped", tmp_path / "whole")

    def test_float16_is_nothing_for_the_cpu(self, data: Path, tmp_path: Path) -> None:
        settings = with_settings(precision="float16")
        with pytest.raises(
            ValueError, match="'precision' is 'float16', which needs an accelerator; expected float32 or"
        ):
            train(*new_model(), data / "train.jsonl", None, tmp_path / "model", settings)
        assert not (tmp_path / "model").exists()

    @pytest.mark.skipif(not torch.accelerator.is_available(), reason="there is no accelerator")
    @pytest.mark.parametrize("precision", ["bfloat16", "float16"])
    @pytest.mark.parametrize("name", ["ctrn", "qrnn"])
    def test_on_an_accelerator(self, name: str, precision: str, data: Path, tmp_path: Path) -> None:
        settings = with_settings(precision=precision, use_cpu=False, learning_rate=5e-3)
        files = data / "train.jsonl", data / "validation.jsonl", tmp_path / "model"
        result = train(*new_model(name, **LARGER), *files, settings)
        assert result.validation.model.mrr > 0.75 > result.start.mrr


@contextmanager
def steps_seen() -> Iterator[list[tuple[float, list[torch.Tensor]]]]:
    """The learning rate and the gradients of every step, as the optimizer has them."""
    seen: list[tuple[float, list[torch.Tensor]]] = []

    def note(optimizer, _args, _kwargs) -> None:
        trained = [parameter for group in optimizer.param_groups for parameter in group["params"]]
        gradients = [parameter.grad.clone() for parameter in trained if parameter.grad is not None]
        seen.append((optimizer.param_groups[0]["lr"], gradients))

    hook = register_optimizer_step_pre_hook(note)
    try:
        yield seen
    finally:
        hook.remove()


class TestAccumulation:
    # Nine batches an epoch: steps of four go over an epoch's end, and the last one has two batches.
    SETTINGS: ClassVar = {"pairs_per_batch": 55, "epochs": 2, "gradient_accumulation": 4, "max_grad_norm": 0}

    def test_gradients_are_those_of_the_mean(self, data: Path, tmp_path: Path) -> None:
        settings = with_settings(**self.SETTINGS, learning_rate=1e-12)
        model, collator = new_model(dropout=0.0)
        with steps_seen() as seen:
            result = train(model, collator, data / "train.jsonl", None, tmp_path / "model", settings)
        file = CandidateFile(data / "train.jsonl", collator.pair_length)
        batches = TrainingBatches(file, negatives=4, max_pairs=55, epochs=2, seed=0, both_labels=True)
        assert len(batches) == 18
        groups = [list(group) for _, group in itertools.groupby(enumerate(batches), lambda pair: pair[0] // 4)]
        assert len(groups) == result.steps == len(seen)
        assert len(groups[-1]) == 2
        assert result.epochs == 2
        samples = TrainingLists(batches)
        model, _ = new_model(dropout=0.0)
        trained = [p for many in (True, False) for p in model.parameters() if (p.ndim > 1) == many]
        for group, (_, gradients) in zip(groups, seen, strict=True):
            losses = []
            for _, keys in group:
                batch = make_batch([samples[key] for key in keys], collator)
                labels, sizes = batch.pop("labels"), batch.pop("loss_list_sizes")
                losses.append(LOSSES["listwise"](model(**batch), labels, sizes))
            expected = torch.autograd.grad(torch.stack(losses).mean(), trained, allow_unused=True)
            for found, one in zip(gradients, (one for one in expected if one is not None), strict=True):
                torch.testing.assert_close(found, one, rtol=1e-3, atol=1e-6)

    def test_evaluations_come_where_an_epoch_is_over(self, data: Path, tmp_path: Path) -> None:
        settings = with_settings(**self.SETTINGS, log_every=1, warmup=0.5, evaluations_per_epoch=1)
        files = data / "train.jsonl", data / "validation.jsonl", tmp_path / "model"
        with steps_seen() as seen:
            result = train(*new_model(), *files, settings)
        measured = {entry["step"]: entry["epoch"] for entry in result.history if "eval_mrr" in entry}
        assert measured == {3: pytest.approx(1 + 3 / 9), 5: 2}
        # Three steps of warm-up, two down to where a sixth would have 0.
        assert [rate / settings.learning_rate for rate, _ in seen] == pytest.approx([0, 1 / 3, 2 / 3, 1, 1 / 2])

    def test_goes_on_where_it_was(self, data: Path, tmp_path: Path) -> None:
        settings = with_settings(**self.SETTINGS | {"epochs": 4, "evaluations_per_epoch": 1})
        files = data / "train.jsonl", data / "validation.jsonl"
        train(*new_model(), *files, tmp_path / "whole", settings)

        def stop(step: int, _steps: int, _logs: dict[str, float]) -> None:
            if step == 8:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            train(*new_model(), *files, tmp_path / "stopped", settings, progress=stop)
        steps = []
        train(
            *new_model(),
            *files,
            tmp_path / "stopped",
            settings,
            progress=lambda step, _steps, _logs: steps.append(step),
        )
        assert steps == [8, 9]
        assert_trained_alike(tmp_path / "stopped", tmp_path / "whole")


class TestGradientCheckpointing:
    def test_same_gradients(self, data: Path, tmp_path: Path) -> None:
        """With dropout too: what is computed again drops the same."""
        seen, again = {}, []
        for checkpointing in (False, True):
            model, collator = new_encoder()
            part = model.encoder.encoder.layer[0].attention
            calls = part.register_forward_pre_hook(lambda *_: again.append(1))
            # At a rate at which weights stay where they are: differences of a last bit would grow from step to step.
            rates = {"learning_rate": 1e-12, "max_grad_norm": 0}
            settings = with_settings(gradient_checkpointing=checkpointing, epochs=1, log_every=1, **rates)
            files = data / "train.jsonl", None, tmp_path / str(checkpointing)
            with steps_seen() as seen[checkpointing]:
                result = train(model, collator, *files, settings)
            calls.remove()
            assert len(again) == result.steps * (2 if checkpointing else 1)
            again.clear()
            assert not any(getattr(module, "gradient_checkpointing", False) for module in model.modules())
        assert len(seen[False]) == len(seen[True]) > 10
        for first, second in zip(seen[False], seen[True], strict=True):
            torch.testing.assert_close(first[1], second[1], rtol=1e-3, atol=1e-6)

    def test_is_for_encoders(self, data: Path, tmp_path: Path) -> None:
        settings = with_settings(gradient_checkpointing=True)
        with pytest.raises(
            ValueError,
            match="'gradient_checkpointing' is True, but the model 'ctrn' has no encoder",
        ):
            train(*new_model(), data / "train.jsonl", None, tmp_path / "model", settings)
        assert not (tmp_path / "model").exists()


@pytest.mark.parametrize(("setting", "learned"), [(None, True), (True, False), (False, True)])
def test_an_encoder_learns_its_embeddings_unless_told_otherwise(setting, learned, data: Path, tmp_path: Path) -> None:
    model, collator = new_encoder()
    before = model.get_input_embeddings().weight.detach().clone()
    train(
        model, collator, data / "train.jsonl", None, tmp_path / "m", with_settings(freeze_embeddings=setting, epochs=1)
    )
    assert torch.equal(model.get_input_embeddings().weight, before) != learned


class TestFrozenEncoder:
    """A layer over a frozen encoder, the tree aggregation paper's comparison "regular self-attention"."""

    @staticmethod
    def over_one_layer() -> tuple[Any, Any]:
        return new_model("encoder_layers", extra_layers=1, encoder=ENCODER, max_pair_length=32)

    def test_only_what_is_above_it_learns(self, data: Path, tmp_path: Path) -> None:
        model, collator = self.over_one_layer()
        before = {name: parameter.detach().clone() for name, parameter in model.named_parameters()}
        seen = []
        hook = model.layers.register_forward_pre_hook(lambda module, inputs: seen.append((module.training, inputs[0])))
        batch = collator([Record("a b", "b c")])
        settings = with_settings(freeze_encoder=True, freeze_embeddings=None, epochs=1)
        train(model, collator, data / "train.jsonl", None, tmp_path / "m", settings)
        changed = {name for name, parameter in model.named_parameters() if not torch.equal(parameter, before[name])}
        assert changed == {name for name in before if not name.startswith("encoder.")}
        # While the layer learned, the encoder dropped nothing and kept no gradient.
        assert any(training and not states.requires_grad for training, states in seen)
        seen.clear()
        for mode in (True, True, False):
            model.train(mode)(**batch)
        hook.remove()
        assert [training for training, _ in seen] == [True, True, False]
        assert torch.equal(seen[0][1], seen[1][1])
        assert torch.equal(seen[0][1], seen[2][1])

    def test_the_next_training_may_free_it(self, data: Path, tmp_path: Path) -> None:
        model, collator = self.over_one_layer()
        for frozen in (True, False):
            before = model.encoder.encoder.layer[0].output.dense.weight.detach().clone()
            settings = with_settings(freeze_encoder=frozen, freeze_embeddings=None, epochs=1)
            train(model, collator, data / "train.jsonl", None, tmp_path / str(frozen), settings)
            assert torch.equal(model.encoder.encoder.layer[0].output.dense.weight, before) == frozen

    def test_is_for_encoders(self, data: Path, tmp_path: Path) -> None:
        settings = with_settings(freeze_encoder=True, freeze_embeddings=None)
        with pytest.raises(ValueError, match="'freeze_encoder' is True, but the model 'ctrn' has no encoder"):
            train(*new_model(), data / "train.jsonl", None, tmp_path / "model", settings)


class TestEncoderLearningRate:
    def test_is_the_encoders_alone(self, data: Path, tmp_path: Path) -> None:
        model, collator = new_encoder()
        rates = {}

        def see(optimizer: torch.optim.Optimizer, *_: Any) -> None:
            names = {id(parameter): name for name, parameter in model.named_parameters()}
            rates.update({names[id(p)]: group["lr"] for group in optimizer.param_groups for p in group["params"]})
            raise KeyboardInterrupt

        settings = with_settings(encoder_learning_rate=1e-4, learning_rate=1e-2, schedule="constant", warmup=0.0)
        hook = register_optimizer_step_pre_hook(see)
        with pytest.raises(KeyboardInterrupt):
            train(model, collator, data / "train.jsonl", None, tmp_path / "model", settings)
        hook.remove()
        assert rates.keys() == {name for name, _ in model.named_parameters()}
        assert {rate for name, rate in rates.items() if name.startswith("encoder.")} == {1e-4}
        assert {rate for name, rate in rates.items() if not name.startswith("encoder.")} == {1e-2}

    def test_is_for_encoders(self, data: Path, tmp_path: Path) -> None:
        settings = with_settings(encoder_learning_rate=1e-4)
        with pytest.raises(
            ValueError, match=r"'encoder_learning_rate' is 0\.0001, but the model 'ctrn' has no encoder"
        ):
            train(*new_model(), data / "train.jsonl", None, tmp_path / "model", settings)
        assert not (tmp_path / "model").exists()


def test_rmsprop(data: Path, tmp_path: Path) -> None:
    """Its first step is the plain one: with averages of 0 the gradient is divided by a tenth of its own size."""
    model, collator = new_model()
    before = {key: parameter.detach().clone() for key, parameter in model.named_parameters()}
    settings = with_settings(
        optimizer="rmsprop", learning_rate=0.001, epochs=1, max_grad_norm=0, warmup=0, schedule="constant"
    )

    def stop(_step: int, _steps: int, _logs: dict[str, float]) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(model, collator, data / "train.jsonl", None, tmp_path / "model", settings, progress=stop)
    moved = torch.cat([(parameter - before[key]).flatten() for key, parameter in model.named_parameters()])
    assert moved.abs().max().item() == pytest.approx(0.01, rel=1e-2)
    result = train(
        *new_model(**LARGER),
        data / "train.jsonl",
        data / "validation.jsonl",
        tmp_path / "learned",
        with_settings(optimizer="rmsprop", learning_rate=1e-3),
    )
    assert result.validation.model.mrr > 0.75


# A loss sees logits alone, whatever model they are of. A counting baseline is a linear model that begins otherwise.
@pytest.mark.parametrize(
    ("name", "loss"),
    [
        *itertools.product(["ctrn"], LOSSES),
        *itertools.product(sorted(registry.MODELS.keys() - COUNTING.keys() - {"ctrn"}), ["listwise"]),
    ],
)
def test_every_model_learns_and_by_every_loss(name: str, loss: str, data: Path, tmp_path: Path) -> None:
    model, collator = new_model(name)
    before = {key: value.clone() for key, value in model.state_dict().items()}
    settings = TrainingSettings(
        loss=loss, epochs=1, pairs_per_batch=64, schedule="constant", optimizer="adamw", weight_decay=0.01, use_cpu=True
    )
    result = train(model, collator, data / "train.jsonl", None, tmp_path / "model", settings)
    after, _ = registry.load(tmp_path / "model")
    changed = {key for key, value in after.state_dict().items() if not torch.equal(value, before[key])}
    trained = {key for key, _ in model.named_parameters()} - {"embedding.weight"}
    # The linear model has no use for projected words, and a loss of differences none for its bias.
    idle = {"projection.weight", "projection.bias", "classifier.output.bias"} if name == "linear" else set()
    # Softmax knows no difference between keys, all of them moved alike.
    idle |= {key for key in trained if key.endswith("attention.self.key.bias")}
    assert changed & trained - idle == trained - idle
    assert "embedding.weight" not in changed
    assert all(np.isfinite(value.numpy()).all() for value in after.state_dict().values())
    assert (result.validation, result.start, result.epochs) == (None, None, 1)


def test_stops_early_and_keeps_a_better_start(trained, data: Path, tmp_path: Path) -> None:
    """Trained on wrong labels it only gets worse: it stops, and what it started with is kept."""
    _, folder = trained
    wrong = [
        CandidateList(
            one.query_id,
            one.query,
            tuple(Candidate(c.candidate_id, c.answer, 1 - c.label) for c in one.candidates),
        )
        for one in lists(96, 1)
    ]
    write_jsonl(tmp_path / "wrong.jsonl", wrong)
    model, collator = registry.load(folder)
    before = {key: value.clone() for key, value in model.state_dict().items()}
    settings = TrainingSettings(epochs=20, pairs_per_batch=64, patience=2, learning_rate=0.02, use_cpu=True)
    result = train(model, collator, tmp_path / "wrong.jsonl", data / "validation.jsonl", tmp_path / "model", settings)
    assert result.epochs < 20
    assert result.best_step == 0
    assert result.validation.model == result.start
    assert result.verdict().endswith("Training did not help: the model's weights are as they were at its start.")
    after, _ = registry.load(tmp_path / "model")
    # The last layer alone differs: its logits are calibrated.
    changed = {key for key, value in after.state_dict().items() if not torch.equal(value, before[key])}
    assert changed <= {"classifier.output.weight", "classifier.output.bias", "classifier.shortcut.weight"}


def test_says_plainly_that_nothing_beats_bm25(data: Path, tmp_path: Path) -> None:
    write_jsonl(tmp_path / "easy.jsonl", lists(30, 3, relevant_rank=1))
    model, collator = new_model()
    settings = TrainingSettings(epochs=1, learning_rate=1e-6, use_cpu=True)
    result = train(model, collator, data / "train.jsonl", tmp_path / "easy.jsonl", tmp_path / "model", settings)
    assert result.validation.beats_retriever is False
    assert result.validation.verdict().startswith(
        "Keep BM25: this model does not improve on it here. "
        "MRR on 30 validation questions: BM25 1.0000, the model alone 0."
    )
    assert result.validation.retriever == Measures(1.0, 1.0, 1.0)


@pytest.mark.parametrize("metric", ["mrr", "map", "p@1"])
def test_the_metric_chooses_the_weights_that_are_kept(data: Path, tmp_path: Path, metric: str) -> None:
    model, collator = new_model(batch_norm=True, pair_features=["overlap", "bm25"])
    settings = replace(SETTINGS, epochs=4, metric=metric)
    result = train(model, collator, data / "train.jsonl", data / "validation.jsonl", tmp_path / "m", settings)
    history = [(entry["step"], entry[f"eval_{metric}"]) for entry in result.history if f"eval_{metric}" in entry]
    assert result.best_step == max(history, key=lambda pair: pair[1])[0]
    assert result.validation.model.by(metric) == max(found for _, found in history)
    assert f"{metric.upper()} on 40 validation questions: " in result.validation.verdict()


def test_a_model_that_ties_everything_is_not_the_best(data: Path, tmp_path: Path) -> None:
    """The relevant candidates stand first in these lists, so that their own order would make it perfect."""
    first = [
        CandidateList(one.query_id, one.query, tuple(sorted(one.candidates, key=lambda c: -c.label)))
        for one in lists(30, 3)
    ]
    write_jsonl(tmp_path / "first.jsonl", first)
    model, collator = new_model()
    torch.nn.init.zeros_(model.classifier.output.weight)
    settings = TrainingSettings(epochs=1, learning_rate=1e-9, use_cpu=True)
    result = train(model, collator, data / "train.jsonl", tmp_path / "first.jsonl", tmp_path / "model", settings)
    assert result.start.p1 == pytest.approx(1 / 6)


def test_lists_of_one_size(data: Path, tmp_path: Path) -> None:
    """Lists of six become lists of eight, three of which fit a batch of 24."""
    model, collator = new_model()
    settings = TrainingSettings(epochs=2, negatives=None, list_size=8, pairs_per_batch=24, use_cpu=True)
    result = train(model, collator, data / "train.jsonl", data / "validation.jsonl", tmp_path / "m", settings)
    assert result.steps == 2 * 96 // 3


def test_weight_of_the_retriever(data: Path, tmp_path: Path) -> None:
    """On real queries it may be chosen, and goes into the model's configuration; else it stays what it was."""
    write_jsonl(tmp_path / "easy.jsonl", lists(30, 3, relevant_rank=1))
    results = {}
    for choose in (True, False):
        model, collator = new_model(retriever_weight=0.1)
        settings = TrainingSettings(epochs=1, learning_rate=1e-6, use_cpu=True, choose_retriever_weight=choose)
        folder = tmp_path / str(choose)
        results[choose] = train(
            model, collator, data / "train.jsonl", tmp_path / "easy.jsonl", folder, settings
        ).validation
        saved = json.loads((folder / "config.json").read_text(encoding="utf-8"))["retriever_weight"]
        assert saved == results[choose].retriever_weight
        assert results[choose].weight_was_chosen == choose
    assert results[False].retriever_weight == 0.1
    assert results[True].retriever_weight > 0.1
    assert results[True].mixed == Measures(1.0, 1.0, 1.0)
    assert results[True].model == results[False].model


def validation_of(
    model: float,
    retriever: float | None,
    mixed: float | None,
    weight: float,
    untrained: float | None = None,
    lists: int = 30,
    **given: bool,
) -> Validation:
    measured = {"model": model, "retriever": retriever, "mixed": mixed, "untrained": untrained}
    measures = {name: value and Measures(value, value, value) for name, value in measured.items()}
    flags = {"weight_was_chosen": False, "deployed": True} | given
    return Validation(lists=lists, metric="mrr", retriever_weight=weight, **measures, **flags)


def test_verdict_without_ranks() -> None:
    validation = validation_of(0.5, None, None, 0.0)
    assert validation.beats_retriever is None
    assert "do not give BM25's order" in validation.verdict()


@pytest.mark.parametrize(
    ("weight", "chosen", "said"),
    [
        (0.0, False, "the model alone 0.5000."),
        (0.0, True, "the model alone 0.5000, no more with the retriever's score mixed in."),
        (0.25, False, "the model alone 0.5000, with the retriever's score mixed in (weight 0.25) 0.6000."),
        (0.25, True, "the model alone 0.5000, with the retriever's score mixed in (weight 0.25) 0.6000."),
    ],
)
def test_verdict_says_of_mixing_what_was_done(weight, chosen, said) -> None:
    validation = validation_of(0.5, 0.3, 0.6 if weight else 0.5, weight, weight_was_chosen=chosen)
    figures = f"MRR on 30 validation questions: BM25 0.3000, {said}"
    assert validation.verdict() == f"This model improves on BM25 here. {figures}"


@pytest.mark.parametrize(
    ("untrained", "retriever", "keeps_order", "keep"),
    [
        (0.6, 0.3, False, True),
        (0.61, 0.3, False, True),
        (0.59, 0.3, False, False),
        # A ranker that keeps the retriever's order reaches what that does.
        (0.59, 0.58, True, True),
        # Where both reach the same, other FAQs speak for the ranker.
        (0.7, 0.7, False, True),
        (0.7, 0.71, False, False),
        (0.6, None, False, True),
    ],
)
def test_verdict_tells_whether_training_was_worth_it(untrained, retriever, keeps_order, keep) -> None:
    validation = validation_of(0.5, retriever, 0.6, 0.25, untrained, keeps_order=keeps_order)
    assert validation.untrained_is_best == keep
    said = validation.verdict()
    assert said.startswith("Keep the package's ranker: this model is no better than that here.") == keep
    assert f"the package's ranker without training {untrained:.4f}." in said
    # One advice, and no other beside it.
    assert sum(each in said for each in ("Keep the package's ranker", "Keep BM25", "improves on BM25")) == (
        1 if keep or retriever else 0
    )


def test_verdict_on_few_questions_says_so() -> None:
    few, enough = (validation_of(0.5, 0.3, None, 0.0, lists=lists).verdict() for lists in (29, 30))
    assert few.endswith("So few questions tell little: name 30 or more by --validation.")
    assert "tell little" not in enough


def test_verdict_is_of_the_ranking_as_deployed() -> None:
    """The model alone is better than BM25, but a pipeline has BM25's score mixed in with the configured weight."""
    validation = validation_of(0.5, 0.45, 0.4, 2.0)
    assert validation.beats_retriever is False
    assert validation.verdict().startswith("Keep BM25: this model does not improve on it here.")


def test_verdict_says_when_it_is_not_of_the_search_that_users_run() -> None:
    assert "not your users' questions" in validation_of(0.5, 0.3, None, 0.0, deployed=False).verdict()
    assert "not your users' questions" not in validation_of(0.5, 0.3, None, 0.0).verdict()
    assert validation_of(0.3, 0.5, None, 0.0, deployed=False).verdict().startswith("Keep BM25")


def test_what_is_there_is_not_overwritten(trained, data: Path, tmp_path: Path) -> None:
    _, folder = trained
    model, collator = new_model()
    with pytest.raises(FileExistsError, match="whole already holds a model; overwrite=True replaces it"):
        train(model, collator, data / "train.jsonl", None, folder, SETTINGS)

    def kill(step: int, steps: int, _logs: dict) -> None:
        if step == steps // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(*new_model(), data / "train.jsonl", None, tmp_path / "m", SETTINGS, progress=kill)
    other = TrainingSettings.from_dict(SETTINGS.to_dict() | {"epochs": 1})
    with pytest.raises(FileExistsError, match=r"unfinished run with other settings: epochs 12 \(now 1\);"):
        train(*new_model(), data / "train.jsonl", None, tmp_path / "m", other)
    # Another model, or the same one from other weights, does not go on as this one.
    other_model, collator = new_model(alignment="ratio")
    other_weights, _ = new_model()
    torch.nn.init.zeros_(other_weights.classifier.output.weight)
    for different in (other_model, other_weights):
        with pytest.raises(FileExistsError, match=r"unfinished run with other settings: model \w+ \(now \w+\);"):
            train(different, collator, data / "train.jsonl", None, tmp_path / "m", SETTINGS)
    result = train(*new_model(), data / "train.jsonl", None, tmp_path / "m", other, overwrite=True)
    assert result.epochs == 1


def test_run_that_failed_before_it_saved_anything_is_no_hindrance(data: Path, tmp_path: Path) -> None:
    def fail(*_: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(*new_model(), data / "train.jsonl", None, tmp_path / "m", SETTINGS, progress=fail)
    other = TrainingSettings.from_dict(SETTINGS.to_dict() | {"epochs": 1})
    assert train(*new_model(), data / "train.jsonl", None, tmp_path / "m", other).epochs == 1


def test_divergence_is_an_error(data: Path, tmp_path: Path) -> None:
    model, collator = new_model()
    settings = TrainingSettings(epochs=2, learning_rate=1e30, max_grad_norm=0, use_cpu=True)
    with pytest.raises(FloatingPointError, match="no longer finite; a lower learning_rate"):
        train(model, collator, data / "train.jsonl", data / "validation.jsonl", tmp_path / "m", settings)


def test_queries_with_the_same_text_stay_two_lists(tmp_path: Path) -> None:
    """The model encodes neighbours with the same query once; the loss must not compare across them."""
    one = next(lists(1, 5))
    write_jsonl(tmp_path / "twins.jsonl", [CandidateList(f"q{i}", one.query, one.candidates) for i in range(2)])
    _, collator = new_model()
    file = CandidateFile(tmp_path / "twins.jsonl")
    batch = make_batch([file.sample(i, file.pairs(i)) for i in range(2)], collator)
    assert batch["list_sizes"].tolist() == [12]
    assert batch["loss_list_sizes"].tolist() == [6, 6]
    labels = [float(candidate.label) for candidate in one.candidates]
    assert batch["labels"].tolist() == labels * 2
