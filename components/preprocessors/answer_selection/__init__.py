# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Texts prepared before they are indexed or ranked: parse trees."""

from haystack_integrations.components.preprocessors.answer_selection.constituency_parser import ConstituencyParser

__all__ = ["ConstituencyParser"]
