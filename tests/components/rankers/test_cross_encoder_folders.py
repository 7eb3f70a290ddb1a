# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A folder that sentence-transformers' CrossEncoder wrote, in our ranker."""

import json

import numpy as np
import pytest
import torch
from haystack import Document
from sentence_transformers import CrossEncoder

from haystack_integrations.components.rankers.answer_selection import AnswerRanker, CrossEncoderRanker, GSAMNRanker
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.record import Record
from tiny_encoders import KINDS, TEXTS, folder

QUESTION, *ANSWERS = TEXTS
RECORDS = [Record(QUESTION, answer) for answer in [*ANSWERS, "No."]]


@pytest.fixture(params=KINDS)
def written(request, tmp_path):
    """A folder of sentence-transformers, and what its own class scores."""
    theirs = CrossEncoder(folder(request.param), device="cpu")
    theirs.save_pretrained(str(tmp_path / "theirs"))
    pairs = [(record.query, record.answer) for record in RECORDS]
    return tmp_path / "theirs", theirs.predict(pairs, activation_fn=torch.nn.Identity(), show_progress_bar=False)


def test_scores_are_equal(written):
    place, expected = written
    assert expected.std() > 1e-3
    assert CrossEncoderRanker(model=place).score_pairs(RECORDS) == pytest.approx(expected, abs=1e-5)


def test_what_was_read_can_be_saved_as_one_of_ours(written, tmp_path):
    place, expected = written
    registry.save(tmp_path / "ours", *registry.load(place))
    assert json.loads((tmp_path / "ours" / "config.json").read_text())["model_type"] == "cross_encoder"
    assert CrossEncoderRanker(model=tmp_path / "ours").score_pairs(RECORDS) == pytest.approx(expected, abs=1e-5)


@pytest.fixture
def bert(tmp_path):
    CrossEncoder(folder("bert"), device="cpu").save_pretrained(str(tmp_path / "bert"))
    return tmp_path / "bert"


def test_probability_is_the_sigmoid_of_the_score(bert):
    documents = [Document(content=record.answer) for record in RECORDS]
    found = CrossEncoderRanker(model=bert).run(QUESTION, documents)["documents"]
    expected = sorted(1 / (1 + np.exp(-CrossEncoderRanker(model=bert).score_pairs(RECORDS))), reverse=True)
    assert [document.score for document in found] == pytest.approx(expected)


def test_longest_pair_is_what_its_tokenizer_says(bert):
    about = json.loads((bert / "tokenizer_config.json").read_text())
    (bert / "tokenizer_config.json").write_text(json.dumps(about | {"model_max_length": 30}))
    assert registry.load(bert)[0].config.max_pair_length == 30
    (bert / "tokenizer_config.json").unlink()
    assert registry.load(bert)[0].config.max_pair_length == 150


def test_half_precision_spares_the_head(bert):
    model, collator = registry.load(bert, dtype=torch.bfloat16)
    assert model.get_input_embeddings().weight.dtype == torch.bfloat16
    assert {parameter.dtype for parameter in model.head.parameters()} == {torch.float32}
    full, _ = registry.load(bert)
    with torch.no_grad():
        difference = model(**collator(RECORDS)) - full(**collator(RECORDS))
    assert difference.abs().max() < 0.1


def test_several_labels_are_refused(bert):
    from transformers import AutoConfig, AutoModelForSequenceClassification

    config = AutoConfig.from_pretrained(bert, num_labels=3)
    AutoModelForSequenceClassification.from_config(config).save_pretrained(bert)
    with pytest.raises(registry.ModelFolderError, match="holds a classifier of 3 labels; expected one, relevance"):
        registry.load(bert)


def test_pickled_weights_are_refused(bert):
    (bert / "model.safetensors").rename(bert / "pytorch_model.bin")
    with pytest.raises(
        registry.ModelFolderError, match=r"lacks model\.safetensors; pytorch_model\.bin can run any code"
    ):
        registry.load(bert)


def test_damaged_weights_are_refused(bert):
    whole = (bert / "model.safetensors").read_bytes()
    (bert / "model.safetensors").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(registry.ModelFolderError, match=f"the cross-encoder in {bert} cannot be read"):
        registry.load(bert)


def test_missing_weights_are_refused(bert):
    from safetensors.torch import load_file, save_file

    weights = load_file(bert / "model.safetensors")
    del weights["classifier.weight"]
    save_file(weights, bert / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(registry.ModelFolderError, match=r"classifier\.weight"):
        registry.load(bert)


def test_the_ranker_of_any_model_runs_it(bert):
    assert AnswerRanker(model=bert).score_pairs(RECORDS) == pytest.approx(
        CrossEncoderRanker(model=bert).score_pairs(RECORDS)
    )


def test_another_ranker_says_which_one_it_is_for(bert):
    with pytest.raises(ValueError, match="cross_encoder"):
        GSAMNRanker(model=bert).warm_up()
