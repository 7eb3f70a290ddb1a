# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The ranker that runs a Transformer that was trained from scratch."""

from typing import ClassVar

from haystack import component
from haystack_integrations.components.rankers.answer_selection.answer_ranker import NeuralRanker


@component
class TransformerRanker(NeuralRanker):
    """
    Ranks documents by a Transformer encoder that was trained from scratch.

    It is the "global self-attention" that the GGSA paper compares with (Xu, Ji, Huang, Deng and Li 2019; the blocks are
    those of Vaswani et al. 2017). No pretrained weights are involved.

    It has no default model: train one, or name one.

    Usage example:
    ```python
    from haystack import Document
    from haystack_integrations.components.rankers.answer_selection import TransformerRanker

    ranker = TransformerRanker(model="runs/transformer/model")
    documents = [Document(content="The reading room closes at 8 p.m."), Document(content="A card costs two dollars.")]
    result = ranker.run(query="When does the reading room close?", documents=documents)
    print(result["documents"][0].content)
    ```
    """

    model_type: ClassVar[str] = "transformer"
