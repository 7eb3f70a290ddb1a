# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What a configuration's fields may hold: said once, by their annotations, which values are held against."""

import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Final, TypeAlias, Union, get_args, get_origin


@dataclass(frozen=True, slots=True)
class Range:
    """
    The numbers that a field may hold. Both ends are finite, so that NaN and infinity are in none.

    :param least: the least of them.
    :param most: the greatest of them.
    :param above: whether `least` itself is left out.
    :param below: whether `most` itself is left out.
    """

    least: float
    most: float
    above: bool = False
    below: bool = False

    def __contains__(self, value: Any) -> bool:
        """Whether a number is in the range."""
        return bool(
            (value > self.least if self.above else value >= self.least)
            and (value < self.most if self.below else value <= self.most)
        )

    def __str__(self) -> str:
        """The end of a message."""
        least = f"{'above' if self.above else 'of at least'} {self.least}"
        return f"{least} and {'below' if self.below else 'at most'} {self.most}"


@dataclass(frozen=True, slots=True)
class OneOf:
    """
    The names that a field may hold.

    :param names: these names.
    """

    names: tuple[str, ...]

    def __contains__(self, value: object) -> bool:
        """Whether a value is one of the names."""
        return value in self.names

    def __str__(self) -> str:
        """The end of a message."""
        return f"one of {', '.join(self.names)}"


# The upper ends are far beyond what is of use. They are there so that no field makes a program hang or fill the memory.
Size: TypeAlias = Annotated[int, Range(1, 65_536)]
"""The size of a vector."""
Count: TypeAlias = Annotated[int, Range(1, 1_000)]
"""How many there are of something that is repeated, such as layers."""
Length: TypeAlias = Annotated[int, Range(1, 1_000_000)]
"""How many words or tokens are read."""
Rate: TypeAlias = Annotated[float, Range(0, 1, below=True)]
"""The part that training drops."""

_CALLED: Final = {bool: "true or false", int: "a whole number", float: "a number", str: "a text", Mapping: "a mapping"}
# transformers' own fields, such as an encoder's, have no ranges; a base of angles is the greatest number among them.
_MOST: Final = 10_000_000
_MOST_LABELS: Final = 10_000


def check(name: str, value: Any, kind: Any) -> None:
    """
    Check a field.

    :param name: what the field is called.
    :param value: what it holds.
    :param kind: its annotation: a type, with a limit (`Annotated`) or without, of which there may be a list, or None.
        What is `Any` the configuration checks by itself.
    :raises ValueError: if the value is none of these; the message names the field and says what was expected.
    """
    if kind is Any:
        return
    if get_origin(kind) in (Union, UnionType):
        if value is None:
            return
        [kind] = [each for each in get_args(kind) if each is not NoneType]
    kind, *limits = get_args(kind) if get_origin(kind) is Annotated else (kind,)
    origin = get_origin(kind) or kind
    if origin is Sequence:
        if isinstance(value, str) or not isinstance(value, Sequence):
            _refuse(name, "a list", value)
        for element in value:
            check(name, element, get_args(kind)[0])
        return
    # True is no number, although Python says so; 1 is good for a float.
    fits = isinstance(value, int | float if origin is float else origin)
    fits = fits and (origin is bool or not isinstance(value, bool))
    if not fits or not all(value in limit for limit in limits):
        named = any(isinstance(limit, OneOf) for limit in limits)
        _refuse(name, " ".join([*([] if named else [_CALLED[origin]]), *map(str, limits)]), value)


def _refuse(name: str, expected: str, value: object) -> None:
    msg = f"{name} must be {expected}, but is {reprlib.repr(value)}"
    raise ValueError(msg)


def check_numbers(name: str, value: object) -> None:
    """
    Check fields that are transformers' own, whose ranges are not known here: no number may be NaN or enormous.

    :param name: what the field is called.
    :param value: what it holds, as JSON has it.
    :raises ValueError: if a number in it is not finite or too great; the message names it.
    """
    if isinstance(value, Mapping):
        for key, inner in value.items():
            check_numbers(f"{name}.{key}" if name else str(key), inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            check_numbers(name, inner)
    elif isinstance(value, int | float):
        # transformers makes a name for every label.
        limits = Range(0, _MOST_LABELS) if name.rpartition(".")[2] == "num_labels" else Range(-_MOST, _MOST)
        if value not in limits:
            _refuse(name, f"a number {limits}", value)
