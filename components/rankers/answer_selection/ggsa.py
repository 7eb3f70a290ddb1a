# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The ranker that runs GGSA."""

from typing import ClassVar

from haystack import component

from haystack_integrations.components.rankers.answer_selection.answer_ranker import AnswerRanker


@component
class GGSARanker(AnswerRanker):
    """
    Ranks documents by gated group self-attention, GGSA.

    Words attend to the words of their group, through a gate that knows the whole text; query and document are encoded
    apart from each other (Xu, Ji, Huang, Deng and Li 2019, "Gated Group Self-Attention for Answer Selection").

    It has no default model: train one, or name one.

    Usage example:
    ```python
    from haystack import Document
    from haystack_integrations.components.rankers.answer_selection import GGSARanker

    ranker = GGSARanker(model="runs/ggsa/model")
    documents = [Document(content="The reading room closes at 8 p.m."), Document(content="A card costs two dollars.")]
    result = ranker.run(query="When does the reading room close?", documents=documents)
    print(result["documents"][0].content)
    ```
    """

    only_model_type: ClassVar[str | None] = "ggsa"
