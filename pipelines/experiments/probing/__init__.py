# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Probing: what a trained model's vectors of sentences tell of their syntax."""
