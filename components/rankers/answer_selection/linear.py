# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The ranker that runs the linear model over match features."""

from typing import ClassVar

from haystack import component

from haystack_integrations.components.rankers.answer_selection.answer_ranker import AnswerRanker


@component
class LinearRanker(AnswerRanker):
    """
    Ranks documents by a weighted sum of how the words of question and answer match.

    The features are those of `models.matching`: overlap, BM25, shared bigrams, matches close together, soft matches. It
    also runs the models "bm25", "word_overlap" and "idf_overlap", which have one feature each.

    It has no default model: train one, or name one.

    Usage example:
    ```python
    from haystack import Document
    from haystack_integrations.components.rankers.answer_selection import LinearRanker

    ranker = LinearRanker(model="runs/linear/model")
    documents = [Document(content="The reading room closes at 8 p.m."), Document(content="A card costs two dollars.")]
    result = ranker.run(query="When does the reading room close?", documents=documents)
    print(result["documents"][0].content)
    ```
    """

    only_model_type: ClassVar[str | None] = "linear"
