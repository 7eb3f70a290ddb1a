# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
`answer-selection index --store elasticsearch` is killed (SIGKILL) somewhere; the same command then goes on.

It writes texts and vectors. No vector may be beside another text than its own.

Every point is tried on a process of its own against the real server, and afterwards the index is compared with the
corpus, document by document. `ANSWER_SELECTION_KILLS` is the number of points; the first ones are always the same, the
others are moments drawn at random (`ANSWER_SELECTION_SEED`).

    ANSWER_SELECTION_KILLS=20 python -m pytest -s tests/pipelines/commands/test_index_killed.py
"""

import json
import os
import random
import re
import subprocess
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from elasticsearch import Elasticsearch, helpers

from answer_selection.indexing.building.elasticsearch import build_version
from answer_selection.indexing.elasticsearch.build_state import BuildState
from answer_selection.indexing.elasticsearch.versions import Version, find_versions
from answer_selection.indexing.encoder import vector_fingerprint
from answer_selection.indexing.sources import Sources
from hash_encoder import HashEncoder, HashReader
from new_process import python

ENTRIES, REFUSED_EVERY = 6000, 900
KILLS = int(os.environ.get("ANSWER_SELECTION_KILLS", "4"))
TESTS = Path(__file__).parents[2]
SEED = int(os.environ.get("ANSWER_SELECTION_SEED", "0"))

# The command, in smaller steps than it has, so that there is more to go on from. It kills itself at a request, if told.
COMMAND = f"""
import os, re, signal, sys, threading
sys.path.append({str(TESTS)!r})
from hash_encoder import HashEncoder, HashReader
"""
COMMAND += """
from answer_selection.indexing.elasticsearch import documents
from answer_selection.indexing.building import elasticsearch
from answer_selection.pipelines.commands import cli
from answer_selection.pipelines.index_time import encoders
from elastic_transport import Transport

encoders.load_encoder = HashEncoder
encoders.load_word_reader = HashReader
documents.BATCH_DOCUMENTS = 100
elasticsearch.KEEP_EVERY_SECONDS = 0.1
when, wanted = os.environ.get("KILL", "never:").split(":", 1)
perform = Transport.perform_request
bulks = 0

def kill():
    os.kill(os.getpid(), signal.SIGKILL)

def watched(self, method, target, **options):
    global bulks
    bulks += "_bulk" in target
    here = when in ("before", "after") and re.search(wanted, f"{method} {target}")
    if when == "within" and "_bulk" in target and bulks == int(wanted.split()[0]):
        threading.Timer(float(wanted.split()[1]), kill).start()
    if here and when == "before":
        kill()
    response = perform(self, method, target, **options)
    if here and when == "after":
        kill()
    return response

Transport.perform_request = watched
print("started", flush=True)
cli.main()
"""


@dataclass(frozen=True)
class Point:
    """Which command is killed, and where: at a request of a kind, or so many seconds after a batch was sent."""

    change: str
    when: str
    where: str

    def __str__(self) -> str:
        return f"{self.change}, {self.when} {self.where}"


BULK, ALIASES, KEEP, REFRESH = "_bulk", "POST /_aliases", "PUT /[^/]+/_mapping", "POST /[^/]+/_refresh"
TEMPLATE, CREATE, SETTINGS = "PUT /_index_template", "PUT /[^/?]+([?]|$)", "PUT /[^/]+/_settings"
POINTS = [
    Point("build", "before", BULK),
    Point("rebuild", "after", ALIASES),
    Point("update", "within", "30 0.007"),
    Point("build", "within", "40 0.013"),
    Point("rebuild", "before", ALIASES),
    Point("build", "after", TEMPLATE),
    Point("build", "after", CREATE),
    Point("rebuild", "before", REFRESH),
    Point("update", "after", SETTINGS),
    Point("update", "before", KEEP),
    Point("update", "after", REFRESH),
    Point("build", "after", KEEP),
]


def points() -> list[Point]:
    generator = random.Random(SEED)
    drawn = []
    for _ in range(KILLS - len(POINTS)):
        batch, seconds = generator.randint(1, ENTRIES // 100), generator.uniform(0, 0.1)
        drawn.append(Point(generator.choice(("build", "rebuild", "update")), "within", f"{batch} {seconds:.3f}"))
    return [*POINTS[:KILLS], *drawn]


def entry(number: int, text: str, *, refused: bool) -> dict:
    wrong = refused and number % REFUSED_EVERY == REFUSED_EVERY - 1
    year = "none" if wrong else 2000 + number % 20
    return {"id": f"e{number}", "question": f"Question {number}?", "answer": f"{text} {number}.", "year": year}


@dataclass
class Trial:
    """An index, the corpus that it is to have, and the command that brings it there."""

    client: Elasticsearch
    url: str
    folder: Path
    name: str

    def write(self, entries: list[dict]) -> None:
        (self.folder / "corpus.jsonl").write_text("".join(f"{json.dumps(entry)}\n" for entry in entries))

    def execute(self, *options: str, kill: str = "never:") -> subprocess.CompletedProcess[str]:
        index = ("--store", "elasticsearch", "--index", self.name, "--encoder", "hash")
        typed = ("index", "corpus.jsonl", *index, *options)
        environment = {"ELASTICSEARCH_HOSTS": self.url, "KILL": kill, "COLUMNS": "200"}
        done = python(COMMAND, *typed, environment=environment, folder=self.folder)
        assert done.stdout.startswith("started\n"), done.stderr
        return done

    def run(self, *options: str) -> tuple[int, str]:
        done = self.execute(*options)
        assert done.returncode in (0, 1), done.stderr
        return done.returncode, " ".join(done.stdout.split())

    def versions(self) -> list[Version]:
        return find_versions(self.client, self.name)

    def documents(self, index: str) -> dict[str, dict]:
        self.client.indices.refresh(index=index)
        return {hit["_id"]: hit["_source"] for hit in helpers.scan(self.client, index=index, size=5000)}

    def rejects(self) -> list[str]:
        path = self.folder / f"{self.name}.rejects.jsonl"
        return [json.loads(line)["entry_id"] for line in path.read_text().splitlines()] if path.exists() else []


@pytest.fixture
def trial(elasticsearch_node, tmp_path, monkeypatch) -> Iterator[Trial]:
    # A file is named here as the command names it: its path is a part of the entries.
    monkeypatch.chdir(tmp_path)
    name = f"killed-{uuid.uuid4().hex[:8]}"
    with Elasticsearch(elasticsearch_node.url, request_timeout=60) as client:
        yield Trial(client, elasticsearch_node.url, tmp_path, name)
        for index in client.indices.get(index=f"{name}-0*"):
            client.indices.delete(index=index)
        client.options(ignore_status=404).indices.delete_index_template(name=name)


def stored(entries: list[dict]) -> dict[str, dict]:
    encoder = HashEncoder()
    reader = HashReader(encoder)
    texts = {entry["id"]: f"{entry['question']} {entry['answer']}" for entry in entries}
    vectors = dict(zip(texts, encoder.encode(list(texts.values())).tolist(), strict=True))
    return {
        entry["id"]: {
            "id": entry["id"],
            "entry_id": entry["id"],
            "content": entry["answer"],
            "question": entry["question"],
            "year": entry["year"],
            "source": "corpus.jsonl",
            "embedding_fingerprint": vector_fingerprint(encoder.record, texts[entry["id"]]),
            "word_states": reader.stored(texts[entry["id"]]),
            "embedding": [float(f"{number:.9g}") for number in vectors[entry["id"]]],
        }
        for entry in entries
        if entry["year"] != "none"
    }


@pytest.mark.parametrize("point", points(), ids=str)
def test_a_killed_command_goes_on(trial: Trial, point: Point):
    # A rebuilt index would not become live if anything was refused.
    refused = point.change != "rebuild"
    corpus = [entry(number, "The answer is", refused=refused) for number in range(ENTRIES)]
    options: list[str] = []
    live_before: dict[str, dict] = {}
    if point.change != "build":
        # Half of it is there, of that the half has changed, and there are others that have to go.
        there = [entry(n, "It was" if n % 4 else "The answer is", refused=False) for n in range(0, ENTRIES, 2)]
        trial.write([*there, *(entry(ENTRIES + n, "Gone", refused=False) for n in range(500))])
        rejects = trial.folder / "none"
        sources = Sources([Path("corpus.jsonl")])
        encoder = HashEncoder()
        build_version(trial.client, trial.name, sources, rejects=rejects, encoder=encoder, words=HashReader(encoder))
        live_before = trial.documents(trial.name)
        options = ["--rebuild"] if point.change == "rebuild" else ["--update", "--remove-missing", "--yes"]
    trial.write(corpus)

    process = trial.execute(*options, kill=f"{point.when}:{point.where}")
    killed = process.returncode == -9
    # A moment that is drawn may come after the end.
    assert killed or point.when == "within"

    # What is kept is what is there: every document up to the position, with the refused ones in their file.
    versions = trial.versions()
    state = BuildState()
    if versions:
        target = versions[-1]
        state = target.state
        found, expected = trial.documents(target.name), stored(corpus)
        if not state.complete:
            first = [entry["id"] for entry in corpus[: state.position]]
            assert {id_: found.get(id_) for id_ in first} == {id_: expected.get(id_) for id_ in first}
            assert state.refused == sum(entry["year"] == "none" for entry in corpus[: state.position])
            assert len(trial.rejects()) >= state.refused
    if point.change == "rebuild" and killed:
        seen = trial.documents(trial.name)
        assert seen in (live_before, stored(corpus))

    code, out = trial.run(*options)
    report = re.search(r"(\d+) entr(?:y|ies) written(?: after (\d+) that were there already)?", out)
    sent = int(report[1]) if report else 0
    where = "complete" if state.complete else f"{state.position} kept"
    print(f"{point}: {'killed' if killed else 'was through'}, {where}, {sent} sent again", flush=True)

    # It went on from there, not from the beginning; or from further on, if the server did what it was told last after
    # the command was dead.
    made_from_this = state.complete and state.position == len(corpus)
    if killed and versions and not state.complete:
        assert sent <= len(corpus) - state.position
    elif made_from_this and not state.refused:
        assert sent == 0
    # And everything is there, and nothing else.
    assert code == int(refused)
    assert trial.documents(trial.name) == stored(corpus)
    assert trial.rejects() == [entry["id"] for entry in corpus if entry["year"] == "none"]
    versions = trial.versions()
    assert [version.live for version in versions] == ([False, True] if point.change == "rebuild" else [True])
    assert versions[-1].state.complete
    assert versions[-1].refresh_interval is None
