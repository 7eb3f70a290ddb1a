# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The words that a model reads, as it knows them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from answer_selection.indexing.text.normalize import Normalization


@dataclass(frozen=True, slots=True)
class KnownWords:
    """
    A model's words.

    :param words: the words of its vocabulary.
    :param vectors: their vectors, [n_words, d].
    :param stop_words: those without content.
    :param rules: how a text is normalised before it is cut into words.
    """

    words: Sequence[str]
    vectors: NDArray[np.float32]
    stop_words: Collection[str]
    rules: Normalization
