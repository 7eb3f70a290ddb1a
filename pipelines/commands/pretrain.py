# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The `pretrain` command: train a small encoder for rankers on text alone."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from answer_selection.pipelines.commands.console import CommandError, bar, say
from answer_selection.pipelines.commands.stores import Store, StoreOption, open_index


def pretrain(
    output: Annotated[Path, typer.Argument(help="The encoder's folder to write.")],
    texts: Annotated[
        list[Path] | None, typer.Option(help="File to learn from, one text per line. Repeat for more.")
    ] = None,
    index: Annotated[
        str | None,
        typer.Option(help="Index of a corpus to learn from: its folder; with Elasticsearch, its name."),
    ] = None,
    store: StoreOption = Store.TANTIVY,
    recipe: Annotated[
        str,
        typer.Option(help="YAML file with the encoder and its training settings, or a shipped recipe's name."),
    ] = "small_encoder",
    licence: Annotated[str, typer.Option(help="Licence of the texts, for the model card.")] = "not stated",
    seed: Annotated[int | None, typer.Option(min=0, help="Random seed; overrides the recipe.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing encoder.")] = False,
) -> None:
    """
    Train a tokenizer and a small encoder on your own text (masked language modelling).

    Give the command again to continue a killed run. It ends as it would have ended.
    """
    if (texts is None) == (index is None):
        msg = "name what to learn from: either --texts, or --index"
        raise CommandError(msg)
    if store is not Store.TANTIVY and index is None:
        msg = "--store needs --index"
        raise CommandError(msg)
    from answer_selection.pipelines.training.pretraining import pretrain_encoder
    from answer_selection.pipelines.training.pretraining_recipe import read_pretraining
    from answer_selection.pipelines.training.run_folder import refuse_model
    from answer_selection.pipelines.training.texts import corpus_texts, file_texts
    from haystack_integrations.components.rankers.answer_selection.training.model_card import DataSource
    from haystack_integrations.components.rankers.answer_selection.training.pretrainer import ENCODER_FILES

    settings = read_pretraining(recipe)
    if seed is not None:
        settings = replace(settings, seed=seed)
    # Every input is checked before an earlier encoder is removed.
    if index is not None:
        corpus = open_index(store, index)
        wanted, sources = corpus_texts(corpus), [DataSource(corpus.label, licence, corpus.location, "pretraining")]
    else:
        paths = texts or []
        for path in paths:
            next(iter(file_texts([path])()), None)
        wanted = file_texts(paths)
        sources = [DataSource(path.name, licence, str(path), "pretraining") for path in paths]
    refuse_model(output, files=ENCODER_FILES, overwrite=overwrite)
    result = pretrain_encoder(wanted, output, settings, bar, sources=sources)
    say(result.verdict())
    say(f"encoder: {result.folder} (card: {result.folder / 'README.md'})")
