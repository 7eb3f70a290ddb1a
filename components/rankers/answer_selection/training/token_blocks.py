# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Texts as blocks of tokens of one length, on disk: what an encoder is pretrained on."""

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from answer_selection.indexing.batched import batched
from answer_selection.indexing.whole_file import whole_file

Ids = NDArray[np.int64]

# Texts that are tokenised at once.
_TEXTS: Final = 1000


def write_tokens(texts: Iterable[str], tokenizer: Tokenizer, path: Path) -> None:
    """
    Write the tokens of texts behind each other, with [SEP] after each text.

    :param texts: the texts, read once.
    :param tokenizer: the tokenizer.
    :param path: where to; the file is there only once it is whole.
    """
    end = tokenizer.token_to_id("[SEP]")
    with whole_file(path) as part, part.open("wb") as file:
        for ids in _encoded(texts, tokenizer):
            file.write(
                np.array(list(chain.from_iterable((*one, end) for one in ids)), dtype=_type(tokenizer)).tobytes()
            )


def _encoded(texts: Iterable[str], tokenizer: Tokenizer) -> Iterator[list[list[int]]]:
    for some in batched(texts, _TEXTS):
        found = tokenizer.encode_batch_fast(list(some), add_special_tokens=False)
        yield [encoding.ids for encoding in found if encoding.ids]


def _type(tokenizer: Tokenizer) -> type[np.unsignedinteger]:
    return np.uint16 if tokenizer.get_vocab_size() <= 1 << 16 else np.uint32


class TokenBlocks:
    """
    A file of tokens, cut into blocks; it is mapped, not read, so that it takes no memory.

    A block begins with [CLS] and ends with [SEP], as a text does that the encoder will see. Short texts share one, long
    ones go on in the next. What is left at the end and fills no block is left out.

    :param path: what :func:`write_tokens` wrote.
    :param tokenizer: the same tokenizer.
    :param max_length: tokens of a block, special ones included.
    :raises ValueError: if there are fewer than two blocks.
    """

    def __init__(self, path: Path, tokenizer: Tokenizer, max_length: int) -> None:
        self._room = max_length - 2
        self._ends = [cast(int, tokenizer.token_to_id(name)) for name in ("[CLS]", "[SEP]")]
        kind = _type(tokenizer)
        self.tokens = path.stat().st_size // np.dtype(kind).itemsize
        if self.tokens < 2 * self._room:
            msg = (
                f"the texts have {self.tokens} tokens; expected at least {2 * self._room}, two blocks of "
                f"{max_length}, one to learn from and one to measure by: give more text, or a smaller max_length"
            )
            raise ValueError(msg)
        self._ids = np.memmap(path, dtype=kind, mode="r")

    def __len__(self) -> int:
        """How many blocks there are."""
        return self.tokens // self._room

    def read(self, blocks: Ids) -> Ids:
        """
        Read blocks.

        :param blocks: their numbers.
        :returns: their tokens, [blocks x max_length].
        """
        found = np.empty((len(blocks), self._room + 2), dtype=np.int64)
        found[:, [0, -1]] = self._ends
        for row, block in enumerate(blocks):
            found[row, 1:-1] = self._ids[block * self._room : (block + 1) * self._room]
        return found
