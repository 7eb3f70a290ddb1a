# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The ranker that runs an encoder with more Transformer layers."""

from typing import ClassVar

from haystack import component
from haystack_integrations.components.rankers.answer_selection.answer_ranker import NeuralRanker


@component
class EncoderLayersRanker(NeuralRanker):
    """
    Ranks documents by a pretrained encoder with more Transformer layers on top.

    It is what GSAMN is compared with (Lai, Tran, Bui and Kihara 2019, table 1); to be used there.

    It has no default model: train one, or name one.

    Usage example:
    ```python
    from haystack import Document
    from haystack_integrations.components.rankers.answer_selection import EncoderLayersRanker

    ranker = EncoderLayersRanker(model="runs/encoder_layers/model")
    documents = [Document(content="The reading room closes at 8 p.m."), Document(content="A card costs two dollars.")]
    result = ranker.run(query="When does the reading room close?", documents=documents)
    print(result["documents"][0].content)
    ```
    """

    model_type: ClassVar[str] = "encoder_layers"
