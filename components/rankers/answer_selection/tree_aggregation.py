# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The ranker that runs the tree aggregation transformer."""

from typing import ClassVar

from haystack import component

from haystack_integrations.components.rankers.answer_selection.answer_ranker import AnswerRanker


@component
class TreeAggregationRanker(AnswerRanker):
    """
    Ranks documents by a tree aggregation transformer over a pretrained encoder.

    Query and document are read together as one sequence, and then span by span up their parse trees (Mrini, Farcas and
    Nakashole 2021, "Recursive Tree-Structured Self-Attention for Answer Sentence Selection").

    Trees are in the metadata, under `parse_tree`: the document's, where `ConstituencyParser` puts them when documents
    are indexed, and the query's in `query_meta`.

    It has no default model: train one, or name one.

    Usage example:
    ```python
    from haystack import Document
    from haystack_integrations.components.rankers.answer_selection import TreeAggregationRanker

    ranker = TreeAggregationRanker(model="runs/tree_aggregation/model")
    tree = "(ROOT (S (NP (DT A) (NN card)) (VP (VBZ costs) (NP (CD two) (NNS dollars))) (. .)))"
    documents = [Document(content="A card costs two dollars.", meta={"parse_tree": tree})]
    result = ranker.run(query="What is a card?", documents=documents)
    print(result["documents"][0].content)
    ```
    """

    only_model_type: ClassVar[str | None] = "tree_aggregation"
