# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
CTRN on TrecQA: learns from TRAIN-ALL, stops by raw-dev, is tested on raw-test, beside BM25 over the same candidates.

    python tests/benchmarks/trecqa.py --data FOLDER

The folder holds train-all, raw-dev and raw-test in the toks format. TRAIN-ALL's answers are cut to 40 tokens, as those
of dev and test are. BM25's idf is that of the answers of the set it ranks. Both policies are shown: "with-relevant" is
the one to state. The difference is that of the mean over the seeds; its p-value is of a paired randomisation test over
the questions, of which those with a right answer in common are one.
"""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import numpy as np
from answer_selection.indexing.candidates import CandidateList, read_toks, write_jsonl
from answer_selection.pipelines.console import bar
from answer_selection.pipelines.evaluation.candidate_mode import rank_candidates
from answer_selection.pipelines.evaluation.metrics import evaluate_questions
from answer_selection.pipelines.evaluation.policies import Policy, QuestionCounts
from answer_selection.pipelines.evaluation.results import QuestionResult
from answer_selection.pipelines.evaluation.significance import Comparison, compare, shared_entry_clusters
from answer_selection.pipelines.recipe import read_recipe
from answer_selection.pipelines.train_ranker import Lists, list_texts, refuse_model, train_from_lists
from haystack_integrations.components.rankers.answer_selection import BM25Ranker, CTRNRanker
from haystack_integrations.components.rankers.answer_selection.training.model_card import DataSource
from numpy.typing import NDArray

LONGEST_ANSWER = 40
METRICS = ("MAP", "MRR", "P@1")
BM25 = {"BM25, words": "words", "BM25, white space": "whitespace"}
SOURCE = DataSource(
    "TrecQA, TRAIN-ALL", "research use only", "TREC QA tracks 8 to 12 (Wang et al. 2007)", "training, word vectors"
)


def cut_lists(folder: Path) -> Iterator[CandidateList]:
    """Candidate lists of the toks format, their answers cut to the 40 tokens that dev's and test's have."""
    for candidates in read_toks(folder):
        cut = [" ".join(one.answer.split()[:LONGEST_ANSWER]) for one in candidates.candidates]
        short = tuple(replace(one, answer=text) for one, text in zip(candidates.candidates, cut, strict=True))
        yield replace(candidates, candidates=short)


@dataclass(frozen=True)
class Scores:
    """
    Per question that counts, what every ranker reached.

    :param counts: the policy, and how many questions count by it.
    :param values: by ranker and metric, [n_questions].
    :param clusters: which questions share a right answer, [n_questions].
    """

    counts: QuestionCounts
    values: Mapping[str, Mapping[str, NDArray[np.float64]]]
    clusters: NDArray[np.int64]

    def mean(self, ranker: str, metric: str) -> float:
        """A ranker's mean over the questions."""
        return float(self.values[ranker][metric].mean())

    def over(self, baseline: str, rankers: Sequence[str], metric: str) -> Comparison:
        """The mean of several rankers less a baseline, question by question."""
        means = np.mean([self.values[ranker][metric] for ranker in rankers], axis=0)
        return compare(self.values[baseline][metric], means, self.clusters)


def score(results: Sequence[QuestionResult], policy: Policy) -> Scores:
    """What every ranker reached on the questions that count."""
    counts = QuestionCounts(policy)
    counted = [result for result in results if counts.add(result.relevance, closed=result.closed)]
    qrels = {result.query_id: result.relevance for result in counted}
    values = {}
    for ranker in counted[0].stages:
        run = {
            result.query_id: list(zip(result.stages[ranker].ids, result.stages[ranker].scores, strict=True))
            for result in counted
        }
        by_question = evaluate_questions(run, qrels, METRICS)
        values[ranker] = {name: np.array([by_question[key][name] for key in qrels]) for name in METRICS}
    return Scores(counts, values, shared_entry_clusters([result.entries for result in counted]))


def rank(lists: Sequence[CandidateList], models: Mapping[str, Path]) -> list[QuestionResult]:
    """Let BM25, twice, and the models rank the candidates; tied candidates stand in an order that tells nothing."""
    answers = list(dict.fromkeys(one.answer for candidates in lists for one in candidates.candidates))
    rankers: dict[str, Any] = {name: BM25Ranker(tokens=tokens).fit(answers) for name, tokens in BM25.items()}
    rankers |= {name: CTRNRanker(model=folder) for name, folder in models.items()}
    return list(rank_candidates(rankers, lists))


def print_table(dev: Scores, test: Scores, models: Sequence[str]) -> None:
    """Print one policy's figures in Markdown."""
    print(f"\ndev: {dev.counts}\ntest: {test.counts}\n")
    print("| ranker | dev MAP | dev MRR | test MAP | test MRR | test P@1 |\n|---|---|---|---|---|---|")
    columns = [(dev, "MAP"), (dev, "MRR"), (test, "MAP"), (test, "MRR"), (test, "P@1")]
    for ranker in (*BM25, *models):
        print(f"| {ranker} | " + " | ".join(f"{part.mean(ranker, name):.4f}" for part, name in columns) + " |")
    cells = []
    for part, name in columns:
        means = [part.mean(model, name) for model in models]
        cells.append(f"{mean(means):.4f}" + (f" ± {stdev(means):.4f}" if len(means) > 1 else ""))
    print("| mean of the seeds ± standard deviation | " + " | ".join(cells) + " |\n")
    for baseline in BM25:
        for name in ("MAP", "MRR"):
            found = test.over(baseline, models, name)
            low, high = found.interval or (np.nan, np.nan)
            alone = ", ".join(f"{test.over(baseline, [model], name).p_value:.4f}" for model in models)
            print(
                f"- test {name} over {baseline}: {100 * found.difference:+.1f} points, 95 % from {100 * low:+.1f} to "
                f"{100 * high:+.1f}, p = {found.p_value:.4f} (each seed alone: {alone})"
            )


def to_dict(part: Scores) -> dict[str, Any]:
    """The same for a file."""
    return {ranker: {name: part.mean(ranker, name) for name in METRICS} for ranker in part.values}


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with train-all, raw-dev and raw-test")
    parser.add_argument("--recipe", default="ctrn_trecqa", help="a recipe's file, or the name of a shipped one")
    parser.add_argument("--start", default="scratch", help="scratch, default (the package's model) or a model folder")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--output", type=Path, default=Path("answer-selection-runs/trecqa"))
    parser.add_argument("--overwrite", action="store_true", help="train again where a model is there")
    options = parser.parse_args()

    recipe, output = read_recipe(options.recipe), options.output / Path(options.recipe).stem
    output.mkdir(parents=True, exist_ok=True)
    lists = {name: list(cut_lists(options.data / name)) for name in ("train-all", "raw-dev", "raw-test")}
    for name in ("train-all", "raw-dev"):
        write_jsonl(output / f"{name}.jsonl", lists[name])
    models = {}
    for seed in options.seeds:
        folder = models[f"CTRN, seed {seed}"] = output / f"seed-{seed}"
        # The card comes last: where it is, the model is whole.
        if (folder / "README.md").exists() and not options.overwrite:
            print(f"seed {seed}: the model in {folder} is taken as it is", flush=True)
            continue
        refuse_model(folder, overwrite=options.overwrite)
        result = train_from_lists(
            Lists(output / "train-all.jsonl", output / "raw-dev.jsonl"),
            folder,
            recipe,
            bar,
            start=options.start,
            texts=list_texts(output / "train-all.jsonl"),
            sources=[SOURCE],
            summary="CTRN of the TrecQA benchmark.",
            seed=seed,
        )
        print(f"seed {seed}: step {result.best_step} of {result.steps} kept", flush=True)

    ranked = {name: rank(lists[name], models) for name in ("raw-dev", "raw-test")}
    figures = {}
    for policy in (Policy.WITH_RELEVANT, Policy.WITH_BOTH):
        dev, test = (score(results, policy) for results in ranked.values())
        print_table(dev, test, list(models))
        figures[str(policy)] = {"raw-dev": to_dict(dev), "raw-test": to_dict(test)}
    (output / "results.json").write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
