# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The index template: settings in the form in which Elasticsearch has them, for every version of one index."""

from collections.abc import Iterable
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

from answer_selection.indexing.analysis import CJK_RANGES, MAX_TERM, TOKENIZER, describe
from answer_selection.indexing.computed_fields import COMPUTED_FIELDS
from answer_selection.indexing.elasticsearch.connection import ElasticsearchError, clear_errors
from answer_selection.indexing.elasticsearch.retry import patiently, server_patience
from answer_selection.indexing.elasticsearch.settings import IndexSettings

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

OWN_META: Final = "answer_selection"
"""The key of this package in the `_meta` of its templates and of the mappings of its indexes."""

STORED_ONLY: Final = {
    # Whatever comes: it is kept with the document and looked at by nobody, so that it costs searches nothing.
    "embedding": {"type": "object", "enabled": False},
    **{
        name: {"type": "keyword", "index": False, "doc_values": False}
        for name in (
            *COMPUTED_FIELDS,
            "answer_vector",
            "answer_vector_fingerprint",
            "parse_tree",
        )
    },
}
"""
Fields of answers' vectors (`Document.embedding` or, as a string, metadata of this name) and of parse trees. With an
encoder, `embedding` is searched.
"""

# Above the 100 of the server's own templates.
_PRIORITY = 500
# A keyword may have 32,766 bytes; a character has at most four. Longer strings are kept, but no filter finds them.
_MAX_KEYWORD = 32_766 // 4
_MAX_NAME_BYTES = 200
_INDEX_ANALYZER, _SEARCH_ANALYZER = "text", "text_search"
_SYNONYMS = "synonyms"


def check_name(name: str) -> None:
    """
    Make sure that a name can be that of an index.

    :param name: The name.
    :raises ValueError: If Elasticsearch would refuse it.
    """
    if (
        not name
        or name != name.lower()
        or name[0] in "-_+."
        or any(character in '\\/*?"<>|,#:' or character.isspace() for character in name)
        or len(name.encode()) > _MAX_NAME_BYTES
    ):
        msg = (
            f"{name!r} can't be the name of an index; expected lower-case letters, digits, '-' and '_', "
            "beginning with a letter or a digit"
        )
        raise ValueError(msg)


def index_template(name: str, settings: IndexSettings) -> dict[str, Any]:
    """
    Give the index template of one index, as `PUT /_index_template/NAME` takes it.

    Versions are named `NAME-000001`, so the pattern is `NAME-0*`: with `NAME-*` the template of `faq` would apply to an
    index `faq-archive` too. Where one name's pattern still covers another's (`faq` and `faq-0`), the longer name wins.

    :param name: The index's name, an alias; its versions are `NAME-000001` and so on.
    :param settings: What the index is.
    :returns: The template.
    :raises ValueError: If the name is not possible.
    """
    check_name(name)
    own = own_meta(settings)
    return {
        "index_patterns": [f"{name}-0*"],
        "priority": _PRIORITY + len(name),
        # A version is made by the `index` command alone, never by a document that comes for one that was deleted.
        "allow_auto_create": False,
        "template": {
            "settings": {
                "index": {
                    "number_of_shards": settings.shards,
                    **live_settings(settings),
                    "similarity": {"default": {"type": "BM25", "k1": settings.k1, "b": settings.b}},
                    "mapping": {"total_fields": {"ignore_dynamic_beyond_limit": True}},
                    "analysis": _analysis(settings),
                }
            },
            "mappings": {**_mappings(settings), "_meta": {OWN_META: own}},
        },
        "_meta": {OWN_META: own},
    }


def own_meta(settings: IndexSettings) -> dict[str, Any]:
    """
    Give what template and mapping keep about where they come from, under :data:`OWN_META`.

    :param settings: What the index is.
    :returns: The package's version, the settings, their digest, and the names of the analysis.
    """
    return {
        "version": version("answer-selection-haystack"),
        "settings": settings.to_dict(),
        "settings_digest": settings.digest,
        "analysis": describe(settings.language),
    }


def live_settings(settings: IndexSettings) -> dict[str, Any]:
    """
    Give those settings of an index that can be changed while it is in use: boosts and replicas.

    :param settings: What the index is.
    :returns: Settings, as `PUT /INDEX/_settings` takes them.
    """
    replicas: dict[str, Any] = (
        {"auto_expand_replicas": "0-1"}
        if settings.replicas is None
        else {"auto_expand_replicas": "false", "number_of_replicas": settings.replicas}
    )
    boosted = [f"{field}^{boost:g}" for field, boost in settings.search_fields.items()]
    return {**replicas, "query": {"default_field": boosted}}


def put_template(client: "Elasticsearch", name: str, settings: IndexSettings) -> None:
    """
    Make the template of an index, or bring it up to date.

    :param client: The cluster.
    :param name: The index's name.
    :param settings: What the index is.
    :raises ElasticsearchError: If the server refuses it, or a template of this name is not ours.
    """
    template = index_template(name, settings)
    read_template(client, name)
    with clear_errors():
        arguments = {**_as_arguments(template), "master_timeout": server_patience()}
        patiently(lambda: client.indices.put_index_template(name=name, **arguments))


def read_template(client: "Elasticsearch", name: str) -> IndexSettings | None:
    """
    Read what the next version of an index would be made with.

    :param client: The cluster.
    :param name: The index's name.
    :returns: The settings; None if there is no template of this name.
    :raises ElasticsearchError: If a template of this name is not ours.
    """
    with clear_errors():
        if not patiently(lambda: client.indices.exists_index_template(name=name, master_timeout=server_patience())):
            return None
        answer = patiently(lambda: client.indices.get_index_template(name=name, master_timeout=server_patience()))
        found = answer["index_templates"][0]["index_template"]
    if OWN_META not in found.get("_meta", {}):
        msg = f"there is an index template {name!r} that answer-selection did not make: take another name"
        raise ElasticsearchError(msg)
    analysis = found["template"]["settings"]["index"]["analysis"]
    rules = analysis["filter"].get(_SYNONYMS, {}).get("synonyms", ())
    return IndexSettings.from_dict(found["_meta"][OWN_META]["settings"], synonym_rules=rules)


def put_live_settings(client: "Elasticsearch", index: str, settings: IndexSettings) -> None:
    """
    Change boosts and replicas of an index that is in use.

    :param client: The cluster.
    :param index: An index, or an alias.
    :param settings: What it should be; all but boosts and replicas is left out.
    :raises ElasticsearchError: If there is no such index, or the server refuses.
    """
    with clear_errors():
        wanted = {"index": live_settings(settings)}
        patiently(lambda: client.indices.put_settings(index=index, settings=wanted, master_timeout=server_patience()))


def put_stored_only(client: "Elasticsearch", index: str, fields: Iterable[str]) -> None:
    """
    Make sure that fields are only stored, also in an index that was made before its template had them.

    :param client: The cluster.
    :param index: An index.
    :param fields: Which ones; those that are not of :data:`STORED_ONLY` are passed over.
    :raises ElasticsearchError: If it has one of them as something else, or the server refuses.
    """
    from elasticsearch import BadRequestError

    wanted = {field: STORED_ONLY[field] for field in fields if field in STORED_ONLY}
    with clear_errors():
        try:
            patiently(
                lambda: client.indices.put_mapping(index=index, properties=wanted, master_timeout=server_patience())
            )
        except BadRequestError as error:
            reason = error.body["error"]["reason"]
            msg = (
                f"{index} has one of the fields {', '.join(wanted)} with a mapping that answers' vectors can't use "
                f"({reason}). Name another field in the ranker's vector_meta_field"
            )
            raise ElasticsearchError(msg) from error


def _as_arguments(template: dict[str, Any]) -> dict[str, Any]:
    return {"meta" if key == "_meta" else key: value for key, value in template.items()}


def _analysis(settings: IndexSettings) -> dict[str, Any]:
    filters: dict[str, Any] = {"longest_term": {"type": "length", "max": MAX_TERM}}
    chain = ["longest_term", "lowercase"]
    if settings.language is not None:
        stemmer = f"snowball_{settings.language}"
        filters[stemmer] = {"type": "snowball", "language": settings.language.capitalize()}
        chain.append(stemmer)
    search_chain = list(chain)
    if settings.synonym_rules:
        # Last, since the rules go through the filters before: so they match every form of their words.
        filters[_SYNONYMS] = {"type": "synonym_graph", "synonyms": list(settings.synonym_rules)}
        search_chain.append(_SYNONYMS)
    return {
        "tokenizer": {TOKENIZER: {"type": "pattern", "pattern": _term_pattern(), "group": 0}},
        "filter": filters,
        "analyzer": {
            _INDEX_ANALYZER: {"type": "custom", "tokenizer": TOKENIZER, "filter": chain},
            _SEARCH_ANALYZER: {"type": "custom", "tokenizer": TOKENIZER, "filter": search_chain},
        },
    }


def _term_pattern() -> str:
    """A term, in Java's syntax: a run of letters and digits, or one that is a Chinese or Japanese character."""
    cjk = "".join(rf"\x{{{first:x}}}-\x{{{last:x}}}" for first, last in CJK_RANGES)
    alphanumeric = r"\p{IsAlphabetic}\p{N}"
    return f"[{alphanumeric}&&[^{cjk}]]+|[{alphanumeric}]"


def _mappings(settings: IndexSettings) -> dict[str, Any]:
    text = {"type": "text", "analyzer": _INDEX_ANALYZER, "search_analyzer": _SEARCH_ANALYZER}
    keyword = {"type": "keyword", "ignore_above": _MAX_KEYWORD}
    embedding = {}
    if settings.encoder is not None:
        embedding["embedding"] = {
            "type": "dense_vector",
            "dims": settings.encoder.dimension,
            "index": True,
            "similarity": "cosine",
            # The server's own default keeps a byte or a bit of each number, and a hit's score is no cosine then.
            "index_options": {"type": "hnsw", "m": 16, "ef_construction": 100},
        }
    # A document's metadata are fields beside its content: that is where the integration's filters look for them.
    return {
        "date_detection": False,
        "dynamic_templates": [
            {"strings": {"match_mapping_type": "string", "mapping": keyword}},
            # One type for all numbers: a field whose first value is whole may have others later.
            {"whole_numbers": {"match_mapping_type": "long", "mapping": {"type": "double"}}},
            {"numbers": {"match_mapping_type": "double", "mapping": {"type": "double"}}},
        ],
        "properties": {
            "id": {"type": "keyword"},
            "entry_id": {"type": "keyword"},
            **STORED_ONLY,
            **embedding,
            **dict.fromkeys(("content", "question", *settings.search_fields), text),
        },
    }
