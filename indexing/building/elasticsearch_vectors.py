# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Vectors in the bulk stream: a batch's documents get theirs, new ones or those that the live version has already."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from haystack import Document

from answer_selection.indexing.building.embedding import embed, meta_of
from answer_selection.indexing.computed_fields import COMPUTED_FIELDS
from answer_selection.indexing.elasticsearch.retry import patiently
from answer_selection.indexing.elasticsearch.writer import Batch, Operation
from answer_selection.indexing.encoder import TextEncoder
from answer_selection.indexing.passages import MOST_PASSAGES, without
from answer_selection.indexing.word_states import ReadsWords

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

# So many digits give back a number in single precision as it was.
_NUMBER: Final = "%.9g"
_NUMBER_BYTES: Final = len("-1.23456789e-38,")
# Half precision in base64.
_PASSAGE_BYTES: Final = 3
_NAMES_BYTES: Final = 300


class BatchVectors:
    """
    Gives the documents of batches their vectors.

    :param client: The cluster.
    :param encoder: Makes the vectors.
    :param known: A version whose documents' vectors are taken where encoder and text are the same; None is none.
    :param passages: Whether documents get the vectors of their passages too.
    :param words: Reads the documents' words; None leaves their states out.
    """

    def __init__(
        self,
        client: "Elasticsearch",
        encoder: TextEncoder,
        known: str | None,
        *,
        passages: bool,
        words: ReadsWords | None,
    ) -> None:
        self._client, self._encoder, self._known = client, encoder, known
        self._passages, self._words = passages, words
        self._numbers = ",".join([_NUMBER] * encoder.record.dimension)

    @property
    def document_bytes(self) -> int:
        """The most bytes that a document grows by."""
        passages = MOST_PASSAGES * _PASSAGE_BYTES if self._passages else 0
        words = 0 if self._words is None else self._words.most_bytes
        return self._encoder.record.dimension * (_NUMBER_BYTES + passages) + words + _NAMES_BYTES

    def added_to(self, batch: Batch) -> tuple[Batch, int]:
        """
        Add the vectors.

        :param batch: Documents without them.
        :returns: The same documents with vectors and fingerprints, and how many were encoded now.
        :raises ValueError: If the encoder gives something else than vectors of finite numbers, as many as it says.
        """
        sources: list[dict[str, Any]] = [json.loads(operation.source or b"{}") for operation in batch.operations]
        documents = [
            Document(id=operation.id, content=source["content"], meta={"question": source.get("question")})
            for operation, source in zip(batch.operations, sources, strict=True)
        ]
        stored = self._stored([document.id for document in documents])
        embedded = embed(self._encoder, documents, stored, passages=self._passages, words=self._words)
        operations = [
            Operation(document.id, self._joined(source, document))
            for source, document in zip(sources, embedded.documents, strict=True)
        ]
        return replace(batch, operations=operations), embedded.encoded

    def _stored(self, ids: Sequence[str]) -> list[Document]:
        """What is there already of these documents: their vectors and fingerprints."""
        if self._known is None:
            return []
        fields = ["embedding", *COMPUTED_FIELDS]
        answer = patiently(lambda: self._client.mget(index=self._known, ids=ids, source_includes=fields))
        return [
            Document(
                id=found["_id"],
                embedding=source.get("embedding"),
                meta={key: source.get(key) for key in COMPUTED_FIELDS},
            )
            for found in answer["docs"]
            if (source := found.get("_source"))
        ]

    def _joined(self, source: dict[str, Any], document: Document) -> bytes:
        vector, record = document.embedding or [], self._encoder.record
        if len(vector) != record.dimension or not np.isfinite(vector).all():
            msg = (
                f"the encoder {record.name} gives {document.id!r} a vector of {len(vector)} numbers, expected "
                f"{record.dimension} finite ones"
            )
            raise ValueError(msg)
        fields = {**without(source), **meta_of(document)}
        text = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
        return f'{text[:-1]},"embedding":[{self._numbers % tuple(vector)}]}}'.encode()
