# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A pipeline that answers one question after the other, or many at once, for a long time."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Any, NamedTuple, TypeVar

import networkx as nx  # type: ignore[import-untyped]
from haystack import Document
from haystack.core.errors import PipelineRuntimeError
from haystack.errors import FilterError

from answer_selection.indexing.computed_fields import EMBEDDER_FIELDS
from answer_selection.indexing.elasticsearch.connection import ElasticsearchError
from answer_selection.indexing.elasticsearch.kept_answer import KeptAnswer
from answer_selection.indexing.encoder import EncoderRecord, entry_question
from answer_selection.indexing.fusion import has_cosine
from answer_selection.indexing.ranking_fields import BM25_SCORE, RETRIEVER_RANK, RETRIEVER_SCORE, VECTOR_SCORE
from answer_selection.indexing.source_link import source_link
from answer_selection.indexing.stored_entries import entry_of
from answer_selection.pipelines.definitions import elasticsearch_store, pipeline_yaml
from answer_selection.pipelines.definitions.narrowed import narrowed
from answer_selection.pipelines.definitions.question_inputs import asked
from answer_selection.pipelines.evaluation.component_times import component_times
from answer_selection.pipelines.evaluation.end_to_end import answering_components
from answer_selection.pipelines.evaluation.retrieval_before import retrieval_before
from answer_selection.pipelines.messages import one_line
from answer_selection.pipelines.serving.answers import Answer, Answers
from answer_selection.pipelines.serving.errors import QuestionError, UnavailableError
from answer_selection.pipelines.serving.question import Question
from haystack_integrations.components.rankers.answer_selection.answer_risk import AnswerRiskError
from haystack_integrations.document_stores.tantivy import IndexOpenError, TantivyDocumentStore

# In an answer they have places of their own, or tell its reader nothing.
_NOT_META = frozenset({"entry_id", "question", RETRIEVER_SCORE, RETRIEVER_RANK, *EMBEDDER_FIELDS})
# Without vectors the first is the retriever's score, and the second nothing.
_HYBRID_SCORES = frozenset({BM25_SCORE, VECTOR_SCORE})
# What Elasticsearch calls it when the pipeline's mapping keeps it from making an index that is not there.
_NO_INDEX = "mapper_parsing_exception"
DEFAULT_LANGUAGE = "english"
_SOME_TEXT = "Where can I renew a card?"
# Searches at the same time, for the sake of indexes that are asked over a network.
_SEARCHES = 8


_A = TypeVar("_A")
_T = TypeVar("_T")


class _Prepared(NamedTuple):
    """A question as it is searched, what a retriever is given of its meaning, and the seconds that it took."""

    query: str
    given: dict[str, Any]
    seconds: float


class _Found(NamedTuple):
    """A question as it was searched, its candidates, and the seconds that it took to find them."""

    query: str
    documents: list[Document]
    seconds: float


class _Chain(NamedTuple):
    """What finds a question's answers, one after the other; there need be no corrector and no embedder."""

    corrector: Any
    embedder: Any
    retriever: Any
    ranker: Any


class Answering:
    """
    A pipeline for a service: it is loaded once, and may be asked by many threads at once, and many questions at a time.

    :param definition: The pipeline, as :mod:`pipeline_yaml` reads it.
    :param name: What messages call it.
    :raises pipeline_yaml.PipelineFileError: If it answers no question.
    :raises ValueError: If it would encode questions by another encoder than the one that made its index's vectors, or
        has a ranker with an `answer_risk` that was calibrated behind another retrieval.
    """

    def __init__(self, definition: dict[str, Any], name: str = "the pipeline") -> None:
        self._definition = definition
        self._pipeline = pipeline_yaml.load(definition)
        inputs = self._pipeline.inputs()
        self._stages, self._asking = answering_components(self._pipeline, name)
        self._filtering = [name for name, sockets in inputs.items() if "filters" in sockets]
        self._cuts = "top_k" in inputs.get(self._stages[-1], {})
        every = self._pipeline.inputs(include_components_with_connected_inputs=True)
        self._rankers = [name for name in self._stages if "documents" in every.get(name, {})]
        self._retrievers = [name for name in self._stages if name not in self._rankers]
        graph = self._pipeline.graph
        self._retrieval = set(self._retrievers).union(*(nx.ancestors(graph, name) for name in self._retrievers))
        self._searching = [
            name for name in self._retrievers if name in inputs and _needs_text_alone(inputs[name], every[name])
        ]
        asking = (self._gives(name, "query", "query") for name in (*self._retrievers, self._stages[-1]))
        self._corrector = next(filter(None, asking), None)
        self._chain = self._find_chain()
        self._elsewhere = {
            name: KeptAnswer(partial(elasticsearch_store.read_encoder, elasticsearch_store.open_store(store)))
            for name, store in pipeline_yaml.elasticsearch_stores(definition)
            if "query_embedding" in every.get(name, {})
        }
        self._encoders: dict[str, EncoderRecord | None] | None = None
        # A cluster may come later than the service.
        with suppress(ElasticsearchError):
            self._encoders = self._find_encoders()
        pipeline_yaml.check_encoders(definition, self._encoders or {})
        for stage in self._rankers:
            ranker: Any = self._pipeline.get_component(stage)
            if getattr(ranker, "answer_risk", None) is not None:
                ranker.check_retrieval(retrieval_before(self._pipeline, stage))
        self._threads = ThreadPoolExecutor(_SEARCHES, thread_name_prefix="search")

    @property
    def is_outdated(self) -> bool:
        """
        Whether an index has vectors of another encoder than when the pipeline was loaded, or has come since.

        A cluster is asked once a minute, and after :meth:`ask_again`.
        """
        try:
            return self._find_encoders() != self._encoders
        except IndexOpenError:
            # One that came later may be in another language than is usual.
            return pipeline_yaml.with_languages(self._definition) != self._definition
        except ElasticsearchError:
            return False

    def ask_again(self) -> None:
        """Let :attr:`is_outdated` ask the cluster, however short ago it did."""
        for encoder in self._elsewhere.values():
            encoder.forget()

    @property
    def language(self) -> str | None:
        """Of the stemmer of the index that is searched; where that is not on disk, the one that is usual."""
        return next((store.language for store in self._stores().values()), DEFAULT_LANGUAGE)

    def warm_up(self) -> None:
        """
        Do what is done once, load the models for one, so that the first question takes no longer than the others.

        :raises UnavailableError: If the index is not there. The models are loaded all the same.
        """
        self.load_models()
        for name in self._rankers:
            # This document is not from the retrieval that a ranker's answer_risk holds for; the question below is.
            with suppress(AnswerRiskError):
                self._pipeline.get_component(name).run(query=_SOME_TEXT, documents=[Document(content=_SOME_TEXT)])
        self.check()
        self.answer(_SOME_TEXT)

    def load_models(self) -> None:
        """
        Load the models, as the first question does that finds something.

        :raises ValueError: If one can't be loaded.
        """
        self._pipeline.warm_up()

    def check(self) -> None:
        """
        Make sure that the index is there, that it can be searched, and that no question met damage in it.

        :raises UnavailableError: If it is not so; the message says why.
        """
        try:
            pipeline_yaml.check_indexes(self._definition)
            for store in self._stores((*self._retrievers, *filter(None, [self._corrector]))).values():
                # Damage that a question met: some other search may not meet it.
                store.check()
            if self._chain is not None:
                [found] = self._search([Question(question=_SOME_TEXT, top_k=None, filters=None)])
                if isinstance(found, Exception):
                    raise found
            else:
                for name in self._searching:
                    self._pipeline.get_component(name).run(query=_SOME_TEXT)
        except Exception as error:
            raise UnavailableError(one_line(error)) from error

    def answer(self, question: str, top_k: int | None = None, filters: dict[str, Any] | None = None) -> Answers:
        """
        Answer a question.

        :param question: The question.
        :param top_k: The most answers; None is what the pipeline itself says.
        :param filters: Only of entries that a filter in Haystack's syntax keeps.
        :returns: The answers, with the time that they took.
        :raises QuestionError: If the filter is malformed, or the pipeline takes none.
        :raises UnavailableError: If the index can't be reached.
        """
        [outcome] = self.answer_many([Question(question=question, top_k=top_k, filters=filters)])
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def answer_many(self, questions: Sequence[Question]) -> list[Answers | Exception]:
        """
        Answer questions together: each gets the answers that it would get alone, but for their scores' last digits.

        Where the pipeline is a retriever (perhaps after a corrector and a text embedder) and a ranker with `run_batch`,
        one call ranks the candidates of all, and one encodes all questions if the embedder has `run_batch` too. Any
        other pipeline runs once a question.

        :param questions: The questions.
        :returns: One outcome a question, in their order: its answers, or what :meth:`answer` would raise.
        """
        if self._chain is None:
            return self._each(self._run, questions)
        outcomes: dict[int, Answers | Exception] = {}
        together: defaultdict[int | None, dict[int, _Found]] = defaultdict(dict)
        for place, found in enumerate(self._search(questions)):
            if isinstance(found, Exception):
                outcomes[place] = found
            else:
                together[questions[place].top_k][place] = found
        for top_k, lists in together.items():
            ranked = self._rank([questions[place] for place in lists], list(lists.values()), top_k)
            outcomes.update(zip(lists, ranked, strict=True))
        return [outcomes[place] for place in range(len(questions))]

    def _stores(self, names: Iterable[str] | None = None) -> dict[str, TantivyDocumentStore]:
        """The indexes on disk, by the components that search them: the retrievers, or those of these names."""
        searching = self._retrievers if names is None else names
        stores = {name: getattr(self._pipeline.get_component(name), "document_store", None) for name in searching}
        return {name: store for name, store in stores.items() if isinstance(store, TantivyDocumentStore)}

    def _find_encoders(self) -> dict[str, EncoderRecord | None]:
        """What made the vectors of each retriever's index."""
        here = {name: store.encoder for name, store in self._stores().items()}
        return here | {name: encoder.get() for name, encoder in self._elsewhere.items()}

    def _find_chain(self) -> _Chain | None:
        """The components of a pipeline that finds its answers by nothing else."""
        ranker = self._stages[-1]
        retriever = self._gives(ranker, "documents", "documents")
        if retriever is None or not hasattr(self._pipeline.get_component(ranker), "run_batch"):
            return None
        embedder = self._gives(retriever, "query_embedding", "embedding")
        corrector = self._gives(retriever, "query", "query")
        expected = {(retriever, "documents", ranker, "documents")}
        if embedder is not None:
            expected.add((embedder, "embedding", retriever, "query_embedding"))
        if corrector is not None:
            corrected = {retriever: "query", ranker: "query", **({} if embedder is None else {embedder: "text"})}
            expected |= {(corrector, "query", name, socket) for name, socket in corrected.items()}
        members = {name for name in (corrector, embedder, retriever, ranker) if name is not None}
        asked_first = members if corrector is None else {corrector}
        if self._connections(ranker) != expected or not asked_first <= set(self._asking):
            return None
        if self._filtering not in ([], [retriever]):
            return None
        chain = (None if name is None else self._pipeline.get_component(name) for name in (corrector, embedder))
        return _Chain(*chain, *map(self._pipeline.get_component, (retriever, ranker)))

    def _gives(self, name: str, socket: str, output: str) -> str | None:
        """Whose output a component has for one of its inputs; None if nobody's, or that of more than one."""
        edges = self._pipeline.graph.in_edges(name, data=True)
        ends = [(sender, edge["from_socket"].name) for sender, _, edge in edges if edge["to_socket"].name == socket]
        return ends[0][0] if len(ends) == 1 and ends[0][1] == output else None

    def _connections(self, last: str) -> set[tuple[str, str, str, str]]:
        """All connections on the way to a component: senders and their outputs, receivers and their inputs."""
        graph = self._pipeline.graph
        edges = graph.in_edges([last, *nx.ancestors(graph, last)], data=True)
        return {
            (sender, edge["from_socket"].name, receiver, edge["to_socket"].name) for sender, receiver, edge in edges
        }

    def _each(self, function: Callable[[_A], _T], items: Sequence[_A]) -> list[_T | Exception]:
        """What a function makes of each item, or the error."""

        def outcome(item: _A) -> _T | Exception:
            try:
                return function(item)
            except Exception as error:
                return _meaning(error)

        return list((map if len(items) == 1 else self._threads.map)(outcome, items))

    def _search(self, questions: Sequence[Question]) -> list[_Found | Exception]:
        """Each question's candidates, or the error."""
        prepared = self._prepare([question.question for question in questions])
        return self._each(self._retrieve, list(zip(questions, prepared, strict=True)))

    def _prepare(self, texts: list[str]) -> list[_Prepared | Exception]:
        """Each question, corrected and with its vector as the retriever takes it, or the error."""
        assert self._chain is not None
        corrector, embedder = self._chain.corrector, self._chain.embedder

        def correct(text: str) -> _Prepared:
            start = time.perf_counter()
            query = text if corrector is None else corrector.run(query=text)["query"]
            return _Prepared(query, {}, time.perf_counter() - start)

        corrected = self._each(correct, texts)
        if embedder is None:
            return corrected
        right = {place: one for place, one in enumerate(corrected) if not isinstance(one, Exception)}
        if len(right) > 1 and hasattr(embedder, "run_batch"):
            start = time.perf_counter()
            # One of them may be at fault: then each is encoded alone.
            with suppress(Exception):
                vectors = embedder.run_batch([one.query for one in right.values()])["embeddings"]
                seconds = time.perf_counter() - start
                encoded = {
                    place: _Prepared(one.query, {"query_embedding": vector}, one.seconds + seconds)
                    for (place, one), vector in zip(right.items(), vectors, strict=True)
                }
                return [encoded.get(place, one) for place, one in enumerate(corrected)]

        def encode(one: _Prepared | Exception) -> _Prepared:
            if isinstance(one, Exception):
                raise one
            start = time.perf_counter()
            vector = embedder.run(text=one.query)["embedding"]
            return _Prepared(one.query, {"query_embedding": vector}, one.seconds + time.perf_counter() - start)

        return self._each(encode, corrected)

    def _retrieve(self, asked_for: tuple[Question, _Prepared | Exception]) -> _Found:
        assert self._chain is not None
        question, prepared = asked_for
        if isinstance(prepared, Exception):
            raise prepared
        start = time.perf_counter()
        self._check_filters(question)
        retriever = self._chain.retriever
        found = retriever.run(query=prepared.query, **prepared.given, **_filters(retriever, question))
        return _Found(prepared.query, found["documents"], prepared.seconds + time.perf_counter() - start)

    def _rank(self, questions: list[Question], found: list[_Found], top_k: int | None) -> list[Answers | Exception]:
        assert self._chain is not None
        start = time.perf_counter()
        given = {"top_k": top_k} if top_k is not None and self._cuts else {}
        try:
            ranked = self._chain.ranker.run_batch(
                [each.query for each in found], [each.documents for each in found], **given
            )
            seconds = time.perf_counter() - start
            outputs = ({name: values[place] for name, values in ranked.items()} for place in range(len(found)))
            return [
                _answers(one, question, each.query, each.seconds, seconds)
                for one, question, each in zip(outputs, questions, found, strict=True)
            ]
        except Exception as error:
            if len(found) == 1:
                return [_meaning(error)]
            # One of them may be at fault: the others have their answers.
            return [self._rank([one], [each], top_k)[0] for one, each in zip(questions, found, strict=True)]

    def _run(self, question: Question) -> Answers:
        self._check_filters(question)
        data: dict[str, dict[str, Any]] = dict(asked(self._asking, question.question))
        for name in self._filtering:
            data.setdefault(name, {}).update(_filters(self._pipeline.get_component(name), question))
        last = self._stages[-1]
        if question.top_k is not None and self._cuts:
            data.setdefault(last, {})["top_k"] = question.top_k
        with component_times() as seconds:
            outputs = self._pipeline.run(data, include_outputs_from={last, *filter(None, [self._corrector])})
        ranking = sum(seconds[name] for name in self._rankers)
        retrieval = sum(seconds[name] for name in self._retrieval)
        searched = question.question if self._corrector is None else outputs[self._corrector]["query"]
        return _answers(outputs[last], question, searched, retrieval, ranking)

    def _check_filters(self, question: Question) -> None:
        if question.filters and not self._filtering:
            msg = "filters: no component of the pipeline takes any"
            raise QuestionError(msg)


def _filters(retriever: Any, question: Question) -> dict[str, Any]:
    return {"filters": narrowed(retriever, question.filters)} if question.filters else {}


def _needs_text_alone(unconnected: Mapping[str, Any], sockets: Mapping[str, Mapping[str, Any]]) -> bool:
    mandatory = [name for name, socket in sockets.items() if socket["is_mandatory"]]
    return mandatory == ["query"] and len(unconnected) == len(sockets)


def _answers(ranked: Mapping[str, Any], question: Question, searched: str, retrieval: float, ranking: float) -> Answers:
    """What a last component's outputs mean; only an `AnswerRanker` has more of them than documents."""
    top_k = question.top_k
    return Answers(
        answers=[_answer(document) for document in ranked["documents"][:top_k]],
        searched=None if searched == question.question else searched,
        abstained=ranked.get("abstained", False),
        best_probability=ranked.get("best_probability"),
        closest=[_answer(document) for document in ranked.get("closest_documents", [])[:top_k]],
        retrieval_ms=round(1000 * retrieval, 2),
        ranking_ms=round(1000 * ranking, 2),
    )


def _answer(document: Document) -> Answer:
    meta = document.meta
    hidden = _NOT_META if has_cosine(meta) else _NOT_META | _HYBRID_SCORES
    return Answer(
        entry_id=entry_of(document),
        question=entry_question(document),
        answer=document.content or "",
        score=document.score,
        retriever_score=meta.get(RETRIEVER_SCORE),
        retriever_rank=meta.get(RETRIEVER_RANK),
        source=source_link(meta),
        meta={name: value for name, value in meta.items() if name not in hidden},
    )


def _meaning(error: Exception) -> Exception:
    """What an error of a component means for whoever asked; a fault of ours stays what it is."""
    cause: BaseException | None = error
    while isinstance(cause, PipelineRuntimeError):
        cause = cause.__cause__
    if isinstance(cause, FilterError):
        return QuestionError(f"filters: {one_line(cause)}")
    if isinstance(cause, IndexOpenError):
        return UnavailableError(one_line(cause))
    # Where Elasticsearch is not used, its client need not be installed.
    with suppress(ImportError):
        from elastic_transport import TransportError
        from elasticsearch import ApiError

        from answer_selection.indexing.elasticsearch.errors import explain

        if isinstance(cause, ApiError) and cause.meta.status == HTTPStatus.BAD_REQUEST and cause.error != _NO_INDEX:
            return QuestionError(explain(cause))
        if isinstance(cause, (ApiError, TransportError)):
            return UnavailableError(explain(cause))
    return error
