# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A Transformer encoder trained from scratch: GGSA's comparison, which is GGSA without groups and gate."""

from typing import Any

from haystack_integrations.components.rankers.answer_selection.models.ggsa import GGSAConfig, GGSAModel


class TransformerConfig(GGSAConfig):  # type: ignore[no-untyped-call]
    """The configuration of :class:`TransformerModel`."""

    model_type = "transformer"

    def __init__(self, *, attention: str = "global", gate: bool = False, **kwargs: Any) -> None:
        """
        Create a configuration.

        :param attention: see :class:`GGSAConfig`.
        :param gate: see :class:`GGSAConfig`.
        :param kwargs: see :class:`GGSAConfig`.
        """
        super().__init__(attention=attention, gate=gate, **kwargs)


class TransformerModel(GGSAModel):  # type: ignore[no-untyped-call]
    """Blocks of Vaswani et al. 2017 over word vectors, max-pooled: "global self-attention" of the GGSA paper."""

    config_class = TransformerConfig
