# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The ranker that runs the QRNN baseline."""

from typing import ClassVar

from haystack import component
from haystack_integrations.components.rankers.answer_selection.answer_ranker import NeuralRanker


@component
class QRNNRanker(NeuralRanker):
    """
    Ranks documents by a quasi-recurrent network, QRNN, the baseline that CTRN is built on.

    Question and answer are encoded apart from each other (Bradbury et al. 2017, "Quasi-Recurrent Neural Networks"; as a
    ranker in Tay, Tuan and Hui 2018).

    It has no default model: train one, or name one.

    Usage example:
    ```python
    from haystack import Document
    from haystack_integrations.components.rankers.answer_selection import QRNNRanker

    ranker = QRNNRanker(model="runs/qrnn/model")
    documents = [Document(content="The reading room closes at 8 p.m."), Document(content="A card costs two dollars.")]
    result = ranker.run(query="When does the reading room close?", documents=documents)
    print(result["documents"][0].content)
    ```
    """

    model_type: ClassVar[str] = "qrnn"
