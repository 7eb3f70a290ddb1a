# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Training on an index with vectors: what real queries choose, the lists that are mined, and the recipe linear."""

from dataclasses import replace

import numpy as np
import pytest
from haystack import Document

from answer_selection.indexing.candidates import read_jsonl
from answer_selection.indexing.corpus import Query
from answer_selection.indexing.encoder import EncoderRecord
from answer_selection.indexing.fusion import VECTOR_WEIGHT
from answer_selection.pipelines.commands.console import bar
from answer_selection.pipelines.training import from_index, index_encoder
from answer_selection.pipelines.training.hybrid_settings import WEIGHTS, choose_hybrid_settings
from answer_selection.pipelines.training.mining import RETRIEVED, mine_lists
from answer_selection.pipelines.training.recipe import read_recipe
from haystack_integrations.components.rankers.answer_selection import AnswerRanker
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

ENTRIES = 60


class NumberEncoder:
    """A text's vector is a place on a circle, by the last number in it: vectors find what a query means."""

    record = EncoderRecord("numbers", "0", 3)

    def encode(self, texts):
        numbers = [([int(word) for word in text.split() if word.isdigit()] or [0])[-1] for text in texts]
        angles = 2 * np.pi * np.array(numbers) / ENTRIES
        # All are near to each other, as texts of one corpus are: the usual weight trusts BM25 more.
        vectors = np.stack([np.cos(angles), np.sin(angles), np.full(len(angles), np.sqrt(40))], axis=1)
        return (vectors / np.sqrt(41)).astype(np.float32)


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    store = TantivyDocumentStore(path=tmp_path_factory.mktemp("index") / "index")
    encoder = NumberEncoder()
    store.write_documents(
        Document(
            id=f"e{number}",
            content=f"the desk opens at nine floor{number}",
            # By BM25 every query leads to the entry across.
            meta={"question": f"when does desk word{(number + ENTRIES // 2) % ENTRIES} open"},
            embedding=encoder.encode([f"{number}"])[0].tolist(),
        )
        for number in range(ENTRIES)
    )
    return store


def asked(numbers):
    return [Query(f"q{one}", f"desk word{one} word{one} nummer{one} {one}", (f"e{one}",)) for one in numbers]


@pytest.mark.slow
def test_vectors_that_know_better_get_more_weight(index):
    chosen = choose_hybrid_settings(index, NumberEncoder(), asked(range(40)), RETRIEVED)
    assert chosen.chosen
    assert chosen.weight in WEIGHTS
    assert chosen.fields["content"] == 1.0
    assert chosen.mrr > chosen.usual_mrr
    texts, vectors = (["desk word5 word5 nummer5 5"], NumberEncoder().encode(["5"]).tolist())
    [found] = index.search_hybrid(texts, vectors, RETRIEVED, chosen.fields, weight=chosen.weight)
    assert found[0].id == "e5"


def test_few_queries_choose_nothing(index):
    chosen = choose_hybrid_settings(index, NumberEncoder(), asked(range(29)), RETRIEVED)
    assert not chosen.chosen
    assert chosen.parameters() == {"search_fields": dict(index.search_fields), "weight": VECTOR_WEIGHT}


@pytest.mark.slow
def test_what_is_usual_stays_where_nothing_is_better(index):
    """Queries that nothing finds."""
    lost = [replace(one, relevant=("gone",)) for one in asked(range(40))]
    assert not choose_hybrid_settings(index, NumberEncoder(), lost, RETRIEVED).chosen


@pytest.mark.slow
def test_lists_are_mined_behind_what_was_chosen(index, tmp_path):
    lists = mine_lists(
        index, tmp_path, bar, queries=asked(range(20)), validation=asked(range(20, ENTRIES)), encoder=NumberEncoder()
    )
    assert lists.retrieval.chosen
    deployed = lists.retrieval.parameters()
    for one in [*read_jsonl(lists.train)][:3]:
        found = index.hybrid_retrieval(
            one.query, NumberEncoder().encode([one.query])[0].tolist(), top_k=ENTRIES, **deployed
        )
        scores = {each.id: (each.meta["bm25_score"], each.meta["vector_score"]) for each in found}
        for each in one.candidates:
            assert (each.meta["bm25_score"], each.meta["vector_score"]) == pytest.approx(scores[each.candidate_id])


def test_an_indexs_own_questions_choose_nothing(index, tmp_path):
    lists = mine_lists(index, tmp_path, bar, encoder=NumberEncoder())
    assert not lists.real
    assert not lists.retrieval.chosen


def test_an_index_without_vectors_has_no_encoder_to_load(tmp_path):
    store = TantivyDocumentStore(path=tmp_path / "index")
    store.write_documents([Document(content="the desk opens at nine")])
    assert index_encoder.load_encoder_of(store) is None


class TestLinear:
    @pytest.fixture
    def result(self, index, tmp_path, monkeypatch):
        monkeypatch.setattr(from_index, "load_encoder_of", lambda _: NumberEncoder())
        recipe = read_recipe("linear", {"training": {"use_cpu": True, "epochs": 4}})
        return from_index.train_from_index(
            index,
            tmp_path / "model",
            recipe,
            bar,
            start="scratch",
            queries=asked(range(20)),
            validation=asked(range(20, ENTRIES)),
        )

    @pytest.mark.slow
    def test_ranks_what_the_retriever_gives(self, index, result, caplog):
        ranker, query = AnswerRanker(model=result.folder), asked([5])[0].query
        found = index.hybrid_retrieval(query, NumberEncoder().encode([query])[0].tolist(), top_k=30, **result.retrieval)
        ranked = ranker.run(query, found)["documents"]
        assert ranked[0].id == "e5"
        assert not caplog.records
        [told] = ranker.explain(query, ranked[:1])
        values = {feature.name: feature.value for feature in told.features}
        assert values["cosine"] == pytest.approx(ranked[0].meta["vector_score"])

    @pytest.mark.slow
    def test_the_card_says_how_the_retriever_searched(self, result):
        card = (result.folder / "README.md").read_text(encoding="utf-8")
        assert f"weight | {result.retrieval['weight']}" in card
        assert "validation questions: hybrid retrieval " in card
        advices = ("improves on hybrid retrieval here", "Keep hybrid retrieval", "Keep the package's ranker")
        assert sum(advice in card for advice in advices) == 1


def test_linear_needs_an_index_with_vectors(tmp_path):
    store = TantivyDocumentStore(path=tmp_path / "index")
    store.write_documents(
        Document(id=f"e{one}", content=f"desk{one} opens at nine", meta={"question": f"when opens desk{one}"})
        for one in range(20)
    )
    with pytest.raises(ValueError, match=r"the model reads cosines .* index the corpus with an encoder"):
        from_index.train_from_index(store, tmp_path / "model", read_recipe("linear"), bar, start="scratch")
