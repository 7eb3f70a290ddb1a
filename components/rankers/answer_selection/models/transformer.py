# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A Transformer encoder trained from scratch: GGSA's comparison, which is GGSA without groups and gate."""

from haystack_integrations.components.rankers.answer_selection.models.ggsa import GGSAConfig, GGSAModel
from haystack_integrations.components.rankers.answer_selection.models.self_attention import Attention


class TransformerConfig(GGSAConfig):  # type: ignore[no-untyped-call]
    """The configuration of :class:`TransformerModel`."""

    model_type = "transformer"

    attention: Attention = "global"
    gate: bool = False


class TransformerModel(GGSAModel):
    """Blocks of Vaswani et al. 2017 over word vectors, max-pooled: "global self-attention" of the GGSA paper."""

    config_class = TransformerConfig
