# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The ranker that runs AP-BiLSTM."""

from typing import ClassVar

from haystack import component
from haystack_integrations.components.rankers.answer_selection.answer_ranker import NeuralRanker


@component
class APBiLSTMRanker(NeuralRanker):
    """
    Ranks documents by an LSTM with attentive pooling, AP-BiLSTM.

    One bidirectional LSTM reads question and answer; a word counts by how well it fits the other side's (dos Santos,
    Tan, Xiang and Zhou 2016, "Attentive Pooling Networks").

    It has no default model: train one, or name one.

    Usage example:
    ```python
    from haystack import Document
    from haystack_integrations.components.rankers.answer_selection import APBiLSTMRanker

    ranker = APBiLSTMRanker(model="runs/ap_bilstm/model")
    documents = [Document(content="The reading room closes at 8 p.m."), Document(content="A card costs two dollars.")]
    result = ranker.run(query="When does the reading room close?", documents=documents)
    print(result["documents"][0].content)
    ```
    """

    model_type: ClassVar[str] = "ap_bilstm"
