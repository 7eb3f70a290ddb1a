# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
The package's own model on SQuAD's sentences, test, end to end: BM25's P@1 and what the ranker adds (at least 6 points).

    python tests/benchmarks/squad_end_to_end.py --data ../shared/data/squad-sentences

Indexes the 6,652 sentences, brings the model to them, and asks all 11,877 questions by the shipped pipeline. The model
is trained by `python pipelines/train_default.py`, on dev alone.
"""

import argparse
import sys
from pathlib import Path

from answer_selection.pipelines.console import STDOUT
from answer_selection.pipelines.evaluation.report import render
from answer_selection.pipelines.train_default import measure
from haystack_integrations.components.rankers.answer_selection import CTRNRanker

TARGET = 0.06


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with {src,tgt}-{dev,test}.txt")
    parser.add_argument("--model", type=Path, default=CTRNRanker.default_model, help="model folder to measure")
    parser.add_argument("--work", type=Path, default=Path("answer-selection-runs/squad-sentences"))
    arguments = parser.parse_args()
    report = measure(arguments.data, arguments.model, arguments.work, arguments.work / f"test-{arguments.model.name}")
    labels = {"bm25": "BM25", "ranker": "BM25 + ranker"}
    STDOUT.print(render(report, title="SQuAD's sentences, test, end to end", labels=labels))
    gain = report.comparisons["P@1"]
    reached = gain.difference >= TARGET and gain.p_value < 0.01
    STDOUT.print(f"P@1 {100 * gain.difference:+.1f} points (p {gain.p_value:.4f}); at least {100 * TARGET:+.0f} asked")
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
