# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Where YAML of an earlier version looks for APBiLSTMRanker."""

from haystack_integrations.components.rankers.answer_selection.retired import retired

APBiLSTMRanker = retired("APBiLSTMRanker", __name__)
