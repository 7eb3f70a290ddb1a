# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Questions, documents and answers made into vectors."""

from haystack_integrations.components.embedders.answer_selection.answer_encoder import AnswerEncoder
from haystack_integrations.components.embedders.answer_selection.document_embedder import (
    AnswerSelectionDocumentEmbedder,
)
from haystack_integrations.components.embedders.answer_selection.text_embedder import AnswerSelectionTextEmbedder

__all__ = ["AnswerEncoder", "AnswerSelectionDocumentEmbedder", "AnswerSelectionTextEmbedder"]
