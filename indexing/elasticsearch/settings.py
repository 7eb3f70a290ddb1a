# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The settings of an index in Elasticsearch: language, synonyms, BM25, search fields, shards, replicas, the encoder."""

import hashlib
import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from answer_selection.indexing.analysis import check_language, describe
from answer_selection.indexing.elasticsearch.synonyms import read_synonyms
from answer_selection.indexing.encoder import EncoderRecord
from answer_selection.indexing.search_fields import DEFAULT_SEARCH_FIELDS, check_boosts
from answer_selection.indexing.yaml_text import parse_yaml, read_yaml

# What Elasticsearch allows.
_MAX_SHARDS = 1024
# Fields of the documents that are no text.
_NOT_TEXT = ("id", "entry_id", "score", "blob", "embedding", "sparse_embedding", "meta")
# What a file of settings has no key for: the encoder is an option of its own, for both stores.
_NOT_IN_FILES = ("encoder", "passages", "words")


class IndexSettingsError(ValueError):
    """The settings of an index cannot be used; the message names the key and what was expected."""


@dataclass(frozen=True, slots=True)
class IndexSettings:
    """
    What an index is made with.

    Boosts and replicas can be changed on a live index; everything else needs a new version of it.

    :param language: Language of stemming, or None for no stemming.
    :param synonyms: A synonym file in Solr's format, or None. Its rules are part of the settings: the servers need no
        file. They are used on questions, not on what is indexed.
    :param k1: BM25's saturation of a term's frequency.
    :param b: BM25's normalization by length.
    :param search_fields: Fields that a question is searched in, with their boosts: "content" is the answer, any other
        is the metadata of that name.
    :param shards: Primary shards.
    :param replicas: Copies of each shard; None is one where there is a second node, else none.
    :param encoder: What makes the documents' vectors; None if they have none.
    :param passages: Whether documents have vectors of their passages too; those of earlier versions have none.
    :param words: The fingerprint of what read the documents' words; None if they were not read.
    """

    language: str | None = "english"
    synonyms: Path | None = None
    k1: float = 1.2
    b: float = 0.75
    search_fields: Mapping[str, float] = field(default_factory=lambda: dict(DEFAULT_SEARCH_FIELDS))
    shards: int = 1
    replicas: int | None = None
    encoder: EncoderRecord | None = None
    passages: bool = False
    words: str | None = None
    synonym_rules: tuple[str, ...] = field(init=False, default=())

    def __post_init__(self) -> None:
        """
        Check every value, and read the synonyms.

        :raises ValueError: naming the key, what it is and what was expected.
        """
        check_language(self.language)
        _check_number("k1", self.k1)
        _check_number("b", self.b, most=1)
        _check_integer("shards", self.shards, least=1, most=_MAX_SHARDS)
        if self.replicas is not None:
            _check_integer("replicas", self.replicas, least=0)
        _check_search_fields(self.search_fields)
        if self.synonyms is not None:
            object.__setattr__(self, "synonym_rules", read_synonyms(Path(self.synonyms)))

    def to_dict(self) -> dict[str, Any]:
        """
        Give the settings as JSON has them, with a digest of the synonyms' rules in the place of their file.

        :returns: All settings by their names; no encoder, passages and words where there are none, as in indexes
            that know of none.
        """
        return {
            "language": self.language,
            "synonyms": _sha256(self.synonym_rules) if self.synonym_rules else None,
            "k1": float(self.k1),
            "b": float(self.b),
            "search_fields": {name: float(boost) for name, boost in self.search_fields.items()},
            "shards": self.shards,
            "replicas": self.replicas,
            **({"encoder": asdict(self.encoder)} if self.encoder else {}),
            **({"passages": True} if self.passages else {}),
            **({"words": self.words} if self.words else {}),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], *, synonym_rules: Iterable[str] = ()) -> "IndexSettings":
        """
        Make settings from what :meth:`to_dict` gave.

        :param data: All settings by their names.
        :param synonym_rules: The synonyms' rules, of which `data` has only a digest.
        :returns: The settings.
        """
        settings = cls(**{**data, "synonyms": None, "encoder": read_encoder(data)})
        object.__setattr__(settings, "synonym_rules", tuple(synonym_rules))
        return settings

    def with_encoder(
        self, encoder: EncoderRecord | None, *, passages: bool = True, words: str | None = None
    ) -> "IndexSettings":
        """
        Give the same settings with another encoder.

        :param encoder: What makes the documents' vectors; None if they have none.
        :param passages: Whether it makes those of passages too.
        :param words: The fingerprint of what reads the documents' words; None if nothing does.
        :returns: New settings.
        """
        data = {name: value for name, value in self.to_dict().items() if name not in _NOT_IN_FILES}
        encoded = {"encoder": asdict(encoder), "passages": passages, "words": words} if encoder else {}
        return IndexSettings.from_dict({**data, **encoded}, synonym_rules=self.synonym_rules)

    @property
    def digest(self) -> str:
        """A digest of the settings that need a rebuild to change: all but boosts, replicas and the encoder's name."""
        fixed = {
            **self.to_dict(),
            "analysis": describe(self.language),
            "search_fields": sorted(self.search_fields),
            "replicas": None,
        }
        if self.encoder:
            fixed["encoder"] = self.encoder.fingerprint
        return _sha256(fixed)


def read_encoder(data: Mapping[str, Any]) -> EncoderRecord | None:
    """
    Read which encoder made an index's vectors.

    :param data: What :meth:`IndexSettings.to_dict` gave.
    :returns: The encoder; None if there are no vectors.
    """
    return EncoderRecord(**data["encoder"]) if data.get("encoder") else None


def read_index_settings(path: str | Path) -> IndexSettings:
    """
    Read settings from a YAML file; what it leaves out has its default.

    :param path: The file. A synonym file in it is looked for beside it.
    :returns: The settings.
    :raises IndexSettingsError: If there is no such file, or something in it is not known or not possible.
    """
    path = Path(path)
    known = [item.name for item in fields(IndexSettings) if item.init and item.name not in _NOT_IN_FILES]
    try:
        _, data = parse_yaml(read_yaml(path), str(path))
    except OSError as error:
        msg = f"{path}: {error.strerror}; expected a YAML file with index settings"
        raise IndexSettingsError(msg) from error
    except ValueError as error:
        raise IndexSettingsError(str(error)) from error
    data = {} if data is None else data
    if not isinstance(data, dict):
        msg = f"{path}: expected keys and values ({', '.join(known)}), found {type(data).__name__}"
        raise IndexSettingsError(msg)
    if unknown := [str(key) for key in data if key not in known]:
        msg = f"{path}: unknown key {unknown[0]!r}; expected {', '.join(known)}"
        raise IndexSettingsError(msg)
    try:
        if (synonyms := data.get("synonyms")) is not None:
            if not isinstance(synonyms, str):
                msg = f"synonyms is {synonyms!r}; expected the name of a file"
                raise IndexSettingsError(msg)
            data["synonyms"] = path.parent / synonyms
        return IndexSettings(**data)
    except ValueError as error:
        msg = f"{path}: {error}"
        raise IndexSettingsError(msg) from error


def _sha256(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def _check_search_fields(search_fields: Mapping[str, float]) -> None:
    check_boosts(search_fields)
    for name in search_fields:
        if not name or name.strip() != name or set(name) & set("*^."):
            msg = f"search_fields has the field {name!r}; expected a name without `*`, `^` and `.`"
            raise IndexSettingsError(msg)
        if name in _NOT_TEXT:
            msg = f"search_fields has the field {name!r}, which is no text"
            raise IndexSettingsError(msg)


def _check_number(name: str, value: object, *, most: float | None = None) -> None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 0 <= value <= (sys.float_info.max if most is None else most):  # type: ignore[operator]
        limit = "at least 0" if most is None else f"from 0 to {most}"
        msg = f"{name} is {value!r}; expected a number, {limit}"
        raise IndexSettingsError(msg)


def _check_integer(name: str, value: object, *, least: int, most: int | None = None) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < least or (most is not None and value > most):
        limit = f"at least {least}" if most is None else f"from {least} to {most}"
        msg = f"{name} is {value!r}; expected a whole number, {limit}"
        raise IndexSettingsError(msg)
