# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Packages that import a part of theirs when it is asked for, and not before."""

from collections.abc import Callable, Mapping
from importlib import import_module


def on_demand(package: str, modules: Mapping[str, str]) -> Callable[[str], object]:
    """
    Make a package's ``__getattr__`` (PEP 562).

    :param package: The package's name.
    :param modules: The module, in the package, of each name that can be imported from it.
    :returns: What gives the value of a name; an AttributeError if the package has no such name.
    """

    def attribute(name: str) -> object:
        if name not in modules:
            msg = f"module '{package}' has no attribute '{name}'"
            raise AttributeError(msg)
        return getattr(import_module(f"{package}.{modules[name]}"), name)

    return attribute
