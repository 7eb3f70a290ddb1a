# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""An entry's cosine with a question, computed from its texts: what hybrid retrieval gives from stored vectors."""

from answer_selection.indexing.encoder import TextEncoder, entry_text
from answer_selection.indexing.fusion import with_passages
from answer_selection.indexing.passages import passage_texts


def entry_cosine(encoder: TextEncoder, query: str, question: str | None, answer: str) -> float:
    """Encode all texts anew; passages are stored in half precision, so compare to 0.001."""
    asked, whole, *passages = encoder.encode([query, entry_text(question, answer), *passage_texts(question, answer)])
    best = max((float(asked @ passage) for passage in passages), default=None)
    return with_passages(float(asked @ whole), best)
