# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Texts prepared before they are indexed, searched or ranked: parse trees, spelling."""

from typing import TYPE_CHECKING

from answer_selection.indexing.lazy_package import on_demand

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
__getattr__ = on_demand(__name__, _MODULES)
