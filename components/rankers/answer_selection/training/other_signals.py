# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What a ranker's other signals say of the lists of a file, where the model's logit is one of them."""

from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from haystack.utils import ComponentDevice
from numpy.typing import NDArray

from haystack_integrations.components.rankers.answer_selection.candidate_scores import CandidateScores
from haystack_integrations.components.rankers.answer_selection.mixing import heard
from haystack_integrations.components.rankers.answer_selection.models.base import Collator
from haystack_integrations.components.rankers.answer_selection.signals import SIGNALS, weighed, worth_reading
from haystack_integrations.components.rankers.answer_selection.training.dataset import CandidateFile, Floats

_MODEL: Final = SIGNALS.index("model")
# Of the texts' vectors that are kept for the next lists: many have the same answers.
_MOST_BYTES: Final = 2**27


@dataclass(frozen=True, slots=True)
class OtherSignals:
    """
    All signals but the model's logit, weighed as a ranker does (see `signals.py`).

    :param log_odds: what they add, [n_pairs].
    :param usual: how much the model's logit weighs if its configuration names no weight, [n_pairs].
    :param shares: how much all of them are listened to, by the words that the model knows, [n_pairs].
    """

    log_odds: Floats
    usual: Floats
    shares: Floats

    @classmethod
    def of(cls, file: CandidateFile, collator: Collator, device: ComponentDevice | None = None) -> Self:
        """
        Weigh them for each list.

        :param file: the lists.
        :param collator: the model's collator, which tells how many words the model knows.
        :param device: where the package's sentence encoder runs, for lists that hybrid retrieval did not find; None is
            the first accelerator that is there, else the CPU.
        :returns: the signals.
        """
        completed = CandidateScores(device, _MOST_BYTES)
        of_all = cls(*(np.zeros(len(file.labels)) for _ in range(3)))
        for index in range(len(file)):
            pairs = file.pairs(index)
            records, chosen = file.sample(index, pairs).records, slice(pairs.start, pairs.stop)
            if not records:
                continue
            records, hybrid = completed.complete(records)
            share = heard(collator.known_share(records))
            added = weighed(records, np.ones(len(records)), file.scores[chosen], share, hybrid=hybrid)
            of_all.usual[chosen], of_all.shares[chosen] = added[:, _MODEL], share
            added[:, _MODEL] = 0.0
            of_all.log_odds[chosen] = added.sum(axis=1)
        return of_all

    def with_model(self, logits: Floats, weight: float | None = None) -> Floats:
        """
        Weigh the model's logits beside them.

        :param logits: the model's log-odds, list after list, [n_pairs].
        :param weight: how much a logit weighs, as in the model's configuration (`signal_weight`).
        :returns: the log-odds of all signals together, [n_pairs].
        """
        return self.log_odds + (self.usual if weight is None else weight * self.shares) * logits

    def worth_reading(self, file: CandidateFile, most: int | None, margin: float | None) -> NDArray[np.bool_]:
        """
        Choose what the model reads of each list.

        :param file: the lists.
        :param most: how many candidates at most, as in the model's configuration (`rerank_top_k`).
        :param margin: how far behind the first they may be (`rerank_margin`).
        :returns: which candidates those are, [n_pairs].
        """
        chosen = np.zeros(len(file.labels), dtype=np.bool_)
        for index in range(len(file)):
            of_list = np.array(file.pairs(index), dtype=np.int64)
            chosen[of_list[worth_reading(self.log_odds[of_list], most, margin)]] = True
        return chosen
