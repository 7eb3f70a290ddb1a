# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
The levels of parse trees: the order in which a model reads spans from the deepest ones up to the roots.

A span is read as a row of elements: a start token, its children, an end token. A child that is a word is its word
pieces, each an element; one that is a span is one element, that span's vector. So all spans of one level, of all pairs
of a batch, can be read at once, after those of the level below.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from answer_selection.indexing.text.tree import SpanTree, label_number

Longs = NDArray[np.int64]

# Rows of up to so many elements are padded to the longest of them, longer ones to the longest of theirs.
_WIDTHS: Final = np.array([4, 8, 16, 32, 64, 128, 256, 512])


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


class Schedule(NamedTuple):
    """
    The order in which the spans of a batch are read: levels from the deepest to 0, and of each the short spans first.

    :param buckets: which level, how many spans, and to how many elements they are padded [n_buckets, 3].
    :param lengths: how many elements each span has, start and end among them [n_spans].
    :param elements: bucket by bucket, the padded rows one after the other; each element is one of its level's leaves,
        or, counted on from these, a span of the level below.
    :param level_leaves: how many leaves a level has: its spans' starts, their ends, then word pieces [n_levels].
    :param leaf_tokens: each leaf's place in the flattened sequences [n_pairs * L], [n_leaves].
    :param leaf_labels: its label's number.
    :param leaf_positions: its place in its span.
    :param leaf_levels: its level.
    :param roots: question's and answer's root among the spans of level 0 [n_pairs, 2].
    :param text_spans: how many spans question and answer have [n_pairs, 2].
    :param order: where in the schedule each of them is, one text after the other [n_spans].
    """

    buckets: Tensor
    lengths: Tensor
    elements: Tensor
    level_leaves: Tensor
    leaf_tokens: Tensor
    leaf_labels: Tensor
    leaf_positions: Tensor
    leaf_levels: Tensor
    roots: Tensor
    text_spans: Tensor
    order: Tensor


def over_pieces(tree: SpanTree, offsets: Sequence[tuple[int, int]], shape: Callable[[SpanTree], SpanTree]) -> TextTree:
    """
    Bring words and tokens together.

    :param tree: the tree over the text's words; those without a token leave it.
    :param offsets: where each of the text's tokens begins and ends.
    :param shape: what becomes of the tree that is left.
    :returns: the tree over the tokens. One that reaches into two words is both's.
    """
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


def schedule(trees: Sequence[TextTree], places: Longs) -> Schedule:
    """
    Put the spans of a batch in order.

    :param trees: question's and answer's tree of each pair, one text after the other.
    :param places: where in the flattened sequences each text's tokens begin, its start token and its end token are
        [n_texts, 3].
    :returns: the order.
    """
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
    return Schedule(
        *map(
            torch.from_numpy,
            (
                np.stack([sorted_levels[starts], spans, longest], axis=1),
                lengths[order],
                elements,
                leaves_of_level,
                leaf_tokens[leaf_order],
                leaf_labels[leaf_order],
                leaf_slots[leaf_order],
                levels[leaf_spans][leaf_order],
                in_level[before].reshape(-1, 2),
                n_spans.reshape(-1, 2),
                rank,
            ),
        )
    )


def _places_within(counts: Longs) -> Longs:
    """0, 1, … for each count, one after the other."""
    return np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)


def _numbers(labels: Sequence[str]) -> Longs:
    return np.array([label_number(label) for label in labels], dtype=np.int64)
