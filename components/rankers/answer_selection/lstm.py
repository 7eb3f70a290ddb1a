# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The ranker that runs QA-LSTM."""

from typing import ClassVar

from haystack import component
from haystack_integrations.components.rankers.answer_selection.answer_ranker import NeuralRanker


@component
class LSTMRanker(NeuralRanker):
    """
    Ranks documents by a long short-term memory network, QA-LSTM.

    One bidirectional LSTM reads question and answer; their max-pooled states are compared by cosine (Tan, dos Santos,
    Xiang and Zhou 2016, "LSTM-based Deep Learning Models for Non-factoid Answer Selection").

    It has no default model: train one, or name one.

    Usage example:
    ```python
    from haystack import Document
    from haystack_integrations.components.rankers.answer_selection import LSTMRanker

    ranker = LSTMRanker(model="runs/lstm/model")
    documents = [Document(content="The reading room closes at 8 p.m."), Document(content="A card costs two dollars.")]
    result = ranker.run(query="When does the reading room close?", documents=documents)
    print(result["documents"][0].content)
    ```
    """

    model_type: ClassVar[str] = "lstm"
