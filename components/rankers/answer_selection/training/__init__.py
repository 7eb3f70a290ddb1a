# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""From candidate lists to a model folder: settings, losses, batches, the training loop, word vectors, the card."""
