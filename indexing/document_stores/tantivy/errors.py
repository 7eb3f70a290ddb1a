# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Errors of the embedded index."""

from haystack.document_stores.errors import DocumentStoreError


class IndexOpenError(DocumentStoreError):
    """The folder holds no index, not one of ours, a damaged one, or one that was made with other settings."""


class IndexLockedError(DocumentStoreError):
    """Another writer, in this process or another, is at work on the index."""
