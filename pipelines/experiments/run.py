# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Runs experiments on published data: trains and measures the models that their files in `settings` describe.

    python pipelines/experiments/run.py ctrn-wikiqa my-experiment.yaml --data FOLDER
"""

from pathlib import Path
from typing import Annotated

import typer

from answer_selection.pipelines.commands.console import STDOUT, CommandError, bar, guarded
from answer_selection.pipelines.commands.options import CoreNLPOption


def run(
    names: Annotated[
        list[str], typer.Argument(help="Experiments: names of files in `settings`, or YAML files. Each is run in turn.")
    ],
    data: Annotated[Path, typer.Option(help="Folder with the data sets' folders.")],
    output: Annotated[Path, typer.Option(help="Folder for models, scores and prepared data.")] = Path(
        "answer-selection-runs/experiments"
    ),
    test: Annotated[bool, typer.Option("--test", help="Score the test set too, once for each experiment.")] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace scores, and models made with other settings or data.")
    ] = False,
    tree_cache: Annotated[
        Path | None,
        typer.Option(
            help="For models that read parse trees: the SQLite file that keeps them.",
            show_default="one beside the prepared data",
        ),
    ] = None,
    corenlp_url: CoreNLPOption = None,
) -> None:
    """
    Train and measure the models of experiments on published data.

    Finished models are used as they are. Give the command again to continue a killed run.
    """
    from answer_selection.pipelines.experiments.experiment import read_experiment
    from answer_selection.pipelines.experiments.result_table import result_table
    from answer_selection.pipelines.experiments.runs import Runs
    from answer_selection.pipelines.experiments.train_and_measure import run_experiment
    from haystack_integrations.components.rankers.answer_selection.training.processes import launched

    if launched() > 1:
        msg = f"experiments are for one process, but {launched()} were started"
        raise CommandError(msg)
    # All files are read before the first one is run.
    for experiment in [read_experiment(name) for name in names]:
        runs = Runs(output)
        result = run_experiment(
            experiment,
            data,
            runs,
            bar,
            test=test,
            overwrite=overwrite,
            tree_cache=tree_cache,
            corenlp_url=corenlp_url,
        )
        STDOUT.print(result_table(experiment.name, result, runs))


if __name__ == "__main__":
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(run)
    guarded(app)
