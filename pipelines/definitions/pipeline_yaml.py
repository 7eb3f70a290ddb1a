# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The shipped YAML pipelines, and one's own, pointed at an index and a model."""

from collections.abc import Mapping
from contextlib import closing, suppress
from copy import deepcopy
from importlib.resources import files
from inspect import signature
from pathlib import Path
from typing import Any, Final

import yaml
from haystack import Pipeline

from answer_selection.indexing.elasticsearch.connection import ElasticsearchError
from answer_selection.indexing.encoder import EncoderRecord
from answer_selection.indexing.yaml_text import read_yaml
from answer_selection.pipelines.definitions import elasticsearch_store
from answer_selection.pipelines.definitions.encoders import check_encoder, drop_embedder, embedder_of, use_encoder
from answer_selection.pipelines.definitions.yaml_fields import FieldError, parse
from haystack_integrations.components.embedders.answer_selection import AnswerEncoder
from haystack_integrations.document_stores.tantivy import IndexOpenError, TantivyDocumentStore
from haystack_integrations.document_stores.tantivy.errors import missing

TANTIVY_STORE = "haystack_integrations.document_stores.tantivy.document_store.TantivyDocumentStore"
ELASTICSEARCH_STORE = "haystack_integrations.document_stores.elasticsearch.document_store.ElasticsearchDocumentStore"
STORES = (TANTIVY_STORE, ELASTICSEARCH_STORE)
RETRIEVERS = "haystack_integrations.components.retrievers."
RANKERS = "haystack_integrations.components.rankers.answer_selection."
ANSWER_RANKER = f"{RANKERS}answer_ranker.AnswerRanker"
BM25_RANKER = f"{RANKERS}bm25.BM25Ranker"
# More than any retriever finds.
_ALL: Final = 1_000_000
SHIPPED = ("index_faq", "index_faq_trees", "answer", "answer_elasticsearch", "answer_trees", "rag")


class PipelineFileError(ValueError):
    """A pipeline's YAML cannot be used; the message names the file and what was expected."""


def read(pipeline: str | Path) -> dict[str, Any]:
    """
    Read a pipeline's definition.

    :param pipeline: Path of a YAML file, or the name of a shipped one (:data:`SHIPPED`).
    :returns: The definition, as YAML has it.
    :raises PipelineFileError: If there is no such file, or it does not define a pipeline.
    """
    if pipeline in SHIPPED:
        text = files("answer_selection.pipelines").joinpath("shipped", f"{pipeline}.yaml").read_text(encoding="utf-8")
    else:
        try:
            text = read_yaml(Path(pipeline))
        except OSError as error:
            msg = f"{pipeline}: {error.strerror}; expected a YAML file, or one of {', '.join(SHIPPED)}"
            raise PipelineFileError(msg) from error
        except ValueError as error:
            raise PipelineFileError(str(error)) from error
    try:
        content = parse(text, str(pipeline))
    except ValueError as error:
        raise PipelineFileError(str(error)) from error
    definition = content.data
    try:
        _check(definition)
    except FieldError as error:
        msg = f"{content.place(error.path, str(pipeline))}: {error}"
        raise PipelineFileError(msg) from error
    return dict(definition)


def _check(definition: Any) -> None:
    """Refuse what Haystack's Pipeline.dumps would never write."""
    if not isinstance(definition, dict) or not isinstance(definition.get("components"), dict):
        msg = "expected a mapping with `components`, as Haystack's Pipeline.dumps writes it"
        raise FieldError(msg, *(["components"] if isinstance(definition, dict) else []))
    for name, component in definition["components"].items():
        if not isinstance(component, dict) or not isinstance(component.get("type"), str):
            msg = f"component {name!r}: expected a mapping with the `type` of the component"
            raise FieldError(msg, "components", str(name))
        if not isinstance(component.get("init_parameters") or {}, dict):
            msg = f"component {name!r}: `init_parameters` is {component['init_parameters']!r}; expected a mapping"
            raise FieldError(msg, "components", str(name), "init_parameters")
    connections = definition.get("connections", [])
    ends = ("sender", "receiver")
    if not isinstance(connections, list) or not all(
        isinstance(one, dict) and all(isinstance(one.get(end), str) for end in ends) for one in connections
    ):
        msg = "connections: expected a list of mappings with `sender` and `receiver`"
        raise FieldError(msg, "connections")


def point_at(
    definition: dict[str, Any],
    *,
    index: Path | str | None = None,
    model: Path | str | None = None,
    retriever_weight: float | None = None,
    retriever_top_k: int | None = None,
    top_k: int | None = None,
    answer_risk: float | None = None,
) -> dict[str, Any]:
    """
    Point a definition at an index and a model; what is None stays as it is.

    A retriever of an index without vectors loses what embeds its questions, if it can do without.
    An `AnswerSelectionTextEmbedder` without a model gets the one that made the index's vectors.
    A Tantivy store without a language gets the one that its folder was made with.

    :param definition: What :func:`read` returned.
    :param index: The index, for every store in it: the folder of a Tantivy store, which is opened with the language
        that it was made with if it is there already; the name of an Elasticsearch store's. With an index, an
        `AnswerSelectionTextEmbedder` with another model gets its encoder as well.
    :param model: Model folder or hub name, for every ranker of this package that has a model. One that is named after a
        type of model becomes an `AnswerRanker`, which runs any.
    :param retriever_weight: How much of the retriever's score these rankers mix in.
    :param retriever_top_k: Candidates that a retriever of these stores finds.
    :param top_k: Documents that these rankers return.
    :param answer_risk: The most that may be wrong of the answers that these rankers give.
    :returns: A new definition.
    :raises ValueError: If questions would be encoded by another encoder than the one that made an index's vectors.
    """
    changed = with_languages(definition)
    for component in changed["components"].values():
        parameters = component["init_parameters"] = component.get("init_parameters") or {}
        if (store := _store(component)) is not None:
            if index is not None:
                store["init_parameters"] = {**(store.get("init_parameters") or {}), **_place(store["type"], index)}
            if retriever_top_k is not None and _is_retriever(component):
                parameters["top_k"] = retriever_top_k
        if _has_model(component):
            if model is not None:
                component["type"] = ANSWER_RANKER
                parameters["model"] = str(model)
            if retriever_weight is not None:
                parameters["retriever_weight"] = retriever_weight
            if top_k is not None:
                parameters["top_k"] = top_k
            if answer_risk is not None:
                parameters["answer_risk"] = answer_risk
    for name in list(changed["components"]):
        _follow_encoder(changed, name, replace=index is not None)
    return changed


def with_languages(definition: dict[str, Any]) -> dict[str, Any]:
    """
    Have every Tantivy store that names no language opened with the one that its folder was made with.

    :param definition: What :func:`read` or :func:`point_at` returned.
    :returns: A new definition; a store whose folder is not there yet stays as it is.
    """
    changed = deepcopy(definition)
    for component in changed["components"].values():
        store = _store(component)
        if store is not None and store["type"] == TANTIVY_STORE:
            parameters = store.get("init_parameters") or {}
            if "path" in parameters and "language" not in parameters:
                store["init_parameters"] = {**parameters, **_place(TANTIVY_STORE, parameters["path"])}
    return changed


def rank_all(definition: dict[str, Any]) -> dict[str, Any]:
    """
    Have the last rankers of a definition return all that its retrievers find, however low their scores.

    A ranking that is cut loses reciprocal rank to one that is not, whatever the order.

    :param definition: What :func:`read` or :func:`point_at` returned.
    :returns: A new definition; rankers whose documents go on to another component stay as they are.
    """
    changed = deepcopy(definition)
    passed_on = {each["sender"] for each in changed.get("connections") or []}
    for name, component in changed["components"].items():
        if str(component["type"]).startswith(RANKERS) and f"{name}.documents" not in passed_on:
            parameters = component["init_parameters"] = component.get("init_parameters") or {}
            parameters["top_k"] = _ALL
            parameters.pop("score_threshold", None)
    return changed


def _follow_encoder(definition: dict[str, Any], name: str, *, replace: bool) -> None:
    """Have a retriever's questions encoded as its index's entries were."""
    if embedder_of(definition, name) is None:
        return
    store = _store(definition["components"][name])
    if store is None:
        return
    lacks_vectors, encoder = _vectors(store)
    if lacks_vectors:
        drop_embedder(definition, name)
    elif encoder is not None:
        use_encoder(definition, name, encoder, replace=replace)
        check_encoders(definition, {name: encoder})


def _vectors(store: dict[str, Any]) -> tuple[bool, EncoderRecord | None]:
    """Whether an index lacks vectors, and which encoder made those that it has, if that is known."""
    # One that is missing may still have to be made; whoever searches it will say what is wrong.
    if store["type"] == ELASTICSEARCH_STORE:
        with suppress(ElasticsearchError, ValueError), closing(elasticsearch_store.open_store(store)) as there:
            encoder = elasticsearch_store.read_encoder(there)
            return encoder is None, encoder
    else:
        with suppress(IndexOpenError), closing(TantivyDocumentStore.from_dict(store)) as opened:
            return not opened.has_vectors and bool(opened.count_documents()), opened.encoder
    return False, None


def _store(component: dict[str, Any]) -> dict[str, Any] | None:
    store = (component.get("init_parameters") or {}).get("document_store")
    return store if isinstance(store, dict) and store.get("type") in STORES else None


def elasticsearch_stores(definition: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """
    Find the stores in Elasticsearch that a definition's retrievers search.

    :param definition: What :func:`read` or :func:`point_at` returned.
    :returns: The retrievers' names and their stores.
    """
    stores = [(name, _store(each)) for name, each in definition["components"].items() if _is_retriever(each)]
    return [(name, store) for name, store in stores if store is not None and store["type"] == ELASTICSEARCH_STORE]


def _index_of(store: dict[str, Any]) -> str:
    """What to call a store's index."""
    if store["type"] == ELASTICSEARCH_STORE:
        return elasticsearch_store.index_name(store)
    return str(store["init_parameters"]["path"])


def _is_retriever(component: dict[str, Any]) -> bool:
    return str(component["type"]).startswith(RETRIEVERS)


def _has_model(component: dict[str, Any]) -> bool:
    return str(component["type"]).startswith(RANKERS) and component["type"] != BM25_RANKER


def _place(store_type: str, index: Path | str) -> dict[str, Any]:
    """What a store's parameters say of where its index is."""
    if store_type == ELASTICSEARCH_STORE:
        return {"index": str(index)}
    try:
        return {"path": str(index), "language": TantivyDocumentStore.open(index).language}
    except IndexOpenError:
        # It may still have to be made; whoever searches it will say what is wrong.
        return {"path": str(index)}


def check_indexes(definition: dict[str, Any]) -> None:
    """
    Make sure that the indexes which a definition's retrievers search are there, before a question is asked.

    :param definition: What :func:`read` or :func:`point_at` returned.
    :raises PipelineFileError: If one of Elasticsearch is empty; the message says how to fill it.
    :raises haystack_integrations.document_stores.tantivy.IndexOpenError: If one is missing, damaged, or has other
        settings; the message says how to make it.
    :raises answer_selection.indexing.elasticsearch.connection.ElasticsearchError: If there is no cluster to ask, or no
        such index in it.
    """
    for component in definition["components"].values():
        store = _store(component)
        if store is None or not _is_retriever(component):
            continue
        if store["type"] == ELASTICSEARCH_STORE:
            if not elasticsearch_store.count_documents(store):
                how = elasticsearch_store.makes_it(store).replace("makes", "fills")
                msg = f"the index {elasticsearch_store.index_name(store)!r} is empty: {how}"
                raise PipelineFileError(msg)
        else:
            opened = TantivyDocumentStore.from_dict(store)
            if not opened.count_documents():
                raise missing(opened.path)


def check_encoders(definition: dict[str, Any], encoders: Mapping[str, EncoderRecord | None]) -> None:
    """
    Make sure that a definition encodes questions as the entries of its indexes were.

    :param definition: What :func:`read` or :func:`point_at` returned.
    :param encoders: What made the vectors of each retriever's index; None if it is not known.
    :raises ValueError: If an encoder is another one, or can't be found.
    """
    for name, encoder in encoders.items():
        store = _store(definition["components"][name])
        if store is not None and encoder is not None:
            check_encoder(definition, name, encoder, _index_of(store))


def make_encoder(definition: dict[str, Any]) -> AnswerEncoder:
    """
    Make the component that encodes answers as a definition's ranker will look for them.

    :param definition: What :func:`read` or :func:`point_at` returned.
    :returns: The component.
    :raises PipelineFileError: If there is not exactly one ranker of this package that has a model.
    """
    rankers = [each for each in definition["components"].values() if _has_model(each)]
    if len(rankers) != 1:
        msg = f"the pipeline has {len(rankers)} rankers with a model; expected one to encode answers for"
        raise PipelineFileError(msg)
    given = rankers[0].get("init_parameters") or {}
    if given.get("model") is None:
        msg = "no model is named, and the package's own can't encode answers by themselves. Name a model with --model"
        raise PipelineFileError(msg)
    known = signature(AnswerEncoder.__init__).parameters
    encoder: AnswerEncoder = AnswerEncoder.from_dict(
        {
            "type": f"{AnswerEncoder.__module__}.{AnswerEncoder.__name__}",
            "init_parameters": {name: value for name, value in given.items() if name in known},
        }
    )
    return encoder


def load(definition: dict[str, Any]) -> Pipeline:
    """
    Make the pipeline that a definition defines, as a user's own `Pipeline.load` would.

    :param definition: What :func:`read` or :func:`point_at` returned.
    :returns: The pipeline.
    """
    return Pipeline.loads(yaml.safe_dump(definition, sort_keys=False))
