# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Models over an encoder, trained in bfloat16 on a CPU; and which CPUs that is for."""

from pathlib import Path

import pytest
import torch

from answer_selection.indexing.candidates import Candidate, CandidateList, write_jsonl
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.training import device
from haystack_integrations.components.rankers.answer_selection.training.settings import TrainingSettings
from haystack_integrations.components.rankers.answer_selection.training.trainer import train
from tiny_encoders import folder

ANIMALS = ("heron", "otter", "lynx", "hare")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cross_encoder", "gsamn"])
def test_steps_are_taken_in_bfloat16_with_plain_attention_and_nothing_of_it_stays(name: str, tmp_path: Path) -> None:
    candidates = [(Candidate("1", f"the {one} is here", 1), Candidate("0", "no idea", 0)) for one in ANIMALS]
    lists = [CandidateList(str(n), "where is it", both) for n, both in enumerate(candidates)]
    write_jsonl(tmp_path / "lists.jsonl", lists)
    torch.manual_seed(0)
    model, collator = registry.build(name, [], encoder=str(folder("bert")), max_pair_length=32)
    usual, seen, weights = model.pretrained_encoder.config._attn_implementation, set(), []
    assert usual != "eager"
    first = next(one for one in model.pretrained_encoder.modules() if isinstance(one, torch.nn.Linear))

    def note(_module, _inputs, output):
        if model.training:
            seen.add((output.dtype, model.pretrained_encoder.config._attn_implementation))
            weights.append(first.weight.detach().clone())

    watched = first.register_forward_hook(note)
    settings = TrainingSettings(loss="pointwise", epochs=2, pairs_per_batch=4, precision="bfloat16", use_cpu=True)
    result = train(model, collator, tmp_path / "lists.jsonl", tmp_path / "lists.jsonl", tmp_path / "model", settings)
    watched.remove()
    assert seen == {(torch.bfloat16, "eager")}
    assert result.steps == 4
    assert not torch.equal(weights[0], weights[-1]), "it learns"
    assert model.pretrained_encoder.config._attn_implementation == usual
    assert {value.dtype for value in model.state_dict().values() if value.is_floating_point()} == {torch.float32}
    loaded, _ = registry.load(tmp_path / "model")
    assert loaded.pretrained_encoder.config._attn_implementation == usual


@pytest.mark.parametrize(
    ("capability", "found"), [("amx_bf16", "bfloat16"), ("avx512_bf16", "bfloat16"), ("avx2", "float32")]
)
def test_bfloat16_is_for_cpus_that_have_it(capability: str, found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {capability: True})
    monkeypatch.setattr(torch.backends.mkldnn, "is_available", lambda: True)
    monkeypatch.setattr(torch.ops.mkldnn, "_is_mkldnn_bf16_supported", lambda: True, raising=False)
    assert device.affordable_precision("bfloat16", use_cpu=True) == found
    assert device.affordable_precision("float32", use_cpu=True) == "float32"


def test_bfloat16_is_not_for_a_cpu_that_onednn_is_held_back_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {"avx512_bf16": True})
    monkeypatch.setattr(torch.backends.mkldnn, "is_available", lambda: True)
    monkeypatch.setattr(torch.ops.mkldnn, "_is_mkldnn_bf16_supported", lambda: False, raising=False)
    assert device.affordable_precision("bfloat16", use_cpu=True) == "float32"
