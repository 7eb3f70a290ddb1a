# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The `adapt` command: adapt a trained model to a corpus, without training."""

from pathlib import Path
from typing import Annotated

import typer

from answer_selection.pipelines.commands.console import bar, say
from answer_selection.pipelines.commands.stores import DEFAULT_INDEX, IndexOption, Store, StoreOption, open_index


def adapt(
    output: Annotated[Path, typer.Argument(help="The model folder to write.")],
    index: IndexOption = DEFAULT_INDEX,
    store: StoreOption = Store.TANTIVY,
    start: Annotated[
        str, typer.Option(help="The model to start from: 'default' (the package's CTRN), or a model folder.")
    ] = "default",
    licence: Annotated[str, typer.Option(help="Licence of the corpus, for the model card.")] = "not stated",
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing model.")] = False,
) -> None:
    """
    Adapt a trained model to a corpus, without training: add its words, their vectors and idf weights.

    This is for a corpus of answers alone, which has no questions to train on. `train` does it by itself first.
    """
    from answer_selection.pipelines.training.adaptation import adapt_model
    from answer_selection.pipelines.training.run_folder import refuse_model

    corpus = open_index(store, index)
    refuse_model(output, overwrite=overwrite)
    with bar("adapting"):
        adapt_model(corpus, output, start=start, licence=licence)
    say(f"model: {output}")
