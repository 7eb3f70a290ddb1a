# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The command line: from StackExchange dumps and FAQ files over training and evaluation to a service."""

from pathlib import Path
from typing import Annotated

import typer
from answer_selection.pipelines.commands import encode as encode_module
from answer_selection.pipelines.commands import eval as eval_module
from answer_selection.pipelines.commands import explain as explain_module
from answer_selection.pipelines.commands import index as index_module
from answer_selection.pipelines.commands import index_template as index_template_module
from answer_selection.pipelines.commands import parse as parse_module
from answer_selection.pipelines.commands import pretrain as pretrain_module
from answer_selection.pipelines.commands import serve as serve_module
from answer_selection.pipelines.commands import stackexchange as stackexchange_module
from answer_selection.pipelines.commands import train as train_module
from answer_selection.pipelines.commands import verify as verify_module
from answer_selection.pipelines.commands import versions as versions_module
from answer_selection.pipelines.commands.console import STDOUT, CommandError, bar, guarded
from answer_selection.pipelines.commands.stores import DEFAULT_INDEX, IndexOption, Store, StoreOption, open_index
from rich.markup import escape
from rich.table import Table

app = typer.Typer(
    name="answer-selection",
    help="Put the right answer of an FAQ, a help centre or a community archive first.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback()
def options(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
) -> None:
    """Options that all commands have."""
    # `guarded` takes it out of the arguments, wherever it stands; here it is for --help.
    del debug


app.command(name="stackexchange")(stackexchange_module.stackexchange)
app.command(name="index")(index_module.index)
app.command(name="index-template")(index_template_module.index_template)
app.command(name="versions")(versions_module.versions)
app.command(name="verify")(verify_module.verify)


@app.command()
def negatives(
    queries: Annotated[Path, typer.Argument(help="Queries with their relevant entries (queries.jsonl).")],
    output: Annotated[Path, typer.Option(help="Candidate lists to write (JSONL).")],
    index: IndexOption = DEFAULT_INDEX,
    store: StoreOption = Store.TANTIVY,
    number: Annotated[
        int | None, typer.Option(min=1, help="Negatives a query.", show_default="15, with --yahooqa 4")
    ] = None,
    depth: Annotated[int, typer.Option(min=1, help="Sample from so many of the best BM25 answers.")] = 1000,
    at_random: Annotated[
        bool, typer.Option("--random", help="Sample from all answers, not from BM25's best ones: easier negatives.")
    ] = False,
    yahooqa: Annotated[
        bool,
        typer.Option(
            "--yahooqa",
            help="A test set like YahooQA's: one relevant answer and --number negatives, question and answers within "
            "--min-words and --max-words.",
        ),
    ] = False,
    min_words: Annotated[int, typer.Option(help="With --yahooqa: least words of a question or an answer.")] = 5,
    max_words: Annotated[int, typer.Option(help="With --yahooqa: most words of a question or an answer.")] = 50,
    seed: Annotated[int, typer.Option(help="Seed of the sampling.")] = 0,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace lists that are there.")] = False,
) -> None:
    """Sample negatives for queries from the index's own BM25 results. A killed run goes on where it was."""
    from answer_selection.indexing.corpus import iter_queries
    from answer_selection.indexing.negatives import mine, yahooqa_style

    if at_random and yahooqa:
        msg = "--yahooqa samples from BM25's best answers, --random from all: choose one"
        raise CommandError(msg)
    corpus = open_index(store, index)
    asked = list(iter_queries(queries))
    with bar("sampling negatives", total=len(asked)) as progress:
        if yahooqa:
            report = yahooqa_style(
                corpus,
                asked,
                output=output,
                depth=depth,
                negatives=number or 4,
                min_words=min_words,
                max_words=max_words,
                seed=seed,
                overwrite=overwrite,
                progress=progress,
            )
        else:
            report = mine(
                corpus,
                asked,
                output=output,
                depth=depth,
                negatives=number or 15,
                seed=seed,
                mode="random" if at_random else "uniform",
                overwrite=overwrite,
                progress=progress,
            )
    STDOUT.print(
        f"{report.lists} lists with {report.candidates} candidates in {escape(str(output))}; "
        f"{report.left_out} queries left out, {report.short} lists with fewer negatives than asked for"
    )


app.command(name="encode")(encode_module.encode)
app.command(name="parse")(parse_module.parse)
app.command(name="pretrain")(pretrain_module.pretrain)
app.command(name="train")(train_module.train)
app.command(name="eval")(eval_module.evaluate)
app.command(name="explain")(explain_module.explain)
app.command(name="serve")(serve_module.serve)


@app.command()
def adapt(
    output: Annotated[Path, typer.Argument(help="The model folder to write.")],
    index: IndexOption = DEFAULT_INDEX,
    store: StoreOption = Store.TANTIVY,
    start: Annotated[
        str, typer.Option(help="What to start from: 'default' (the package's own model), or a model folder.")
    ] = "default",
    licence: Annotated[str, typer.Option(help="Licence of the corpus, for the model card.")] = "not stated",
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a model that is there.")] = False,
) -> None:
    """
    Bring a trained model to a corpus without training: its words, their vectors, how telling each is.

    For a corpus of answers alone, which has no questions to train on. `train` does this by itself first.
    """
    from answer_selection.pipelines.training.adapt import adapt as adapt_model
    from answer_selection.pipelines.training.run_folder import refuse_model

    corpus = open_index(store, index)
    refuse_model(output, overwrite=overwrite)
    with bar("adapting"):
        adapt_model(corpus, output, start=start, licence=licence)
    STDOUT.print(f"model: {escape(str(output))}")


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="The question.")],
    index: Annotated[
        str | None,
        typer.Option(
            help="Folder of the index, or its name in Elasticsearch; by default the one that the pipeline names.",
            show_default=DEFAULT_INDEX,
        ),
    ] = None,
    model: eval_module.Model = None,
    pipeline: Annotated[
        str,
        typer.Option(
            help="A pipeline's YAML file, or the name of a shipped one: answer, answer_elasticsearch, answer_trees or "
            "rag."
        ),
    ] = "answer",
    top_k: Annotated[int, typer.Option(min=1, help="Answers to show.")] = 3,
) -> None:
    """Answer a question from an index."""
    from answer_selection.pipelines.definitions import pipeline_yaml
    from answer_selection.pipelines.evaluation.end_to_end import find_stages

    if not question.strip():
        msg = "the question is empty"
        raise CommandError(msg)
    definition = pipeline_yaml.point_at(pipeline_yaml.read(pipeline), index=index, model=model, top_k=top_k)
    pipeline_yaml.check_indexes(definition)
    loaded = pipeline_yaml.load(definition)
    stages = find_stages(loaded)
    if not stages or not any("query" in sockets for sockets in loaded.inputs().values()):
        msg = f"{pipeline} answers no question: expected components that take a `query` and yield `documents`"
        raise CommandError(msg)
    documents = loaded.run({"query": question}, include_outputs_from={stages[-1]})[stages[-1]]["documents"]
    if not documents:
        STDOUT.print("no answer found")
        raise typer.Exit(1)
    table = Table(show_lines=True)
    for column in ("", "score", "entry", "answer"):
        table.add_column(column)
    for rank, document in enumerate(documents[:top_k], start=1):
        score = "" if document.score is None else f"{document.score:.3f}"
        heading = document.meta.get("question")
        answer = escape(document.content or "")
        table.add_row(
            str(rank),
            score,
            escape(str(document.meta.get("entry_id", document.id))),
            f"[bold]{escape(str(heading))}[/bold]\n{answer}" if heading else answer,
        )
    STDOUT.print(table)


def main() -> None:
    """Run the command line; an error is one line on standard error and exit code 2, not a traceback."""
    guarded(app)
