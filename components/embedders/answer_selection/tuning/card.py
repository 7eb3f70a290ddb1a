# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The card of a fine-tuned sentence encoder: its folder's README.md, with the front matter that the hub reads."""

from collections.abc import Sequence
from pathlib import Path

import yaml

from haystack_integrations.components.embedders.answer_selection.tuning.settings import TuningSettings
from haystack_integrations.components.rankers.answer_selection.training.model_card import (
    DataSource,
    licence_field,
    licences,
    table,
)


def write_tuning_card(
    folder: Path, settings: TuningSettings, pairs: int, verdict: str, sources: Sequence[DataSource]
) -> Path:
    """
    Write a tuned encoder's README.md.

    :param folder: the encoder's folder.
    :param settings: how it was trained.
    :param pairs: questions with an answer that it learned from.
    :param verdict: what was measured.
    :param sources: the encoder that it was before, then the data. Their licences are its own.
    :returns: the file's path.
    """
    front = {
        "license": licence_field(sources),
        "library_name": "sentence-transformers",
        "pipeline_tag": "sentence-similarity",
        "tags": ["sentence-transformers", "answer-selection"],
    }
    rows = [[source.name, source.use, source.licence, source.source] for source in sources]
    parts = [
        f"---\n{yaml.safe_dump(front, sort_keys=False, allow_unicode=True)}---",
        f"# {sources[0].name}, fine-tuned",
        f"The sentence encoder {sources[0].name}, fine-tuned on {pairs} questions with their answers.",
        "## How to use",
        "For an index: `answer-selection index FILE --index NEW-INDEX --encoder path/to/this/folder`. "
        "sentence-transformers reads the folder too.",
        "## Data",
        table(["data", "used for", "licence", "source"], rows),
        f"The encoder itself: {', '.join(licences(sources))}.",
        "## Measured",
        verdict,
        "## Settings",
        table(["setting", "value"], [[setting, str(value)] for setting, value in settings.to_dict().items()]),
    ]
    path = folder / "README.md"
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return path
