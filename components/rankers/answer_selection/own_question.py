# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
A query that is a candidate's own question, word for word.

Who asks so has taken it from the FAQ, and expects its answer first. The signals, whose sum is over all words of
question and answer, mostly see to that; but of two entries that ask nearly the same, the other one may come first.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from answer_selection.indexing.text.sameness import sameness
from haystack_integrations.components.rankers.answer_selection.mixing import Scores

LEAD: Final = 4.0
"""By how much such a candidate is put ahead, in log-odds. What the signals say of others is seldom as much."""

# Characters: punctuation and spaces, which make no other question.
_LONGER: Final = 8


def own_question(query: str, questions: Sequence[object]) -> Scores:
    """
    Put candidates ahead whose own question is the query, but for case, punctuation and spaces.

    :param query: The query.
    :param questions: Each candidate's own question, [n]; None, or anything that is no text, for one without.
    :returns: `LEAD` for such candidates and 0 for others, [n].
    """
    asked = sameness(query) if any(map(str.isalnum, query)) else None
    return np.array([LEAD * (asked is not None and _is_same(query, asked, question)) for question in questions])


def _is_same(query: str, asked: bytes, question: object) -> bool:
    # The lengths first: most candidates need no more than that.
    return isinstance(question, str) and abs(len(question) - len(query)) <= _LONGER and sameness(question) == asked
