# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
BERT's and ELECTRA's forward pass, and nothing around it.

For one question of a small encoder, what transformers does around the products (masks, hooks, outputs) takes as long as
the products themselves, and importing its models takes longer than all else that `ask` does. Other encoders, and those
that are trained, are run by transformers.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, Self

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

_TYPES: Final = ("bert", "electra")
# Fields without which transformers' defaults would have to be known here.
_SIZES: Final = (
    *("vocab_size", "hidden_size", "intermediate_size", "max_position_embeddings", "type_vocab_size"),
    *("num_hidden_layers", "num_attention_heads"),
)
# What older folders and those of models with a head put before each name.
_PREFIXES: Final = ("", "bert.", "electra.")


class Bert(nn.Module):
    """
    The network of Devlin et al. 2019, over the weights of transformers' `BertModel` or `ElectraModel`.

    :param config: What its config.json says; see :meth:`read`, which checks it.
    :param weights: Its weights in single precision, by transformers' names.
    """

    def __init__(self, config: Mapping[str, Any], weights: Mapping[str, Tensor]) -> None:
        super().__init__()
        epsilon = float(config["layer_norm_eps"])
        self.width: int = config["hidden_size"]
        self.vocabulary: int = config["vocab_size"]
        self.positions: int = config["max_position_embeddings"]
        self.padding = int(config.get("pad_token_id") or 0)
        words = weights["embeddings.word_embeddings.weight"]
        self.words = nn.Embedding(len(words), words.shape[1], _weight=words).requires_grad_(False)
        # The type of the only text's tokens is 0; for others, what they differ by from it.
        types = weights["embeddings.token_type_embeddings.weight"]
        self.places = nn.Parameter(weights["embeddings.position_embeddings.weight"] + types[0], requires_grad=False)
        self.types = nn.Parameter(types - types[0], requires_grad=False)
        self.norm = _norm(weights, "embeddings.LayerNorm", epsilon)
        # ELECTRA's words may be narrower than its layers.
        narrow = "embeddings_project.weight" in weights
        self.project = _linear(weights, "embeddings_project") if narrow else nn.Identity()
        self.layers = nn.ModuleList(
            BertLayer(weights, f"encoder.layer.{number}", config["num_attention_heads"], epsilon)
            for number in range(config["num_hidden_layers"])
        )

    @classmethod
    def read(cls, config: Mapping[str, Any], weights: Mapping[str, Tensor]) -> Self | None:
        """
        Make the network, if configuration and weights belong together.

        :param config: What its config.json says, one for which :func:`is_bert` holds.
        :param weights: Its weights, by transformers' names.
        :returns: The network; None if they do not belong together.
        """
        prefix = next((each for each in _PREFIXES if f"{each}embeddings.word_embeddings.weight" in weights), "")
        named = {name.removeprefix(prefix): tensor for name, tensor in weights.items() if name.startswith(prefix)}
        if any(name not in named or named[name].shape != shape for name, shape in shapes(config)):
            return None
        return cls(config, named)

    def forward(
        self, ids: Tensor, real: Tensor | None, types: Tensor | None = None, places: Tensor | None = None
    ) -> Tensor:
        """
        Encode tokens.

        :param ids: Tokens [n, L].
        :param real: False for padding [n, L]; None if there is none.
        :param types: The tokens' types [n, L]; None if all are 0.
        :param places: The tokens' positions [n, L]; None if they are 0, 1, 2 and so on.
        :returns: The last states [n, L, d].
        """
        seen = None if real is None else real[:, None, None]
        embedded = self.words(ids) + (self.places[: ids.shape[1]] if places is None else self.places[places])
        if types is not None:
            embedded = embedded + self.types[types]
        states: Tensor = self.project(self.norm(embedded))
        for layer in self.layers:
            states = layer(states, seen)
        return states


class BertLayer(nn.Module):
    """
    A layer: attention of all tokens to all, and two products with GELU between them; each is added and normalised.

    :param weights: The network's weights.
    :param name: What the names of this layer's begin with.
    :param heads: How many heads attend.
    :param epsilon: What is added to a variance.
    """

    def __init__(self, weights: Mapping[str, Tensor], name: str, heads: int, epsilon: float) -> None:
        super().__init__()
        self.heads = heads
        attention = f"{name}.attention"
        self.query_key_value = _linear(weights, *(f"{attention}.self.{part}" for part in ("query", "key", "value")))
        self.attended = _linear(weights, f"{attention}.output.dense")
        self.attended_norm = _norm(weights, f"{attention}.output.LayerNorm", epsilon)
        self.inner = _linear(weights, f"{name}.intermediate.dense")
        self.outer = _linear(weights, f"{name}.output.dense")
        self.outer_norm = _norm(weights, f"{name}.output.LayerNorm", epsilon)

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


def is_bert(config: Mapping[str, Any]) -> bool:
    """
    Say whether an encoder is one that :class:`Bert` runs.

    :param config: What its config.json says.
    :returns: Whether it is.
    """
    if config.get("model_type") not in _TYPES or config.get("is_decoder") or config.get("hidden_act") != "gelu":
        return False
    if config.get("position_embedding_type", "absolute") != "absolute" or "layer_norm_eps" not in config:
        return False
    sizes = [config.get(name) for name in _SIZES]
    return all(isinstance(size, int) and size > 0 for size in sizes)


def shapes(config: Mapping[str, Any]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """
    Say what weights an encoder has, but for the pooling layer that it may have.

    :param config: What its config.json says, one for which :func:`is_bert` holds.
    :returns: Each tensor's name, as transformers has it, and its shape, a layer after the other.
    """
    words, places, width = config["vocab_size"], config["max_position_embeddings"], config["hidden_size"]
    inner = config["intermediate_size"]
    narrow = config.get("embedding_size", width) if config["model_type"] == "electra" else width
    yield "embeddings.word_embeddings.weight", (words, narrow)
    yield "embeddings.position_embeddings.weight", (places, narrow)
    yield "embeddings.token_type_embeddings.weight", (config["type_vocab_size"], narrow)
    yield from _pair("embeddings.LayerNorm", narrow)
    if narrow != width:
        yield from _pair("embeddings_project", width, narrow)
    for number in range(config["num_hidden_layers"]):
        layer = f"encoder.layer.{number}"
        for name in ("self.query", "self.key", "self.value", "output.dense"):
            yield from _pair(f"{layer}.attention.{name}", width, width)
        yield from _pair(f"{layer}.attention.output.LayerNorm", width)
        yield from _pair(f"{layer}.intermediate.dense", inner, width)
        yield from _pair(f"{layer}.output.dense", width, inner)
        yield from _pair(f"{layer}.output.LayerNorm", width)


def _pair(name: str, *shape: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    yield f"{name}.weight", shape
    yield f"{name}.bias", shape[:1]


def _norm(weights: Mapping[str, Tensor], name: str, epsilon: float) -> nn.LayerNorm:
    norm = nn.LayerNorm(len(weights[f"{name}.weight"]), eps=epsilon, device="meta")
    norm.weight = nn.Parameter(weights[f"{name}.weight"], requires_grad=False)
    norm.bias = nn.Parameter(weights[f"{name}.bias"], requires_grad=False)
    return norm


def _linear(weights: Mapping[str, Tensor], *names: str) -> nn.Linear:
    """
    One linear layer for several of the same input: one product takes less time than three.

    Its weights lie in memory column by column; for as few rows as a question has, that takes a seventh less again.
    """
    weight = torch.cat([weights[f"{name}.weight"] for name in names])
    joined = nn.Linear(weight.shape[1], weight.shape[0], device="meta")
    joined.weight = nn.Parameter(weight.t().contiguous().t(), requires_grad=False)
    joined.bias = nn.Parameter(torch.cat([weights[f"{name}.bias"] for name in names]), requires_grad=False)
    return joined
