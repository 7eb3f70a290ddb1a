# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Hybrid retrieval from Elasticsearch: both searches in one request, against Haystack's own retriever, which makes two.

Both ask one real node for the best 30 of BM25 and the best 30 of vectors, with as many candidates, and are given the
question's vector. Ours leaves both scores of every document, the other ranks. Queries are as many words as drawn
answers have in common with them, vectors are around as many centres as there are subjects. They take turns question by
question; what counts is the median of the rounds' ratios. The recall of the nearest is told too.

    OMP_NUM_THREADS=1 python tests/benchmarks/elasticsearch_hybrid_speed.py
"""

import argparse
import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
from elasticsearch import Elasticsearch, helpers
from elasticsearch_retrieval_speed import race
from haystack import component
from haystack_integrations.components.retrievers.elasticsearch import ElasticsearchHybridRetriever
from haystack_integrations.document_stores.elasticsearch import ElasticsearchDocumentStore
from retrieval_speed import synthetic_corpus

from answer_selection.indexing.elasticsearch.settings import IndexSettings
from answer_selection.indexing.elasticsearch.template import put_template
from answer_selection.indexing.encoder import EncoderRecord
from elasticsearch_server import ElasticsearchNode
from haystack_integrations.components.retrievers.elasticsearch_hybrid import ElasticsearchHybridScoreRetriever

AT_LEAST = 1.0


@component
class KnownVectors:
    """A text embedder that has all vectors already."""

    def __init__(self, vectors: dict[str, list[float]]) -> None:
        self.vectors = vectors

    @component.output_types(embedding=list[float])
    def run(self, text: str) -> dict[str, list[float]]:
        """Look one up."""
        return {"embedding": self.vectors[text]}


def around_centres(generator: np.random.Generator, number: int, width: int) -> np.ndarray:
    """Unit vectors that are near to others, as those of sentences are."""
    centres = np.random.default_rng(1).standard_normal((200, width), np.float32)
    vectors = centres[generator.integers(len(centres), size=number)]
    vectors = vectors + generator.standard_normal((number, width), np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=20_000)
    parser.add_argument("--width", type=int, default=384)
    parser.add_argument("--queries", type=int, default=100, help="queries a round")
    parser.add_argument("--top-k", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()

    documents, queries = synthetic_corpus(options.entries, options.queries)
    generator = np.random.default_rng(0)
    vectors = around_centres(generator, len(documents), options.width)
    asked = around_centres(generator, len(queries), options.width)
    known = dict(zip(queries, asked.tolist(), strict=True))
    with ElasticsearchNode(heap="1g") as node, Elasticsearch(node.url, request_timeout=120) as client:
        put_template(client, "answers", IndexSettings(encoder=EncoderRecord("drawn", "drawn", options.width)))
        client.indices.create(index="answers-000001", aliases={"answers": {}}, settings={"refresh_interval": "-1"})
        actions = (
            {"_id": one.id, "_source": {"id": one.id, "content": one.content, **one.meta, "embedding": vector.tolist()}}
            for one, vector in zip(documents, vectors, strict=True)
        )
        for _ in helpers.streaming_bulk(client, actions, index="answers"):
            pass
        client.indices.refresh(index="answers")
        store = ElasticsearchDocumentStore(hosts=node.url, index="answers")
        ours = ElasticsearchHybridScoreRetriever(document_store=store, top_k=options.top_k)
        theirs = ElasticsearchHybridRetriever(
            store,
            embedder=KnownVectors(known),
            fuzziness="0",
            top_k_bm25=options.top_k,
            top_k_embedding=options.top_k,
            top_k=options.top_k,
        )

        recalls = []
        for query, vector in zip(queries, asked, strict=True):
            exact = {documents[i].id for i in np.argsort(-(vectors @ vector))[: options.top_k]}
            nearest = {document.id for document in ours.run_alone("vectors", query, known[query])["documents"]}
            recalls.append(len(exact & nearest) / len(exact))
        ways = {"ours": lambda query: ours.run(query, known[query]), "theirs": lambda query: theirs.run(query=query)}
        race(ways, queries)
        times: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(options.rounds):
            for name, seconds in race(ways, queries).items():
                times[name].append(seconds)
    for name, values in times.items():
        spread = f"{min(values) * 1e3:.2f} to {max(values) * 1e3:.2f}"
        print(f"{name:10} {statistics.median(values) * 1e3:8.2f} ms a query ({spread})")
    print(f"recall@{options.top_k} of the exact nearest: {statistics.mean(recalls):.4f}")
    ratio = statistics.median(other / own for other, own in zip(times["theirs"], times["ours"], strict=True))
    print(f"Haystack's retriever against ours: {ratio:.2f}x (at least {AT_LEAST}x)")
    sys.exit(ratio < AT_LEAST)


if __name__ == "__main__":
    main()
