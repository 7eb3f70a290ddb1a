# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0

import json
import os
import pickle
import shutil

import huggingface_hub
import pytest
import torch
from safetensors.torch import load_file, save_file

from computed_twice import assert_same_scores, assert_same_weights
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.record import Record
from haystack_integrations.components.rankers.answer_selection.models.registry import ModelFolderError

ANSWERS = ["Renew the loan online.", "The card is renewed at a desk.", "Don't pay the fine."]
RECORDS = [Record("How do I renew a loan?", answer) for answer in ANSWERS]
OPTIONS = {"embedding_size": 10, "projection_size": 7, "hidden_size": 6, "mlp_size": 5}


@pytest.fixture(params=["ctrn", "qrnn"])
def built(request):
    torch.manual_seed(0)
    options = {"pair_features": ["overlap", "bm25"], "match_channels": True, "batch_norm": True, **OPTIONS}
    model, collator = registry.build(request.param, ANSWERS, normalization={"lowercase": False}, **options)
    model(**collator(RECORDS))  # so that the running means are no longer what they begin with
    return model.eval(), collator


@pytest.fixture
def folder(tmp_path):
    torch.manual_seed(0)
    registry.save(tmp_path / "model", *registry.build("ctrn", ANSWERS, **OPTIONS))
    return tmp_path / "model"


def test_a_saved_model_scores_as_before(built, tmp_path, capfd):
    model, collator = built
    model.config.retriever_weight = 0.7
    registry.save(tmp_path / "deep" / "model", model, collator)
    assert {"config.json", "model.safetensors", "tokenizer.json"} == {
        p.name for p in (tmp_path / "deep/model").iterdir()
    }
    loaded, loaded_collator = registry.load(tmp_path / "deep" / "model")
    assert not loaded.training
    assert type(loaded) is type(model)
    assert loaded.config.to_dict() == {**model.config.to_dict(), "_name_or_path": loaded.config._name_or_path}
    assert_same_weights(loaded, model)
    assert_same_scores(loaded(**loaded_collator(RECORDS)), model(**collator(RECORDS)))
    assert torch.equal(loaded.idf, torch.from_numpy(loaded_collator.idf))
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("name", "newer"),
    [
        ("ggsa", ("positions", "last_norm")),
        ("hmda", ("squeeze_together", "shared_aggregation", "literal_attention", "literal_encoder")),
        ("lstm", ("hops", "hop_lstm_size")),
    ],
)
def test_a_folder_from_before_a_field_was_there_scores_as_it_did(name, newer, tmp_path):
    torch.manual_seed(0)
    sizes = {"heads": 2} if name == "ggsa" else {}
    model, collator = registry.build(name, ANSWERS, embedding_size=10, **sizes)
    registry.save(tmp_path, model.eval(), collator)
    file = tmp_path / "config.json"
    fields = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(
        json.dumps({field: value for field, value in fields.items() if field not in newer}), encoding="utf-8"
    )
    loaded, loaded_collator = registry.load(tmp_path)
    assert {field: getattr(loaded.config, field) for field in newer} == {
        field: getattr(model.config, field) for field in newer
    }
    assert_same_scores(loaded(**loaded_collator(RECORDS)), model(**collator(RECORDS)))


def test_a_string_names_a_folder_too(folder):
    assert registry.load(str(folder))[0].config.model_type == "ctrn"


def test_saved_in_half_precision_it_stays_so(folder):
    model, collator = registry.load(folder)
    registry.save(folder, model.bfloat16(), collator)
    loaded, collator = registry.load(folder)
    assert loaded.dtype == torch.bfloat16
    # But for the head, whose sums are then taken in single precision.
    assert loaded.classifier.dtype == torch.float32
    logits, half = loaded(**collator(RECORDS)), model(**collator(RECORDS))
    assert logits.dtype == torch.float32
    torch.testing.assert_close(logits, half.float(), rtol=0, atol=1e-2)


def test_a_file_that_is_written_over_changes_no_loaded_model(folder):
    model, collator = registry.load(folder)
    before = model(**collator(RECORDS))
    weights = folder / "model.safetensors"
    with weights.open("r+b") as file:
        file.write(bytes(weights.stat().st_size))
    assert_same_scores(model(**collator(RECORDS)), before)


def test_unknown_model_name():
    with pytest.raises(ValueError, match=r"unknown model 'rnn'; known: .*ctrn, .*qrnn"):
        registry.build("rnn", ANSWERS)


def change_config(folder, **fields):
    file = folder / "config.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **fields}))


def change_weights(folder, change):
    weights = load_file(folder / "model.safetensors")
    change(weights)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def cut(file, size):
    file.write_bytes(file.read_bytes()[:size])


class Bomb:
    def __reduce__(self):
        return os.abort, ()


def only_pickle(folder):
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Bomb()))


def save_another_tokenizer(folder):
    registry.build("ctrn", ["one two"])[1].save_pretrained(folder)


DAMAGES = {
    "no config": (lambda f: (f / "config.json").unlink(), "lacks config.json$"),
    "no files": (
        lambda f: [p.unlink() for p in f.iterdir()],
        "lacks config.json and model.safetensors and tokenizer.json",
    ),
    "no tokenizer": (lambda f: (f / "tokenizer.json").unlink(), "lacks tokenizer.json$"),
    "no weights": (lambda f: (f / "model.safetensors").unlink(), "lacks model.safetensors$"),
    "only pickle": (
        only_pickle,
        "lacks model.safetensors; pytorch_model.bin can run any code when read, so it is refused: save as safetensors",
    ),
    "config is no JSON": (lambda f: cut(f / "config.json", 20), "config.json is not valid JSON: .*line"),
    "config is a list": (
        lambda f: (f / "config.json").write_text("[]"),
        "model_type is missing; expected one of .*ctrn, .*qrnn",
    ),
    "another model": (
        lambda f: change_config(f, model_type="bert"),
        "model_type is 'bert'; expected one of .*ctrn, .*qrnn.*This is an encoder",
    ),
    "newer format": (
        lambda f: change_config(f, format_version=2),
        "the field format_version is 2; this package reads 1",
    ),
    "no format": (lambda f: change_config(f, format_version=None), "format_version is None; this package reads 1"),
    "bad option": (lambda f: change_config(f, alignment="soft"), "config.json: alignment must be one of index, ratio"),
    "cut weights": (lambda f: cut(f / "model.safetensors", 1000), "model.safetensors is damaged"),
    "no weights in the file": (lambda f: (f / "model.safetensors").write_bytes(b""), "model.safetensors is damaged"),
    "missing weight": (
        lambda f: change_weights(f, lambda w: w.pop("projection.weight")),
        "do not fit config.json: missing projection.weight$",
    ),
    "unknown weight": (
        lambda f: change_weights(f, lambda w: w.update(extra=torch.zeros(2))),
        "do not fit config.json: not of this model extra$",
    ),
    "other shape": (
        lambda f: change_config(f, hidden_size=9),
        r"convolution.filters.weight has the shape \[18, 14\] where config.json asks for \[27, 14\]",
    ),
    "cut tokenizer": (lambda f: cut(f / "tokenizer.json", 100), "tokenizer.json cannot be read"),
    "other tokenizer": (
        save_another_tokenizer,
        r"tokenizer.json cannot be read: the tokenizer has 4 words, the configuration's vocab_size is \d+",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_wrong_with_a_folder_is_said(folder, damage):
    break_it, message = DAMAGES[damage]
    break_it(folder)
    with pytest.raises(ModelFolderError, match=message) as error:
        registry.load(folder)
    assert str(folder) in str(error.value)


@pytest.mark.parametrize("kind", [str, lambda path: path])
def test_no_folder(tmp_path, kind):
    with pytest.raises(
        ModelFolderError, match=r"no model of that name, but answer-selection-ctrn and answer-selection-gsamn$"
    ):
        registry.load("answer-selection-ctm")
    with pytest.raises(ModelFolderError, match=r"there is no model folder .*gone"):
        registry.load(kind(tmp_path / "gone"))


def test_a_file(folder):
    with pytest.raises(ModelFolderError, match=r"model.safetensors is a file; expected a model folder with"):
        registry.load(folder / "model.safetensors")


def test_neither_a_folder_nor_on_the_hub(monkeypatch):
    # What HF_HUB_OFFLINE says when it is imported.
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(ModelFolderError, match="could be fetched"):
        registry.load("answer-selection-others/model")
    message = "no model folder 'nobody/no-such-model', and no model of that name could be fetched"
    with pytest.raises(ModelFolderError, match=message):
        registry.load("nobody/no-such-model")


def test_what_is_in_the_hubs_cache_does_where_the_hub_does_not_answer(folder, tmp_path, monkeypatch):
    asked = []

    def silent(*_, **options):
        asked.append(options["timeout"])
        msg = "the hub is silent"
        raise TimeoutError(msg)

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(huggingface_hub.HfApi, "model_info", silent)
    place, commit = tmp_path / "models--somebody--ranker", "0" * 40
    cached = shutil.copytree(folder, place / "snapshots" / commit)
    (place / "refs").mkdir()
    (place / "refs" / "main").write_text(commit, encoding="utf-8")
    assert registry.find_folder("somebody/ranker") == cached
    assert asked == [1.5]
    # Whoever fetched its configuration alone has no model.
    (cached / "tokenizer.json").unlink()
    with pytest.raises(ModelFolderError, match=r"could be fetched from the hub: the hub is silent"):
        registry.find_folder("somebody/ranker")


def test_features_join_a_cosine_without_random_signs(tmp_path):
    """Else a feature counts against the answers that have it until training has turned its sign."""
    model, collator = registry.build("qrnn", ANSWERS, head="cosine", pair_features=["bm25", "overlap"], hidden_size=4)
    assert model.classifier.shortcut.weight.tolist() == [[0.0, 0.0]]
    torch.nn.init.ones_(model.classifier.shortcut.weight)
    registry.save(tmp_path, model, collator)
    assert registry.load(tmp_path)[0].classifier.shortcut.weight.tolist() == [[1.0, 1.0]]
