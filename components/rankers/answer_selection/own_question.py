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

from haystack_integrations.components.rankers.answer_selection.mixing import Scores

LEAD: Final = 4.0
"""By how much such a candidate is put ahead, in log-odds. What the signals say of others is seldom as much."""

# At a question's end they make no other question; within it they may, as in "C++" and "C#".
_ENDS: Final = " ?!.？！。"  # noqa: RUF001


def own_question(query: str, questions: Sequence[object]) -> Scores:
    """
    Put candidates ahead whose own question is the query, but for case, spaces, and punctuation at the end.

    :param query: The query.
    :param questions: Each candidate's own question, [n]; None, or anything that is no text, for one without.
    :returns: `LEAD` for such candidates and 0 for others, [n].
    """
    asked = _plain(query)
    return np.array([LEAD * bool(asked and isinstance(one, str) and _plain(one) == asked) for one in questions])


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(_ENDS)
