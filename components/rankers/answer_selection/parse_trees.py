# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Parse trees of pairs, for a model that reads them: those that come along are checked, those that are missing made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from haystack import logging

from answer_selection.indexing.text.tree import TREE_FIELD, TreeError
from haystack_integrations.components.rankers.answer_selection.models.record import Record
from haystack_integrations.components.rankers.answer_selection.text_cache import TextCache

if TYPE_CHECKING:
    from haystack_integrations.components.preprocessors.answer_selection.backend import ParserBackend
    from haystack_integrations.components.rankers.answer_selection.models.base import Collator

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ParseTrees:
    """
    The trees of pairs.

    :param collator: The collator of the model that reads them.
    :param cache: Where trees are kept that had to be parsed.
    :param corenlp_url: The address of the CoreNLP server that parses what comes without a tree. None is the offline
        approximation: chunks, and no more.
    :param strict: Whether a text without a tree is an error.
    :param meta_fields_to_embed: Metadata that stands in front of answers, so that a tree has to be of it, too.
    """

    collator: "Collator"
    cache: TextCache[str]
    corenlp_url: str | None
    strict: bool
    meta_fields_to_embed: Sequence[str]

    def check(self, whose: str, text: str, meta: Mapping[str, Any]) -> None:
        """
        Refuse a tree that is not its text's, and a missing one where trees are strict.

        :param whose: The text's document, or the query, for the message.
        :param text: The text.
        :param meta: Its metadata, where the tree is.
        :raises TreeError: If the tree is refused.
        """
        if meta.get(TREE_FIELD) is None:
            if self.strict:
                raise _missing(whose)
            return
        try:
            self.collator.read_tree(text, meta[TREE_FIELD])
        except TreeError as error:
            msg = f"{whose} has a parse tree in '{TREE_FIELD}' that is not its text's: {error}"
            if self.meta_fields_to_embed:
                fields = ", ".join(self.meta_fields_to_embed)
                msg += f" (meta_fields_to_embed, {fields}, stand in front of the text: the tree has to be of them, "
                msg += "too, as `answer-selection parse --meta-field` makes it)"
            raise TreeError(msg) from error

    def complete(self, records: Sequence[Record]) -> Sequence[Record]:
        """
        Give records a tree on both sides: what has none is parsed, as far as the model reads it.

        :param records: The records.
        :returns: The same, or others in their order.
        :raises TreeError: If there is a tree missing where trees are strict.
        """
        queries = {r.query for r in records if r.query_meta.get(TREE_FIELD) is None}
        answers = {r.answer for r in records if r.meta.get(TREE_FIELD) is None}
        if not queries | answers:
            return records
        if self.strict:
            raise _missing(f"the answer {min(answers)[:40]!r}" if answers else f"the query {min(queries)[:40]!r}")
        parts = {text: self.collator.read_part(text) for text in sorted(queries | answers)}
        trees = dict(zip(parts.values(), self.cache.get([*parts.values()]), strict=True))
        if new := {part for part, tree in trees.items() if tree is None}:
            parser = self._parser()
            for part, tree in parser.stream(sorted(new)):
                trees[part] = tree
                self.cache.put(part, tree)
            parsed = {text for text, part in parts.items() if part in new}
            log = logger.warning if answers & parsed else logger.info
            log(
                "{answers} of {all_answers} answers and {queries} of {all_queries} queries had no parse tree and were "
                "parsed by {parser}",
                answers=len(answers & parsed),
                all_answers=len({record.answer for record in records}),
                queries=len(queries & parsed),
                all_queries=len({record.query for record in records}),
                parser=parser.name,
            )
        return [_completed(record, parts, trees) for record in records]

    def _parser(self) -> "ParserBackend":
        from haystack_integrations.components.preprocessors.answer_selection.corenlp import CoreNLPBackend
        from haystack_integrations.components.preprocessors.answer_selection.shallow import ShallowBackend

        return ShallowBackend() if self.corenlp_url is None else CoreNLPBackend(self.corenlp_url)


def _missing(whose: str) -> TreeError:
    return TreeError(f"{whose} has no parse tree; strict_trees expects one under '{TREE_FIELD}' in its metadata")


def _completed(record: Record, parts: Mapping[str, str], trees: Mapping[str, str | None]) -> Record:
    """A record with a tree on both sides; a side that has none becomes the part of it that was parsed."""
    if record.query_meta.get(TREE_FIELD) is None:
        query = parts[record.query]
        record = replace(record, query=query, query_meta={**record.query_meta, TREE_FIELD: trees[query]})
    if record.meta.get(TREE_FIELD) is None:
        answer = parts[record.answer]
        record = replace(record, answer=answer, meta={**record.meta, TREE_FIELD: trees[answer]})
    return record
