# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The text of a document that counts as the answer, for rankers and for all that prepares documents for them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from haystack import Document


def answer_text(document: "Document", meta_fields: Sequence[str], separator: str) -> str:
    """
    Gives what is read of a document as the answer.

    :param document: The document.
    :param meta_fields: Metadata whose values are put in front of the content.
    :param separator: What stands between those values and the content.
    :returns: The text.
    """
    content = document.content or ""
    if not meta_fields:
        return content
    embedded = [str(document.meta[key]) for key in meta_fields if document.meta.get(key) is not None]
    return separator.join([*embedded, content])
