# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The command line: from StackExchange dumps and FAQ files, through training and evaluation, to a service."""

from importlib import metadata
from typing import Annotated

import typer

from answer_selection.pipelines.commands.adapt import adapt
from answer_selection.pipelines.commands.ask import ask
from answer_selection.pipelines.commands.console import guarded
from answer_selection.pipelines.commands.distil import distil
from answer_selection.pipelines.commands.encode import encode
from answer_selection.pipelines.commands.eval import evaluate
from answer_selection.pipelines.commands.explain import explain
from answer_selection.pipelines.commands.export import export
from answer_selection.pipelines.commands.index import index
from answer_selection.pipelines.commands.index_template import index_template
from answer_selection.pipelines.commands.label import label
from answer_selection.pipelines.commands.list import list_entries
from answer_selection.pipelines.commands.negatives import negatives
from answer_selection.pipelines.commands.parse import parse
from answer_selection.pipelines.commands.pretrain import pretrain
from answer_selection.pipelines.commands.serve import serve
from answer_selection.pipelines.commands.stackexchange import stackexchange
from answer_selection.pipelines.commands.train import train
from answer_selection.pipelines.commands.verify import verify
from answer_selection.pipelines.commands.versions import versions

app = typer.Typer(
    name="answer-selection",
    help="Put the right answer of an FAQ, a help centre or a community archive first.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"answer-selection-haystack {metadata.version('answer-selection-haystack')}")
        raise typer.Exit


@app.callback()
def options(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Options that all commands have."""
    # `guarded` takes it out of the arguments, wherever it stands. It is declared here for --help. The other one's
    # callback has done its work.
    del debug, version


# In the order of --help.
app.command(name="stackexchange")(stackexchange)
app.command(name="index")(index)
app.command(name="index-template")(index_template)
app.command(name="versions")(versions)
app.command(name="verify")(verify)
app.command(name="list")(list_entries)
app.command(name="export")(export)
app.command(name="negatives")(negatives)
app.command(name="encode")(encode)
app.command(name="parse")(parse)
app.command(name="pretrain")(pretrain)
app.command(name="distil")(distil)
app.command(name="train")(train)
app.command(name="eval")(evaluate)
app.command(name="explain")(explain)
app.command(name="serve")(serve)
app.command(name="label")(label)
app.command(name="adapt")(adapt)
app.command(name="ask")(ask)


def main() -> None:
    """Run the command line; an error is one line on standard error and exit code 2, not a traceback."""
    guarded(app)
