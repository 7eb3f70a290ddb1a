# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""TOML, read to values that a store takes."""

import tomllib
from datetime import date, time
from typing import Any


def parse_toml(text: str) -> dict[str, Any]:
    """
    Parse a TOML text.

    :param text: the text.
    :returns: its content; dates and times are texts, as ISO 8601 writes them.
    :raises ValueError: if it is not TOML, or its values are nested too deep.
    """
    try:
        return {key: _plain(value) for key, value in tomllib.loads(text).items()}
    except tomllib.TOMLDecodeError as error:
        msg = f"not TOML: {error}"
        raise ValueError(msg) from error
    except RecursionError as error:
        msg = "not TOML that can be read: its values are nested too deep"
        raise ValueError(msg) from error


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    # A date with a time is a date.
    return value.isoformat() if isinstance(value, date | time) else value
