# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Scoring pairs by a model that needs both of their sides at once."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from haystack_integrations.components.rankers.answer_selection.mixing import Scores
from haystack_integrations.components.rankers.answer_selection.models.base import AnswerSelectionModel, Collator
from haystack_integrations.components.rankers.answer_selection.models.record import Piece, Record

Positions: TypeAlias = NDArray[np.intp]


def score_in_pieces(
    model: AnswerSelectionModel, collator: Collator, records: Sequence[Record], batch_size: int
) -> Scores:
    """
    Score pairs, of which each counts as its best piece.

    The parameters, and what is returned, are those of :func:`score_whole_pairs`.
    """
    return best_of_pieces(collator, records, lambda pairs: score_whole_pairs(model, collator, pairs, batch_size))


def best_of_pieces(
    collator: Collator, records: Sequence[Record], score: Callable[[Sequence[Record]], Scores]
) -> Scores:
    """
    Score pairs by the best of their pieces.

    :param collator: The model's collator.
    :param records: The pairs.
    :param score: What scores pairs that can be read to their ends: log-odds in their order.
    :returns: The log-odds, in the order of `records`, [n_pairs].
    """
    pieces = [collator.pieces(record) for record in records]
    logits = score([piece.record for some in pieces for piece in some])
    return np.maximum.reduceat(logits, np.cumsum([0, *map(len, pieces[:-1])])) if pieces else logits


def best_pieces(
    model: AnswerSelectionModel, collator: Collator, records: Sequence[Record], batch_size: int
) -> list[Piece]:
    """
    Give the pieces that score pairs.

    The parameters are those of :func:`score_whole_pairs`.

    :returns: The best piece of each pair, in the order of `records`.
    """
    best = []
    for record in records:
        pieces = collator.pieces(record)
        if len(pieces) > 1:
            logits = score_whole_pairs(model, collator, [piece.record for piece in pieces], batch_size)
            pieces = [pieces[int(logits.argmax())]]
        best.append(pieces[0])
    return best


def score_whole_pairs(
    model: AnswerSelectionModel, collator: Collator, records: Sequence[Record], batch_size: int
) -> Scores:
    """
    Score pairs: equal ones once, those of similar length together.

    :param model: The model.
    :param collator: Its collator.
    :param records: The pairs.
    :param batch_size: How many go through the model at once; fewer, where the model is faster so.
    :returns: The model's log-odds, in the order of `records`, [n_pairs].
    """
    first: dict[tuple[str, str], int] = {}
    source = np.arange(len(records))
    for index, record in enumerate(records):
        earlier = first.setdefault((record.query, record.answer), index)
        if records[earlier] == record:
            source[index] = earlier
    distinct = np.flatnonzero(source == np.arange(len(records)))
    logits = np.zeros(len(records))
    for chosen in _batches(records, distinct, collator, batch_size, model.tokens_at_once):
        logits[chosen] = model.score(collator([records[index] for index in chosen]))
    return logits[source]


def _batches(
    records: Sequence[Record], chosen: Positions, collator: Collator, batch_size: int, most_tokens: int | None
) -> Iterator[Positions]:
    """Positions in `records`, batch by batch: of similar length, and those of one query together."""
    if len(chosen) <= batch_size and most_tokens is None:
        yield chosen
        return
    lengths = np.array([collator.pair_length(records[index]) for index in chosen])
    order = np.argsort(lengths, kind="stable")
    start = 0
    while start < len(order):
        end = min(start + batch_size, len(order))
        if most_tokens is not None:
            # The last one is the longest; all are padded to it.
            tokens = lengths[order[start:end]] * np.arange(1, end - start + 1)
            end = start + max(1, int(np.searchsorted(tokens, most_tokens, side="right")))
        yield np.sort(chosen[order[start:end]])
        start = end
