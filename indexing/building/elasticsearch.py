# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
From FAQ files or a corpus to an index in Elasticsearch: a new version of it, or changes to the live one.

A run may be killed anywhere. What it had done is kept in the version that it wrote into, and the next run with the same
entries goes on from there; every step before and after the writing can be done twice.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from elastic_transport import ApiError, TransportError

from answer_selection.indexing.artifact import changed
from answer_selection.indexing.building.elasticsearch_plan import Plan, Planner
from answer_selection.indexing.building.elasticsearch_vectors import BatchVectors
from answer_selection.indexing.building.removal import Removal
from answer_selection.indexing.elasticsearch import build_state
from answer_selection.indexing.elasticsearch.alias_swap import make_live
from answer_selection.indexing.elasticsearch.build_state import BuildState
from answer_selection.indexing.elasticsearch.connection import ElasticsearchError, clear_errors
from answer_selection.indexing.elasticsearch.documents import DocumentStream
from answer_selection.indexing.elasticsearch.errors import explain
from answer_selection.indexing.elasticsearch.pages import iter_hits
from answer_selection.indexing.elasticsearch.refreshing import (
    NEVER,
    own_interval,
    refresh,
    restore_refreshing,
    set_refreshing,
    without_refreshing,
)
from answer_selection.indexing.elasticsearch.rejects import Rejects
from answer_selection.indexing.elasticsearch.retry import TemporaryError
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
    version_name,
)
from answer_selection.indexing.elasticsearch.writer import Batch, BulkWriter, Operation
from answer_selection.indexing.encoder import EncoderRecord, TextEncoder
from answer_selection.indexing.sources import Sources, SourcesReport
from answer_selection.indexing.word_states import ReadsWords

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

# Each keeping is a change of the cluster's state, which is not free; a killed run does so much again.
KEEP_EVERY_SECONDS: Final = 2.0
_IDS_IN_A_PAGE = 10_000
_DELETIONS = 1000


class Change(StrEnum):
    """What a run may do to an existing index. A missing one is built in any case."""

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
    :param encoded: How many of the written were encoded; the others had their vectors, or no encoder was given.
    :param settings_changed: Whether the version has other boosts or replicas now.
    :param replaced: The version that was live before, if another one took its place.
    :param found: What was found in each source, and what could not be read.
    :param removal: Entries that were gone from the sources, and so were removed, unless they were too many (in a dry
        run: would be).
    """

    version: str | None
    entries: int
    written: int
    refused: int
    documents: int
    live: bool
    encoded: int = 0
    settings_changed: bool = False
    replaced: str | None = None
    found: SourcesReport = field(default_factory=SourcesReport)
    removal: Removal = field(default_factory=Removal)


def build_version(
    client: "Elasticsearch",
    name: str,
    sources: Sources,
    *,
    rejects: Path,
    change: Change = Change.NOTHING,
    settings: IndexSettings | None = None,
    encoder: TextEncoder | None = None,
    words: ReadsWords | None = None,
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
    :param settings: What the index is; by default what it was, and for a new one the defaults. Its encoder is that of
        `encoder`, whatever it says.
    :param encoder: Makes the documents' vectors; None for an index without vectors. What the live version has of the
        same encoder and text is not encoded again.
    :param words: Reads the documents' words, beside the encoder, as rankers compare them.
    :param remove_missing: With an update, remove the entries that are not in the sources. Not done where an entry could
        not be read: it would be taken for gone.
    :param remove_many: Remove them even if they are more than a fifth of the index.
    :param dry_run: Write and remove nothing, only say what would be.
    :param progress: Called with the number of entries that are in the index so far.
    :returns: What was done.
    :raises ElasticsearchError: If the index was made from something else and must not be changed, something else has
        its name, its settings or its encoder cannot be changed, or the cluster fails.
    :raises EntrySourceError: From strict sources, at the first entry that cannot be read.
    """
    # What fails is asked for again here, by patiently, which knows for how long.
    client = client.options(retry_on_status=(), retry_on_timeout=False)
    refused = Rejects(rejects)
    planner = Planner(client, name, sources, refused)
    record = encoder.record if encoder else None
    build = _Build(client, name, refused, progress or (lambda _: None), encoder, words, remove_many=remove_many)
    with clear_errors():
        versions = find_versions(client, name)
        live = live_one(versions)
        if live is not None and not dry_run:
            restore_refreshing(client, live)
        if live is not None and change is not Change.REBUILD:
            _check_encoder(name, live, record)
            if settings is not None:
                settings = settings.with_encoder(live.encoder, passages=live.passages, words=live.words)
                _check_settings(name, live, settings, change)
            plan = planner.as_it_is(live) if change is Change.NOTHING else planner.update(live)
        else:
            settings = (settings or read_template(client, name) or IndexSettings()).with_encoder(
                record, words=words.fingerprint if words else None
            )
            plan = planner.build(versions, live, settings)
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
        rejects: Rejects,
        progress: Callable[[int], None],
        encoder: TextEncoder | None,
        words: ReadsWords | None,
        *,
        remove_many: bool,
    ) -> None:
        self.client, self.name, self.remove_many = client, name, remove_many
        self.rejects, self.progress, self.encoder, self.words = rejects, progress, encoder, words
        self.encoded = 0
        self.id = uuid4().hex

    def foretell(self, plan: Plan, *, removing: bool) -> VersionReport:
        """Say what a run would do."""
        for _ in plan.stream:
            pass
        removal = Removal()
        if removing and plan.version:
            removal = self._removal(plan.version, plan.stream, count_documents(self.client, plan.version.name))
        return self._report(plan, plan.version.name if plan.version else None, plan.start, removal)

    def run(self, plan: Plan, settings: IndexSettings | None, *, removing: bool) -> VersionReport:
        """Do what is planned."""
        version = plan.version.name if plan.version else version_name(self.name, plan.number)
        writer = BulkWriter(self.client, version)
        # In a part of a version they would favour that part.
        made = plan.version or settings
        passages, words = made is not None and made.passages, self.words if made and made.words else None
        batches = self._batches(plan, writer.batch_bytes, passages=passages, words=words)
        first = next(batches, None)
        if plan.stream.position == 0:
            return self._report(plan, None, plan.start, Removal())
        differs = plan.version is not None and settings is not None and self._change_settings(plan.version, settings)
        state = plan.start
        before = count_documents(self.client, version) if plan.version else 0
        removal = Removal()
        if removing and plan.version and not first:
            removal = self._removal(plan.version, plan.stream, before)
        if first or not state.complete or (removal.ids and not removal.is_refused):
            state = self._begin(plan, version, settings)
            with without_refreshing(self.client, version, state, live=plan.into_live):
                state = self._send(writer, chain([first] if first else [], batches), state)
            refresh(self.client, version)
            if removing and plan.version:
                removal = self._removal(plan.version, plan.stream, before)
                if not removal.is_refused:
                    self._remove(plan.version, removal)
            self._check_count(plan, version, state, removing=removing and not removal.is_refused)
            state = replace(state, operations=count_operations(self.client, version), refresh_interval=None)
            build_state.keep(self.client, version, state)
        if plan.live is None or not (state.refused or plan.stream.found.errors):
            make_live(self.client, self.name, version)
        return replace(self._report(plan, version, state, removal), settings_changed=differs)

    def _batches(self, plan: Plan, most_bytes: int, *, passages: bool, words: ReadsWords | None) -> Iterator[Batch]:
        """Read what is to be written, with the vectors that belong to it."""
        if self.encoder is None:
            yield from plan.stream.batches(most_bytes)
            return
        live, record = plan.live, self.encoder.record
        known = live.name if live and _fingerprint(live.encoder) == record.fingerprint else None
        vectors = BatchVectors(self.client, self.encoder, known, passages=passages, words=words)
        for batch in plan.stream.batches(most_bytes, vectors.document_bytes):
            embedded, encoded = vectors.added_to(batch)
            self.encoded += encoded
            yield embedded

    def _begin(self, plan: Plan, version: str, settings: IndexSettings | None) -> BuildState:
        """Make a version, or take over the one that is there."""
        self.rejects.begin(plan.start.refused)
        if plan.version is None:
            put_template(self.client, self.name, settings or IndexSettings())
            if plan.abandoned:
                delete_versions(self.client, [plan.abandoned])
            state = BuildState(run=self.id)
            create_version(self.client, self.name, plan.number, state)
            await_copies(self.client, version)
            return state
        interval = own_interval(plan.version)
        state = replace(plan.start, run=self.id, operations=None, refresh_interval=interval)
        build_state.begin(self.client, version, state)
        set_refreshing(self.client, version, NEVER)
        await_copies(self.client, version)
        return state

    def _send(self, writer: BulkWriter, batches: Iterable[Batch], state: BuildState) -> BuildState:
        """Write, and keep now and then how far it is."""
        kept_at = float("-inf")
        self.progress(state.position)
        try:
            with closing(writer.write(batches)) as written:
                for batch, refused in written:
                    self.rejects.add(refused)
                    state = replace(
                        state,
                        position=batch.position,
                        digest=batch.digest,
                        refused=state.refused + len(refused),
                    )
                    self.progress(state.position)
                    if monotonic() - kept_at >= KEEP_EVERY_SECONDS:
                        build_state.keep(self.client, writer.index, state)
                        kept_at = monotonic()
        except (ApiError, TransportError, TemporaryError) as error:
            msg = f"{explain(error)}. Give the command again to continue"
            raise ElasticsearchError(msg) from error
        return state

    def _remove(self, version: Version, removal: Removal) -> None:
        """Remove what is not in the sources."""
        operations = [Operation(document_id, None) for document_id in removal.ids]
        batches = (Batch(operations[i : i + _DELETIONS]) for i in range(0, len(operations), _DELETIONS))
        for _ in BulkWriter(self.client, version.name).write(batches):
            pass
        refresh(self.client, version.name)

    def _removal(self, version: Version, stream: DocumentStream, before: int) -> Removal:
        """Find what is not in the sources; nothing, if something in them could not be read: it may be just that."""
        if stream.found.errors:
            return Removal()
        pages = iter_hits(self.client, version.name, ["id"], _IDS_IN_A_PAGE)
        # What has no id is none of ours; the count will tell.
        ids = ([hit["sort"][0] for hit in hits if hit["sort"][0] is not None] for hits in pages)
        missing = [document_id for page in ids for document_id in stream.ids.others(page)]
        return Removal(missing, before, self.remove_many)

    def _check_count(self, plan: Plan, version: str, state: BuildState, *, removing: bool) -> None:
        """Make sure that every entry is there that was acknowledged."""
        documents = count_documents(self.client, version)
        least = state.position - state.refused
        # A live version may have had what the server refuses now, and what is not in the sources.
        most = least
        if plan.into_live:
            most = state.position if removing and not plan.stream.found.errors else documents
        if not least <= documents <= most:
            build_state.keep(self.client, version, BuildState(run=self.id))
            msg = (
                f"{version} has {documents} documents, expected {least}: does something else write into it? "
                "Give the command again to write all of them"
            )
            raise ElasticsearchError(msg)

    def _report(self, plan: Plan, version: str | None, state: BuildState, removal: Removal) -> VersionReport:
        live = live_one(find_versions(self.client, self.name))
        counted = version or (live.name if live else None)
        return VersionReport(
            version=version,
            entries=plan.stream.position,
            written=plan.stream.position - plan.start.position,
            refused=state.refused,
            documents=count_documents(self.client, counted) if counted else 0,
            live=live is not None and live.name == version,
            encoded=self.encoded,
            replaced=plan.live.name if plan.live and live and live.name != plan.live.name else None,
            found=plan.stream.found,
            removal=removal,
        )

    def _change_settings(self, version: Version, settings: IndexSettings) -> bool:
        """Bring boosts and replicas of a version, and of those to come, up to date; say whether they were not."""
        if dict(version.settings) == settings.to_dict():
            return False
        put_template(self.client, self.name, settings)
        put_live_settings(self.client, version.name, settings)
        build_state.begin(self.client, version.name, version.state, own_meta(settings))
        return True


def _check_encoder(name: str, live: Version, encoder: EncoderRecord | None) -> None:
    """Make sure that a live version has vectors of this encoder, or none where there is none."""
    if _fingerprint(live.encoder) == _fingerprint(encoder):
        return
    has = "no vectors"
    if live.encoder is not None:
        has = f"vectors of the encoder {live.encoder.name!r} (fingerprint {live.encoder.fingerprint})"
    wanted = f"with those of {encoder.name!r} ({encoder.fingerprint})" if encoder else "without vectors"
    msg = f"{name} has {has}. Pass --rebuild to make a new version {wanted}"
    raise ElasticsearchError(msg)


def _fingerprint(encoder: EncoderRecord | None) -> str | None:
    return None if encoder is None else encoder.fingerprint


def _check_settings(name: str, live: Version, settings: IndexSettings, change: Change) -> None:
    """Make sure that a live version can get these settings."""
    others = changed(live.settings, settings.to_dict())
    if live.settings_digest != settings.digest:
        what = f" ({', '.join(others)})" if others else ""
        msg = f"{name} was made with other settings{what}. Pass --rebuild to make a new version with these"
        raise ElasticsearchError(msg)
    if others and change is Change.NOTHING:
        msg = f"{name} has other settings ({', '.join(others)}). Pass --update to change them"
        raise ElasticsearchError(msg)
