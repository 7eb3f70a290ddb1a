# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Sentence encoders, and the one that comes with the package: what embedders and rankers both run."""
