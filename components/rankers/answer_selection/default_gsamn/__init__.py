# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The GSAMN that `AnswerRanker` and `GSAMNRanker` use when no model is named."""
