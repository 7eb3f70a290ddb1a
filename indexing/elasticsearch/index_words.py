# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The words of an index in Elasticsearch: their language, and how many documents hold them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from answer_selection.indexing.elasticsearch.question import Question
from answer_selection.indexing.elasticsearch.template import OWN_META

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch


def language(client: "Elasticsearch", index: str) -> str | None:
    """
    Find out the language of an index's stemmer.

    :param client: The cluster.
    :param index: The index's name.
    :returns: The language; None if the index has no stemmer, or `answer-selection index` did not make it.
    :raises elasticsearch.ApiError: If there is no such index.
    """
    path = f"*.mappings._meta.{OWN_META}.settings.language"
    found = client.indices.get_mapping(index=index, filter_path=path).body
    languages = {each["mappings"]["_meta"][OWN_META]["settings"]["language"] for each in found.values()}
    return languages.pop() if len(languages) == 1 else None


def document_frequencies(client: "Elasticsearch", index: str, words: Sequence[str]) -> dict[str, int]:
    """
    Count the documents that hold a word in one of the index's search fields, in any form that has its stem.

    :param client: The cluster.
    :param index: The index's name.
    :param words: The words.
    :returns: The numbers of documents by the words.
    :raises elasticsearch.ApiError: If the server refuses the search.
    """
    if not words:
        return {}
    filters = [Question(word).query(None) for word in words]
    counted = client.search(
        index=index, size=0, track_total_hits=False, aggregations={"words": {"filters": {"filters": filters}}}
    )
    buckets = counted["aggregations"]["words"]["buckets"]
    return {word: bucket["doc_count"] for word, bucket in zip(words, buckets, strict=True)}
