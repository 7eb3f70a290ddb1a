# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Indexing 100,000 entries in a real Elasticsearch: what `answer-selection index` does, against the client's own bulk
helper and the integration's store.

The helper gets dictionaries that are in memory already; the command reads, checks and serializes a JSONL file, keeps
what it needs to go on after a kill, and counts. Both write into an index of the same template, with refreshing off and
one refresh at the end. The store waits for a refresh every 500 documents, so that it gets fewer of them, and its speed
a document is compared.

    python tests/benchmarks/elasticsearch_indexing_speed.py --data ../shared/data
"""

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from elasticsearch import Elasticsearch, helpers
from haystack_integrations.document_stores.elasticsearch import ElasticsearchDocumentStore

from answer_selection.indexing.building.elasticsearch import build_version
from answer_selection.indexing.elasticsearch.connection import connect
from answer_selection.indexing.elasticsearch.settings import IndexSettings
from answer_selection.indexing.elasticsearch.template import put_template
from answer_selection.indexing.entries import Entry, iter_entries
from answer_selection.indexing.sources import Sources
from elasticsearch_server import ElasticsearchNode

AGAINST_HELPER, AGAINST_STORE = 0.9, 15.0
WORDS = [f"{a}{b}{c}" for a in ("ka", "lo", "mi", "tu") for b in "abcdefghij" for c in ("n", "rt", "ssen", "lik", "d")]


def texts(data: Path | None) -> tuple[list[str], list[str]]:
    """Sentences and questions: those of squad-sentences, or of invented words where there is no such data."""
    if data is None:
        generator = random.Random(1)
        lines = [" ".join(generator.choices(WORDS, k=generator.randint(8, 40))) for _ in range(20_000)]
        return lines, [" ".join(line.split()[:10]) for line in lines]
    folder = data / "squad-sentences"
    both = [folder / f"{kind}-{part}.txt" for kind in ("src", "tgt") for part in ("dev", "test")]
    sentences, questions = (
        [line for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
        for paths in (both[:2], both[2:])
    )
    return sorted(set(sentences)), questions


def write_entries(path: Path, number: int, data: Path | None) -> Path:
    """Write a corpus of answers that are halves of sentences, joined anew, each with a question."""
    sentences, questions = texts(data)
    generator = random.Random(0)
    with path.open("w", encoding="utf-8") as file:
        for i in range(number):
            first, second = (generator.choice(sentences).split() for _ in range(2))
            answer = " ".join(first[: len(first) // 2] + second[len(second) // 2 :])
            line = {
                "id": f"answer-{i}",
                "question": questions[i % len(questions)],
                "answer": answer,
                "topic": f"t{i % 50}",
            }
            file.write(json.dumps(line) + "\n")
    return path


def entries(path: Path) -> Iterator[Entry]:
    """The entries of a corpus that has no errors."""
    for item in iter_entries(path):
        assert isinstance(item, Entry)
        yield item


def by_command(client: Elasticsearch, corpus: Path, name: str, number: int) -> float:
    """Seconds that our own way takes."""
    start = time.perf_counter()
    report = build_version(client, name, Sources([corpus]), rejects=corpus.with_suffix(".rejects.jsonl"))
    seconds = time.perf_counter() - start
    assert (report.documents, report.written, report.refused, report.live) == (number, number, 0, True)
    return seconds


def by_helper(client: Elasticsearch, documents: list[dict], name: str) -> float:
    """Seconds that the client's helper takes."""
    put_template(client, name, IndexSettings())
    index = f"{name}-000001"
    start = time.perf_counter()
    client.indices.create(index=index, settings={"refresh_interval": "-1"})
    actions = ({"_id": document["id"], "_source": document} for document in documents)
    for done, _ in helpers.streaming_bulk(client, actions, index=index, chunk_size=1000):
        assert done
    client.indices.put_settings(index=index, settings={"refresh_interval": None})
    client.indices.refresh(index=index)
    seconds = time.perf_counter() - start
    assert client.count(index=index)["count"] == len(documents)
    return seconds


def by_store(client: Elasticsearch, url: str, corpus: Path, name: str, number: int) -> float:
    """Seconds that the integration's store takes for some of the documents."""
    put_template(client, name, IndexSettings())
    index = f"{name}-000001"
    client.indices.create(index=index)
    documents = [entry.to_document() for entry, _ in zip(entries(corpus), range(number), strict=False)]
    store = ElasticsearchDocumentStore(hosts=url, index=index)
    assert store.count_documents() == 0
    start = time.perf_counter()
    store.write_documents(documents)
    seconds = time.perf_counter() - start
    assert store.count_documents() == number
    return seconds


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder that holds squad-sentences; by default words are invented")
    parser.add_argument("--entries", type=int, default=100_000)
    parser.add_argument("--store-entries", type=int, default=5000, help="entries for the integration's store")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()

    times: dict[str, list[float]] = {"command": [], "helper": [], "store": []}
    with tempfile.TemporaryDirectory() as folder, ElasticsearchNode(heap="1g") as node:
        os.environ["ELASTICSEARCH_HOSTS"] = node.url
        client = connect()
        corpus = write_entries(Path(folder) / "corpus.jsonl", options.entries, options.data)
        documents = [document_of(entry) for entry in entries(corpus)]
        # The first writes of a server's life are slow.
        by_helper(client, documents[: options.entries // 5], "warm-up")
        for round_ in range(options.rounds):
            ways = {
                "command": lambda name: by_command(client, corpus, name, options.entries),
                "helper": lambda name: by_helper(client, documents, name),
                "store": lambda name: by_store(client, node.url, corpus, name, options.store_entries),
            }
            for way in sorted(ways, reverse=round_ % 2 == 1):
                name = f"{way}-{round_}"
                times[way].append(ways[way](name))
                client.indices.delete(index=f"{name}-000001")
                client.indices.delete_index_template(name=name)
            print(", ".join(f"{way} {values[-1]:.2f} s" for way, values in times.items()), flush=True)

    medians = {way: statistics.median(values) for way, values in times.items()}
    helper = statistics.median(h / c for h, c in zip(times["helper"], times["command"], strict=True))
    store = medians["store"] / options.store_entries / (medians["command"] / options.entries)
    print(f"medians: {', '.join(f'{way} {value:.2f} s' for way, value in medians.items())}")
    print(f"{options.entries:,} entries by the command: {options.entries / medians['command']:,.0f} a second")
    print(f"against streaming_bulk: {helper:.2f}x (at least {AGAINST_HELPER}x)")
    print(f"against write_documents ({options.store_entries:,} of them): {store:.0f}x (at least {AGAINST_STORE:.0f}x)")
    sys.exit(helper < AGAINST_HELPER or store < AGAINST_STORE)


def document_of(entry: Entry) -> dict:
    """The document as the integration's store writes it."""
    document = entry.to_document().to_dict()
    return {key: value for key, value in document.items() if value is not None}


if __name__ == "__main__":
    main()
