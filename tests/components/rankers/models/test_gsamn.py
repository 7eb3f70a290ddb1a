# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0

from itertools import pairwise

import pytest
import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from transformers import BertConfig

from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.gated_memory import GatedMemory
from haystack_integrations.components.rankers.answer_selection.models.gsamn import COSINE_SCALE, GSAMNConfig, GSAMNModel
from haystack_integrations.components.rankers.answer_selection.models.model_folder import (
    PACKAGED,
    SENTENCE_ENCODER,
    ModelFolderError,
)
from haystack_integrations.components.rankers.answer_selection.models.pair_collator import PairCollator
from haystack_integrations.components.rankers.answer_selection.models.quantized_weights import (
    read_weights,
    weights_file,
    write_quantized,
)
from haystack_integrations.components.rankers.answer_selection.models.record import Piece, Record

D = 5
OPTIONS = [
    {},
    {"hops": 1},
    {"hops": 3},
    {"gate": False},
    {"update_memory": False},
    {"gate": False, "update_memory": False, "hops": 3},
]


def by_the_formulas(memory, x):
    """The controller after the last hop, one token at a time, for a sequence without padding."""
    w, b, c = memory.projection.weight, memory.projection.bias, memory.controller
    for _ in range(memory.hops):
        v = [w @ x_j + b for x_j in x]
        v_c = w @ c + b

        def attended(one, x=x, c=c, v=v, v_c=v_c):
            similar = [float(one @ v_j) for v_j in v] + [float(one @ v_c)]
            total = sum(torch.tensor(s, dtype=torch.float64).exp() for s in similar)
            weights = [torch.tensor(s, dtype=torch.float64).exp() / total for s in similar]
            return sum(weight * x_j for weight, x_j in zip(weights, [*x, c], strict=True))

        def update(one, attended=attended):
            found = attended(one)
            return 1 / (1 + (-found).exp()) * one if memory.gate else found

        new_x = [update(x_i) for x_i in x] if memory.update_memory else x
        c = update(c) + sum(new_x) / len(new_x)
        x = new_x
    return c


def gated_memory(**options):
    torch.manual_seed(2)
    memory = GatedMemory(D, **options).double().requires_grad_(False)
    for parameter in memory.parameters():
        parameter.data.normal_()
    return memory


@pytest.mark.parametrize("options", OPTIONS)
def test_memory_is_the_papers(options):
    memory = gated_memory(**options)
    lengths = [1, 4, 7]
    x = torch.randn(3, 7, D, dtype=torch.float64)
    real = torch.arange(7) < torch.tensor(lengths)[:, None]
    found = memory(x, real)
    for row, length in enumerate(lengths):
        expected = by_the_formulas(memory, list(x[row, :length]))
        assert torch.allclose(found[row], expected, atol=1e-10)


@pytest.mark.parametrize("options", OPTIONS)
def test_padding_takes_no_part_even_if_it_is_huge(options):
    memory = gated_memory(**options)
    x = torch.randn(2, 6, D, dtype=torch.float64)
    real = torch.arange(6) < torch.tensor([3, 6])[:, None]
    before = memory(x, real)
    x[0, 3:] = 1e6
    torch.testing.assert_close(memory(x, real), before, atol=1e-12, rtol=0)


def test_hops_share_their_weights():
    sizes = {hops: sum(p.numel() for p in GatedMemory(D, hops=hops).parameters()) for hops in (1, 2, 5)}
    assert set(sizes.values()) == {D * D + D + D}  # W, b and the controller


def test_memory_and_classifier_are_all_that_is_added():
    encoder = {"model_type": "bert", "vocab_size": 40, "hidden_size": 8, "num_hidden_layers": 1}
    encoder |= {"num_attention_heads": 2, "intermediate_size": 16}
    model = GSAMNModel(GSAMNConfig(encoder=encoder))
    inside = sum(p.numel() for p in model.encoder.parameters())
    assert sum(p.numel() for p in model.parameters()) - inside == (8 * 8 + 8 + 8) + (8 + 1)


def test_controller_begins_as_a_random_vector():
    options = {"encoder": {"model_type": "bert", "vocab_size": 40, "hidden_size": 64, "num_attention_heads": 2}}
    options["encoder"] |= {"num_hidden_layers": 1, "intermediate_size": 16}
    torch.manual_seed(1)
    first, _ = registry.build("gsamn", ["a room"], **options)
    second, _ = registry.build("gsamn", ["a room"], **options)
    assert first.memory.controller.norm().item() == pytest.approx(1, abs=0.35)
    assert not torch.equal(first.memory.controller, second.memory.controller)


def test_logit_is_linear_in_the_controller():
    encoder = {"model_type": "bert", "vocab_size": 60, "hidden_size": 8, "num_hidden_layers": 1}
    encoder |= {"num_attention_heads": 2, "intermediate_size": 16, "initializer_range": 0.3}
    torch.manual_seed(0)
    model, collator = registry.build("gsamn", ["when does the room close", "at eight"], encoder=encoder)
    batch = collator([Record("when does the room close", "at eight"), Record("when", "the room")])
    model.eval()
    with torch.no_grad():
        sizes = batch.pop("list_sizes")
        states = model.encoder(**batch).last_hidden_state
        c = model.memory(states, batch["attention_mask"].bool())
        expected = c @ model.classifier.head.weight[0] + model.classifier.head.bias
        assert torch.allclose(model(list_sizes=sizes, **batch), expected, atol=1e-6)


# --- from a sentence encoder ---


def from_sentences(**options):
    encoder = {"model_type": "bert", "vocab_size": 60, "hidden_size": 8, "num_hidden_layers": 1}
    encoder |= {"num_attention_heads": 2, "intermediate_size": 16, "initializer_range": 0.3}
    torch.manual_seed(0)
    texts = ["when does the room close", "at eight", "a lost card costs two dollars"]
    model, collator = registry.build("gsamn", texts, encoder=encoder, from_sentence_encoder=True, **options)
    return model.eval(), collator, [Record(texts[0], text) for text in texts[1:]]


def test_each_text_is_framed_and_counted_as_if_it_were_alone():
    model, collator, records = from_sentences()
    batch = collator(records)
    tokenizer = collator.tokenizer
    for row, record in enumerate(records):
        question, answer = (tokenizer.encode(text).ids for text in (record.query, record.answer))
        length = len(question) + len(answer)
        assert batch["input_ids"][row, :length].tolist() == question + answer
        assert batch["position_ids"][row, :length].tolist() == [*range(len(question)), *range(len(answer))]
        assert batch["token_type_ids"][row, :length].tolist() == [0] * len(question) + [1] * len(answer)
        assert batch["attention_mask"][row].sum() == length
        assert len(collator.places(record)["pair"]) == length
    assert model.encoder.embeddings.token_type_embeddings.weight.shape == (2, 8)


@torch.no_grad()
def test_the_logit_is_the_cosine_of_both_means_and_the_head():
    model, collator, records = from_sentences()
    assert not model.head.last.weight.any()
    model.head.last.weight.normal_()
    model.head.last.bias.fill_(0.5)
    for record in records:
        batch = collator([record])
        sizes = batch.pop("list_sizes")
        [states] = model.encoder(**batch).last_hidden_state
        split = len(collator.tokenizer.encode(record.query).ids)
        question, answer = states[:split].mean(0), states[split:].mean(0)
        cosine = question @ answer / (question.norm() * answer.norm())
        controller = by_the_formulas(model.memory, list(states))
        expected = COSINE_SCALE * cosine + model.head.last.weight[0] @ controller + 0.5
        assert model(list_sizes=sizes, **batch).item() == pytest.approx(expected.item(), abs=1e-4)


@torch.no_grad()
def test_scaled_logits_keep_the_cosines_share():
    model, collator, records = from_sentences()
    model.head.last.weight.normal_()
    before = model(**collator(records))
    model.scale_logits(0.5, -1)
    torch.testing.assert_close(model(**collator(records)), 0.5 * before - 1, atol=1e-4, rtol=0)


@pytest.mark.parametrize(
    ("query", "answer", "share"),
    [
        ("When does the room close?", "At eight, on weekdays.", 1),
        ("Wann schlie\u00dft der Lesesaal", "at eight", 3 / 6),
        ("\u041a\u043e\u0433\u0434\u0430", "\u0432\u043e\u0441\u0435\u043c\u044c", 0),
        ("?", "!", 1),
    ],
)
def test_a_word_in_pieces_is_not_known(query, answer, share):
    folder = PACKAGED[SENTENCE_ENCODER]
    encoder = BertConfig.from_pretrained(folder)
    collator = PairCollator(
        encoder, 128, Tokenizer.from_file(str(folder / "tokenizer.json")), from_sentence_encoder=True
    )
    assert collator.known_share([Record(query, answer)]) == pytest.approx(share, abs=0.02)


@pytest.fixture(scope="module")
def over_ours():
    """A new network over the package's encoder."""
    torch.manual_seed(0)
    model, collator = registry.build("gsamn", [], encoder="answer-selection-small", from_sentence_encoder=True)
    return model.eval(), collator


def test_a_new_network_has_the_encoders_weights_and_one_type_twice(over_ours):
    model, _ = over_ours
    weights = read_weights(weights_file(PACKAGED[SENTENCE_ENCODER]))
    own = dict(model.encoder.named_parameters())
    types = own.pop("embeddings.token_type_embeddings.weight")
    assert torch.equal(types, weights["embeddings.token_type_embeddings.weight"].repeat(2, 1))
    assert all(torch.equal(tensor, weights[name]) for name, tensor in own.items())
    assert not model.head.last.weight.any()
    assert model.config.encoder_source == str(PACKAGED[SENTENCE_ENCODER])


QUESTION = "I lost my card, what does a new one cost?"
RECORDS = [
    Record(QUESTION, answer)
    for answer in ("A lost card is replaced for three dollars.", "The room closes at eight.", "", "\u65e5\u672c\u8a9e")
]


@torch.no_grad()
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_ranks_alike(over_ours, dtype, tmp_path):
    model, collator = over_ours
    registry.save(tmp_path, model, collator)
    half, own = registry.load(tmp_path, dtype=dtype)
    torch.testing.assert_close(half(**own(RECORDS)).float(), model(**collator(RECORDS)), atol=0.5, rtol=0)


@torch.no_grad()
def test_quantized_weights_are_read_and_replaced(over_ours, tmp_path):
    model, collator = over_ours
    registry.save(tmp_path, model, collator)
    write_quantized(tmp_path)
    assert {file.name for file in tmp_path.iterdir()} == {
        "config.json",
        "model_quantized.safetensors",
        "tokenizer.json",
    }
    # The encoder was quantized before: nothing but the new matrix is rounded.
    read, own = registry.load(tmp_path)
    torch.testing.assert_close(read(**own(RECORDS)), model(**collator(RECORDS)), atol=1e-2, rtol=0)
    assert all(tensor.device.type == "cpu" for tensor in read.state_dict().values())
    # What is saved into the folder takes their place.
    read.scale_logits(2.0, 0.0)
    registry.save(tmp_path, read, own)
    again, _ = registry.load(tmp_path)
    torch.testing.assert_close(again(**own(RECORDS)), read(**own(RECORDS)), atol=1e-3, rtol=0)


def test_damaged_quantized_weights_are_told(over_ours, tmp_path):
    registry.save(tmp_path, *over_ours)
    write_quantized(tmp_path)
    file = tmp_path / "model_quantized.safetensors"
    whole = load_file(file)
    name = "memory.projection.weight"
    for change in (
        {f"{name}.scales": None},
        {f"{name}.scales": torch.zeros(384, 0)},
        {name: whole[name][:-1]},
        {name: whole[name].flatten()},
        {name: None, f"{name}.scales": None},
    ):
        save_file({key: tensor for key, tensor in (whole | change).items() if tensor is not None}, file)
        with pytest.raises(ModelFolderError, match=r"model_quantized\.safetensors|memory\.projection"):
            registry.load(tmp_path)
    file.unlink()
    with pytest.raises(ModelFolderError, match=r"lacks model\.safetensors"):
        registry.load(tmp_path)


def test_a_long_answer_is_read_in_pieces(over_ours):
    _, collator = over_ours
    title, body = "How long may I keep a book?", " ".join(f"The room {number} closes." for number in range(100))
    record = Record(QUESTION, f"{title}\n{body}", {"a": 1}, {"b": 2})
    found = collator.pieces(record)
    pieces = [piece.record for piece in found]
    for piece in found:
        places = list(map(piece.place, range(len(piece.record.answer))))
        assert "".join(record.answer[place] for place in places) == piece.record.answer
    assert len(pieces) > 4
    assert all(one.answer.startswith(f"{title}\n") for one in pieces)
    assert all((one.query, one.query_meta, one.meta) == (QUESTION, {"a": 1}, {"b": 2}) for one in pieces)
    assert all(collator.pair_length(one) <= 128 for one in pieces)
    read = [one.answer.partition("\n")[2] for one in pieces]
    assert body.startswith(read[0])
    assert body.endswith(read[-1])
    for one, following in pairwise(read):
        first, second = body.index(one), body.index(following)
        assert first < second < first + len(one), "neighbours share some words"
    for one in pieces:
        sizes = [len(collator.tokenizer.encode(text).ids) for text in (QUESTION, one.answer)]
        assert collator.pair_length(one) == sum(sizes), "nothing of a piece is cut off"


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "At eight.",
        "title\n",
        "\nAt eight",
        "one line of " + "many words " * 200,
        "long " * 100 + "\nshort",
        "a\n" + "\u65e5" * 900,
        "How long may I keep it?\n\u200b",
    ],
)
def test_pieces_of_any_answer_can_be_read(over_ours, answer):
    model, collator = over_ours
    record = Record(QUESTION, answer)
    pieces = [piece.record for piece in collator.pieces(record)]
    assert 1 <= len(pieces) <= 12
    if len(answer) < 30:
        assert pieces == [record]
    with torch.no_grad():
        assert model(**collator(pieces)).isfinite().all()
    for times in (122, 300):
        assert collator.pieces(Record("why " * times, answer))
    long = Record("why " * 300, answer)
    assert all(collator.pair_length(one.record) <= 128 for one in collator.pieces(long))


@pytest.mark.parametrize("length", [8, 12, 24, 28])
def test_pieces_of_pairs_that_are_short_themselves(length):
    _, collator, _ = from_sentences(max_pair_length=length)
    words = "a lost card costs two dollars " * 4
    pieces = collator.pieces(Record("when", words))
    assert len(pieces) > 1
    assert pieces[0].start == 0
    assert all(one.start < following.start for one, following in pairwise(pieces))
    assert all(collator.pair_length(one.record) <= length for one in pieces)


def test_other_models_read_the_beginning_alone():
    model, collator, _ = from_sentences()
    _, own = registry.build("gsamn", ["at eight"], encoder=model.config.encoder.to_dict())
    record = Record("when", "at eight " * 300)
    assert own.pieces(record) == [Piece(record)]
    assert len(collator.pieces(record)) > 1


def test_a_sentence_encoder_of_another_type_is_refused():
    encoder = {"model_type": "roberta", "vocab_size": 60, "hidden_size": 8, "num_hidden_layers": 1}
    with pytest.raises(ValueError, match="needs an encoder of the type 'bert', but it is 'roberta'"):
        GSAMNConfig(encoder=encoder, from_sentence_encoder=True)


@pytest.mark.parametrize("hops", [0, -1])
def test_there_is_at_least_one_hop(hops):
    with pytest.raises(ValueError, match=f"hops must be a whole number of at least 1 and at most .*, but is {hops}"):
        GSAMNConfig(hops=hops)
