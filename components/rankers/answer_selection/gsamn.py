# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The ranker that runs GSAMN."""

from pathlib import Path
from typing import ClassVar

from haystack import component

from haystack_integrations.components.rankers.answer_selection.answer_ranker import AnswerRanker
from haystack_integrations.components.rankers.answer_selection.models.model_folder import GSAMN, PACKAGED


@component
class GSAMNRanker(AnswerRanker):
    """
    Ranks documents by a gated self-attention memory network over a pretrained encoder, GSAMN.

    Query and document are read together as one sequence, which becomes a memory that a controller gates in several
    hops (Lai, Tran, Bui and Kihara 2019, "A Gated Self-attention Memory Network for Answer Selection").

    Without `model` it runs the one that comes with the package. It puts the right answer first more often than the
    package's CTRN and takes longer, so it reads only candidates that the other signals put near the first.

    Usage example:
    ```python
    from haystack import Document
    from haystack_integrations.components.rankers.answer_selection import GSAMNRanker

    ranker = GSAMNRanker(top_k=2)
    documents = [Document(content="The reading room closes at 8 p.m."), Document(content="A card costs two dollars.")]
    result = ranker.run(query="When does the reading room close?", documents=documents)
    print(result["documents"][0].content)
    ```
    """

    default_model: ClassVar[Path] = PACKAGED[GSAMN]
    only_model_type: ClassVar[str | None] = "gsamn"
