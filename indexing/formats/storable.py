# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Refuse values that no store can hold, entry by entry, before one of them ends the writing of all."""

import sys
from typing import Any, Final

# Far more than entries need, and far less than Python's own calls can be nested: stores go through values by recursion.
DEEPEST: Final = 100
"""So deep values may be nested in one another."""


class UnstorableError(ValueError):
    """A value that no store takes; the message says why."""


def check_storable(value: Any) -> None:
    """
    Make sure that a JSON value can be stored.

    :param value: what a reader made of a field.
    :raises UnstorableError: if it is nested too deeply, or holds half of a surrogate pair (``"\\ud800"``) or a number
        that is none (``NaN``), or too large for a float (``1e999``).
    """
    level = [value]
    for _ in range(DEEPEST):
        below: list[Any] = []
        for part in level:
            if isinstance(part, str):
                _check_text(part)
            elif isinstance(part, int | float) and not abs(part) <= sys.float_info.max:  # NaN is neither
                msg = "it holds NaN, or a number beyond 1.8e308"
                raise UnstorableError(msg)
            elif isinstance(part, dict):
                below += part
                below += part.values()
            elif isinstance(part, list):
                below += part
        if not below:
            return
        level = below
    msg = f"it is nested more than {DEEPEST} deep"
    raise UnstorableError(msg)


def _check_text(text: str) -> None:
    if text.isascii():
        return
    try:
        text.encode()
    except UnicodeEncodeError as error:
        msg = f"it holds half of a surrogate pair: \\u{ord(text[error.start]):04x}"
        raise UnstorableError(msg) from error
