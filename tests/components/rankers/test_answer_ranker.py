# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The ranker that runs any model, on small real models with random weights."""

import asyncio
import copy
import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
import torch
from haystack import Document, Pipeline
from haystack.utils import ComponentDevice, Device, DeviceMap, Secret

from computed_twice import assert_same_ranking, assert_same_scores
from haystack_integrations.components.preprocessors.answer_selection.shallow import ShallowBackend
from haystack_integrations.components.rankers.answer_selection import AnswerRanker
from haystack_integrations.components.rankers.answer_selection.candidate_scores import CandidateScores
from haystack_integrations.components.rankers.answer_selection.mixing import mix, sigmoid
from haystack_integrations.components.rankers.answer_selection.model_component import LoadedModel
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.base import Collator
from haystack_integrations.components.rankers.answer_selection.models.record import Record
from haystack_integrations.components.rankers.answer_selection.signals import (
    BM25_WEIGHTS,
    GIVEN_WEIGHTS,
    HYBRID_WEIGHTS,
    SCORED_WEIGHTS,
    weighed,
)

QUERY = "When does the reading room close?"
TEXTS = [
    "The reading room closes at eight on weekdays.",
    "A lost card is replaced at any desk for two dollars, and a new one is printed while you wait.",
    "No.",
    "Renew a loan online, by telephone or at a desk, as often as you like unless somebody else waits for the book.",
    "The room on the second floor can be booked for two hours a day.",
]
ENCODER = {
    "encoder": {
        "model_type": "bert",
        "vocab_size": 100,
        "hidden_size": 8,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "intermediate_size": 16,
    }
}
TREE_SIZES = {"half_size": 8, "heads": 2, "feed_forward_size": 12}


def documents(scores=(5.0, 4.0, 3.0, 2.0, 1.0)):
    return [
        Document(id=str(index), content=text, score=score)
        for index, (text, score) in enumerate(zip(TEXTS, scores, strict=True))
    ]


def ids(result):
    return [document.id for document in result["documents"]]


def scores(result):
    return [document.score for document in result["documents"]]


def build(name, folder):
    torch.manual_seed(3)
    sizes = {"embedding_size": 12, "projection_size": 10, "hidden_size": 16, "mlp_size": 8}
    model, collator = registry.build(
        name, [QUERY, *TEXTS], TEXTS, pair_features=["idf_overlap", "bm25"], match_channels=True, **sizes
    )
    registry.save(folder, model, collator)
    return folder


@pytest.fixture(scope="module")
def ctrn_folder(tmp_path_factory):
    return build("ctrn", tmp_path_factory.mktemp("ctrn"))


@pytest.fixture(scope="module")
def qrnn_folder(tmp_path_factory):
    return build("qrnn", tmp_path_factory.mktemp("qrnn"))


@pytest.fixture(scope="module")
def ranker(ctrn_folder):
    return AnswerRanker(model=ctrn_folder, retriever_weight=0.0, device=ComponentDevice.from_str("cpu"))


class TestResults:
    def test_highest_first_with_what_was_known_before(self, ranker):
        given = documents()
        before = copy.deepcopy(given)
        result = ranker.run(QUERY, given)["documents"]
        logits = ranker.score_pairs([Record(QUERY, text) for text in TEXTS])
        assert len(set(logits)) == len(TEXTS)
        order = sorted(range(len(TEXTS)), key=lambda index: -logits[index])
        assert [document.id for document in result] == [str(index) for index in order]
        assert_same_scores([document.score for document in result], sigmoid(logits)[order])
        for document, index in zip(result, order, strict=True):
            assert document.content == TEXTS[index]
            assert document.meta == {
                "ranker_probability": document.score,
                "retriever_score": given[index].score,
                "retriever_rank": index + 1,
            }
            assert type(document.score) is float
            assert all(type(value) in (float, int) for value in document.meta.values())
        assert given == before

    def test_old_keys_of_the_metadata_are_replaced_and_others_kept(self, ranker):
        given = Document(content="a b", meta={"question": "q", "ranker_probability": 7, "retriever_rank": 9}, score=0.5)
        (result,) = ranker.run(QUERY, [given])["documents"]
        assert result.meta == {
            "question": "q",
            "ranker_probability": result.score,
            "retriever_score": 0.5,
            "retriever_rank": 1,
        }
        assert given.meta["retriever_rank"] == 9

    def test_equal_scores_keep_the_incoming_order(self, ranker):
        given = [Document(id=str(number), content=TEXTS[number % 2]) for number in range(40)]
        for size in (1, 7, 64):
            result = AnswerRanker(model=ranker.model, batch_size=size, top_k=40).run(QUERY, given)
            numbers = [int(number) for number in ids(result)]
            assert len(set(scores(result))) == 2
            assert numbers[:20] == sorted(numbers[:20])
            assert numbers[20:] == sorted(numbers[20:])

    def test_of_duplicates_the_highest_score_is_kept_at_the_first_place(self, ranker):
        given = [
            Document(id="a", content=TEXTS[0], score=1.0),
            Document(id="b", content=TEXTS[1], score=0.5),
            Document(id="a", content=TEXTS[2], score=2.0),
            Document(id="b", content=TEXTS[3]),
        ]
        result = {document.id: document for document in ranker.run(QUERY, given)["documents"]}
        assert {name: document.content for name, document in result.items()} == {"a": TEXTS[2], "b": TEXTS[1]}
        assert {name: document.meta["retriever_rank"] for name, document in result.items()} == {"a": 1, "b": 2}

    def test_no_documents(self, ranker):
        nothing = {"documents": [], "abstained": False, "closest_documents": []}
        nothing |= {"best_probability": None, "certainty": None}
        assert ranker.run(QUERY, []) == nothing
        # without a document the model is not even looked for
        assert AnswerRanker(model="no/such/folder").run(QUERY, []) == nothing

    def test_no_content_is_the_empty_text(self, ranker):
        given = [Document(id=repr(text), content=text) for text in (None, "", "  ")]
        result = ranker.run(QUERY, given)
        assert sorted(ids(result)) == sorted(["None", "''", "'  '"])
        assert scores(result) == pytest.approx([scores(result)[0]] * 3, abs=1e-6)
        assert 0.0 < scores(result)[0] < 1.0

    @pytest.mark.parametrize("query", ["", "   ", "?!", "\x00", "日本語"])
    def test_any_query_is_scored(self, ranker, query):
        result = ranker.run(query, documents())
        assert sorted(ids(result)) == ["0", "1", "2", "3", "4"]
        assert all(0.0 < score < 1.0 for score in scores(result))

    def test_the_entrys_question_is_not_seen_unless_it_is_named(self, ranker):
        given = [
            Document(id="plain", content=TEXTS[0]),
            Document(id="with", content=TEXTS[0], meta={"question": QUERY, "number": 0}),
        ]
        assert len(set(scores(ranker.run(QUERY, given)))) == 1
        named = AnswerRanker(model=ranker.model, meta_fields_to_embed=["question", "number"], embedding_separator=" | ")
        result = {document.id: document.score for document in named.run(QUERY, given)["documents"]}
        whole = Document(content=f"{QUERY} | 0 | {TEXTS[0]}")
        assert result["plain"] == pytest.approx(scores(ranker.run(QUERY, given))[0])
        assert result["with"] == pytest.approx(scores(ranker.run(QUERY, [whole]))[0])
        assert result["with"] != pytest.approx(result["plain"])

    def test_a_pairs_score_does_not_depend_on_its_batch(self, ranker):
        alone = [scores(ranker.run(QUERY, [document]))[0] for document in documents()]
        for size in (1, 2, 64):
            sized = AnswerRanker(model=ranker.model, retriever_weight=0.0, batch_size=size)
            together = {document.id: document.score for document in sized.run(QUERY, documents())["documents"]}
            assert [together[str(index)] for index in range(5)] == pytest.approx(alone, abs=1e-6)


class TestLimits:
    def test_threshold_then_top_k(self, ranker):
        every = ranker.run(QUERY, documents())
        third = scores(every)[2] - 1e-6
        assert ids(ranker.run(QUERY, documents(), score_threshold=third)) == ids(every)[:3]
        assert ids(ranker.run(QUERY, documents(), score_threshold=third, top_k=2)) == ids(every)[:2]
        assert ids(ranker.run(QUERY, documents(), score_threshold=1.0)) == []

    def test_run_time_wins_even_if_it_is_0(self, ctrn_folder):
        strict = AnswerRanker(model=ctrn_folder, top_k=2, score_threshold=1.0, retriever_weight=5.0)
        assert ids(strict.run(QUERY, documents())) == []
        assert len(ids(strict.run(QUERY, documents(), score_threshold=0.0))) == 2
        by_retriever = strict.run(QUERY, documents(), score_threshold=0.0, top_k=5)
        assert ids(by_retriever) == ["0", "1", "2", "3", "4"]
        alone = strict.run(QUERY, documents(), score_threshold=0, top_k=5, retriever_weight=0)
        assert scores(alone) == [document.meta["ranker_probability"] for document in alone["documents"]]

    @pytest.mark.parametrize("top_k", [0, -1])
    def test_top_k_has_to_be_positive(self, ranker, top_k):
        with pytest.raises(ValueError, match=f"top_k must be an integer > 0, but got {top_k}"):
            AnswerRanker(model=ranker.model, top_k=top_k)
        for given in (documents(), []):
            with pytest.raises(ValueError, match=f"top_k must be an integer > 0, but got {top_k}"):
                ranker.run(QUERY, given, top_k=top_k)
        with pytest.raises(ValueError, match=f"top_k must be an integer > 0, but got {top_k}"):
            ranker.run_batch([], [], top_k=top_k)

    def test_a_threshold_of_nan_would_let_nothing_or_everything_through(self, ranker):
        with pytest.raises(ValueError, match="score_threshold must be a number or None, but got nan"):
            ranker.run(QUERY, [], score_threshold=math.nan)


class TestRetrieverScores:
    def test_they_are_mixed_in(self, ranker):
        given = documents(scores=(1.0, 9.0, 4.0, 4.0, 0.0))
        result = {document.id: document for document in ranker.run(QUERY, given, retriever_weight=0.7)["documents"]}
        logits = ranker.score_pairs([Record(QUERY, text) for text in TEXTS])
        expected = mix(logits, torch.tensor([1.0, 9.0, 4.0, 4.0, 0.0]).double().numpy(), 0.7)
        assert_same_scores([result[str(index)].score for index in range(5)], expected)
        probabilities = [result[str(index)].meta["ranker_probability"] for index in range(5)]
        assert_same_scores(probabilities, sigmoid(logits))

    def test_documents_without_scores_are_ranked_by_the_model_alone(self, ranker):
        bare = documents(scores=[None] * 5)
        result = ranker.run(QUERY, bare, retriever_weight=3.0)
        assert_same_ranking(result, ranker.run(QUERY, bare, retriever_weight=0.0))
        assert {document.meta["retriever_score"] for document in result["documents"]} == {None}

    def test_the_models_configuration_names_the_default_weight(self, ctrn_folder, tmp_path):
        model, collator = registry.load(ctrn_folder)
        model.config.retriever_weight = 1.5
        registry.save(tmp_path / "model", model, collator)
        ranker = AnswerRanker(model=tmp_path / "model")
        found = ranker.run(QUERY, documents())
        assert_same_ranking(found, ranker.run(QUERY, documents(), retriever_weight=1.5))
        assert scores(found) != pytest.approx(scores(ranker.run(QUERY, documents(), retriever_weight=0.0)), abs=1e-3)

    def test_a_model_may_ask_for_all_signals(self, ctrn_folder, tmp_path):
        model, collator = registry.load(ctrn_folder)
        model.config.retriever_weight, model.config.signals = 1.5, True
        registry.save(tmp_path / "model", model, collator)
        ranker = AnswerRanker(model=tmp_path / "model")
        by_words, by_both = documents(), documents()
        for place, document in enumerate(by_both):
            document.meta.update(bm25_score=5.0 - place, vector_score=0.2 * place)
        for given in (by_words, by_both):
            found = {document.id: document for document in ranker.run(QUERY, given)["documents"]}
            records = [Record(QUERY, document.content, {}, document.meta) for document in given]
            own = ranker.score_pairs(records)
            whole, hybrid = CandidateScores(None, 0).complete(records)
            assert hybrid == (given is by_both)
            retrieved = np.array([one.score for one in given])
            odds = np.exp(weighed(whole, own, retrieved, hybrid=hybrid).sum(axis=1))
            # At most one is right.
            assert_same_scores([found[document.id].score for document in given], odds / (1 + odds.sum()))
            assert all(document.meta["ranker_probability"] == document.score for document in found.values())
        # Whoever names a weight gets the sum of two.
        assert_same_ranking(
            ranker.run(QUERY, by_both, retriever_weight=0.3),
            AnswerRanker(model=ctrn_folder, retriever_weight=0.3).run(QUERY, by_both),
        )
        assert ranker.ranked_by(by_both)["retriever_weight"] is None
        assert ranker.ranked_by(by_both, 0.3)["retriever_weight"] == 0.3
        told = [ranker.ranked_by(by_both), ranker.ranked_by(by_words), ranker.ranked_by(by_both, 0.3)]
        assert [one["signals"] for one in told] == [[HYBRID_WEIGHTS], [SCORED_WEIGHTS, BM25_WEIGHTS], None]
        # The model's weight among them may be its own.
        model.config.signal_weight = 2.0
        registry.save(tmp_path / "heavy", model, collator)
        heavy = AnswerRanker(model=tmp_path / "heavy")
        assert heavy.ranked_by(by_both)["signals"] == [{**HYBRID_WEIGHTS, "model": 2.0}]
        found = {document.id: document for document in heavy.run(QUERY, by_both)["documents"]}
        odds = np.exp(weighed(whole, own, np.array([one.score for one in by_both]), model=2.0).sum(axis=1))
        assert_same_scores([found[document.id].score for document in by_both], odds / (1 + odds.sum()))
        # What retrieval has left in the metadata is enough.
        by_both = [replace(document, score=None) for document in by_both]
        assert ranker.ranked_by(by_both)["signals"] == [GIVEN_WEIGHTS]
        found = {document.id: document for document in ranker.run(QUERY, by_both)["documents"]}
        odds = np.exp(weighed(whole, own, np.full(5, np.nan)).sum(axis=1))
        assert_same_scores([found[document.id].score for document in by_both], odds / (1 + odds.sum()))

    def test_a_score_of_nan_is_named(self, ranker):
        with pytest.raises(ValueError, match="document '1' came with the score nan"):
            ranker.run(QUERY, documents(scores=(1.0, math.nan, 1.0, 1.0, 1.0)))


class TestManyQueries:
    QUERIES = (QUERY, "", "How do I renew?", QUERY, "card")

    @pytest.mark.parametrize("batch_size", [1, 3, 64])
    def test_each_query_gets_what_it_gets_alone(self, ranker, batch_size):
        lists = [documents(), documents()[:2], [], documents()[::-1], documents()[1:4]]
        sized = AnswerRanker(model=ranker.model, batch_size=batch_size)
        options = {"top_k": 4, "score_threshold": 0.01, "retriever_weight": 0.3}
        batch = sized.run_batch(self.QUERIES, lists, **options)["documents"]
        assert len(batch) == len(lists)
        for query, given, result in zip(self.QUERIES, lists, batch, strict=True):
            alone = ranker.run(query, given, **options)["documents"]
            assert [document.id for document in result] == [document.id for document in alone]
            assert [document.score for document in result] == pytest.approx([d.score for d in alone], abs=1e-6)
            assert [document.meta["retriever_rank"] for document in result] == [
                document.meta["retriever_rank"] for document in alone
            ]

    def test_they_share_batches_and_a_batch_encodes_a_query_once(self, ctrn_folder, monkeypatch):
        ranker = AnswerRanker(model=ctrn_folder, batch_size=10)
        ranker.warm_up()
        model = ranker._warm().model
        sizes = []
        forward = model.forward
        monkeypatch.setattr(model, "forward", lambda **batch: sizes.append(batch["list_sizes"]) or forward(**batch))
        ranker.run_batch(["a b", "c d", "e f", "g h"], [documents() for _ in range(4)])
        assert [int(batch.sum()) for batch in sizes] == [10, 10]
        assert all(len(batch) <= 4 for batch in sizes)

    def test_lengths_have_to_agree(self, ranker):
        with pytest.raises(ValueError, match="but got 2 queries, 1 lists of documents and 2 query_metas"):
            ranker.run_batch(["a", "b"], [documents()])
        with pytest.raises(ValueError, match="but got 1 queries, 1 lists of documents and 2 query_metas"):
            ranker.run_batch(["a"], [documents()], query_metas=[None, None])

    def test_what_is_known_of_the_queries_reaches_the_models_collator(self, ctrn_folder):
        seen = []

        class Recording(Collator):
            def __init__(self, collator):
                self.collator = collator

            def __call__(self, records):
                seen.extend(records)
                return self.collator(records)

            def known_share(self, records):
                return self.collator.known_share(records)

        ranker = AnswerRanker(model=ctrn_folder)
        ranker.warm_up()
        loaded = ranker._warm()
        ranker._loaded._made = LoadedModel(loaded.model, Recording(loaded.collator))
        ranker.run("a", [Document(content="x", meta={"question": "y"})], query_meta={"topic": "loans"})
        ranker.run_batch(["b", "c"], [documents()[:1], documents()[:1]], query_metas=[None, {"topic": "rooms"}])
        assert [(record.query, dict(record.query_meta), dict(record.meta)) for record in seen] == [
            ("a", {"topic": "loans"}, {}),
            ("b", {}, {}),
            ("c", {"topic": "rooms"}, {}),
        ]


class TestLife:
    def test_threads_that_ask_first_load_once(self, ctrn_folder, monkeypatch):
        loads = []
        load = registry.load
        monkeypatch.setattr(registry, "load", lambda *args, **kwargs: loads.append(args) or load(*args, **kwargs))
        ranker = AnswerRanker(model=ctrn_folder)
        with ThreadPoolExecutor(8) as pool:
            results = list(pool.map(lambda _: ranker.run(QUERY, documents()), range(16)))
        assert len(loads) == 1
        for result in results:
            assert_same_ranking(result, results[0])
        ranker.warm_up()
        assert len(loads) == 1
        ranker.close()
        assert_same_ranking(ranker.run(QUERY, documents()), results[0])
        assert len(loads) == 2

    async def test_run_async_does_what_run_does_and_lets_the_loop_go_on(self, ranker):
        expected = ranker.run(QUERY, documents(), top_k=3, retriever_weight=0.2)
        results = await asyncio.gather(
            *(ranker.run_async(QUERY, documents(), top_k=3, retriever_weight=0.2) for _ in range(8))
        )
        for result in results:
            assert_same_ranking(result, expected)

    def test_a_copy_is_a_component_of_its_own(self, ranker):
        ranker.warm_up()
        copied = copy.deepcopy(ranker)
        copied.close()
        assert_same_ranking(copied.run(QUERY, documents()), ranker.run(QUERY, documents()))

    @pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
    def test_dtype(self, ranker, dtype):
        typed = AnswerRanker(model=ranker.model, dtype=dtype, retriever_weight=0.0, device=ranker.device)
        result = {document.id: document.score for document in typed.run(QUERY, documents())["documents"]}
        expected = {document.id: document.score for document in ranker.run(QUERY, documents())["documents"]}
        types = {
            name: parameter.dtype
            for name, parameter in typed._warm().model.named_parameters()
            if not name.startswith("classifier.")
        }
        assert set(types.values()) == {getattr(torch, dtype)}
        assert typed._warm().model.classifier.dtype == torch.float32
        assert result == pytest.approx(expected, abs=1e-6 if dtype == "float32" else 0.02)


class TestSerialization:
    def test_to_dict_with_defaults(self):
        assert AnswerRanker().to_dict() == {
            "type": "haystack_integrations.components.rankers.answer_selection.answer_ranker.AnswerRanker",
            "init_parameters": {
                "model": None,
                "device": None,
                "token": {"type": "env_var", "env_vars": ["HF_API_TOKEN", "HF_TOKEN"], "strict": False},
                "revision": None,
                "top_k": 10,
                "score_threshold": None,
                "retriever_weight": None,
                "meta_fields_to_embed": [],
                "embedding_separator": "\n",
                "batch_size": 64,
                "dtype": None,
                "vector_meta_field": None,
                "strict_vectors": False,
                "answer_cache_mib": 128.0,
                "corenlp_url": None,
                "strict_trees": False,
                "rerank_top_k": None,
                "answer_risk": None,
            },
        }

    def test_round_trip_through_yaml(self, qrnn_folder):
        ranker = AnswerRanker(
            model=qrnn_folder,
            device=ComponentDevice.from_str("cpu"),
            token=Secret.from_env_var("SOME_TOKEN", strict=False),
            revision="main",
            top_k=3,
            score_threshold=0.0,
            retriever_weight=0.0,
            meta_fields_to_embed=["title"],
            embedding_separator=" ",
            batch_size=8,
            dtype="float32",
            vector_meta_field="vector",
            strict_vectors=False,
            answer_cache_mib=0.5,
            corenlp_url="http://localhost:9000",
            strict_trees=False,
        )
        data = {
            "type": "haystack_integrations.components.rankers.answer_selection.answer_ranker.AnswerRanker",
            "init_parameters": {
                "model": str(qrnn_folder),
                "device": {"type": "single", "device": "cpu"},
                "token": {"type": "env_var", "env_vars": ["SOME_TOKEN"], "strict": False},
                "revision": "main",
                "top_k": 3,
                "score_threshold": 0.0,
                "retriever_weight": 0.0,
                "meta_fields_to_embed": ["title"],
                "embedding_separator": " ",
                "batch_size": 8,
                "dtype": "float32",
                "vector_meta_field": "vector",
                "strict_vectors": False,
                "answer_cache_mib": 0.5,
                "corenlp_url": "http://localhost:9000",
                "strict_trees": False,
                "rerank_top_k": None,
                "answer_risk": None,
            },
        }
        assert ranker.to_dict() == data
        pipeline = Pipeline()
        pipeline.add_component("ranker", ranker)
        loaded = Pipeline.loads(pipeline.dumps())
        assert loaded.get_component("ranker").to_dict() == data
        inputs = {"ranker": {"query": QUERY, "documents": documents()}}
        assert_same_ranking(loaded.run(inputs)["ranker"], pipeline.run(inputs)["ranker"])

    def test_one_yaml_with_models_of_several_types(self, ctrn_folder, qrnn_folder, tmp_path):
        folders = {"ctrn": ctrn_folder, "qrnn": qrnn_folder}
        for name, options in {"linear": {}, "cross_encoder": ENCODER, "tree_aggregation": ENCODER | TREE_SIZES}.items():
            registry.save(tmp_path / name, *registry.build(name, [QUERY, *TEXTS], TEXTS, **options))
            folders[name] = tmp_path / name
        pipeline = Pipeline()
        for name, folder in folders.items():
            pipeline.add_component(name, AnswerRanker(model=folder, retriever_weight=0.0))
        loaded = Pipeline.loads(pipeline.dumps())

        query_tree, *trees = [{"parse_tree": tree} for tree in ShallowBackend().parse([QUERY, *TEXTS])]
        given = [replace(document, meta=tree) for document, tree in zip(documents(), trees, strict=True)]
        found = loaded.run({name: {"query": QUERY, "documents": given, "query_meta": query_tree} for name in folders})
        records = [Record(QUERY, text, query_tree, tree) for text, tree in zip(TEXTS, trees, strict=True)]
        for name, folder in folders.items():
            assert loaded.get_component(name).model_type == name
            model, collator = registry.load(folder)
            with torch.inference_mode():
                expected = torch.sigmoid(model(**collator(records))).tolist()
            result = dict(zip(ids(found[name]), scores(found[name]), strict=True))
            assert [result[str(place)] for place in range(len(TEXTS))] == pytest.approx(expected, abs=1e-6)

    def test_the_device_that_was_found_is_not_pinned(self, ctrn_folder):
        ranker = AnswerRanker(model=ctrn_folder)
        ranker.run(QUERY, documents())
        assert ranker.to_dict()["init_parameters"]["device"] is None


class TestErrors:
    def test_trees_are_asked_of_a_model_that_reads_some(self, ctrn_folder):
        with pytest.raises(ValueError, match=r"strict_trees asks for parse trees, but the model in .* reads none"):
            AnswerRanker(model=ctrn_folder, strict_trees=True).warm_up()

    def test_a_model_that_is_not_there_is_named(self, tmp_path):
        ranker = AnswerRanker(model=tmp_path / "gone")
        with pytest.raises(registry.ModelFolderError, match="gone"):
            ranker.warm_up()

    def test_a_broken_model_does_not_rank(self, ctrn_folder, tmp_path):
        model, collator = registry.load(ctrn_folder)
        with torch.no_grad():
            for parameter in model.parameters():
                # Each is a number; their products are none.
                parameter.fill_(3e38)
        registry.save(tmp_path / "model", model, collator)
        with pytest.raises(
            ValueError, match=r"AnswerRanker scored document '0' with (nan|inf); expected a finite number"
        ):
            AnswerRanker(model=tmp_path / "model").run(QUERY, documents())

    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ({"batch_size": 0}, "batch_size must be > 0, but got 0"),
            ({"dtype": "int4"}, "dtype must be one of float32, float16, bfloat16, int8 or None, but got 'int4'"),
            ({"device": "cpu"}, "(?i)device"),
            ({"device": ComponentDevice.from_multiple(DeviceMap({"layer": Device.cpu()}))}, "(?i)single device"),
        ],
    )
    def test_wrong_parameters(self, parameters, message):
        with pytest.raises(ValueError, match=message):
            AnswerRanker(**parameters)
