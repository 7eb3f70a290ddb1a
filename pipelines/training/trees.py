# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Parse trees in candidate lists, for models that read them: what has none is parsed."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from answer_selection.indexing.batched import batched
from answer_selection.indexing.candidates import CandidateList, read_jsonl, write_jsonl
from answer_selection.indexing.progress import Bar, Progress
from answer_selection.indexing.text.tree import TREE_FIELD, is_tree_of

if TYPE_CHECKING:
    from haystack_integrations.components.preprocessors.answer_selection.backend import ParserBackend

PARSERS: Final = ("shallow", "corenlp")
"""What a recipe can name: chunks without a server, or a CoreNLP server's trees."""

_LISTS_AT_ONCE: Final = 256


def open_parser(name: str, corenlp_url: str | None) -> "ParserBackend":
    """
    Make a parser that is known by its name.

    :param name: One of :data:`PARSERS`.
    :param corenlp_url: The address of the CoreNLP server; None is its default.
    :returns: The parser.
    """
    from haystack_integrations.components.preprocessors.answer_selection.corenlp import CoreNLPBackend
    from haystack_integrations.components.preprocessors.answer_selection.shallow import ShallowBackend

    if name == "shallow":
        return ShallowBackend()
    return CoreNLPBackend() if corenlp_url is None else CoreNLPBackend(corenlp_url)


@dataclass(frozen=True, slots=True)
class Trees:
    """
    Where trees come from.

    :param parser: One of :data:`PARSERS`.
    :param cache: The file that keeps them.
    :param corenlp_url: The address of the CoreNLP server, which is asked for what is not in the cache; None is its
        default.
    """

    parser: str
    cache: Path
    corenlp_url: str | None = None

    def complete(self, lists: Path, output: Path, progress: Progress) -> Path:
        """
        Copy candidate lists, each text with its tree; one that is there stays if it is its text's.

        :param lists: The lists.
        :param output: The copy.
        :param progress: Shows progress.
        :returns: The copy.
        """
        output.parent.mkdir(parents=True, exist_ok=True)
        with progress(f"parsing the texts of {lists.name}", None) as bar:
            write_jsonl(output, self._completed(read_jsonl(lists), bar))
        return output

    def _completed(self, lists: Iterator[CandidateList], bar: Bar) -> Iterator[CandidateList]:
        from haystack_integrations.components.preprocessors.answer_selection.parsing import parse_texts
        from haystack_integrations.components.preprocessors.answer_selection.tree_cache import TreeCache

        backend = open_parser(self.parser, self.corenlp_url)
        cache, done = TreeCache(self.cache), 0
        for some in batched(lists, _LISTS_AT_ONCE):
            missing = [text for one in some for text, meta in _sides(one) if not _has_tree(text, meta)]
            trees = parse_texts(backend, missing, cache)
            for one in some:
                candidates = tuple(
                    replace(each, meta=_with_tree(each.answer, each.meta, trees)) for each in one.candidates
                )
                yield replace(one, candidates=candidates, query_meta=_with_tree(one.query, one.query_meta, trees))
            done += len(some)
            bar(done)


def _sides(one: CandidateList) -> Iterable[tuple[str, Mapping[str, Any]]]:
    yield one.query, one.query_meta
    yield from ((each.answer, each.meta) for each in one.candidates)


def _has_tree(text: str, meta: Mapping[str, Any]) -> bool:
    return meta.get(TREE_FIELD) is not None and is_tree_of(meta[TREE_FIELD], text)


def _with_tree(text: str, meta: Mapping[str, Any], trees: Mapping[str, str]) -> dict[str, Any]:
    return {**meta, TREE_FIELD: trees[text]} if text in trees and not _has_tree(text, meta) else dict(meta)
