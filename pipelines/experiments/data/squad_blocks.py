# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
SQuAD's questions and the sentences that answer them, as an end-to-end corpus.

Du et al. 2017, "Learning to ask: neural question generation for reading comprehension": two line-aligned files,
``src`` with the Wikipedia sentence that holds the answer and ``tgt`` with the question. The different sentences are the
entries, and bring no question along; the questions come apart.
"""

import random
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import TypeVar

from answer_selection.indexing.corpus import Query, check_shares
from answer_selection.indexing.entries import Entry, EntryError, EntrySourceError, entry_id_of
from answer_selection.indexing.formats.lines import EncodingError, Line, iter_lines

Item = TypeVar("Item")


def read_squad_sentences(src_path: str | Path, tgt_path: str | Path) -> tuple[Iterator[Entry], Iterator[Query]]:
    """
    Stream entries and queries. Each iterator reads the files for itself.

    :param src_path: one sentence a line.
    :param tgt_path: the question to the sentence of the same line.
    :returns: the different sentences, in the order in which they come first, each with a hash of its text as id; and
        the questions, in the files' order, each with its line's number as id and its sentence's entry as relevant.
    :raises EntrySourceError: while iterating, if a file cannot be read, a line is empty, or one file ends before the
        other; names file and line.
    """
    src, tgt = Path(src_path), Path(tgt_path)
    return _entries(src, tgt), _queries(src, tgt)


def split_blocks(
    items: Iterable[Item], block_size: int, parts: Mapping[str, float], seed: int = 0
) -> dict[str, list[Item]]:
    """
    Split items that stand in the order of their source texts, so that nearly all of one text falls into one part.

    The files of SQuAD's sentences have articles one after the other, but do not say where one ends. Neighbours speak
    of the same things, so a split line by line would validate on articles that were trained on. Here runs of
    ``block_size`` neighbours are drawn as a whole. Only the articles that a block's edge falls into are divided.

    :param items: in the source's order, such as the queries of :func:`read_squad_sentences`.
    :param block_size: how many neighbours make a block. One of several hundred holds one SQuAD article or more (they
        have some 220 questions each).
    :param parts: each part's name and share; a part has its share of the blocks, rounded.
    :param seed: another seed gives another split.
    :returns: each part's items in their order.
    :raises ValueError: if the block size is below 1, the shares are wrong, or there are too few blocks for the parts.
    """
    if block_size < 1:
        msg = f"block_size must be at least 1, but got {block_size}"
        raise ValueError(msg)
    check_shares(parts)
    everything = list(items)
    blocks = list(range(-(-len(everything) // block_size)))
    random.Random(seed).shuffle(blocks)  # noqa: S311 - a draw, not a secret
    part_of_block: dict[int, str] = {}
    share = 0.0
    for name, own_share in parts.items():
        start, share = round(share * len(blocks)), share + own_share
        own = blocks[start : round(share * len(blocks))]
        if not own:
            msg = (
                f"{len(blocks)} blocks of {block_size} are too few for the part {name!r} with its share of {own_share}"
            )
            raise ValueError(msg)
        part_of_block.update(dict.fromkeys(own, name))
    split: dict[str, list[Item]] = {name: [] for name in parts}
    for index, item in enumerate(everything):
        split[part_of_block[index // block_size]].append(item)
    return split


def _pairs(src: Path, tgt: Path) -> Iterator[tuple[int, str, str]]:
    for number, (sentence, question) in enumerate(zip_longest(_lines(src), _lines(tgt)), start=1):
        if sentence is None or question is None:
            shorter, longer = (src, tgt) if sentence is None else (tgt, src)
            message = f"the file ends, but {longer} goes on; expected as many lines in both"
            raise EntrySourceError(EntryError(str(shorter), f"line {number}", None, message))
        yield number, sentence, question


def _lines(path: Path) -> Iterator[str]:
    try:
        with path.open("rb") as stream:
            for line in iter_lines(stream):
                yield _checked(line, path)
    except EncodingError as error:
        raise EntrySourceError(EntryError(str(path), "", None, str(error))) from error
    except OSError as error:
        raise EntrySourceError(EntryError(str(path), "", None, f"cannot be read: {error.strerror or error}")) from error


def _checked(line: Line, path: Path) -> str:
    problem = line.problem or ("" if line.text.strip() else "the line is empty; expected text")
    if problem:
        raise EntrySourceError(EntryError(str(path), f"line {line.number}", None, problem))
    return line.text.strip()


def _entries(src: Path, tgt: Path) -> Iterator[Entry]:
    seen: set[str] = set()
    for _, sentence, _ in _pairs(src, tgt):
        entry_id = entry_id_of(sentence)
        if entry_id not in seen:
            seen.add(entry_id)
            yield Entry(entry_id, sentence)


def _queries(src: Path, tgt: Path) -> Iterator[Query]:
    for number, sentence, question in _pairs(src, tgt):
        yield Query(str(number), question, (entry_id_of(sentence),))
