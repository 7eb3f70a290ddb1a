# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
From FAQ files or a corpus to an index in Elasticsearch: a new version of it, or changes to the live one.

A run may be killed anywhere. What it had done is kept in the version that it wrote into, and the next run with the same
entries goes on from there; every step before and after the writing can be done twice.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from answer_selection.indexing.building.removal import Removal
from answer_selection.indexing.elasticsearch import build_state as kept
from answer_selection.indexing.elasticsearch.build_state import Progress
from answer_selection.indexing.elasticsearch.connection import ElasticsearchError, clear_errors
from answer_selection.indexing.elasticsearch.documents import DocumentStream
from answer_selection.indexing.elasticsearch.errors import explain
from answer_selection.indexing.elasticsearch.pages import iter_hits
from answer_selection.indexing.elasticsearch.rejects import Rejects
from answer_selection.indexing.elasticsearch.retry import TemporaryError, patiently, server_patience
from answer_selection.indexing.elasticsearch.settings import IndexSettings
from answer_selection.indexing.elasticsearch.template import own_meta, put_live_settings, put_template, read_template
from answer_selection.indexing.elasticsearch.versions import (
    Version,
    await_copies,
    count_documents,
    count_operations,
    create_version,
    delete_versions,
    find_versions,
    live_one,
    make_live,
    version_name,
)
from answer_selection.indexing.elasticsearch.writer import Batch, BulkWriter, Operation
from answer_selection.indexing.entries import EntryError
from answer_selection.indexing.sources import Sources
from elastic_transport import ApiError, TransportError

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

# Each keeping is a change of the cluster's state, which is not free; a killed run does so much again.
KEEP_EVERY_SECONDS: Final = 2.0
_IDS_IN_A_PAGE = 10_000
_DELETIONS = 1000
# After a failure nothing is waited for long.
_QUICKLY = 5.0


class Change(StrEnum):
    """What may be done to an index that is there; one that is not there is built in any case."""

    NOTHING = "nothing"
    UPDATE = "update"
    REBUILD = "rebuild"


@dataclass(frozen=True, slots=True)
class VersionReport:
    """
    What building did.

    :param version: The version that was written into; None where a dry run found none.
    :param entries: Entries of the sources.
    :param written: How many of them this run sent (in a dry run: would send); the others were there.
    :param refused: Entries that the server refused, by this run or by the one that it went on from.
    :param documents: Documents that the version has now.
    :param live: Whether it is the live one now.
    :param settings_changed: Whether the version has other boosts or replicas now.
    :param replaced: The version that was live before, if another one took its place.
    :param errors: Entries that could not be read.
    :param removal: Entries that were gone from the sources, and so were removed, unless they were too many (in a dry
        run: would be).
    """

    version: str | None
    entries: int
    written: int
    refused: int
    documents: int
    live: bool
    settings_changed: bool = False
    replaced: str | None = None
    errors: list[EntryError] = field(default_factory=list)
    removal: Removal = field(default_factory=Removal)


@dataclass(frozen=True, slots=True)
class _Plan:
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
    start: Progress
    stream: DocumentStream
    abandoned: Version | None = None

    @property
    def into_live(self) -> bool:
        """Whether it is the live version that is written into."""
        return self.live is not None and self.live is self.version


def build_version(
    client: "Elasticsearch",
    name: str,
    sources: Sources,
    *,
    rejects: Path,
    change: Change = Change.NOTHING,
    settings: IndexSettings | None = None,
    remove_missing: bool = False,
    remove_many: bool = False,
    dry_run: bool = False,
    progress: Callable[[int], None] | None = None,
) -> VersionReport:
    """
    Write the entries of all sources into an index. Doing it twice changes nothing.

    An index that is not there is built, and gets its name when that is done; a build that was interrupted goes on.

    :param client: The cluster.
    :param name: The index's name.
    :param sources: FAQ files or corpus files.
    :param rejects: File for the entries that the server refuses.
    :param change: What may be done if the index is there.
    :param settings: What the index is; by default what it was, and for a new one the defaults.
    :param remove_missing: With an update, remove the entries that are not in the sources. Not done where an entry could
        not be read: it would be taken for gone.
    :param remove_many: Remove them even if they are more than a fifth of the index.
    :param dry_run: Write and remove nothing, only say what would be.
    :param progress: Called with the number of entries that are in the index so far.
    :returns: What was done.
    :raises ElasticsearchError: If the index was made from something else and must not be changed, something else has
        its name, its settings cannot be changed, or the cluster fails.
    :raises EntrySourceError: From strict sources, at the first entry that cannot be read.
    """
    # What fails is asked for again here, by patiently, which knows for how long.
    client = client.options(retry_on_status=(), retry_on_timeout=False)
    build = _Build(client, name, sources, Rejects(rejects), progress or (lambda _: None), remove_many=remove_many)
    with clear_errors():
        versions = find_versions(client, name)
        live = live_one(versions)
        if live is not None and not dry_run:
            build.restore_refreshing(live)
        if live is not None and change is not Change.REBUILD:
            if settings is not None:
                _check_settings(name, live, settings, change)
            plan = build.plan_live(live, change)
        else:
            settings = settings or read_template(client, name) or IndexSettings()
            plan = build.plan_new(versions, live, settings)
        with plan.stream:
            if dry_run:
                return build.foretell(plan, removing=remove_missing)
            return build.run(plan, settings, removing=remove_missing)


class _Build:
    """One run."""

    def __init__(
        self,
        client: "Elasticsearch",
        name: str,
        sources: Sources,
        rejects: Rejects,
        progress: Callable[[int], None],
        *,
        remove_many: bool,
    ) -> None:
        self.client, self.name, self.sources = client, name, sources
        self.remove_many = remove_many
        self.rejects, self.progress = rejects, progress
        self.id = uuid4().hex

    # --- what is to be done ---

    def plan_live(self, live: Version, change: Change) -> _Plan:
        """Find out what is to be written into the live version."""
        stream = DocumentStream(self.sources)
        if change is Change.NOTHING:
            problem = self._difference(live, stream)
            if problem is not None:
                stream.close()
                msg = f"{self.name} is there already, {problem}; --rebuild makes a new version, which takes its place"
                raise ElasticsearchError(msg)
        elif not self._goes_on(live, stream):
            stream.close()
            return _Plan(live, live, live.number, Progress(), DocumentStream(self.sources))
        return _Plan(live, live, live.number, live.progress, stream)

    def plan_new(self, versions: list[Version], live: Version | None, settings: IndexSettings) -> _Plan:
        """Find out how a version is to be built, or finished."""
        newest = versions[-1] if versions else None
        unfinished = newest if newest is not None and (live is None or newest.number > live.number) else None
        candidate = unfinished or live
        if candidate is not None and candidate.settings_digest == settings.digest:
            stream = DocumentStream(self.sources)
            if self._goes_on(candidate, stream) if unfinished else self._is_exactly(candidate, stream):
                return _Plan(live, candidate, candidate.number, candidate.progress, stream)
            stream.close()
        # A new number: what another run may still send to the abandoned one must not come into this one.
        number = newest.number + 1 if newest else 1
        return _Plan(live, None, number, Progress(), DocumentStream(self.sources), unfinished)

    def _goes_on(self, version: Version, stream: DocumentStream) -> bool:
        """Say whether what was written before is the beginning of what is to be written."""
        before = version.progress
        if before.complete and (before.refused or count_operations(self.client, version.name) != before.operations):
            return False
        return self.rejects.has(before.refused) and stream.starts_with(before.position, before.digest)

    def _difference(self, live: Version, stream: DocumentStream) -> str | None:
        """Say why a version is not what these entries would make of it, and what to do; None if it is."""
        before = live.progress
        if not before.complete:
            return "and an update of it was interrupted: --update goes on with that"
        if count_operations(self.client, live.name) != before.operations:
            return "and something else has changed it since: --update writes the entries again"
        if not stream.starts_with(before.position, before.digest) or next(iter(stream), None) is not None:
            return "made from other entries: --update adds these and replaces those that have changed"
        return None

    def _is_exactly(self, live: Version, stream: DocumentStream) -> bool:
        """Say whether a version has all of the entries and no other."""
        return (
            not live.progress.refused
            and self._difference(live, stream) is None
            and not stream.errors
            and count_documents(self.client, live.name) == stream.position
        )

    # --- doing it ---

    def foretell(self, plan: _Plan, *, removing: bool) -> VersionReport:
        """Say what a run would do."""
        for _ in plan.stream:
            pass
        removal = Removal()
        if removing and plan.version:
            removal = self._removal(plan.version, plan.stream, count_documents(self.client, plan.version.name))
        return self._report(plan, plan.version.name if plan.version else None, plan.start, removal)

    def run(self, plan: _Plan, settings: IndexSettings | None, *, removing: bool) -> VersionReport:
        """Do what is planned."""
        version = plan.version.name if plan.version else version_name(self.name, plan.number)
        writer = BulkWriter(self.client, version)
        batches = plan.stream.batches(writer.batch_bytes)
        first = next(batches, None)
        if plan.stream.position == 0:
            return self._report(plan, None, plan.start, Removal())
        changed = plan.version is not None and settings is not None and self._change_settings(plan.version, settings)
        progress = plan.start
        before = count_documents(self.client, version) if plan.version else 0
        removal = Removal()
        if removing and plan.version and not first:
            removal = self._removal(plan.version, plan.stream, before)
        if first or not progress.complete or (removal.ids and not removal.is_refused):
            progress = self._begin(plan, version, settings)
            with self._without_refreshing(version, progress, live=plan.into_live):
                progress = self._send(writer, chain([first] if first else [], batches), progress)
            self._refresh(version)
            if removing and plan.version:
                removal = self._removal(plan.version, plan.stream, before)
                if not removal.is_refused:
                    self._remove(plan.version, removal)
            self._check_count(plan, version, progress, removing=removing and not removal.is_refused)
            progress = replace(progress, operations=count_operations(self.client, version), refresh_interval=None)
            kept.keep(self.client, version, progress)
        if plan.live is None or not (progress.refused or plan.stream.errors):
            make_live(self.client, self.name, version)
        return replace(self._report(plan, version, progress, removal), settings_changed=changed)

    def _begin(self, plan: _Plan, version: str, settings: IndexSettings | None) -> Progress:
        """Make a version, or take over the one that is there."""
        self.rejects.begin(plan.start.refused)
        if plan.version is None:
            put_template(self.client, self.name, settings or IndexSettings())
            if plan.abandoned:
                delete_versions(self.client, [plan.abandoned])
            progress = Progress(run=self.id)
            create_version(self.client, self.name, plan.number, progress)
            await_copies(self.client, version)
            return progress
        interval = _refresh_interval(plan.version)
        progress = replace(plan.start, run=self.id, operations=None, refresh_interval=interval)
        kept.begin(self.client, version, progress)
        self._set_refreshing(version, "-1")
        await_copies(self.client, version)
        return progress

    def _send(self, writer: BulkWriter, batches: Iterable[Batch], progress: Progress) -> Progress:
        """Write, and keep now and then how far it is."""
        kept_at = float("-inf")
        self.progress(progress.position)
        try:
            with closing(writer.write(batches)) as written:
                for batch, refused in written:
                    self.rejects.add(refused)
                    progress = replace(
                        progress,
                        position=batch.position,
                        digest=batch.digest,
                        refused=progress.refused + len(refused),
                    )
                    self.progress(progress.position)
                    if monotonic() - kept_at >= KEEP_EVERY_SECONDS:
                        kept.keep(self.client, writer.index, progress)
                        kept_at = monotonic()
        except (ApiError, TransportError, TemporaryError) as error:
            msg = f"{explain(error)}; the same command goes on where this one stopped"
            raise ElasticsearchError(msg) from error
        return progress

    def _remove(self, version: Version, removal: Removal) -> None:
        """Remove what is not in the sources."""
        operations = [Operation(document_id, None) for document_id in removal.ids]
        batches = (Batch(operations[i : i + _DELETIONS]) for i in range(0, len(operations), _DELETIONS))
        for _ in BulkWriter(self.client, version.name).write(batches):
            pass
        self._refresh(version.name)

    def _removal(self, version: Version, stream: DocumentStream, before: int) -> Removal:
        """Find what is not in the sources; nothing, if something in them could not be read: it may be just that."""
        if stream.errors:
            return Removal()
        pages = iter_hits(self.client, version.name, ["id"], _IDS_IN_A_PAGE)
        # What has no id is none of ours; the count will tell.
        ids = ([hit["sort"][0] for hit in hits if hit["sort"][0] is not None] for hits in pages)
        missing = [document_id for page in ids for document_id in stream.ids.others(page)]
        return Removal(missing, before, self.remove_many)

    def _check_count(self, plan: _Plan, version: str, progress: Progress, *, removing: bool) -> None:
        """Make sure that every entry is there that was acknowledged."""
        documents = count_documents(self.client, version)
        least = progress.position - progress.refused
        # A live version may have had what the server refuses now, and what is not in the sources.
        most = least
        if plan.into_live:
            most = progress.position if removing and not plan.stream.errors else documents
        if not least <= documents <= most:
            kept.keep(self.client, version, Progress(run=self.id))
            msg = (
                f"{version} has {documents} documents, expected {least}: does something else write into it? "
                "The same command writes them all again"
            )
            raise ElasticsearchError(msg)

    def _report(self, plan: _Plan, version: str | None, progress: Progress, removal: Removal) -> VersionReport:
        live = live_one(find_versions(self.client, self.name))
        counted = version or (live.name if live else None)
        return VersionReport(
            version=version,
            entries=plan.stream.position,
            written=plan.stream.position - plan.start.position,
            refused=progress.refused,
            documents=count_documents(self.client, counted) if counted else 0,
            live=live is not None and live.name == version,
            replaced=plan.live.name if plan.live and live and live.name != plan.live.name else None,
            errors=plan.stream.errors,
            removal=removal,
        )

    # --- the version's settings ---

    def _change_settings(self, version: Version, settings: IndexSettings) -> bool:
        """Bring boosts and replicas of a version, and of those to come, up to date; say whether they were not."""
        if dict(version.settings) == settings.to_dict():
            return False
        put_template(self.client, self.name, settings)
        put_live_settings(self.client, version.name, settings)
        kept.begin(self.client, version.name, version.progress, own_meta(settings))
        return True

    def restore_refreshing(self, live: Version) -> None:
        """Let a version be refreshed again where a killed run had turned that off."""
        if live.refresh_interval != _refresh_interval(live):
            self._set_refreshing(live.name, _refresh_interval(live))

    @contextmanager
    def _without_refreshing(self, version: str, progress: Progress, *, live: bool) -> Iterator[None]:
        """Turn refreshing on again in the end; after a failure only where people search meanwhile."""
        try:
            yield
        except BaseException:
            if live:
                with suppress(ApiError, TransportError):
                    quick = self.client.options(request_timeout=_QUICKLY, max_retries=0)
                    _put_refreshing(quick, version, progress.refresh_interval)
            raise
        self._set_refreshing(version, progress.refresh_interval)

    def _set_refreshing(self, version: str, interval: str | None) -> None:
        patiently(lambda: _put_refreshing(self.client, version, interval))

    def _refresh(self, version: str) -> None:
        def refresh() -> None:
            if self.client.indices.refresh(index=version)["_shards"]["failed"]:
                msg = f"only a part of {version} could be refreshed"
                raise TemporaryError(msg)

        patiently(refresh)


def _put_refreshing(client: "Elasticsearch", version: str, interval: str | None) -> None:
    settings = {"refresh_interval": interval}
    client.indices.put_settings(index=version, settings=settings, master_timeout=server_patience())


def _refresh_interval(version: Version) -> str | None:
    """Give a version's own refresh interval, also while a run that was killed has turned refreshing off."""
    off = version.refresh_interval == "-1" and not version.progress.complete
    return version.progress.refresh_interval if off else version.refresh_interval


def _check_settings(name: str, live: Version, settings: IndexSettings, change: Change) -> None:
    """Make sure that a live version can get these settings."""
    wanted = settings.to_dict()
    changed = [key for key in wanted if live.settings.get(key) != wanted[key]]
    if live.settings_digest != settings.digest:
        what = f" ({', '.join(changed)})" if changed else ""
        msg = f"{name} was made with other settings{what}: --rebuild makes a new version with these"
        raise ElasticsearchError(msg)
    if changed and change is Change.NOTHING:
        msg = f"{name} has other settings ({', '.join(changed)}): --update changes them"
        raise ElasticsearchError(msg)
