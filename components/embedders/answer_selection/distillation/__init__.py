# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""From a large sentence encoder, the teacher, to a small one that gives nearly the same vectors."""
