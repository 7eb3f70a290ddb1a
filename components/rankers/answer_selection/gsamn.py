# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The ranker that runs GSAMN."""

from typing import ClassVar

from haystack import component

from haystack_integrations.components.rankers.answer_selection.answer_ranker import AnswerRanker


@component
class GSAMNRanker(AnswerRanker):
    """
    Ranks documents by a gated self-attention memory network over a pretrained encoder, GSAMN.

    Query and document are read together as one sequence, which becomes a memory that a controller gates in several
    hops (Lai, Tran, Bui and Kihara 2019, "A Gated Self-attention Memory Network for Answer Selection").

    It has no default model: train one, or name one.

    Usage example:
    ```python
    from haystack import Document
    from haystack_integrations.components.rankers.answer_selection import GSAMNRanker

    ranker = GSAMNRanker(model="runs/gsamn/model")
    documents = [Document(content="The reading room closes at 8 p.m."), Document(content="A card costs two dollars.")]
    result = ranker.run(query="When does the reading room close?", documents=documents)
    print(result["documents"][0].content)
    ```
    """

    only_model_type: ClassVar[str | None] = "gsamn"
