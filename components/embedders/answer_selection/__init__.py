# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Answers encoded when they are indexed."""

from haystack_integrations.components.embedders.answer_selection.answer_encoder import AnswerEncoder

__all__ = ["AnswerEncoder"]
