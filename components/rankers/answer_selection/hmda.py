# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The ranker that runs HMDA."""

from typing import ClassVar

from haystack import component

from haystack_integrations.components.rankers.answer_selection.answer_ranker import AnswerRanker


@component
class HMDARanker(AnswerRanker):
    """
    Ranks documents by a Hierarchical Multi-dimensional Attention model, HMDA.

    Every word of a document is compared with what it finds in the query, and the other way round (Liu, Zhang, Ma, Wang
    and Zhang 2019, "Hierarchical Multi-dimensional Attention Model for Answer Selection").

    It has no default model: train one, or name one.

    Usage example:
    ```python
    from haystack import Document
    from haystack_integrations.components.rankers.answer_selection import HMDARanker

    ranker = HMDARanker(model="runs/hmda/model")
    documents = [Document(content="The reading room closes at 8 p.m."), Document(content="A card costs two dollars.")]
    result = ranker.run(query="When does the reading room close?", documents=documents)
    print(result["documents"][0].content)
    ```
    """

    only_model_type: ClassVar[str | None] = "hmda"
