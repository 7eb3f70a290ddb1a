# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0

import math

import numpy as np
import pytest
import torch
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.ctrn import (
    CTRNConfig,
    CTRNModel,
    aligned_steps,
)
from haystack_integrations.components.rankers.answer_selection.models.qrnn import QRNNConfig, QRNNModel
from haystack_integrations.components.rankers.answer_selection.text.record import Record
from torch import nn
from torch.nn import functional

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
FEATURES = {"pair_features": ["overlap", "idf_overlap", "content_overlap", "content_idf_overlap"]}
VARIANTS = {
    "qrnn": ("qrnn", {}),
    "ctrn": ("ctrn", {}),
    "ratio": ("ctrn", {"alignment": "ratio"}),
    "wide": ("ctrn", {"kernel_width": 3, "mlp_layers": 3}),
    "features": ("ctrn", {**FEATURES, "feature_shortcut": True, "batch_norm": True}),
    "channels": ("ctrn", {"match_channels": True, "alignment": "ratio"}),
    "qrnn, channels": ("qrnn", {**FEATURES, "match_channels": True}),
}


def build(variant, **more):
    torch.manual_seed(3)
    name, options = VARIANTS[variant]
    model, collator = registry.build(name, ANSWERS + QUESTIONS, ANSWERS, **{**SMALL, **options, **more})
    return model.double().eval(), collator


def scores(model, batch):
    return model(**{name: x.double() if x.is_floating_point() else x for name, x in batch.items()})


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
            else:
                steps = [math.floor(t * len(partner) / len(own)) for t in range(len(own))]
            h = [x * y for x, y in zip(h, run(own, partner, steps), strict=True)]
        pooled.append(sum(h) / len(h))
    x = torch.cat(pooled)
    for layer in model.classifier.hidden:
        x = layer(x).relu()
    return functional.log_softmax(model.classifier.output(x), dim=0)


@pytest.mark.parametrize("variant", ["qrnn", "ctrn", "ratio", "wide"])
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


class TestPaddingAndBatch:
    @pytest.mark.parametrize("variant", VARIANTS)
    def test_a_pairs_logit_does_not_depend_on_its_batch(self, variant):
        model, collator = build(variant)
        together = scores(model, collator(RECORDS))
        alone = torch.cat([scores(model, collator([record])) for record in RECORDS])
        torch.testing.assert_close(together, alone, atol=1e-7, rtol=0)
        order = torch.randperm(len(RECORDS), generator=torch.Generator().manual_seed(0))
        shuffled = scores(model, collator([RECORDS[index] for index in order]))
        torch.testing.assert_close(shuffled, together[order], atol=1e-7, rtol=0)

    @pytest.mark.parametrize("variant", VARIANTS)
    def test_more_padding_changes_nothing(self, variant):
        model, collator = build(variant)
        batch = collator(RECORDS)
        padded = {}
        for name, tensor in batch.items():
            padded[name] = functional.pad(tensor, (0, 9)) if tensor.dim() == 2 else tensor
        torch.testing.assert_close(scores(model, padded), scores(model, batch), atol=1e-7, rtol=0)

    def test_the_question_is_encoded_once_a_list(self):
        model, collator = build("ctrn")
        rows = []
        model.convolution.register_forward_hook(lambda _, inputs, __: rows.append(len(inputs[0])))
        model(**collator(RECORDS))
        assert rows == [3, 15]


class TestTraining:
    @pytest.mark.parametrize("variant", VARIANTS)
    def test_gradients_by_finite_differences(self, variant):
        model, collator = build(variant)
        if model.classifier.norm is not None:
            model.classifier.norm.train()
        records = [RECORDS[index] for index in (0, 2, 3, 6, 7, 12)]
        batch = {name: x.double() if x.is_floating_point() else x for name, x in collator(records).items()}
        weights = torch.linspace(-1, 1, len(records), dtype=torch.float64)
        parameters = dict(model.named_parameters())
        (model(**batch) * weights).sum().backward()
        generator = torch.Generator().manual_seed(1)
        for name, parameter in parameters.items():
            direction = torch.randn(parameter.shape, dtype=torch.float64, generator=generator)
            if name == "embedding.weight":
                direction[0] = 0  # the padding's vector has no gradient
                if model.config.matches_words:
                    continue  # soft matches see word vectors as they are, without a gradient
            values = []
            for step in (1e-6, -1e-6):
                with torch.no_grad():
                    parameter.add_(direction, alpha=step)
                    values.append((model(**batch) * weights).sum())
                    parameter.sub_(direction, alpha=step)
            difference = (values[0] - values[1]) / 2e-6
            torch.testing.assert_close((parameter.grad * direction).sum(), difference, atol=1e-7, rtol=1e-4)

    @pytest.mark.parametrize("variant", ["qrnn", "ctrn", "features", "channels"])
    def test_learns_a_tiny_set_by_heart(self, variant):
        model, collator = build(variant, dropout=0.0, mlp_size=16)
        model.float().train()
        labels = torch.tensor([float(index in (0, 6, 12)) for index in range(len(RECORDS))])
        optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
        batch = collator(RECORDS)
        for _ in range(200):
            loss = functional.binary_cross_entropy_with_logits(model(**batch), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        assert torch.equal(model(**batch) > 0, labels > 0)

    def test_the_same_seed_gives_the_same_model_and_the_same_steps(self):
        results = []
        for _ in range(2):
            model, collator = build("ctrn")
            model.float().train()
            torch.manual_seed(5)
            optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
            for _ in range(3):
                optimizer.zero_grad()
                model(**collator(RECORDS)).square().sum().backward()
                optimizer.step()
            results.append(model.state_dict())
        assert all(torch.equal(results[0][name], results[1][name]) for name in results[0])

    def test_dropout_acts_in_training_alone(self):
        model, collator = build("ctrn", embedding_dropout=0.3)
        batch = collator(RECORDS)
        assert torch.equal(model(**batch), model(**batch))
        model.train()
        assert not torch.equal(model(**batch), model(**batch))


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


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("variant", VARIANTS)
def test_half_precision_is_close(variant, dtype):
    model, collator = build(variant)
    batch = collator(RECORDS)
    exact = scores(model, batch)
    half = model.to(dtype)(**batch)
    assert half.dtype == dtype
    torch.testing.assert_close(half.double(), exact, atol=0.05, rtol=0.1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alignment": "soft"}, "alignment must be one of index, ratio, but is 'soft'"),
        ({"hidden_size": 0}, "hidden_size must be a whole number of at least 1, but is 0"),
        ({"kernel_width": 2.0}, "kernel_width must be a whole number of at least 1, but is 2.0"),
        ({"dropout": 1.0}, "dropout must be at least 0 and below 1, but is 1.0"),
        ({"max_answer_length": True}, "max_answer_length must be a whole number of at least 1, but is True"),
        ({"pair_features": ["overlap", "luck"]}, "unknown pair_features luck; known: overlap"),
        ({"stemmer": "klingon"}, "unknown stemmer 'klingon'; known: .*english"),
        ({"normalization": {"uppercase": True}}, r"unknown text normalisation option\(s\) uppercase"),
        ({"hiden_size": 3}, r"unknown option\(s\) of the model 'ctrn': hiden_size"),
    ],
)
def test_wrong_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        registry.build("ctrn", ANSWERS, **options)
