# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Where YAML of an earlier version looks for QRNNRanker."""

from haystack_integrations.components.rankers.answer_selection.retired import retired

QRNNRanker = retired("QRNNRanker", __name__)
