# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The runtime of sentence encoders, held against sentence-transformers' own over the same folders."""

import copy
import json
import pickle
import shutil
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import huggingface_hub
import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModel

import tiny_encoders
import tiny_sentence_encoders
from haystack_integrations.components.embedders.answer_selection.tuning.trainable_encoder import TrainableEncoder
from haystack_integrations.components.rankers.answer_selection.encoders import encoder_folder, sentence_encoder
from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder
from haystack_integrations.components.rankers.answer_selection.models import named_folder
from haystack_integrations.components.rankers.answer_selection.models.bert import Bert
from haystack_integrations.components.rankers.answer_selection.models.model_folder import (
    PACKAGED,
    SENTENCE_ENCODER,
    ModelFolderError,
)
from haystack_integrations.components.rankers.answer_selection.models.quantized_weights import write_quantized

TEXTS = [
    *tiny_encoders.TEXTS,
    "",
    "a",
    "  Réading\nrooms \u4f60\u597d, closed? ",
    "The reading room closes at eight. " * 40,  # longer than is read
]
SHAPES = {
    "electra, linear": {},
    "electra, linear with bias": {"bias": True},
    "electra, half precision": {"half": True},
    "bert": {"kind": "bert", "dense": None},
    "mpnet": {"kind": "mpnet", "dense": None},
    "roberta": {"kind": "roberta", "dense": None},
    "distilbert, no Normalize": {"kind": "distilbert", "dense": None, "normalize": False},
}


def assert_close(found, expected):
    np.testing.assert_allclose(found, expected, atol=2e-5)


@pytest.fixture(scope="module")
def student(tmp_path_factory):
    """Nothing may write into it."""
    return tiny_sentence_encoders.save(tmp_path_factory.mktemp("encoders") / "student")


@pytest.fixture
def copied(student, tmp_path):
    return Path(shutil.copytree(student, tmp_path / "copied"))


def change_json(file, **changes):
    data = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps(data | changes), encoding="utf-8")


def change_weights(file, change):
    weights = load_file(file)
    change(weights)
    save_file(weights, file, metadata={"format": "pt"})


class TestVectors:
    @pytest.mark.parametrize("shape", SHAPES)
    def test_they_are_those_of_sentence_transformers(self, shape, tmp_path):
        folder = tiny_sentence_encoders.save(tmp_path / "encoder", **SHAPES[shape])
        expected = tiny_sentence_encoders.reference(folder).encode(TEXTS, normalize_embeddings=True)
        found = SentenceEncoder.load(folder).encode(TEXTS)
        assert found.dtype == np.float32
        assert_close(found, expected)

    def test_they_are_those_of_minilm(self, benchmark_data):
        folder = benchmark_data / "encoders" / "all-MiniLM-L6-v2"
        if not folder.is_dir():
            pytest.skip(f"no encoder at {folder}")
        encoder = SentenceEncoder.load(folder)
        assert encoder.record.dimension == 384
        assert_close(encoder.encode(TEXTS), tiny_sentence_encoders.reference(folder).encode(TEXTS))

    def test_they_do_not_depend_on_what_else_is_encoded(self, student, monkeypatch):
        encoder = SentenceEncoder.load(student)
        alone = np.stack([encoder.encode([text])[0] for text in TEXTS])
        monkeypatch.setattr(sentence_encoder, "_TOKENISED", 5)
        for batch_size in (1, 3, 100):
            assert_close(encoder.encode(TEXTS, batch_size), alone)
        assert_close(encoder.encode(TEXTS[::-1]), alone[::-1])
        assert not np.allclose(alone[0], alone[1], atol=1e-2)

    def test_they_have_length_one_and_no_text_gives_none(self, student):
        encoder = SentenceEncoder.load(student)
        assert_close(np.linalg.norm(encoder.encode(TEXTS), axis=1), np.ones(len(TEXTS)))
        assert encoder.encode([]).shape == (0, encoder.record.dimension) == (0, 24)

    def test_half_of_a_surrogate_pair_is_read_as_a_question_mark(self, student):
        encoder = SentenceEncoder.load(student)
        told = encoder.encode(["a ?", "b"])
        assert_close(encoder.encode(["a \ud800", "b"]), told)
        assert_close(encoder.encode(["a \ud800"]), told[:1])

    def test_what_is_beyond_the_folders_length_is_not_read(self, student):
        encoder = SentenceEncoder.load(student)
        words = ["a"] * 30  # with [CLS] and [SEP] 32 tokens
        full, longer, shorter = encoder.encode([" ".join(words), " ".join([*words, "room"]), " ".join(words[1:])])
        assert_close(longer, full)
        assert not np.allclose(shorter, full, atol=1e-4)

    def test_what_the_network_has_no_position_for_is_not_read(self, tmp_path):
        options = {"kind": "roberta", "dense": None}
        unbounded = tiny_sentence_encoders.save(tmp_path / "unbounded", max_seq_length=100_000, **options)
        # Of its 150 positions RoBERTa never uses the first two.
        bounded = tiny_sentence_encoders.save(tmp_path / "bounded", max_seq_length=148, **options)
        texts = [" ".join([text] * 40) for text in tiny_encoders.TEXTS]
        assert_close(SentenceEncoder.load(unbounded).encode(texts), SentenceEncoder.load(bounded).encode(texts))

    def test_of_a_folder_as_older_versions_wrote_it(self, copied):
        (copied / "tokenizer_config.json").unlink()
        about = {"max_seq_length": 12, "do_lower_case": True}
        (copied / "sentence_bert_config.json").write_text(json.dumps(about), encoding="utf-8")
        modes = {"cls_token": False, "mean_tokens": True, "max_tokens": False}
        old = {"word_embedding_dimension": 16} | {f"pooling_mode_{mode}": on for mode, on in modes.items()}
        (copied / "1_Pooling" / "config.json").write_text(json.dumps(old), encoding="utf-8")
        modules = json.loads((copied / "modules.json").read_text(encoding="utf-8"))
        for module in modules:
            module["type"] = f"sentence_transformers.models.{module['type'].rpartition('.')[2]}"
        (copied / "modules.json").write_text(json.dumps(modules), encoding="utf-8")
        assert_close(SentenceEncoder.load(copied).encode(TEXTS), tiny_sentence_encoders.reference(copied).encode(TEXTS))

    def test_lower_case_is_for_a_tokenizer_that_has_it_not(self, copied):
        tokenizer = json.loads((copied / "tokenizer.json").read_text(encoding="utf-8"))
        tokenizer["normalizer"]["lowercase"] = False
        (copied / "tokenizer.json").write_text(json.dumps(tokenizer), encoding="utf-8")
        small, large = SentenceEncoder.load(copied).encode(["a lost card", "A LOST CARD"])
        assert not np.allclose(small, large, atol=1e-3)
        change_json(copied / "sentence_bert_config.json", do_lower_case=True)
        small, large = SentenceEncoder.load(copied).encode(["a lost card", "A LOST CARD"])
        assert_close(small, large)

    @pytest.mark.parametrize("kind", ["bert", "electra"])
    def test_the_forward_pass_is_that_of_transformers(self, kind):
        model = AutoModel.from_pretrained(tiny_encoders.folder(kind)).eval()
        bert = Bert.read(model.config.to_dict(), model.state_dict())
        assert bert is not None
        generator = torch.Generator().manual_seed(3)
        ids = torch.randint(5, model.config.vocab_size, (4, 9), generator=generator)
        real = torch.arange(9) < torch.tensor([[9], [1], [4], [8]])
        with torch.inference_mode():
            expected = model(input_ids=ids, attention_mask=real.long()).last_hidden_state
            torch.testing.assert_close(bert(ids, real)[real], expected[real], atol=1e-5, rtol=0)
            whole = model(input_ids=ids).last_hidden_state
            torch.testing.assert_close(bert(ids, None), whole, atol=1e-5, rtol=0)


class TestShared:
    def test_the_packages_encoder_is_in_memory_once(self):
        one = SentenceEncoder.load()
        with ThreadPoolExecutor(4) as threads:
            others = list(threads.map(SentenceEncoder.load, [None, "answer-selection-small"] * 4))
        assert all(other is one for other in others)
        assert SentenceEncoder.load(PACKAGED[SENTENCE_ENCODER]) is not one

    def test_others_are_not_shared(self, student):
        assert SentenceEncoder.load(student) is not SentenceEncoder.load(student)


class TestAlone:
    """A question's vector and its words are asked for one after the other."""

    @pytest.fixture
    def passes(self, student, monkeypatch):
        encoder, lengths = SentenceEncoder.load(student), []
        encode = sentence_encoder._Network.encode

        def counted(self, texts):
            lengths.append(len(texts))
            return encode(self, texts)

        monkeypatch.setattr(sentence_encoder._Network, "encode", counted)
        return encoder, lengths

    def test_a_text_goes_through_the_network_once(self, passes):
        encoder, lengths = passes
        for text in TEXTS:
            lengths.clear()
            vectors = encoder.encode([text])
            [read] = encoder.read([text])
            # By "a" it was seen at loading that it can read.
            # No question is as long as the last.
            assert lengths == ([] if text == "a" else [1] if len(text) < 500 else [1, 1])
            assert_close(encoder.encode([text]), vectors)
            assert_close(read.vector.numpy(), vectors[0])

    def test_who_has_a_vector_may_change_it(self, passes):
        encoder, _ = passes
        vectors = encoder.encode(TEXTS[:1])
        expected = vectors.copy()
        vectors[:] = 0
        np.testing.assert_array_equal(encoder.encode(TEXTS[:1]), expected)

    def test_only_the_last_are_kept(self, passes):
        encoder, lengths = passes
        for number in range(40):
            encoder.encode([f"a lost card {number}"])
        assert len(encoder._alone) < 40
        lengths.clear()
        encoder.encode(["a lost card 39"])
        assert lengths == []
        encoder.encode(["a lost card 0"])
        assert lengths == [1]

    def test_threads_ask_at_once(self, student):
        """There are more texts than are kept, and each is asked for by several threads."""
        texts = [f"a lost card {number}" for number in range(40)]
        expected = SentenceEncoder.load(student).encode(texts)
        encoder = SentenceEncoder.load(student)
        with ThreadPoolExecutor(4) as threads:
            found = list(threads.map(lambda text: encoder.encode([text])[0], texts * 5))
        assert_close(np.stack(found), np.tile(expected, (5, 1)))

    def test_a_question_that_is_asked_again_stays(self, passes):
        encoder, lengths = passes
        for number in range(40):
            encoder.encode(["the same"])
            encoder.encode([f"a lost card {number}"])
        lengths.clear()
        encoder.encode(["the same"])
        assert lengths == []

    def test_a_copy_has_no_questions_of_others(self, student):
        encoder = SentenceEncoder.load(student)
        encoder.encode(["a lost card"])
        for copied in (copy.deepcopy(encoder), pickle.loads(pickle.dumps(encoder))):
            assert not copied._alone
            assert_close(copied.encode(["a lost card"]), encoder.encode(["a lost card"]))

    def test_copied_while_threads_ask(self, student):
        encoder = SentenceEncoder.load(student)
        with ThreadPoolExecutor(2) as threads:
            asked = threads.map(lambda number: encoder.encode([f"a lost card {number}"]), range(400))
            for _ in range(20):
                copy.deepcopy(encoder)
            assert len(list(asked)) == 400


class TestRecord:
    def test_the_fingerprint_is_of_what_decides_a_vector(self, student, copied):
        expected = SentenceEncoder.load(student).record
        (copied / "README.md").write_text("Another card.", encoding="utf-8")
        found = SentenceEncoder.load(copied).record
        assert (found.fingerprint, found.dimension) == (expected.fingerprint, 24)
        assert (found.name, expected.name) == (str(copied), str(student))

    @pytest.mark.parametrize(
        "change",
        [
            lambda f: change_json(f / "tokenizer_config.json", model_max_length=31),
            lambda f: change_json(f / "config.json", layer_norm_eps=1e-5),
            lambda f: change_json(f / "sentence_bert_config.json", do_lower_case=True),
            lambda f: change_weights(
                f / "model.safetensors", lambda w: w["embeddings.word_embeddings.weight"][7].add_(1)
            ),
            lambda f: change_weights(f / "2_Dense" / "model.safetensors", lambda w: w["linear.weight"].mul_(2)),
            lambda f: (f / "tokenizer.json").write_text((f / "tokenizer.json").read_text().replace("##", "@@")),
        ],
    )
    def test_another_fingerprint(self, student, copied, change):
        before = encoder_folder.read_folder(student).fingerprint()
        assert encoder_folder.read_folder(copied).fingerprint() == before
        change(copied)
        assert encoder_folder.read_folder(copied).fingerprint() != before

    def test_a_relative_folder_is_found_from_elsewhere(self, copied, monkeypatch):
        monkeypatch.chdir(copied.parent)
        assert SentenceEncoder.load("copied").record.name == str(copied)

    def test_the_encoder_of_the_package(self, student, monkeypatch):
        monkeypatch.setitem(PACKAGED, SENTENCE_ENCODER, student)
        shipped = SentenceEncoder.load()
        assert shipped.record.name == "answer-selection-small"
        assert SentenceEncoder.load("answer-selection-small").record == shipped.record

    def test_the_encoder_of_the_package_is_missing(self, tmp_path, monkeypatch):
        monkeypatch.setitem(PACKAGED, SENTENCE_ENCODER, tmp_path / "gone")
        with pytest.raises(
            ModelFolderError, match=r"the encoder answer-selection-small of this package is missing: .*gone"
        ):
            SentenceEncoder.load()


class TestQuantized:
    @pytest.fixture(params=["electra", "bert", "distilbert"])
    def folders(self, request, tmp_path):
        """One that is as published, and its quantized copy."""
        source = tiny_sentence_encoders.save(tmp_path / "source", request.param)
        found = Path(shutil.copytree(source, tmp_path / "quantized"))
        write_quantized(found)
        return source, found

    def test_its_vectors_are_near(self, folders):
        source, found = (SentenceEncoder.load(folder) for folder in folders)
        cosines = (source.encode(TEXTS) * found.encode(TEXTS)).sum(1)
        assert 0.95 < cosines.min() < 1
        assert found.record.fingerprint != source.record.fingerprint

    def test_what_was_trained_on_is_saved_in_half_precision(self, folders, tmp_path):
        _, quantized = folders
        TrainableEncoder(encoder_folder.read_folder(quantized)).save(tmp_path / "saved")
        weights = load_file(tmp_path / "saved" / "model.safetensors")
        assert {tensor.dtype for tensor in weights.values()} == {torch.float16}
        found, wanted = (SentenceEncoder.load(folder).encode(TEXTS) for folder in (tmp_path / "saved", quantized))
        np.testing.assert_allclose(found, wanted, atol=2e-3)

    def test_others_find_no_weights_rather_than_wrong_ones(self, folders):
        with pytest.raises(OSError, match=r"model\.safetensors"):
            tiny_sentence_encoders.reference(folders[1])

    def test_scales_are_missing(self, folders):
        file = folders[1] / "model_quantized.safetensors"
        save_file({n: values for n, values in load_file(file).items() if not n.endswith("scales")}, file)
        with pytest.raises(ModelFolderError, match=r"cannot be read: the scales of .* are missing"):
            SentenceEncoder.load(folders[1])


def modules_of(folder, *types):
    modules = [{"idx": n, "name": str(n), "path": "", "type": each} for n, each in enumerate(types)]
    (folder / "modules.json").write_text(json.dumps(modules), encoding="utf-8")


def pickled(folder):
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")


def cut(file):
    file.write_bytes(file.read_bytes()[:-100])


DAMAGES = {
    "no modules": (lambda f: (f / "modules.json").unlink(), r"lacks modules\.json; expected a sentence encoder's"),
    "modules are no JSON": (lambda f: cut(f / "modules.json"), r"modules\.json cannot be read: "),
    "modules are no list": (lambda f: (f / "modules.json").write_text("3"), r"modules\.json cannot be read: "),
    "modules of others": (
        lambda f: modules_of(f, "custom_transformer.Transformer"),
        r"needs code of its own \(custom_transformer\.Transformer\), which is never run",
    ),
    "other modules": (
        lambda f: modules_of(f, "sentence_transformers.models.StaticEmbedding"),
        r"modules\.json: the modules are StaticEmbedding\. ",
    ),
    "code of its own": (
        lambda f: change_json(f / "config.json", auto_map={"AutoModel": "modeling.Model"}),
        r"config\.json: the encoder needs code of its own \(auto_map\), which is never run",
    ),
    "residual": (lambda f: change_json(f / "2_Dense" / "config.json", use_residual=True), "not over the pooled vector"),
    "no weights": (lambda f: (f / "model.safetensors").unlink(), r"lacks model\.safetensors; other files of weights"),
    "pickled weights": (pickled, r"lacks model\.safetensors; .*pytorch_model\.bin, can run any code when read"),
    "no weights of the layer": (lambda f: (f / "2_Dense" / "model.safetensors").unlink(), r"2_Dense lacks model\."),
    "cut weights": (lambda f: cut(f / "model.safetensors"), "cannot be read: "),
    "cut weights of the layer": (lambda f: cut(f / "2_Dense" / "model.safetensors"), "cannot be read: "),
    "a weight too few": (
        lambda f: change_weights(f / "model.safetensors", lambda w: w.pop("encoder.layer.1.output.dense.weight")),
        r"lacks encoder\.layer\.1\.output\.dense\.weight",
    ),
    "other sizes": (lambda f: change_json(f / "config.json", intermediate_size=25), "cannot be read: "),
    "enormous sizes": (lambda f: change_json(f / "config.json", hidden_size=8_000_000), "cannot be read: "),
    "a layer of another width": (
        lambda f: change_weights(
            f / "2_Dense" / "model.safetensors", lambda w: w.update({"linear.weight": torch.zeros(4, 9)})
        ),
        "can read no text: ",
    ),
    "NaN": (
        lambda f: change_weights(f / "model.safetensors", lambda w: w["embeddings.LayerNorm.bias"].fill_(np.nan)),
        "has numbers that are NaN or infinite",
    ),
    "no tokenizer": (lambda f: (f / "tokenizer.json").unlink(), r"lacks tokenizer\.json$"),
    "cut tokenizer": (lambda f: cut(f / "tokenizer.json"), r"tokenizer\.json cannot be read: "),
    "tokenizer of another": (
        lambda f: change_json(f / "config.json", vocab_size=100),
        "cannot be read: ",
    ),
    "length": (
        lambda f: change_json(f / "sentence_bert_config.json", max_seq_length=-1),
        "expected a number of at least 1",
    ),
    "no configuration": (lambda f: (f / "config.json").unlink(), r"config\.json cannot be read: "),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_wrong_with_a_folder_is_said_in_a_line(damage, copied):
    break_it, message = DAMAGES[damage]
    break_it(copied)
    with pytest.raises(ModelFolderError, match=message) as error:
        SentenceEncoder.load(copied)
    assert str(copied) in str(error.value)
    assert "\n" not in str(error.value)


OTHERS = {
    "the first token": ({"pooling": "cls"}, "the pooling is cls"),
    "the greatest": ({"pooling": "max"}, "the pooling is max"),
    "two at once": ({"pooling": ("mean", "max"), "dense": None}, "the pooling is mean and max"),
    "tanh": ({"activation": torch.nn.Tanh()}, "the activation is Tanh"),
    "prompts": ({"prompts": {"query": "query: ", "document": ""}}, r"texts get prompts \(query\)"),
}


@pytest.mark.parametrize("other", OTHERS)
def test_what_is_not_run_here_is_said_and_what_runs_it(other, tmp_path):
    options, message = OTHERS[other]
    folder = tiny_sentence_encoders.save(tmp_path / "encoder", **options)
    with pytest.raises(ModelFolderError, match=message) as error:
        SentenceEncoder.load(folder)
    assert "in YAML with Haystack's SentenceTransformersTextEmbedder" in str(error.value)
    assert "answer-selection-haystack[encoders]" in str(error.value)


def test_vectors_that_are_compared_by_their_length_are_not_run_here(tmp_path):
    folder = tiny_sentence_encoders.save(tmp_path / "encoder", dense=None, normalize=False)
    change_json(folder / "config_sentence_transformers.json", similarity_fn_name="dot")
    with pytest.raises(ModelFolderError, match="vectors without Normalize are compared by 'dot'"):
        SentenceEncoder.load(folder)


def test_vectors_that_are_no_numbers_are_refused(copied):
    """Weights that are numbers, but too great to be multiplied."""
    encoder = SentenceEncoder.load(copied)
    with torch.inference_mode():
        encoder._network.dense.weight.fill_(3e38)
    with pytest.raises(ValueError, match="gives vectors with numbers that are not finite; its weights may be damaged"):
        encoder.encode(["a lost card"])


class TestNames:
    @pytest.mark.parametrize("kind", [str, Path])
    def test_no_folder(self, kind, tmp_path):
        with pytest.raises(ModelFolderError, match=r"no encoder of that name, but answer-selection-small$"):
            SentenceEncoder.load("answer-selection-gsamn")
        with pytest.raises(ModelFolderError, match=r"there is no encoder folder .*gone$"):
            SentenceEncoder.load(kind(tmp_path / "gone"))

    def test_a_file(self, student):
        with pytest.raises(ModelFolderError, match=r"modules\.json is a file; expected the folder of"):
            SentenceEncoder.load(student / "modules.json")

    def test_offline_by_the_environment(self, monkeypatch):
        # What HF_HUB_OFFLINE says when it is imported.
        monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
        message = "no encoder folder 'nobody/none', and no model of that name could be fetched from the hub: .*offline"
        with pytest.raises(ModelFolderError, match=message):
            SentenceEncoder.load("nobody/none")

    def test_a_hub_that_does_not_answer_is_asked_once(self, monkeypatch):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            address = f"http://127.0.0.1:{silent.getsockname()[1]}"
            monkeypatch.setattr(huggingface_hub.constants, "ENDPOINT", address)
            monkeypatch.setattr(named_folder, "_HUB_ANSWERS_IN", 0.1)
            with pytest.raises(ModelFolderError, match=r"no model of that name could be fetched from the hub: .*time"):
                SentenceEncoder.load("nobody/none")
            silent.setblocking(False)
            silent.accept()[0].close()
            with pytest.raises(BlockingIOError):
                silent.accept()

    @pytest.mark.parametrize("of_package", [False, True])
    def test_what_is_in_the_cache_is_not_fetched(self, student, tmp_path, monkeypatch, of_package):
        monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path))
        monkeypatch.setattr(huggingface_hub.HfApi, "model_info", lambda *_, **__: pytest.fail("the hub was asked"))
        place = tmp_path / "models--somebody--tiny"
        commit = "0" * 40
        # The package's own has its weights in int8, under another name.
        given = PACKAGED[SENTENCE_ENCODER] if of_package else student
        shutil.copytree(given, place / "snapshots" / commit)
        (place / "refs").mkdir()
        (place / "refs" / "main").write_text(commit, encoding="utf-8")
        encoder = SentenceEncoder.load("somebody/tiny")
        assert encoder.record.name == "somebody/tiny"
        assert encoder.record.fingerprint == SentenceEncoder.load(given).record.fingerprint
