# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import hashlib
import sys
from pathlib import Path

import pytest
from sentence_transformers import SentenceTransformer

import tiny_teacher

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_thread")]

SMALL = ("--layers", 1, "--epochs", 0.2)


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "questions.txt"
    path.write_text("\n".join(tiny_teacher.texts()), encoding="utf-8")
    return path


def test_from_files_to_an_encoder(command, text, small_faq, tmp_path):
    teacher, faq = tiny_teacher.folder(), small_faq.entries
    arguments = ("distil", "encoder", "--teacher", teacher, "--texts", text, "--texts", faq, *SMALL)
    licensed = (*arguments, "--licence", "CC0-1.0", "--licence", "CC-BY-SA-4.0", "--states", "states")
    done = command(*licensed)
    assert (done.code, done.err.count("error")) == (0, 0), done.err
    assert "have a mean cosine of" in done.out
    assert "encoder: encoder (card: encoder/README.md)" in done.out
    folder = tmp_path / "encoder"
    assert SentenceTransformer(str(folder), device="cpu").encode("a car").shape == (tiny_teacher.WIDTH,)
    card = (folder / "README.md").read_text(encoding="utf-8")
    for expected in (
        "license:\n- apache-2.0\n- cc0-1.0\n- cc-by-sa-4.0\n",
        "| teacher | teacher | apache-2.0 | fingerprint ",
        f"| questions.txt | texts | CC0-1.0 | SHA-256 {hashlib.sha256(text.read_bytes()).hexdigest()} |",
        "| faq.jsonl | texts | CC-BY-SA-4.0 | SHA-256 ",
        "began with a factorisation of the teacher: its layers 2, each matrix replaced by the one of rank 24",
        "have a mean cosine of",
        "| layers | 1 |",
    ):
        assert expected in card
    assert str(tmp_path) not in card
    assert str(teacher.parent) not in card

    again = command(*licensed)
    assert again.code == 2
    assert "encoder holds a model already: name another folder, or allow overwriting it (--overwrite)" in again.err
    other = command(*licensed, "--overwrite", "--teacher", tiny_teacher.folder(seed=2))
    assert other.code == 2
    assert "states holds the states of something else (other teacher): name another folder for the" in other.err


def test_what_is_wrong_is_said_before_anything_is_written(command, text, tmp_path):
    few = tmp_path / "few.txt"
    few.write_text("few words\n", encoding="utf-8")
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"id": "1", "question": "Why?"}\n', encoding="utf-8")
    taken = tmp_path / "taken"
    taken.mkdir()
    (taken / "notes.txt").write_text("mine", encoding="utf-8")
    teacher = tiny_teacher.folder()
    for output, given, more, message in (
        ("encoder", "none.txt", (), "none.txt cannot be read: No such file or directory"),
        ("encoder", broken, (), "broken.jsonl, line 1"),
        ("encoder", few, (), "there are 1 different texts; expected at least 50"),
        ("encoder", text, ("--layers", 3), "'layers' is 3; expected at most the 2 that the teacher has"),
        ("encoder", text, ("--layers", 1, "--vocabulary", 20), "'vocabulary' is 20; expected at least"),
        ("encoder", text, ("--licence", "a", "--licence", "b"), "--licence comes 2 times, and --texts 1 times"),
        ("encoder", text, ("--teacher", tiny_teacher.folder(pooling="cls")), "pools by 'cls'; expected 'mean'"),
        ("encoder", text, ("--teacher", "no/such/teacher"), "there is no encoder folder no/such/teacher"),
        ("taken", text, (), "taken holds other files (notes.txt); expected a new or empty folder"),
    ):
        done = command("distil", output, "--teacher", teacher, "--texts", given, *more)
        assert done.code == 2
        assert message in done.err
        assert not (tmp_path / "encoder" / "model.safetensors").exists()


def test_without_sentence_transformers(command, text, monkeypatch):
    for name in list(sys.modules):
        if "distillation" in name:
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    done = command("distil", "encoder", "--teacher", tiny_teacher.folder(), "--texts", text)
    assert done.code == 2
    assert "sentence encoders need more packages: pip install '.[encoders]'" in done.err
