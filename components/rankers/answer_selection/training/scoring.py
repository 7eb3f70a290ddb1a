# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Scoring all candidates of a file, as the model that is kept will."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray

from haystack_integrations.components.rankers.answer_selection.models.base import SCORED_AT_ONCE
from haystack_integrations.components.rankers.answer_selection.models.record import Record
from haystack_integrations.components.rankers.answer_selection.signals import UNREAD
from haystack_integrations.components.rankers.answer_selection.training.batches import pack
from haystack_integrations.components.rankers.answer_selection.training.dataset import CandidateFile, Floats, Ints
from haystack_integrations.components.rankers.answer_selection.training.processes import ALONE, Processes
from haystack_integrations.components.rankers.answer_selection.whole_pairs import best_of_pieces

if TYPE_CHECKING:
    from haystack_integrations.components.rankers.answer_selection.models.base import AnswerSelectionModel, Collator

# Attributes of a model whose `forward` accelerate has put autocast around.
_AUTOCAST = ("forward", "_original_forward")


def score_lists(
    model: "AnswerSelectionModel",
    collator: "Collator",
    file: CandidateFile,
    *,
    pairs_per_batch: int = SCORED_AT_ONCE,
    processes: Processes = ALONE,
    chosen: NDArray[np.bool_] | None = None,
) -> Floats:
    """
    Score all candidates of a file, or those of each list that are chosen.

    :param model: the model; it is left in evaluation mode.
    :param collator: the model's collator.
    :param file: the lists.
    :param pairs_per_batch: the most pairs in a batch.
    :param processes: those that take a share each of the batches; all score with the main one's weights.
    :param chosen: which candidates the model reads, [n_pairs], at least one of each list; None is all.
    :returns: log-odds, list after list, [n_pairs]. What the model did not read has the lowest of its list,
        and at most `UNREAD`.
    :raises FloatingPointError: if a logit is not finite.
    """
    processes.spread(model.state_dict().values())
    logits = np.zeros(len(file.labels))
    for places, scored in scores_of_some(model, collator, file, range(len(file)), pairs_per_batch, processes, chosen):
        logits[places] = scored
    logits = processes.add_up(logits, model.device)
    if not np.isfinite(logits).all():
        msg = "the model's logits are no longer finite; a lower learning_rate or max_grad_norm may help"
        raise FloatingPointError(msg)
    if chosen is not None:
        lowest = np.full(len(file), np.inf)
        np.minimum.at(lowest, file.list_of_pair[chosen], logits[chosen])
        logits = np.where(chosen, logits, np.minimum(lowest, UNREAD)[file.list_of_pair])
    return logits


def scores_of_some(
    model: "AnswerSelectionModel",
    collator: "Collator",
    file: CandidateFile,
    lists: Iterable[int],
    pairs_per_batch: int = SCORED_AT_ONCE,
    processes: Processes = ALONE,
    chosen: NDArray[np.bool_] | None = None,
) -> Iterator[tuple[Ints, Floats]]:
    """
    Score the candidates of some lists, those of similar length together.

    :param model: the model; it is left in evaluation mode.
    :param collator: the model's collator.
    :param file: the file.
    :param lists: which of its lists.
    :param pairs_per_batch: the most pairs in a batch.
    :param processes: those that take a share each of the batches.
    :param chosen: which of their candidates, [n_pairs]; None is all.
    :returns: the candidates' numbers in the file and their log-odds, batch by batch.
    """
    model.train(False)
    wanted = np.ones(len(file.labels), dtype=np.bool_) if chosen is None else chosen
    sizes = np.bincount(file.list_of_pair[wanted], minlength=len(file))
    pairs = {i: np.flatnonzero(wanted[file.pairs(i)]) + file.starts[i] for i in lists if sizes[i]}

    def score(records: Sequence[Record]) -> Floats:
        starts = range(0, len(records), pairs_per_batch)
        with torch.inference_mode():
            return np.concatenate([model.score(collator(records[at : at + pairs_per_batch])) for at in starts])

    asked = sorted((int(file.lengths[of_list].max()), i) for i, of_list in pairs.items())
    for batch in pack([i for _, i in asked], sizes, pairs_per_batch)[processes.index :: processes.count]:
        records = [record for i in batch for record in file.sample(i, pairs[i]).records]
        yield np.concatenate([pairs[i] for i in batch]), best_of_pieces(collator, records, score)


@contextmanager
def without_autocast(model: torch.nn.Module) -> Iterator[None]:
    """
    Take off the autocast that accelerate puts around an instance's `forward`: what is kept has to do without.

    :param model: the model.
    :returns: a context without it.
    """
    wrapped = remove_autocast(model)
    try:
        yield
    finally:
        vars(model).update(wrapped)


def remove_autocast(model: torch.nn.Module) -> dict[str, Any]:
    """
    Take it off for good.

    :param model: the model.
    :returns: what was taken off.
    """
    return {name: vars(model).pop(name) for name in _AUTOCAST if name in vars(model)}
