# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Models over an encoder that multiply in 8 bits."""

from copy import deepcopy

import numpy as np
import pytest
import torch
from haystack import Document
from haystack.utils import ComponentDevice
from scipy.stats import kendalltau
from torch import nn

from computed_twice import assert_same_scores
from haystack_integrations.components.embedders.answer_selection import AnswerEncoder
from haystack_integrations.components.rankers.answer_selection import AnswerRanker, CTRNRanker
from haystack_integrations.components.rankers.answer_selection.models import int8, registry
from haystack_integrations.components.rankers.answer_selection.models.int8 import Int8Linear, to_int8
from haystack_integrations.components.rankers.answer_selection.models.record import Record
from tiny_encoders import KINDS, SIZES, TEXTS, folder

CPU = ComponentDevice.from_str("cpu")
QUESTION, *ANSWERS = TEXTS
WORDS = sorted({word for text in TEXTS for word in text.split()})
RECORDS = [Record(QUESTION, " ".join(WORDS[i : i + 1 + (5 * i) % 17])) for i in range(20)]
MODELS = ["cross_encoder", "gsamn", "encoder_layers"]
here = pytest.mark.skipif(not int8.is_available(), reason="this CPU has no AVX2, or torch no oneDNN")


def ranker(place, dtype="int8", **options):
    return AnswerRanker(model=place, dtype=dtype, device=CPU, **options)


@pytest.fixture(params=MODELS)
def place(request, tmp_path):
    """A folder of a model with random weights."""
    torch.manual_seed(3)
    registry.save(tmp_path, *registry.build(request.param, TEXTS, encoder=folder("bert"), max_pair_length=140))
    return tmp_path


def layer(inputs=40, outputs=24, **options):
    torch.manual_seed(1)
    linear = nn.Linear(inputs, outputs, **options)
    holder = nn.Sequential(linear)
    to_int8(holder)
    return linear, holder[0]


@here
@pytest.mark.parametrize("bias", [True, False])
def test_layer_is_what_its_formula_says(bias):
    linear, rounded = layer(bias=bias)
    x = torch.randn(2, 7, 40) * torch.logspace(-2, 2, 7)[:, None] + 0.3
    weight = linear.weight.detach()
    steps = weight.abs().amax(1, keepdim=True) / 127
    expected = torch.empty(2, 7, 24)
    for place in np.ndindex(2, 7):
        row = x[place]
        step = (row.max() - row.min()) / 127
        near = row.min() + step * ((row - row.min()) / step).round()
        expected[place] = (weight / steps).round() * steps @ near + (linear.bias.detach() if bias else 0)
    # One number that is rounded to the other side moves an output by a step.
    allowed = (x.amax(-1) - x.amin(-1)) / 127 * weight.abs().max()
    assert ((rounded(x) - expected).abs() <= allowed[..., None] + 1e-5).all()
    assert (rounded(x) - linear(x)).abs().max() > 1e-4


@here
def test_a_row_does_not_depend_on_the_others():
    _, rounded = layer()
    rows = torch.randn(9, 40)
    alone = torch.cat([rounded(row[None]) for row in rows])
    assert_same_scores(rounded(torch.cat([1e4 * torch.randn(3, 40), rows]))[3:], alone)


@here
def test_rows_of_one_number_and_no_rows():
    linear, rounded = layer()
    rows = torch.tensor([0.0, 3.0, -2.5])[:, None].expand(3, 40)
    assert torch.allclose(rounded(rows), linear(rows), atol=0.02)
    assert rounded(torch.zeros(0, 40)).shape == (0, 24)
    assert not torch.isfinite(rounded(torch.full((1, 40), float("nan")))).any()


@here
def test_encoders_layers_are_rounded_and_the_head_is_not(place):
    loaded = ranker(place)
    model = loaded._warm().model
    rounded = [module for module in model.pretrained_encoder.modules() if isinstance(module, Int8Linear)]
    by_transformers = model.config.model_type == "cross_encoder"
    # Elsewhere query, key and value are one.
    assert len(rounded) == SIZES["num_hidden_layers"] * (6 if by_transformers else 4)
    layers = model.pretrained_encoder.encoder if by_transformers else model.pretrained_encoder
    assert not any(type(module) is nn.Linear for module in layers.modules())
    assert not any(isinstance(module, Int8Linear) for module in model.head.modules())
    assert model.weights_per_word == ranker(place, None)._warm().model.weights_per_word


@pytest.mark.slow
@here
def test_scores_do_not_depend_on_batch_and_padding(place):
    """
    As far as float32's do: what differs in the last bit may be rounded to the other side, by one step of 127.

    That happens to few pairs. Scales of a whole batch would move nearly all, by as much as rounding does.
    """
    by_one = ranker(place)
    alone = np.concatenate([by_one.score_pairs([record]) for record in RECORDS])
    rounding = np.abs(alone - ranker(place, "float32").score_pairs(RECORDS))
    for batch_size in (3, 64):
        ours = ranker(place, batch_size=batch_size)
        found, backwards = ours.score_pairs(RECORDS), ours.score_pairs(RECORDS[::-1])[::-1]
        for scores in (found, backwards):
            moved = np.abs(scores - alone)
            assert np.median(moved) < 0.01 * np.median(rounding)
            assert moved.max() < rounding.max()
    assert rounding.max() > 1e-5


@here
def test_order_is_nearly_the_same(place):
    exact, rounded = ranker(place, "float32").score_pairs(RECORDS), ranker(place).score_pairs(RECORDS)
    assert kendalltau(exact, rounded).statistic > 0.9


@here
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_encoder(kind, tmp_path):
    torch.manual_seed(3)
    registry.save(tmp_path, *registry.build("gsamn", TEXTS, encoder=folder(kind), max_pair_length=140))
    exact, rounded = ranker(tmp_path, "float32").score_pairs(RECORDS), ranker(tmp_path).score_pairs(RECORDS)
    assert np.corrcoef(exact, rounded)[0, 1] > 0.98
    assert np.abs(exact - rounded).max() > 1e-6


@here
def test_ranker_can_be_copied(place):
    loaded = ranker(place)
    loaded.warm_up()
    assert_same_scores(deepcopy(loaded).score_pairs(RECORDS), loaded.score_pairs(RECORDS))


def test_goes_through_yaml(place):
    again = AnswerRanker.from_dict(ranker(place).to_dict())
    assert again.dtype == "int8"
    documents = [Document(content=record.answer) for record in RECORDS]
    assert len(again.run(QUESTION, documents)["documents"]) == 10


def test_where_the_cpu_cannot_one_warning_and_single_precision(place, monkeypatch, caplog):
    monkeypatch.setattr(int8, "is_available", lambda: False)
    fallen_back = ranker(place)
    found = [fallen_back.score_pairs(RECORDS) for _ in range(2)]
    assert_same_scores(found[1], ranker(place, "float32").score_pairs(RECORDS))
    [warning] = [record.getMessage() for record in caplog.records if "int8" in record.getMessage()]
    assert warning.startswith("dtype 'int8' needs an x86 CPU with AVX2. On this device, cpu, ")
    assert warning.endswith("runs in float32.")


def test_other_models_are_refused_in_a_line():
    message = "int8 is for models over a pretrained encoder; a model of the type 'ctrn' is none"
    with pytest.raises(ValueError, match=message):
        CTRNRanker(dtype="int8", device=CPU).warm_up()
    with pytest.raises(ValueError, match=r"dtype must be one of float32, float16, bfloat16 or None, but got 'int8'"):
        AnswerEncoder(model="anything", dtype="int8")
