# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
How long our ranker of a plain cross-encoder takes, against sentence-transformers' own `CrossEncoder`, of one folder.

Questions of squad-sentences and their best 100 sentences by BM25; MiniLM-L6's shape (or L2's) with random weights and a
tokenizer of these texts, in one precision, on one thread, in turn; the process's own time, so that others on the
machine do not count. `predict` is given all pairs of all questions at once, `rank` those of one question a call; for
each its faster batch size counts. Ours is one call, and begins with no text tokenised. With 1,000 questions each of the
five ways takes a core half an hour, or ten minutes with two layers.

    python tests/benchmarks/pair_ranker_speed.py --data ../shared/data
    python tests/benchmarks/pair_ranker_speed.py --data ../shared/data --queries 1000 --rounds 1 --layers 2
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from batch_speed import CANDIDATES, candidates
from haystack import Document
from haystack.utils import ComponentDevice
from sentence_transformers import CrossEncoder
from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

from haystack_integrations.components.rankers.answer_selection import AnswerRanker
from haystack_integrations.components.rankers.answer_selection.models.wordpiece import train_wordpiece

BATCH_SIZES = (32, 64)
ASKED = {"predict": 0.95, "rank": 1.2}

Lists = list[list[Document]]


def main() -> int:
    """Prints the table; the exit code is 1 if a factor is below the one that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--queries", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--layers", type=int, default=6, help="of the encoder")
    parser.add_argument("--dtype", choices=("float32", "bfloat16"), default="float32")
    arguments = parser.parse_args()
    torch.set_num_threads(1)

    with tempfile.TemporaryDirectory() as folder:
        queries, lists = candidates(arguments.data / "squad-sentences", Path(folder), arguments.queries)
        model = Path(folder) / "model"
        texts = [*queries, *(document.content or "" for documents in lists for document in documents)]
        write(model, texts, arguments.layers)
        peer = CrossEncoder(str(model), device="cpu", model_kwargs={"dtype": arguments.dtype})
        ways: dict[str, Callable[[], tuple[float, list[list[float]]]]] = {
            "ours": lambda: ours(model, arguments.dtype, queries, lists)
        }
        for size in BATCH_SIZES:
            ways[f"predict, batches of {size}"] = lambda size=size: predict(peer, queries, lists, size)
            ways[f"rank, batches of {size}"] = lambda size=size: rank(peer, queries, lists, size)
        seconds: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(arguments.rounds):
            expected = None
            for name, way in ways.items():
                spent, scores = way()
                seconds[name].append(spent)
                expected = scores if expected is None else expected
                if not np.allclose(scores, expected, atol=1e-5 if arguments.dtype == "float32" else 0.02):
                    raise AssertionError(name)

    medians = {name: statistics.median(taken) for name, taken in seconds.items()}
    print(
        f"{len(queries)} questions x {CANDIDATES}, {arguments.layers} layers, {arguments.dtype}, one thread, "
        f"median of {arguments.rounds} rounds"
    )
    for name, taken in seconds.items():
        factor = medians[name] / medians["ours"]
        print(f"{name:24} {medians[name]:8.2f} s ({min(taken):.2f}, {max(taken):.2f}) {factor:6.2f}x")
    best = {peer: min(medians[name] for name in medians if name.startswith(peer)) for peer in ASKED}
    return int(any(best[peer] / medians["ours"] < asked for peer, asked in ASKED.items()))


def write(folder: Path, texts: list[str], layers: int) -> None:
    """A cross-encoder of MiniLM's shape as sentence-transformers writes one."""
    torch.manual_seed(0)
    words = train_wordpiece(dict.fromkeys(texts), 30_522)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=words,
        unk_token="[UNK]",
        sep_token="[SEP]",
        pad_token="[PAD]",
        cls_token="[CLS]",
        model_max_length=512,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    )
    config = BertConfig(
        vocab_size=words.get_vocab_size(),
        hidden_size=384,
        num_hidden_layers=layers,
        num_attention_heads=12,
        intermediate_size=1536,
        num_labels=1,
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    CrossEncoder(str(folder), device="cpu").save_pretrained(str(folder))


def ours(model: Path, dtype: str, queries: list[str], lists: Lists) -> tuple[float, list[list[float]]]:
    """The seconds of one call of a new ranker, and the probabilities in the documents' order."""
    ranker = AnswerRanker(model=model, device=ComponentDevice.from_str("cpu"), top_k=CANDIDATES, dtype=dtype)
    ranker.warm_up()
    start = time.process_time()
    ranked = ranker.run_batch(queries, lists)["documents"]
    seconds = time.process_time() - start
    scores = [{document.id: document.score or 0.0 for document in found} for found in ranked]
    return seconds, [[by_id[d.id] for d in incoming] for by_id, incoming in zip(scores, lists, strict=True)]


def predict(peer: CrossEncoder, queries: list[str], lists: Lists, size: int) -> tuple[float, list[list[float]]]:
    """The same of sentence-transformers, for all pairs at once."""
    start = time.process_time()
    pairs = [(query, d.content or "") for query, found in zip(queries, lists, strict=True) for d in found]
    scores = peer.predict(pairs, batch_size=size, show_progress_bar=False)
    return time.process_time() - start, scores.reshape(len(queries), -1).tolist()


def rank(peer: CrossEncoder, queries: list[str], lists: Lists, size: int) -> tuple[float, list[list[float]]]:
    """The same, a call a question."""
    start = time.process_time()
    ranked = [
        peer.rank(query, [document.content or "" for document in found], batch_size=size, show_progress_bar=False)
        for query, found in zip(queries, lists, strict=True)
    ]
    seconds = time.process_time() - start
    return seconds, [
        [float(one["score"]) for one in sorted(found, key=lambda one: one["corpus_id"])] for found in ranked
    ]


if __name__ == "__main__":
    raise SystemExit(main())
