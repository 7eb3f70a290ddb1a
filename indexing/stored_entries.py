# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The entries of an index, as the files had them that it was made of."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from haystack import Document

from answer_selection.indexing.computed_fields import EMBEDDER_FIELDS
from answer_selection.indexing.corpus_index import CorpusIndex
from answer_selection.indexing.entries import Entry
from answer_selection.indexing.text.tree import TREE_FIELD

# What stands behind the name of a vector in the metadata, and its fingerprint.
_FINGERPRINT: Final = "_fingerprint"


def iter_stored_entries(index: CorpusIndex) -> Iterator[Entry]:
    """
    Read the entries of an index.

    What was computed from them is left out: vectors with their fingerprints, those of passages too, word states and
    parse trees.

    :param index: The index, in either store.
    :returns: The entries in the order of the index's pages. One without text has the empty string as its answer.
    :raises haystack_integrations.document_stores.tantivy.IndexOpenError: If there is no index in the folder.
    :raises answer_selection.indexing.elasticsearch.errors.ElasticsearchError: If the cluster fails.
    """
    for page in index.iter_pages(["id", "content", "meta"]):
        for row in page:
            meta = own_meta(row["meta"])
            question, entry_id = meta.pop("question", None), meta.pop("entry_id", row["id"])
            yield Entry(str(entry_id), row["content"] or "", None if question is None else str(question), meta)


def entry_of(document: Document) -> str:
    """
    Name the entry that a document stands for.

    :param document: A document of any store; several may be parts of one entry.
    :returns: The entry's id.
    """
    return str(document.meta.get("entry_id", document.id))


def own_meta(meta: Mapping[str, Any]) -> dict[str, Any]:
    """
    Leave out what was computed from an entry.

    :param meta: A document's metadata.
    :returns: Those that are the entry's own.
    """
    return {key: value for key, value in meta.items() if not is_computed(key, meta)}


def is_computed(key: str, meta: Mapping[str, Any]) -> bool:
    """
    Tell what was computed from an entry from what is its own.

    :param key: A key of a document's metadata.
    :param meta: The metadata.
    :returns: Whether it is that of a vector or its fingerprint, of word states or of a parse tree.
    """
    if key in (*EMBEDDER_FIELDS, TREE_FIELD) or key + _FINGERPRINT in meta:
        return True
    return key.endswith(_FINGERPRINT) and key.removesuffix(_FINGERPRINT) in meta
