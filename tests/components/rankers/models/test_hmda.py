# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0

import pytest
import torch

from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.hmda import HMDAConfig, HMDAModel
from haystack_integrations.components.rankers.answer_selection.models.record import Record
from haystack_integrations.components.rankers.answer_selection.models.word_model import Texts

ANSWERS = [
    "The reading room closes at eight on weekdays.",
    "A lost card is replaced at any desk for two dollars, and a new one is printed while you wait.",
    "No.",
    "The room on the second floor can be booked for two hours a day.",
]
QUESTIONS = ["When does the reading room close?", "Is there a charge for replacing a card that I lost?", "Why?"]
RECORDS = [Record(question, answer) for question in QUESTIONS for answer in ANSWERS]
SMALL = {"embedding_size": 6, "filters": 4, "max_query_length": 12, "max_answer_length": 20}
KINDS = ("vertical", "horizontal", "reduced")
ABLATIONS = {
    "whole": {},
    "without encoder": {"gated_encoder": False},
    "without global attention": {"global_attention": False},
    "without comparison": {"comparison": False},
    "squeezed": {"squeeze_size": 3},
    "squeezed together, as in the authors' program": {"squeeze_together": True, "filters": 22},
    "convolutions of its own for each side": {"shared_aggregation": False},
    "equation 1 as printed": {"literal_attention": True},
    "equations 8 and 9 as printed": {"literal_encoder": True},
    "other widths": {"filter_widths": [4, 2]},
    "projected": {"projection_size": 5},
}


def build(**options):
    torch.manual_seed(3)
    model, collator = registry.build("hmda", ANSWERS + QUESTIONS, ANSWERS, **{**SMALL, **options})
    model = model.double().eval()
    generator = torch.Generator().manual_seed(4)
    with torch.no_grad():  # biases too, and attention that is not nearly even
        for parameter in model.parameters():
            parameter.normal_(0, 0.7, generator=generator)
    return model, collator


def word_attention(attention, words):
    """Equations 1 to 5, word by word: V1, V2, V3, each [L, D]."""
    logits = ([], [], [])
    for place, x in enumerate(words):
        by_place = x @ attention.columns[place]
        logits[0].append(by_place if attention.bias is None else torch.tanh(by_place + attention.bias[place]))
        logits[1].append(x @ x)
        logits[2].append(x @ (attention.matrix.weight @ x))
    weights = [torch.stack(kind).softmax(0) for kind in logits]
    return [torch.stack([w * x for w, x in zip(kind, words, strict=True)]) for kind in weights]


def encode(model, attention, words):
    """N and H (equations 6 to 9), and the Vs. [rows, width]: in "horizontal" part follows part."""
    weighted = [] if attention is None else word_attention(attention, words)
    joined = torch.cat(
        [words, *weighted], dim={"vertical": 1, "horizontal": 0, "reduced": 0}[model.config.word_attention]
    )
    if model.encoder is None:
        return joined, weighted
    if model.config.literal_encoder:
        return torch.stack([n.sigmoid() * n.tanh() for n in joined]), weighted
    (w_gate, w_value), (b_gate, b_value) = (
        p.chunk(2) for p in (model.encoder.layers.weight, model.encoder.layers.bias)
    )
    return torch.stack([(w_gate @ n + b_gate).sigmoid() * (w_value @ n + b_value).tanh() for n in joined]), weighted


def attend(own, other):
    """R of equations 10 and 11, row by row."""
    return torch.stack([sum(w * row for w, row in zip((other @ h).softmax(0), other, strict=True)) for h in own])


def aggregate(aggregation, compared, length):
    """Z: every filter at every word, of every part by itself."""
    rows = []
    for part in compared.split(length):
        for t in range(length):
            maps = []
            for convolution in aggregation.convolutions:
                width = convolution.kernel_size[0]
                total = convolution.bias
                for place in range(width):
                    at = t + place - (width - 1) // 2
                    if 0 <= at < length:
                        total = total + convolution.weight[:, :, place] @ part[at]
                maps.append(total.relu())
            rows.append(torch.cat(maps))
    found = torch.stack(rows)
    return torch.cat([aggregation.of_mean(found.mean(0)).tanh(), aggregation.of_max(found.max(0).values).tanh()])


def slow_logit(model, question, answer):
    """One pair, straight from the paper. `question`, `answer`: word vectors [L, D]."""
    words = question, answer
    encoded = [
        encode(model, attention, x)
        for attention, x in zip((model.question_attention, model.answer_attention), words, strict=True)
    ]
    vectors, sides = [], []
    for own, other in ((0, 1), (1, 0)):
        h, weighted = encoded[own]
        compared = h
        if model.config.global_attention:
            r = attend(h, encoded[other][0])
            compared = h * r if model.config.comparison else r
        aggregation = model.aggregation if own or model.config.shared_aggregation else model.question_aggregation
        groups = [aggregate(aggregation, compared, len(words[own]))]
        if weighted:
            means, highest = [v.mean(0) for v in weighted], [v.max(0).values for v in weighted]
            groups.insert(0, torch.cat([*means, *highest]))
        if model.config.squeeze_size:
            layers = [model.squeeze_pooled, model.squeeze_aggregated][-len(groups) :]
            groups = [layer(group).tanh() for layer, group in zip(layers, groups, strict=True)]
        vectors += groups
        sides.append(groups)
    if model.config.squeeze_together:
        layers = [model.squeeze_pooled, model.squeeze_aggregated][-len(groups) :]
        vectors = [layer(torch.cat(both)).tanh() for layer, both in zip(layers, zip(*sides, strict=True), strict=True)]
    return model.classifier.output(torch.cat(vectors)).squeeze(0)


@pytest.mark.slow
@pytest.mark.parametrize("ablation", ABLATIONS)
@pytest.mark.parametrize("kind", KINDS)
def test_equals_the_formulas_one_pair_at_a_time(kind, ablation):
    model, collator = build(word_attention=kind, **ABLATIONS[ablation])
    batch = collator(RECORDS)
    logits = model(**batch)
    vectors = model.embedding.weight if model.projection is None else model.projection(model.embedding.weight)
    for index, record in enumerate(RECORDS):
        row = QUESTIONS.index(record.query)
        question = vectors[batch["question_ids"][row, : batch["question_lengths"][row]]]
        answer = vectors[batch["answer_ids"][index, : batch["answer_lengths"][index]]]
        torch.testing.assert_close(logits[index], slow_logit(model, question, answer))
    assert logits.std() > 0.01


def test_the_place_of_a_word_matters_to_one_kind_of_word_attention_alone():
    model, _ = build()
    x = torch.randn(1, 5, 6, dtype=torch.float64)
    lengths = torch.tensor([5])
    ahead = model.answer_attention(Texts(x, lengths)).flip(1)
    behind = model.answer_attention(Texts(x.flip(1), lengths))
    same = [torch.allclose(a, b) for a, b in zip(ahead.split(6, -1), behind.split(6, -1), strict=True)]
    assert same == [False, True, True]


def test_without_global_attention_the_sides_do_not_see_each_other():
    seen = {}
    for name, options in {"with": {}, "without": {"global_attention": False}}.items():
        model, collator = build(**options)
        model.classifier.register_forward_pre_hook(lambda _, inputs, name=name: seen.update({name: inputs[0]}))
        model(**collator(RECORDS[:4]))
    assert len(torch.unique(seen["with"], dim=0)) == 4
    torch.testing.assert_close(seen["without"], seen["without"][:1].expand_as(seen["without"]))


class TestThePaperIsTheSpec:
    def test_defaults_are_those_for_wikiqa(self):
        config = HMDAConfig()
        assert (config.word_attention, config.embedding_size, config.filters, config.head) == (
            "vertical",
            300,
            300,
            "linear",
        )
        assert (config.max_query_length, config.max_answer_length) == (10, 40)
        assert (config.embedding_dropout, config.dropout, config.filter_widths) == (0.1, 0.1, [1, 2, 3, 4, 5])
        assert not (config.match_channels or config.batch_norm or config.pair_features or config.squeeze_size)
        assert not (config.squeeze_together or config.literal_attention or config.literal_encoder)

    @pytest.mark.parametrize(
        ("kind", "expected"), [("vertical", 9_384_351), ("horizontal", 2_632_551), ("reduced", 2_433_901)]
    )
    def test_parameters_at_the_papers_sizes(self, kind, expected):
        """The paper states no counts; these follow from its equations, word vectors aside."""
        model = HMDAModel(HMDAConfig(word_attention=kind))
        n, d, q, a, widths = 300, 300, 10, 40, 1 + 2 + 3 + 4 + 5
        width = 4 * n if kind == "vertical" else n
        word_attention = 0 if kind == "reduced" else (q + a) * (n + 1) + 2 * n * n
        encoder = 2 * (width * width + width)
        convolutions = widths * width * d + 5 * d
        compression = 2 * (5 * d * d + d)
        head = 2 * ((0 if kind == "reduced" else 6 * n) + 2 * d) + 1
        total = sum(p.numel() for name, p in model.named_parameters() if name != "embedding.weight")
        assert total == word_attention + encoder + convolutions + compression + head == expected

    def test_what_the_options_add_to_and_take_from_them(self):
        n, d, q, a, widths = 300, 300, 10, 40, 1 + 2 + 3 + 4 + 5
        before = count(HMDAModel(HMDAConfig()))
        aggregation = widths * 4 * n * d + 5 * d + 2 * (5 * d * d + d)
        assert count(HMDAModel(HMDAConfig(shared_aggregation=False))) == before + aggregation
        assert count(HMDAModel(HMDAConfig(literal_attention=True))) == before - (q + a)
        assert count(HMDAModel(HMDAConfig(literal_encoder=True))) == before - 2 * (16 * n * n + 4 * n)
        squeezed, head = (4 * d * d + d) + (12 * n * (d // 10) + d // 10), d + d // 10 + 1
        assert (
            count(HMDAModel(HMDAConfig(squeeze_together=True))) == before - (2 * (6 * n + 2 * d) + 1) + squeezed + head
        )


@pytest.mark.parametrize(
    "options",
    [{"shared_aggregation": False}, {"literal_attention": True}, {"literal_encoder": True}, {"squeeze_together": True}],
)
def test_all_that_an_option_has_learns(options):
    model, collator = build(**options)
    model(**collator(RECORDS)).square().sum().backward()
    unused = [name for name, p in model.named_parameters() if p.grad is None or not p.grad.any()]
    assert unused == []


def count(model):
    return sum(p.numel() for name, p in model.named_parameters() if name != "embedding.weight")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"word_attention": "diagonal"},
            "word_attention must be one of vertical, horizontal, reduced, but is 'diagonal'",
        ),
        ({"filters": 0}, "filters must be a whole number of at least 1 and at most .*, but is 0"),
        ({"filter_widths": []}, "filter_widths must name at least one width, but is empty"),
        ({"filter_widths": [1, 0]}, "filter_widths must be a whole number of at least 1 and at most .*, but is 0"),
        ({"squeeze_size": 0}, "squeeze_size must be a whole number of at least 1 and at most .*, but is 0"),
        (
            {"squeeze_size": 3, "squeeze_together": True},
            "squeeze_size must be nothing with squeeze_together, whose sizes are d's, but is 3",
        ),
        (
            {"head": "cosine", "squeeze_together": True},
            "head must be mlp or linear with squeeze_together, which leaves no vector of a side, but is 'cosine'",
        ),
        ({"head": "tree"}, "head must be one of mlp, cosine, linear, but is 'tree'"),
    ],
)
def test_wrong_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        registry.build("hmda", ANSWERS, **options)
