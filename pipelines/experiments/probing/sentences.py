# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Sentences with their trees: lines of {"text", "parse_tree"}, or the answers of candidate lists in any of their formats.

Of candidate lists the trees are in the metadata, as `parse_tree`. Whatever has no tree is parsed, if a parser is given.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from answer_selection.indexing.candidates import read_candidates
from answer_selection.indexing.candidates.lists import CandidateSourceError, place, text_lines
from answer_selection.indexing.formats import jsonl
from answer_selection.indexing.text.tree import (
    TREE_FIELD,
    SpanTree,
    TreeError,
    read_tree,
)
from answer_selection.pipelines.experiments.probing.split import same_text
from haystack_integrations.components.rankers.answer_selection.models.record import Record

Parse = Callable[[Sequence[str]], Sequence[str]]
"""Makes bracketed trees of texts."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """
    A text of one sentence.

    :param text: its text.
    :param bracketed: its tree in brackets.
    :param tree: its tree.
    :param question: the question that it is a candidate for; empty if it stands alone.
    :param question_tree: the question's tree in brackets, where there is one.
    """

    text: str
    bracketed: str
    tree: SpanTree
    question: str
    question_tree: str | None

    def record(self) -> Record:
        """
        Give the pair that models read.

        :returns: the question and the sentence as its answer, with their trees.
        """
        query_meta = {} if self.question_tree is None else {TREE_FIELD: self.question_tree}
        return Record(self.question, self.text, query_meta, {TREE_FIELD: self.bracketed})

    def words(self) -> list[str]:
        """
        Give the words as the tree has them, punctuation too.

        :returns: the words.
        """
        return [self.text[start:end] for start, end in zip(self.tree.starts, self.tree.ends, strict=True)]


class Sentences(NamedTuple):
    """
    What was read.

    :param kept: the sentences, each once.
    :param again: how many came a second time, in whatever case or spacing.
    :param several: how many texts were left out because their tree has not exactly one sentence.
    """

    kept: list[Sentence]
    again: int
    several: int


@dataclass(frozen=True, slots=True)
class _Text:
    """A text as its source has it: where, and the trees that are there."""

    where: str
    text: str
    tree: str | None
    question: str = ""
    question_tree: str | None = "(ROOT)"


def read_sentences(paths: Iterable[Path], parse: Parse | None) -> Sentences:
    """
    Read sentences.

    :param paths: files; see the module.
    :param parse: parses what has no tree; None refuses it.
    :returns: the sentences.
    :raises ValueError: if a file cannot be read, a text has no tree and there is no parser, or a tree is another's.
    """
    different: dict[str, _Text] = {}
    again = 0
    for path in paths:
        for one in _read(path):
            form = same_text(one.text)
            again += form in different
            different.setdefault(form, one)
    texts = _with_trees(list(different.values()), parse)
    kept = []
    for one in texts:
        assert one.tree is not None
        try:
            tree = read_tree(one.tree, one.text)
        except TreeError as error:
            msg = f"{one.where}: {error}"
            raise ValueError(msg) from error
        if len(tree.children()[0]) == 1:
            kept.append(Sentence(one.text, one.tree, tree, one.question, one.question_tree))
    return Sentences(kept, again, len(texts) - len(kept))


def _with_trees(texts: list[_Text], parse: Parse | None) -> list[_Text]:
    if parse is None:
        if without := [one for one in texts if one.tree is None]:
            msg = f"{without[0].where}: no {TREE_FIELD}, as {len(without)} of {len(texts)} sentences; expected a tree "
            msg += "in brackets for each, or a parser for those that have none (--trees)"
            raise ValueError(msg)
        return texts
    wanted = {one.text for one in texts if one.tree is None}
    # A question's tree is read by models of trees alone, and without a parser they say themselves what they lack.
    wanted |= {one.question for one in texts if one.question and one.question_tree is None}
    ordered = sorted(wanted)
    trees: dict[str, str] = dict(zip(ordered, parse(ordered), strict=True)) if ordered else {}
    return [
        replace(
            one,
            tree=trees[one.text] if one.tree is None else one.tree,
            question_tree=trees.get(one.question) if one.question_tree is None else one.question_tree,
        )
        for one in texts
    ]


def _read(path: Path) -> Iterator[_Text]:
    if path.name.lower().removesuffix(".gz").endswith(".jsonl") and _holds_sentences(path):
        yield from _lines(path)
        return
    for candidates in read_candidates(path):
        for candidate in candidates.candidates:
            where = f"{path}, query {candidates.query_id!r}, candidate {candidate.candidate_id!r}"
            yield _Text(
                where,
                candidate.answer,
                _tree(candidate.meta, where),
                candidates.query,
                _tree(candidates.query_meta, f"{path}, query {candidates.query_id!r}"),
            )


def _holds_sentences(path: Path) -> bool:
    """Whether the file's first line has no `candidates`; one that is no JSON is the other reader's to refuse."""
    first = next((text for _, text in text_lines(path) if text.strip()), "{}")
    try:
        value = jsonl.loads(first)
    except ValueError:
        return True
    return not isinstance(value, dict) or "candidates" not in value


def _lines(path: Path) -> Iterator[_Text]:
    for number, line in text_lines(path):
        if not line.strip():
            continue
        try:
            value = jsonl.loads(line)
        except json.JSONDecodeError as error:
            msg = f"{place(path, number)}: expected JSON, but at column {error.colno} it is not: {error.msg}"
            raise CandidateSourceError(msg) from error
        if not isinstance(value, dict):
            msg = f"{place(path, number)}: expected a JSON object, found {jsonl.json_type(value)}"
            raise CandidateSourceError(msg)
        text = value.get("text")
        if not isinstance(text, str) or not text.strip():
            found = jsonl.instead_of_text(text)
            msg = f"{place(path, number, 'text')}: expected a sentence, found {found}"
            raise CandidateSourceError(msg)
        yield _Text(place(path, number), text, _tree(value, place(path, number)))


def _tree(meta: dict[str, Any], where: str) -> str | None:
    tree = meta.get(TREE_FIELD)
    if tree is not None and not isinstance(tree, str):
        msg = f"{where}, field '{TREE_FIELD}': expected a tree in brackets, found {jsonl.json_type(tree)}"
        raise CandidateSourceError(msg)
    return tree
