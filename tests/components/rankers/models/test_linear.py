# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The linear model and the counting baselines: sums of features, and what they start with."""

import json

import pytest
import torch

from answer_selection.indexing.text.normalize import normalize, words
from computed_twice import assert_same_scores, assert_same_weights
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.linear import COUNTING, LinearModel
from haystack_integrations.components.rankers.answer_selection.models.matching import PAIR_FEATURES
from haystack_integrations.components.rankers.answer_selection.models.record import Record

ANSWERS = [
    "The reading room closes at eight on weekdays.",
    "A lost card is replaced at any desk for two dollars, and a new one is printed while you wait.",
    "Rooms can be booked for two hours a day.",
    "No.",
]
QUESTION = "Is a lost card replaced at a desk on weekdays?"
RECORDS = [Record(QUESTION, answer) for answer in ANSWERS]


def features(model, collator):
    batch = collator(RECORDS)
    given = {name: x for name, x in batch.items() if name.split("_")[-1] in ("keys", "stems", "idf", "content")}
    question_of = torch.zeros(len(RECORDS), dtype=torch.long)
    return model.match_words(batch["question_ids"], batch["answer_ids"], given, question_of)[1]


def test_the_logit_is_a_weighted_sum_of_all_features():
    torch.manual_seed(1)
    model, collator = registry.build("linear", [*ANSWERS, QUESTION], ANSWERS, embedding_size=4)
    norm, output = model.classifier.norm, model.classifier.output
    with torch.no_grad():
        for tensor in (norm.running_mean, norm.bias, output.bias, norm.weight):
            tensor.normal_()
        norm.running_var.uniform_(0.5, 2)
    logits = model.eval()(**collator(RECORDS))
    assert model.config.pair_features == list(PAIR_FEATURES)
    for row, logit in zip(features(model, collator), logits, strict=True):
        expected = output.bias.item()
        for number, value in enumerate(row):
            standard = (value - norm.running_mean[number]) / (norm.running_var[number] + norm.eps).sqrt()
            expected += output.weight[0, number] * (norm.weight[number] * standard + norm.bias[number])
        torch.testing.assert_close(logit, expected, atol=1e-5, rtol=1e-5)


def test_it_has_a_weight_a_feature_and_the_standardisation():
    model, _ = registry.build("linear", ANSWERS)
    count = len(PAIR_FEATURES)
    assert sum(parameter.numel() for parameter in model.classifier.parameters()) == count + 1 + 2 * count
    assert {name for name, _ in model.named_parameters()} - {"embedding.weight"} == {
        "classifier.norm.weight",
        "classifier.norm.bias",
        "classifier.output.weight",
        "classifier.output.bias",
    }


@pytest.mark.parametrize(("name", "feature"), [("bm25", 0), ("word_overlap", 1), ("idf_overlap", 2)])
def test_a_counting_baseline_gives_its_feature_before_any_training(name, feature):
    model, collator = registry.build(name, [*ANSWERS, QUESTION], ANSWERS)
    linear, _ = registry.build("linear", ANSWERS, pair_features=["bm25", "overlap", "idf_overlap"], embedding_size=1)
    with torch.no_grad():
        logits = model.eval()(**collator(RECORDS))
    assert_same_scores(logits, features(linear, collator)[:, feature])
    assert logits.argmax() == 1
    assert sum(parameter.numel() for parameter in model.classifier.parameters()) == 2
    assert model.embedding.weight.shape[1] == 1


def test_word_overlap_counts():
    model, collator = registry.build("word_overlap", [*ANSWERS, QUESTION], ANSWERS)
    with torch.no_grad():
        logits = model.eval()(**collator(RECORDS))
    for record, logit in zip(RECORDS, logits, strict=True):
        question, answer = (words(normalize(text)) for text in (record.query, record.answer))
        shared = sum(word in answer for word in question) + sum(word in question for word in answer)
        assert logit.item() == pytest.approx(shared / (len(question) + len(answer)))


@pytest.mark.parametrize("name", COUNTING)
def test_a_counting_baselines_folder_is_a_linear_models(name, tmp_path):
    model, collator = registry.build(name, ANSWERS)
    model.scale_logits(2.0, 1.0)
    registry.save(tmp_path, model, collator)
    assert json.loads((tmp_path / "config.json").read_text())["model_type"] == "linear"
    loaded, collator = registry.load(tmp_path)
    assert type(loaded) is LinearModel
    assert_same_weights(loaded, model)
    assert_same_scores(loaded(**collator(RECORDS)), model.eval()(**collator(RECORDS)))


def test_no_feature():
    with pytest.raises(ValueError, match="pair_features is empty; expected at least one"):
        registry.build("linear", ANSWERS, pair_features=[])
