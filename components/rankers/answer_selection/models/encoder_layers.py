# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
An encoder with more Transformer layers on top, which start from random weights.

The comparison "BERT + Transformers" of Lai, Tran, Bui and Kihara 2019 (table 1): does GSAMN help because of what it is,
or because it is more layers? The paper has six. The logit is a linear layer's over the first token's last state.
"""

from torch import Tensor, nn

from haystack_integrations.components.rankers.answer_selection.models.checks import Count
from haystack_integrations.components.rankers.answer_selection.models.pair_model import (
    PairModel,
    PairModelConfig,
    SinglePrecision,
)
from haystack_integrations.components.rankers.answer_selection.models.scoring_encoder import ScoringEncoder


class EncoderLayersConfig(PairModelConfig):  # type: ignore[no-untyped-call]
    """
    The configuration of an encoder with more layers.

    :param extra_layers: how many layers there are above the encoder. They are post-norm ones with GELU, as BERT's,
        with the encoder's number of heads and four times its width inside.
    """

    model_type = "encoder_layers"

    extra_layers: Count = 6


class EncoderLayersModel(PairModel):
    """The encoder, more layers, and a linear layer."""

    config_class = EncoderLayersConfig

    def __init__(self, config: EncoderLayersConfig, encoder: ScoringEncoder | None = None) -> None:
        """
        Create the network, with random weights.

        :param config: the configuration.
        :param encoder: see :class:`PairModel`.
        """
        super().__init__(config, encoder)
        size = config.encoder.hidden_size
        layer = nn.TransformerEncoderLayer(
            size, config.encoder.num_attention_heads, 4 * size, dropout=0.1, activation="gelu", batch_first=True
        )
        self.layers = nn.TransformerEncoder(layer, config.extra_layers, enable_nested_tensor=False)
        self.classifier = SinglePrecision(nn.Linear(size, 1))
        self.post_init()

    def summarise(self, states: Tensor, real: Tensor) -> Tensor:
        """
        Send the encoder's output through the other layers.

        :param states: the encoder's last states [n_pairs, L, d].
        :param real: False for padding [n_pairs, L].
        :returns: the first tokens' vectors [n_pairs, d].
        """
        first: Tensor = self.layers(states, src_key_padding_mask=~real)[:, 0]
        return first
