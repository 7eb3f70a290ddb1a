# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""How much a word tells: the inverse document frequency of Lucene's BM25, which the retrievers use."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def idf_of(documents: int, frequencies: NDArray[Any]) -> NDArray[np.float64]:
    """
    Give words' idf, log(1 + (N - n + 0.5) / (n + 0.5)), which is never negative.

    :param documents: How many texts there are, N.
    :param frequencies: How many of them have each word, n.
    :returns: Likewise shaped.
    """
    return np.log1p((documents - frequencies + 0.5) / (frequencies + 0.5))
