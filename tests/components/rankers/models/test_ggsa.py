# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0

import math

import pytest
import torch

from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.ggsa import GGSAConfig, GGSAModel
from haystack_integrations.components.rankers.answer_selection.models.iggsa import IGGSAConfig, IGGSAModel
from haystack_integrations.components.rankers.answer_selection.models.record import Record
from haystack_integrations.components.rankers.answer_selection.models.self_attention import positions
from haystack_integrations.components.rankers.answer_selection.models.word_model import Texts

ANSWERS = [
    "The reading room closes at eight on weekdays.",
    "A lost card is replaced at any desk for two dollars, and a new one is printed while you wait.",
    "No.",
]
QUESTIONS = ["When does the reading room close?", "Is there a charge for replacing a card that I lost in a room?"]
RECORDS = [Record(question, answer) for question in QUESTIONS for answer in ANSWERS]
SMALL = {"embedding_size": 7, "projection_size": 12, "heads": 4, "group_size": 4, "offset": 3}

# Table 4 and table 3 of the paper, by configuration.
ABLATIONS = {
    "global self-attention": {"attention": "global", "gate": False},
    "group self-attention": {"offset": 0, "gate": False},
    "group self-attention (+offset)": {"gate": False},
    "GGSA (+offset,+gate)": {},
    "local self-attention": {"attention": "local", "gate": False},
    "local self-attention (+gate)": {"attention": "local"},
}


def build(name, **options):
    torch.manual_seed(3)
    model, collator = registry.build(name, ANSWERS + QUESTIONS, ANSWERS, **{**SMALL, **options})
    model.double().eval()
    for parameter in model.parameters():
        if parameter.ndim == 1:  # norms and biases, as if they had been trained
            parameter.data.add_(torch.randn_like(parameter) / 3)
    return model, collator


def layer_norm(x, norm):
    mean = x.sum() / len(x)
    variance = ((x - mean) ** 2).sum() / len(x)
    return (x - mean) / (variance + norm.eps).sqrt() * norm.weight + norm.bias


def feed_forward(x, layers):
    inner = (layers[0].weight @ x + layers[0].bias).clamp(min=0)
    return layers[2].weight @ inner + layers[2].bias


def sees(config, head, i, j):
    """Whether word i attends to word j."""
    if config.attention == "global":
        return True
    if config.attention == "local":
        return -(config.group_size // 2) <= j - i < (config.group_size + 1) // 2
    if head < config.heads - config.heads // 2 or config.offset == 0:
        return i // config.group_size == j // config.group_size
    # Words before the offset are the first group.
    return (i - config.offset) // config.group_size == (j - config.offset) // config.group_size


def attended(x, block, config):
    """Equations 1 and 2: Y of a list of words."""
    size = len(x[0])
    mean = sum(x) / len(x)
    seen = x
    if config.gate:
        seen = [word * (block.gate.weight @ (word * mean) + block.gate.bias).sigmoid() for word in x]
    w_q, w_k, w_v = block.qkv.weight.split(size)
    width = size // config.heads
    out = []
    for i, word in enumerate(seen):
        parts = []
        for head in range(config.heads):
            part = slice(head * width, head * width + width)
            others = [other for j, other in enumerate(seen) if sees(config, head, i, j)]
            scores = [(w_q @ word)[part] @ (w_k @ other)[part] / math.sqrt(width) for other in others]
            weights = torch.stack(scores).softmax(0)
            parts.append(sum(weight * (w_v @ other)[part] for weight, other in zip(weights, others, strict=True)))
        c = block.output.weight @ torch.cat(parts)
        out.append(layer_norm(x[i] + c, block.norm))
    return out


def fed(y, block, config):
    """Equations 3 and 4; with the last layer normalisation of section 2.1 for global self-attention, or if asked."""
    h = [word + feed_forward(word, block.feed_forward) for word in y]
    normed = config.attention == "global" if config.last_norm is None else config.last_norm
    return [layer_norm(word, block.last_norm) for word in h] if normed else h


def with_positions(model, ids):
    x = []
    for i, word in enumerate(model.embedding.weight[ids]):
        vector = model.projection.weight @ word + model.projection.bias
        size = len(vector)
        half = {"ggsa": range(size), "vaswani": [j // 2 for j in range(size)]}[model.config.positions]
        angles = [i / 10000 ** (2 * j / size) for j in half]
        x.append(vector + torch.tensor([math.cos(a) if j % 2 else math.sin(a) for j, a in enumerate(angles)]))
    return x


def slow_pair(model, question_ids, answer_ids):
    """The two vectors of one pair, no batch, no padding, a word at a time."""
    config, sides = model.config, []
    for side, ids in (("question", question_ids), ("answer", answer_ids)):
        blocks = model.encoder(side).blocks
        x = with_positions(model, ids)
        for block in blocks[:-1]:
            x = fed(attended(x, block, config), block, config)
        sides.append((attended(x, blocks[-1], config), blocks[-1]))
    (y_q, last_q), (y_a, last_a) = sides
    h_q = fed(y_q, last_q, config)
    if isinstance(model, IGGSAModel):
        c = sum(h_q) / len(h_q)
        residuals = [feed_forward(word * c, model.interaction.feed_forward) for word in y_a]
        y_a = [layer_norm(y + r, model.interaction.norm) for y, r in zip(y_a, residuals, strict=True)]
    h_a = fed(y_a, last_a, config)
    if model.composition is None:
        return torch.stack(h_q).max(0).values, torch.stack(h_a).max(0).values
    texts = [Texts(torch.stack(h).unsqueeze(0), torch.tensor([len(h)])) for h in (h_q, h_a)]
    return (x[0] for x in model.composition(*texts, torch.tensor([0])))


def seen_by_the_head(model, batch):
    seen = []
    model.classifier.register_forward_pre_hook(lambda _, inputs: seen.extend(inputs[:2]))
    logits = model(**{name: x.double() if x.is_floating_point() else x for name, x in batch.items()})
    return seen, logits


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options"),
    [
        *(("ggsa", options) for options in ABLATIONS.values()),
        ("ggsa", {"blocks": 2, "shared_encoder": True}),
        ("ggsa", {"composition": "attention"}),
        ("ggsa", {"composition": "multihop", "hops": 3, "hop_lstm_size": 5}),
        ("iggsa", {}),
        ("iggsa", {"shared_encoder": True, "composition": "attention"}),
        ("iggsa", {"blocks": 2, "composition": "multihop", "hop_lstm_size": 5}),
        ("iggsa", {"attention": "global"}),
        ("ggsa", {"last_norm": True, "positions": "vaswani"}),
        ("ggsa", {"attention": "global", "gate": False, "last_norm": False}),
        ("iggsa", {"last_norm": True, "blocks": 2}),
    ],
)
def test_equals_the_formulas_one_pair_at_a_time(name, options):
    model, collator = build(name, **options)
    batch = collator(RECORDS)
    (questions, answers), logits = seen_by_the_head(model, batch)
    for pair in range(len(RECORDS)):
        row = pair // len(ANSWERS)
        question, answer = slow_pair(
            model,
            batch["question_ids"][row, : batch["question_lengths"][row]],
            batch["answer_ids"][pair, : batch["answer_lengths"][pair]],
        )
        torch.testing.assert_close(questions[pair], question, rtol=1e-6, atol=1e-6)
        torch.testing.assert_close(answers[pair], answer, rtol=1e-6, atol=1e-6)
        cosines = (question * answer).sum(-1) / (question.norm(dim=-1) * answer.norm(dim=-1))
        torch.testing.assert_close(logits[pair], cosines.sum(), rtol=1e-6, atol=1e-6)


def test_positions_are_added_after_dropout():
    """Of a word whose vector is dropped, its position is left; the paper's dropout keeps 0.7."""
    model, collator = build("ggsa", projection_size=None, embedding_size=12, embedding_dropout=0.99)
    seen = []
    model.encoders["answer"].blocks[0].norm.register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0]))
    for encoder in model.encoders.values():
        encoder.blocks[0].output.weight.data.zero_()  # what is left is X
    model.train()(**collator([RECORDS[1]]))
    dropped = (seen[0][0] - positions(20, 12, seen[0])) == 0
    assert dropped.double().mean() > 0.9
    assert GGSAConfig().embedding_dropout == pytest.approx(0.3)


def test_by_the_papers_positions_most_dimensions_hardly_differ_between_words():
    """As the experiments' guide says: at D = 60, over 50 words, 40 dimensions change by less than 0.05."""
    moves = {}
    for kind in ("ggsa", "vaswani"):
        table = positions(50, 60, torch.zeros((), dtype=torch.float64), kind)
        moves[kind] = int(((table.amax(0) - table.amin(0)) < 0.05).sum())
    assert moves == {"ggsa": 40, "vaswani": 20}


def test_gradients_reach_the_last_normalisation():
    model, collator = build("ggsa", last_norm=True)
    model(
        **{name: x.double() if x.is_floating_point() else x for name, x in collator(RECORDS).items()}
    ).sum().backward()
    for encoder in model.encoders.values():
        assert all(p.grad.any() for p in encoder.blocks[0].last_norm.parameters())


class TestThePaperIsTheSpec:
    """Sizes of section 4.2: D = 300, six heads, groups of ten, half of the heads offset by five."""

    D = 300

    def test_defaults(self):
        for config in (GGSAConfig(), IGGSAConfig()):
            assert (config.word_size, config.heads, config.group_size, config.offset) == (300, 6, 10, 5)
            assert (config.gate, config.attention, config.composition, config.head) == (True, "group", "max", "cosine")
            assert (config.blocks, config.hops, config.shared_encoder) == (1, 2, False)
            assert (config.positions, config.last_norm) == ("ggsa", None)

    @pytest.mark.parametrize(
        ("options", "expected"),
        [
            # W and b of the gate; W_q, W_k, W_v, W_o; a layer normalisation; two layers, 4D wide in between
            ({}, (300**2 + 300) + 4 * 300**2 + 2 * 300 + (2 * 4 * 300**2 + 5 * 300)),
            ({"gate": False}, 12 * 300**2 + 7 * 300),
            ({"attention": "local", "gate": False}, 12 * 300**2 + 7 * 300),
            ({"attention": "global", "gate": False}, 12 * 300**2 + 9 * 300),  # and the last layer normalisation
            ({"attention": "global", "gate": False, "last_norm": False}, 12 * 300**2 + 7 * 300),
            ({"last_norm": True}, 13 * 300**2 + 10 * 300),
        ],
    )
    def test_parameters_of_a_block(self, options, expected):
        model = GGSAModel(GGSAConfig(vocab_size=2, **options))
        assert sum(p.numel() for p in model.encoder("question").parameters()) == expected
        everything = sum(p.numel() for p in model.parameters())
        assert everything == 2 * expected + 2 * 300  # two encoders and two words; a cosine has none
        shared = GGSAModel(GGSAConfig(vocab_size=2, shared_encoder=True, **options))
        assert sum(p.numel() for p in shared.parameters()) == expected + 2 * 300
        blocks = GGSAModel(GGSAConfig(vocab_size=2, blocks=3, **options))
        assert sum(p.numel() for p in blocks.parameters()) == 6 * expected + 2 * 300

    def test_parameters_of_the_interaction_and_the_compositions(self):
        def count(config_class, model_class, **options):
            return sum(p.numel() for p in model_class(config_class(vocab_size=2, **options)).parameters())

        plain = count(GGSAConfig, GGSAModel)
        assert count(IGGSAConfig, IGGSAModel) - plain == 8 * self.D**2 + 5 * self.D + 2 * self.D
        assert count(GGSAConfig, GGSAModel, composition="attention") - plain == 2 * self.D**2 + self.D
        multihop = count(GGSAConfig, GGSAModel, composition="multihop", hop_lstm_size=50) - plain
        assert multihop == 3 * self.D**2 + self.D + 2 * 4 * 50 * (self.D + 50 + 2)
        # "A two-layer MLP and a Softmax layer"
        mlp = count(GGSAConfig, GGSAModel, head="mlp", mlp_size=128) - plain
        assert mlp == 2 * self.D * 128 + 128 + 128 * 2 + 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"heads": 7}, "heads must divide a word's size, which is 300 .*, but is 7"),
        ({"heads": 5, "match_channels": True}, "heads must divide a word's size, which is 306 .*, but is 5"),
        ({"offset": 10}, "offset must be below group_size, which is 10, but is 10"),
        ({"offset": -1}, "offset must be a whole number of at least 0"),
        ({"group_size": 0}, "group_size must be a whole number of at least 1"),
        ({"blocks": 0}, "blocks must be"),
        ({"attention": "sparse"}, "attention must be one of group, global, local, but is 'sparse'"),
        ({"composition": "mean"}, "composition must be one of max, attention, multihop, but is 'mean'"),
        ({"hops": 0}, "hops must be"),
        ({"positions": "learned"}, "positions must be one of ggsa, vaswani, but is 'learned'"),
        ({"last_norm": "no"}, "last_norm must be true or false, but is 'no'"),
    ],
)
def test_what_cannot_be_is_refused(options, message):
    for config_class in (GGSAConfig, IGGSAConfig):
        with pytest.raises(ValueError, match=message):
            config_class(**options)


class TestWhatIsKeptOfAnAnswer:
    def test_ggsa_keeps_a_vector_if_it_is_max_pooled(self):
        model, _ = build("ggsa")
        assert model.answer_vector_size == 12
        for options in (
            {"composition": "attention"},
            {"composition": "multihop"},
            {"match_channels": True, "heads": 3},
        ):
            assert build("ggsa", **options)[0].answer_vector_size is None

    def test_iggsa_keeps_the_words_before_the_interaction(self):
        model, collator = build("iggsa")
        assert model.answer_vector_size is None
        batch = collator(RECORDS[:3])
        kept = model.answer_encodings(batch["answer_ids"], batch["answer_lengths"])
        assert kept.values.shape == (3, batch["answer_ids"].shape[1], 12)
        calls = []
        for name, module in model.interaction.named_modules():
            module.register_forward_hook(lambda *_, name=name: calls.append(name))
        model.answer_encodings(batch["answer_ids"], batch["answer_lengths"])
        assert not calls
        model.compare(model.encode_questions(model.read(**batch).questions), kept, torch.zeros(3, dtype=torch.int64))
        assert calls

    def test_only_the_interaction_makes_the_answer_depend_on_the_question(self):
        for name, different in (("ggsa", 3), ("iggsa", 6)):
            model, collator = build(name)
            (_, answers), _ = seen_by_the_head(model, collator(RECORDS))
            assert len(torch.unique(answers.detach().round(decimals=9), dim=0)) == different
