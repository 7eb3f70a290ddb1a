# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
The best 100 answers through the shipped pipeline's retriever, against the client's `search` of the same query.

Both get whole documents from one real node. They take turns question by question; what counts is the median of the
rounds' ratios.

    python tests/benchmarks/elasticsearch_retrieval_speed.py --data ../shared/data
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from elasticsearch import Elasticsearch
from elasticsearch_search_ids_speed import fill
from search_ids_speed import corpus

from answer_selection.pipelines.definitions import pipeline_yaml
from elasticsearch_server import ElasticsearchNode

AT_LEAST = 0.8


def race(ways: Mapping[str, Callable[[str], object]], queries: Sequence[str]) -> dict[str, float]:
    """Mean seconds a query. Both take turns with every query, and in who is first, so that both meet the same noise."""
    seconds = dict.fromkeys(ways, 0.0)
    for place, query in enumerate(queries):
        for name in sorted(ways, reverse=place % 2 == 1):
            start = time.perf_counter()
            ways[name](query)
            seconds[name] += time.perf_counter() - start
    return {name: total / len(queries) for name, total in seconds.items()}


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder that holds squad-sentences")
    parser.add_argument("--answers", type=int, default=142_000)
    parser.add_argument("--queries", type=int, default=200, help="queries a round")
    parser.add_argument("--top-k", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()

    documents, queries = corpus(options.data, options.answers, options.queries)
    with ElasticsearchNode(heap="1g") as node, Elasticsearch(node.url) as client:
        os.environ["ELASTICSEARCH_HOSTS"] = node.url
        fill(client, "answers", documents)
        definition = pipeline_yaml.point_at(pipeline_yaml.read("answer_elasticsearch"), index="answers")
        retriever = pipeline_yaml.load(definition).get_component("retriever")

        def through_retriever(query: str) -> list[str]:
            return [document.id for document in retriever.run(query, top_k=options.top_k)["documents"]]

        def raw(query: str) -> list[str]:
            match = {"query": query, "type": "most_fields", "operator": "OR", "fuzziness": "0"}
            found = client.search(
                index="answers", size=options.top_k, query={"bool": {"must": [{"multi_match": match}]}}
            )
            return [hit["_source"]["id"] for hit in found["hits"]["hits"]]

        assert [through_retriever(query) for query in queries] == [raw(query) for query in queries]
        ways = {"retriever": through_retriever, "raw": raw}
        times: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(options.rounds):
            for name, seconds in race(ways, queries).items():
                times[name].append(seconds)
    for name, values in times.items():
        spread = f"{min(values) * 1e3:.2f} to {max(values) * 1e3:.2f}"
        print(f"{name:10} {statistics.median(values) * 1e3:8.2f} ms a query ({spread})")
    ratio = statistics.median(raw / own for raw, own in zip(times["raw"], times["retriever"], strict=True))
    print(f"the retriever against raw search, top {options.top_k}: {ratio:.2f}x (at least {AT_LEAST}x)")
    sys.exit(ratio < AT_LEAST)


if __name__ == "__main__":
    main()
