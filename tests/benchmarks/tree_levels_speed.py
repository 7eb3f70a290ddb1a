# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
The tree aggregation transformer level by level against its recursion span by span, forward and backward.

Pairs of WikiQA with parse trees; random weights of the paper's sizes, and random vectors in the place of an encoder's
output, to which gradients go; on one thread, in turn, in the process's own time, so that others on the machine do not
count. The recursion is the tests' oracle, with the same saving: of a span only the first output is computed.

    python tests/benchmarks/tree_levels_speed.py --data ../shared/data
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import torch
from transformers import BertConfig
from wikiqa_pairs import about, add_arguments, pairs

from haystack_integrations.components.rankers.answer_selection.models.tree_aggregation import (
    Schedule,
    TreeAggregation,
    TreeAggregationConfig,
)
from haystack_integrations.components.rankers.answer_selection.models.tree_collator import TreeCollator
from haystack_integrations.components.rankers.answer_selection.models.wordpiece import adopt, train_wordpiece
from tree_recursion import Recursion

ASKED = 10.0


def main() -> int:
    """Prints the times; the exit code is 1 if the factor is below the one that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--size", type=int, default=1024, help="of the encoder's vectors and of each half")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)

    records = pairs(arguments)
    encoder = BertConfig(hidden_size=arguments.size)
    tokenizer = train_wordpiece((t for r in records for t in (r.query, r.answer)), 30_000)
    adopt(encoder, tokenizer)
    config = TreeAggregationConfig(encoder=encoder, half_size=arguments.size, feed_forward_size=4 * arguments.size)
    aggregation = TreeAggregation(arguments.size, config)
    for parameter in aggregation.parameters():
        torch.nn.init.normal_(parameter, std=parameter.shape[-1] ** -0.5)
    collator = TreeCollator(config.encoder, 256, tokenizer)
    print(about(records, collator))
    batch = collator(records)
    schedule = Schedule(**{name: batch[name] for name in Schedule._fields})
    given = torch.randn(*batch["input_ids"].shape, arguments.size)
    texts = [
        (row, tree, start)
        for row, record in enumerate(records)
        for tree, start in zip(collator.text_trees(record), starts(batch, row), strict=True)
    ]

    def levels(states: torch.Tensor) -> torch.Tensor:
        return aggregation(states, schedule).flatten(0, 1)

    def recursion(states: torch.Tensor) -> torch.Tensor:
        vectors = []
        for row, text, (start, end) in texts:
            tokens = [
                (start + 1 + text.piece_tokens[text.piece_words == w]).tolist() for w in range(len(text.tree.tags))
            ]
            vectors.append(Recursion(aggregation, states[row], text.tree, tokens, start, end).vector())
        return torch.stack(vectors)

    ways: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {"level by level": levels, "span by span": recursion}
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    results = {}
    levels(given.requires_grad_()).sum().backward()  # for allocations
    for _ in range(arguments.rounds):
        for name, way in ways.items():
            states = given.detach().requires_grad_()
            aggregation.zero_grad()
            start = time.process_time()
            results[name] = way(states)
            results[name].sum().backward()
            seconds[name].append(time.process_time() - start)
    if not torch.allclose(*results.values(), atol=1e-3):
        msg = "the two do not give the same vectors"
        raise SystemExit(msg)
    for name, taken in seconds.items():
        print(f"{name}: {statistics.median(taken):.3f} s ({min(taken):.3f}, {max(taken):.3f})")
    factor = statistics.median(seconds["span by span"]) / statistics.median(seconds["level by level"])
    print(f"{factor:.1f}x")
    return int(factor < ASKED)


def starts(batch: dict[str, torch.Tensor], row: int) -> list[tuple[int, int]]:
    """Where start and end tokens of a pair's question and answer are: [CLS] question [SEP] answer [SEP]."""
    types, mask = batch["token_type_ids"][row], batch["attention_mask"][row]
    answer, end = int(types.argmax()), int(mask.sum()) - 1
    return [(0, answer - 1), (answer - 1, end)]


if __name__ == "__main__":
    raise SystemExit(main())
