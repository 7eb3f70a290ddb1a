# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Texts prepared before they are indexed, searched or ranked: parse trees, spelling."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from haystack_integrations.components.preprocessors.answer_selection.constituency_parser import (
        ConstituencyParser as ConstituencyParser,
    )
    from haystack_integrations.components.preprocessors.answer_selection.spelling_corrector import (
        QuerySpellingCorrector as QuerySpellingCorrector,
    )

_MODULES = {"ConstituencyParser": "constituency_parser", "QuerySpellingCorrector": "spelling_corrector"}
__all__ = list(_MODULES)


# Every pipeline corrects spelling. What parses takes longer to import than all else that answers a question.
def __getattr__(name: str) -> object:
    if name not in _MODULES:
        msg = f"module '{__name__}' has no attribute '{name}'"
        raise AttributeError(msg)
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
