# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The `distil` command: make a small sentence encoder that follows a larger one."""

from pathlib import Path
from typing import Annotated

import typer

from answer_selection.pipelines.commands.console import CommandError, bar, say


def distil(
    output: Annotated[Path, typer.Argument(help="The encoder's folder to write.", metavar="NAME")],
    teacher: Annotated[
        str,
        typer.Option(
            help="Sentence encoder to follow: a folder in sentence-transformers' format, or a hub name. It "
            "must be a BERT with a WordPiece tokenizer, and its vectors means of its tokens."
        ),
    ],
    texts: Annotated[
        list[Path],
        typer.Option(
            help="File to learn from: a .txt file with one text per line, or an FAQ or corpus file, whose questions "
            "and answers are texts, apart and together. Repeat for more."
        ),
    ],
    licence: Annotated[
        list[str] | None,
        typer.Option(
            help="Licence of the texts, for the model card. Repeat it to give each file its own.",
            show_default="not stated",
        ),
    ] = None,
    vocabulary: Annotated[int, typer.Option(help="Tokens to keep of the teacher's vocabulary.")] = 24_000,
    layers: Annotated[int, typer.Option(help="Layers of the encoder, at most the teacher's.")] = 4,
    epochs: Annotated[float, typer.Option(help="Passes over the texts.")] = 1.5,
    quantized: Annotated[
        bool,
        typer.Option(
            "--quantized",
            help="Save 4 bits a number, a quarter of the size. Only answer-selection reads it then.",
        ),
    ] = False,
    states: Annotated[
        Path | None,
        typer.Option(
            help="Folder for the teacher's outputs, to make several encoders of them. They are large: two bytes a "
            "number, for every token. By default they are removed at the end."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 0,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing encoder.")] = False,
) -> None:
    """
    Make a small, fast sentence encoder that gives nearly the vectors of a larger one.

    Give the command again to continue a killed run. It ends as it would have ended.
    """
    licences = licence or ["not stated"]
    if len(licences) not in (1, len(texts)):
        msg = f"--licence comes {len(licences)} times, and --texts {len(texts)} times; name one licence for all files, "
        msg += "or one for each"
        raise CommandError(msg)
    from answer_selection.pipelines.training.distillation import distil_encoder
    from answer_selection.pipelines.training.run_folder import refuse_model
    from answer_selection.pipelines.training.texts import encoder_texts
    from haystack_integrations.components.embedders.answer_selection.distillation.settings import DistillationSettings
    from haystack_integrations.components.embedders.answer_selection.distillation.student import STUDENT_FILES
    from haystack_integrations.components.rankers.answer_selection.training.device import native_precision

    settings = DistillationSettings(
        vocabulary=vocabulary,
        layers=layers,
        epochs=epochs,
        quantized=quantized,
        seed=seed,
        precision=native_precision(),
    )
    # Every input is checked before an earlier encoder is removed.
    for path in texts:
        next(iter(encoder_texts([path])()), None)
    refuse_model(output, files=STUDENT_FILES, overwrite=overwrite)
    named = licences * len(texts) if len(licences) == 1 else licences
    result = distil_encoder(teacher, texts, output, settings, bar, licences=named, states=states)
    say(result.verdict())
    say(f"encoder: {result.folder} (card: {result.folder / 'README.md'})")
