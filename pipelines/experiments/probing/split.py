# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Sentences in three parts, by their texts: the same sentence is in the same part in every run, and in no other."""

import hashlib
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

# Of a hundred: the first are for training, those up to the second number for validation, the others for the test.
_TRAIN: Final = 70
_VALIDATION: Final = 85


class Split(NamedTuple):
    """
    The rows of each part.

    :param train: what probes learn from.
    :param validation: what they stop by.
    :param test: what they are scored on.
    """

    train: NDArray[np.int64]
    validation: NDArray[np.int64]
    test: NDArray[np.int64]


def same_text(text: str) -> str:
    """
    Give what texts are told apart by: case and white space make no other sentence.

    :param text: a text.
    :returns: its form.
    """
    return " ".join(text.casefold().split())


def split(texts: Sequence[str]) -> Split:
    """
    Tell each text's part by its digest.

    :param texts: the texts.
    :returns: the parts.
    """
    digests = (hashlib.sha256(same_text(text).encode()).digest() for text in texts)
    place = np.array([int.from_bytes(digest[:8], "big") % 100 for digest in digests], dtype=np.int64)
    rows = np.arange(len(texts))
    return Split(rows[place < _TRAIN], rows[(place >= _TRAIN) & (place < _VALIDATION)], rows[place >= _VALIDATION])
