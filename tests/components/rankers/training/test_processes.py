# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Two real processes, with the environment that torchrun gives them, train one model."""

import os
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from answer_selection.indexing.candidates import write_jsonl
from computed_twice import assert_trained_alike
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.training.processes import Processes
from haystack_integrations.components.rankers.answer_selection.training.settings import TrainingSettings
from new_process import python
from reserved_port import HOST, ReservedPort

pytestmark = pytest.mark.slow

spec = spec_from_file_location("test_trainer", Path(__file__).with_name("test_trainer.py"))
shared = module_from_spec(spec)
spec.loader.exec_module(shared)

# Eleven batches an epoch: steps go over its end, and in the last one there is a batch for one process alone.
SETTINGS = replace(
    shared.SETTINGS, pairs_per_batch=45, epochs=9, evaluations_per_epoch=1, log_every=1, learning_rate=0.02
)

SCRIPT = """
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
spec = spec_from_file_location("shared", sys.argv[1])
this = module_from_spec(spec)
spec.loader.exec_module(this)
data = Path(sys.argv[2])
for run in sys.argv[4:]:
    this.train_in_two(data, data / run, int(sys.argv[3]))
# Threads of a group that nobody left can end a process by SIGABRT.
this.Processes.joined(use_cpu=True).leave()
"""
# What is trained in two processes, by its folder's name, one after the other.
RUNS = {"two": "ctrn", "two-gsamn": "gsamn", "two-tree_aggregation": "tree_aggregation", "killed": "ctrn"}


# Over an encoder: its layers are computed again, it has a rate of its own, and the tree model has weights for levels
# that no tree here has.
OVER_ENCODER = replace(
    SETTINGS, loss="pointwise", epochs=4, learning_rate=0.02, encoder_learning_rate=0.005, gradient_checkpointing=True
)


def new_model(name: str = "ctrn") -> tuple:
    """Without dropout, of which each process has its own, and batch normalisation, for which batches are not alike."""
    if name == "ctrn":
        return shared.new_model(**shared.LARGER)
    encoder = {**shared.ENCODER, "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    levels = {"layers": 3} if name == "tree_aggregation" else {}
    return shared.new_model(name, encoder=encoder, max_pair_length=32, **levels)


def settings_of(name: str) -> TrainingSettings:
    return SETTINGS if name == "ctrn" else OVER_ENCODER


def train_in_two(data: Path, folder: Path, last: int) -> None:
    """What each of the two processes does; after step `last` the main one dies."""
    torch.set_num_threads(1)
    name = RUNS[folder.name]
    model, collator = new_model(name)
    index = int(os.environ["RANK"])
    if index:  # Only the main one's weights count.
        model.apply(model._init_weights)
    shown = []

    def progress(step: int, *_: object) -> None:
        shown.append(step)
        if step == last:
            os.kill(os.getpid(), signal.SIGKILL)

    files = data / "train.jsonl", data / "validation.jsonl"
    result = shared.train(model, collator, *files, folder, settings_of(name), progress=progress)
    assert Processes.joined(use_cpu=True).count == 2
    torch.save(
        {"weights": model.state_dict(), "shown": shown, "history": result.history, "validation": result.validation},
        data / f"{folder.name}-{index}.pt",
    )


def in_two(*arguments: object, folder: Path) -> list[subprocess.CompletedProcess[str]]:
    """Run the script in two processes that find each other; what torchrun itself does is for the command's test."""
    port = ReservedPort()
    meeting = {"MASTER_ADDR": HOST, "MASTER_PORT": str(port.number), "WORLD_SIZE": "2", "LOCAL_WORLD_SIZE": "2"}

    def start(index: str) -> subprocess.CompletedProcess[str]:
        return python(SCRIPT, *arguments, environment=meeting | {"RANK": index, "LOCAL_RANK": index}, folder=folder)

    with ThreadPoolExecutor(2) as both:
        done = list(both.map(start, "01"))
    port.release()
    return done


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("lists")
    write_jsonl(folder / "train.jsonl", shared.lists(96, 1))
    write_jsonl(folder / "validation.jsonl", shared.lists(40, 2))
    return folder


@pytest.fixture(scope="module")
def killed(data: Path) -> None:
    """A run of which the main process was killed, and which one process alone may not go on with."""
    done = in_two(__file__, data, 25, "killed", folder=data)
    assert done[0].returncode == -signal.SIGKILL
    assert done[1].returncode != 0, "it does not go on alone"
    assert not list(data.glob("killed-*.pt"))
    with pytest.raises(FileExistsError, match=r"other settings: processes 2 \(now 1\)"):
        shared.train(*new_model(), data / "train.jsonl", data / "validation.jsonl", data / "killed", SETTINGS)


@pytest.fixture(scope="module")
def trained(data: Path, killed: None) -> None:
    """All runs, the killed one from where it was."""
    for done in in_two(__file__, data, 0, *RUNS, folder=data):
        assert done.returncode == 0, done.stderr


def test_two_learn_what_one_learns_with_twice_the_batches(data: Path, trained: None) -> None:
    both = [torch.load(data / f"two-{index}.pt", weights_only=False) for index in range(2)]
    for name, weights in both[0]["weights"].items():
        torch.testing.assert_close(weights, both[1]["weights"][name], msg=name)
    assert both[0]["validation"] == both[1]["validation"]
    assert [one["shown"] for one in both] == [list(range(1, 51)), []]
    assert sorted(path.name for path in (data / "two").iterdir()) == [
        "config.json",
        "logs",
        "model.safetensors",
        "tokenizer.json",
    ]
    assert len(list((data / "two" / "logs").iterdir())) == 1

    alone = replace(SETTINGS, gradient_accumulation=2)
    result = shared.train(*new_model(), data / "train.jsonl", data / "validation.jsonl", data / "one", alone)
    assert result.best_step > 0, "not just what it started with"
    found = load_file(data / "two" / "model.safetensors")
    for name, weights in load_file(data / "one" / "model.safetensors").items():
        torch.testing.assert_close(found[name], weights, rtol=1e-5, atol=1e-5)
    losses = [[entry["loss"] for entry in one if "loss" in entry] for one in (result.history, both[0]["history"])]
    assert losses[0] == pytest.approx(losses[1], rel=1e-4)
    assert registry.load(data / "two")[0].config.retriever_weight == 0


@pytest.mark.parametrize("name", ["gsamn", "tree_aggregation"])
def test_two_learn_over_an_encoder_what_one_learns(data: Path, trained: None, name: str) -> None:
    alone = replace(OVER_ENCODER, gradient_accumulation=2)
    files = data / "train.jsonl", data / "validation.jsonl"
    result = shared.train(*new_model(name), *files, data / f"one-{name}", alone)
    assert result.best_step > 0, "not just what it started with"
    found = load_file(data / f"two-{name}" / "model.safetensors")
    for weight, values in load_file(data / f"one-{name}" / "model.safetensors").items():
        torch.testing.assert_close(found[weight], values, rtol=1e-4, atol=1e-4)


def test_killed_and_resumed_to_the_same_weights(data: Path, trained: None) -> None:
    assert 1 < torch.load(data / "killed-0.pt", weights_only=False)["shown"][0] <= 25, "it did not begin anew"
    assert_trained_alike(data / "killed", data / "two")
