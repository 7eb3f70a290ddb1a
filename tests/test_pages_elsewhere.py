# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Pages that other sites show: their front matter is what these sites read."""

from pathlib import Path

import pytest
import yaml
from huggingface_hub import ModelCard

REPOSITORY = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("folder", "library", "task"),
    [
        ("components/rankers/answer_selection/default_ctrn", "haystack", "text-ranking"),
        ("components/rankers/answer_selection/default_gsamn", "haystack", "text-ranking"),
        (
            "components/rankers/answer_selection/encoders/default_encoder",
            "sentence-transformers",
            "sentence-similarity",
        ),
    ],
)
def test_a_model_hub_reads_the_card(folder, library, task):
    card = ModelCard.load(REPOSITORY / folder / "README.md")
    assert (card.data.library_name, card.data.pipeline_tag) == (library, task)
    assert "cc-by-sa-4.0" in card.data.license
    assert "answer-selection" in card.data.tags
    assert card.text.strip().startswith("# ")


def test_haystacks_integrations_read_the_page():
    _, front, text = (REPOSITORY / ".github" / "haystack-integration.md").read_text(encoding="utf-8").split("---\n", 2)
    page = yaml.safe_load(front)
    assert page["layout"] == "integration"
    assert {"name", "description", "authors", "pypi", "type", "version"} <= set(page)
    assert page["pypi"] == "https://pypi.org/project/answer-selection-haystack/"
    assert text.strip().startswith("# Answer Selection for Haystack")
