# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Constituency trees: read from Penn Treebank brackets, held against their text, kept as flat arrays.

A tree is one bracketed string for a whole text, ``(ROOT (S (NP (DT The) (NN library)) (VP (VBZ opens)) (. .)))``. Its
leaves are the text's words, in order: together they have all characters of the text that are no white space. A
bracket around one word is that word's part of speech; all other brackets are spans. Several sentences are children of
one root, and the empty text is ``(ROOT)``.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from random import Random
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]

TREE_FIELD: Final = "parse_tree"
"""Where a text's tree is: the key in a document's metadata, and in a query's."""

ROOT: Final = "ROOT"
UNNAMED: Final = "X"
"""The label of spans that no parser has named (those of :func:`left_branching` and its like), and of untagged words."""

DEEPEST: Final = 1000
"""The most levels of a tree that is read: deeper ones are a parser's accident."""

OTHER: Final = "other"
LABELS: Final = (
    OTHER,
    # Roots, clauses and phrases of the Penn Treebank, then those that later treebanks and CoreNLP have beside them.
    *(ROOT, "S", "SBAR", "SBARQ", "SINV", "SQ", "ADJP", "ADVP", "CONJP", "FRAG", "INTJ", "LST", "NAC", "NP", "NX"),
    *("PP", "PRN", "PRT", "QP", "RRC", "UCP", "VP", "WHADJP", "WHADVP", "WHNP", "WHPP", UNNAMED),
    *("NML", "META", "EDITED", "TYPO", "EMBED", "CIT"),
    # Parts of speech, in the same order.
    *("CC", "CD", "DT", "EX", "FW", "IN", "JJ", "JJR", "JJS", "LS", "MD", "NN", "NNS", "NNP", "NNPS", "PDT", "POS"),
    *("PRP", "PRP$", "RB", "RBR", "RBS", "RP", "SYM", "TO", "UH", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "WDT"),
    *("WP", "WP$", "WRB", ".", ",", ":", "``", "''", "-LRB-", "-RRB-", "#", "$"),
    *("ADD", "AFX", "GW", "HYPH", "NFP", "XX", "-LSB-", "-RSB-"),
)
"""The labels that models tell apart; all others count as the first."""

_NUMBERS: Final = {label: number for number, label in enumerate(LABELS)}
_BRACKETS: Final = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
_ESCAPE: Final = re.compile(r"-[LR][RSC]B-|\\(?=[/*])")
# What a parser that rewrites quotes may have found in the text.
_QUOTES: Final = {
    "``": ('"', "\u201c", "\u201e", "\u00ab"),
    "''": ('"', "\u201d", "\u201c", "\u00bb"),
    "`": ("'", "\u2018", "\u201a", "\u2039"),
    "'": ("\u2019", "\u203a"),
}
# A no-break space may be inside a word: what parts words are the others.
_PART: Final = re.compile(r"[()]|[^()\x20\t-\r]+")
_FUNCTION: Final = re.compile(r"(?<=\w)[-=|].*")
_NAMES_OF_ROOTS: Final = ("", ROOT, "TOP", "S1", "VROOT")
_SHOWN: Final = 40


class TreeError(ValueError):
    """A tree cannot be read, or is not its text's; the message says where and what was expected."""


@dataclass(frozen=True)
class SpanTree:
    """
    A text's tree. Spans are numbered from the root, 0, each before those inside it; words as they stand in the text.

    :param labels: the spans' labels.
    :param parents: the span that each span is a child of; -1 for the root, int32 [n_spans].
    :param levels: how far each span is below the root, int32 [n_spans].
    :param tags: the words' parts of speech.
    :param word_parents: the span that each word is a child of, int32 [n_words].
    :param starts: where in the text each word begins, int32 [n_words].
    :param ends: where it ends, int32 [n_words].
    """

    labels: tuple[str, ...]
    parents: Ints
    levels: Ints
    tags: tuple[str, ...]
    word_parents: Ints
    starts: Ints
    ends: Ints

    @property
    def depth(self) -> int:
        """How many levels there are."""
        return int(self.levels.max()) + 1

    @cached_property
    def extents(self) -> Ints:
        """The first word of each span, and the one after its last, int32 [n_spans, 2]; an empty root has (0, 0)."""
        extents = np.zeros((len(self.labels), 2), dtype=np.int32)
        extents[:, 0] = len(self.tags)
        words = np.arange(len(self.tags), dtype=np.int32)
        np.minimum.at(extents[:, 0], self.word_parents, words)
        np.maximum.at(extents[:, 1], self.word_parents, words + 1)
        # A child has a higher number than its parent: by the time it is its turn, all inside it have had theirs.
        for span in range(len(self.labels) - 1, 0, -1):
            parent = self.parents[span]
            extents[parent, 0] = min(extents[parent, 0], extents[span, 0])
            extents[parent, 1] = max(extents[parent, 1], extents[span, 1])
        if not self.tags:
            extents[0] = 0
        return extents

    def children(self) -> list[list[tuple[bool, int]]]:
        """
        List what each span is made of.

        :returns: for each span, in the text's order, (whether the child is a span, the span's or the word's number).
        """
        placed = [(int(first), True, span) for span, (first, _) in enumerate(self.extents.tolist()) if span]
        placed += [(word, False, word) for word in range(len(self.tags))]
        children: list[list[tuple[bool, int]]] = [[] for _ in self.labels]
        for _, is_span, number in sorted(placed):
            parent = self.parents[number] if is_span else self.word_parents[number]
            children[parent].append((is_span, number))
        return children

    def kept(self, words: NDArray[np.bool_]) -> "SpanTree":
        """
        Leave words out, and with them all spans that have no other.

        :param words: False for those that go [n_words].
        :returns: the tree of the others; the root stays, with no word too, and every span at its level.
        """
        spans = np.zeros(len(self.labels), dtype=bool)
        spans[0] = True
        spans[self.word_parents[words]] = True
        for span in range(len(spans) - 1, 0, -1):
            if spans[span]:
                spans[self.parents[span]] = True
        number = np.cumsum(spans, dtype=np.int32) - 1
        parents = number[self.parents[spans]]
        parents[0] = -1
        return SpanTree(
            tuple(label for label, stays in zip(self.labels, spans, strict=True) if stays),
            parents,
            self.levels[spans],
            tuple(tag for tag, stays in zip(self.tags, words, strict=True) if stays),
            number[self.word_parents[words]],
            self.starts[words],
            self.ends[words],
        )


def label_number(label: str) -> int:
    """
    Give the number that models know a label by.

    :param label: a span's label or a word's tag.
    :returns: its place in :data:`LABELS`; 0 if it is not there.
    """
    return _NUMBERS.get(label, 0)


def escaped(word: str) -> str:
    """
    Write a word as a tree's leaf.

    :param word: the word.
    :returns: the same without white space and brackets, neither of which a leaf can have.
    """
    return "".join(word.split()).replace("(", "-LRB-").replace(")", "-RRB-")


def read_tree(bracketed: str, text: str) -> SpanTree:
    """
    Read a tree and hold it against its text.

    Leaves may be written as in the text or as the Penn Treebank and CoreNLP write them: -LRB- and its like for
    brackets, two backquotes or two apostrophes for a double quote, a backslash before / and *. A root of another name
    is put under one that is called ROOT; what a label says of function and identity is left out (NP-SBJ is NP).

    :param bracketed: the tree.
    :param text: the text that it is of.
    :returns: the tree.
    :raises TreeError: if brackets do not match, one has nothing in it, there are more than 1000 levels, or the leaves
        are not the text's words; the message says at which character of the tree, counted from 1.
    """
    if not isinstance(bracketed, str):
        msg = f"the tree is of the type {type(bracketed).__name__}; expected a string in Penn Treebank brackets"
        raise TreeError(msg)
    try:
        return _spans(_brackets(bracketed), text)
    except _Fault as fault:
        msg = f"at character {fault.place} of the tree {_shown(bracketed)}: {fault}"
        raise TreeError(msg) from None


def is_tree_of(bracketed: str, text: str) -> bool:
    """
    Tell whether a tree can be read and is a text's.

    :param bracketed: the tree.
    :param text: the text.
    :returns: whether :func:`read_tree` takes them.
    """
    try:
        read_tree(bracketed, text)
    except TreeError:
        return False
    return True


def single_sentence(tree: SpanTree) -> SpanTree:
    """
    Give a text of one sentence that sentence's own tree.

    :param tree: the text's tree.
    :returns: the tree of the root's only child, if that is a span; else the tree itself.
    """
    if np.count_nonzero(tree.parents == 0) != 1 or (tree.word_parents == 0).any():
        return tree
    return replace(
        tree,
        labels=tree.labels[1:],
        parents=tree.parents[1:] - 1,
        levels=tree.levels[1:] - 1,
        word_parents=tree.word_parents - 1,
    )


def left_branching(tree: SpanTree) -> SpanTree:
    """
    Give a text's words the tree in which each is joined to all before it.

    :param tree: the words, with their tags.
    :returns: the tree: ``(ROOT (X (X a b) c) d)``.
    """
    return _binary(tree, lambda _, end: end - 1)


def balanced(tree: SpanTree) -> SpanTree:
    """
    Give a text's words the tree in which every span is cut in the middle.

    :param tree: the words, with their tags.
    :returns: the tree.
    """
    return _binary(tree, lambda first, end: (first + end + 1) // 2)


def random_tree(tree: SpanTree, text: str) -> SpanTree:
    """
    Give a text's words a tree whose spans are cut anywhere.

    :param tree: the words, with their tags.
    :param text: the text, which decides where: a text's random tree is the same at all times.
    :returns: the tree.
    """
    random = Random(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest())  # noqa: S311
    return _binary(tree, lambda first, end: random.randrange(first + 1, end))


def _binary(tree: SpanTree, cut: Callable[[int, int], int]) -> SpanTree:
    """A tree of spans of two children, each cut where it is said."""
    labels, parents, levels = [ROOT], [-1], [0]
    word_parents = np.zeros(len(tree.tags), dtype=np.int32)
    waiting = [(0, 0, len(tree.tags))]
    while waiting:
        span, first, end = waiting.pop()
        if end - first < 2:
            continue
        middle = cut(first, end)
        for begin, stop in ((first, middle), (middle, end)):
            if stop - begin == 1:
                word_parents[begin] = span
            else:
                waiting.append((len(labels), begin, stop))
                labels.append(UNNAMED)
                parents.append(span)
                levels.append(levels[span] + 1)
    return SpanTree(tuple(labels), _ints(parents), _ints(levels), tree.tags, word_parents, tree.starts, tree.ends)


class _Fault(Exception):  # noqa: N818  never leaves this module
    """What is wrong at a character of the bracketed string."""

    def __init__(self, place: int, what: str) -> None:
        super().__init__(what)
        self.place = place + 1


class _Leaf(NamedTuple):
    place: int
    word: str


@dataclass
class _Bracket:
    """A bracket, with what is in it."""

    place: int
    label: str | None = None
    inside: "list[_Bracket | _Leaf]" = field(default_factory=list)


def _brackets(bracketed: str) -> _Bracket:
    """The brackets as they stand, without a look at the text."""
    top = _Bracket(0, "")
    opened = [top]
    for match in _PART.finditer(bracketed):
        place, part = match.start(), match[0]
        if len(opened) == 1 and (top.inside or part != "("):
            after = " after the tree's end" if top.inside else ""
            raise _Fault(place, f"found {_shown(part)}{after}; expected one bracket around all")
        bracket = opened[-1]
        if part == "(":
            bracket.label = bracket.label or ""
            opened.append(_Bracket(place))
            bracket.inside.append(opened[-1])
        elif part == ")":
            opened.pop()
        elif bracket.label is None:
            bracket.label = part
        else:
            bracket.inside.append(_Leaf(place, part))
    if len(opened) > 1:
        raise _Fault(opened[-1].place, f"the bracket '({opened[-1].label or ''}' is never closed")
    if not top.inside:
        raise _Fault(0, "there is no bracket; expected a tree such as (ROOT (NP (NN text)))")
    root = top.inside[0]
    assert isinstance(root, _Bracket)
    return root if (root.label or "") in _NAMES_OF_ROOTS else top


def _spans(root: _Bracket, text: str) -> SpanTree:
    """The spans of brackets, and the words held against the text."""
    words = _Words(text)
    labels, parents, levels = [ROOT], [-1], [0]
    tags: list[str] = []
    word_parents: list[int] = []
    # What is still to be read, the next at the end: what stands in a span, and the span.
    waiting: list[tuple[_Bracket | _Leaf, int]] = [(inside, 0) for inside in reversed(root.inside)]
    while waiting:
        part, span = waiting.pop()
        if isinstance(part, _Leaf) or (len(part.inside) == 1 and isinstance(part.inside[0], _Leaf)):
            leaf = part if isinstance(part, _Leaf) else part.inside[0]
            assert isinstance(leaf, _Leaf)
            words.read(leaf)
            tags.append(UNNAMED if isinstance(part, _Leaf) else _plain(part.label))
            word_parents.append(span)
            continue
        if not part.inside:
            raise _Fault(part.place, f"the bracket '({part.label or ''})' has nothing in it; expected a word")
        level = levels[span] + 1
        if level >= DEEPEST:
            raise _Fault(part.place, f"the tree has more than {DEEPEST} levels; expected fewer")
        waiting += [(inside, len(labels)) for inside in reversed(part.inside)]
        labels.append(_plain(part.label))
        parents.append(span)
        levels.append(level)
    words.end(root)
    return SpanTree(
        tuple(labels),
        _ints(parents),
        _ints(levels),
        tuple(tags),
        _ints(word_parents),
        _ints(words.starts),
        _ints(words.ends),
    )


class _Words:
    """Finds leaves in the text, one after the other."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.places = [place for place, character in enumerate(text) if not character.isspace()]
        self.squeezed = "".join([text[place] for place in self.places])
        self.read_so_far = 0
        self.starts: list[int] = []
        self.ends: list[int] = []

    def read(self, leaf: _Leaf) -> None:
        first = self.read_so_far
        for word in _readings(leaf.word):
            if word and self.squeezed.startswith(word, first):
                self.read_so_far = first + len(word)
                self.starts.append(self.places[first])
                self.ends.append(self.places[self.read_so_far - 1] + 1)
                return
        raise _Fault(leaf.place, f"the word {_shown(leaf.word)} is not the text's, {self._rest()}")

    def end(self, root: _Bracket) -> None:
        if self.read_so_far < len(self.squeezed):
            raise _Fault(root.place, f"its words are not all of the text, {self._rest()}")

    def _rest(self) -> str:
        if self.read_so_far == len(self.places):
            return "which has no more words"
        place = self.places[self.read_so_far]
        return f"which goes on with {_shown(self.text[place:])} at its character {place + 1}"


def _readings(word: str) -> Iterator[str]:
    """What a leaf may stand for in a text without white space."""
    yield word if word.isascii() else "".join(word.split())
    if "-" in word or "\\" in word:
        yield _ESCAPE.sub(lambda match: _BRACKETS.get(match[0], ""), word)
    yield from _QUOTES.get(word, ())


def _plain(label: str | None) -> str:
    """A label without what it says of function and identity."""
    label = label or UNNAMED
    return label if label in _NUMBERS else _FUNCTION.sub("", label)


def _ints(values: list[int]) -> Ints:
    return np.array(values, dtype=np.int32)


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")
