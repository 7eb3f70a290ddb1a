# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Encoding the answers of an index that is there: those that have no vector of this model and text yet."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from haystack import Document

from answer_selection.indexing.batched import batched, streamed
from answer_selection.indexing.corpus_index import CorpusIndex, DocumentUpdate

if TYPE_CHECKING:
    from haystack_integrations.components.embedders.answer_selection import AnswerEncoder

# Answers that are on disk together: a killed run loses no more. In an index on disk they are one commit.
BATCH: Final = 10_000
# Vectors are lists of Python's numbers, of which a thousand answers have megabytes.
_PAGE: Final = 1000


@dataclass(frozen=True, slots=True)
class EncodeReport:
    """
    What encoding did.

    :param encoded: Answers that got a vector.
    :param left: Answers that had theirs already.
    """

    encoded: int
    left: int


def encode_index(
    index: CorpusIndex,
    encoder: "AnswerEncoder",
    *,
    progress: Callable[[int], None] | None = None,
) -> EncodeReport:
    """
    Write vectors into the documents of an index. Doing it twice changes nothing; a killed run goes on where it was.

    :param index: The index.
    :param encoder: Makes the vectors, and says where they go.
    :param progress: Called with the number of answers that were looked at so far.
    :returns: What was done.
    """
    place = encoder.place
    fields = ["id", "content", *(f"meta.{name}" for name in (*encoder.meta_fields_to_embed, place.fingerprint_field))]
    seen = encoded = 0

    def missing() -> Iterator[Document]:
        nonlocal seen
        for page in index.iter_pages(fields, page_size=_PAGE):
            for row in page:
                meta = {name.removeprefix("meta."): value for name, value in row.items() if name.startswith("meta.")}
                document = Document(id=row["id"], content=row["content"], meta=meta)
                seen += 1
                if not encoder.is_encoded(document):
                    yield document
            if progress:
                progress(seen)

    def updates(documents: Iterator[Document]) -> Iterator[DocumentUpdate]:
        nonlocal encoded
        for page in batched(documents, _PAGE):
            for document, change in zip(page, encoder.encode(page), strict=True):
                yield DocumentUpdate(document.id, change.embedding, change.meta)
            encoded += len(page)

    for documents in streamed(missing(), BATCH):
        index.update_documents(updates(documents))
    return EncodeReport(encoded, seen - encoded)
