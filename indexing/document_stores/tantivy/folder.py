# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The folder that an embedded index lives in: how it is made, recognised and opened."""

import json
import shutil
import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from answer_selection.indexing.analysis import ANALYSIS_VERSION, describe
from haystack_integrations.document_stores.tantivy.analysis import build_analyzer
from haystack_integrations.document_stores.tantivy.errors import IndexOpenError
from haystack_integrations.document_stores.tantivy.filters import FILTER_FIELD

import tantivy

INDEX_FOLDER = "index"
LOCK_FILE = ".tantivy-writer.lock"
META_FILE = "meta.json"
ID_FIELD = "id"
ORDER_FIELD = "order"
DOCUMENT_FIELD = "document"

_FORMAT_VERSION = 1
_SETTINGS_FILE = "settings.json"
_NEW_PREFIX = ".new-"
_ANALYZER = "text"
_ANALYSIS = "analysis"


@dataclass(frozen=True, slots=True)
class Settings:
    """What an index was made with and can't be changed without writing it anew."""

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
            msg = f"{path} is not an index: it holds other files ({listed}); name a new or empty folder"
            raise IndexOpenError(msg)
        return None
    _check_settings(folder, expected)
    try:
        index = tantivy.Index.open(str(folder))
    except (ValueError, OSError) as error:
        raise unreadable(path, error) from error
    index.register_tokenizer(_ANALYZER, build_analyzer(expected.language))
    # Readers look for new commits themselves, see DocumentStore; a watching thread for each store isn't needed.
    index.config_reader(reload_policy="manual")
    return index


def unreadable(path: Path, error: Exception) -> IndexOpenError:
    """
    Say why an index can't be read.

    :param path: The store's folder.
    :param error: What tantivy or the operating system said.
    :returns: The error to raise.
    """
    if "Lockfile" in str(error):
        return IndexOpenError(f"no lock can be taken in {path}; readers too must be able to write there: {error}")
    return IndexOpenError(
        f"the index in {path} can't be read, it may be damaged: {error}; if so, index into a new folder"
    )


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
        (new / _SETTINGS_FILE).write_text(json.dumps(written, indent=2) + "\n", encoding="utf-8")
        tantivy.Index(_schema(expected), path=str(new))
        new.rename(path / INDEX_FOLDER)
    except OSError:
        # Another process was faster: its index is used.
        if not (path / INDEX_FOLDER / _SETTINGS_FILE).is_file():
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
        msg = f"there is no index in {path}; write documents into it first"
        raise IndexOpenError(msg)
    found = _found_settings(path / INDEX_FOLDER)
    try:
        return Settings(**found)
    except TypeError as error:
        msg = f"the index in {path} was made by another version: its settings are {found}"
        raise IndexOpenError(msg) from error


def _found_settings(folder: Path) -> dict[str, Any]:
    path = folder / _SETTINGS_FILE
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        msg = f"{folder} is not an index of this store: it has no {_SETTINGS_FILE}"
        raise IndexOpenError(msg) from None
    except (OSError, ValueError) as error:
        raise unreadable(folder.parent, error) from error
    return {key: value for key, value in found.items() if key != _ANALYSIS} if isinstance(found, dict) else {}


def _check_settings(folder: Path, expected: Settings) -> None:
    found = _found_settings(folder)
    wanted = asdict(expected)
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
