# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""From texts to a pretrained encoder's folder with its card."""

from collections.abc import Sequence
from pathlib import Path

from answer_selection.indexing.progress import Progress
from answer_selection.pipelines.training.texts import Texts
from haystack_integrations.components.rankers.answer_selection.training.encoder_card import write_encoder_card
from haystack_integrations.components.rankers.answer_selection.training.model_card import DataSource
from haystack_integrations.components.rankers.answer_selection.training.pretrainer import PretrainingResult, pretrain
from haystack_integrations.components.rankers.answer_selection.training.pretraining_settings import PretrainingSettings


def pretrain_encoder(
    texts: Texts,
    output: Path,
    settings: PretrainingSettings,
    progress: Progress,
    *,
    sources: Sequence[DataSource],
) -> PretrainingResult:
    """
    Pretrain an encoder, and write its folder with the card. A killed run goes on where it was.

    :param texts: Gives the texts, at each call anew.
    :param output: The encoder's folder to be.
    :param settings: How to train.
    :param progress: Shows progress.
    :param sources: Where the texts come from, for the card.
    :returns: What came out.
    """
    with progress("pretraining", None) as bar:
        return pretrain(
            texts,
            output,
            settings,
            progress=lambda step, steps, _: bar(step, steps),
            finish=lambda result: write_encoder_card(output, settings, result, sources),
        )
