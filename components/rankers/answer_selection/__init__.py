# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Answer-selection rankers."""

from haystack_integrations.components.rankers.answer_selection.bm25 import BM25Ranker
from haystack_integrations.components.rankers.answer_selection.ctrn import CTRNRanker
from haystack_integrations.components.rankers.answer_selection.qrnn import QRNNRanker

__all__ = ["BM25Ranker", "CTRNRanker", "QRNNRanker"]
