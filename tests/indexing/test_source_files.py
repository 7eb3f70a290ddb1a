# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import os
from pathlib import Path

import pytest
from haystack import Document

from answer_selection.indexing.source_files import FileChoice, encoding_of, find_files
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore


@pytest.fixture
def docs(tmp_path: Path, monkeypatch) -> Path:
    """A folder of files, seen from the folder around it."""
    monkeypatch.chdir(tmp_path)
    for name in ("faq.md", "logo.png", "LICENSE", "guide/b.html", "guide/a.md", "drafts/new.md", ".git/x.md", ".y.md"):
        path = tmp_path / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")
    return Path("docs")


def names(path: Path, **choice) -> list[str]:
    return [file.name for file in find_files(path, FileChoice(**choice)).files]


def test_a_folder_is_all_its_files_of_known_types_in_the_order_of_their_names(docs):
    found = find_files(docs, FileChoice())
    assert [(str(file.path), file.name) for file in found.files] == [
        ("docs/drafts/new.md", "drafts/new.md"),
        ("docs/faq.md", "faq.md"),
        ("docs/guide/a.md", "guide/a.md"),
        ("docs/guide/b.html", "guide/b.html"),
    ]
    assert not found.is_named
    assert found.other_types == {".png": 1, "": 1}
    assert list(map(str, found.others)) == ["docs/LICENSE", "docs/logo.png"]


def test_patterns_choose_as_in_gitignore(docs):
    assert names(docs, include=["*.md"]) == ["drafts/new.md", "faq.md", "guide/a.md"]
    assert names(docs, include=["*.md"], exclude=["drafts/"]) == ["faq.md", "guide/a.md"]
    assert names(docs, include=["guide/**", "LICENSE"]) == ["LICENSE", "guide/a.md", "guide/b.html"]
    assert names(docs, exclude=["*.md", "!faq.md"]) == ["faq.md", "guide/b.html"]
    assert find_files(docs, FileChoice(include=["*.md"])).other_types == {}


def test_what_a_command_writes_itself_is_left_out(docs):
    assert names(docs, without=[Path("docs/guide"), Path("docs/faq.md").resolve()]) == ["drafts/new.md"]


def test_an_index_below_a_folder_is_left_out(docs):
    TantivyDocumentStore(path=docs / "old").write_documents([Document(content="An answer.")])
    assert (docs / "old" / "index" / "settings.json").is_file()
    assert names(docs) == ["drafts/new.md", "faq.md", "guide/a.md", "guide/b.html"]


def test_a_pattern_is_the_files_that_it_fits_named_below_its_fixed_part(docs):
    assert names(Path("docs/**/*.md")) == ["drafts/new.md", "faq.md", "guide/a.md"]
    assert names(Path("docs/guide/*.html")) == ["b.html"]
    assert names(Path("*"), exclude=["docs/drafts"]) == ["docs/faq.md", "docs/guide/a.md", "docs/guide/b.html"]
    assert names(Path("nowhere/*.md")) == []


def test_what_is_there_is_no_pattern_and_a_file_is_itself_whatever_its_type(docs):
    Path("faq [1].md").write_text("", encoding="utf-8")
    for name in ("faq [1].md", "docs/logo.png", "docs/.y.md", "docs/missing.md"):
        found = find_files(Path(name), FileChoice())
        assert ([file.path for file in found.files], found.is_named) == ([Path(name)], True)


def test_a_link_to_a_folder_is_not_followed_into_a_circle(docs):
    (docs / "guide" / "up").symlink_to(docs.resolve(), target_is_directory=True)
    assert names(docs, include=["*.md"]) == ["drafts/new.md", "faq.md", "guide/a.md"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_may_not_be_read_is_not_passed_over(docs):
    (docs / "guide").chmod(0)
    try:
        with pytest.raises(PermissionError):
            find_files(docs, FileChoice())
    finally:
        (docs / "guide").chmod(0o700)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("Öffnungszeit".encode("cp1252"), "cp1252"),
        ("Öffnungszeit".encode(), None),
        (("x" * 65_535 + "ö").encode(), None),
        (("x" * 65_535 + "ö").encode("cp1252"), "cp1252"),
        ("Öffnungszeit".encode("utf-16"), None),
        (b"plain", "cp1252"),
        (b"", "cp1252"),
        ("ends in the middle of ö".encode()[:-1], "cp1252"),
    ],
)
def test_an_encoding_is_that_of_the_files_that_are_not_utf_8(tmp_path, data, expected):
    path = tmp_path / "faq.csv"
    path.write_bytes(data)
    assert encoding_of(path, "cp1252") == expected
