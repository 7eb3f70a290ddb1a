# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""`answer-selection index --store elasticsearch` and `versions`, typed, against the real server."""

import json
import re
import sys
import threading
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from elasticsearch import Elasticsearch

from answer_selection.indexing.elasticsearch import retry
from answer_selection.indexing.elasticsearch.build_state import BuildState
from answer_selection.indexing.elasticsearch.index import ElasticsearchIndex
from answer_selection.indexing.elasticsearch.versions import find_versions
from answer_selection.pipelines.index_time import encoders
from hash_encoder import HashEncoder

FAQ = [
    {"id": "renew", "question": "How do I renew a book?", "answer": "Online, or by phone."},
    {"id": "fines", "question": "What does a late book cost?", "answer": "Twenty cents a day.", "year": 2024},
    {"id": "rooms", "question": "Can I book a room?", "answer": "Yes, for two hours a day."},
]
WRONG = {"id": "odd", "question": "Odd?", "answer": "Odd.", "year": "last year"}


@dataclass
class Index:
    """An index by its name, what is typed to it, and what is in it."""

    client: Elasticsearch
    name: str
    type: Callable

    def __call__(self, *arguments: object) -> Any:
        return self.type("index", *arguments, "--store", "elasticsearch", "--index", self.name)

    def documents(self, version: int | None = None) -> dict[str, dict]:
        where = self.name if version is None else f"{self.name}-{version:06d}"
        hits = self.client.search(index=where, size=10_000, version=True)["hits"]["hits"]
        return {hit["_id"]: hit["_source"] for hit in hits}

    def answers(self) -> dict[str, str]:
        return {id_: document["content"] for id_, document in self.documents().items()}

    def writes(self) -> dict[str, int]:
        """How often each document was written."""
        hits = self.client.search(index=self.name, size=10_000, version=True)["hits"]["hits"]
        return {hit["_id"]: hit["_version"] for hit in hits}

    def versions(self) -> list[tuple[int, bool]]:
        return [(version.number, version.live) for version in find_versions(self.client, self.name)]

    def state(self) -> tuple:
        """All that a command could change."""
        found = self.client.options(ignore_status=404).indices.get(index=f"{self.name}*").body
        ignoring = self.client.options(ignore_status=404)
        templates = ignoring.indices.get_index_template(name=f"{self.name}*").body["index_templates"]
        stats = self.client.indices.stats(index=f"{self.name}*", metric="indexing,refresh", level="shards").body
        numbers = {name: shards["primaries"]["indexing"]["index_total"] for name, shards in stats["indices"].items()}
        return found, templates, numbers


@pytest.fixture
def index(elasticsearch_node, command, monkeypatch) -> Iterator[Index]:
    monkeypatch.setenv("ELASTICSEARCH_HOSTS", elasticsearch_node.url)
    with Elasticsearch(elasticsearch_node.url) as client:
        name = f"faq-{uuid.uuid4().hex[:8]}"
        yield Index(client, name, command)
        for found in client.indices.get(index=f"{name}*", expand_wildcards="all"):
            client.indices.delete(index=found)
        client.options(ignore_status=404).indices.delete_index_template(name=name)


@pytest.fixture
def faq(tmp_path: Path) -> Path:
    return write(tmp_path / "faq.jsonl", FAQ)


def write(path: Path, entries: list) -> Path:
    """Entries as lines; a string is a line as it is."""
    lines = (entry if isinstance(entry, str) else json.dumps(entry) for entry in entries)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def torn(path: Path) -> Path:
    """So many entries that some are sent before the last one is found to be broken."""
    return write(path, [*({**FAQ[0], "id": f"e{i}"} for i in range(2500)), '{"id": "torn'])


def read(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


# --- a new index, and the same again ---


def test_a_folders_entries_keep_where_they_come_from_and_go_with_their_files(index, tmp_path):
    for number in range(6):
        path = tmp_path / "docs" / str(number) / "faq.md"
        path.parent.mkdir(parents=True)
        path.write_text(f"# How?\n\nSee [{number}](more).\n", encoding="utf-8")
    (tmp_path / "docs" / "notes.md").write_text("no headings\n", encoding="utf-8")
    folder = ("docs", "--base-url", "https://example.org", "--encoder", "none")
    done = index(*folder)
    assert done.code == 0, done.err
    assert "docs/0/faq.md: 1 entry" in done.out
    assert "docs/notes.md: no entries" in done.out
    assert {document["source"]: document["content"] for document in index.documents().values()} == {
        f"https://example.org/{number}/faq.md": f"See {number} (https://example.org/{number}/more)."
        for number in range(6)
    }
    asked = index.type("ask", "0 more", "--pipeline", "answer_elasticsearch", "--index", index.name, "--top-k", 6)
    assert (asked.code, "https://example.org/0/more" in asked.out) == (0, True)
    assert "nothing was written" in index(*folder).out
    (tmp_path / "docs" / "5" / "faq.md").unlink()
    done = index(*folder, "--update", "--remove-missing")
    assert (done.code, "1 entry removed" in done.out, len(index.documents())) == (0, True, 5)


def test_builds_the_first_version_and_makes_it_live(index, faq, tmp_path):
    (tmp_path / "more.md").write_text("# Where can I park?\n\nBehind the building.\n", encoding="utf-8")
    done = index("faq.jsonl", "more.md")
    assert done.code == 0, done.err
    assert f"4 entries written, 4 documents in {index.name} ({index.name}-000001)" in done.out
    assert index.versions() == [(1, True)]
    fines = index.documents()["fines"]
    assert isinstance(fines.pop("embedding_fingerprint"), str)
    assert len(fines.pop("embedding")) == 384
    assert isinstance(fines.pop("word_states"), str)
    assert fines == {
        "id": "fines",
        "content": "Twenty cents a day.",
        "entry_id": "fines",
        "question": "What does a late book cost?",
        "source": "faq.jsonl",
        "year": 2024,
    }
    assert sorted(index.answers().values())[0] == "Behind the building."
    [described] = index.client.indices.get(index=index.name).values()
    assert "refresh_interval" not in described["settings"]["index"]
    assert described["settings"]["index"]["query"]["default_field"] == ["content^1", "question^0.5"]
    assert not (tmp_path / f"{index.name}.rejects.jsonl").exists()


def test_who_does_not_say_that_a_faq_is_german_is_told(index):
    german = Path(__file__).parents[2] / "german_faq" / "faq.jsonl"
    hint = "these entries seem to be German, and are searched as English. If so, give the command again with --rebuild,"
    assert f"{hint} and with --language german" in index(german, "--encoder", "none").out
    assert hint not in index(german, "--rebuild", "--language", "german").out


def test_the_speed_is_shown(index, tmp_path):
    write(tmp_path / "faq.jsonl", [{**FAQ[0], "id": f"e{i}"} for i in range(5000)])
    assert re.search(r"5000 [\d,]+ documents/s", index("faq.jsonl").err)


def test_the_same_command_twice_changes_nothing(index, faq):
    index("faq.jsonl")
    before = index.state()
    done = index("faq.jsonl")
    assert done.code == 0
    assert f"{index.name} ({index.name}-000001) has these 3 entries already: nothing was written" in done.out
    assert index.state() == before
    # Neither do its variants.
    for option in ("--update", "--rebuild"):
        done = index("faq.jsonl", option)
        assert done.code == 0
        assert "has these 3 entries already: nothing was written" in done.out
        assert index.state() == before
    done = index("faq.jsonl", "--update", "--remove-missing")
    assert (done.code, "0 entries removed: none" in done.out) == (0, True)
    assert index.state() == before


def test_the_same_entries_from_a_file_of_another_name_and_format_are_the_same(index, faq, tmp_path):
    # Without a source of their own they would come from another file.
    source = "https://library.example/faq"
    write(tmp_path / "faq.jsonl", [{**FAQ[0], "source": source}])
    index("faq.jsonl")
    row = f'renew,How do I renew a book?,"Online, or by phone.",{source}'
    (tmp_path / "table.csv").write_text(f"id,question,answer,source\n{row}\n")
    assert "has this entry already" in index("table.csv").out


@pytest.mark.parametrize("change", ["changed", "added", "removed", "other order"])
def test_an_index_is_never_written_into_without_being_asked(index, faq, tmp_path, change):
    index("faq.jsonl")
    before = index.state()
    write(
        faq,
        {
            "changed": [FAQ[0], {**FAQ[1], "answer": "Nothing."}, FAQ[2]],
            "added": [*FAQ, {"id": "wifi", "question": "Wi-Fi?", "answer": "Free."}],
            "removed": FAQ[:2],
            "other order": FAQ[::-1],
        }[change],
    )
    done = index("faq.jsonl")
    assert done.code == 2
    assert (
        f"error {index.name} already exists, made from other entries. Pass --update to add these and replace changed "
        "ones, or --rebuild to make a new version that replaces it"
    ) in done.err
    assert index.state() == before


def test_an_index_that_something_else_has_written_into_is_told(index, faq):
    index("faq.jsonl")
    index.client.delete(index=index.name, id="fines", refresh=True)
    done = index("faq.jsonl")
    assert done.code == 2
    assert "something else has changed it since. Pass --update to write the entries again" in done.err
    assert index("faq.jsonl", "--update").code == 0
    assert sorted(index.answers()) == ["fines", "renew", "rooms"]
    index.client.index(index=index.name, id="renew", document={"id": "renew", "content": "No more."}, refresh=True)
    assert index("faq.jsonl", "--rebuild").code == 0
    assert index.versions() == [(1, False), (2, True)]
    assert index.answers()["renew"] == "Online, or by phone."


# --- update ---


def test_update_adds_and_replaces_and_removes_only_what_it_is_asked_to(index, faq):
    index("faq.jsonl")
    write(faq, [{**FAQ[0], "answer": "At any desk."}, FAQ[1], {"id": "wifi", "question": "Wi-Fi?", "answer": "Free."}])
    done = index("faq.jsonl", "--update")
    assert done.code == 0
    assert f"3 entries written, 4 documents in {index.name} ({index.name}-000001)" in done.out
    assert index.answers() == {
        "renew": "At any desk.",
        "fines": "Twenty cents a day.",
        "rooms": "Yes, for two hours a day.",
        "wifi": "Free.",
    }
    assert "has these 3 entries already, of 4 documents: nothing was written" in index("faq.jsonl").out
    done = index("faq.jsonl", "--update", "--remove-missing")
    assert done.code == 1
    assert "nothing removed: 1 of 4 documents (25%) are in none of the files" in done.err
    assert len(index.answers()) == 4
    assert "has these 3 entries already, of 4 documents: nothing was written" in index("faq.jsonl").out
    done = index("faq.jsonl", "--update", "--remove-missing", "--yes")
    assert done.code == 0
    assert "1 entry removed: rooms" in done.out
    assert sorted(index.answers()) == ["fines", "renew", "wifi"]
    assert index.versions() == [(1, True)]


def test_what_was_only_added_at_the_end_is_all_that_is_sent(index, faq):
    index("faq.jsonl")
    write(faq, [*FAQ, {"id": "wifi", "question": "Wi-Fi?", "answer": "Free."}])
    done = index("faq.jsonl", "--update")
    assert "1 entry written after 3 that were there already, 4 documents" in done.out
    assert index.writes() == {"renew": 1, "fines": 1, "rooms": 1, "wifi": 1}


def test_an_earlier_source_is_written_again_when_another_came_between(index, faq, tmp_path):
    write(tmp_path / "other.jsonl", [{**FAQ[0], "answer": "Never."}])
    index("faq.jsonl")
    index("other.jsonl", "--update")
    assert index.answers()["renew"] == "Never."
    assert "3 entries written, 3 documents" in index("faq.jsonl", "--update").out
    assert index.answers()["renew"] == "Online, or by phone."


def test_update_makes_an_index_that_is_not_there(index, faq):
    assert index("faq.jsonl", "--update", "--remove-missing").code == 0
    assert index.versions() == [(1, True)]


def test_a_dry_run_says_what_would_be_done_and_does_nothing(index, faq):
    done = index("faq.jsonl", "--dry-run")
    assert (done.code, f"3 entries would be written to {index.name}" in done.out) == (0, True)
    assert index.state() == ({}, [], {})
    index("faq.jsonl")
    before = index.state()
    write(faq, [FAQ[0], {"id": "wifi", "question": "Wi-Fi?", "answer": "Free."}])
    done = index("faq.jsonl", "--update", "--remove-missing", "--dry-run")
    assert f"2 entries would be written to {index.name}" in done.out
    assert "nothing would be removed: 2 of 3 documents (67%) are in none of the files, more than a fifth" in done.out
    done = index("faq.jsonl", "--update", "--remove-missing", "--yes", "--dry-run")
    assert "2 entries would be removed: fines, rooms" in done.out
    assert "2 entries would be written to" in index("faq.jsonl", "--rebuild", "--dry-run").out
    assert index("faq.jsonl", "--dry-run").code == 2
    write(faq, [*FAQ, WRONG])
    done = index("faq.jsonl", "--update", "--dry-run")
    assert f"1 entry would be written to {index.name}, 3 are there already" in done.out
    assert index.state() == before


def test_nothing_is_removed_while_an_entry_cannot_be_read(index, faq):
    index("faq.jsonl")
    write(faq, [FAQ[0], {**FAQ[1], "answer": ""}])
    done = index("faq.jsonl", "--update", "--remove-missing")
    assert done.code == 1
    assert "nothing removed" in done.out
    assert sorted(index.answers()) == ["fines", "renew", "rooms"]


@pytest.mark.parametrize("option", ["--update", "--rebuild"])
def test_a_source_without_entries_changes_nothing(index, faq, option):
    index("faq.jsonl")
    before = index.state()
    write(faq, [])
    arguments = [option, "--remove-missing"] if option == "--update" else [option]
    done = index("faq.jsonl", *arguments)
    assert done.code == 1
    assert "error faq.jsonl: there is no entry in it; expected at least one" in done.err
    assert "0 entries written, 3 documents" in done.out
    write(faq, [{"id": "a"}])
    done = index("faq.jsonl", *arguments)
    assert done.code == 1
    assert "0 entries written, 3 documents" in done.out
    assert "line 1, field 'answer'" in done.err
    assert index.state() == before


def test_the_live_index_is_refreshed_as_before_after_an_update(index, faq):
    index("faq.jsonl")
    index.client.indices.put_settings(index=index.name, settings={"refresh_interval": "7s"})
    write(faq, FAQ[::-1])
    assert index("faq.jsonl", "--update").code == 0
    [described] = index.client.indices.get(index=index.name).values()
    assert described["settings"]["index"]["refresh_interval"] == "7s"


def test_the_live_index_is_refreshed_as_before_after_a_failure_too(index, faq):
    index("faq.jsonl")
    index.client.indices.put_settings(index=index.name, settings={"refresh_interval": "7s"})
    torn(faq)
    assert index("faq.jsonl", "--update", "--strict").code == 2
    [described] = index.client.indices.get(index=index.name).values()
    assert described["settings"]["index"]["refresh_interval"] == "7s"
    done = index("faq.jsonl")
    assert "an update of it was interrupted. Pass --update to continue it" in done.err


def test_a_document_of_something_else_is_counted_and_not_removed(index, faq):
    index("faq.jsonl")
    index.client.index(index=index.name, id="other", document={"text": "Not ours."}, refresh=True)
    done = index("faq.jsonl", "--update", "--remove-missing")
    assert done.code == 2
    assert f"{index.name}-000001 has 4 documents, expected 3: does something else write into it?" in done.err
    assert "other" in index.documents()


def test_more_than_a_fifth_is_removed_only_when_that_is_confirmed_though_more_is_written(index, faq):
    ten = [{**FAQ[0], "id": f"e{number}"} for number in range(10)]
    write(faq, ten)
    index("faq.jsonl")
    write(faq, [*ten[3:], FAQ[1]])
    done = index("faq.jsonl", "--update", "--remove-missing")
    assert done.code == 1
    assert "nothing removed: 3 of 10 documents (30%) are in none of the files" in done.err
    assert "fines" in index.answers()
    assert len(index.answers()) == 11
    assert index("faq.jsonl", "--update", "--remove-missing", "--yes").code == 0
    assert sorted(index.answers()) == [*(f"e{number}" for number in range(3, 10)), "fines"]
    write(faq, [*ten[4:], FAQ[1]])
    done = index("faq.jsonl", "--update", "--remove-missing")
    assert (done.code, "1 entry removed: e3" in done.out) == (0, True)


def test_an_id_that_elasticsearch_does_not_take_is_refused_alone(index, faq, tmp_path):
    write(faq, [FAQ[0], {**FAQ[1], "id": "x" * 600}, FAQ[2]])
    done = index("faq.jsonl")
    assert done.code == 1
    assert "1 entry refused by Elasticsearch" in done.err
    assert sorted(index.answers()) == ["renew", "rooms"]


# --- rebuild, and what is left of the old versions ---


def test_a_rebuilt_index_takes_the_place_of_the_old_one_which_is_kept_until_told(index, faq):
    index("faq.jsonl")
    write(faq, [FAQ[2], {"id": "wifi", "question": "Wi-Fi?", "answer": "Free."}])
    done = index("faq.jsonl", "--rebuild")
    assert done.code == 0
    assert f"2 entries written, 2 documents in {index.name} ({index.name}-000002)" in done.out
    assert (
        f"{index.name}-000002 replaced {index.name}-000001, which is kept until "
        f"`answer-selection versions --index {index.name} --delete-old`"
    ) in done.out
    assert index.versions() == [(1, False), (2, True)]
    assert sorted(index.answers()) == ["rooms", "wifi"]
    assert sorted(index.documents(version=1)) == ["fines", "renew", "rooms"]

    done = index.type("versions", "--index", index.name)
    assert done.code == 0
    rows = re.findall(rf"{index.name}-(\d+) │ +(\d+) │ (\S+ \S+) │ (\w+)", done.out)
    assert [(number, documents, state) for number, documents, _, state in rows] == [
        ("000001", "3", "old"),
        ("000002", "2", "live"),
    ]
    done = index.type("versions", "--index", index.name, "--delete-old")
    assert (done.code, f"deleted: {index.name}-000001" in done.out) == (0, True)
    assert index.versions() == [(2, True)]
    assert "deleted: none" in index.type("versions", "--index", index.name, "--delete-old").out
    assert sorted(index.answers()) == ["rooms", "wifi"]


def test_whoever_asks_while_an_index_is_rebuilt_sees_the_old_one_or_the_new_one_whole(index, tmp_path):
    sizes = (1500, 3200, 900)
    for number, size in enumerate(sizes):
        write(
            tmp_path / f"{number}.jsonl",
            [{"id": f"e{i}", "question": "Q?", "answer": f"Answer of {number}, which is long."} for i in range(size)],
        )
    assert index("0.jsonl").code == 0
    stop = threading.Event()
    seen: list[tuple[int, str]] = []
    failures: list[Exception] = []

    def ask() -> None:
        with Elasticsearch(index.client.transport.node_pool.get().base_url, max_retries=0) as client:
            while not stop.is_set():
                try:
                    found = client.search(index=index.name, query={"match": {"content": "answer"}}, size=1).body
                    total = client.count(index=index.name).body
                    assert not found["timed_out"]
                    assert not found["_shards"]["failed"] + total["_shards"]["failed"]
                    seen.append((total["count"], found["hits"]["hits"][0]["_source"]["content"]))
                except Exception as error:
                    failures.append(error)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        for number in (1, 2):
            assert index(f"{number}.jsonl", "--rebuild").code == 0
        assert index.type("versions", "--index", index.name, "--delete-old").code == 0
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert not failures
    assert {count for count, _ in seen} == set(sizes)
    assert {text for _, text in seen} == {f"Answer of {number}, which is long." for number in range(3)}
    assert len(seen) > 20


def test_a_version_with_a_refused_entry_is_not_made_live_in_the_place_of_a_whole_one(index, faq, tmp_path):
    index("faq.jsonl")
    write(faq, [*FAQ, WRONG])
    done = index("faq.jsonl", "--rebuild")
    assert done.code == 1
    assert f"4 entries written, 3 documents in {index.name}-000002" in done.out
    assert (
        f"{index.name} is unchanged: {index.name}-000002 lacks some entries. Correct these entries, or take "
        "them out, and give the same command again"
    ) in done.out
    assert f"1 entry refused by Elasticsearch: {index.name}.rejects.jsonl has the reasons" in done.err
    [reject] = read(tmp_path / f"{index.name}.rejects.jsonl")
    assert reject["entry_id"] == "odd"
    assert "failed to parse field [year] of type [double]" in reject["error"]
    assert reject["document"]["content"] == "Odd."
    assert index.versions() == [(1, True), (2, False)]
    assert "unfinished" in index.type("versions", "--index", index.name).out
    # Again, it is tried again; corrected, it becomes live.
    assert index("faq.jsonl", "--rebuild").code == 1
    assert index.versions() == [(1, True), (3, False)]
    write(faq, [*FAQ, {**WRONG, "year": 2023}])
    done = index("faq.jsonl", "--rebuild")
    assert done.code == 0, done.err
    assert index.versions() == [(1, False), (4, True)]
    assert len(index.documents()) == 4
    assert not (tmp_path / f"{index.name}.rejects.jsonl").exists()


def test_a_version_of_which_an_entry_cannot_be_read_is_not_made_live_either(index, faq):
    index("faq.jsonl")
    write(faq, [*FAQ[::-1], {"id": "torn", "question": "Why?"}])
    done = index("faq.jsonl", "--rebuild")
    assert done.code == 1
    assert f"{index.name} is unchanged: {index.name}-000002 lacks some entries" in done.out
    assert index.versions() == [(1, True), (2, False)]
    # Where the missing one was the last, the rest needs not be sent again.
    write(faq, [*FAQ[::-1], {"id": "torn", "question": "Why?", "answer": "So."}])
    done = index("faq.jsonl", "--rebuild")
    assert "1 entry written after 3 that were there already, 4 documents" in done.out
    assert index.versions() == [(1, False), (2, True)]


def test_rejects_of_a_first_version_are_told_again_and_tried_again_by_an_update(index, faq, tmp_path):
    write(faq, [*FAQ, WRONG])
    done = index("faq.jsonl", "--rejects", "refused.jsonl")
    assert done.code == 1
    assert "4 entries written, 3 documents" in done.out
    assert index.versions() == [(1, True)]
    before = (tmp_path / "refused.jsonl").read_bytes()
    done = index("faq.jsonl", "--rejects", "refused.jsonl")
    assert done.code == 1
    assert "1 entry refused by Elasticsearch: refused.jsonl has the reasons" in done.err
    done = index("faq.jsonl", "--rejects", "refused.jsonl", "--update")
    assert done.code == 1
    assert "4 entries written, 3 documents" in done.out
    assert (tmp_path / "refused.jsonl").read_bytes() == before


def test_an_unfinished_version_of_other_entries_is_built_anew(index, faq):
    index("faq.jsonl")
    write(faq, [*FAQ, WRONG])
    index("faq.jsonl", "--rebuild")
    write(faq, FAQ[1:])
    assert index("faq.jsonl", "--rebuild").code == 0
    # Under another number, so that nothing that is still on its way to the old one comes into it.
    assert index.versions() == [(1, False), (3, True)]
    assert sorted(index.documents()) == ["fines", "rooms"]


def test_a_version_that_lost_documents_is_not_made_live(index, faq, monkeypatch):
    from answer_selection.indexing.building import elasticsearch

    index("faq.jsonl")
    write(faq, FAQ[1:])
    refresh = elasticsearch.refresh

    def lose_one(client: Elasticsearch, version: str) -> None:
        index.client.delete(index=version, id="rooms")
        refresh(client, version)

    monkeypatch.setattr(elasticsearch, "refresh", lose_one)
    done = index("faq.jsonl", "--rebuild")
    assert done.code == 2
    assert f"{index.name}-000002 has 1 documents, expected 2: does something else write into it?" in done.err
    assert index.versions() == [(1, True), (2, False)]
    monkeypatch.undo()
    monkeypatch.setenv("ELASTICSEARCH_HOSTS", index.client.transport.node_pool.get().base_url)
    done = index.type("index", str(faq), "--store", "elasticsearch", "--index", index.name, "--rebuild")
    assert done.code == 0, done.err
    assert sorted(index.documents()) == ["fines", "rooms"]


def test_a_first_version_that_got_more_documents_does_not_become_live(index, faq, monkeypatch):
    from answer_selection.indexing.building import elasticsearch

    refresh = elasticsearch.refresh

    def add_one(client: Elasticsearch, version: str) -> None:
        index.client.index(index=version, id="other", document={"id": "other"})
        refresh(client, version)

    monkeypatch.setattr(elasticsearch, "refresh", add_one)
    done = index("faq.jsonl")
    assert done.code == 2
    assert f"{index.name}-000001 has 4 documents, expected 3: does something else write into it?" in done.err
    assert index.versions() == [(1, False)]


def test_a_run_stops_when_another_one_begins(index, tmp_path, monkeypatch):
    from answer_selection.indexing.elasticsearch import build_state

    write(tmp_path / "faq.jsonl", [{"id": f"e{i}", "question": "Q?", "answer": "A."} for i in range(5000)])
    begun = []

    def begin_another(*arguments: Any) -> None:
        if not begun:
            begun.append(build_state.begin(index.client, f"{index.name}-000001", BuildState(run="another")))
        keep(*arguments)

    keep = build_state.keep
    monkeypatch.setattr(build_state, "keep", begin_another)
    done = index("faq.jsonl")
    assert done.code == 2
    assert f"another run has begun to write into {index.name}-000001 meanwhile. This run stops" in done.err
    assert index.versions() == [(1, False)]


# --- settings ---


def test_settings_from_a_file_stay_until_others_are_given(index, faq, tmp_path):
    (tmp_path / "settings.yaml").write_text("language: german\nk1: 1.6\nshards: 2\nsynonyms: words.txt\n")
    (tmp_path / "words.txt").write_text("tv, telly\n")
    assert index("faq.jsonl", "--settings", "settings.yaml").code == 0
    first = index.client.indices.get_settings(index=f"{index.name}-000001")[f"{index.name}-000001"]["settings"]["index"]
    assert first["similarity"]["default"]["k1"] == "1.6"
    assert first["analysis"]["filter"]["snowball_german"]["language"] == "German"
    assert first["analysis"]["filter"]["synonyms"]["synonyms"] == ["tv, telly"]
    # They are the template's, the file is not needed any more.
    (tmp_path / "words.txt").unlink()
    write(faq, FAQ[:2])
    assert index("faq.jsonl", "--rebuild").code == 0
    second = index.client.indices.get_settings(index=index.name)[f"{index.name}-000002"]["settings"]["index"]
    for own in ("similarity", "analysis", "number_of_shards", "auto_expand_replicas", "mapping"):
        assert first[own] == second[own]


def test_settings_that_a_live_index_cannot_get_need_a_new_version(index, faq, tmp_path):
    index("faq.jsonl")
    before = index.state()
    (tmp_path / "settings.yaml").write_text("language: german\nk1: 1.6\n")
    for option in ((), ("--update",)):
        done = index("faq.jsonl", "--settings", "settings.yaml", *option)
        assert done.code == 2
        assert (
            f"{index.name} was made with other settings (language, k1). Pass --rebuild to make a new version with these"
        ) in done.err
    assert "other settings (language)" in index("faq.jsonl", "--language", "none").err
    assert index.state() == before
    done = index("faq.jsonl", "--settings", "settings.yaml", "--rebuild")
    assert (done.code, "3 entries written" in done.out) == (0, True)
    assert find_versions(index.client, index.name)[1].settings["language"] == "german"


def test_boosts_and_replicas_are_changed_by_an_update(index, faq, tmp_path):
    index("faq.jsonl")
    (tmp_path / "settings.yaml").write_text("search_fields: {content: 1, question: 3}\nreplicas: 0\n")
    done = index("faq.jsonl", "--settings", "settings.yaml")
    assert done.code == 2
    assert f"{index.name} has other settings (search_fields, replicas). Pass --update to change them" in done.err
    done = index("faq.jsonl", "--settings", "settings.yaml", "--update")
    assert done.code == 0
    assert "now has the boosts and replicas of these settings" in done.out
    assert "nothing was written" in done.out
    [described] = index.client.indices.get(index=index.name).values()
    assert described["settings"]["index"]["query"]["default_field"] == ["content^1", "question^3"]
    assert described["settings"]["index"]["auto_expand_replicas"] == "false"
    # The version knows, and so do those that come after it.
    assert index("faq.jsonl", "--settings", "settings.yaml").code == 0
    write(faq, FAQ[:2])
    assert index("faq.jsonl", "--rebuild").code == 0
    [described] = index.client.indices.get(index=index.name).values()
    assert set(described["settings"]["index"]["query"]["default_field"]) == {"content^1", "question^3"}


def test_an_interrupted_build_with_other_settings_is_begun_anew(index, faq, tmp_path):
    assert index(torn(faq), "--strict").code == 2
    assert index.versions() == [(1, False)]
    write(faq, FAQ)
    assert index("faq.jsonl", "--language", "german").code == 0
    assert index.versions() == [(2, True)]
    assert find_versions(index.client, index.name)[0].settings["language"] == "german"


# --- what stands in the way ---


def test_vectors_are_of_the_encoder_that_is_named_and_then_of_the_indexs_own(index, faq, tmp_path, monkeypatch):
    monkeypatch.setattr(encoders, "load_encoder", HashEncoder)
    done = index("faq.jsonl", "--encoder", "first")
    assert "3 entries written" in done.out
    assert "3 encoded by first" in done.out
    assert ElasticsearchIndex.open(index.name, index.client).encoder == HashEncoder("first").record
    write(faq, [{**FAQ[0], "answer": "At any desk."}, *FAQ[1:]])
    assert "1 encoded by first, 2 had their vectors already" in index("faq.jsonl", "--update").out
    before = index.state()
    done = index("faq.jsonl", "--update", "--encoder", "other")
    assert done.code == 2
    assert f"error {index.name} has vectors of the encoder 'first'" in done.err
    assert "Pass --rebuild to make a new version with those of 'other'" in done.err
    assert index.state() == before
    assert "has vectors of the encoder 'first'" in index("faq.jsonl", "--update", "--encoder", "none").err
    assert "0 encoded by first, 3 had their vectors already" in index(faq, "--rebuild", "--language", "german").out
    assert "3 encoded by other" in index("faq.jsonl", "--rebuild", "--encoder", "other").out
    assert index("faq.jsonl", "--rebuild", "--encoder", "none").code == 0
    assert "embedding" not in index.documents()["renew"]


def test_a_name_that_something_else_has_is_left_alone(index, faq):
    index.client.indices.create(index=index.name)
    before = index.state()
    done = index("faq.jsonl", "--rebuild")
    assert done.code == 2
    assert f"error {index.name} is a plain index; expected an alias" in done.err
    assert index.state() == before
    assert f"error {index.name} is a plain index" in index.type("versions", "--index", index.name).err


def test_a_blocked_index_is_said_to_be_one_and_the_same_command_goes_on(index, faq):
    index("faq.jsonl")
    index.client.indices.put_settings(index=index.name, settings={"index.blocks.read_only_allow_delete": True})
    write(faq, FAQ[::-1])
    done = index("faq.jsonl", "--update")
    assert done.code == 2
    assert f"{index.name}-000001 is read-only. Free disk space or remove the block, then give the" in done.err
    index.client.indices.put_settings(index=index.name, settings={"index.blocks.read_only_allow_delete": None})
    assert index("faq.jsonl", "--update").code == 0


def test_a_server_that_goes_away_is_one_error_and_the_same_command_goes_on(
    elasticsearch_files, command, tmp_path, monkeypatch
):
    from answer_selection.indexing.building import elasticsearch
    from answer_selection.indexing.elasticsearch import build_state
    from elasticsearch_server import ElasticsearchNode

    monkeypatch.setattr(retry, "PATIENCE", 1.0)
    monkeypatch.setattr(elasticsearch, "KEEP_EVERY_SECONDS", 0.0)
    # Without vectors 5,000 documents are one request.
    index = ("index", "faq.jsonl", "--store", "elasticsearch", "--index", "faq", "--encoder", "none")
    write(tmp_path / "faq.jsonl", [{"id": f"e{i}", "question": "Q?", "answer": "A."} for i in range(12_000)])
    with ElasticsearchNode() as node, Elasticsearch(node.url) as client:
        monkeypatch.setenv("ELASTICSEARCH_HOSTS", node.url)

        def keep_and_kill(*arguments: Any) -> None:
            keep(*arguments)
            if arguments[2].position >= 5000:
                node.kill()

        keep = build_state.keep
        monkeypatch.setattr(build_state, "keep", keep_and_kill)
        done = command(*index)
        assert done.code == 2
        assert done.err.count("error") == 1
        assert f"nothing answers at 127.0.0.1:{node.http_port}" in done.err
        assert "Give the command again to continue" in done.err
        monkeypatch.setattr(build_state, "keep", keep)
        node.start()
        done = command(*index)
        assert done.code == 0, done.err
        assert "7000 entries written after 5000 that were there already, 12000 documents in faq" in done.out
        assert client.count(index="faq")["count"] == 12_000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["faq.jsonl", "--remove-missing"], "--remove-missing needs --update"),
        (["faq.jsonl", "--update", "--rebuild"], "--rebuild makes a new version of it: choose one"),
        (["faq.jsonl", "--rejects", "./faq.jsonl"], "--rejects faq.jsonl is one of the files to read: name another"),
        (["faq.jsonl", "--settings", "none.yaml"], "none.yaml: No such file or directory"),
        (["faq.jsonl", "--settings", "none.yaml", "--language", "english"], "--language and --settings exclude"),
        (["faq.jsonl", "--language", "klingon"], "language must be None or one of arabic,"),
        (["none.jsonl"], "error none.jsonl: cannot be read: No such file or directory"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(index, faq, arguments, message):
    done = index(*arguments)
    assert done.code in (1, 2)
    assert message in done.err
    assert "Traceback" not in done.err
    assert index.versions() == []


@pytest.mark.parametrize("option", [["--settings", "a.yaml"], ["--rebuild"], ["--rejects", "a.jsonl"]])
def test_what_only_elasticsearch_has_is_refused_for_a_folder(command, faq, tmp_path, option):
    done = command("index", "faq.jsonl", *option)
    assert done.code == 2
    assert f"error {option[0]} needs --store elasticsearch" in done.err
    assert not (tmp_path / "faq-index").exists()


def test_versions_of_an_index_that_is_not_there(index):
    done = index.type("versions", "--index", index.name)
    assert done.code == 2
    assert f"there is no index '{index.name}'. `answer-selection index FILE --store elasticsearch` makes" in done.err


def test_an_unfinished_first_version_is_not_old(index, faq):
    index(torn(faq), "--strict")
    done = index.type("versions", "--index", index.name, "--delete-old")
    assert (done.code, "deleted: none" in done.out, "unfinished" in done.out) == (0, True, True)
    assert index.versions() == [(1, False)]


@pytest.mark.parametrize("arguments", [["index", "faq.jsonl", "--store", "elasticsearch"], ["versions"]])
def test_without_the_clients_package_the_extra_is_named(command, faq, arguments, monkeypatch):
    monkeypatch.setitem(sys.modules, "elasticsearch", None)
    done = command(*arguments)
    assert done.code == 2
    assert "Elasticsearch needs more packages: pip install '.[elasticsearch]'" in done.err
