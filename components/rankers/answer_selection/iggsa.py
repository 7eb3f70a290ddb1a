# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The ranker that runs iGGSA."""

from typing import ClassVar

from haystack import component

from haystack_integrations.components.rankers.answer_selection.answer_ranker import AnswerRanker


@component
class IGGSARanker(AnswerRanker):
    """
    Ranks documents by gated group self-attention with interaction, iGGSA.

    It is GGSA whose documents are read in the light of the query (Xu, Ji, Huang, Deng and Li 2019, "Gated Group
    Self-Attention for Answer Selection", section 3.2).

    It has no default model: train one, or name one.

    Usage example:
    ```python
    from haystack import Document
    from haystack_integrations.components.rankers.answer_selection import IGGSARanker

    ranker = IGGSARanker(model="runs/iggsa/model")
    documents = [Document(content="The reading room closes at 8 p.m."), Document(content="A card costs two dollars.")]
    result = ranker.run(query="When does the reading room close?", documents=documents)
    print(result["documents"][0].content)
    ```
    """

    only_model_type: ClassVar[str | None] = "iggsa"
