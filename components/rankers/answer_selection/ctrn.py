# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The ranker that runs CTRN."""

from pathlib import Path
from typing import ClassVar

from haystack import component

from haystack_integrations.components.rankers.answer_selection.answer_ranker import AnswerRanker
from haystack_integrations.components.rankers.answer_selection.models.model_folder import CTRN, PACKAGED


@component
class CTRNRanker(AnswerRanker):
    """
    Ranks documents by a cross temporal recurrent network, CTRN.

    The model is that of Tay, Tuan and Hui 2018, "Cross Temporal Recurrent Networks for Ranking Question Answer Pairs":
    question and answer are read by one quasi-recurrent network whose gates are crossed between the two. It is small: a
    hundred answers take milliseconds on a CPU. Without `model` it runs the one that comes with the package.

    Usage example:
    ```python
    from haystack import Document
    from haystack_integrations.components.rankers.answer_selection import CTRNRanker

    ranker = CTRNRanker(top_k=2)
    documents = [
        Document(content="The reading room closes at 8 p.m. on weekdays."),
        Document(content="A lost card is replaced at any desk for two dollars."),
    ]
    result = ranker.run(query="When does the reading room close?", documents=documents)
    print(result["documents"][0].content)
    ```
    """

    default_model: ClassVar[Path] = PACKAGED[CTRN]
    only_model_type: ClassVar[str | None] = "ctrn"
