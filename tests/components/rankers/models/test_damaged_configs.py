# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Whatever a field of config.json holds: the model works, or one line says what is wrong."""

import copy
import json
import random
import shutil

import pytest
import torch
from safetensors.torch import load_file, save_file

import tiny_encoders
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.record import Record
from haystack_integrations.components.rankers.answer_selection.models.registry import ModelFolderError

ANSWERS = ["Renew the loan online.", "The card is renewed at a desk.", "Don't pay the fine."]
RECORDS = [Record("How do I renew a loan?", answer) for answer in ANSWERS]
SMALL = {"embedding_size": 12, "hidden_size": 6, "mlp_size": 5, "heads": 2, "filters": 4, "half_size": 8}
SMALL |= {"feed_forward_size": 8, "extra_layers": 1}
BAD = (None, "", -1, 0, 1e9, 10**9, float("nan"), [], {}, True, "x" * 1000)
# transformers' own, which stand in a folder's config.json where somebody has changed them.
MORE = ("num_labels", "id2label", "dtype", "return_dict", "quantization_config", "chunk_size_feed_forward")
SAMPLE = 40


def save(name, folder):
    known = registry.MODELS[name].config_class().to_dict()
    options = {field: value for field, value in SMALL.items() if field in known}
    if "encoder" in known:
        options["encoder"] = tiny_encoders.folder("bert")
    torch.manual_seed(0)
    registry.save(folder, *registry.build(name, ANSWERS, **options))
    return folder


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    made = {}

    def folder(name):
        if name not in made:
            made[name] = tmp_path_factory.mktemp(name)
            if name == "sequence classifier":
                shutil.copytree(tiny_encoders.folder("bert"), made[name], dirs_exist_ok=True)
            else:
                save(name, made[name])
        return made[name]

    return folder


@pytest.fixture
def changed(folders, tmp_path):
    """A folder whose config.json has another value at a path of fields."""

    def change(name, path, value):
        shutil.copytree(folders(name), tmp_path, dirs_exist_ok=True)
        config = json.loads((folders(name) / "config.json").read_text())
        fields = config
        for field in path[:-1]:
            fields = fields[field]
        fields[path[-1]] = value
        (tmp_path / "config.json").write_text(json.dumps(config))
        return tmp_path

    return change


def paths(fields, *above):
    for name, value in fields.items():
        yield (*above, name)
        if isinstance(value, dict):
            yield from paths(value, *above, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*registry.MODELS, "sequence classifier"])
def test_any_value_of_any_field_works_or_is_refused_in_a_line(name, folders, changed):
    fields = json.loads((folders(name) / "config.json").read_text())
    cases = [(path, value) for path in sorted({*paths(fields), *((field,) for field in MORE)}) for value in BAD]
    for path, value in random.Random(name).sample(cases, SAMPLE):
        folder = changed(name, path, copy.deepcopy(value))
        try:
            model, collator = registry.load(folder)
        except ValueError as error:
            assert "\n" not in str(error), (path, value)
            assert str(folder) in str(error), (path, value)
            assert len(str(error)) < 1500, (path, value)
        else:
            if name != "tree_aggregation":  # whose texts need trees
                assert model(**collator(RECORDS)).isfinite().all(), (path, value)


@pytest.mark.parametrize(
    ("name", "path", "value", "message"),
    [
        (
            "ctrn",
            ["mlp_layers"],
            10**8,
            "mlp_layers must be a whole number of at least 1 and at most 1000, but is 1000",
        ),
        ("ctrn", ["num_labels"], 10**9, "num_labels must be a number of at least 0 and at most 10000"),
        ("ctrn", ["cosine_scale"], float("nan"), "cosine_scale must be a number above 0 and at most 1000000, but is"),
        ("ctrn", ["head"], ["mlp"], r"head must be one of mlp, cosine, linear, but is \['mlp'\]"),
        ("ctrn", ["pair_features"], "bm25", "pair_features must be a list, but is 'bm25'"),
        ("ctrn", ["stop_words"], [1], "stop_words must be a text, but is 1"),
        ("ctrn", ["batch_norm"], "no", "batch_norm must be true or false, but is 'no'"),
        ("ctrn", ["normalization"], 5, "normalization must be a mapping, but is 5"),
        ("ctrn", ["normalization", "lowercase"], 1, "option lowercase must be true or false, but is 1"),
        ("ctrn", ["model_type"], ["ctrn"], r"model_type is \['ctrn'\]; expected one of"),
        ("ctrn", ["vocab_size"], 10**7, r"idf has the shape .* where config.json asks for \[10000000\], and 1 others"),
        ("ggsa", ["blocks"], 1000, "no model can be made as .*config.json says: it asks for more than .* parameters"),
        (
            "gsamn",
            ["encoder", "num_hidden_layers"],
            10**6,
            "it asks for more than .* parameters; expected fewer layers",
        ),
        ("gsamn", ["encoder", "num_labels"], 10**9, "encoder.num_labels must be a number of at least 0 and at most"),
        ("gsamn", ["encoder", "hidden_size"], 10**9, "encoder.hidden_size must be a number of at least"),
        ("gsamn", ["encoder", "layer_norm_eps"], float("nan"), "encoder.layer_norm_eps must be a number of at least"),
        ("gsamn", ["encoder", "chunk_size_feed_forward"], "", "no text can be read as .*config.json says: "),
        ("gsamn", ["encoder"], 5, "encoder must be a folder, a model's name or a configuration, but is 5"),
        ("sequence classifier", ["num_labels"], 10**9, "num_labels must be a number of at least 0 and at most"),
        ("sequence classifier", ["num_hidden_layers"], 10**6, "it asks for more than .* parameters; expected fewer"),
        ("sequence classifier", ["intermediate_size"], 10**7, "the configuration asks for .* numbers and .* holds"),
    ],
)
def test_what_would_hang_or_fill_the_memory_is_refused(name, path, value, message, changed):
    with pytest.raises(ModelFolderError, match=message) as error:
        registry.load(changed(name, path, value))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", ["ctrn", "gsamn", "sequence classifier"])
@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_weights_that_are_no_numbers_are_refused(name, number, folders, tmp_path):
    shutil.copytree(folders(name), tmp_path, dirs_exist_ok=True)
    weights = load_file(tmp_path / "model.safetensors")
    changed = sorted(weights)[-1]
    weights[changed].view(-1)[-1] = number
    save_file(weights, tmp_path / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ModelFolderError, match="weight has numbers that are NaN or infinite"):
        registry.load(tmp_path)


def test_an_encoder_that_is_trained_over_is_held_against_its_file_too(changed):
    folder = changed("sequence classifier", ["num_hidden_layers"], 10**6)
    with pytest.raises(ValueError, match=r"it asks for more than .* parameters; expected fewer layers"):
        registry.build("gsamn", ANSWERS, encoder=str(folder))


@pytest.mark.parametrize("name", ["ctrn", "gsamn", "sequence classifier"])
@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[: len(text) // 2],
        lambda text: "[" * 100_000,
        lambda text: json.dumps({**json.loads(text), "model": {"type": "WordLevel", "vocab": 5}}),
        lambda text: json.dumps({**json.loads(text), "post_processor": {"type": "nothing"}}),
        lambda text: text.replace('": 7', '": 700000000'),
    ],
    ids=["cut", "deep", "other model", "other template", "numbers beyond the table"],
)
def test_a_damaged_tokenizer_is_told_in_a_line(name, damage, folders, tmp_path):
    shutil.copytree(folders(name), tmp_path, dirs_exist_ok=True)
    file = tmp_path / "tokenizer.json"
    compact = json.dumps(json.loads(file.read_text()))
    file.write_text(damage(compact))
    with pytest.raises(ModelFolderError) as error:
        registry.load(tmp_path)
    assert "\n" not in str(error.value)
    assert str(tmp_path) in str(error.value)


def test_a_panic_of_the_tokenizers_is_told_in_a_line(folders, tmp_path):
    shutil.copytree(folders("gsamn"), tmp_path, dirs_exist_ok=True)
    file = tmp_path / "tokenizer.json"
    tokenizer = json.loads(file.read_text())
    tokenizer["post_processor"]["special_tokens"] = {}
    file.write_text(json.dumps(tokenizer))
    with pytest.raises(ModelFolderError, match=r"tokenizer\.json cannot be read"):
        registry.load(tmp_path)
