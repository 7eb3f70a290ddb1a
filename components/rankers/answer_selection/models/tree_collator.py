# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""From pairs with parse trees to the sequence that an encoder reads, and the order in which spans are read."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np
from tokenizers import Tokenizer
from torch import Tensor

from answer_selection.indexing.text.tree import (
    TREE_FIELD,
    SpanTree,
    TreeError,
    balanced,
    left_branching,
    random_tree,
    read_tree,
    single_sentence,
)
from haystack_integrations.components.rankers.answer_selection.models.pair_collator import PairCollator
from haystack_integrations.components.rankers.answer_selection.models.record import Record
from haystack_integrations.components.rankers.answer_selection.models.tree_levels import TextTree, over_pieces, schedule

if TYPE_CHECKING:
    from transformers import PreTrainedConfig

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

# What is remembered of trees, in spans, elements and eights of characters: a question comes back with each candidate,
# an answer in every epoch.
_CACHED_ELEMENTS: Final = 1 << 22
_SHOWN: Final = 40


class TreeCollator(PairCollator):
    """
    Turns records with parse trees into sequences, and their trees into a schedule.

    A record's trees are in `query_meta` and `meta`, under "parse_tree". The batch holds what :class:`PairCollator`
    gives, and the fields of :class:`tree_levels.Schedule`.

    Words that are cut away with the end of a text leave its tree.

    :param encoder: the encoder's configuration.
    :param max_pair_length: the most tokens of a sequence, special ones included.
    :param tokenizer: the encoder's tokenizer.
    :param mark_matches: whether a batch holds `matches`.
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
        return batch | schedule(trees, np.array(places))._asdict()

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

    def read_tree(self, text: str, bracketed: object) -> None:
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
        offsets = self._encoding(text).offsets
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
        offsets = self._encoding(text).offsets
        shaped = over_pieces(tree, offsets[:tokens], lambda kept: SHAPES[self.trees](kept, text))
        self._elements += len(shaped.levels) + len(shaped.piece_tokens) + (len(text) + len(bracketed)) // 8 + 1
        if self._elements > _CACHED_ELEMENTS:
            self._read_trees, self._elements = {}, 0
        self._read_trees[text, bracketed, tokens] = shaped
        return shaped


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")
