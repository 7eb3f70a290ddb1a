# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Many searches in one request, for ids and scores alone; those that fail are asked again, without the others."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import shorten
from threading import Event
from typing import TYPE_CHECKING, Any, Final, Protocol, Self

from answer_selection.indexing.elasticsearch.connection import ElasticsearchError, clear_errors
from answer_selection.indexing.elasticsearch.hybrid import BM25, request
from answer_selection.indexing.elasticsearch.question import Question
from answer_selection.indexing.elasticsearch.retry import PASSING, TemporaryError, patiently

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

# Equal scores in the order of the ids, which is the same for every copy of a shard; the servers' own order is not. Both
# are told with each hit, so that nothing has to be fetched.
_IDS_ALONE: Final = {"sort": ["_score", {"id": "asc"}], "stored_fields": "_none_"}
_WANTED: Final = ",".join(
    f"responses.{part}"
    for part in ("error", "status", "timed_out", "_shards.failed", "hits.hits.sort", "hits.hits.matched_queries")
)
_TOO_LONG = re.compile(r"maxClauseCount is set to (\d+)")

Hits = list[dict[str, Any]]


class Search(Protocol):
    """A question that is asked by one search, or by several at once."""

    @property
    def question(self) -> Question:
        """The question."""
        ...

    def bodies(self) -> Mapping[str, Mapping[str, Any]]:
        """Give the searches' bodies by their names."""
        ...

    def within(self, clauses: int) -> Self:
        """Give what is asked of a server that allows so many clauses."""
        ...


@dataclass(frozen=True, slots=True)
class WordSearch:
    """
    A search by words.

    :param question: The words.
    :param top_k: Greatest number of documents.
    :param boosts: The fields that are searched, with their boosts.
    """

    question: Question
    top_k: int
    boosts: Mapping[str, float]

    def bodies(self) -> dict[str, dict[str, Any]]:
        """
        Give the search.

        :returns: Its body by its name.
        """
        return {BM25: {"query": self.question.query(self.boosts), "size": self.top_k, "track_total_hits": False}}

    def within(self, clauses: int) -> "WordSearch":
        """
        Give a search for a server that took this one's question for too long.

        :param clauses: So many clauses a search may have.
        :returns: The search.
        """
        return WordSearch(self.question.shorter(clauses // len(self.boosts)), self.top_k, self.boosts)


def find(client: "Elasticsearch", index: str, searches: Sequence[Search], stop: Event) -> list[dict[str, Hits]]:
    """
    Ask some searches.

    :param client: The cluster.
    :param index: The index.
    :param searches: The searches.
    :param stop: When this is set, the next failure is the last.
    :returns: For each, in order, the hits by the names of its bodies. :func:`scored` reads one; its `matched_queries`
        are there too.
    :raises ElasticsearchError: If one fails, and on trying again; the message names the question.
    """
    found: dict[int, dict[str, Hits]] = {}
    left = dict(enumerate(searches))

    def ask() -> None:
        problem = None
        bodies = {place: search.bodies() for place, search in left.items()}
        answers = iter(_answers(client, index, [body for each in bodies.values() for body in each.values()]))
        for place, names in bodies.items():
            question, answered = left[place].question, {name: next(answers) for name in names}
            failed = [(why, answer) for answer in answered.values() if (why := _failure(answer)) is not None]
            if not failed:
                found[place] = {name: answer.get("hits", {}).get("hits", []) for name, answer in answered.items()}
                del left[place]
                continue
            for why, answer in failed:
                told = f"query {shorten(question.text, 80)!r}: {why}"
                if limit := _TOO_LONG.search(why):
                    shorter = left[place].within(int(limit[1]))
                    if shorter.bodies() == left[place].bodies():
                        raise ElasticsearchError(told)
                    left[place] = shorter
                    break
                if "error" in answer and answer["status"] not in PASSING:
                    raise ElasticsearchError(told)
                problem = told
        if problem:
            raise TemporaryError(problem)

    with clear_errors():
        while left:
            patiently(ask, stop)
    return [found[place] for place in range(len(searches))]


def scored(hit: Mapping[str, Any]) -> tuple[str, float]:
    """
    Read a hit of :func:`find`.

    :param hit: The hit.
    :returns: The document's id, and the server's score.
    """
    score, id_ = hit["sort"]
    return id_, score


def _answers(client: "Elasticsearch", index: str, bodies: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    ids_alone = [{**{key: body[key] for key in body if key != "_source"}, **_IDS_ALONE} for body in bodies]
    answers: list[dict[str, Any]] = client.perform_request(**request(index, ids_alone, _WANTED)).body["responses"]
    return answers


def _failure(answer: Mapping[str, Any]) -> str | None:
    """Why an answer to one of many searches is none; None if it is one."""
    if error := answer.get("error"):
        # What the shards said is deep inside.
        causes = [failed["reason"] for failed in error.get("failed_shards", ())] or [error]
        reasons = [str(cause.get("reason")) for cause in causes]
        reasons += [str(cause["caused_by"].get("reason")) for cause in causes if "caused_by" in cause]
        return "; ".join(dict.fromkeys(reasons))
    if answer["timed_out"]:
        return "the search timed out"
    if failed := answer["_shards"]["failed"]:
        return f"{failed} shards failed"
    return None
