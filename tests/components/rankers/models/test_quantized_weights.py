# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import pytest
import torch
from safetensors.torch import load_file, save_file

from haystack_integrations.components.rankers.answer_selection.models.quantized_weights import (
    quantized,
    read_weights,
    rounded,
    write_quantized,
)

WORDS, LAYER = "embeddings.word_embeddings.weight", "encoder.layer.0.output.dense.weight"
PLACES = "embeddings.position_embeddings.weight"


@pytest.fixture
def weights() -> dict[str, torch.Tensor]:
    torch.manual_seed(2)
    words = torch.randn(9, 64) * torch.logspace(-3, 3, 9)[:, None]
    words[1, :32] *= 100
    # Padding's vector.
    words[0] = 0
    return {
        WORDS: words,
        LAYER: torch.randn(5, 7) * torch.logspace(-3, 3, 5)[:, None],
        PLACES: torch.randn(4, 6),
        "encoder.layer.0.output.dense.bias": torch.randn(5),
    }


def test_a_number_is_off_by_half_a_step_at_most(weights, tmp_path) -> None:
    save_file(weights, tmp_path / "model.safetensors")
    write_quantized(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["model_quantized.safetensors"]
    found = read_weights(tmp_path / "model_quantized.safetensors")
    assert found.keys() == weights.keys()
    # What is as far from 0 as the farthest number, on the other side, is a whole step off.
    for name, size, step in ((WORDS, 32, 1 / 8), (LAYER, 7, 1 / 128)):
        groups, off = (x.unflatten(1, (-1, size)) for x in (weights[name], (found[name] - weights[name]).abs()))
        most = groups.abs().amax(2, keepdim=True)
        # Scales are in half precision.
        half = off <= (0.5 * step + 2e-3) * most + 1e-6
        assert (half | (groups.abs() > (1 - 0.5 * step - 2e-3) * most)).all()
        assert (off <= (step + 2e-3) * most + 1e-6).all()
    for name in (PLACES, "encoder.layer.0.output.dense.bias"):
        assert torch.equal(found[name], weights[name].half().float())
    assert {tensor.dtype for tensor in found.values()} == {torch.float32}


def test_rows_of_thirty_two_take_four_bits_a_number_and_others_eight(weights) -> None:
    held = quantized(weights)
    assert (held[WORDS].dtype, held[WORDS].shape) == (torch.uint8, (9, 32))
    assert held[f"{WORDS}.scales"].shape == (9, 2)
    assert (held[LAYER].dtype, held[LAYER].shape) == (torch.int8, (5, 7))
    assert held[f"{LAYER}.scales"].shape == (5, 1)


def test_what_is_rounded_in_training_is_what_is_saved(weights, tmp_path) -> None:
    save_file(quantized(weights), tmp_path / "once.safetensors")
    found = read_weights(tmp_path / "once.safetensors")
    for name in (WORDS, LAYER):
        assert torch.equal(rounded(weights[name]), found[name])


def test_a_scale_for_each_row_is_read_as_earlier_versions_wrote_it(weights, tmp_path) -> None:
    held = {LAYER: torch.tensor([[1, -2], [3, 4]], dtype=torch.int8), f"{LAYER}.scales": torch.tensor([0.5, 2]).half()}
    held |= {WORDS: torch.tensor([[8 + 3 | 1 << 4]], dtype=torch.uint8), f"{WORDS}.scales": torch.tensor([2]).half()}
    save_file(held, tmp_path / "earlier.safetensors")
    found = read_weights(tmp_path / "earlier.safetensors")
    assert found[LAYER].tolist() == [[0.5, -1.0], [6.0, 8.0]]
    assert found[WORDS].tolist() == [[6.0, -14.0]]


def test_what_was_rounded_once_stays(weights, tmp_path) -> None:
    save_file(quantized(weights), tmp_path / "once.safetensors")
    once = read_weights(tmp_path / "once.safetensors")
    save_file(quantized(once), tmp_path / "twice.safetensors")
    twice = read_weights(tmp_path / "twice.safetensors")
    for name, values in once.items():
        torch.testing.assert_close(twice[name], values, atol=0, rtol=2e-3)


def test_weights_in_full_are_read_too(weights, tmp_path) -> None:
    save_file({name: values.half() for name, values in weights.items()}, tmp_path / "model.safetensors")
    for name, values in read_weights(tmp_path / "model.safetensors").items():
        assert torch.equal(values, weights[name].half().float())


@pytest.mark.parametrize("wrong", [None, torch.ones(3, dtype=torch.half)])
def test_without_its_scales_it_is_refused(weights, tmp_path, wrong) -> None:
    held = quantized(weights)
    del held[f"{LAYER}.scales"]
    if wrong is not None:
        held[f"{LAYER}.scales"] = wrong
    save_file(held, tmp_path / "model_quantized.safetensors")
    assert load_file(tmp_path / "model_quantized.safetensors").keys() == held.keys()
    with pytest.raises(ValueError, match=f"the scales of {LAYER} are missing, or belong to another matrix"):
        read_weights(tmp_path / "model_quantized.safetensors")
