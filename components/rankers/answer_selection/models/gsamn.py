# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
GSAMN, the gated self-attention memory network.

Lai, Tran, Bui and Kihara 2019, "A Gated Self-attention Memory Network for Answer Selection" (EMNLP). The encoder's
output is a memory, see :mod:`gated_memory`; the logit is w·c + b of its controller c after the last hop.

Transfer learning is the paper's second part: the network learns from much data before it does from little. Here it can
also begin as a sentence encoder, which the paper does not have. Then both texts are framed, and their positions
counted, as if each were alone; the logit is ``s cos(mean of the question's states, mean of the answer's) + w·c + b``;
and w begins as 0. An untrained network ranks much as the encoder does, and learns what reading both at once adds.
"""

from collections.abc import Mapping
from typing import Any, Final

import torch
from torch import Tensor, nn
from torch.nn import functional, init

from haystack_integrations.components.rankers.answer_selection.models.checks import Count
from haystack_integrations.components.rankers.answer_selection.models.explanation import PAIR, Explanation, WordWeights
from haystack_integrations.components.rankers.answer_selection.models.gated_memory import GatedMemory
from haystack_integrations.components.rankers.answer_selection.models.pair_model import (
    PairModel,
    PairModelConfig,
    SinglePrecision,
)
from haystack_integrations.components.rankers.answer_selection.models.scoring_encoder import ScoringEncoder

COSINE_SCALE: Final = 10.0
"""What the cosine of both texts is multiplied by before anything is learned."""


class GSAMNConfig(PairModelConfig):  # type: ignore[no-untyped-call]
    """
    GSAMN's configuration.

    :param hops: how often memory and controller are updated.
    :param gate: whether what is attended to becomes a gate; False is plain self-attention, where it takes the place
        of what was gated: x_i ← Σ_j a_i^j x_j + a_i^c c, and the controller's likewise.
    :param update_memory: whether the memory changes; False updates the controller alone.
    :param from_sentence_encoder: whether the encoder is a sentence encoder, of the type "bert", that the network begins
        as.
    """

    model_type = "gsamn"

    hops: Count = 2
    gate: bool = True
    update_memory: bool = True
    from_sentence_encoder: bool = False

    def __post_init__(self, **kwargs: Any) -> None:
        super().__post_init__(**kwargs)
        if self.from_sentence_encoder and self.encoder.model_type != "bert":
            msg = f"from_sentence_encoder needs an encoder of the type 'bert', but it is '{self.encoder.model_type}'"
            raise ValueError(msg)


class GSAMNModel(PairModel):
    """The encoder, the gated memory, and a linear layer."""

    config_class = GSAMNConfig

    def __init__(self, config: GSAMNConfig, encoder: ScoringEncoder | None = None) -> None:
        """
        Create the network, with random weights.

        :param config: the configuration.
        :param encoder: see :class:`PairModel`.
        """
        super().__init__(config, encoder)
        size = config.encoder.hidden_size
        self.memory = GatedMemory(size, hops=config.hops, gate=config.gate, update_memory=config.update_memory)
        self.classifier = SinglePrecision(nn.Linear(size, 1))
        self.cosine_scale = nn.Parameter(torch.tensor(COSINE_SCALE)) if config.from_sentence_encoder else None
        self.post_init()
        if config.from_sentence_encoder:
            init.zeros_(self.head.last.weight)

    def _init_weights(self, module: nn.Module) -> None:
        """See :meth:`AnswerSelectionModel._init_weights`; the controller begins as a random vector."""
        super()._init_weights(module)
        if isinstance(module, GatedMemory):
            init.normal_(module.controller, std=len(module.controller) ** -0.5)

    def summarise(self, states: Tensor, real: Tensor) -> Tensor:
        """
        Read the encoder's output as a memory.

        :param states: the encoder's last states [n_pairs, L, d].
        :param real: False for padding [n_pairs, L].
        :returns: the controllers [n_pairs, d].
        """
        controller: Tensor = self.memory(states, real)
        return controller

    def logits(self, **sequences: Tensor) -> Tensor:
        """See :meth:`PairModel.logits`; from a sentence encoder, with the cosine of both texts."""
        if self.cosine_scale is None:
            return super().logits(**sequences)
        states, real = self.states(**sequences), sequences["attention_mask"].bool()
        of_answer = sequences["token_type_ids"].bool()
        logits: Tensor = self.head(self.summarise(states, real))
        # As exact as the head, in training too.
        with torch.autocast(states.device.type, enabled=False):
            exact = states.to(logits.dtype)
            question, answer = (_mean(exact, of_text & real) for of_text in (~of_answer, of_answer))
            cosine = functional.cosine_similarity(question, answer).unsqueeze(1)
            return logits + self.cosine_scale.to(logits.dtype) * cosine

    @torch.no_grad()
    def scale_logits(self, scale: float, shift: float) -> None:
        """See :meth:`AnswerSelectionModel.scale_logits`."""
        super().scale_logits(scale, shift)
        if self.cosine_scale is not None:
            self.cosine_scale.mul_(scale)

    def _prepared(self, encoder: Any) -> Any:
        """See :meth:`PairModel._prepared`; a sentence encoder has read one type, which becomes two that are equal."""
        encoder = super()._prepared(encoder)
        if self.config.from_sentence_encoder:
            only = encoder.embeddings.token_type_embeddings.weight.detach()[:1]
            encoder.embeddings.token_type_embeddings = nn.Embedding(2, only.shape[1], _weight=only.repeat(2, 1))
        return encoder

    @classmethod
    def _encoder_fields(cls, config: PairModelConfig) -> dict[str, Any]:
        """See :meth:`PairModel._encoder_fields`."""
        fields = super()._encoder_fields(config)
        return {**fields, "type_vocab_size": 2} if getattr(config, "from_sentence_encoder", False) else fields

    @torch.no_grad()
    def explain(self, batch: Mapping[str, Tensor]) -> Explanation:
        """See :meth:`AnswerSelectionModel.explain`; the controller's attention."""
        states = self.states(**{name: tensor for name, tensor in batch.items() if name != "list_sizes"})
        attention = self.memory.attention(states, batch["attention_mask"].bool())
        about = "The token's share of what the controller attends to in this hop."
        weights = [
            WordWeights(
                f"controller's attention, hop {hop}", about, True, PAIR, shares[:, :-1], {"controller": shares[:, -1]}
            )
            for hop, shares in enumerate(attention, start=1)
        ]
        return Explanation(weights)


def _mean(states: Tensor, chosen: Tensor) -> Tensor:
    """The mean of each sequence's chosen states [n_pairs, d]."""
    share = chosen.to(states.dtype) / chosen.sum(dim=1, keepdim=True)
    return (share.unsqueeze(1) @ states).squeeze(1)
