# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Where YAML of an earlier version looks for LSTMRanker."""

from haystack_integrations.components.rankers.answer_selection.retired import retired

LSTMRanker = retired("LSTMRanker", __name__)
