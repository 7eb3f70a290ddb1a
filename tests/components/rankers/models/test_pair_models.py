# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What is true of every model over a pretrained encoder, with every shape of encoder."""

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch.nn import functional
from transformers import AutoModel, AutoModelForSequenceClassification, AutoTokenizer, BertConfig, GPT2Config, T5Config

from computed_twice import assert_same_scores, assert_same_weights
from haystack_integrations.components.rankers.answer_selection.models import pair_collator, registry
from haystack_integrations.components.rankers.answer_selection.models.pair_collator import PairCollator
from haystack_integrations.components.rankers.answer_selection.models.pair_model import PairModel
from haystack_integrations.components.rankers.answer_selection.models.record import Record
from haystack_integrations.components.rankers.answer_selection.models.wordpiece import train_wordpiece
from new_process import python
from tiny_encoders import KINDS, SIZES, TEXTS, folder
from tree_recursion import brackets

QUESTIONS = [TEXTS[0], "How often may I renew a loan of a book?", "Warum?"]
ANSWERS = [*TEXTS[1:], "", "日本語"]
TREES = {text: {"parse_tree": brackets(text, Random(text))} for text in [*QUESTIONS, *ANSWERS]}
RECORDS = [Record(question, answer, TREES[question], TREES[answer]) for question in QUESTIONS for answer in ANSWERS]
BERT = {"model_type": "bert", "vocab_size": 200, **SIZES}

SMALL = {
    "gsamn": [
        {},
        {"hops": 1},
        {"hops": 3},
        {"gate": False},
        {"update_memory": False},
        {"mark_matches": True},
        {"from_sentence_encoder": True},
    ],
    "cross_encoder": [{}, {"mark_matches": True}],
    "encoder_layers": [{"extra_layers": 2}],
    "tree_aggregation": [
        {"half_size": 8, "heads": 2, "feed_forward_size": 12, **options}
        for options in ({}, {"residual": True}, {"syntax": False}, {"separate_attention": False}, {"layers": 3})
    ],
}
CASES = [(name, options) for name, configurations in SMALL.items() for options in configurations]
every_case = pytest.mark.parametrize(("name", "options"), CASES)
every_kind = pytest.mark.parametrize("kind", KINDS)
every_model = pytest.mark.parametrize("name", SMALL)


def build(name, encoder=None, **options):
    torch.manual_seed(3)
    model, collator = registry.build(
        name, TEXTS, **{"encoder": encoder or BERT, "max_pair_length": 140, **SMALL[name][0], **options}
    )
    return model.eval(), collator


@torch.no_grad()
def scores(model, collator, records):
    return model(**collator(records))


def test_every_model_has_its_line_here():
    assert set(SMALL) == {name for name, model in registry.MODELS.items() if issubclass(model, PairModel)}


# --- what the encoder sees ---


@every_kind
def test_sequence_is_the_tokenizers_own(kind):
    _, collator = build("cross_encoder", folder(kind))
    tokenizer = AutoTokenizer.from_pretrained(folder(kind))
    expected = tokenizer(
        [record.query for record in RECORDS], [record.answer for record in RECORDS], padding=True, return_tensors="pt"
    )
    batch = collator(RECORDS)
    assert torch.equal(batch["input_ids"], expected["input_ids"])
    assert torch.equal(batch["attention_mask"], expected["attention_mask"])
    if "token_type_ids" in batch:
        assert torch.equal(batch["token_type_ids"], expected["token_type_ids"])
    assert ("token_type_ids" in batch) == (kind in ("bert", "electra"))


@every_kind
def test_scores_are_those_of_transformers(kind):
    """Positions that begin elsewhere, paddings of another number, types: all as the encoder's own classes have them."""
    ours, collator = build("cross_encoder", folder(kind))
    theirs = AutoModelForSequenceClassification.from_pretrained(folder(kind)).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder(kind))
    with torch.no_grad():
        expected = [theirs(**tokenizer([r.query], [r.answer], return_tensors="pt")).logits.item() for r in RECORDS]
    assert torch.allclose(scores(ours, collator, RECORDS), torch.tensor(expected), atol=1e-5)
    assert torch.tensor(expected).std() > 1e-3


@every_kind
@pytest.mark.parametrize("name", ["gsamn", "encoder_layers"])
def test_encoders_weights_are_the_folders(kind, name):
    model, _ = build(name, folder(kind))
    theirs = AutoModel.from_pretrained(folder(kind)).state_dict()
    ours = model.encoder.state_dict()
    assert ours.keys() == {key for key in theirs if not key.startswith("pooler.")}
    assert all(torch.equal(value, theirs[key]) for key, value in ours.items())


@every_kind
@every_model
def test_padding_and_batch_do_not_matter(kind, name):
    model, collator = build(name, folder(kind))
    alone = torch.cat([scores(model, collator, [record]) for record in RECORDS])
    assert torch.allclose(scores(model, collator, RECORDS), alone, atol=1e-5)


@pytest.mark.slow
@every_kind
@every_model
def test_saved_and_loaded_gives_the_same_scores(kind, name, tmp_path):
    model, collator = build(name, folder(kind))
    registry.save(tmp_path, model, collator)
    loaded, loaded_collator = registry.load(tmp_path)
    assert_same_weights(loaded, model)
    assert_same_scores(scores(loaded, loaded_collator, RECORDS), scores(model, collator, RECORDS))
    assert folder(kind) not in (tmp_path / "config.json").read_text()
    halved, _ = registry.load(tmp_path, dtype=torch.bfloat16)
    assert halved.get_input_embeddings().weight.dtype == torch.bfloat16
    assert {parameter.dtype for parameter in halved.head.parameters()} == {torch.float32}
    difference = torch.sigmoid(scores(halved, collator, RECORDS)) - torch.sigmoid(scores(model, collator, RECORDS))
    # DeBERTa's relative attention sums products of half precision in half precision.
    assert difference.abs().max() < (0.1 if kind == "deberta-v2" else 0.05)


# --- what both texts have ---


@every_kind
def test_matches_are_the_tokens_that_both_texts_have(kind):
    _, collator = build("cross_encoder", folder(kind), mark_matches=True)
    question, answer = "May I renew a loan?", "A loan may be renewed: renew the loan by mail."
    batch = collator([Record(question, answer), Record(question, "")])
    ids, matches = batch["input_ids"][0].tolist(), batch["matches"][0].tolist()
    sides = [place.side for place in collator.places(Record(question, answer))["pair"]]
    tokens = [
        {token for token, side in zip(ids, sides, strict=True) if side == name} for name in ("question", "answer")
    ]
    assert matches == [
        int(bool(side) and token in tokens[0] & tokens[1]) for token, side in zip(ids, sides, strict=True)
    ]
    assert 0 < sum(matches) < len(matches)
    assert batch["matches"][1].sum() == 0


def test_what_is_cut_away_matches_nothing():
    _, collator = build("cross_encoder", max_pair_length=12, mark_matches=True)
    assert collator([Record("a", "b " * 40 + "a")])["matches"].sum() == 0
    assert collator([Record("a", "a " + "b " * 40)])["matches"].sum() > 0


@pytest.mark.slow
@every_kind
@every_model
def test_marks_begin_at_nothing_and_then_count_where_there_are_matches(kind, name):
    plain, collator = build(name, folder(kind))
    marked, marking = build(name, folder(kind), mark_matches=True)
    assert torch.allclose(scores(marked, marking, RECORDS), scores(plain, collator, RECORDS), atol=1e-5)
    with torch.no_grad():
        marked.match.normal_()
    change = (scores(marked, marking, RECORDS) - scores(plain, collator, RECORDS)).abs()
    matching = torch.tensor([bool(marking([record])["matches"].any()) for record in RECORDS])
    assert matching.any() and not matching.all()
    assert change[matching].min() > 1e-5 > change[~matching].max()
    alone = torch.cat([scores(marked, marking, [record]) for record in RECORDS])
    assert torch.allclose(scores(marked, marking, RECORDS), alone, atol=1e-5)


def test_marks_are_kept_in_the_folder(tmp_path):
    model, collator = build("gsamn", folder("roberta"), mark_matches=True)
    with torch.no_grad():
        model.match.normal_()
    registry.save(tmp_path, model, collator)
    loaded, loaded_collator = registry.load(tmp_path)
    assert_same_weights(loaded, model)
    assert_same_scores(scores(loaded, loaded_collator, RECORDS), scores(model, collator, RECORDS))


# --- what is cut ---


def cut(question, answer, room):
    _, collator = build("cross_encoder", max_pair_length=room + 3)
    ids = collator([Record(question, answer)])["input_ids"][0].tolist()
    separator = collator.tokenizer.token_to_id("[SEP]")
    first = ids.index(separator)
    return first - 1, len(ids) - first - 2


@pytest.mark.parametrize(
    ("question", "answer", "room", "expected"),
    [
        (4, 5, 10, (4, 5)),
        (4, 20, 10, (4, 6)),
        (20, 4, 10, (6, 4)),
        (20, 20, 10, (5, 5)),
        (20, 0, 10, (10, 0)),
        (0, 20, 10, (0, 10)),
        (20, 20, 2, (1, 1)),
        (20, 20, 3, (2, 1)),
    ],
)
def test_answer_is_cut_first_and_something_of_both_is_kept(question, answer, room, expected):
    assert cut(" ".join(["room"] * question), " ".join(["desk"] * answer), room) == expected


def test_pair_length_is_the_sequences():
    _, collator = build("gsamn", max_pair_length=20)
    for record in RECORDS:
        assert collator.pair_length(record) == collator([record])["input_ids"].shape[1] <= 20


def test_text_of_a_hundred_thousand_words_is_cut():
    model, collator = build("gsamn")
    batch = collator([Record("room " * 100_000, "desk " * 100_000)])
    assert batch["input_ids"].shape == (1, 140)
    assert model(**batch).isfinite().all()


# --- every model ---


@pytest.mark.slow
@every_case
def test_gradients_are_those_of_finite_differences(name, options):
    model, collator = build(name, **options)
    model.double()
    batch = collator(RECORDS[:4])
    weights = torch.randn(4, dtype=torch.float64)
    parameters = dict(model.named_parameters())
    (model(**batch) * weights).sum().backward()
    torch.manual_seed(0)
    for key, parameter in parameters.items():
        direction = torch.randn_like(parameter) * 1e-6
        with torch.no_grad():
            parameter.add_(direction)
            above = (model(**batch) * weights).sum()
            parameter.sub_(2 * direction)
            below = (model(**batch) * weights).sum()
            parameter.add_(direction)
        expected = 0 if parameter.grad is None else (parameter.grad * direction).sum()
        assert float(above - below) / 2 == pytest.approx(float(expected), rel=1e-3, abs=1e-11), key


@pytest.mark.slow
@every_case
def test_a_small_set_is_learned_by_heart(name, options):
    model, collator = build(name, **options)
    model.train()
    labels = torch.tensor([1.0, 0, 0, 0, 0] * 3)[torch.randperm(15, generator=torch.Generator().manual_seed(1))]
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    batch = collator(RECORDS)
    for _ in range(150):
        optimizer.zero_grad()
        loss = functional.binary_cross_entropy_with_logits(model(**batch), labels)
        loss.backward()
        optimizer.step()
        if loss < 0.05:
            break
    assert loss < 0.2


@pytest.mark.slow
def test_new_process_gives_the_same_scores(tmp_path):
    expected = {}
    for name in SMALL:
        model, collator = build(name, folder("roberta"))
        registry.save(tmp_path / name, model, collator)
        expected[name] = scores(model, collator, RECORDS)
    program = (
        "import json, sys, torch\n"
        "from haystack_integrations.components.rankers.answer_selection.models import registry\n"
        "from haystack_integrations.components.rankers.answer_selection.models.record import Record\n"
        "records = [Record(*pair) for pair in json.loads(sys.argv[1])]\n"
        "for folder in sys.argv[2:]:\n"
        "    model, collator = registry.load(folder)\n"
        "    with torch.no_grad(): print(json.dumps(model(**collator(records)).tolist()))\n"
    )
    pairs = json.dumps([(r.query, r.answer, r.query_meta, r.meta) for r in RECORDS])
    done = python(program, pairs, *(tmp_path / name for name in SMALL))
    assert done.returncode == 0, done.stderr
    for name, line in zip(SMALL, done.stdout.splitlines(), strict=True):
        assert torch.allclose(torch.tensor(json.loads(line)), expected[name], atol=1e-5), name


@every_model
def test_calibration_scales_the_logit(name):
    model, collator = build(name, folder("electra"))
    before = scores(model, collator, RECORDS)
    model.scale_logits(2.5, -0.75)
    assert torch.allclose(scores(model, collator, RECORDS), 2.5 * before - 0.75, atol=1e-5)


@every_model
def test_gradient_checkpointing_changes_nothing(name):
    model, collator = build(name)
    model.train()
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
        if isinstance(module, torch.nn.MultiheadAttention):
            module.dropout = 0.0
    batch = collator(RECORDS)

    def gradients():
        torch.manual_seed(0)
        model.zero_grad()
        model(**batch).sum().backward()
        return {key: p.grad.clone() for key, p in model.named_parameters() if p.grad is not None}

    plain = gradients()
    model.pretrained_encoder.gradient_checkpointing_enable()
    checkpointed = gradients()
    assert plain.keys() == checkpointed.keys()
    assert all(torch.allclose(plain[key], checkpointed[key], atol=1e-6) for key in plain)


# --- a new encoder, and what is no encoder ---


@pytest.mark.parametrize("kind", ["bert", "roberta", "modernbert", "mpnet", "deberta-v2"])
def test_bare_configuration_gives_a_new_encoder_with_a_tokenizer_of_the_corpus(kind):
    sizes = {key: value for key, value in SIZES.items() if key != "initializer_range"}
    model, collator = build("gsamn", {"model_type": kind, "vocab_size": 150, **sizes}, max_pair_length=80)
    assert model.config.encoder.vocab_size == collator.tokenizer.get_vocab_size() <= 150
    assert model.config.encoder.pad_token_id == collator.pad == collator.tokenizer.token_to_id("[PAD]")
    assert scores(model, collator, RECORDS).isfinite().all()


@pytest.mark.parametrize(
    ("encoder", "message"),
    [
        (GPT2Config(), "'gpt2', which is not a bidirectional encoder; expected one that was pretrained"),
        (BertConfig(is_decoder=True), "'bert', which is not a bidirectional encoder"),
        (T5Config(), "'t5', an encoder-decoder; expected an encoder, such as BERT"),
        ({"model_type": "brt"}, "not the configuration of a model that transformers knows"),
        ({"hidden_size": 8}, "with its model_type"),
        ({"model_type": "bert", "hidden_size": "16"}, "not the configuration of a model .*hidden_size"),
        ("no/such/folder", "no folder of a model, nor could it be fetched from the hub"),
    ],
)
@every_model
def test_what_is_no_encoder_is_refused(name, encoder, message):
    with pytest.raises(ValueError, match=message):
        registry.MODELS[name].config_class(encoder=encoder)


def test_more_layers_are_six_of_the_encoders_width_one_after_the_other():
    model, collator = build("encoder_layers", extra_layers=6)
    assert registry.MODELS["encoder_layers"].config_class().extra_layers == 6
    d, inside = 16, 64
    layer = 4 * d * d + 4 * d + 2 * d * inside + inside + d + 4 * d
    assert sum(p.numel() for p in model.layers.parameters()) == 6 * layer
    batch = collator(RECORDS[:1])
    with torch.no_grad():
        x = model.states(**{name: tensor for name, tensor in batch.items() if name != "list_sizes"})
        for one in model.layers.layers:
            assert one.self_attn.num_heads == 2
            x = one.norm1(x + one.self_attn(x, x, x)[0])
            x = one.norm2(x + one.linear2(functional.gelu(one.linear1(x))))
        expected = model.classifier.head(x[:, 0])
        assert torch.allclose(model(**batch), expected.squeeze(-1), atol=1e-5)
    with pytest.raises(ValueError, match="extra_layers must be a whole number of at least 1"):
        build("encoder_layers", extra_layers=0)


@pytest.mark.parametrize("kind", ["fnet", "convbert"])
@every_model
def test_encoder_that_lets_padding_in_is_refused(name, kind):
    with pytest.raises(ValueError, match=f"encoder of the type '{kind}' (does not mask padding|does not take)"):
        build(name, {"model_type": kind, "vocab_size": 150, **SIZES})


def test_a_logit_that_is_near_to_zero_by_chance_tells_nothing_of_padding():
    model, collator = build("cross_encoder")
    with torch.no_grad():
        logit = model(**collator([Record("a", "a")]))
        model.head.last.bias += 1e-7 - logit
    model._check_padding(collator)


def test_classifier_with_another_head_is_refused():
    encoder = {"model_type": "xlm", "vocab_size": 150, "emb_dim": 16, "n_layers": 1, "n_heads": 2}
    with pytest.raises(ValueError, match="a classifier of the type 'xlm' has no head that is called classifier"):
        build("cross_encoder", encoder)


def test_tokenizer_of_another_padding_is_refused(tmp_path):
    source = tmp_path / "encoder"
    shutil.copytree(folder("bert"), source)
    config = json.loads((source / "config.json").read_text(encoding="utf-8"))
    (source / "config.json").write_text(json.dumps({**config, "pad_token_id": 7}), encoding="utf-8")
    with pytest.raises(ValueError, match="pads with the token 0, the encoder with 7: they do not belong together"):
        build("gsamn", str(source))


def test_tokenizer_of_another_encoder_is_refused():
    tokenizer = train_wordpiece(TEXTS, 100)
    with pytest.raises(ValueError, match=r"the tokenizer has \d+ tokens and the encoder 30522: they do not belong"):
        PairCollator(BertConfig(), 64, tokenizer)
    with pytest.raises(ValueError, match="tokens and the encoder 40: they do not belong together"):
        PairCollator(BertConfig(vocab_size=40), 64, tokenizer)


def test_room_for_the_texts_is_needed():
    with pytest.raises(ValueError, match="max_pair_length is 4; expected at least 5: the tokenizer adds 3"):
        build("gsamn", max_pair_length=4)


@pytest.mark.parametrize(("kind", "most"), [("bert", 150), ("roberta", 148), ("mpnet", 148), ("electra", 150)])
def test_positions_bound_the_length(kind, most):
    build("gsamn", folder(kind), max_pair_length=most)
    with pytest.raises(
        ValueError, match=f"max_pair_length is {most + 1}; expected at most the encoder's {most} positions"
    ):
        build("gsamn", folder(kind), max_pair_length=most + 1)


def test_relative_positions_bound_nothing():
    model, collator = build("gsamn", folder("deberta-v2"), max_pair_length=200)
    assert scores(model, collator, [Record("room " * 100, "desk " * 150)]).isfinite().all()


@every_model
def test_folder_with_a_weight_too_few_is_refused(name, tmp_path):
    model, collator = build(name)
    registry.save(tmp_path, model, collator)
    weights = load_file(tmp_path / "model.safetensors")
    lost = next(key for key in weights if "encoder.layer.0" in key)
    save_file({key: value for key, value in weights.items() if key != lost}, tmp_path / "model.safetensors")
    with pytest.raises(registry.ModelFolderError, match=f"missing {lost}"):
        registry.load(tmp_path)


@pytest.mark.parametrize(
    ("kind", "length"), [("bert", 150), ("roberta", 148), ("modernbert", 256), ("deberta-v2", 256)]
)
def test_length_is_as_many_as_there_are_positions_for_unless_it_is_given(kind, length, tmp_path):
    model, collator = build("gsamn", folder(kind), max_pair_length=None)
    assert collator([Record("room " * 300, "desk " * 300)])["input_ids"].shape == (1, length)
    registry.save(tmp_path, model, collator)
    assert registry.load(tmp_path)[0].config.max_pair_length == length


# --- what a folder must have ---


@pytest.fixture
def copied(tmp_path):
    return Path(shutil.copytree(folder("bert"), tmp_path / "bert"))


@every_model
def test_encoders_folder_without_all_weights_is_refused(name, copied):
    weights = load_file(copied / "model.safetensors")
    kept = {key: value for key, value in weights.items() if "layer.1." not in key}
    save_file(kept, copied / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(
        ValueError, match=rf"encoder is '{copied}', whose weights lack 16 of those .*layer\.1\..* and 13 others"
    ):
        build(name, str(copied))


@every_model
def test_encoders_folder_of_other_sizes_or_without_weights_is_refused(name, copied):
    config = json.loads((copied / "config.json").read_text())
    (copied / "config.json").write_text(json.dumps(config | {"intermediate_size": 40}))
    with pytest.raises(ValueError, match=f"encoder is '{copied}', whose weights cannot be read"):
        build(name, str(copied))
    (copied / "model.safetensors").unlink()
    with pytest.raises(ValueError, match=f"encoder is '{copied}', whose weights cannot be read"):
        build(name, str(copied))


def test_code_in_an_encoders_folder_is_never_run(copied, tmp_path):
    config = json.loads((copied / "config.json").read_text())
    config |= {"model_type": "own", "auto_map": {"AutoConfig": "code.Own"}}
    (copied / "config.json").write_text(json.dumps(config))
    (copied / "code.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nclass Own: pass\n")
    with pytest.raises(ValueError, match="encoder is"):
        build("gsamn", str(copied))
    assert not (tmp_path / "ran").exists()


def test_configuration_that_is_given_stays_as_it_is():
    config = BertConfig(**{key: value for key, value in BERT.items() if key != "model_type"})
    build("cross_encoder", config)
    assert (config.vocab_size, config.num_labels) == (200, 2)


def test_checkpointing_is_offered_where_the_encoder_has_it():
    assert build("gsamn", folder("bert"))[0].supports_gradient_checkpointing
    assert not build("gsamn", folder("mpnet"))[0].supports_gradient_checkpointing


def test_threads_share_a_collator(monkeypatch):
    monkeypatch.setattr(pair_collator, "_CACHED_TOKENS", 60)
    _, collator = build("cross_encoder")
    records = [
        [Record(f"{question} {number}", answer) for answer in ANSWERS] for number in range(60) for question in QUESTIONS
    ]
    expected = [collator(some)["input_ids"] for some in records]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda some: collator(some)["input_ids"], records * 3))
    assert all(torch.equal(a, b) for a, b in zip(found, expected * 3, strict=True))
