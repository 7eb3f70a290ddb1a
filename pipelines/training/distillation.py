# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""From a teacher's name and files of texts to a distilled encoder's folder with its card."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from answer_selection.indexing.artifact import digest
from answer_selection.indexing.progress import Progress
from answer_selection.pipelines.training.texts import encoder_texts
from haystack_integrations.components.embedders.answer_selection.distillation.card import write_distillation_card
from haystack_integrations.components.embedders.answer_selection.distillation.distiller import (
    DistillationResult,
    distil,
)
from haystack_integrations.components.embedders.answer_selection.distillation.settings import DistillationSettings
from haystack_integrations.components.embedders.answer_selection.distillation.teacher import Teacher
from haystack_integrations.components.rankers.answer_selection.training.model_card import DataSource


def distil_encoder(
    teacher: str,
    paths: Sequence[Path],
    output: Path,
    settings: DistillationSettings,
    progress: Progress,
    *,
    licences: Sequence[str],
    states: Path | None = None,
) -> DistillationResult:
    """
    Distil an encoder, and write its folder with the card. A killed run goes on where it was.

    :param teacher: The teacher's folder, or its name on the hub.
    :param paths: The files of texts.
    :param output: The encoder's folder to be.
    :param settings: Its sizes, and how to train.
    :param progress: Shows progress.
    :param licences: The files' licences, one a file.
    :param states: The folder of the teacher's states, to be used again; None keeps them only while they are needed.
    :returns: What came out.
    """
    texts = list(encoder_texts(paths)())
    loaded = Teacher.load(
        teacher, max_length=settings.max_length, precision=settings.precision, use_cpu=settings.use_cpu
    )
    # A student has its teacher's positions.
    settings = replace(settings, max_length=loaded.max_length)
    sources = [
        DataSource(path.name, licence, f"SHA-256 {digest(path)}", "texts")
        for path, licence in zip(paths, licences, strict=True)
    ]
    return distil(
        loaded,
        texts,
        output,
        settings,
        progress,
        states=states,
        finish=lambda result: write_distillation_card(output, settings, result, loaded.source(), sources),
    )
