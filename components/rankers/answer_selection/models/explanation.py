# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What a model says of how it came to its logits: numbers of its own forward pass, a word or a feature each."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from torch import Tensor

QUESTION: Final = "question"
ANSWER: Final = "answer"
PAIR: Final = "pair"


class WordWeights(NamedTuple):
    """
    One number for each word of a batch's pairs.

    :param name: what it is called, such as "gate".
    :param about: what it says of a word, in a sentence.
    :param shares: whether words compete for it, so that a pair's numbers and its `rest` sum to 1; otherwise each is a
        gate between 0 and 1.
    :param side: the texts whose words they are: the rows of "question" or "answer", or the sequence of both ("pair").
    :param values: the numbers [n_pairs, L]; anything where a row has no word.
    :param rest: what else has a share, by name, [n_pairs] each.
    """

    name: str
    about: str
    shares: bool
    side: str
    values: Tensor
    rest: Mapping[str, Tensor] = {}


class FeatureValues(NamedTuple):
    """
    The pair features of a batch's pairs.

    :param names: the features.
    :param values: what they are [n_pairs, n_features].
    :param contributions: what each adds to the logit [n_pairs, n_features]; None where that cannot be told apart.
    """

    names: Sequence[str]
    values: Tensor
    contributions: Tensor | None


class Explanation(NamedTuple):
    """
    What a model says of a batch.

    :param weights: its words' weights; none where it has none.
    :param features: its pair features, if it has any.
    :param spans: if it reads trees, for each pair the weights of the question's spans and of the answer's: of each span
        [n_halves, n_elements], those of its start token, its children and its end token; a row sums to 1.
    """

    weights: Sequence[WordWeights] = ()
    features: FeatureValues | None = None
    spans: Sequence[tuple[Sequence[Tensor], Sequence[Tensor]]] | None = None


class Place(NamedTuple):
    """
    Where a word of a batch's row comes from.

    :param side: "question" or "answer"; empty for a special token.
    :param start: its first character in that text.
    :param end: the character after its last one.
    :param name: a special token's name.
    """

    side: str
    start: int = 0
    end: int = 0
    name: str = ""
