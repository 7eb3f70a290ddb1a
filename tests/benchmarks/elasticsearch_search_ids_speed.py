# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
The ids of the best 1000 answers for 10,000 questions, at 142,000 answers in Elasticsearch: `search_ids` against one
`search` a question, which asks for ids alone too (`_source` off), and whether memory stays the same.

Answers and questions are those of `search_ids_speed.py`. Both get the same questions and take turns; what counts is the
median of the rounds' ratios.

    python tests/benchmarks/elasticsearch_search_ids_speed.py --data ../shared/data
"""

import argparse
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from elasticsearch import Elasticsearch, helpers
from haystack import Document
from search_ids_speed import corpus, resident

from answer_selection.indexing.elasticsearch.index import ElasticsearchIndex
from answer_selection.indexing.elasticsearch.settings import IndexSettings
from answer_selection.indexing.elasticsearch.template import put_template
from elasticsearch_server import ElasticsearchNode

AT_LEAST = 2.0
# They take turns after so many questions, so that both meet the same noise.
TURN = 250


def fill(client: Elasticsearch, name: str, documents: Sequence[Document]) -> None:
    """Make an index as `answer-selection index` does, from documents in memory."""
    put_template(client, name, IndexSettings())
    client.indices.create(index=f"{name}-000001", aliases={name: {}}, settings={"refresh_interval": "-1"})
    actions = (
        {"_id": document.id, "_source": {"id": document.id, "content": document.content, **document.meta}}
        for document in documents
    )
    for _ in helpers.streaming_bulk(client, actions, index=name, chunk_size=1000):
        pass
    client.indices.forcemerge(index=name, max_num_segments=1)
    client.indices.refresh(index=name)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder that holds squad-sentences")
    parser.add_argument("--answers", type=int, default=142_000)
    parser.add_argument("--queries", type=int, default=10_000)
    parser.add_argument("--top-k", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()

    documents, queries = corpus(options.data, options.answers, options.queries)
    with ElasticsearchNode(heap="1g") as node, Elasticsearch(node.url) as client:
        fill(client, "answers", documents)
        del documents
        index = ElasticsearchIndex.open("answers", client)

        def one_by_one(query: str) -> list[str]:
            match = {"query": query, "type": "most_fields", "operator": "OR", "fields": ["content^1.0"]}
            found = client.search(
                index="answers", size=options.top_k, query={"bool": {"must": [{"multi_match": match}]}}, source=False
            )
            return [hit["_id"] for hit in found["hits"]["hits"]]

        ways = {
            "search_ids": lambda some: list(index.search_ids(some, options.top_k, {"content": 1.0})),
            "search": lambda some: [one_by_one(query) for query in some],
        }

        def race(some: Sequence[str]) -> dict[str, float]:
            seconds = dict.fromkeys(ways, 0.0)
            for turn, start in enumerate(range(0, len(some), TURN)):
                found = {}
                for name in sorted(ways, reverse=turn % 2 == 1):
                    begin = time.perf_counter()
                    found[name] = ways[name](some[start : start + TURN])
                    seconds[name] += time.perf_counter() - begin
                # Which of equal scores are the last of a thousand is left to each.
                assert [len(ids) for ids in found["search"]] == [len(ids) for ids in found["search_ids"]]
            return seconds

        race(queries[:TURN])
        size = len(queries) // options.rounds
        ratios, memory, total = [], [], 0.0
        for round_ in range(options.rounds):
            seconds = race(queries[round_ * size : (round_ + 1) * size])
            ratios.append(seconds["search"] / seconds["search_ids"])
            total += seconds["search_ids"]
            memory.append(resident())
            each = ", ".join(f"{name} {value / size * 1e3:.2f} ms a query" for name, value in sorted(seconds.items()))
            print(f"{each}: {ratios[-1]:.2f}x; {memory[-1]:.0f} MiB", flush=True)
    ratio = statistics.median(ratios)
    print(f"{options.queries:,} queries, {options.top_k} ids each, by search_ids: {total:.0f} s")
    print(f"search_ids against one search a question: {ratio:.2f}x (at least {AT_LEAST:.0f}x)")
    sys.exit(ratio < AT_LEAST)


if __name__ == "__main__":
    main()
