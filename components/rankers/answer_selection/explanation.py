# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What a model weighed in pairs of texts, as plain numbers beside the places in the texts that they belong to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from haystack_integrations.components.rankers.answer_selection.text.record import Record

if TYPE_CHECKING:
    from haystack_integrations.components.rankers.answer_selection.model_component import LoadedModel
    from haystack_integrations.components.rankers.answer_selection.models.explanation import Explanation, Place


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
class PairExplanation:
    """
    What a model weighed in a pair.

    :param question: The question.
    :param answer: The answer as the model was given it, with embedded metadata in front.
    :param weights: Its words' weights; none where the model has none.
    :param features: Its pair features, if the model has some.
    """

    question: str
    answer: str
    weights: list[PairWeights]
    features: list[PairFeature]


def explain(loaded: "LoadedModel", records: Sequence[Record], batch_size: int) -> list[PairExplanation]:
    """
    Ask a model what it weighs in pairs.

    :param loaded: The model.
    :param records: The pairs.
    :param batch_size: How many go through the model at once.
    :returns: One explanation a pair, in their order.
    """
    explained = []
    for start in range(0, len(records), batch_size):
        chosen = records[start : start + batch_size]
        batch = {name: tensor.to(loaded.model.device) for name, tensor in loaded.collator(chosen).items()}
        found = loaded.model.explain(batch)
        for row, record in enumerate(chosen):
            weights = _weights(found, row, loaded.collator.places(record))
            explained.append(PairExplanation(record.query, record.answer, weights, _features(found, row)))
    return explained


def _weights(found: "Explanation", row: int, places: "Mapping[str, Sequence[Place]]") -> list[PairWeights]:
    """A pair's weights; those of the two texts under one name are together."""
    by_name: dict[str, PairWeights] = {}
    for each in found.weights:
        weights = by_name.setdefault(each.name, PairWeights(each.name, each.about, each.shares))
        of_side = {"question": weights.question, "answer": weights.answer}
        read = places[each.side]
        for place, value in zip(read, each.values[row, : len(read)].tolist(), strict=True):
            if place.side:
                of_side[place.side].append(SpanWeight(place.start, place.end, value))
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
