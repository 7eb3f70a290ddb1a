# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
What the tree aggregation transformer adds to its encoder's own time when pairs with stored trees are scored.

Pairs of WikiQA with parse trees; BERT-large's shape and the paper's sizes, random weights; on one thread, in turn, in
the process's own time, so that others on the machine do not count. What is added is all that trees cost: reading them
from their brackets and making the schedule, with no text seen before, and going up the levels.

    python tests/benchmarks/tree_scoring_speed.py --data ../shared/data
"""

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import torch
from transformers import BertConfig
from wikiqa_pairs import about, add_arguments, pairs

from haystack_integrations.components.rankers.answer_selection.models.pair_collator import PairCollator
from haystack_integrations.components.rankers.answer_selection.models.tree_aggregation import (
    Schedule,
    TreeAggregationConfig,
    TreeAggregationModel,
)
from haystack_integrations.components.rankers.answer_selection.models.tree_collator import TreeCollator
from haystack_integrations.components.rankers.answer_selection.models.wordpiece import adopt, train_wordpiece

ASKED = 0.20
LARGE = {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096}


def main() -> int:
    """Prints the times; the exit code is 1 if more is added than asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--dtype", choices=("float32", "bfloat16"), default="float32")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)

    records = pairs(arguments)
    encoder = BertConfig(**LARGE)
    tokenizer = train_wordpiece((t for r in records for t in (r.query, r.answer)), 30_000)
    adopt(encoder, tokenizer)
    model = TreeAggregationModel(TreeAggregationConfig(encoder=encoder)).eval().to(getattr(torch, arguments.dtype))
    print(about(records, TreeCollator(encoder, 256, tokenizer)))

    seconds: dict[str, list[float]] = {"encoder": [], "sequences": [], "sequences and trees": [], "levels": []}
    for turn in range(arguments.rounds + 1):
        taken = {}
        taken["sequences"], _ = timed(lambda: PairCollator(encoder, 256, tokenizer)(records))
        taken["sequences and trees"], batch = timed(lambda: TreeCollator(encoder, 256, tokenizer)(records))
        schedule = Schedule(**{name: batch.pop(name) for name in Schedule._fields})
        batch.pop("list_sizes")
        with torch.inference_mode():
            taken["encoder"], states = timed(lambda batch=batch: model.encoder(**batch).last_hidden_state)
            taken["levels"], _ = timed(
                lambda states=states, schedule=schedule: model.head(model.aggregation(states, schedule).flatten(1))
            )
        if turn:  # the first is for allocations
            for name, spent in taken.items():
                seconds[name].append(spent)
    median = {name: statistics.median(taken) for name, taken in seconds.items()}
    for name, taken in seconds.items():
        print(f"{name}: {1000 * median[name]:.0f} ms ({1000 * min(taken):.0f}, {1000 * max(taken):.0f})")
    added = median["levels"] + median["sequences and trees"] - median["sequences"]
    print(f"+{added / median['encoder']:.1%}")
    return int(added > ASKED * median["encoder"])


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """The seconds that something takes, and what it gives."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


if __name__ == "__main__":
    raise SystemExit(main())
