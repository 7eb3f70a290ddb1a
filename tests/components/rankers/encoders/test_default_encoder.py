# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The encoder that comes with the package: small, quantized, and a card that says what it is made from."""

from pathlib import Path

import pytest
import torch
import yaml
from safetensors import safe_open

from conftest import REPOSITORY

FOLDER = REPOSITORY / "components" / "rankers" / "answer_selection" / "encoders" / "default_encoder"
LARGEST = 12_000_000

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="no encoder comes with this version")


def files() -> list[Path]:
    return [path for path in FOLDER.rglob("*") if path.is_file()]


def test_it_is_small() -> None:
    assert sum(path.stat().st_size for path in files()) <= LARGEST


def test_nothing_but_data_is_in_it() -> None:
    assert {path.suffix for path in files()} <= {".json", ".md", ".safetensors"}
    [path] = FOLDER.rglob("*.safetensors")
    with safe_open(path, framework="pt") as weights:
        precisions = {weights.get_tensor(name).dtype for name in weights.keys()}
    assert precisions == {torch.uint8, torch.float16}


def test_its_card_names_teacher_texts_and_licences() -> None:
    card = (FOLDER / "README.md").read_text(encoding="utf-8")
    _, front, text = card.split("---", 2)
    assert {"apache-2.0", "cc-by-sa-4.0"} <= set(yaml.safe_load(front)["license"])
    for expected in ("all-MiniLM-L6-v2", "No matrix of the teacher is copied", "a factorisation of the teacher"):
        assert expected in text
    assert "not stated" not in text
    assert "| /" not in text, "a place on the machine that it was made on"
