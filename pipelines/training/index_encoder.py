# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The encoder of an index's vectors, for training."""

from answer_selection.indexing.corpus_index import CorpusIndex
from answer_selection.indexing.encoder import TextEncoder


def load_encoder_of(index: CorpusIndex) -> TextEncoder | None:
    """
    Load what made an index's vectors.

    :param index: The index.
    :returns: The encoder; None if the index has no vectors, or it is not known which encoder made them.
    :raises ValueError: If there is no such encoder, or it is no longer the one that made them.
    """
    from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder

    record = index.encoder
    if record is None:
        return None
    encoder = SentenceEncoder.load(record.name)
    if encoder.record.fingerprint != record.fingerprint:
        msg = f"the vectors of the index {index.label} are of an encoder {record.name!r} with the fingerprint "
        msg += f"{record.fingerprint}, but {record.name!r} now has {encoder.record.fingerprint}: encode the index again"
        raise ValueError(msg)
    return encoder
