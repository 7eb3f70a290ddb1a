# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
From pairs with parse trees to the sequence that an encoder reads, and the order in which a tree model reads spans.

A span is read as a row of elements: a start token, its children, an end token. A child that is a word is its word
pieces, each an element; one that is a span is one element, that span's vector. So all spans of one level, of all pairs
of a batch, can be read at once, after those of the level below.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

import numpy as np
import torch
from haystack_integrations.components.rankers.answer_selection.models.pair_collator import PairCollator
from haystack_integrations.components.rankers.answer_selection.models.record import Record
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor

from answer_selection.indexing.text.tree import (
    TREE_FIELD,
    SpanTree,
    TreeError,
    balanced,
    label_number,
    left_branching,
    random_tree,
    read_tree,
    single_sentence,
)

if TYPE_CHECKING:
    from transformers import PreTrainedConfig

Longs = NDArray[np.int64]

GIVEN: Final = "given"
SHAPES: Final[dict[str, Callable[[SpanTree, str], SpanTree]]] = {
    GIVEN: lambda tree, _: tree,
    "sentence": lambda tree, _: single_sentence(tree),
    "random": random_tree,
    "left": lambda tree, _: left_branching(tree),
    "balanced": lambda tree, _: balanced(tree),
}
"""
What becomes of the trees that texts come with: the second has no root above a single sentence, as in the paper's
figures 2 and 3; those after it are the paper's ablations.
"""

# Rows of up to so many elements are padded to the longest of them, longer ones to the longest of theirs.
_WIDTHS: Final = np.array([4, 8, 16, 32, 64, 128, 256, 512])
# What is remembered of trees, in spans, elements and eights of characters: a question comes back with each candidate,
# an answer in every epoch.
_CACHED_ELEMENTS: Final = 1 << 22
_SHOWN: Final = 40


class TextTree(NamedTuple):
    """
    A text's tree over its word pieces.

    :param tree: the tree, of the words that the model reads.
    :param levels: each span's level [n_spans].
    :param labels: its label's number.
    :param parents: its parent; -1 for the root.
    :param slots: its place among its parent's elements, from 1; 0 for the root.
    :param sizes: how many elements it has, start and end not counted.
    :param piece_tokens: which of the text's tokens each word piece is [n_pieces].
    :param piece_spans: the span that it is an element of.
    :param piece_slots: its place among that span's elements, from 1.
    :param piece_tags: the number of its word's tag.
    :param piece_words: its word.
    """

    tree: SpanTree
    levels: Longs
    labels: Longs
    parents: Longs
    slots: Longs
    sizes: Longs
    piece_tokens: Longs
    piece_spans: Longs
    piece_slots: Longs
    piece_tags: Longs
    piece_words: Longs


class TreeCollator(PairCollator):
    """
    Turns records with parse trees into sequences, and their trees into a schedule.

    A record's trees are in `query_meta` and `meta`, under "parse_tree". The batch holds what :class:`PairCollator`
    gives, and with levels from the deepest to 0, the spans of a level sorted by how many elements they have:

    - `buckets` [n_buckets, 3]: which level, how many spans, and to how many elements they are padded;
    - `lengths` [n_spans]: how many elements each span has, start and end among them;
    - `elements`: bucket by bucket, the padded rows one after the other; each element is one of its level's leaves, or,
      counted on from these, a span of the level below;
    - `level_leaves` [n_levels]: how many leaves a level has: its spans' starts, their ends, then word pieces;
    - `leaf_tokens`, `leaf_labels`, `leaf_positions`, `leaf_levels` [n_leaves]: each one's place in the flattened
      sequences [n_pairs * L], its label's number, its place in its span, its level;
    - `roots` [n_pairs, 2]: question's and answer's root among the spans of level 0;
    - `text_spans` [n_pairs, 2]: how many spans question and answer have, and `order` [n_spans]: where in the schedule
      each of them is, one text after the other.

    Words that are cut away with the end of a text leave its tree. A token that reaches into two words is both's.

    :param encoder: see :class:`PairCollator`.
    :param max_pair_length: see :class:`PairCollator`.
    :param tokenizer: see :class:`PairCollator`.
    :param mark_matches: see :class:`PairCollator`.
    :param trees: of :data:`SHAPES`.
    :raises ValueError: as :class:`PairCollator`.
    """

    def __init__(
        self,
        encoder: "PreTrainedConfig",
        max_pair_length: int,
        tokenizer: Tokenizer,
        *,
        mark_matches: bool = False,
        trees: str = GIVEN,
    ) -> None:
        super().__init__(encoder, max_pair_length, tokenizer, mark_matches=mark_matches)
        if not (self.template.before and self.template.after):
            msg = (
                "the tokenizer puts nothing before or after a pair; expected special tokens, where trees start and end"
            )
            raise ValueError(msg)
        self.trees = trees
        self._read_trees: dict[tuple[str, str, int], TextTree] = {}
        self._elements = 0

    def __call__(self, records: Sequence[Record]) -> dict[str, Tensor]:
        """
        Make a batch.

        :param records: at least one pair; consecutive ones with the same query and `query_meta` are one list.
        :returns: the tensors that the class names.
        :raises TreeError: if a text has no tree, or one that cannot be read or is another text's.
        :raises ValueError: if there is no record.
        """
        batch = super().__call__(records)
        width = batch["input_ids"].shape[1]
        tokens = self._read(text for record in records for text in (record.query, record.answer))
        t = self.template
        trees: list[TextTree] = []
        # Of each text: where its tokens begin in the flattened sequences, and where start and end tokens are.
        places: list[tuple[int, int, int]] = []
        for row, record in enumerate(records):
            question, answer = self._cut(tokens[record.query], tokens[record.answer])
            first = row * width + len(t.before)
            second = first + len(question) + len(t.between)
            trees += self._trees(record, len(question), len(answer))
            # The classification token, or whatever stands next to the question, and the separators next to the texts.
            places.append((first, row * width, first + len(question)))
            places.append((second, second - 1, second + len(answer)))
        schedule = _schedule(trees, np.array(places))
        return batch | {name: torch.from_numpy(array) for name, array in schedule.items()}

    def text_trees(self, record: Record) -> tuple[TextTree, TextTree]:
        """
        Give a pair's trees as the model reads them.

        :param record: the pair.
        :returns: the question's tree and the answer's.
        :raises TreeError: if a text has no tree, or one that cannot be read or is another text's.
        """
        tokens = self._read((record.query, record.answer))
        question, answer = self._cut(tokens[record.query], tokens[record.answer])
        first, second = self._trees(record, len(question), len(answer))
        return first, second

    def read(self, text: str, bracketed: object) -> None:
        """
        Read a text's tree, which the next batch will need: so that whoever knows where it is from can tell.

        :param text: the text.
        :param bracketed: what is said to be its tree.
        :raises TreeError: if it cannot be read or is another text's.
        """
        self._tree(text, bracketed, len(self._read([text])[text]))

    def read_part(self, text: str) -> str:
        """
        Give the part of a text that can matter to the model.

        :param text: the text.
        :returns: its beginning, up to white space, with all tokens that a sequence has room for.
        """
        offsets = self.tokenizer.encode(text, add_special_tokens=False).offsets
        if len(offsets) <= self.room:
            return text
        rest = text[offsets[self.room - 1][1] :]
        word = rest.split(maxsplit=1)[0] if rest and not rest[0].isspace() else ""
        return text[: offsets[self.room - 1][1] + len(word)]

    @classmethod
    def from_pretrained(cls, folder: str | Path) -> Self:
        """
        Read a collator from a model folder.

        :param folder: a whole model folder.
        :returns: the collator.
        """
        collator = super().from_pretrained(folder)
        collator.trees = json.loads((Path(folder) / "config.json").read_text(encoding="utf-8"))["trees"]
        return collator

    def _trees(self, record: Record, question: int, answer: int) -> tuple[TextTree, TextTree]:
        """A pair's trees over as many tokens as are left of its texts."""
        sides = (
            ("query", record.query, record.query_meta, question),
            ("answer", record.answer, record.meta, answer),
        )
        found = []
        for side, text, meta, tokens in sides:
            if TREE_FIELD not in meta:
                msg = f"the {side} {_shown(text)} has no parse tree; expected one under '{TREE_FIELD}' in its metadata"
                raise TreeError(msg)
            try:
                found.append(self._tree(text, meta[TREE_FIELD], tokens))
            except TreeError as error:
                msg = f"the {side} {_shown(text)} has a parse tree that is not its: {error}"
                raise TreeError(msg) from error
        return found[0], found[1]

    def _tree(self, text: str, bracketed: Any, tokens: int) -> TextTree:
        known = self._read_trees.get((text, bracketed, tokens)) if isinstance(bracketed, str) else None
        if known is not None:
            return known
        tree = read_tree(bracketed, text)
        offsets = self.tokenizer.encode(text, add_special_tokens=False).offsets
        shaped = _over_pieces(tree, offsets[:tokens], lambda kept: SHAPES[self.trees](kept, text))
        self._elements += len(shaped.levels) + len(shaped.piece_tokens) + (len(text) + len(bracketed)) // 8 + 1
        if self._elements > _CACHED_ELEMENTS:
            self._read_trees, self._elements = {}, 0
        self._read_trees[text, bracketed, tokens] = shaped
        return shaped


def _over_pieces(tree: SpanTree, offsets: Sequence[tuple[int, int]], shape: Callable[[SpanTree], SpanTree]) -> TextTree:
    """Bring words and tokens together; words without a token leave the tree, which then gets its shape."""
    starts, ends = np.maximum.accumulate(np.array(offsets, dtype=np.int64).reshape(-1, 2)).T
    # A word's tokens are those that reach into it.
    first = np.searchsorted(ends, tree.starts, side="right")
    counts = np.maximum(np.searchsorted(starts, tree.ends, side="left") - first, 0)
    there = counts > 0
    tree = shape(tree if there.all() else tree.kept(there))
    first, counts = first[there], counts[there]

    words = np.repeat(np.arange(len(counts)), counts)
    piece_tokens = first[words] + _places_within(counts)
    parents = tree.parents.astype(np.int64)
    piece_spans = tree.word_parents.astype(np.int64)[words]
    # The elements of all spans but the root: word pieces and spans, in the order of their first words.
    element_of = np.concatenate([piece_spans, parents[1:]])
    order = np.lexsort((np.concatenate([words, tree.extents[1:, 0]]), element_of))
    sizes = np.bincount(element_of, minlength=len(parents))
    slots = np.empty_like(element_of)
    slots[order] = _places_within(sizes) + 1
    return TextTree(
        tree=tree,
        levels=tree.levels.astype(np.int64),
        labels=_numbers(tree.labels),
        parents=parents,
        slots=np.concatenate([[0], slots[len(words) :]]),
        sizes=sizes,
        piece_tokens=piece_tokens,
        piece_spans=piece_spans,
        piece_slots=slots[: len(words)],
        piece_tags=_numbers(tree.tags)[words],
        piece_words=words,
    )


def _schedule(trees: Sequence[TextTree], places: Longs) -> dict[str, Longs]:
    """The tensors of :class:`TreeCollator`, of texts and (their first token, start, end) in the flattened sequences."""
    n_spans = np.array([len(tree.levels) for tree in trees])
    n_pieces = np.array([len(tree.piece_tokens) for tree in trees])
    before = np.cumsum(n_spans) - n_spans
    of_span, of_piece = np.repeat(np.arange(len(trees)), n_spans), np.repeat(np.arange(len(trees)), n_pieces)
    levels, labels, parents, slots, sizes = (
        np.concatenate([getattr(tree, name) for tree in trees])
        for name in ("levels", "labels", "parents", "slots", "sizes")
    )
    piece_tokens, piece_spans, piece_slots, piece_tags = (
        np.concatenate([getattr(tree, name) for tree in trees])
        for name in ("piece_tokens", "piece_spans", "piece_slots", "piece_tags")
    )
    parents = np.where(parents < 0, -1, parents + before[of_span])
    piece_spans = piece_spans + before[of_piece]

    # The order of spans: levels from the deepest, and in each the short ones first.
    lengths = sizes + 2
    widths = np.searchsorted(_WIDTHS, lengths)
    order = np.lexsort((lengths, -levels))
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    spans_of_level = np.bincount(levels)
    first_of_level = np.cumsum(spans_of_level[::-1])[::-1] - spans_of_level
    in_level = rank - first_of_level[levels]

    # The order of leaves: by level, and in each starts and ends in the order of spans, then pieces.
    piece_levels = levels[piece_spans]
    kinds = np.repeat([0, 1, 2], [len(levels), len(levels), len(piece_spans)])
    leaf_spans = np.concatenate([np.arange(len(levels)), np.arange(len(levels)), piece_spans])
    leaf_order = np.lexsort((rank[leaf_spans], kinds, -levels[leaf_spans]))
    leaves_of_level = 2 * spans_of_level + np.bincount(piece_levels, minlength=len(spans_of_level))
    leaf_rows = np.empty_like(leaf_order)
    leaf_rows[leaf_order] = np.arange(len(leaf_order))
    leaf_rows -= (np.cumsum(leaves_of_level[::-1])[::-1] - leaves_of_level)[levels[leaf_spans]]
    leaf_slots = np.concatenate([np.zeros_like(sizes), sizes + 1, piece_slots])
    leaf_tokens = np.concatenate([places[of_span, 1], places[of_span, 2], places[of_piece, 0] + piece_tokens])
    leaf_labels = np.concatenate([labels, labels, piece_tags])

    # Buckets: neighbours in the order, of the same level and class of widths.
    sorted_levels, sorted_widths = levels[order], widths[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (sorted_levels[1:] != sorted_levels[:-1]) | (sorted_widths[1:] != sorted_widths[:-1])
    starts = np.flatnonzero(new)
    spans = np.diff(np.append(starts, len(order)))
    longest = lengths[order][starts + spans - 1]
    row_starts = np.empty_like(order)
    cells = np.repeat(longest, spans)
    row_starts[order] = np.cumsum(cells) - cells

    # What stands beyond a row's end is the level's first leaf, which is not looked at.
    elements = np.zeros(cells.sum(), dtype=np.int64)
    elements[row_starts[leaf_spans] + leaf_slots] = leaf_rows
    below = np.flatnonzero(parents >= 0)
    elements[row_starts[parents[below]] + slots[below]] = leaves_of_level[levels[below] - 1] + in_level[below]
    return {
        "buckets": np.stack([sorted_levels[starts], spans, longest], axis=1),
        "lengths": lengths[order],
        "elements": elements,
        "level_leaves": leaves_of_level,
        "leaf_tokens": leaf_tokens[leaf_order],
        "leaf_labels": leaf_labels[leaf_order],
        "leaf_positions": leaf_slots[leaf_order],
        "leaf_levels": levels[leaf_spans][leaf_order],
        "roots": in_level[before].reshape(-1, 2),
        "text_spans": n_spans.reshape(-1, 2),
        "order": rank,
    }


def _places_within(counts: Longs) -> Longs:
    """0, 1, … for each count, one after the other."""
    return np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)


def _numbers(labels: Sequence[str]) -> Longs:
    return np.array([label_number(label) for label in labels], dtype=np.int64)


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")
