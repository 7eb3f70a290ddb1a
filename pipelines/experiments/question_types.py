# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Shows what experiments that were run reach on each type of question, as figure 4 of the HMDA paper does.

    python pipelines/experiments/question_types.py hmda_paper-wikiqa hmda_paper_reduced-wikiqa --data FOLDER --part test

A question's type is the first of these words in it: what, how, who, where, when. How the paper tells them it does not
say.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from statistics import mean
from typing import Annotated, Final

import typer
from rich.table import Table

from answer_selection.pipelines.commands.console import STDOUT, CommandError, bar, guarded

TYPES: Final = ("what", "how", "who", "where", "when")
OTHER: Final = "other"


def question_type(question: str) -> str:
    """
    Tell the type of a question.

    :param question: Its text.
    :returns: One of :data:`TYPES`, or :data:`OTHER`.
    """
    from answer_selection.indexing.text.normalize import normalize, words

    return next((word for word in words(normalize(question)) if word in TYPES), OTHER)


def by_type(ids: Iterable[str], values: Iterable[float], texts: Mapping[str, str]) -> dict[str, list[float]]:
    """
    Sort questions' values by type.

    :param ids: The questions' ids.
    :param values: A value each.
    :param texts: The questions' texts by id.
    :returns: The values by type; types that no question has are left out.
    """
    found: dict[str, list[float]] = {kind: [] for kind in (*TYPES, OTHER)}
    for one, value in zip(ids, values, strict=True):
        found[question_type(texts[one])].append(value)
    return {kind: own for kind, own in found.items() if own}


def show_types(
    names: Annotated[list[str], typer.Argument(help="Experiments on one data set, already run.")],
    data: Annotated[Path, typer.Option(help="Folder with the data sets' folders.")],
    output: Annotated[Path, typer.Option(help="Folder that the experiments were run in.")] = Path(
        "answer-selection-runs/experiments"
    ),
    part: Annotated[str, typer.Option(help="validation or test.")] = "validation",
    metric: Annotated[str, typer.Option(help="MRR, MAP or P@1.")] = "MRR",
) -> None:
    """Show what experiments reach on each type of question, the mean over their seeds."""
    from answer_selection.indexing.candidates import read_jsonl
    from answer_selection.pipelines.evaluation.scores import METRICS, Scores
    from answer_selection.pipelines.experiments.data import PARTS, open_dataset
    from answer_selection.pipelines.experiments.data.candidate_lists import CandidateDataset
    from answer_selection.pipelines.experiments.experiment import read_experiment
    from answer_selection.pipelines.experiments.runs import Runs

    for option, value, known in (("--part", part, PARTS), ("--metric", metric, METRICS)):
        if value not in known:
            msg = f"{option} is {value!r}; expected one of {', '.join(known)}"
            raise CommandError(msg)
    runs, experiments = Runs(output), [read_experiment(name) for name in names]
    first = experiments[0]
    if any(one.data != first.data for one in experiments):
        msg = f"these experiments are on {', '.join(sorted({one.data for one in experiments}))}; expected one data set"
        raise CommandError(msg)
    dataset = open_dataset(first.data, data, runs.work)
    if not isinstance(dataset, CandidateDataset):
        msg = f"{first.data} has no candidate lists of its own; expected a data set that has"
        raise CommandError(msg)
    texts = {one.query_id: one.query for one in read_jsonl(dataset.part(part, bar))}
    columns: dict[str, dict[str, list[float]]] = {}
    for one in experiments:
        of_seeds = []
        for seed in one.seeds:
            path = runs.scores(one.name, seed, part)
            if not path.exists():
                msg = f"{path}: no such file; run the experiment first" + (" with --test" if part == "test" else "")
                raise CommandError(msg)
            of_seeds.append(Scores.load(path))
        of_questions = [mean(each) for each in zip(*(scores.values()[metric] for scores in of_seeds), strict=True)]
        columns[one.name] = by_type(of_seeds[0].questions, of_questions, texts)
    counts = {kind: len(values) for kind, values in columns[first.name].items()}
    table = Table(title=f"{metric} by type of question ({first.data}, {part})", title_justify="left")
    for column in ("type", "questions", "share", *columns):
        table.add_column(column, justify="left" if column == "type" else "right")
    for kind, count in counts.items():
        share = f"{count / sum(counts.values()):.1%}"
        table.add_row(kind, str(count), share, *(f"{mean(own[kind]):.4f}" for own in columns.values()))
    STDOUT.print(table)


if __name__ == "__main__":
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(show_types)
    guarded(app)
