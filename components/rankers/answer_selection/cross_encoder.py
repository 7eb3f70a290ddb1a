# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The ranker that runs a plain cross-encoder."""

from typing import ClassVar

from haystack import component

from haystack_integrations.components.rankers.answer_selection.answer_ranker import AnswerRanker


@component
class CrossEncoderRanker(AnswerRanker):
    """
    Ranks documents by a pretrained encoder that reads query and document together as one sequence.

    A folder of sentence-transformers' `CrossEncoder`, or its name on the hub, is read as it is.

    It has no default model: train one, or name one.

    Usage example:
    ```python
    from haystack import Document
    from haystack_integrations.components.rankers.answer_selection import CrossEncoderRanker

    ranker = CrossEncoderRanker(model="runs/cross_encoder/model")
    documents = [Document(content="The reading room closes at 8 p.m."), Document(content="A card costs two dollars.")]
    result = ranker.run(query="When does the reading room close?", documents=documents)
    print(result["documents"][0].content)
    ```
    """

    only_model_type: ClassVar[str | None] = "cross_encoder"
