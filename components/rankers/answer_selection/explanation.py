# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What a model weighed in pairs of texts, as plain numbers beside the places in the texts that they belong to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from haystack_integrations.components.rankers.answer_selection.models.record import Piece, Record

if TYPE_CHECKING:
    from torch import Tensor

    from haystack_integrations.components.rankers.answer_selection.model_component import LoadedModel
    from haystack_integrations.components.rankers.answer_selection.models.base import Collator
    from haystack_integrations.components.rankers.answer_selection.models.explanation import Explanation, Place
    from haystack_integrations.components.rankers.answer_selection.models.tree_levels import TextTree


class SpanWeight(NamedTuple):
    """
    A word's or token's number.

    :param start: Its first character in its text.
    :param end: The character after its last one.
    :param value: The number.
    """

    start: int
    end: int
    value: float


@dataclass(frozen=True, slots=True)
class PairWeights:
    """
    One kind of weight of a pair's words.

    :param name: What it is called.
    :param about: What it says of a word, in a sentence.
    :param shares: Whether the numbers sum to 1: over each text, or where there is a `rest`, over all of them. If not,
        each is a gate between 0 and 1.
    :param question: The numbers of the question's words, in their order.
    :param answer: The numbers of the answer's words, in their order.
    :param rest: What is no word's, by name.
    """

    name: str
    about: str
    shares: bool
    question: list[SpanWeight] = field(default_factory=list)
    answer: list[SpanWeight] = field(default_factory=list)
    rest: dict[str, float] = field(default_factory=dict)


class PairFeature(NamedTuple):
    """
    A feature of a pair.

    :param name: The feature.
    :param value: What it is.
    :param contribution: What it adds to the logit; None where the model does not simply add it.
    """

    name: str
    value: float
    contribution: float | None


@dataclass(frozen=True, slots=True)
class TreeNode:
    """
    A span or a word of a parse tree.

    :param label: The span's label, or the word's part of speech.
    :param start: Its first character in its text.
    :param end: The character after its last one.
    :param level: How far it is below the root.
    :param shares: Its share of what the span above it attends to, by halves of the model (semantic, syntactic); none
        for the root.
    :param own: What the span itself attends to beside its children, by halves: its start and its end token. None for a
        word.
    """

    label: str
    start: int
    end: int
    level: int
    shares: list[float]
    own: list[tuple[float, float]] | None


@dataclass(frozen=True, slots=True)
class PairExplanation:
    """
    What a model weighed in a pair.

    :param question: The question.
    :param answer: The answer as the model was given it, with embedded metadata in front.
    :param weights: Its words' weights; none where the model has none.
    :param features: Its pair features, if the model has some.
    :param question_tree: If the model reads trees, the question's: each node before those below it, in the text's
        order.
    :param answer_tree: The answer's.
    """

    question: str
    answer: str
    weights: list[PairWeights]
    features: list[PairFeature]
    question_tree: list[TreeNode]
    answer_tree: list[TreeNode]


def explain(loaded: "LoadedModel", records: Sequence[Record], batch_size: int) -> list[PairExplanation]:
    """
    Ask a model what it weighs in pairs.

    :param loaded: The model.
    :param records: The pairs.
    :param batch_size: How many go through the model at once.
    :returns: One explanation a pair, in their order; of a long answer, of the piece that scores it.
    """
    from haystack_integrations.components.rankers.answer_selection.whole_pairs import best_pieces

    explained = []
    for start in range(0, len(records), batch_size):
        chosen = records[start : start + batch_size]
        pieces = best_pieces(loaded.model, loaded.collator, chosen, batch_size)
        found = loaded.model.explain(loaded.model.to_device(loaded.collator([piece.record for piece in pieces])))
        for row, (record, piece) in enumerate(zip(chosen, pieces, strict=True)):
            weights = _weights(found, row, loaded.collator.places(piece.record), piece)
            trees = _trees(found, row, loaded.collator, record)
            explained.append(PairExplanation(record.query, record.answer, weights, _features(found, row), *trees))
    return explained


def _weights(
    found: "Explanation", row: int, places: "Mapping[str, Sequence[Place]]", piece: Piece
) -> list[PairWeights]:
    """A pair's weights; those of the two texts under one name are together."""
    by_name: dict[str, PairWeights] = {}
    for each in found.weights:
        weights = by_name.setdefault(each.name, PairWeights(each.name, each.about, each.shares))
        of_side = {"question": weights.question, "answer": weights.answer}
        read = places[each.side]
        for place, value in zip(read, each.values[row, : len(read)].tolist(), strict=True):
            if place.side:
                span = place.start, place.end
                if place.side == "answer":
                    span = piece.place(place.start), piece.place(place.end - 1) + 1
                of_side[place.side].append(SpanWeight(*span, value))
            else:
                weights.rest[place.name] = weights.rest.get(place.name, 0.0) + value
        weights.rest.update({name: values[row].item() for name, values in each.rest.items()})
    return list(by_name.values())


def _features(found: "Explanation", row: int) -> list[PairFeature]:
    if found.features is None:
        return []
    names, values, contributions = found.features
    added = [None] * len(names) if contributions is None else contributions[row].tolist()
    return [PairFeature(*each) for each in zip(names, values[row].tolist(), added, strict=True)]


def _trees(
    found: "Explanation", row: int, collator: "Collator", record: Record
) -> tuple[list[TreeNode], list[TreeNode]]:
    if found.spans is None:
        return [], []
    question, answer = collator.text_trees(record)
    of_question, of_answer = found.spans[row]
    return _nodes(question, of_question), _nodes(answer, of_answer)


def _nodes(read: "TextTree", weights: "Sequence[Tensor]") -> list[TreeNode]:
    """A tree's nodes from the root on, children in the text's order."""
    tree, children = read.tree, read.tree.children()
    pieces: list[list[int]] = [[] for _ in tree.tags]
    for piece, its_word in enumerate(read.piece_words.tolist()):
        pieces[its_word].append(piece)

    def span(number: int, shares: list[float]) -> TreeNode:
        first, last = tree.extents[number].tolist()
        start, end = (int(tree.starts[first]), int(tree.ends[last - 1])) if first < last else (0, 0)
        own = [(half[0], half[-1]) for half in weights[number].tolist()]
        return TreeNode(tree.labels[number], start, end, int(tree.levels[number]), shares, own)

    def word(number: int, parent: int) -> TreeNode:
        # A word's pieces are elements of their own.
        elements = read.piece_slots[pieces[number]].tolist()
        shares = weights[parent][:, elements].sum(1).tolist()
        start, end = int(tree.starts[number]), int(tree.ends[number])
        return TreeNode(tree.tags[number], start, end, int(tree.levels[parent]) + 1, shares, None)

    nodes, waiting = [], [(True, 0)]  # no recursion: a tree may be deeper than Python's stack
    while waiting:
        is_span, number = waiting.pop()
        if is_span:
            parent = int(read.parents[number])
            shares = weights[parent][:, int(read.slots[number])].tolist() if parent >= 0 else []
            nodes.append(span(number, shares))
            waiting += reversed(children[number])
        else:
            nodes.append(word(number, int(tree.word_parents[number])))
    return nodes
