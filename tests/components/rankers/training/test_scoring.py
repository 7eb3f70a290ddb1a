# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The logits of lists of which a model reads some candidates alone."""

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from answer_selection.indexing.candidates import Candidate, CandidateList, write_jsonl
from haystack_integrations.components.rankers.answer_selection.signals import UNREAD
from haystack_integrations.components.rankers.answer_selection.training import scoring as module
from haystack_integrations.components.rankers.answer_selection.training.dataset import CandidateFile


class Model(nn.Linear):
    """No more than what `score_lists` asks of a model itself."""

    device = torch.device("cpu")


@pytest.mark.parametrize(("offset", "unread"), [(5.0, (UNREAD, UNREAD)), (-6.0, (-6.0, -3.0))])
def test_what_is_not_read_has_the_lowest_logit_of_its_list_and_at_most_that_of_the_unread(
    offset: float, unread: tuple[float, float], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lists = [
        CandidateList(f"q{i}", "red cat", tuple(Candidate(f"c{j}", "cat", 0) for j in range(3)), {}) for i in range(2)
    ]
    write_jsonl(tmp_path / "lists.jsonl", lists)
    chosen, places = np.array([True, False, True, False, True, True]), [0, 2, 4, 5]
    logits = offset + np.array([1.0, 0.0, 3.0, 4.0])
    monkeypatch.setattr(module, "scores_of_some", lambda *_: iter([(places, logits)]))
    found = module.score_lists(Model(1, 1), None, CandidateFile(tmp_path / "lists.jsonl"), chosen=chosen)
    assert found[places].tolist() == logits.tolist()
    assert found[[1, 3]].tolist() == list(unread)
