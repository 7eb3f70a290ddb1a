# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Index settings: their file, their checks, and which of them need a new index."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from answer_selection.indexing.elasticsearch.settings import IndexSettings, IndexSettingsError, read_index_settings


def write(folder: Path, text: str) -> Path:
    path = folder / "settings.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_says_only_what_is_different(tmp_path: Path):
    assert read_index_settings(write(tmp_path, "")) == IndexSettings()
    (tmp_path / "words.txt").write_text("tv, television\n", encoding="utf-8")
    found = read_index_settings(
        write(
            tmp_path,
            "language: german\nsynonyms: words.txt\nk1: 0.9\nsearch_fields: {content: 1, title: 2.5}\nreplicas: 0\n",
        )
    )
    assert found == IndexSettings(
        language="german",
        synonyms=tmp_path / "words.txt",
        k1=0.9,
        search_fields={"content": 1, "title": 2.5},
        replicas=0,
    )
    assert found.synonym_rules == ("tv, television",)
    assert read_index_settings(write(tmp_path, "language: null\n")).language is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("languge: english", "unknown key 'languge'; expected language, synonyms, k1"),
        ("synonym_rules: [a]", "unknown key 'synonym_rules'"),
        ("[1, 2]", "expected keys and values"),
        ("a: [", "not YAML"),
        ("language: klingon", "language must be None or one of arabic, danish"),
        ("language: [english]", "language must be None or one of"),
        ("k1: -1", "k1 is -1; expected a number, at least 0"),
        ("k1: .inf", "k1 is inf"),
        ("b: 1.5", "b is 1.5; expected a number, from 0 to 1"),
        ("b: yes", "b is True"),
        ("shards: 0", "shards is 0; expected a whole number, from 1 to 1024"),
        ("shards: 1.5", "shards is 1.5"),
        ("replicas: -1", "replicas is -1; expected a whole number, at least 0"),
        ("search_fields: {}", "search_fields must be a dictionary"),
        ("search_fields: [content]", "search_fields must be a dictionary"),
        ("search_fields: {content: 0}", "the boost of 'content' must be a number greater than 0"),
        ("search_fields: {'con*': 1}", "the field 'con*'"),
        ("search_fields: {entry_id: 1}", "'entry_id', which is no text"),
        ("synonyms: 7", "synonyms is 7; expected the name of a file"),
        ("synonyms: gone.txt", "gone.txt: No such file"),
    ],
)
def test_what_is_wrong_is_named_with_file_and_key(tmp_path: Path, text: str, problem: str):
    path = write(tmp_path, text)
    with pytest.raises(IndexSettingsError, match=re.escape(str(path))) as error:
        read_index_settings(path)
    assert problem in str(error.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(IndexSettingsError, match=r"gone\.yaml: No such file"):
        read_index_settings(tmp_path / "gone.yaml")


def test_the_digest_changes_with_what_needs_a_new_index_and_with_nothing_else(tmp_path: Path):
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    one.write_text("tv, television\n", encoding="utf-8")
    two.write_text("# the same\ntv, television\n", encoding="utf-8")
    plain = IndexSettings()
    assert IndexSettings().digest == plain.digest
    others = [
        replace(plain, language=None),
        replace(plain, synonyms=one),
        replace(plain, k1=1.3),
        replace(plain, b=0.5),
        replace(plain, shards=2),
        replace(plain, search_fields={"content": 1.0}),
    ]
    assert len({plain.digest, *(other.digest for other in others)}) == len(others) + 1
    assert replace(plain, replicas=2).digest == plain.digest
    assert replace(plain, k1=1).digest == replace(plain, k1=1.0).digest
    assert replace(plain, search_fields={"question": 3, "content": 2}).digest == plain.digest
    # It is the rules that count, not the file that they stand in.
    assert replace(plain, synonyms=one).digest == replace(plain, synonyms=two).digest
    two.write_text("tv, telly\n", encoding="utf-8")
    assert replace(plain, synonyms=one).digest != replace(plain, synonyms=two).digest
