# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Which encoder the entries of an index get their vectors from."""

from typing import TYPE_CHECKING, Final

from answer_selection.indexing.encoder import TextEncoder
from answer_selection.indexing.word_states import ReadsWords

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

    from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

DEFAULT_ENCODER: Final = "answer-selection-small"
"""The encoder of a new index."""
NO_ENCODER: Final = "none"
"""What stands for BM25 alone where an encoder is named."""


def choose_encoder(store: "TantivyDocumentStore", name: str | None) -> TextEncoder | None:
    """
    Choose the encoder for what is written into an index: the one that is asked for, that of the index, or the default.

    :param store: The index, which need not be there.
    :param name: The encoder that is asked for, :data:`NO_ENCODER`, or None.
    :returns: The encoder; None for an index that is to have no vectors.
    :raises ValueError: If none is asked for, but the index has vectors; or nobody says of which encoder those are; or
        the encoder can't be loaded.
    """
    known = store.encoder
    if name == NO_ENCODER:
        if known is not None:
            msg = (
                f"the index in {store.path} has vectors of the encoder {known.name!r}, and new entries get them too: "
                f"leave out --encoder {NO_ENCODER}, or index the sources into a new folder"
            )
            raise ValueError(msg)
    elif name is None and known is not None:
        name = known.name
    elif name is None and store.has_vectors:
        msg = (
            f"the index in {store.path} has vectors, but does not say of which encoder: name it with --encoder, or "
            f"pass --encoder {NO_ENCODER} to write new entries without vectors"
        )
        raise ValueError(msg)
    elif name is None and store.count_documents():
        name = NO_ENCODER
    return encoder_of_new(name, store.language)


def choose_elasticsearch_encoder(
    client: "Elasticsearch", index: str, name: str | None, language: str | None
) -> TextEncoder | None:
    """
    Choose the encoder for what is written into Elasticsearch: the one that is asked for, the index's, or the default.

    Whether the index can have it is known by whoever writes: a new version can.

    :param client: The cluster.
    :param index: The index's name.
    :param name: The encoder that is asked for, :data:`NO_ENCODER`, or None.
    :param language: The language of stemming of a new index, or None.
    :returns: The encoder; None for an index without vectors.
    :raises ValueError: If the encoder can't be loaded.
    :raises answer_selection.indexing.elasticsearch.connection.ElasticsearchError: If the cluster fails.
    """
    from answer_selection.indexing.elasticsearch.connection import clear_errors
    from answer_selection.indexing.elasticsearch.versions import find_versions, live_one

    if name is None:
        with clear_errors():
            live = live_one(find_versions(client, index))
        if live is not None:
            name = live.encoder.name if live.encoder else NO_ENCODER
    return encoder_of_new(name, language)


def encoder_of_new(name: str | None, language: str | None) -> TextEncoder | None:
    """
    Choose the encoder of a new index: the one that is asked for, or the default, which reads English.

    :param name: The encoder that is asked for, :data:`NO_ENCODER`, or None.
    :param language: The language of stemming, or None. Unless it is English, the default is none: vectors of texts that
        an encoder can't read make retrieval worse than BM25 alone.
    :returns: The encoder; None for an index without vectors.
    :raises ValueError: If the encoder can't be loaded.
    """
    if name is None:
        name = DEFAULT_ENCODER if language in ("english", None) else NO_ENCODER
    return None if name == NO_ENCODER else load_encoder(name)


def load_encoder(name: str) -> TextEncoder:
    """
    Load an encoder.

    :param name: A folder, a name on the hub, or that of the encoder of this package.
    :returns: The encoder.
    :raises ValueError: If there is no such encoder.
    """
    from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder

    encoder: TextEncoder = SentenceEncoder.load(name)
    return encoder


def load_word_reader(encoder: TextEncoder | None) -> ReadsWords | None:
    """
    Load what reads the words of entries for rankers: the package's own encoder, whatever encoder makes the vectors.

    :param encoder: The encoder of the index; None for an index without vectors, which is made fast and has no words.
    :returns: The reader; None for such an index.
    :raises ValueError: If a file of it is missing or damaged.
    """
    from haystack_integrations.components.rankers.answer_selection.encoders.word_reader import WordReader

    if encoder is None:
        return None
    reader: ReadsWords = WordReader.load()
    return reader
