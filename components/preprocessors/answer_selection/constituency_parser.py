# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The component that parses answers when they are indexed, and questions when they are asked."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from haystack import Document, component, default_from_dict, default_to_dict, logging

from answer_selection.indexing.in_thread import in_thread
from answer_selection.indexing.text.answer_text import answer_text
from answer_selection.indexing.text.tree import TREE_FIELD, TreeError, read_tree
from haystack_integrations.components.preprocessors.answer_selection.backend import ParserBackend
from haystack_integrations.components.preprocessors.answer_selection.corenlp import CoreNLPBackend
from haystack_integrations.components.preprocessors.answer_selection.parsing import parse_texts
from haystack_integrations.components.preprocessors.answer_selection.shallow import ShallowBackend
from haystack_integrations.components.preprocessors.answer_selection.tree_cache import TreeCache

logger = logging.getLogger(__name__)


@component
class ConstituencyParser:
    """
    Writes parse trees into the metadata of documents and of a question, for a ranker that reads them.

    With a CoreNLP server's address the trees are that parser's. Without one they are an approximation that needs no
    server, for English: the chunks of each sentence in a row.

    Usage example:
    ```python
    from haystack import Document
    from haystack_integrations.components.preprocessors.answer_selection import ConstituencyParser

    parser = ConstituencyParser()
    parsed = parser.run(documents=[Document(content="The reading room closes at 8 p.m.")], query="When does it close?")
    print(parsed["documents"][0].meta["parse_tree"])
    print(parsed["query_meta"]["parse_tree"])
    ```
    """

    def __init__(
        self,
        *,
        corenlp_url: str | None = None,
        cache: str | Path | None = None,
        meta_fields_to_embed: list[str] | None = None,
        embedding_separator: str = "\n",
        parallel_requests: int = 4,
        timeout: float = 60.0,
        retries: int = 2,
        longest_sentence: int = 70,
    ) -> None:
        """
        Creates the component; nothing is asked of a server yet.

        :param corenlp_url: The address of a CoreNLP server, `http://localhost:9000` for example. None is the shallow
            parser.
        :param cache: An SQLite file that keeps the trees, by parser and text: what is in it is not parsed again, and a
            run that was killed goes on where it was. Several processes can use it at once.
        :param meta_fields_to_embed: Metadata whose values are put in front of the content, as the ranker's.
        :param embedding_separator: What stands between those values and the content, as the ranker's.
        :param parallel_requests: How many texts are with the server at once.
        :param timeout: Seconds after which a request to the server has failed.
        :param retries: How often a request is made again that failed.
        :param longest_sentence: Words; the server is given longer sentences in pieces.
        :raises ValueError: If a number is out of its range.
        """
        self.corenlp_url = corenlp_url
        self.cache = None if cache is None else str(cache)
        self.meta_fields_to_embed = list(meta_fields_to_embed or [])
        self.embedding_separator = embedding_separator
        self.parallel_requests = parallel_requests
        self.timeout = timeout
        self.retries = retries
        self.longest_sentence = longest_sentence
        self._backend: ParserBackend = (
            ShallowBackend()
            if corenlp_url is None
            else CoreNLPBackend(
                corenlp_url,
                parallel_requests=parallel_requests,
                timeout=timeout,
                retries=retries,
                longest_sentence=longest_sentence,
            )
        )
        self._cache = None if cache is None else TreeCache(cache)
        self._warm = False

    def to_dict(self) -> dict[str, Any]:
        """
        Serializes the component to a dictionary.

        :returns: A dictionary for `from_dict`.
        """
        return default_to_dict(
            self,
            corenlp_url=self.corenlp_url,
            cache=self.cache,
            meta_fields_to_embed=self.meta_fields_to_embed,
            embedding_separator=self.embedding_separator,
            parallel_requests=self.parallel_requests,
            timeout=self.timeout,
            retries=self.retries,
            longest_sentence=self.longest_sentence,
        )

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """
        Deserializes the component from a dictionary.

        :param data: The dictionary that `to_dict` returned.
        :returns: The component.
        """
        return default_from_dict(cls, data)

    def warm_up(self) -> None:
        """Makes the parser ready: a server loads its models with the first request, which takes some seconds."""
        if not self._warm:
            self._backend.parse(["Ready."])
            self._warm = True

    @component.output_types(documents=list[Document], query_meta=dict[str, Any])
    def run(
        self,
        documents: list[Document] | None = None,
        query: str | None = None,
        query_meta: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """
        Parses answers, a question, or both.

        A tree that is there stays if it is that of its text, whatever parser made it.

        :param documents: The documents, which are never changed.
        :param query: The question.
        :param query_meta: What else is known of the question; it is handed on.
        :returns: A dictionary with `documents`, copies in the same order with the trees in `meta["parse_tree"]` (an id
            that was made of a document's content stays as it is), and `query_meta`, with the question's in
            `query_meta["parse_tree"]`.
        :raises ParserError: If the server gives no tree; those that it gave are in the cache.
        """
        documents, query_meta = documents or [], query_meta or {}
        texts = [answer_text(each, self.meta_fields_to_embed, self.embedding_separator) for each in documents]
        missing = self._missing(documents, texts)
        asked = []
        if query is not None and (fault := _fault(query_meta.get(TREE_FIELD), query)) is not None:
            asked = [query]
            if fault:
                logger.warning("the query had a tree of another text, and is parsed anew: {fault}", fault=fault)
        trees = parse_texts(self._backend, [*asked, *(texts[place] for place in missing)], self._cache)
        bare = sum(documents[place].meta.get(TREE_FIELD) is None for place in missing)
        if query is not None and bare:
            logger.warning(
                "{bare} of {all} documents had no parse tree and were parsed by {parser} for a query; they are best "
                "parsed when they are indexed",
                bare=bare,
                all=len(documents),
                parser=self._backend.name,
            )
        parsed = list(documents)
        for place in missing:
            document = documents[place]
            parsed[place] = replace(document, meta={**document.meta, TREE_FIELD: trees[texts[place]]})
        if asked:
            query_meta = {**query_meta, TREE_FIELD: trees[asked[0]]}
        return {"documents": parsed, "query_meta": query_meta}

    run_async = in_thread(run)

    def _missing(self, documents: Sequence[Document], texts: Sequence[str]) -> list[int]:
        """Which documents have no tree of their text; those that have another's are told of."""
        missing: list[int] = []
        wrong, first = 0, ""
        for place, (document, text) in enumerate(zip(documents, texts, strict=True)):
            fault = _fault(document.meta.get(TREE_FIELD), text)
            if fault is None:
                continue
            missing.append(place)
            if fault:
                first = first or f"'{document.id}': {fault}"
                wrong += 1
        if wrong:
            logger.warning(
                "{wrong} of {all} documents had a tree of another text, and are parsed anew; the first is {first}",
                wrong=wrong,
                all=len(documents),
                first=first,
            )
        return missing


def _fault(tree: Any, text: str) -> str | None:
    """What is wrong with a text's tree: None for nothing, the empty string if there is none."""
    if tree is None:
        return ""
    try:
        read_tree(tree, text)
    except TreeError as error:
        return str(error)
    return None
