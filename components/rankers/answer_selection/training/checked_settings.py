# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Settings whose every value is checked: what the classes of such settings share."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from types import NoneType, UnionType
from typing import Any, ClassVar, NoReturn, Self, get_args, get_origin, get_type_hints


def _number(value: Any) -> Any:
    try:
        return float(value) if isinstance(value, str) else value
    except ValueError:
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedSettings:
    """What settings have in common. An error names the field, what it is and what was expected."""

    called: ClassVar[str] = "training setting"
    """What an error calls a field."""

    def refuse(self, name: str, expected: str) -> NoReturn:
        """
        Say that a value is wrong.

        :param name: the field's name.
        :param expected: what was expected.
        :raises ValueError: always.
        """
        msg = f"{self.called} '{name}' is {getattr(self, name)!r}; expected {expected}"
        raise ValueError(msg)

    def check_types(self) -> None:
        """
        Check that every value is of its field's type.

        :raises ValueError: if one is not.
        """
        hints = get_type_hints(type(self))
        for field in fields(self):
            self._check_type(field.name, hints[field.name])

    def _check_type(self, name: str, hint: Any) -> None:
        value = getattr(self, name)
        kinds = get_args(hint) if get_origin(hint) is UnionType else (get_origin(hint) or hint,)
        # YAML's 1 is good for a float, but True is no number, although Python says so.
        fits = isinstance(value, kinds) or (float in kinds and isinstance(value, int))
        if isinstance(value, float) and not math.isfinite(value):
            self.refuse(name, "a finite number")
        if not fits or (isinstance(value, bool) and bool not in kinds):
            self.refuse(name, " or ".join("nothing" if kind is NoneType else kind.__name__ for kind in kinds))

    def to_dict(self) -> dict[str, Any]:
        """Give all settings as a dictionary."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """
        Read settings from a dictionary; what it leaves out has its default.

        :param values: by field name.
        :returns: the settings.
        :raises ValueError: naming the field that is unknown or has a wrong value.
        """
        known = [field.name for field in fields(cls)]
        if unknown := [str(name) for name in values if name not in known]:
            msg = f"unknown {cls.called} '{unknown[0]}'; expected one of {', '.join(known)}"
            raise ValueError(msg)
        # YAML 1.1 takes 1e-3 for text and wants 1.0e-3; people write the first.
        return cls(**{name: _number(value) for name, value in values.items()})
