# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Candidate lists mined from a corpus's own index: for training, for validation, and for YahooQA-style test sets."""

from answer_selection.indexing.negatives.hybrid import HybridSearch
from answer_selection.indexing.negatives.mining import mine
from answer_selection.indexing.negatives.plan import ANSWER_TEXT_ALONE
from answer_selection.indexing.negatives.report import MiningReport
from answer_selection.indexing.negatives.yahooqa import yahooqa_style

__all__ = ["ANSWER_TEXT_ALONE", "HybridSearch", "MiningReport", "mine", "yahooqa_style"]
