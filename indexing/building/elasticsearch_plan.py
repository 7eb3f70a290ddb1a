# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The plan of a run: which version in Elasticsearch it writes, and from which entry on."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from answer_selection.indexing.elasticsearch.build_state import BuildState
from answer_selection.indexing.elasticsearch.connection import ElasticsearchError
from answer_selection.indexing.elasticsearch.documents import DocumentStream
from answer_selection.indexing.elasticsearch.rejects import Rejects
from answer_selection.indexing.elasticsearch.settings import IndexSettings
from answer_selection.indexing.elasticsearch.versions import Version, count_documents, count_operations
from answer_selection.indexing.sources import Sources

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch


@dataclass(frozen=True, slots=True)
class Plan:
    """
    What is to be done.

    :param live: The version that is live now.
    :param version: The version to write into; None for a new one.
    :param number: Its number.
    :param start: What was done before.
    :param stream: The documents, of which those are read that were written before.
    :param abandoned: A version that was never finished and is of no use.
    """

    live: Version | None
    version: Version | None
    number: int
    start: BuildState
    stream: DocumentStream
    abandoned: Version | None = None

    @property
    def into_live(self) -> bool:
        """Whether it is the live version that is written into."""
        return self.live is not None and self.live is self.version


class Planner:
    """
    Finds out what is to be written, and where to.

    :param client: The cluster.
    :param name: The index's name.
    :param sources: The entries.
    :param rejects: The file for those that the server refused.
    """

    def __init__(self, client: "Elasticsearch", name: str, sources: Sources, rejects: Rejects) -> None:
        self.client, self.name, self.sources, self.rejects = client, name, sources, rejects

    def as_it_is(self, live: Version) -> Plan:
        """
        Plan to leave the live version what it is.

        :param live: The version.
        :returns: The plan.
        :raises ElasticsearchError: If the entries would make something else of it.
        """
        stream = DocumentStream(self.sources)
        if (problem := self._difference(live, stream)) is not None:
            stream.close()
            msg = f"{self.name} already exists, {problem}, or --rebuild to make a new version that replaces it"
            raise ElasticsearchError(msg)
        return Plan(live, live, live.number, live.state, stream)

    def update(self, live: Version) -> Plan:
        """
        Plan to write into the live version.

        :param live: The version.
        :returns: The plan.
        """
        stream = DocumentStream(self.sources)
        if self._goes_on(live, stream):
            return Plan(live, live, live.number, live.state, stream)
        stream.close()
        return Plan(live, live, live.number, BuildState(), DocumentStream(self.sources))

    def build(self, versions: list[Version], live: Version | None, settings: IndexSettings) -> Plan:
        """
        Plan how a version is to be built, or finished.

        :param versions: The versions that there are, by their numbers.
        :param live: The live one.
        :param settings: What the version is to be made with.
        :returns: The plan.
        """
        newest = versions[-1] if versions else None
        unfinished = newest if newest is not None and (live is None or newest.number > live.number) else None
        candidate = unfinished or live
        if candidate is not None and candidate.settings_digest == settings.digest:
            stream = DocumentStream(self.sources)
            if self._goes_on(candidate, stream) if unfinished else self._is_exactly(candidate, stream):
                return Plan(live, candidate, candidate.number, candidate.state, stream)
            stream.close()
        # A new number: what another run may still send to the abandoned one must not come into this one.
        number = newest.number + 1 if newest else 1
        return Plan(live, None, number, BuildState(), DocumentStream(self.sources), unfinished)

    def _goes_on(self, version: Version, stream: DocumentStream) -> bool:
        """Say whether what was written before is the beginning of what is to be written."""
        before = version.state
        if before.complete and (before.refused or count_operations(self.client, version.name) != before.operations):
            return False
        return self.rejects.has(before.refused) and stream.starts_with(before.position, before.digest)

    def _difference(self, live: Version, stream: DocumentStream) -> str | None:
        """Say why a version is not what these entries would make of it, and what to do; None if it is."""
        before = live.state
        if not before.complete:
            return "and an update of it was interrupted. Pass --update to continue it"
        if count_operations(self.client, live.name) != before.operations:
            return "and something else has changed it since. Pass --update to write the entries again"
        if not stream.starts_with(before.position, before.digest) or next(iter(stream), None) is not None:
            return "made from other entries. Pass --update to add these and replace changed ones"
        return None

    def _is_exactly(self, live: Version, stream: DocumentStream) -> bool:
        """Say whether a version has all of the entries and no other."""
        return (
            not live.state.refused
            and self._difference(live, stream) is None
            and not stream.found.errors
            and count_documents(self.client, live.name) == stream.position
        )
