# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import random
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from transformers import AutoModel, AutoModelForMaskedLM, AutoTokenizer, PreTrainedTokenizerFast

from computed_twice import assert_same_scores, assert_trained_alike
from haystack_integrations.components.rankers.answer_selection.models.wordpiece import train_wordpiece
from haystack_integrations.components.rankers.answer_selection.training.pretrainer import (
    ENCODER_FILES,
    MaskedBatches,
    masked_loss,
    new_encoder,
    pretrain,
)
from haystack_integrations.components.rankers.answer_selection.training.pretraining_settings import PretrainingSettings
from haystack_integrations.components.rankers.answer_selection.training.token_blocks import TokenBlocks, write_tokens
from new_process import python

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_thread")]

THINGS = {"car": "drive", "boat": "sail", "plane": "fly", "bike": "pedal", "horse": "ride", "shoe": "walk"}
ADVERBS = ("today", "often", "here", "now", "always", "there")
TINY = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 64,
    "initializer_range": 0.1,
}
ENCODERS = {
    "bert": {**TINY, "hidden_dropout_prob": 0.05},
    "roberta": {**TINY, "type_vocab_size": 1},
    "electra": {**TINY, "embedding_size": 12},
    "deberta-v2": TINY,
    "mpnet": TINY,
    "modernbert": TINY,
    "distilbert": {"dim": 32, "n_layers": 2, "n_heads": 2, "hidden_dim": 64},
}


def texts() -> Iterator[str]:
    """The first word decides the last but one, so that whoever has learned it can fill it in."""
    random_ = random.Random(5)
    for _ in range(500):
        thing = random_.choice(sorted(THINGS))
        yield f"With a {thing} you can {THINGS[thing]} {random_.choice(ADVERBS)}."


def tiny(model_type: str = "bert", **changed: Any) -> PretrainingSettings:
    encoder = {"model_type": model_type, **ENCODERS[model_type]}
    settings = {"vocab_size": 120, "max_length": 24, "epochs": 18, "batch_size": 8, "learning_rate": 0.005}
    more = {"mask_probability": 0.25, "evaluations": 4, "log_every": 10, "use_cpu": True}
    return PretrainingSettings.from_dict({"encoder": encoder, **settings, **more, **changed})


@pytest.fixture(scope="module")
def pretrained(tmp_path_factory) -> Any:
    return pretrain(texts, tmp_path_factory.mktemp("pretrained") / "encoder", tiny())


def test_learns_the_text(pretrained) -> None:
    measured = [entry["eval_loss"] for entry in pretrained.history if "eval_loss" in entry]
    learned = [entry["loss"] for entry in pretrained.history if "loss" in entry]
    assert len(measured) == 4
    # By chance it is the logarithm of the vocabulary's size, 4.7; of one who knows how frequent each word is, 2.7.
    assert learned[0] > 2.9
    assert learned[-1] < 1.5
    assert measured[-1] == pretrained.loss < 1.5
    assert pretrained.perplexity == pytest.approx(np.exp(pretrained.loss))
    assert f"a perplexity of {pretrained.perplexity:.1f}" in pretrained.verdict()
    epochs = [entry["epoch"] for entry in pretrained.history]
    assert epochs == sorted(epochs)
    assert epochs[-1] == pytest.approx(18, rel=0.01)
    assert pretrained.held_out == pretrained.blocks * 2 // 98


def test_the_folder_is_one_that_transformers_reads(pretrained) -> None:
    folder = pretrained.folder
    assert sorted(path.name for path in folder.iterdir()) == sorted([*ENCODER_FILES, "logs"])
    tokenizer = AutoTokenizer.from_pretrained(folder)
    pair = tokenizer("a car", "you can drive", return_tensors="pt")
    assert pair["token_type_ids"].tolist() == [[0] * 4 + [1] * 4]
    expected = train_wordpiece(texts(), 120)
    assert pair["input_ids"][0].tolist() == expected.encode("a car", "you can drive").ids
    assert (tokenizer.pad_token_id, tokenizer.model_max_length) == (0, 24)
    encoder, whole = AutoModel.from_pretrained(folder).eval(), AutoModelForMaskedLM.from_pretrained(folder).eval()
    assert encoder.config.vocab_size == len(tokenizer) == pretrained.vocab_size
    assert (encoder.config.pad_token_id, encoder.config.max_position_embeddings) == (0, 24)
    with torch.inference_mode():
        states = encoder(**pair).last_hidden_state
        assert_same_scores(states, whole(**pair, output_hidden_states=True).hidden_states[-1])
        text = tokenizer("With a car [MASK] can drive now.", return_tensors="pt")
        found = whole(**text).logits[0, text["input_ids"][0] == tokenizer.mask_token_id].argmax()
    assert tokenizer.decode(found) == "you"


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
shared.pretrain(shared.texts, Path(sys.argv[2]), shared.tiny(), progress=progress)
"""


def assert_same_run(result: Any, expected: Any) -> None:
    assert result.steps == expected.steps
    assert result.loss == pytest.approx(expected.loss, rel=1e-3)
    assert_trained_alike(result.folder, expected.folder)
    for name in set(ENCODER_FILES) - {"model.safetensors"}:
        assert (result.folder / name).read_bytes() == (expected.folder / name).read_bytes()


def test_killed_and_resumed_to_the_same_weights(pretrained, tmp_path: Path) -> None:
    """Order, masks, dropout, learning rate: all go on as they were."""
    killed_at = pretrained.steps * 5 // 8
    process = python(SCRIPT, __file__, tmp_path / "killed", killed_at)
    assert process.returncode == -signal.SIGKILL, process.stderr
    with pytest.raises(FileExistsError, match=r"unfinished run with other settings: batch_size 8 \(now 4\)"):
        pretrain(texts, tmp_path / "killed", tiny(batch_size=4))
    with pytest.raises(FileExistsError, match=r"unfinished run with other settings: texts \w+ \(now \w+\)"):
        pretrain(lambda: [*texts(), "more"], tmp_path / "killed", tiny())
    steps = []
    result = pretrain(texts, tmp_path / "killed", tiny(), progress=lambda step, *_: steps.append(step))
    assert pretrained.steps // 2 < steps[0] <= killed_at, "it did not begin anew"
    assert_same_run(result, pretrained)


def test_killed_while_it_saves_the_encoder(tmp_path: Path, monkeypatch) -> None:
    settings = tiny(epochs=1)
    expected = pretrain(texts, tmp_path / "whole", settings)

    def fail(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        # Its tokenizer comes first.
        patch.setattr(PreTrainedTokenizerFast, "save_pretrained", fail)
        with pytest.raises(KeyboardInterrupt):
            pretrain(texts, tmp_path / "killed", settings)
    steps = []
    result = pretrain(texts, tmp_path / "killed", settings, progress=lambda step, *_: steps.append(step))
    assert steps == []
    assert_same_run(result, expected)


def test_another_seed_gives_other_weights_and_an_encoder_is_replaced_on_demand_alone(
    pretrained, tmp_path: Path
) -> None:
    kept = []
    for settings in (tiny(epochs=1), tiny(epochs=1, seed=1), tiny(epochs=1)):
        folder = pretrain(texts, tmp_path / "encoder", settings, overwrite=True).folder
        kept.append(Path(shutil.copytree(folder, tmp_path / f"kept-{len(kept)}")))
        with pytest.raises(FileExistsError, match="already holds a model; overwrite=True replaces it"):
            pretrain(texts, folder, settings)
    assert_trained_alike(kept[0], kept[2])
    for other in (kept[1], pretrained.folder):
        with pytest.raises(AssertionError, match="not close"):
            assert_trained_alike(kept[0], other)


def test_too_little_text_to_measure_by_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no token of the 1 blocks that are held out was masked: there is too little"):
        pretrain(lambda: ["a car", "a boat"] * 12, tmp_path / "encoder", tiny(mask_probability=0.0001, epochs=1))


class TestMasks:
    @pytest.fixture
    def batches(self, tmp_path: Path) -> MaskedBatches:
        settings = tiny(mask_probability=0.3, batch_size=16)
        tokenizer = train_wordpiece(texts(), 120)
        write_tokens(texts(), tokenizer, tmp_path / "tokens.bin")
        blocks = TokenBlocks(tmp_path / "tokens.bin", tokenizer, settings.max_length)
        names = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep", "mask")}
        whole = PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names)
        return MaskedBatches(blocks, np.arange(40), whole, settings, 2)

    def test_blocks_have_all_tokens(self, batches: MaskedBatches) -> None:
        blocks = batches.blocks.read(np.arange(len(batches.blocks)))
        assert blocks.shape[1] == 24
        assert set(blocks[:, 0]) == {2}
        assert set(blocks[:, -1]) == {3}
        expected = [id_ for text in texts() for id_ in (*batches.tokenizer.encode(text, add_special_tokens=False), 3)]
        found = blocks[:, 1:-1].flatten().tolist()
        assert found == expected[: len(found)]
        assert 0 <= len(expected) - len(found) < 22

    def test_types_change_after_each_separator_whatever_stands_in_its_place(self, batches: MaskedBatches) -> None:
        ids = batches.blocks.read(np.arange(40))
        expected = np.cumsum(ids == 3, axis=1) - (ids == 3)
        for step in range(20):
            batch = batches.masked(ids.copy(), 0, step)
            assert (batch["token_type_ids"].numpy() == expected % 2).all()

    def test_every_block_comes_once_an_epoch_and_its_masks_are_the_steps(self, batches: MaskedBatches) -> None:
        originals = {tuple(row): number for number, row in enumerate(batches.blocks.read(np.arange(40)))}
        assert len(batches) == 18 * 40 / 16
        seen, share = [], []
        for step in range(5):
            batch = batches[step]
            labels, inputs = batch["labels"], batch["input_ids"]
            masked = labels != -100
            whole = torch.where(masked, labels, inputs)
            assert torch.isin(inputs[~masked], torch.tensor([4])).sum() == 0
            assert not torch.isin(labels, torch.tensor([0, 1, 2, 3, 4])).any(), "special tokens are never to be found"
            assert (inputs[masked] == 4).float().mean() > 0.6
            seen += [originals[tuple(row.tolist())] for row in whole]
            share.append((masked.sum() / (whole > 4).sum()).item())
            again = batches[step]
            assert all(torch.equal(batch[name], again[name]) for name in batch)
        assert sorted(seen) == sorted([*range(40)] * 2)
        assert np.mean(share) == pytest.approx(0.3, abs=0.03)

    def test_texts_of_a_block_have_two_types_in_turn(self, batches: MaskedBatches) -> None:
        batch = batches[0]
        for ids, types in zip(batch["input_ids"].tolist(), batch["token_type_ids"].tolist(), strict=True):
            ends = [place for place, id_ in enumerate(ids) if id_ == 3]
            assert types[: ends[0] + 1] == [0] * (ends[0] + 1)
            assert types[ends[0] + 1 : ends[1] + 1] == [1] * (ends[1] - ends[0])

    @pytest.mark.parametrize("model_type", sorted(ENCODERS))
    def test_masked_tokens_alone_count(self, model_type: str, batches: MaskedBatches) -> None:
        """What the head does not see has no part in the loss that transformers computes over all."""
        torch.manual_seed(3)
        config = new_encoder(tiny(model_type), train_wordpiece(texts(), 120))
        model = AutoModelForMaskedLM.from_config(config).eval()
        batch = batches[0]
        if getattr(config, "type_vocab_size", 1) < 2:
            del batch["token_type_ids"]
        loss, count = masked_loss(model, batch)
        assert count == (batch["labels"] != -100).sum()
        whole = model(**batch)
        assert (loss / count).item() == pytest.approx(whole.loss.item(), rel=1e-5)
        assert whole.logits.shape[:2] == batch["input_ids"].shape, "nothing of it is left on the model"

    def test_no_masked_token_is_no_loss(self, batches: MaskedBatches) -> None:
        config = new_encoder(tiny(), train_wordpiece(texts(), 120))
        batch = batches[0]
        batch["labels"].fill_(-100)
        loss, count = masked_loss(AutoModelForMaskedLM.from_config(config), batch)
        assert (loss.item(), count) == (0, 0)
        loss.backward()


@pytest.mark.parametrize(("model_type", "precision"), [("roberta", "bfloat16"), ("modernbert", "float32")])
def test_other_encoders(model_type: str, precision: str, tmp_path: Path) -> None:
    settings = tiny(model_type, epochs=2, precision=precision)
    result = pretrain(texts, tmp_path / "encoder", settings)
    tokenizer = AutoTokenizer.from_pretrained(result.folder)
    model = AutoModel.from_pretrained(result.folder).eval()
    assert {x.dtype for x in model.state_dict().values() if x.is_floating_point()} == {torch.float32}
    # A sequence as long as a block, padding beside it: positions, types and the padding's id are right.
    batch = tokenizer(["a car " * 30, "a boat"], padding=True, truncation=True, return_tensors="pt")
    assert batch["input_ids"].shape == (2, 24)
    assert "token_type_ids" not in batch
    alone = tokenizer("a boat", return_tensors="pt")
    with torch.inference_mode():
        together = model(**batch).last_hidden_state[1, : alone["input_ids"].shape[1]]
        assert torch.allclose(together, model(**alone).last_hidden_state[0], atol=1e-5)


def test_too_little_text(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="the texts have no word"):
        pretrain(lambda: ["", " "], tmp_path / "none", tiny())
    with pytest.raises(ValueError, match=r"the texts have 11 tokens; expected at least 44, two blocks of 24"):
        pretrain(lambda: ["a car, a boat"], tmp_path / "few", tiny())


def test_what_cannot_be_trained(tmp_path: Path, monkeypatch) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("WORLD_SIZE", "2")
        with pytest.raises(ValueError, match="2 processes were started; expected one, started without torchrun"):
            pretrain(texts, tmp_path / "encoder", tiny())
    with pytest.raises(ValueError, match="'precision' is 'float16', which needs an accelerator"):
        pretrain(texts, tmp_path / "encoder", tiny(precision="float16"))
    wide = {"model_type": "bert", **TINY, "hidden_size": 25}
    with pytest.raises(ValueError, match="not a multiple of the number of attention heads"):
        pretrain(texts, tmp_path / "encoder", tiny(encoder=wide))
    short = {"model_type": "roberta", **TINY, "max_position_embeddings": 24}
    with pytest.raises(ValueError, match="'max_length' is 24; expected at most 22, the positions that the encoder has"):
        pretrain(texts, tmp_path / "encoder", tiny(encoder=short))
    assert not (tmp_path / "encoder").exists()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"encoder": {"model_type": "gpt2"}}, "'gpt2', which is not a bidirectional encoder"),
        ({"encoder": {"model_type": "bart"}}, "'bart', an encoder-decoder"),
        ({"encoder": {"model_type": "bort5"}}, "with its model_type"),
        ({"encoder": {"model_type": "bert", "hiden_size": 3}}, "no field 'hiden_size'; did you mean 'hidden_size'"),
        ({"encoder": {"model_type": "bert", "vocab_size": 3}}, "'vocab_size', which the tokenizer of the text decides"),
        ({"encoder": "bert"}, "setting 'encoder' is 'bert'; expected dict"),
        ({"epochs": 0}, "'epochs' is 0; expected more than 0"),
        ({"max_length": 4}, "'max_length' is 4; expected at least 8"),
        ({"vocab_size": 7}, "'vocab_size' is 7; expected at least 100"),
        ({"mask_probability": 1}, "'mask_probability' is 1; expected more than 0 and less than 1"),
        ({"precision": "int8"}, "'precision' is 'int8'; expected one of float32, bfloat16, float16"),
        ({"batch": 4}, "unknown training setting 'batch'; expected one of learning_rate, "),
    ],
)
def test_settings_that_are_wrong(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PretrainingSettings.from_dict(changed)
