# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""From text files, or a corpus in an index, to a pretrained encoder's folder with its card."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from answer_selection.indexing.formats.lines import EncodingError, iter_lines
from answer_selection.indexing.progress import Progress
from answer_selection.pipelines.training.train_ranker import Texts
from haystack_integrations.components.rankers.answer_selection.training.encoder_card import write_encoder_card
from haystack_integrations.components.rankers.answer_selection.training.model_card import DataSource
from haystack_integrations.components.rankers.answer_selection.training.pretrainer import PretrainingResult, pretrain
from haystack_integrations.components.rankers.answer_selection.training.pretraining_settings import PretrainingSettings


def file_texts(paths: Sequence[Path]) -> Texts:
    """
    Give the texts of files, a text a line; empty lines are left out.

    :param paths: The files, in UTF-8, or in UTF-16 or UTF-32 with a byte order mark.
    :returns: A function that streams them at each call anew. It raises a ValueError that names file and line where
        something is no text.
    """

    def texts() -> Iterator[str]:
        for path in paths:
            try:
                with path.open("rb") as stream:
                    for line in iter_lines(stream):
                        if line.problem is not None:
                            msg = f"{path}, line {line.number}: {line.problem}"
                            raise ValueError(msg)
                        if text := line.text.strip():
                            yield text
            except EncodingError as error:
                msg = f"{path}: {error}"
                raise ValueError(msg) from error
            except OSError as error:
                msg = f"{path} cannot be read: {error.strerror or error}; expected a file with a text a line"
                raise ValueError(msg) from error

    return texts


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
