# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Pairs of WikiQA's training part with parse trees, for the benchmarks of trees."""

import argparse
from pathlib import Path

from answer_selection.indexing.candidates import read_toks
from answer_selection.indexing.text.tree import TREE_FIELD
from haystack_integrations.components.preprocessors.answer_selection.corenlp import CoreNLPBackend
from haystack_integrations.components.preprocessors.answer_selection.shallow import ShallowBackend
from haystack_integrations.components.preprocessors.answer_selection.tree_cache import TreeCache
from haystack_integrations.components.rankers.answer_selection.models.record import Record
from haystack_integrations.components.rankers.answer_selection.models.tree_collator import TreeCollator


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds what says which pairs these are."""
    parser.add_argument("--data", type=Path, required=True, help="the folder that has wikiqa")
    parser.add_argument("--pairs", type=int, default=32)
    parser.add_argument(
        "--trees", type=Path, help="a cache of CoreNLP's trees: pairs that are in it; otherwise shallow ones are made"
    )


def pairs(arguments: argparse.Namespace) -> list[Record]:
    """The first pairs that there are trees of."""
    texts = [
        (each.query, candidate.answer)
        for each in read_toks(arguments.data / "wikiqa" / "train")
        for candidate in each.candidates
    ]
    if arguments.trees is None:
        texts = texts[: arguments.pairs]
        found = dict.fromkeys(text for pair in texts for text in pair)
        found = dict(zip(found, ShallowBackend().parse(list(found)), strict=True))
    else:
        every = dict.fromkeys(text for pair in texts for text in pair)
        found = TreeCache(arguments.trees).find(CoreNLPBackend().name, every)
    records = [
        Record(question, answer, {TREE_FIELD: found[question]}, {TREE_FIELD: found[answer]})
        for question, answer in texts
        if question in found and answer in found
    ][: arguments.pairs]
    if len(records) < arguments.pairs:
        msg = f"{arguments.trees} has trees of {len(records)} pairs only; expected {arguments.pairs}"
        raise SystemExit(msg)
    return records


def about(records: list[Record], collator: TreeCollator) -> str:
    """A line on the pairs and their trees."""
    batch, count = collator(records), len(records)
    tokens, spans = int(batch["attention_mask"].sum()) / count, len(batch["lengths"]) / count
    return f"{count} pairs, {tokens:.0f} tokens and {spans:.0f} spans a pair, {len(batch['level_leaves'])} levels"
