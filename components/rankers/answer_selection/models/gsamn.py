# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
GSAMN, the gated self-attention memory network.

Lai, Tran, Bui and Kihara 2019, "A Gated Self-attention Memory Network for Answer Selection" (EMNLP). The encoder's
output is a memory, see :mod:`gated_memory`; the logit is w·c + b of its controller c after the last hop.
"""

from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn import init

from haystack_integrations.components.rankers.answer_selection.models.checks import Count
from haystack_integrations.components.rankers.answer_selection.models.explanation import PAIR, Explanation, WordWeights
from haystack_integrations.components.rankers.answer_selection.models.gated_memory import GatedMemory
from haystack_integrations.components.rankers.answer_selection.models.pair_model import (
    PairModel,
    PairModelConfig,
    SinglePrecision,
)


class GSAMNConfig(PairModelConfig):  # type: ignore[no-untyped-call]
    """
    GSAMN's configuration.

    :param hops: how often memory and controller are updated.
    :param gate: whether what is attended to becomes a gate; False is plain self-attention, where it takes the place
        of what was gated: x_i ← Σ_j a_i^j x_j + a_i^c c, and the controller's likewise.
    :param update_memory: whether the memory changes; False updates the controller alone.
    """

    model_type = "gsamn"

    hops: Count = 2
    gate: bool = True
    update_memory: bool = True


class GSAMNModel(PairModel):  # type: ignore[no-untyped-call]
    """The encoder, the gated memory, and a linear layer."""

    config_class = GSAMNConfig

    def __init__(self, config: GSAMNConfig) -> None:
        """
        Create the network, with random weights.

        :param config: the configuration.
        """
        super().__init__(config)
        size = config.encoder.hidden_size
        self.memory = GatedMemory(size, hops=config.hops, gate=config.gate, update_memory=config.update_memory)
        self.classifier = SinglePrecision(nn.Linear(size, 1))
        self.post_init()  # type: ignore[no-untyped-call]

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
