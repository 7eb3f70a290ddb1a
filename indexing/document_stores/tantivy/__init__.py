# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The embedded document store: BM25 on disk, by tantivy."""

from haystack_integrations.document_stores.tantivy.document_store import TantivyDocumentStore
from haystack_integrations.document_stores.tantivy.errors import (
    IndexDamagedError,
    IndexLockedError,
    IndexOpenError,
    OtherEncoderError,
)

__all__ = ["IndexDamagedError", "IndexLockedError", "IndexOpenError", "OtherEncoderError", "TantivyDocumentStore"]
