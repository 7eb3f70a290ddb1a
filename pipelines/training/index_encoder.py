# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The encoder of an index's vectors, for training."""

from answer_selection.indexing.corpus_index import CorpusIndex
from answer_selection.indexing.encoder import TextEncoder


def load_encoder_of(index: CorpusIndex) -> TextEncoder | None:
    """
    Load what made an index's vectors, for searching them beside BM25.

    :param index: The index.
    :returns: The encoder; None if the index has no vectors, or does not search them beside BM25.
    :raises ValueError: If there is no such encoder, or it is no longer the one that made them.
    """
    return maker_of_vectors(index) if hasattr(index, "search_hybrid") else None


def maker_of_vectors(index: CorpusIndex) -> TextEncoder | None:
    """
    Load what made an index's vectors, whether or not the index searches them.

    :param index: The index.
    :returns: The encoder; None if the index has no vectors.
    :raises ValueError: If there is no such encoder, or it is no longer the one that made them.
    """
    from haystack_integrations.components.embedders.answer_selection.sentence_encoder import SentenceEncoder

    record = getattr(index, "encoder", None)
    if record is None:
        return None
    encoder = SentenceEncoder.load(record.name)
    if encoder.record.fingerprint != record.fingerprint:
        msg = f"the vectors of the index {index.label} are of an encoder {record.name!r} with the fingerprint "
        msg += f"{record.fingerprint}, but {record.name!r} now has {encoder.record.fingerprint}: encode the index again"
        raise ValueError(msg)
    return encoder
