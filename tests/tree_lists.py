# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Candidate lists with parse trees, and a recipe of a model that reads them."""

from pathlib import Path

from answer_selection.indexing.candidates import read_jsonl
from tiny_encoders import folder as tiny_encoder

RECIPE = """\
model:
  {{name: tree_aggregation, encoder: {encoder}, max_pair_length: 48, half_size: 8, heads: 2, feed_forward_size: 8}}
training: {{loss: pointwise, epochs: 1, pairs_per_batch: 64, negatives: 2, learning_rate: 0.001, use_cpu: true}}
"""


def recipe(tmp_path: Path, more: str = "") -> Path:
    """A recipe's file."""
    path = tmp_path / "recipe.yaml"
    path.write_text(RECIPE.format(encoder=tiny_encoder("bert")) + more, encoding="utf-8")
    return path


def flat(text: str) -> str:
    """A tree that no parser makes."""
    return f"(ROOT (X {' '.join(f'(XX {word})' for word in text.split())}))"


def trees(path: Path) -> dict[str, str]:
    """The trees of lists, by their texts."""
    found = {}
    for one in read_jsonl(path):
        found[one.query] = one.query_meta["parse_tree"]
        found.update((each.answer, each.meta["parse_tree"]) for each in one.candidates)
    return found
