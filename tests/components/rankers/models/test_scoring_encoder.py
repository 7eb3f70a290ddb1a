# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A model that only scores is the one that is trained, read in another way."""

import json
from random import Random

import pytest
import torch
from safetensors.torch import load_file, save_file

from computed_twice import assert_same_scores
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.quantized_weights import write_quantized
from haystack_integrations.components.rankers.answer_selection.models.record import Record
from haystack_integrations.components.rankers.answer_selection.models.scoring_encoder import ScoringEncoder
from tiny_encoders import TEXTS, folder
from tree_recursion import brackets

TREES = {text: {"parse_tree": brackets(text, Random(text))} for text in [*TEXTS, ""]}
RECORDS = [Record(TEXTS[0], text, TREES[TEXTS[0]], TREES[text]) for text in [*TEXTS[1:], ""]]
TREE = {"half_size": 8, "heads": 2, "feed_forward_size": 12}


def saved(place, name="gsamn", kind="bert", **options):
    torch.manual_seed(3)
    model, collator = registry.build(name, TEXTS, encoder=folder(kind), max_pair_length=140, **options)
    registry.save(place, model, collator)
    # Training tells the types of the two texts apart; as they begin they may be equal.
    weights = load_file(place / "model.safetensors")
    weights["encoder.embeddings.token_type_embeddings.weight"] += torch.tensor([[0.3], [-0.2]])
    save_file(weights, place / "model.safetensors", metadata={"format": "pt"})


@torch.no_grad()
def assert_they_score_alike(place, **options):
    (whole, collator), (scoring, _) = (registry.load(place, to_score=to_score, **options) for to_score in (False, True))
    assert isinstance(scoring.encoder, ScoringEncoder)
    assert not isinstance(whole.encoder, ScoringEncoder)
    assert not scoring.training
    assert {parameter.dtype for parameter in whole.parameters()} == {
        parameter.dtype for parameter in scoring.parameters()
    }
    batch = collator(RECORDS)
    assert len(set(batch["attention_mask"].sum(1).tolist())) > 1
    assert_same_scores(whole(**batch).float(), scoring(**batch).float())


@pytest.mark.parametrize("kind", ["bert", "electra"])
@pytest.mark.parametrize(
    ("name", "options"), [("gsamn", {}), ("encoder_layers", {"extra_layers": 2}), ("tree_aggregation", TREE)]
)
def test_scores_are_the_same(name, options, kind, tmp_path):
    saved(tmp_path, name, kind, **options)
    assert_they_score_alike(tmp_path)


def test_over_a_sentence_encoder(tmp_path):
    saved(tmp_path, from_sentence_encoder=True)
    assert_they_score_alike(tmp_path)


def test_quantized_weights(tmp_path):
    saved(tmp_path)
    write_quantized(tmp_path)
    assert_they_score_alike(tmp_path)


def test_precision_is_the_one_that_is_asked_for(tmp_path):
    saved(tmp_path)
    scoring, collator = registry.load(tmp_path, to_score=True, dtype=torch.bfloat16)
    assert scoring.dtype == torch.bfloat16
    assert {parameter.dtype for parameter in scoring.head.parameters()} == {torch.float32}
    exact, _ = registry.load(tmp_path, to_score=True)
    with torch.no_grad():
        assert torch.allclose(scoring(**collator(RECORDS)), exact(**collator(RECORDS)), atol=0.1)


@pytest.mark.parametrize(
    ("name", "kind", "options"),
    [("gsamn", "roberta", {}), ("gsamn", "bert", {"mark_matches": True}), ("cross_encoder", "bert", {})],
)
def test_others_are_run_by_transformers(name, kind, options, tmp_path):
    registry.save(tmp_path, *registry.build(name, TEXTS, encoder=folder(kind), **{"max_pair_length": 140, **options}))
    model, _ = registry.load(tmp_path, to_score=True)
    assert not isinstance(model.encoder, ScoringEncoder)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("num_hidden_layers", 3, r"missing encoder\.encoder\.layer\.2"),
        ("num_hidden_layers", 10**6, "expected fewer layers"),
        ("num_hidden_layers", 1, r"not of this model encoder\.encoder\.layer\.1"),
        ("vocab_size", 7, r"word_embeddings\.weight has the shape"),
    ],
)
def test_what_does_not_fit_is_told(field, value, message, tmp_path):
    saved(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text(encoding="utf-8"))
    config["encoder"][field] = value
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(registry.ModelFolderError, match=message):
        registry.load(tmp_path, to_score=True)


def test_weights_of_another_head_are_told(tmp_path):
    saved(tmp_path)
    weights = load_file(tmp_path / "model.safetensors")
    del weights["classifier.head.bias"]
    save_file(weights, tmp_path / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(registry.ModelFolderError, match=r"missing classifier\.head\.bias"):
        registry.load(tmp_path, to_score=True)
    (tmp_path / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(registry.ModelFolderError, match=r"model\.safetensors"):
        registry.load(tmp_path, to_score=True)
