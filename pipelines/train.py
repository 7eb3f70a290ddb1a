# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The `train` command: from a corpus in an index, or from candidate lists, to a model folder."""

from pathlib import Path
from typing import Annotated

import typer
from answer_selection.pipelines.console import STDOUT, Failure, guarded
from rich.markup import escape


def train(
    output: Annotated[Path, typer.Argument(help="The model folder to write.")],
    index: Annotated[Path | None, typer.Option(help="Index of the corpus to learn from.")] = None,
    queries: Annotated[
        Path | None,
        typer.Option(help="With --index: queries to learn from; by default the corpus's own questions."),
    ] = None,
    candidates: Annotated[
        Path | None, typer.Option(help="Candidate lists to learn from, instead of --index: JSONL, TSV, XML or toks.")
    ] = None,
    validation: Annotated[
        Path | None,
        typer.Option(help="Real queries (with --candidates: candidate lists) to stop by, and to choose by how much of "
                     "the retriever's score is mixed in. By default a tenth of the entries is held out."),
    ] = None,
    start: Annotated[
        str,
        typer.Option(help="What to start from: 'default' (the package's own model), a model folder, or the name of a "
                     "model to train from scratch: ctrn, qrnn."),
    ] = "default",
    vectors: Annotated[
        str, typer.Option(help="From scratch: word vectors 'corpus' (trained on it), 'random', or a GloVe/word2vec file.")
    ] = "corpus",
    settings: Annotated[Path | None, typer.Option(help="YAML with training settings.")] = None,
    loss: Annotated[
        str | None, typer.Option(help="pointwise, pairwise, pairwise_logistic or listwise; goes before --settings.")
    ] = None,
    epochs: Annotated[int | None, typer.Option(min=1, help="The most epochs; goes before --settings.")] = None,
    licence: Annotated[str, typer.Option(help="Licence of the data, for the model card.")] = "not stated",
    seed: Annotated[int, typer.Option(help="Seed of everything that is drawn.")] = 0,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a model that is there.")] = False,
) -> None:
    """
    Train a ranker from a corpus alone, or from candidate lists.

    A killed run goes on where it was when the same command is given again, and ends with the same model.
    """
    if (index is None) == (candidates is None):
        msg = "name what to learn from: either --index, or --candidates"
        raise Failure(msg)
    if queries is not None and index is None:
        msg = "--queries goes with --index"
        raise Failure(msg)
    from answer_selection.pipelines.train_ranker import train_from_candidates, train_from_index

    options = {"start": start, "vectors": vectors, "settings": settings, "loss": loss, "epochs": epochs}
    common = {**options, "licence": licence, "seed": seed, "overwrite": overwrite, "validation": validation}
    if index is not None:
        result = train_from_index(index, output, queries=queries, **common)  # type: ignore[arg-type]
    else:
        assert candidates is not None
        result = train_from_candidates(candidates, output, **common)  # type: ignore[arg-type]
    if result.validation is not None:
        STDOUT.print(escape(result.validation.verdict()))
    STDOUT.print(f"model: {escape(str(result.folder))} (card: {escape(str(result.folder / 'README.md'))})")


if __name__ == "__main__":
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(train)
    guarded(app)
