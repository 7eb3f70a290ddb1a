# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Texts prepared before they are indexed, searched or ranked: parse trees, spelling."""

from haystack_integrations.components.preprocessors.answer_selection.constituency_parser import ConstituencyParser
from haystack_integrations.components.preprocessors.answer_selection.spelling_corrector import QuerySpellingCorrector

__all__ = ["ConstituencyParser", "QuerySpellingCorrector"]
