# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Vectors of length 1, which every store compares by their cosine."""

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")


def unit(values: Any, what: str) -> NDArray[np.float64]:
    """
    Give a vector the length 1, so that a product of two is their cosine.

    :param values: Its numbers.
    :param what: What it is, for messages.
    :returns: The vector; nothing but zeros stay as they are.
    :raises ValueError: If it is none, or holds NaN or infinity.
    """
    try:
        vector = np.asarray(values, np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        msg = f"{what} must be a list of numbers: {error}"
        raise ValueError(msg) from error
    if vector.ndim != 1 or not len(vector):
        msg = f"{what} must be a list of numbers, got an array of shape {list(vector.shape)}"
        raise ValueError(msg)
    largest = np.abs(vector).max()
    if not np.isfinite(largest):
        place = int(np.flatnonzero(~np.isfinite(vector))[0])
        msg = f"{what} holds {vector[place]} at place {place}, expected finite numbers"
        raise ValueError(msg)
    if largest == 0:
        return vector
    # Squares of the greatest and the smallest numbers are none.
    vector = vector / largest
    unit_vector: NDArray[np.float64] = vector / np.sqrt((vector * vector).sum())
    return unit_vector


def needed(query_embedding: T | None) -> T:
    """
    Make sure that there is a question's vector where an index has some.

    :param query_embedding: The vector, or None.
    :returns: The vector.
    :raises ValueError: If there is none.
    """
    if query_embedding is None:
        msg = "query_embedding is missing: connect the text embedder whose model embedded the documents"
        raise ValueError(msg)
    return query_embedding


def check_width(given: int, expected: int, index: str) -> None:
    """
    Make sure that a question's vector is as wide as the documents' are.

    :param given: How many numbers the question's has.
    :param expected: How many the documents' have.
    :param index: What to call the index.
    :raises ValueError: If it is not.
    """
    if given != expected:
        msg = (
            f"query_embedding has {given} numbers, the vectors of the index {index} have {expected}: embed queries by "
            "the model that embedded the documents"
        )
        raise ValueError(msg)
