# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The Transformer baseline against torch's own encoder layer."""

import pytest
import torch
from torch import nn

from haystack_integrations.components.rankers.answer_selection.models.self_attention import positions
from haystack_integrations.components.rankers.answer_selection.models.transformer import (
    TransformerConfig,
    TransformerModel,
)
from haystack_integrations.components.rankers.answer_selection.models.word_model import Texts


def torchs_own(blocks, size, heads):
    """The same blocks, one text at a time, without any padding."""
    layers = []
    for block in blocks:
        layer = nn.TransformerEncoderLayer(
            size, heads, 4 * size, dropout=0.0, activation="relu", batch_first=True, norm_first=False
        ).double()
        layer.load_state_dict(
            {
                "self_attn.in_proj_weight": block.qkv.weight,
                "self_attn.in_proj_bias": torch.zeros(3 * size),
                "self_attn.out_proj.weight": block.output.weight,
                "self_attn.out_proj.bias": torch.zeros(size),
                "linear1.weight": block.feed_forward[0].weight,
                "linear1.bias": block.feed_forward[0].bias,
                "linear2.weight": block.feed_forward[2].weight,
                "linear2.bias": block.feed_forward[2].bias,
                "norm1.weight": block.norm.weight,
                "norm1.bias": block.norm.bias,
                "norm2.weight": block.last_norm.weight,
                "norm2.bias": block.last_norm.bias,
            }
        )
        layers.append(layer)
    return nn.Sequential(*layers)


@pytest.mark.parametrize("blocks", [1, 2])
def test_a_side_is_torchs_encoder_max_pooled(blocks):
    torch.manual_seed(1)
    model = TransformerModel(TransformerConfig(embedding_size=12, heads=3, blocks=blocks)).double().eval()
    with torch.no_grad():
        for name, parameter in model.encoders.named_parameters():
            if name.endswith("bias") or "norm" in name:
                parameter.normal_()
    texts = Texts(torch.randn(3, 9, 12, dtype=torch.float64), torch.tensor([4, 1, 7]))
    for encode, side in ((model.encode_questions, "question"), (model.encode_answers, "answer")):
        vectors = encode(texts).values
        own = torchs_own(model.encoder(side).blocks, 12, 3)
        for row, length in enumerate(texts.lengths):
            words = texts.values[row : row + 1, :length]
            expected = own(words + positions(int(length), 12, words)).amax(1)
            torch.testing.assert_close(vectors[row : row + 1], expected, atol=1e-10, rtol=0)


def test_parameters_of_a_block():
    size = 300
    model = TransformerModel(TransformerConfig(shared_encoder=True))
    counted = sum(parameter.numel() for parameter in model.encoders.parameters())
    assert counted == 4 * size**2 + (8 * size**2 + 5 * size) + 2 * 2 * size
    assert model.answer_vector_size == size
