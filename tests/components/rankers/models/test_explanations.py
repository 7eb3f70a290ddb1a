# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What models say of their weights: held against the papers' formulas, word by word, and against the logits."""

import math

import pytest
import torch

import tiny_encoders
from haystack_integrations.components.rankers.answer_selection.explanation import explain
from haystack_integrations.components.rankers.answer_selection.model_component import LoadedModel
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.record import Record

ANSWERS = [
    "The Reading Room closes at eight on weekdays.",
    "A lost card is replaced at any desk for two dollars, and a new one is printed while you wait.",
    "No.",
    "?!",
]
QUESTIONS = ["When does the reading room close?", "Is there a charge for replacing a card that I lost?"]
RECORDS = [Record(question, answer) for question in QUESTIONS for answer in ANSWERS]
BERT = {"model_type": "bert", "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2}
BERT |= {"intermediate_size": 16, "initializer_range": 0.3}
SIZES = {"embedding_size": 6, "max_query_length": 12, "max_answer_length": 20}
CASES = {
    "ap_bilstm": {**SIZES, "hidden_size": 4},
    "ctrn": {**SIZES, "projection_size": 5, "hidden_size": 6},
    "ctrn by ratio": {**SIZES, "hidden_size": 6, "alignment": "ratio", "match_channels": True},
    "ggsa": {**SIZES, "heads": 3, "group_size": 4, "offset": 2},
    "ggsa of blocks": {**SIZES, "heads": 2, "group_size": 4, "offset": 0, "blocks": 2, "composition": "attention"},
    "gsamn": {"encoder": BERT, "hops": 3},
    "gsamn of the controller": {"encoder": BERT, "update_memory": False},
    "hmda": {**SIZES, "filters": 4},
    "hmda horizontal": {**SIZES, "filters": 4, "word_attention": "horizontal"},
    "hmda reduced": {**SIZES, "filters": 4, "word_attention": "reduced"},
    "iggsa": {**SIZES, "heads": 3, "group_size": 4, "offset": 2, "shared_encoder": True},
    "iggsa multihop": {**SIZES, "heads": 3, "composition": "multihop", "hop_lstm_size": 3},
    "lstm with attention": {**SIZES, "hidden_size": 4, "composition": "attention"},
    "qrnn": {**SIZES, "hidden_size": 6},
}
WITHOUT = {
    "cross_encoder": {"encoder": BERT},
    "encoder_layers": {"encoder": BERT, "extra_layers": 1},
    "hmda": {**SIZES, "filters": 4, "word_attention": "reduced", "global_attention": False},
    "linear": {"embedding_size": 2},
    "lstm": {**SIZES, "hidden_size": 4},
    "transformer": {**SIZES, "heads": 3},
}


def build(name, options):
    torch.manual_seed(3)
    model, collator = registry.build(name.split()[0], ANSWERS + QUESTIONS, ANSWERS, **options)
    generator = torch.Generator().manual_seed(4)
    with torch.no_grad():
        for parameter in model.parameters():  # weights that are not nearly even
            parameter.normal_(0, 0.7, generator=generator)
    return LoadedModel(model.double().eval(), collator)


@pytest.fixture(params=CASES)
def loaded(request):
    return build(request.param, CASES[request.param])


def ask(loaded, records=RECORDS, batch_size=64):
    with torch.inference_mode():
        return explain(loaded, records, batch_size)


def test_shares_sum_to_one_and_gates_are_between_0_and_1(loaded):
    for pair in ask(loaded):
        assert pair.weights
        for weights in pair.weights:
            sides = [[span.value for span in side] for side in (weights.question, weights.answer)]
            values = [value for side in sides for value in side] + list(weights.rest.values())
            assert all(0 <= value <= 1 for value in values)
            if weights.shares and weights.rest:
                assert sum(values) == pytest.approx(1)
            elif weights.shares:
                assert [sum(side) for side in sides if side] == [pytest.approx(1) for side in sides if side]


def letters(text):
    return [character for character in text if character.isalnum()]


def test_every_word_that_is_read_has_its_place_in_the_text(loaded):
    for pair in ask(loaded):
        for weights in pair.weights:
            for text, spans in ((pair.question, weights.question), (pair.answer, weights.answer)):
                if spans:
                    assert letters("".join(text[span.start : span.end] for span in spans)) == letters(text)


def test_a_pair_is_explained_alike_alone_and_among_others(loaded):
    together, alone = ask(loaded), ask(loaded, batch_size=1)
    for one, other in zip(together, alone, strict=True):
        assert [weights.name for weights in one.weights] == [weights.name for weights in other.weights]
        for first, second in zip(one.weights, other.weights, strict=True):
            for side in ("question", "answer"):
                a, b = getattr(first, side), getattr(second, side)
                assert [span[:2] for span in a] == [span[:2] for span in b]
                assert [span.value for span in a] == pytest.approx([span.value for span in b], abs=1e-6)


@pytest.mark.parametrize("name", WITHOUT)
def test_models_without_a_number_for_each_word_have_no_weights(name):
    assert [pair.weights for pair in ask(build(name, WITHOUT[name]))] == [[]] * len(RECORDS)


def word_vectors(loaded, record):
    """A pair's words as the encoders see them, [L, d] each."""
    batch = loaded.collator([record])
    read = [loaded.model.embedding(batch[f"{side}_ids"][0]) for side in ("question", "answer")]
    projection = loaded.model.projection
    return read if projection is None else [projection(x) for x in read]


def values(pair, name, side):
    [weights] = [weights for weights in pair.weights if weights.name == name]
    return torch.tensor([span.value for span in getattr(weights, side)], dtype=torch.float64)


@pytest.mark.parametrize("name", ["ggsa", "iggsa"])
def test_gates_of_ggsa_are_equation_1s(name):
    loaded = build(name, CASES[name])
    for record, pair in zip(RECORDS, ask(loaded), strict=True):
        for side, words in zip(("question", "answer"), word_vectors(loaded, record), strict=True):
            gate = loaded.model.encoder(side).blocks[0].gate
            size = words.shape[1]
            x = []
            for place, word in enumerate(words):
                angles = [torch.tensor(place * 10000 ** (-2 * j / size)) for j in range(size)]
                x.append(word + torch.stack([a.cos() if j % 2 else a.sin() for j, a in enumerate(angles)]))
            mean = sum(x) / len(x)
            expected = [(gate.weight @ (x_i * mean) + gate.bias).sigmoid().mean() for x_i in x]
            assert torch.allclose(values(pair, "gate", side), torch.stack(expected), atol=1e-6)


@pytest.mark.parametrize("name", ["qrnn", "ctrn", "ctrn by ratio"])
def test_gates_of_qrnn_and_ctrn_are_the_convolutions(name):
    loaded = build(name, {**CASES[name], "match_channels": False})
    width = loaded.model.config.kernel_width
    for record, pair in zip(RECORDS, ask(loaded), strict=True):
        gates = []
        for words in word_vectors(loaded, record):
            _, w_f, w_o = loaded.model.convolution.filters.weight.chunk(3)
            padded = torch.cat([torch.zeros(width - 1, words.shape[1], dtype=words.dtype), words])
            seen = [torch.cat(list(padded[t : t + width])) for t in range(len(words))]
            gates.append([torch.stack([(w @ x).sigmoid().mean() for x in seen]) for w in (w_f, w_o)])
        for side, own, partner in (("question", *gates), ("answer", *reversed(gates))):
            assert torch.allclose(values(pair, "forget gate", side), own[0])
            assert torch.allclose(values(pair, "output gate", side), own[1])
            if name != "qrnn":
                length, other = len(own[0]), len(partner[0])
                steps = [min(t * other // length if "ratio" in name else t, other - 1) for t in range(length)]
                assert torch.allclose(values(pair, "partner's forget gate", side), partner[0][steps])
                assert torch.allclose(values(pair, "partner's output gate", side), partner[1][steps])


def test_word_attention_of_hmda_is_equations_1_to_5s():
    loaded = build("hmda", CASES["hmda"])
    kinds = ("attention by place", "attention by the word", "attention by the matrix")
    for record, pair in zip(RECORDS, ask(loaded), strict=True):
        for side, words in zip(("question", "answer"), word_vectors(loaded, record), strict=True):
            attention = getattr(loaded.model, f"{side}_attention")
            logits = [
                [torch.tanh(x @ attention.columns[place] + attention.bias[place]) for place, x in enumerate(words)],
                [x @ x for x in words],
                [x @ attention.matrix.weight @ x for x in words],
            ]
            for kind, logit in zip(kinds, logits, strict=True):
                assert torch.allclose(values(pair, kind, side), torch.stack(logit).softmax(0))


def test_global_attention_of_hmda_is_equations_10_and_11s():
    loaded = build("hmda reduced", CASES["hmda reduced"])
    for record, pair in zip(RECORDS, ask(loaded), strict=True):
        question, answer = (loaded.model.encoder(words) for words in word_vectors(loaded, record))
        for side, own, other in (("question", question, answer), ("answer", answer, question)):
            looks = [torch.stack([word @ o for word in own]).softmax(0) for o in other]
            assert torch.allclose(values(pair, "global attention", side), sum(looks) / len(looks))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gsamn", "gsamn of the controller"])
def test_attention_of_gsamns_controller_is_the_papers(name):
    loaded = build(name, CASES[name])
    memory = loaded.model.memory
    for record, pair in zip(RECORDS, ask(loaded), strict=True):
        batch = loaded.collator([record])
        del batch["list_sizes"]
        x, c = list(loaded.model.encoder(**batch).last_hidden_state[0]), memory.controller
        for hop, weights in enumerate(pair.weights, start=1):
            assert weights.name == f"controller's attention, hop {hop}"

            def shares(one, x=x, c=c):
                return torch.stack([one @ memory.projection(other) for other in [*x, c]]).softmax(0)

            def update(one, x=x, c=c, shares=shares):
                return sum(a * other for a, other in zip(shares(one), [*x, c], strict=True)).sigmoid() * one

            expected = shares(c).detach()
            [question, answer] = [[span.value for span in side] for side in (weights.question, weights.answer)]
            end = 1 + len(question)
            assert question == pytest.approx(expected[1:end].tolist())
            assert answer == pytest.approx(expected[end + 1 : -2].tolist())
            rest = {"[CLS]": expected[0], "[SEP]": expected[end] + expected[-2], "controller": expected[-1]}
            assert weights.rest == pytest.approx({place: float(share) for place, share in rest.items()})
            new = [update(x_i) for x_i in x] if memory.update_memory else x
            x, c = new, update(c) + sum(new) / len(new)


def test_the_sums_that_the_weights_are_for():
    """Of attentive pooling, and of multihop attention: the vectors that the head gets are the weighted words."""
    for name in ("ap_bilstm", "lstm with attention", "iggsa multihop", "ggsa of blocks"):
        loaded = build(name, CASES[name])
        model, record = loaded.model, RECORDS[1]
        batch = loaded.collator([record])
        encoded = [
            encode(batch[f"{side}_ids"], batch[f"{side}_lengths"])
            for side, encode in (("question", model.question_encodings), ("answer", model.answer_encodings))
        ]
        question, answer = model.compare(*encoded, torch.zeros(1, dtype=torch.int64))
        if name.startswith("iggsa"):
            encoded = model._met(*encoded, torch.zeros(1, dtype=torch.int64))
        words = [each.values[0] for each in encoded]
        [pair] = ask(loaded, [record])
        if name == "ap_bilstm":
            assert torch.allclose(values(pair, "attentive pooling", "question") @ words[0], question[0])
            assert torch.allclose(values(pair, "attentive pooling", "answer") @ words[1], answer[0])
        elif name == "iggsa multihop":
            for hop in (1, 2):
                assert torch.allclose(
                    values(pair, f"attention of hop {hop}", "question") @ words[0], question[0, hop - 1]
                )
                assert torch.allclose(values(pair, f"attention of hop {hop}", "answer") @ words[1], answer[0, hop - 1])
        else:
            shares = values(pair, "question's attention", "answer")
            assert torch.allclose((shares.unsqueeze(1) * words[1]).amax(0), answer[0])


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("linear", {"embedding_size": 2}),
        ("linear", {"embedding_size": 2, "pair_features": ["bm25", "overlap"], "batch_norm": False}),
        ("linear", {"embedding_size": 2, "head": "cosine"}),
        ("bm25", {}),
        ("hmda", {**SIZES, "filters": 4, "pair_features": ["bm25", "overlap"], "batch_norm": True}),
    ],
)
def test_contributions_of_features_are_what_the_logit_moves_by(name, options):
    loaded = build(name, options)
    with torch.no_grad():
        for norm in [module for module in loaded.model.modules() if isinstance(module, torch.nn.BatchNorm1d)]:
            norm.running_mean.normal_()
            norm.running_var.uniform_(0.5, 2)
    logits = loaded.model(**loaded.collator(RECORDS)).detach()
    explained = ask(loaded)
    for pair in explained:
        assert [feature.name for feature in pair.features] == loaded.model.config.pair_features
    added = torch.tensor([sum(f.contribution for f in pair.features) for pair in explained], dtype=torch.float64)
    if name != "hmda":  # what is left is the same for all pairs
        assert torch.allclose(logits - added, (logits - added)[0].expand(len(added)), atol=1e-5)
    head = loaded.model.classifier
    weight = (head.output if hasattr(head, "output") else head.shortcut).weight[0]
    with torch.no_grad():
        weight[-1] = 0
    without = loaded.model(**loaded.collator(RECORDS)).detach()
    for pair, before, after in zip(explained, logits, without, strict=True):
        assert pair.features[-1].contribution == pytest.approx(float(before - after), abs=1e-5)


def test_features_of_a_perceptron_have_values_and_no_contributions():
    loaded = build("qrnn", {**SIZES, "hidden_size": 6, "pair_features": ["answer_length", "bm25"]})
    [pair] = ask(loaded, [RECORDS[0]])
    assert [feature.contribution for feature in pair.features] == [None, None]
    assert pair.features[0].value == pytest.approx(math.log(8), abs=1e-5)


def covered(text, spans):
    """The characters of a text that have a number; the mark that one tokenizer puts before words has the first's."""
    places = {place for span in spans for place in range(span.start, span.end)}
    return "".join(text[place] for place in sorted(places)).replace(" ", "")


@pytest.mark.parametrize("kind", tiny_encoders.KINDS)
def test_tokens_of_every_encoder_have_their_places(kind):
    model, collator = registry.build("gsamn", [], encoder=tiny_encoders.folder(kind), max_pair_length=40)
    record = Record("When does it close?", "The reading room closes at eight. " * 20)
    [pair] = ask(LoadedModel(model.eval(), collator), [record])
    for weights in pair.weights:
        assert covered(record.query, weights.question) == "Whendoesitclose?"
        shown = covered(record.answer, weights.answer)
        assert shown
        assert record.answer.replace(" ", "").startswith(shown)
        tokens = len(weights.question) + len(weights.answer) + collator.template.size
        assert tokens == collator([record])["input_ids"].shape[1] == 40


def test_shares_in_trees_are_those_of_the_spans_own_elements():
    tree = "(ROOT (S (NP (DT The) (JJ reading) (NN room)) (VP (VBZ closes) (PP (IN at) (CD eight))) (. .)) "
    tree += "(X (X No) (. .)))"
    asked = {"parse_tree": "(ROOT (SBARQ (WRB When) (. ?)))"}
    record = Record("When?", "The reading room closes at eight. No.", asked, {"parse_tree": tree})
    sizes = {"half_size": 8, "heads": 2, "feed_forward_size": 8}
    loaded = build("tree_aggregation", {"encoder": BERT, **sizes})
    [pair] = ask(loaded, [record])
    [(_, answer)] = loaded.model.span_attention(**loaded.collator([record]))
    nodes = pair.answer_tree
    labels = "ROOT S NP DT JJ NN VP VBZ PP IN CD . X X .".split()
    assert [node.label for node in nodes] == labels
    shown = [record.answer[node.start : node.end] for node in nodes]
    assert shown[0] == record.answer
    assert shown[1:4] == ["The reading room closes at eight.", "The reading room", "The"]
    pieces = lambda text: len(loaded.collator.tokenizer.encode(text, add_special_tokens=False).ids)  # noqa: E731
    assert pieces("reading") == 1 < pieces("No")
    spans = [place for place, node in enumerate(nodes) if node.own is not None]
    for row, place in zip(answer, spans, strict=True):  # spans are numbered from the root on, in the text's order
        below = []
        for other in nodes[place + 1 :]:
            if other.level <= nodes[place].level:
                break
            if other.level == nodes[place].level + 1:
                below.append(other)
        at = 1
        for node in below:
            size = 1 if node.own is not None else pieces(record.answer[node.start : node.end])
            assert node.shares == pytest.approx(row[:, at : at + size].sum(1).tolist())
            at += size
        assert at == row.shape[1] - 1
        assert nodes[place].own == [pytest.approx((half[0], half[-1])) for half in row.tolist()]
