# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
How well the words of a question are met by those of an answer, each word as it is meant in its sentence.

One vector of a text says what it is about. It does not say whether "delete" of the question is there, or "remove" in
its place. So each word piece of the question looks for the piece of the answer that is most like it, as in ColBERT
(Khattab and Zaharia 2020, "ColBERT: efficient and effective passage search via contextualized late interaction over
BERT", section 3.3, equation 3):

    s(q, a) = sum_i w_i max_j cos(q_i, a_j) / sum_i w_i

q_i and a_j are a sentence encoder's last states of the pieces. The weights are added: w_i is BM25's idf of the piece
among the candidates, as pieces that most of them have tell nothing of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from haystack_integrations.components.rankers.answer_selection.mixing import Scores

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, slots=True)
class ReadText:
    """
    A text as a sentence encoder has read it.

    :param vector: The whole text's, at unit length, [d].
    :param pieces: Its word pieces' ids, without the special ones, [n].
    :param states: The pieces' last states at unit length, in half precision, [n, d].
    """

    vector: "Tensor"
    pieces: "Tensor"
    states: "Tensor"

    @property
    def nbytes(self) -> int:
        """What it takes in memory."""
        return self.vector.nbytes + self.pieces.nbytes + self.states.nbytes

    def clone(self) -> "ReadText":
        """Copy it, as its tensors may be parts of larger ones."""
        return ReadText(self.vector.clone(), self.pieces.clone(), self.states.clone())


def word_scores(query: ReadText, answers: Sequence[ReadText]) -> Scores:
    """
    Say how well each of a query's candidates meets its words.

    :param query: The query.
    :param answers: The candidates.
    :returns: The scores, between -1 and 1, [n]. An answer without words has the lowest of all. A query without words
        is met alike by all: 0.
    """
    import torch

    from haystack_integrations.components.rankers.answer_selection.models.threads import threads_for

    known = [answer for answer in answers if len(answer.pieces)]
    if not len(query.pieces) or not known:
        return np.zeros(len(answers))
    # [pieces of the query, pieces of all candidates] -> [pieces of the query, candidates]
    states = torch.cat([answer.states for answer in known])
    with threads_for(len(query.pieces) * states.numel()):
        alike = query.states.float() @ states.float().T
    of_each = torch.split(alike, [len(answer.pieces) for answer in known], dim=1)
    best = torch.stack([part.amax(1) for part in of_each], dim=1)
    found = torch.stack([torch.isin(query.pieces, answer.pieces) for answer in answers], dim=1).sum(1).double()
    idf = torch.log1p((len(answers) - found + 0.5) / (found + 0.5))
    met = iter(((idf @ best.double()) / idf.sum()).tolist())
    scores = np.array([next(met) if len(answer.pieces) else np.nan for answer in answers])
    scores[np.isnan(scores)] = np.nanmin(scores)
    return scores
