# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""How a Document is kept in the index, so that it comes out as it went in or not at all."""

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from zlib import crc32

import numpy as np
from haystack import Document
from haystack.dataclasses import ByteStream, SparseEmbedding

CHECKSUM_BYTES = 4


def encode(document: Document, *, packed: bool) -> bytes:
    """
    Write a document as JSON.

    :param document: The document; metadata are JSON values (a tuple becomes a list).
    :param packed: Whether an embedding is written as its bytes, which is a quarter as long as its digits and read in a
        tenth of the time; an index of an earlier version has digits.
    :returns: ASCII bytes.
    :raises ValueError: If the metadata hold something else; the message names the document and the place.
    """
    _check_json(document.meta, f"document {document.id!r}: meta")
    data: dict[str, Any] = {"id": document.id, "content": document.content, "meta": document.meta}
    if document.blob is not None:
        _check_json(document.blob.meta, f"document {document.id!r}: blob.meta")
        data["blob"] = {
            "data": b64encode(document.blob.data).decode("ascii"),
            "meta": document.blob.meta,
            "mime_type": document.blob.mime_type,
        }
    if document.score is not None:
        data["score"] = document.score
    if document.embedding is not None:
        data["embedding"] = _pack(document.embedding) if packed else document.embedding
    if document.sparse_embedding is not None:
        data["sparse_embedding"] = document.sparse_embedding.to_dict()
    try:
        return json.dumps(data, separators=(",", ":")).encode("ascii")
    except (TypeError, ValueError) as error:
        msg = f"document {document.id!r} can't be written as JSON: {error}"
        raise ValueError(msg) from error


def decode(data: bytes, score: float | None = None, *, embedding: bool = True) -> Document:
    """
    Read what :func:`encode` wrote.

    :param data: JSON.
    :param score: A search's score, which takes the place of the stored one.
    :param embedding: Whether the document has its embedding.
    :returns: A document equal to the one that was written.
    """
    fields = json.loads(data)
    if not embedding:
        fields.pop("embedding", None)
    if score is not None:
        fields["score"] = score
    if "blob" in fields:
        blob = fields["blob"]
        fields["blob"] = ByteStream(data=b64decode(blob["data"]), meta=blob["meta"], mime_type=blob["mime_type"])
    if isinstance(packed := fields.get("embedding"), dict):
        fields["embedding"] = _unpack(packed)
    if "sparse_embedding" in fields:
        fields["sparse_embedding"] = SparseEmbedding.from_dict(fields["sparse_embedding"])
    return Document(**fields)


def decode_id(data: bytes) -> str:
    """
    Read only the id from what :func:`encode` wrote, many times faster than all of it.

    :param data: JSON, in which the id comes first and the content next.
    :returns: The document's id.
    """
    # Quotation marks inside the id are escaped, so these characters can't be a part of it.
    document_id: str = json.loads(data[len(b'{"id":') : data.index(b'","content":') + 1])
    return document_id


def decode_meta(data: bytes) -> dict[str, Any]:
    """
    Read only the metadata from what :func:`encode` wrote: no numbers, no document is made.

    :param data: JSON.
    :returns: The document's metadata.
    """
    meta: dict[str, Any] = json.loads(data)["meta"]
    return meta


def with_checksum(order: int, data: bytes) -> bytes:
    """
    Put a checksum in front of a document.

    :param order: The document's place in the order of writing. It is part of the checksum, so that another document
        in its place is noticed too.
    :param data: What :func:`encode` gave.
    :returns: Checksum and data.
    """
    return _checksum(order, data) + data


def without_checksum(order: int, data: bytes) -> bytes:
    """
    Compare a document with its checksum.

    :param order: The document's place in the order of writing.
    :param data: What :func:`with_checksum` gave.
    :returns: What :func:`encode` gave.
    :raises ValueError: If it is not what was written.
    """
    document = data[CHECKSUM_BYTES:]
    if data[:CHECKSUM_BYTES] != _checksum(order, document):
        msg = "wrong checksum"
        raise ValueError(msg)
    return document


def _checksum(order: int, data: bytes) -> bytes:
    # A CRC that begins with another number ends with another one, for the same data.
    return crc32(data, order % 2**32).to_bytes(CHECKSUM_BYTES, "little")


def with_meta(document: Document, meta: Mapping[str, Any]) -> Document:
    """
    Give a document of which some metadata are replaced.

    :param document: The document, which is left as it is.
    :param meta: Keys and values that are new.
    :returns: A new document with the same id.
    """
    return replace(document, meta={**document.meta, **meta})


def _pack(embedding: Sequence[float]) -> dict[str, str]:
    numbers = np.asarray(embedding, "<f8")
    with np.errstate(over="ignore"):
        single = numbers.astype("<f4")
    # Models give single precision, and then nothing is lost.
    kind, kept = ("<f4", single) if np.array_equal(single, numbers) else ("<f8", numbers)
    return {kind: b64encode(kept.tobytes()).decode("ascii")}


def _unpack(packed: Mapping[str, str]) -> list[float]:
    [(kind, data)] = packed.items()
    numbers: list[float] = np.frombuffer(b64decode(data), kind).tolist()
    return numbers


def _check_json(value: Any, place: str) -> None:
    if value is None or isinstance(value, (str, int, float)):
        return
    if isinstance(value, Mapping):
        for key, item in value.items():
            if not isinstance(key, str):
                msg = f"{place}: keys must be strings, got {type(key).__name__} {key!r}"
                raise ValueError(msg)
            _check_json(item, f"{place}.{key}")
    elif isinstance(value, (list, tuple)):
        for position, item in enumerate(value):
            _check_json(item, f"{place}[{position}]")
    else:
        msg = f"{place}: expected a JSON value (string, number, bool, None, list, dict), got {type(value).__name__}"
        raise ValueError(msg)
