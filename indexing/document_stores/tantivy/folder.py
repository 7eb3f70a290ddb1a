# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The folder that an embedded index lives in: how it is made, recognised and opened."""

import json
import shutil
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import tantivy
from answer_selection.indexing.analysis import ANALYSIS_VERSION, describe
from haystack_integrations.document_stores.tantivy.analysis import build_analyzer
from haystack_integrations.document_stores.tantivy.checksums import (
    CHECKSUMS_FILE,
    SETTINGS_FILE,
    end_writing,
    file_checksum,
    has_checksums,
    read_checksums,
)
from haystack_integrations.document_stores.tantivy.errors import (
    IndexDamagedError,
    IndexLockedError,
    IndexOpenError,
    failures_told,
    missing,
    unreadable,
)
from haystack_integrations.document_stores.tantivy.filters import FILTER_FIELD

INDEX_FOLDER = "index"
LOCK_FILE = ".tantivy-writer.lock"
ID_FIELD = "id"
ORDER_FIELD = "order"
DOCUMENT_FIELD = "document"
VECTOR_FIELD = "vector"
"""The row of a document's vector; see :mod:`vectors`."""

_FORMAT_VERSION = 3
_WITHOUT_VECTORS = 2
_WITHOUT_CHECKSUMS = 1
_NEW_PREFIX = ".new-"
# One indexing thread: documents stay in the order in which they came, so the same input gives the same index.
_WRITER_THREADS = 1
SMALL_HEAP, LARGE_HEAP = 15_000_000, 128_000_000
_ANALYZER = "text"
_ANALYSIS = "analysis"


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings that an index was made with. Other settings need a new index."""

    format_version: int
    analysis_version: int
    language: str | None
    fields: list[str]


def settings(language: str | None, fields: Sequence[str]) -> Settings:
    """
    Give the settings of an index made by this version.

    :param language: Language of stemming, or None.
    :param fields: Names of the search fields.
    :returns: The settings.
    """
    return Settings(_FORMAT_VERSION, ANALYSIS_VERSION, language, sorted(fields))


def text_field(expected: Settings, name: str) -> str:
    """
    Give the schema's name of a search field; the user's own may hold characters that a schema does not allow.

    :param expected: The index's settings.
    :param name: A search field's name, such as "content".
    :returns: The name in the schema.
    """
    return f"text_{expected.fields.index(name)}"


def open_index(path: Path, expected: Settings) -> tantivy.Index | None:
    """
    Open an index.

    :param path: The store's folder.
    :param expected: The settings that the index must have been made with.
    :returns: The index, or None if the folder does not exist or is empty.
    :raises IndexOpenError: If something else is in the folder, the index is damaged or has other settings.
    """
    folder = path / INDEX_FOLDER
    try:
        names = sorted(item.name for item in path.iterdir())
    except FileNotFoundError:
        return None
    except NotADirectoryError:
        msg = f"{path} is a file; an index needs a folder"
        raise IndexOpenError(msg) from None
    if INDEX_FOLDER not in names:
        strangers = [name for name in names if not name.startswith(_NEW_PREFIX)]
        if strangers:
            listed = ", ".join(strangers[:3])
            msg = (
                f"{path} is not an index: it holds other files ({listed}). Name a folder with an index; for a new "
                "index, an empty folder"
            )
            raise IndexOpenError(msg)
        return None
    _check_settings(folder, expected)
    with failures_told(path, ValueError, OSError):
        index = tantivy.Index.open(str(folder))
    index.register_tokenizer(_ANALYZER, build_analyzer(expected.language))
    # Readers look for new commits themselves, see DocumentStore; a watching thread for each store isn't needed.
    index.config_reader(reload_policy="manual")
    return index


def take_writer(index: tantivy.Index, path: Path, heap: int) -> tantivy.IndexWriter:
    """
    Become the one who writes.

    :param index: The index.
    :param path: The store's folder.
    :param heap: Bytes that are kept in memory before they are written.
    :returns: The writer. It holds the index's lock until its threads were waited for.
    :raises IndexLockedError: If another writer is at work.
    """
    try:
        return index.writer(heap, _WRITER_THREADS)
    except ValueError as error:
        if "LockBusy" not in str(error):
            raise
        lock = path / INDEX_FOLDER / LOCK_FILE
        msg = f"another writer is at work on the index in {path}: it holds {lock}; try again when it is done"
        raise IndexLockedError(msg) from error


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """
    Keep everybody from writing.

    :param path: The store's folder.
    :returns: A context.
    :raises IndexOpenError: If there is no index that can be opened.
    :raises IndexLockedError: If a writer is at work.
    """
    with failures_told(path, ValueError, OSError):
        writer = take_writer(tantivy.Index.open(str(path / INDEX_FOLDER)), path, SMALL_HEAP)
    try:
        yield
    finally:
        writer.wait_merging_threads()


def create_index(path: Path, expected: Settings) -> None:
    """
    Make an empty index.

    It is made aside and moved into its place in one step, so that a process that dies meanwhile leaves no half of it
    and two that make the same index don't overwrite one another.

    :param path: The store's folder; made if missing.
    :param expected: The settings.
    """
    path.mkdir(parents=True, exist_ok=True)
    new = path / f"{_NEW_PREFIX}{uuid.uuid4().hex}"
    new.mkdir()
    try:
        # The names of the analysis are there for whoever reads them; its version and the language say all.
        written = {**asdict(expected), _ANALYSIS: describe(expected.language)}
        (new / SETTINGS_FILE).write_text(json.dumps(written, indent=2) + "\n", encoding="utf-8")
        tantivy.Index(_schema(expected), path=str(new))
        end_writing(new)
        new.rename(path / INDEX_FOLDER)
    except OSError:
        # Another process was faster: its index is used.
        if not (path / INDEX_FOLDER / SETTINGS_FILE).is_file():
            raise
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _schema(expected: Settings) -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field(ID_FIELD, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field(ORDER_FIELD, indexed=True, fast=True)
    for name in expected.fields:
        builder.add_text_field(text_field(expected, name), tokenizer_name=_ANALYZER, index_option="freq")
    builder.add_text_field(FILTER_FIELD, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field(VECTOR_FIELD, indexed=True, fast=True)
    builder.add_bytes_field(DOCUMENT_FIELD, stored=True)
    return builder.build()


def read_settings(path: Path) -> Settings:
    """
    Read what an index was made with.

    :param path: The store's folder.
    :returns: Its settings.
    :raises IndexOpenError: If there is no index, or its settings can't be read.
    """
    if not (path / INDEX_FOLDER).is_dir():
        raise missing(path)
    found = _found_settings(path / INDEX_FOLDER)
    try:
        return Settings(**found)
    except TypeError as error:
        msg = f"the index in {path} was made by another version: its settings are {found}"
        raise IndexOpenError(msg) from error


def keeps_vectors(path: Path) -> bool:
    """
    Say whether an index has a place for vectors; one of an earlier version has none.

    :param path: The store's folder.
    :returns: Whether it has.
    :raises IndexOpenError: If there is no index, or its settings can't be read.
    """
    return read_settings(path).format_version > _WITHOUT_VECTORS


def _found_settings(folder: Path) -> dict[str, Any]:
    path = folder / SETTINGS_FILE
    try:
        checked = has_checksums(folder)
        if checked and read_checksums(folder)[SETTINGS_FILE] != file_checksum(path):
            raise IndexDamagedError(folder.parent, SETTINGS_FILE)
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        msg = f"{folder} is not an index of this store: it has no {SETTINGS_FILE}"
        raise IndexOpenError(msg) from None
    except (OSError, ValueError) as error:
        raise unreadable(folder.parent, error) from error
    settings_found = {key: value for key, value in found.items() if key != _ANALYSIS} if isinstance(found, dict) else {}
    if not checked and settings_found.get("format_version") != _WITHOUT_CHECKSUMS:
        raise IndexDamagedError(folder.parent, CHECKSUMS_FILE)
    return settings_found


def _check_settings(folder: Path, expected: Settings) -> None:
    found = _found_settings(folder)
    wanted = asdict(expected)
    if found.get("format_version") in (_WITHOUT_CHECKSUMS, _WITHOUT_VECTORS):
        wanted["format_version"] = found["format_version"]
    if found != wanted:
        differences = ", ".join(
            f"{key}: made with {found.get(key)!r}, asked for {wanted[key]!r}"
            for key in wanted
            if found.get(key) != wanted[key]
        )
        msg = (
            f"the index in {folder} was made with other settings ({differences or found}); "
            "open it with its own, or write the documents into a new folder"
        )
        raise IndexOpenError(msg)
