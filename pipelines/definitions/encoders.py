# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A definition's text embedders follow the index: a question is encoded as the index's entries were, or not at all."""

from functools import cache
from typing import Any, Final

from answer_selection.indexing.encoder import EncoderRecord
from haystack_integrations.components.rankers.answer_selection.encoders.encoder_folder import (
    find_folder,
    read_folder,
)
from haystack_integrations.components.rankers.answer_selection.models.model_folder import SENTENCE_ENCODER

TEXT_EMBEDDER: Final = (
    "haystack_integrations.components.embedders.answer_selection.text_embedder.AnswerSelectionTextEmbedder"
)
# They search an index without vectors by BM25 alone.
_HYBRID: Final = (
    "haystack_integrations.components.retrievers.tantivy.hybrid_retriever.TantivyHybridRetriever",
    "haystack_integrations.components.retrievers.elasticsearch_hybrid.retriever.ElasticsearchHybridScoreRetriever",
)
# sentence-transformers finds its own models without it.
_HUB_ORGANISATION: Final = "sentence-transformers/"


class EncoderMismatchError(ValueError):
    """A definition encodes questions by another encoder than the one that made its index's vectors."""


def embedder_of(definition: dict[str, Any], retriever: str) -> str | None:
    """
    Find what embeds a retriever's questions.

    :param definition: The definition.
    :param retriever: The retriever's name.
    :returns: The name of the component that is connected to its `query_embedding`; None if there is none.
    """
    for connection in definition.get("connections") or []:
        if connection["receiver"] == f"{retriever}.query_embedding":
            return str(connection["sender"].partition(".")[0])
    return None


def drop_embedder(definition: dict[str, Any], retriever: str) -> None:
    """
    Take away what embeds questions for an index without vectors: it is not loaded for nothing.

    :param definition: The definition, which is changed.
    :param retriever: The retriever; one that needs vectors stays as it is, and will say what is missing.
    """
    embedder = embedder_of(definition, retriever)
    if embedder is None or definition["components"][retriever]["type"] not in _HYBRID:
        return
    connections = [one for one in definition["connections"] if one["receiver"] != f"{retriever}.query_embedding"]
    if not any(_component(one["sender"]) == embedder for one in connections):
        del definition["components"][embedder]
        connections = [one for one in connections if _component(one["receiver"]) != embedder]
        inputs = definition.get("inputs") or {}
        for name, receivers in inputs.items():
            inputs[name] = [one for one in receivers if _component(one) != embedder]
    definition["connections"] = connections


def use_encoder(definition: dict[str, Any], retriever: str, record: EncoderRecord, *, replace: bool) -> None:
    """
    Have a retriever's questions encoded as the entries of its index were, where one of our embedders does it.

    :param definition: The definition, which is changed.
    :param retriever: The retriever.
    :param record: Which encoder made the index's vectors.
    :param replace: Whether the encoder that the definition names gives way to it.
    """
    embedder = embedder_of(definition, retriever)
    component = definition["components"].get(embedder, {})
    if component.get("type") == TEXT_EMBEDDER:
        parameters = component.get("init_parameters") or {}
        if replace or parameters.get("model") is None:
            component["init_parameters"] = {**parameters, "model": record.name}


def check_encoder(definition: dict[str, Any], retriever: str, record: EncoderRecord, index: str) -> None:
    """
    Make sure that a retriever's questions are encoded as the entries of its index were.

    Our encoders are compared by what they are, others by their names.

    :param definition: The definition.
    :param retriever: The retriever.
    :param record: Which encoder made the index's vectors.
    :param index: What to call the index.
    :raises EncoderMismatchError: If it is another encoder.
    :raises ValueError: If one of our encoders can't be found.
    """
    embedder = embedder_of(definition, retriever)
    component = definition["components"].get(embedder, {})
    parameters = component.get("init_parameters") or {}
    model = parameters.get("model")
    if component.get("type") == TEXT_EMBEDDER:
        same = _fingerprint(model, parameters.get("revision")) == record.fingerprint
    else:
        same = not isinstance(model, str) or _plain(model) == _plain(record.name)
    if not same:
        other = model or SENTENCE_ENCODER
        then, cure = "", "name the same one"
        # The package's encoder changes with the package, a folder with what was written into it.
        if other == record.name:
            then, cure = " as it was", "index the sources into a new folder with that of today"
        msg = (
            f"the vectors of the index {index} are of the encoder {record.name!r}{then}, and {embedder!r} would encode "
            f"questions by {other!r}: {cure}"
        )
        raise EncoderMismatchError(msg)


# What a process has loaded is what it saw first.
@cache
def _fingerprint(model: str | None, revision: str | None) -> str:
    return read_folder(find_folder(SENTENCE_ENCODER if model is None else model, None, revision)).fingerprint()


def _plain(name: str) -> str:
    return name.removeprefix(_HUB_ORGANISATION)


def _component(end: str) -> str:
    return end.partition(".")[0]
