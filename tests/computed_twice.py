# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
How two computations of the same thing are compared: stored numbers by their bits, computed ones by a tolerance.

The last bits of a matrix product depend on where its operands lie in memory: MKL does so where `MKL_CBWR` is not set.
The weights of a model that was loaded lie elsewhere than those of the model that was saved.
"""

from pathlib import Path
from typing import Any

import torch
from haystack import Document
from safetensors.torch import load_file
from torch import nn


def assert_same_weights(model: nn.Module, other: nn.Module) -> None:
    """Assert that two models have the same parameters and buffers, bit by bit."""
    ours, theirs = model.state_dict(), other.state_dict()
    assert ours.keys() == theirs.keys()
    for name, values in ours.items():
        assert torch.equal(values, theirs[name]), name


def assert_same_scores(found: Any, expected: Any) -> None:
    """Assert that scores, or logits, are the same but for their last bits."""
    ours, theirs = (torch.as_tensor(each, dtype=torch.float64) for each in (found, expected))
    torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-5)


def assert_same_ranking(result: dict[str, list[Document]], expected: dict[str, list[Document]]) -> None:
    """Assert that a ranker gave the same documents in the same order, with the same scores but for their last bits."""
    ranked, others = result["documents"], expected["documents"]
    assert [document.id for document in ranked] == [document.id for document in others]
    assert_same_scores([document.score for document in ranked], [document.score for document in others])


def assert_trained_alike(folder: Path, other: Path) -> None:
    """
    Assert that two model folders are of the same training: the same data, order, dropout and rates.

    Matrices are compared, not biases: of one that no gradient reaches, such as the last one's under a loss of
    differences, the gradient is rounding alone, and Adam makes whole steps of it.
    """
    ours, theirs = (load_file(each / "model.safetensors") for each in (folder, other))
    assert ours.keys() == theirs.keys()
    for name, values in ours.items():
        if values.ndim > 1:
            torch.testing.assert_close(values, theirs[name], rtol=1e-2, atol=2e-3, msg=lambda m, of=name: f"{of}: {m}")
