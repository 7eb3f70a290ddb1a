# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
BERT's and ELECTRA's forward pass, and nothing around it.

For one question of a small encoder, what transformers does around the products (masks, hooks, outputs) takes as long as
the products themselves. Other encoders are run by transformers.
"""

from typing import Any, Final

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn
from transformers import PreTrainedConfig

_TYPES: Final = ("bert", "electra")


def is_bert(config: PreTrainedConfig) -> bool:
    """
    Say whether an encoder is one that :class:`Bert` runs.

    :param config: The encoder's configuration.
    :returns: Whether it is.
    """
    if config.model_type not in _TYPES or config.is_decoder:
        return False
    return config.hidden_act == "gelu" and getattr(config, "position_embedding_type", "absolute") == "absolute"


class Bert(nn.Module):
    """
    The network of Devlin et al. 2019, over the weights of transformers' `BertModel` or `ElectraModel`.

    :param model: The model; its parts become this network's.
    """

    def __init__(self, model: Any) -> None:
        super().__init__()
        embeddings = model.embeddings
        self.words = embeddings.word_embeddings
        # The type of the only text's tokens is 0.
        places = embeddings.position_embeddings.weight + embeddings.token_type_embeddings.weight[0]
        self.places = nn.Parameter(places.detach(), requires_grad=False)
        self.norm = embeddings.LayerNorm
        # ELECTRA's words may be narrower than its layers.
        self.project = getattr(model, "embeddings_project", nn.Identity())
        self.layers = nn.ModuleList(BertLayer(layer, model.config.num_attention_heads) for layer in model.encoder.layer)

    def forward(self, ids: Tensor, real: Tensor | None) -> Tensor:
        """
        Encode tokens.

        :param ids: Tokens [n, L].
        :param real: False for padding [n, L]; None if there is none.
        :returns: The last states [n, L, d].
        """
        seen = None if real is None else real[:, None, None]
        states: Tensor = self.project(self.norm(self.words(ids) + self.places[: ids.shape[1]]))
        for layer in self.layers:
            states = layer(states, seen)
        return states


class BertLayer(nn.Module):
    """
    A layer: attention of all tokens to all, and two products with GELU between them; each is added and normalised.

    :param layer: The layer of transformers.
    :param heads: How many heads attend.
    """

    def __init__(self, layer: Any, heads: int) -> None:
        super().__init__()
        attention, output = layer.attention.self, layer.attention.output
        self.heads = heads
        self.query_key_value = _joined(attention.query, attention.key, attention.value)
        self.attended, self.attended_norm = _joined(output.dense), output.LayerNorm
        self.inner = _joined(layer.intermediate.dense)
        self.outer, self.outer_norm = _joined(layer.output.dense), layer.output.LayerNorm

    def forward(self, states: Tensor, seen: Tensor | None) -> Tensor:
        """
        Run the layer.

        :param states: The tokens' states [n, L, d].
        :param seen: False for tokens that nobody attends to [n, 1, 1, L].
        :returns: The next states [n, L, d].
        """
        # [n, L, 3d] -> three of [n, heads, L, d / heads]
        query, key, value = self.query_key_value(states).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        attended = F.scaled_dot_product_attention(query, key, value, attn_mask=seen).transpose(1, 2).flatten(2)
        states = self.attended_norm(states + self.attended(attended))
        states = self.outer_norm(states + self.outer(F.gelu(self.inner(states))))
        return states


def _joined(*layers: nn.Linear) -> nn.Linear:
    """
    One linear layer for several of the same input: one product takes less time than three.

    Its weights lie in memory column by column; for as few rows as a question has, that takes a seventh less again.
    """
    weight = torch.cat([layer.weight for layer in layers]).detach()
    bias = torch.cat([layer.bias for layer in layers]).detach()
    joined = nn.Linear(weight.shape[1], weight.shape[0], device="meta")
    joined.weight = nn.Parameter(weight.t().contiguous().t(), requires_grad=False)
    joined.bias = nn.Parameter(bias, requires_grad=False)
    return joined
