# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""StackExchange's public dumps as a corpus with questions."""

from answer_selection.indexing.stackexchange.convert import StackExchangeReport, convert_dump
from answer_selection.indexing.stackexchange.posts import Answer, DamagedDumpError, Question, iter_posts

__all__ = ["Answer", "DamagedDumpError", "Question", "StackExchangeReport", "convert_dump", "iter_posts"]
