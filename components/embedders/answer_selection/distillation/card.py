# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The card of a distilled sentence encoder: its folder's README.md, with the front matter that the hub reads."""

from collections.abc import Sequence
from pathlib import Path

import yaml

from haystack_integrations.components.embedders.answer_selection.distillation.distiller import DistillationResult
from haystack_integrations.components.embedders.answer_selection.distillation.settings import DistillationSettings
from haystack_integrations.components.rankers.answer_selection.training.model_card import (
    DataSource,
    licence_field,
    licences,
    table,
)


def write_distillation_card(
    folder: Path,
    settings: DistillationSettings,
    result: DistillationResult,
    teacher: DataSource,
    sources: Sequence[DataSource],
) -> Path:
    """
    Write a student's README.md.

    :param folder: the student's folder.
    :param settings: how it was made.
    :param result: what training came to.
    :param teacher: the teacher.
    :param sources: where the texts come from. Their licences and the teacher's are the student's.
    :returns: the file's path.
    """
    name = Path(folder).resolve().name
    whole = [teacher, *sources]
    front = {
        "license": licence_field(whole),
        "library_name": "sentence-transformers",
        "pipeline_tag": "sentence-similarity",
        "tags": ["sentence-transformers", "answer-selection", "bert"],
    }
    rows = [[source.name, source.use, source.licence, source.source] for source in whole]
    parts = [
        f"---\n{yaml.safe_dump(front, sort_keys=False, allow_unicode=True)}---",
        f"# {name}",
        f"A small sentence encoder that was trained to give nearly the vectors of {teacher.name}.",
        "## How to use",
        *_use(quantized=settings.quantized),
        "For an index: `answer-selection index --encoder path/to/this/folder`. It reads "
        f"{settings.max_length} tokens of a text.",
        "## Teacher and texts",
        table(["data", "used for", "licence", "source"], rows),
        f"The encoder itself: {', '.join(licences(whole))}.",
        "## How it was made",
        _start(result),
        "It was trained towards the teacher's vectors of texts and its outputs for tokens. Beside the texts above it "
        "saw copies of them in which words are replaced by words of the teacher's vocabulary, such words alone and in "
        "pairs, and questions with typing errors.",
        "## Measured",
        result.verdict(),
        "## Settings",
        table(["setting", "value"], [[setting, str(value)] for setting, value in settings.to_dict().items()]),
    ]
    path = Path(folder) / "README.md"
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return path


def _use(*, quantized: bool) -> list[str]:
    if not quantized:
        return [
            "```python\nfrom sentence_transformers import SentenceTransformer\n\n"
            'encoder = SentenceTransformer("path/to/this/folder")\n```'
        ]
    return [
        "```python\nfrom haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import "
        'SentenceEncoder\n\nencoder = SentenceEncoder.load("path/to/this/folder")\n```',
        "Its matrices have 4 bits a number, and 32 numbers share a scale. sentence-transformers does not read that.",
    ]


def _start(result: DistillationResult) -> str:
    start = result.start
    return (
        "No matrix of the teacher is copied. The vocabulary is a part of the teacher's, chosen by the texts. Training "
        f"began with a factorisation of the teacher: its layers {', '.join(str(layer + 1) for layer in start.layers)}, "
        f"each matrix replaced by the one of rank {start.rank} that gives nearly the same outputs for the texts (of "
        f"their variance {start.kept:.0%} is kept), and its table of words by the one of rank {start.word_rank} "
        f"({start.words_kept:.0%}). Vectors, which have no rank, are the teacher's at the start: biases, "
        "normalisations and positions."
    )
