# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Checks of what a configuration's fields hold; their messages name the field."""


def at_least(name: str, value: object, least: int) -> None:
    """
    Check a whole number of a configuration.

    :param name: what it is called.
    :param value: the number.
    :param least: what it must not be below.
    :raises ValueError: if it is below, or no whole number.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        msg = f"{name} must be a whole number of at least {least}, but is {value!r}"
        raise ValueError(msg)


def one_of(name: str, value: object, known: tuple[str, ...]) -> None:
    """
    Check a name of a configuration.

    :param name: what the field is called.
    :param value: its value.
    :param known: the values that it may have.
    :raises ValueError: if it is none of them.
    """
    if value not in known:
        msg = f"{name} must be one of {', '.join(known)}, but is {value!r}"
        raise ValueError(msg)
