# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0

from random import Random

import pytest
import torch

from answer_selection.indexing.text.tree import LABELS
from computed_twice import assert_same_scores, assert_same_weights
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.record import Record
from haystack_integrations.components.rankers.answer_selection.models.tree_aggregation import (
    TreeAggregationConfig,
    TreeAggregationModel,
)
from tiny_encoders import KINDS, SIZES, TEXTS, folder
from tree_recursion import brackets, pair_vectors

BERT = {"model_type": "bert", "vocab_size": 200, **SIZES, "max_position_embeddings": 300}
SMALL = {"half_size": 8, "heads": 2, "feed_forward_size": 12}
OPTIONS = [
    {},
    {"residual": True},
    {"syntax": False},
    {"separate_attention": False},
    {"layers": 3},
    {"trees": "sentence", "layers": 2},
    {"syntax": False, "separate_attention": False, "layers": 2, "residual": True},
]
every_option = pytest.mark.parametrize("options", OPTIONS)


def pair(question, answer, seed=0):
    random = Random(seed)
    return Record(
        question, answer, {"parse_tree": brackets(question, random)}, {"parse_tree": brackets(answer, random)}
    )


RECORDS = [pair(TEXTS[0], answer, seed) for answer in TEXTS for seed in range(3)]


def build(encoder=BERT, **options):
    torch.manual_seed(1)
    model, collator = registry.build(
        "tree_aggregation", TEXTS, encoder=encoder, **{"max_pair_length": 290, **SMALL, **options}
    )
    for parameter in model.aggregation.parameters():
        parameter.data.normal_(std=0.4)
    return model.eval(), collator


def head_input(model, collator, record):
    """What the last layer reads of a pair, one span at a time."""
    batch = collator([record])
    types = {"token_type_ids": batch["token_type_ids"]} if "token_type_ids" in batch else {}
    states = model.encoder(
        input_ids=batch["input_ids"], attention_mask=batch["attention_mask"], **types
    ).last_hidden_state[0]
    vectors = pair_vectors(
        model, states, collator.tokenizer, len(collator.template.before), len(collator.template.between), record
    )
    return torch.cat([states[0], vectors]) if model.config.residual else vectors


def by_the_equations(model, collator, records):
    last = model.classifier.head[1]
    vectors = torch.stack([head_input(model, collator, record) for record in records])
    return torch.tanh(vectors) @ last.weight[0] + last.bias


# --- the paper's equations ---


@pytest.mark.slow
@every_option
def test_logits_and_gradients_are_those_of_the_recursion(options):
    model, collator = build(**options)
    model.double()
    weights = torch.randn(len(RECORDS), dtype=torch.float64)

    def gradients(logits):
        model.zero_grad()
        (logits * weights).sum().backward()
        return {name: p.grad.clone() for name, p in model.named_parameters() if p.grad is not None}

    found, expected = model(**collator(RECORDS)), by_the_equations(model, collator, RECORDS)
    assert torch.allclose(found, expected, atol=1e-10)
    assert found.std() > 0.01
    ours, theirs = gradients(found), gradients(expected)
    assert ours.keys() == theirs.keys()
    assert any(name.startswith("encoder.") for name in ours)
    for name, gradient in ours.items():
        assert torch.allclose(gradient, theirs[name], atol=1e-9), name


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_with_every_tokenizer_words_have_their_own_pieces(kind):
    model, collator = build(folder(kind), max_pair_length=140)
    # In single precision the last bits of DistilBERT's 3,072 units differ between a batch and one pair.
    model.double()
    with torch.no_grad():
        found = model(**collator(RECORDS))
        assert torch.allclose(found, by_the_equations(model, collator, RECORDS), atol=1e-9)


def test_parameters_are_the_papers():
    config = TreeAggregationConfig(encoder={"model_type": "bert", "hidden_size": 1024, "num_attention_heads": 16})
    with torch.device("meta"):
        model = TreeAggregationModel(config)
    inside = sum(p.numel() for p in model.encoder.parameters())
    h, f = 1024, 4096
    attention = 4 * h * h + h
    feed_forward = 2 * h * f + f + h
    embeddings = (len(LABELS) + 128 + 64) * h + 2 * (h * h + h)
    assert config.heads == 16
    assert (
        sum(p.numel() for p in model.parameters()) - inside == 2 * (attention + feed_forward) + embeddings + 4 * h + 1
    )


@pytest.mark.parametrize(("options", "sets"), [({}, 1), ({"layers": 4}, 4)])
def test_one_set_of_weights_for_all_levels_unless_there_are_more(options, sets):
    model, collator = build(**options)
    deep = Record(TEXTS[0], "room", pair(TEXTS[0], "").query_meta, {"parse_tree": chain(9)})
    model(**collator([deep])).sum().backward()
    assert len(model.aggregation.layers) == sets
    assert all(p.grad is not None and p.grad.any() for p in model.aggregation.layers.parameters())


# --- trees of all shapes ---


def chain(depth):
    return f"(ROOT {'(NP ' * (depth - 1)}(NN room){')' * (depth - 1)})"


def wide(count):
    return f"(ROOT (NP {' '.join(['(NN room)'] * count)}))"


SHAPES = {
    "sixty levels": ("room", chain(60)),
    "more levels than embeddings": ("room", chain(90)),
    "a hundred children": ("room " * 100, wide(100)),
    "more children than embeddings": ("room " * 150, wide(150)),
    "a single word": ("room", "(ROOT (NN room))"),
    "no word": ("", "(ROOT)"),
    "white space": (" \n ", "(ROOT)"),
    "several sentences": ("a b. c d.", "(ROOT (S (NN a) (NN b) (. .)) (S (NP (NN c)) (VP (NN d)) (. .)))"),
    "no root": ("a b", "(S (NN a) (NP (NN b)))"),
    "words without a tag": ("a b", "(ROOT a (NP (NN b)))"),
}


@pytest.mark.slow
@pytest.mark.parametrize("trees", ["given", "sentence"])
@pytest.mark.parametrize("shape", SHAPES)
def test_tree_of_any_shape_is_read_as_the_recursion_reads_it(shape, trees):
    text, tree = SHAPES[shape]
    model, collator = build(trees=trees)
    records = [
        Record(text, TEXTS[1], {"parse_tree": tree}, {"parse_tree": brackets(TEXTS[1], Random(2))}),
        Record(TEXTS[0], text, {"parse_tree": brackets(TEXTS[0], Random(3))}, {"parse_tree": tree}),
    ]
    with torch.no_grad():
        found = model(**collator(records))
        assert found.isfinite().all()
        assert torch.allclose(found, by_the_equations(model, collator, records), atol=1e-5)


def test_other_trees_of_the_same_texts_have_other_scores():
    model, collator = build()
    first, second, third = (pair(TEXTS[0], TEXTS[1], seed) for seed in range(3))
    with torch.no_grad():
        scores = model(**collator([first, second, third, first]))
    assert len({round(float(score), 4) for score in scores}) == 3
    assert scores[0] == pytest.approx(float(scores[3]), abs=1e-5)


def test_tags_matter_only_with_syntax():
    first = Record("a", "b c", {"parse_tree": "(ROOT (NN a))"}, {"parse_tree": "(ROOT (NP (NN b) (NN c)))"})
    second = Record("a", "b c", {"parse_tree": "(ROOT (NN a))"}, {"parse_tree": "(ROOT (VP (VB b) (NN c)))"})
    for syntax in (True, False):
        model, collator = build(syntax=syntax)
        with torch.no_grad():
            scores = model(**collator([first, second]))
        assert (abs(float(scores[0] - scores[1])) > 1e-4) == syntax


def test_labels_that_are_not_known_are_one():
    texts = {"query_meta": {"parse_tree": "(ROOT (NN a))"}}
    first = Record("a", "b c", meta={"parse_tree": "(ROOT (FOO (NN b) (BAR c)))"}, **texts)
    second = Record("a", "b c", meta={"parse_tree": "(ROOT (other (NN b) (BAZ c)))"}, **texts)
    model, collator = build()
    with torch.no_grad():
        scores = model(**collator([first, second]))
    assert scores[0] == pytest.approx(float(scores[1]), abs=1e-6)


@pytest.mark.parametrize("trees", ["random", "left", "balanced"])
def test_ablations_change_the_trees_shape_and_no_more(trees, tmp_path):
    model, collator = build(trees=trees)
    given, given_collator = build()
    with torch.no_grad():
        found = model(**collator(RECORDS))
        assert not torch.allclose(found, given(**given_collator(RECORDS)), atol=1e-3)
        # However the given tree was, words and tags are all that is left of it.
        flat = Record("a b c", "d", {"parse_tree": "(ROOT (NN a) (VB b) (NN c))"}, {"parse_tree": "(ROOT (NN d))"})
        deep = Record("a b c", "d", {"parse_tree": "(ROOT (NP (NN a) (VP (VB b) (NN c))))"}, flat.meta)
        scores = model(**collator([flat, deep]))
        assert scores[0] == pytest.approx(float(scores[1]), abs=1e-6)
        registry.save(tmp_path, model, collator)
        loaded, loaded_collator = registry.load(tmp_path)
        assert_same_weights(loaded, model)
        assert_same_scores(loaded(**loaded_collator(RECORDS)), found)


# --- what it attends to ---


@every_option
def test_attention_is_that_of_the_forward_pass(options):
    model, collator = build(**options)
    records = [pair(TEXTS[0], TEXTS[2], 5), pair("a", "", 1), pair(TEXTS[1], TEXTS[3], 6)]
    attention = model.span_attention(**collator(records))
    halves = 2 if options.get("syntax", True) and options.get("separate_attention", True) else 1
    for record, sides in zip(records, attention, strict=True):
        for text_tree, spans in zip(collator.text_trees(record), sides, strict=True):
            assert len(spans) == len(text_tree.tree.labels)
            for weights, size in zip(spans, text_tree.sizes, strict=True):
                assert weights.shape == (halves, size + 2)
                assert torch.allclose(weights.sum(1), torch.ones(halves), atol=1e-5)


def test_attention_is_in_the_order_of_the_text():
    """With a value of its own for each word, what a span's vector holds tells which word has which weight."""
    model, collator = build(heads=1, syntax=False)
    record = pair("a", TEXTS[1], 3)
    batch = collator([record])
    weights = model.span_attention(**batch)[0][1]
    states = model.encoder(
        input_ids=batch["input_ids"],
        attention_mask=batch["attention_mask"],
        token_type_ids=batch["token_type_ids"],
    ).last_hidden_state[0]
    tree = collator.text_trees(record)[1]
    layer = model.aggregation.layers[0][0]
    first = 3  # [CLS] a [SEP]
    for span in range(len(tree.levels)):
        pieces = tree.piece_tokens[tree.piece_spans == span]
        if len(pieces) != tree.sizes[span]:
            continue  # it holds spans, too
        tokens = [first - 1, *(first + pieces).tolist(), int(batch["attention_mask"].sum()) - 1]
        x = model.aggregation.semantic(states[tokens])
        keys = layer.key_value(x)[:, :8]
        expected = torch.softmax(keys @ layer.query(x[0]) / 8**0.5, dim=0)
        assert torch.allclose(weights[span][0], expected, atol=1e-5)


def test_texts_vectors_are_what_the_head_reads():
    model, collator = build()
    with torch.no_grad():
        vectors = model.text_vectors(**collator(RECORDS))
        assert vectors.shape == (len(RECORDS), 2, 16)
        logits = model.head(vectors.flatten(1)).squeeze(-1)
        assert torch.allclose(logits, model(**collator(RECORDS)), atol=1e-6)


# --- configurations ---


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"half_size": 0}, "half_size must be a whole number of at least 1"),
        ({"heads": 3, "half_size": 8}, "half_size must be a multiple of heads, but is 8 with 3 heads"),
        ({"feed_forward_size": -1}, "feed_forward_size must be a whole number of at least 1"),
        ({"layers": 0}, "layers must be a whole number of at least 1"),
        ({"trees": "right"}, "trees must be one of given, sentence, random, left, balanced, but is 'right'"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        TreeAggregationConfig(**options)


def test_half_precision_scores_nearly_the_same():
    model, collator = build()
    with torch.no_grad():
        before = torch.sigmoid(model(**collator(RECORDS)))
        model.aggregation.bfloat16()
        model.encoder.bfloat16()
        after = torch.sigmoid(model(**collator(RECORDS)))
    assert (before - after).abs().max() < 0.05
