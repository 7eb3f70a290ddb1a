# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import shutil
from pathlib import Path

import pytest
import torch
from transformers import AutoModel, AutoTokenizer

from answer_selection.pipelines.training import pretraining
from answer_selection.pipelines.training.pretraining_recipe import SHIPPED_ENCODERS, RecipeError, read_pretraining
from computed_twice import assert_trained_alike
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.record import Record
from haystack_integrations.components.rankers.answer_selection.training.pretrainer import new_encoder
from haystack_integrations.components.rankers.answer_selection.training.pretraining_settings import PretrainingSettings

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_thread")]

RECIPE = """\
encoder: {model_type: bert, hidden_size: 16, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16}
vocab_size: 300
max_length: 32
epochs: 1
batch_size: 8
evaluations: 2
learning_rate: 1e-3
use_cpu: true
"""


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.yaml"
    path.write_text(RECIPE, encoding="utf-8")
    return path


@pytest.fixture
def text(small_faq, tmp_path: Path) -> Path:
    path = tmp_path / "manual.txt"
    # Blank lines, a byte order mark and other line ends are no text.
    lines = small_faq.entries.read_text(encoding="utf-8").splitlines()
    path.write_bytes(b"\xef\xbb\xbf" + "\r\n\r\n".join(lines).encode())
    return path


def knows(folder: Path, word: str) -> bool:
    return word in AutoTokenizer.from_pretrained(folder).get_vocab()


def test_from_text_files_to_an_encoder(command, recipe, text, tmp_path):
    more = tmp_path / "more.txt"
    more.write_text("A zebra is a zebra.\n" * 20, encoding="utf-8")
    arguments = ("pretrain", "encoder", "--texts", text, "--texts", more, "--recipe", recipe, "--licence", "CC0-1.0")
    done = command(*arguments)
    assert (done.code, done.err.count("error")) == (0, 0)
    assert "a perplexity of" in done.out
    assert "encoder: encoder (card: encoder/README.md)" in done.out
    folder = tmp_path / "encoder"
    assert AutoModel.from_pretrained(folder).config.hidden_size == 16
    assert knows(folder, "zebra")
    card = (folder / "README.md").read_text(encoding="utf-8")
    for expected in (
        "license: cc0-1.0",
        "| manual.txt | pretraining | CC0-1.0 |",
        "a perplexity of",
        "| hidden_size | 16 |",
    ):
        assert expected in card
    first = Path(shutil.copytree(folder, tmp_path / "first"))

    again = command(*arguments)
    assert again.code == 2
    assert "encoder holds a model already: name another folder, or allow overwriting it (--overwrite)" in again.err
    assert command(*arguments, "--overwrite", "--seed", 1).code == 0
    with pytest.raises(AssertionError, match="not close"):
        assert_trained_alike(folder, first)
    assert command(*arguments, "--overwrite").code == 0
    assert_trained_alike(folder, first)


@pytest.mark.parametrize("last", ["write_encoder_card", "rmtree"])
def test_a_run_that_is_killed_at_its_very_end_goes_on_and_has_its_card(
    last, command, recipe, text, monkeypatch, tmp_path
):
    class KilledError(Exception):
        pass

    place = pretraining if last == "write_encoder_card" else shutil
    real = getattr(place, last)

    def killed(folder, *rest, **named):
        if Path(folder).name in ("encoder", "checkpoints"):
            raise KilledError
        return real(folder, *rest, **named)

    arguments = ("pretrain", "encoder", "--texts", text, "--recipe", recipe)
    with monkeypatch.context() as context, pytest.raises(KilledError):
        context.setattr(place, last, killed)
        command(*arguments)
    weights = (tmp_path / "encoder" / "model.safetensors").read_bytes()
    done = command(*arguments)
    assert done.code == 0, done.err
    assert "a perplexity of" in (tmp_path / "encoder" / "README.md").read_text(encoding="utf-8")
    assert (tmp_path / "encoder" / "model.safetensors").read_bytes() == weights
    assert not (tmp_path / "encoder" / "checkpoints").exists()


def test_from_the_corpus_in_an_index(command, recipe, small_index, tmp_path):
    done = command("pretrain", "encoder", "--index", small_index, "--recipe", recipe)
    assert done.code == 0
    # Questions and answers are learned from; what frames them in a file is not.
    assert knows(tmp_path / "encoder", "library")
    assert not knows(tmp_path / "encoder", "{")
    assert "| faq-index | pretraining | not stated |" in (tmp_path / "encoder" / "README.md").read_text(
        encoding="utf-8"
    )
    # A ranker's model is made of it, weights and tokenizer.
    model, collator = registry.build("gsamn", [], encoder=str(tmp_path / "encoder"), max_pair_length=32)
    batch = collator([Record("where is the library?", "Beside the town hall.")])
    assert model.eval()(**batch).shape == (1,)
    whole = AutoModel.from_pretrained(tmp_path / "encoder")
    assert torch.equal(model.get_input_embeddings().weight, whole.get_input_embeddings().weight)


def test_what_is_wrong_is_said_before_anything_is_written(command, recipe, text, tmp_path):
    broken = tmp_path / "broken.txt"
    broken.write_bytes(b"text\nte\xffxt\n")
    few = tmp_path / "few.txt"
    few.write_text("few words\n", encoding="utf-8")
    other = tmp_path / "other"
    other.mkdir()
    (other / "notes.txt").write_text("mine", encoding="utf-8")
    for arguments, message in (
        (("encoder",), "name what to learn from: either --texts, or --index"),
        (("encoder", "--texts", text, "--index", "faq-index"), "either --texts, or --index"),
        (("encoder", "--texts", text, "--store", "elasticsearch"), "--store needs --index"),
        (
            ("encoder", "--texts", "none.txt"),
            "none.txt cannot be read: No such file or directory; expected a file with",
        ),
        (("encoder", "--texts", tmp_path), "cannot be read: Is a directory; expected a file with a text a line"),
        (("encoder", "--texts", text, "--recipe", "small_encodre"), "did you mean 'small_encoder'?"),
        (("encoder", "--index", tmp_path / "nothing"), "nothing"),
        (("other", "--texts", text), "other holds other files (notes.txt); expected a new or empty folder"),
    ):
        done = command("pretrain", *arguments)
        assert done.code == 2
        assert message in done.err
    assert not (tmp_path / "encoder").exists()
    for path, message in (
        (broken, "broken.txt, line 2: byte 0xff at offset 7 of the file is not valid UTF-8; expected"),
        (few, "expected at least 60, two blocks of 32"),
    ):
        done = command("pretrain", "encoder", "--texts", path, "--recipe", recipe)
        assert done.code == 2
        assert message in done.err


@pytest.mark.parametrize("name", SHIPPED_ENCODERS)
def test_a_shipped_recipe_is_whole(name):
    settings = read_pretraining(name)
    assert new_encoder(settings).max_position_embeddings >= settings.max_length


def test_what_names_no_encoder_gets_the_shipped_ones_sizes():
    assert PretrainingSettings().encoder == read_pretraining("small_encoder").encoder


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("max_length: 128\nbatch: 3", "line 2: unknown pretraining setting 'batch'; did you mean 'batch_size'?"),
        ("epochs: 2\nlearning_rate: 0", "line 2: training setting 'learning_rate' is 0; expected more than 0"),
        ("encoder: {model_type: gpt2}", "line 1: encoder of the type 'gpt2', which is not a bidirectional encoder"),
        (
            "encoder: {model_type: bert, hiden_size: 8}",
            "line 1: training setting 'encoder': 'bert' has no field 'hiden",
        ),
        ("- bert", "expected a mapping of fields, found list"),
        ("epochs: 1\nepochs: 2", "line 2: the field 'epochs' comes twice"),
    ],
)
def test_what_a_recipe_cannot_have(text, message, tmp_path):
    (tmp_path / "recipe.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(RecipeError) as caught:
        read_pretraining(tmp_path / "recipe.yaml")
    assert message in str(caught.value)
    assert "recipe.yaml" in str(caught.value)
