# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Checks of a store's arguments, before anything is done with them."""

from collections.abc import Iterable
from typing import Any

from haystack import Document

from answer_selection.indexing.ids import MAX_ID_BYTES


def check_top_k(top_k: int) -> None:
    """
    Make sure that so many results can be asked for.

    :param top_k: Greatest number of results.
    :raises ValueError: If it is not at least 1.
    """
    if isinstance(top_k, bool) or not isinstance(top_k, int) or top_k < 1:
        msg = f"top_k must be an integer of at least 1, got {top_k!r}"
        raise ValueError(msg)


def check_documents(documents: Iterable[Any]) -> None:
    """
    Make sure that documents can be written.

    :param documents: The documents.
    :raises ValueError: If one is none, or its id can't be stored.
    """
    for document in documents:
        if not isinstance(document, Document):
            msg = f"only Documents can be written, got {type(document).__name__}: {document!r}"
            raise ValueError(msg)
        _check_id(document.id)


def _check_id(document_id: str) -> None:
    try:
        size = len(document_id.encode("utf-8"))
    except UnicodeEncodeError as error:
        msg = f"document id {document_id!r} is not valid Unicode: {error.reason}"
        raise ValueError(msg) from error
    if size > MAX_ID_BYTES:
        msg = f"document id {document_id[:40]!r}... has {size} bytes, at most {MAX_ID_BYTES} are allowed"
        raise ValueError(msg)
