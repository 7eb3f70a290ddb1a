# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0

import math

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional

from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.ctrn import (
    CTRNConfig,
    CTRNModel,
    aligned_steps,
)
from haystack_integrations.components.rankers.answer_selection.models.qrnn import QRNNConfig, QRNNModel
from haystack_integrations.components.rankers.answer_selection.models.record import Record

ANSWERS = [
    "The reading room closes at eight on weekdays.",
    "A lost card is replaced at any desk for two dollars, and a new one is printed while you wait.",
    "No.",
    "Renew a loan online, by telephone or at a desk, as often as you like unless somebody else waits for the book.",
    "The room on the second floor can be booked for two hours a day.",
]
QUESTIONS = [
    "When does the reading room close?",
    "Is there a charge for replacing a card that I lost in a room?",
    "Why?",
]
RECORDS = [Record(question, answer) for question in QUESTIONS for answer in ANSWERS]
SMALL = {"embedding_size": 10, "projection_size": 7, "hidden_size": 6, "mlp_size": 5}
VARIANTS = {
    "qrnn": ("qrnn", {}),
    "ctrn": ("ctrn", {}),
    "ratio": ("ctrn", {"alignment": "ratio"}),
    "multiple": ("ctrn", {"alignment": "multiple"}),
    "wide": ("ctrn", {"kernel_width": 3, "mlp_layers": 3}),
}


def build(variant, **more):
    torch.manual_seed(3)
    name, options = VARIANTS[variant]
    model, collator = registry.build(name, ANSWERS + QUESTIONS, ANSWERS, **{**SMALL, **options, **more})
    return model.double().eval(), collator


class TestThePaperIsTheSpec:
    """Parameter counts of table 2, at d = 512, m = 300, h = 128, k = 2, word vectors and the last layer aside."""

    d, m, h, k = 512, 300, 128, 2

    @pytest.mark.parametrize(("model_class", "config_class"), [(QRNNModel, QRNNConfig), (CTRNModel, CTRNConfig)])
    def test_qrnn_and_ctrn_have_as_many_parameters_as_the_table_says(self, model_class, config_class):
        config = config_class(hidden_size=self.d, projection_size=self.m, mlp_size=self.h, kernel_width=self.k)
        model = model_class(config)
        counted = [*model.convolution.parameters(), *model.classifier.hidden.parameters()]
        d, m, h, k = self.d, self.m, self.h, self.k
        assert sum(p.numel() for p in counted) == 3 * k * d * m + 2 * d * h + h == 1_052_800
        others = [*model.embedding.parameters(), *model.projection.parameters(), *model.classifier.output.parameters()]
        assert sum(p.numel() for p in model.parameters()) == sum(p.numel() for p in [*counted, *others])

    def test_the_lstm_of_the_comparison(self):
        lstm = nn.LSTM(self.m, self.d, bias=False)
        hidden = nn.Linear(2 * self.d, self.h)
        count = sum(p.numel() for p in [*lstm.parameters(), *hidden.parameters()])
        assert count == 4 * (self.m * self.d + self.d**2) + 2 * self.d * self.h + self.h == 1_794_176

    def test_defaults_are_the_papers(self):
        config = CTRNConfig()
        assert (config.kernel_width, config.dropout, config.alignment) == (2, 0.5, "index")
        assert not (config.match_channels or config.batch_norm or config.pair_features)


def gates(model, vectors):
    """Equation 1, one position and one filter width at a time."""
    k, d = model.config.kernel_width, model.config.hidden_size
    weight = model.convolution.filters.weight.view(3, d, k, -1)
    rows = []
    for t in range(len(vectors)):
        total = torch.zeros(3, d, dtype=vectors.dtype)
        for back in range(k):
            if t - back >= 0:
                total = total + weight[:, :, k - 1 - back] @ vectors[t - back]
        rows.append((total[0].tanh(), total[1].sigmoid(), total[2].sigmoid()))
    return rows


def run(z_of, gates_of, steps):
    """One cell, straight from the paper: the z of one side, the gates of another at the steps t*."""
    c, states = 0.0, []
    for (z, _, _), at in zip(z_of, steps, strict=True):
        _, f, o = gates_of[at]
        c = f * c + (1 - f) * z
        states.append(o * c)
    return states


def slow_logit(model, question, answer):
    """One pair, no batch, no padding, no kernel. `question`, `answer`: word vectors [L, n]."""
    sides = [gates(model, model.projection(words)) for words in (question, answer)]
    pooled = []
    for own, partner in (sides, sides[::-1]):
        h = run(own, own, range(len(own)))
        if isinstance(model, CTRNModel):
            if model.config.alignment == "index":
                steps = [min(t, len(partner) - 1) for t in range(len(own))]
            elif model.config.alignment == "multiple":
                times = math.ceil(max(len(own), len(partner)) / min(len(own), len(partner)))
                steps = [min(t * times, len(partner) - 1) for t in range(len(own))]
            else:
                steps = [math.floor(t * len(partner) / len(own)) for t in range(len(own))]
            h = [x * y for x, y in zip(h, run(own, partner, steps), strict=True)]
        pooled.append(sum(h) / len(h))
    x = torch.cat(pooled)
    for layer in model.classifier.hidden:
        x = layer(x).relu()
    return functional.log_softmax(model.classifier.output(x), dim=0)


@pytest.mark.parametrize("variant", VARIANTS)
def test_equals_the_formulas_one_pair_at_a_time(variant):
    model, collator = build(variant)
    batch = collator(RECORDS)
    logits = model(**batch)
    vectors = model.embedding.weight
    for index, record in enumerate(RECORDS):
        row = QUESTIONS.index(record.query)
        question = vectors[batch["question_ids"][row, : batch["question_lengths"][row]]]
        answer = vectors[batch["answer_ids"][index, : batch["answer_lengths"][index]]]
        wrong, right = slow_logit(model, question, answer)
        torch.testing.assert_close(logits[index], right - wrong)
        torch.testing.assert_close(logits[index].sigmoid(), right.exp())


def test_crossing_makes_the_question_depend_on_the_answer():
    model, collator = build("ctrn")
    qrnn, _ = build("qrnn")
    seen = []
    for network in (model, qrnn):
        network.classifier.register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0]))
        network(**collator(RECORDS[:5]))
    assert len(torch.unique(seen[0], dim=0)) == 5
    assert len(torch.unique(seen[1], dim=0)) == 1


def test_aligned_steps():
    own, partner = torch.tensor([6, 2]), torch.tensor([2, 5])
    assert aligned_steps("index", 6, own, partner).tolist() == [[0, 1, 1, 1, 1, 1], [0, 1, 2, 3, 4, 4]]
    ratio = aligned_steps("ratio", 6, own, partner)
    assert ratio[0].tolist() == [0, 0, 0, 1, 1, 1]
    assert ratio[1, :2].tolist() == [0, 2]
    assert ratio.max() <= 4
    # Three times the step for both, as 5 / 2 is rounded up: more than the partner has, so that it is clipped.
    assert aligned_steps("multiple", 6, own, partner).tolist() == [[0, 1, 1, 1, 1, 1], [0, 3, 4, 4, 4, 4]]


def test_dropout_acts_in_training_alone():
    model, collator = build("ctrn", embedding_dropout=0.3)
    batch = collator(RECORDS)
    torch.testing.assert_close(model(**batch), model(**batch))
    model.train()
    assert (model(**batch) - model(**batch)).abs().max() > 1e-3


class TestWordVectors:
    def test_are_set_in_the_vocabularys_order(self):
        model, collator = build("ctrn")
        table = np.arange(model.config.vocab_size * 10, dtype=np.float32).reshape(-1, 10)
        model.set_word_vectors(table)
        assert collator.vocabulary[:2] == ["[PAD]", "[UNK]"]
        row = collator.vocabulary.index("room")
        assert model.get_input_embeddings().weight[row].tolist() == table[row].tolist()
        assert not model.get_input_embeddings().weight[0].any()

    @pytest.mark.parametrize("fill", [math.nan, math.inf])
    def test_not_finite(self, fill):
        model, _ = build("ctrn")
        with pytest.raises(ValueError, match=rf"{model.config.vocab_size * 10} numbers are not finite"):
            model.set_word_vectors(np.full((model.config.vocab_size, 10), fill))

    def test_wrong_shape(self):
        model, _ = build("ctrn")
        with pytest.raises(
            ValueError, match=rf"of shape \[{model.config.vocab_size}, 10\], but the shape is \[3, 10\]"
        ):
            model.set_word_vectors(np.zeros((3, 10)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alignment": "soft"}, "alignment must be one of index, ratio, multiple, but is 'soft'"),
        ({"hidden_size": 0}, "hidden_size must be a whole number of at least 1 and at most .*, but is 0"),
        ({"kernel_width": 2.0}, "kernel_width must be a whole number of at least 1 and at most .*, but is 2.0"),
        ({"dropout": 1.0}, "dropout must be a number of at least 0 and below 1, but is 1.0"),
        (
            {"max_answer_length": True},
            "max_answer_length must be a whole number of at least 1 and at most .*, but is True",
        ),
        ({"pair_features": ["overlap", "luck"]}, "pair_features must be one of overlap, .*, but is 'luck'"),
        ({"stemmer": "klingon"}, "stemmer must be one of .*english.*, but is 'klingon'"),
        ({"normalization": {"uppercase": True}}, r"unknown text normalisation option\(s\) uppercase"),
        ({"hiden_size": 3}, r"unknown option\(s\) of the model 'ctrn': hiden_size; known: alignment, .*hidden_size"),
    ],
)
def test_wrong_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        registry.build("ctrn", ANSWERS, **options)
