# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Is a stated risk kept, and how many questions are answered at it?

The package's own model answers the questions to an FAQ; those of every second entry are asked without it. A random half
of the questions calibrates, the other half is answered, twenty times.

    python pipelines/experiments/answer_risk.py --data FOLDER --output FILE.json [--final]

FOLDER has `zoomcamp-faq`. Without `--final` it asks what decisions are made on: the bundled FAQ's validation half and
the course that models learn from. With it, the bundled FAQ's test half and the other course.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Final

import numpy as np
import typer
from numpy.typing import NDArray

from answer_selection.indexing.building.embedded import build_index
from answer_selection.indexing.corpus import iter_queries
from answer_selection.indexing.sources import Sources
from answer_selection.indexing.stored_entries import entry_of
from answer_selection.pipelines.commands.console import bar
from answer_selection.pipelines.definitions import pipeline_yaml
from answer_selection.pipelines.evaluation.bundled_faq import library_file
from answer_selection.pipelines.evaluation.risk_calibration import Found, ask_pipeline, with_taken_out
from answer_selection.pipelines.evaluation.risk_coverage import RiskCoverage
from answer_selection.pipelines.experiments.as_typed import as_typed
from answer_selection.pipelines.experiments.data.zoomcamp_faq import LEARNED, MEASURED
from answer_selection.pipelines.index_time.encoders import DEFAULT_ENCODER, load_encoder, load_word_reader
from haystack_integrations.components.rankers.answer_selection.training.calibration import fit_scale
from haystack_integrations.components.rankers.answer_selection.training.risk_calibration import answers_within
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

RISKS: Final = (0.05, 0.1, 0.2)
DRAWS: Final = 20

Signal = tuple[NDArray[np.float64], NDArray[np.bool_]]
"""Of each question how sure its first answer is, and whether it is right."""


def ask(corpus: Path, queries: Path, name: str) -> list[Found]:
    """
    Ask the shipped pipeline over an FAQ, with the package's own encoder and model.

    :param corpus: The FAQ's entries.
    :param queries: The questions.
    :param name: What to call them in the progress bar.
    :returns: What was found.
    """
    with TemporaryDirectory() as folder:
        store = TantivyDocumentStore(path=Path(folder) / "index")
        sources = Sources([corpus], strict=True)
        with bar(f"indexing {name}", None) as progress:
            encoder = load_encoder(DEFAULT_ENCODER)
            build_index(store, sources, encoder=encoder, words=load_word_reader(encoder), progress=progress)
        store.close()
        pipeline = pipeline_yaml.load(pipeline_yaml.point_at(as_typed(pipeline_yaml.read("answer")), index=store.path))
        pipeline.warm_up()
        try:
            return ask_pipeline(pipeline, with_taken_out(list(iter_queries(queries))), bar, f"asking {name}")[0]
        finally:
            pipeline.close()


def signals(found: Sequence[Found]) -> dict[str, Signal]:
    """
    Give what can be held against a threshold.

    :param found: What was found for the questions.
    :returns: The ranker's certainty of its first answer, BM25's score of its own and the encoder's cosine of its own.
    """

    def of(score: str) -> Signal:
        best = [max(one.candidates, key=lambda each: each.meta[score] or 0.0) for one in found]
        right = [entry_of(each) in one.query.relevant for each, one in zip(best, found, strict=True)]
        return np.array([each.meta[score] or 0.0 for each in best]), np.array(right)

    ranker = np.array([one.certain for one in found]), np.array([one.right for one in found])
    return {"ranker": ranker, "BM25": of("bm25_score"), "cosine": of("vector_score")}


def measure(certain: NDArray[np.float64], right: NDArray[np.bool_], groups: Sequence[str]) -> dict[str, Any]:
    """
    Calibrate on random halves, answer the others.

    :param certain: How sure each question's first answer is, [n_questions].
    :param right: Whether it is right, [n_questions].
    :param groups: What is drawn as one: each question's id, or its entry's.
    :returns: The calibration error, and for each risk how often it was kept and the mean coverage.
    """
    random = np.random.default_rng(0)
    _, member = np.unique(groups, return_inverse=True)
    errors: list[float] = []
    by_chance: list[float] = []
    outcomes: dict[float, list[tuple[float, float]]] = {risk: [] for risk in RISKS}
    for _ in range(DRAWS):
        chosen = random.permutation(member.max() + 1) < (member.max() + 1) // 2
        first = chosen[member]
        if (fitted := fit_scale(certain[first], right[first].astype(np.int8))) is not None:
            probability = 1 / (1 + np.exp(-(fitted[0] * certain[~first] + fitted[1])))
            errors.append(_error(probability, right[~first]))
            by_chance.append(chance_error(probability))
        for risk in RISKS:
            count = answers_within(certain[first], right[first], risk)
            given = certain[~first] >= (np.sort(certain[first])[-count] if count else np.inf)
            outcomes[risk].append((float(given.mean()), float(np.mean(~right[~first][given])) if given.any() else 0.0))
    return {
        "ece": {
            "mean": float(np.mean(errors)),
            "greatest": max(errors),
            "by_chance": float(np.mean(by_chance)),
            "of": len(errors),
        }
        if errors
        else None,
        "risks": {
            f"{risk:g}": {
                "kept": sum(wrong <= risk for _, wrong in drawn),
                "of": DRAWS,
                "coverage": float(np.mean([coverage for coverage, _ in drawn])),
                "wrong": float(np.mean([wrong for _, wrong in drawn])),
                "silent": sum(coverage == 0 for coverage, _ in drawn),
            }
            for risk, drawn in outcomes.items()
        },
    }


def chance_error(probability: NDArray[np.float64]) -> float:
    """
    Give the calibration error that probabilities have on so few questions if they are exact.

    :param probability: Of each question, that its first answer is right, [n_questions].
    :returns: The mean over random answers that are right as often as their probabilities say.
    """
    random = np.random.default_rng(0)
    return float(np.mean([_error(probability, random.random(len(probability)) < probability) for _ in range(DRAWS)]))


def _error(probability: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    return RiskCoverage.of(list(probability), list(right), probabilities=True).ece or 0.0


def transferred(calibration: Signal, asked: Signal) -> dict[str, Any]:
    """
    Take thresholds from other FAQs: what a threshold that came with the package would do.

    :param calibration: What it is calibrated on.
    :param asked: What is asked.
    :returns: For each risk the coverage, and the share of wrong answers.
    """
    result = {}
    for risk in RISKS:
        count = answers_within(*calibration, risk)
        given = asked[0] >= (np.sort(calibration[0])[-count] if count else np.inf)
        wrong = float(np.mean(~asked[1][given])) if given.any() else None
        result[f"{risk:g}"] = {"coverage": float(given.mean()), "wrong": wrong}
    return result


def main(
    data: Annotated[Path, typer.Option(help="Folder of the data sets.")],
    output: Annotated[Path, typer.Option(help="JSON file of the results.")],
    final: Annotated[bool, typer.Option("--final", help="Ask what nothing was decided on.")] = False,
) -> None:
    """Measure whether a stated risk is kept."""
    half, course = ("test", MEASURED) if final else ("validation", LEARNED)
    folder = data / "zoomcamp-faq" / course
    with library_file("faq.jsonl") as entries, library_file(f"{half}.jsonl") as queries:
        found = {f"library-faq, {half}": ask(entries, queries, "the bundled FAQ")}
    found[f"zoomcamp-faq, {course}"] = ask(folder / "corpus.jsonl", folder / "queries.jsonl", course)
    results: dict[str, Any] = {}
    for name, questions in found.items():
        rows: dict[str, Any] = {}
        for signal, (certain, right) in signals(questions).items():
            curve = RiskCoverage.of(list(certain), list(right), probabilities=False)
            rows[signal] = {
                "curve": curve.to_dict(),
                "halves_of_questions": measure(certain, right, [one.query.query_id for one in questions]),
                "halves_of_entries": measure(certain, right, [one.entry for one in questions]),
            }
        results[name] = {"questions": len(questions), "signals": rows}
    first, second = found
    for name, other in ((first, second), (second, first)):
        results[name][f"thresholds_of {other}"] = transferred(
            signals(found[other])["ranker"], signals(found[name])["ranker"]
        )
    output.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    for name, result in results.items():
        for signal, row in result["signals"].items():
            for risk, outcome in row["halves_of_questions"]["risks"].items():
                kept, coverage = f"{outcome['kept']} of {outcome['of']}", f"{outcome['coverage']:.1%}"
                typer.echo(f"{name}: {signal} at {risk}: kept in {kept}, answers {coverage}")


if __name__ == "__main__":
    typer.run(main)
