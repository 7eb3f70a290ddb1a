# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The card of a pretrained encoder: its folder's README.md, with the front matter that the Hugging Face hub reads."""

from collections.abc import Sequence
from pathlib import Path

import yaml

from haystack_integrations.components.rankers.answer_selection.training.model_card import (
    DataSource,
    licence_field,
    licences,
    table,
)
from haystack_integrations.components.rankers.answer_selection.training.pretrainer import PretrainingResult
from haystack_integrations.components.rankers.answer_selection.training.pretraining_settings import PretrainingSettings


def write_encoder_card(
    folder: Path, settings: PretrainingSettings, result: PretrainingResult, sources: Sequence[DataSource]
) -> Path:
    """
    Write an encoder's README.md.

    :param folder: the encoder's folder.
    :param settings: how it was trained.
    :param result: what training came to.
    :param sources: where its texts come from; their licences are the encoder's.
    :returns: the file's path.
    """
    name = Path(folder).resolve().name
    front = {
        "license": licence_field(sources),
        "library_name": "transformers",
        "pipeline_tag": "fill-mask",
        "tags": ["answer-selection", settings.encoder["model_type"]],
    }
    values = settings.to_dict()
    encoder = values.pop("encoder")
    parts = [
        f"---\n{yaml.safe_dump(front, sort_keys=False, allow_unicode=True)}---",
        f"# {name}",
        "A small encoder with its WordPiece tokenizer, pretrained by masked language modelling on the texts below "
        "alone. It is not a ranker: train one over it.",
        "## How to use",
        "```python\nfrom transformers import AutoModel, AutoTokenizer\n\n"
        'tokenizer = AutoTokenizer.from_pretrained("path/to/this/folder")\n'
        'encoder = AutoModel.from_pretrained("path/to/this/folder")\n```',
        "In a ranker's recipe: `model: {name: gsamn, encoder: path/to/this/folder}`.",
        "## Data",
        table(
            ["data", "used for", "licence", "source"],
            [[source.name, source.use, source.licence, source.source] for source in sources],
        ),
        f"The encoder itself: {', '.join(licences(sources))}.",
        "## Measured",
        result.verdict(),
        "## Settings",
    ]
    for group, settings_of_it in (("encoder", encoder), ("pretraining", values)):
        rows = [[setting, str(value)] for setting, value in settings_of_it.items()]
        parts += [f"### {group}", table(["setting", "value"], rows)]
    path = Path(folder) / "README.md"
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return path
