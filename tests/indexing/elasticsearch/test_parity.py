# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Both stores find the same: one shard, k1 1.2, b 0.75, the same terms of the same text, and so the same scores.

Only for a few words the terms are not the same, see test_same_analysis.py; a question with one of them may get other
scores.
"""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from elasticsearch import Elasticsearch

from answer_selection.indexing.building.embedded import build_index
from answer_selection.indexing.corpus import iter_queries
from answer_selection.indexing.elasticsearch.index import ElasticsearchIndex
from answer_selection.indexing.entries import iter_entries
from answer_selection.indexing.sources import Sources
from answer_selection.pipelines.definitions import pipeline_yaml
from answer_selection.pipelines.experiments.data.squad_blocks import read_squad_sentences
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore
from haystack_integrations.document_stores.tantivy.analysis import build_analyzer, prepare

LIBRARY_FAQ = Path(__file__).parents[3] / "indexing" / "library_faq"
TOP = 10
# Lucene and Tantivy add up the same numbers in single precision, in another order.
ROUNDING = 1e-5

Hits = list[tuple[str, float]]


def equal_but_for_ties(one: Hits, other: Hits) -> bool:
    """Whether two lists have the same scores, and the same ids for those that are not as low as the last."""
    if [score for _, score in one] != pytest.approx([score for _, score in other], rel=ROUNDING):
        return False
    last = one[-1][1] * (1 + ROUNDING) if one else 0.0
    scores = dict(other)
    above = [(id_, score) for id_, score in one if score > last or len(one) < TOP]
    return all(scores.get(id_) == pytest.approx(score, rel=ROUNDING) for id_, score in above)


class Pair:
    """The same entries in both stores."""

    def __init__(self, client, name: str, folder: Path) -> None:
        self.client, self.name = client, name
        self.elasticsearch = ElasticsearchIndex.open(name, client)
        self.tantivy = TantivyDocumentStore.open(folder)

    def terms(self, texts: list[str]) -> Iterator[tuple[list[str], list[str]]]:
        """Each text's terms in Elasticsearch and in Tantivy."""
        analyzer = build_analyzer(self.tantivy.language)
        for text in texts:
            found = self.client.indices.analyze(index=self.elasticsearch.version, field="content", text=text)["tokens"]
            yield [token["token"] for token in found], analyzer.analyze(prepare(text))

    def retriever(self):
        """That of the shipped pipeline."""
        definition = pipeline_yaml.point_at(pipeline_yaml.read("answer_elasticsearch"), index=self.name)
        return pipeline_yaml.load(definition).get_component("retriever")


@pytest.fixture(scope="module")
def pair(elasticsearch_node, elasticsearch_index, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch, Elasticsearch(elasticsearch_node.url) as client:
        patch.setenv("ELASTICSEARCH_HOSTS", elasticsearch_node.url)

        def make(entries: Path, language: str | None) -> Pair:
            folder = tmp_path_factory.mktemp("tantivy") / "index"
            build_index(
                TantivyDocumentStore(path=folder, language=language), Sources([entries], require_question=False)
            )
            return Pair(client, elasticsearch_index(entries, require_question=False, language=language), folder)

        yield make


@pytest.fixture(scope="module")
def squad(benchmark_data, tmp_path_factory) -> tuple[Path, list[str]]:
    """5,000 answers and 500 questions to them."""
    folder = benchmark_data / "squad-sentences"
    entries, queries = read_squad_sentences(folder / "src-test.txt", folder / "tgt-test.txt")
    path = tmp_path_factory.mktemp("squad") / "corpus.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for entry in islice(entries, 5000):
            file.write(json.dumps({"entry_id": entry.entry_id, "answer": entry.answer}) + "\n")
    every = [query.query for query in queries]
    return path, every[:5000:10]


@pytest.mark.parametrize("language", [None, "english"])
def test_the_bundled_faqs_questions_find_the_same_in_both(pair, language):
    stores = pair(LIBRARY_FAQ / "faq.jsonl", language)
    queries = [query.query for query in iter_queries(LIBRARY_FAQ / "validation.jsonl")]
    expected = list(stores.tantivy.search_scored(queries, TOP))
    found = list(stores.elasticsearch.search_scored(queries, TOP))
    different = {
        query for query, one, other in zip(queries, found, expected, strict=True) if not equal_but_for_ties(one, other)
    }
    retriever = stores.retriever()
    for query, scored in zip(queries[::10], found[::10], strict=True):
        documents = retriever.run(query=query, top_k=TOP)["documents"]
        assert equal_but_for_ties([(document.id, document.score) for document in documents], scored)
    assert len(different) <= (0.02 * len(queries) if language else 0)


# Measured: 499 and 495 of 500, all others with a word that the two cut or stem differently (`²`, `organizations`).
@pytest.mark.parametrize(("language", "least"), [(None, 499), ("english", 495)])
def test_squads_questions_find_the_same_in_both_but_for_the_words_that_are_not_the_same(pair, squad, language, least):
    entries, queries = squad
    stores = pair(entries, language)
    answers = [entry.answer for entry in iter_entries(entries, require_question=False)]
    # Terms are compared by hundreds of answers at a time, which is what a request costs.
    texts = [*queries, *(" ".join(answers[start : start + 100]) for start in range(0, len(answers), 100))]
    apart: set[str] = set()
    for there, here in stores.terms(texts):
        apart.update(term for both in zip(there, here, strict=True) if len(set(both)) == 2 for term in both)
    untouched = {
        query
        for query, (there, here) in zip(queries, stores.terms(queries), strict=True)
        if apart.isdisjoint((*there, *here))
    }

    found = list(stores.elasticsearch.search_scored(queries, TOP))
    expected = list(stores.tantivy.search_scored(queries, TOP))
    same = {query for query, one, other in zip(queries, found, expected, strict=True) if equal_but_for_ties(one, other)}
    assert same >= untouched
    assert len(same) >= least
    assert len(untouched) >= least - 5
    # What the pipeline finds is what is found for many queries at once.
    retriever = stores.retriever()
    for query, scored in zip(queries[::10], found[::10], strict=True):
        documents = retriever.run(query=query, top_k=TOP)["documents"]
        assert equal_but_for_ties([(document.id, document.score) for document in documents], scored)
