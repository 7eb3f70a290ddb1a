# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Passages of an entry: its question with one sentence of its answer, or with a few where there are many.

The vector of a long answer is of all that it says, and a query often asks for one thing of that. Hybrid retrieval
therefore takes for an entry's cosine the mean of two: that of the whole entry, and the best of its passages. It is
computed for the candidates alone; an answer of one sentence has no passages, and its entry's cosine stays as it is.

All of a document's passages are one string in its metadata, the fingerprint of its embedding and the vectors in half
precision: so they are of the same encoder and text as the embedding, or of no use.
"""

from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any, Final, TypeVar

import numpy as np
from haystack import Document
from numpy.typing import NDArray

from answer_selection.indexing.encoder import FINGERPRINT_FIELD, entry_question, entry_text
from answer_selection.indexing.text.sentences import sentences

PASSAGES_FIELD: Final = "passage_vectors"
"""The metadata key of a document's passages."""

MOST_PASSAGES: Final = 16
"""The most passages of an entry."""

_NUMBER: Final = np.dtype("<f2")

K = TypeVar("K", bound=Any)


def pieces(answer: str) -> list[str]:
    """
    Give the parts of an answer that passages are made of.

    :param answer: The answer.
    :returns: Its sentences, neighbours joined evenly where there are more than :data:`MOST_PASSAGES`; none of an answer
        of one sentence.
    """
    found = sentences(answer)
    if len(found) < 2:
        return []
    if len(found) <= MOST_PASSAGES:
        return found
    ends = [round(len(found) * number / MOST_PASSAGES) for number in range(MOST_PASSAGES + 1)]
    return [" ".join(found[start:end]) for start, end in pairwise(ends)]


def passage_texts(question: str | None, answer: str) -> list[str]:
    """
    Give the texts of an entry's passages.

    :param question: The entry's question, or None.
    :param answer: Its answer.
    :returns: The texts.
    """
    return [entry_text(question, piece) for piece in pieces(answer)]


def document_passages(document: Document) -> list[str]:
    """
    Give the texts of a document's passages.

    :param document: The document of an entry.
    :returns: The texts.
    """
    return passage_texts(entry_question(document), document.content or "")


def pack(fingerprint: str, vectors: NDArray[Any], what: str) -> str:
    """
    Write passages' vectors.

    :param fingerprint: The fingerprint of the document's embedding.
    :param vectors: The vectors at unit length [k, dimension].
    :param what: Whose they are, for messages.
    :returns: What stands in the document's metadata.
    :raises ValueError: If there are other than finite numbers among them.
    """
    if not np.isfinite(vectors).all():
        msg = f"a vector of a passage of {what} holds NaN or infinity, expected finite numbers"
        raise ValueError(msg)
    return f"{fingerprint}:{b64encode(vectors.astype(_NUMBER).tobytes()).decode('ascii')}"


def unpack(meta: Mapping[str, Any], dimension: int) -> NDArray[np.float16] | None:
    """
    Read passages' vectors.

    :param meta: A document's metadata.
    :param dimension: Numbers a vector.
    :returns: The vectors [k, dimension]; None if the document has no passages.
    :raises ValueError: If they are of another encoder or text than the document's embedding, or no such vectors.
    """
    stored = meta.get(PASSAGES_FIELD)
    if stored is None:
        return None
    fingerprint, colon, numbers = stored.partition(":") if isinstance(stored, str) else ("", "", "")
    if not colon:
        msg = f"{PASSAGES_FIELD} is no string of a fingerprint, a colon and base64"
        raise ValueError(msg)
    if fingerprint != meta.get(FINGERPRINT_FIELD):
        msg = (
            f"{PASSAGES_FIELD} is of another encoder or text ({fingerprint}) than the embedding "
            f"({meta.get(FINGERPRINT_FIELD)})"
        )
        raise ValueError(msg)
    try:
        data = b64decode(numbers, validate=True)
    except ValueError as error:
        msg = f"{PASSAGES_FIELD} holds no base64: {error}"
        raise ValueError(msg) from error
    number, rest = divmod(len(data), _NUMBER.itemsize * dimension)
    if rest or not 1 <= number <= MOST_PASSAGES:
        msg = f"{PASSAGES_FIELD} has {len(data)} bytes, expected 1 to {MOST_PASSAGES} vectors of {dimension} numbers"
        raise ValueError(msg)
    vectors = np.frombuffer(data, _NUMBER).reshape(number, dimension)
    if not np.isfinite(vectors).all():
        msg = f"{PASSAGES_FIELD} holds NaN or infinity, expected finite numbers"
        raise ValueError(msg)
    return vectors


def usable(meta: Mapping[str, Any], dimension: int) -> NDArray[np.float16] | None:
    """
    Read passages' vectors if they are of use, as :func:`unpack` does.

    :param meta: A document's metadata.
    :param dimension: Numbers a vector.
    :returns: The vectors [k, dimension]; None if the document has none, or none that can be used: then its embedding
        alone counts.
    """
    try:
        return unpack(meta, dimension)
    except ValueError:
        return None


def usable_of(metas: Mapping[K, Mapping[str, Any]], dimension: int) -> Iterator[tuple[K, NDArray[np.float16]]]:
    """
    Read the vectors of several documents' passages, as :func:`usable` does.

    :param metas: Documents' metadata.
    :param dimension: Numbers a vector.
    :returns: Those that have passages of use, with the vectors of these.
    """
    for key, meta in metas.items():
        if (vectors := usable(meta, dimension)) is not None:
            yield key, vectors


def best_cosines(passages: Iterable[tuple[K, NDArray[Any]]], query: NDArray[Any]) -> dict[K, float]:
    """
    Compare a query with documents' passages.

    :param passages: Documents that have passages, with the vectors [k, dimension] of these.
    :param query: The query's unit vector.
    :returns: Each one's best cosine.
    """
    found = dict(passages)
    if not found:
        return {}
    stacked = np.concatenate(list(found.values())).astype(np.float32)
    # Row by row, so that equal vectors have equal cosines wherever they stand.
    cosines = np.vecdot(stacked, query.astype(np.float32))
    starts = np.cumsum([0, *(len(vectors) for vectors in found.values())])[:-1]
    return dict(zip(found, np.maximum.reduceat(cosines, starts).tolist(), strict=True))


def without(meta: Mapping[str, Any]) -> dict[str, Any]:
    """
    Leave passages out.

    :param meta: A document's metadata.
    :returns: All else.
    """
    return {key: value for key, value in meta.items() if key != PASSAGES_FIELD}
