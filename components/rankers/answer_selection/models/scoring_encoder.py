# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""BERT and ELECTRA below a model that only scores: run by :mod:`bert`, since transformers takes long to import."""

from dataclasses import dataclass

from torch import Tensor, nn
from transformers.utils.generic import ModelOutput

from haystack_integrations.components.rankers.answer_selection.models.bert import Bert


@dataclass
class EncoderOutput(ModelOutput):
    """
    What the encoder returns, as transformers' encoders do.

    :param last_hidden_state: the last states [n_pairs, L, d].
    """

    last_hidden_state: Tensor | None = None


class ScoringEncoder(nn.Module):
    """
    The network, in the place of transformers' encoder.

    :param bert: the network, with its weights.
    """

    supports_gradient_checkpointing = False

    def __init__(self, bert: Bert) -> None:
        super().__init__()
        self.base_model = bert

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor,
        token_type_ids: Tensor | None = None,
        position_ids: Tensor | None = None,
    ) -> EncoderOutput:
        """
        Run the encoder.

        :param input_ids: the sequences' tokens [n_pairs, L].
        :param attention_mask: 0 for padding [n_pairs, L].
        :param token_type_ids: the tokens' types [n_pairs, L]; None if there is but one.
        :param position_ids: the tokens' positions [n_pairs, L]; None if they are counted through.
        :returns: what the encoder returns.
        """
        return EncoderOutput(self.base_model(input_ids, attention_mask.bool(), token_type_ids, position_ids))

    def get_input_embeddings(self) -> nn.Embedding:
        """Give the vectors of tokens."""
        return self.base_model.words
