# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Vectors that AnswerEncoder writes, and what rankers make of them; on small real models with random weights."""

import base64
import copy
import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from haystack import Document, Pipeline
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.components.writers import DocumentWriter
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack.utils import ComponentDevice

from computed_twice import assert_same_ranking, assert_same_scores
from haystack_integrations.components.embedders.answer_selection import AnswerEncoder
from haystack_integrations.components.rankers.answer_selection import AnswerRanker
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.word_model import WordModel
from haystack_integrations.components.rankers.answer_selection.stored_vectors import StoredVectorError

QUERY = "When does the reading room close?"
QUERIES = (QUERY, "How do I renew?", "", QUERY, "a lost card")
TEXTS = [
    "The reading room closes at eight on weekdays.",
    "A lost card is replaced at any desk for two dollars, and a new one is printed while you wait.",
    "No.",
    "Renew a loan online, by telephone or at a desk, as often as you like unless somebody else waits for the book.",
    "The room on the second floor can be booked for two hours a day.",
    "",
]
SIZES = {"embedding_size": 12, "projection_size": 10, "hidden_size": 16, "mlp_size": 8}
KINDS = {
    "mlp": {},
    "cosine": {"head": "cosine", "cosine_scale": 5.0},
    "features": {"pair_features": ["idf_overlap", "bm25"], "batch_norm": True},
}


def build(folder, name="qrnn", seed=3, **options):
    torch.manual_seed(seed)
    model, collator = registry.build(name, [QUERY, *TEXTS], TEXTS, **SIZES, **options)
    registry.save(folder, model, collator)
    return folder


@pytest.fixture(scope="module", params=KINDS)
def folder(request, tmp_path_factory):
    return build(tmp_path_factory.mktemp("model"), **KINDS[request.param])


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    return build(tmp_path_factory.mktemp("plain"))


def documents():
    return [
        Document(id=str(n), content=text, meta={"question": f"Question {n}?"}, score=10.0 - n)
        for n, text in enumerate(TEXTS)
    ]


async def test_it_does_not_block_an_event_loop(plain):
    encoder = AnswerEncoder(model=plain)
    assert await encoder.run_async(documents()) == encoder.run(documents())


def scores(result):
    return {document.id: document.score for document in result["documents"]}


def written_vector(document):
    return np.frombuffer(base64.b64decode(document.meta["v"]), "<f4").copy()


@pytest.fixture
def encoded_texts(monkeypatch):
    """How many answers each call of the encoder got."""
    seen = []
    encode = WordModel.answer_encodings

    def watched(self, ids, lengths):
        seen.append(len(lengths))
        return encode(self, ids, lengths)

    monkeypatch.setattr(WordModel, "answer_encodings", watched)
    return seen


class TestScores:
    """Whether vectors are stored or not, the scores are the same; where they are, nothing is encoded."""

    @pytest.mark.parametrize("field", [None, "answer_vector"])
    def test_with_and_without_vectors(self, folder, field, encoded_texts):
        encoded = AnswerEncoder(model=folder, vector_meta_field=field).run(documents())["documents"]
        encoded_texts.clear()
        strict = AnswerRanker(model=folder, vector_meta_field=field, strict_vectors=True)
        found = strict.run(QUERY, encoded)
        assert encoded_texts == []
        expected = AnswerRanker(model=folder).run(QUERY, documents())
        assert encoded_texts == [len(TEXTS)]
        assert scores(found) == pytest.approx(scores(expected), abs=1e-6)
        assert [document.id for document in found["documents"]] == [document.id for document in expected["documents"]]

    def test_they_are_those_of_the_whole_model(self, folder):
        loaded, collator = registry.load(folder)
        ranker = AnswerRanker(model=folder, retriever_weight=0.0)
        from haystack_integrations.components.rankers.answer_selection.models.record import Record

        pairs = [Record(query, text) for query in QUERIES for text in TEXTS]
        with torch.no_grad():
            whole = loaded(**collator(pairs))
        assert ranker.score_pairs(pairs) == pytest.approx(whole.double().numpy(), abs=1e-5)
        assert len(ranker.score_pairs([])) == 0

    @pytest.mark.slow
    @pytest.mark.parametrize("batch_size", [1, 4, 64])
    @pytest.mark.parametrize("cache", [0, 1])
    def test_where_some_have_vectors_in_many_queries_with_the_cache_cold_or_warm(self, folder, batch_size, cache):
        encoded = AnswerEncoder(model=folder).run(documents())["documents"]
        some = [new if int(new.id) % 2 else old for old, new in zip(documents(), encoded, strict=True)]
        lists = [some, some[:2], [], some[::-1], some[1:4]]
        ranker = AnswerRanker(model=folder, batch_size=batch_size, answer_cache_mib=cache)
        alone = [AnswerRanker(model=folder, answer_cache_mib=0).run(q, d) for q, d in zip(QUERIES, lists, strict=True)]
        for _ in range(2):
            together = ranker.run_batch(QUERIES, lists)["documents"]
            for result, expected in zip(together, alone, strict=True):
                assert scores({"documents": result}) == pytest.approx(scores(expected), abs=1e-6)
        assert len(ranker._cache) == (3 if cache else 0)

    def test_each_answer_is_encoded_once_in_a_call_and_not_again(self, folder, encoded_texts):
        ranker = AnswerRanker(model=folder, batch_size=4)
        ranker.run_batch(QUERIES, [documents()] * len(QUERIES))
        assert sum(encoded_texts) == len(TEXTS)
        assert max(encoded_texts) <= 4
        ranker.run(QUERY, documents())
        assert sum(encoded_texts) == len(TEXTS)
        ranker.close()
        ranker.run(QUERY, documents())
        assert sum(encoded_texts) == 2 * len(TEXTS)

    def test_more_questions_and_answers_than_are_held_at_a_time(self, plain, monkeypatch):
        from haystack_integrations.components.rankers.answer_selection import answers_apart

        queries = [f"question {n}" for n in range(7)]
        lists = [[*documents()[n % 3 :], Document(id="own", content=f"answer {n}")] for n in range(7)]
        expected = AnswerRanker(model=plain).run_batch(queries, lists)["documents"]
        monkeypatch.setattr(answers_apart, "_QUESTIONS", 2)
        monkeypatch.setattr(answers_apart, "_VECTORS", 3)
        found = AnswerRanker(model=plain, answer_cache_mib=0).run_batch(queries, lists)["documents"]
        for one, other in zip(found, expected, strict=True):
            assert scores({"documents": one}) == pytest.approx(scores({"documents": other}), abs=1e-6)

    def test_encodings_of_a_vector_a_word_are_cached(self, tmp_path, encoded_texts):
        from haystack_integrations.components.rankers.answer_selection import AnswerRanker

        model = build(tmp_path, "ctrn")
        expected = AnswerRanker(model=model, answer_cache_mib=0).run(QUERY, documents())
        ranker = AnswerRanker(model=model, batch_size=2)
        encoded_texts.clear()
        for _ in range(3):
            assert scores(ranker.run(QUERY, documents())) == pytest.approx(scores(expected), abs=1e-6)
        assert sum(encoded_texts) == len(TEXTS)

    @pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
    def test_in_half_precision(self, plain, dtype, encoded_texts):
        encoded = AnswerEncoder(model=plain, dtype=dtype).run(documents())["documents"]
        strict = AnswerRanker(model=plain, dtype=dtype, strict_vectors=True)
        expected = AnswerRanker(model=plain, dtype=dtype).run(QUERY, documents())
        assert scores(strict.run(QUERY, encoded)) == pytest.approx(scores(expected), abs=0.02)
        # Of another precision it is another encoding.
        encoded_texts.clear()
        AnswerRanker(model=plain).run(QUERY, encoded)
        assert sum(encoded_texts) == len(TEXTS)


class TestEncoder:
    def test_documents_are_copied_and_keep_what_they_have(self, plain):
        given = documents()
        before = copy.deepcopy(given)
        result = AnswerEncoder(model=plain).run(given)["documents"]
        assert given == before
        for old, new in zip(given, result, strict=True):
            assert len(new.embedding) == 16
            assert all(type(number) is float for number in new.embedding)
            assert set(new.meta) == {"question", "embedding_fingerprint"}
            assert replace(new, embedding=None, meta=old.meta) == old

    def test_in_metadata_the_embedding_stays(self, plain):
        given = [replace(document, embedding=[1.0, 2.0]) for document in documents()]
        for new in AnswerEncoder(model=plain, vector_meta_field="v").run(given)["documents"]:
            assert new.embedding == [1.0, 2.0]
            assert set(new.meta) == {"question", "v", "v_fingerprint"}
            assert isinstance(new.meta["v"], str)

    def test_a_number_has_what_single_precision_can_tell(self, plain):
        rounded = AnswerEncoder(model=plain).run(documents())["documents"]
        exact = AnswerEncoder(model=plain, vector_meta_field="v").run(documents())["documents"]
        for one, other in zip(rounded, exact, strict=True):
            vector = written_vector(other)
            assert np.abs(np.array(one.embedding) - vector).max() <= 6e-8 * np.abs(vector).max()
            assert max(len(repr(number)) for number in one.embedding) <= 14

    def test_no_documents(self):
        assert AnswerEncoder(model="no/such/folder").run([]) == {"documents": []}

    def test_batches_are_of_answers_that_differ(self, plain, encoded_texts):
        AnswerEncoder(model=plain, batch_size=2).run([*documents(), *documents()])
        assert encoded_texts == [2, 2, 2]

    @pytest.mark.parametrize(
        ("name", "options", "message"),
        [
            ("qrnn", {"match_channels": True}, r"'qrnn'.*depends on the question \(match_channels\)"),
            ("ctrn", {}, "'ctrn'.*words has a vector of its own"),
            ("ggsa", {"composition": "attention"}, "'ggsa'.*words has a vector of its own"),
            ("iggsa", {}, "'iggsa'.*words has a vector of its own"),
            ("hmda", {}, "'hmda'.*words has a vector of its own"),
            ("linear", {}, "'linear'.*it sees only how an answer's words match the question's"),
            ("bm25", {}, "'linear'.*it sees only how an answer's words match the question's"),
        ],
    )
    def test_a_model_without_vectors_is_refused(self, tmp_path, name, options, message):
        registry.save(tmp_path, *registry.build(name, TEXTS, embedding_size=12, **options))
        with pytest.raises(ValueError, match=message):
            AnswerEncoder(model=tmp_path).warm_up()

    def test_a_vector_of_nan_is_not_written(self, plain, tmp_path):
        model, collator = registry.load(plain)
        with torch.no_grad():
            # Numbers all of them, whose sums are none: infinity less infinity.
            model.projection.weight.fill_(3e38)
            model.convolution.filters.weight.fill_(3e38).view(-1)[::2].neg_()
        registry.save(tmp_path, model, collator)
        with pytest.raises(ValueError, match="gave document '0' a vector with numbers that are not finite"):
            AnswerEncoder(model=tmp_path).run(documents())

    def test_yaml(self, plain):
        parameters = {
            "model": str(plain),
            "device": {"type": "single", "device": "cpu"},
            "token": {"type": "env_var", "env_vars": ["HF_API_TOKEN", "HF_TOKEN"], "strict": False},
            "revision": None,
            "batch_size": 8,
            "dtype": "float32",
            "meta_fields_to_embed": ["question"],
            "embedding_separator": " ",
            "vector_meta_field": "v",
        }
        encoder = AnswerEncoder(
            model=plain,
            device=ComponentDevice.from_str("cpu"),
            batch_size=8,
            dtype="float32",
            meta_fields_to_embed=["question"],
            embedding_separator=" ",
            vector_meta_field="v",
        )
        kind = "haystack_integrations.components.embedders.answer_selection.answer_encoder.AnswerEncoder"
        assert encoder.to_dict() == {"type": kind, "init_parameters": parameters}
        pipeline = Pipeline()
        pipeline.add_component("encoder", encoder)
        loaded = Pipeline.loads(pipeline.dumps())
        assert loaded.get_component("encoder").to_dict() == encoder.to_dict()
        inputs = {"encoder": {"documents": documents()}}
        found, expected = (each.run(inputs)["encoder"]["documents"] for each in (loaded, pipeline))
        for one, other in zip(found, expected, strict=True):
            assert_same_scores(written_vector(one), written_vector(other))

    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ({"batch_size": 0}, "batch_size must be > 0"),
            ({"dtype": "int8"}, "dtype must be one of"),
            ({"vector_meta_field": ""}, "vector_meta_field must be a metadata key"),
        ],
    )
    def test_parameters_out_of_range(self, plain, parameters, message):
        with pytest.raises(ValueError, match=message):
            AnswerEncoder(model=plain, **parameters)


def spoilt(kind, document, other_model):
    """A document with a vector that is not to be used, and what strict rankers say of it."""
    vector = document.embedding
    if kind == "none":
        return replace(document, embedding=None, meta={}), "it has none"
    if kind == "another model's":
        (new,) = AnswerEncoder(model=other_model).run([document])["documents"]
        return new, "it is another model's"
    if kind == "another text's":
        return replace(document, content=f"{document.content} Or nine."), "it is of another text"
    wrong = {
        "another size": [*vector, 0.0],
        "cut off": vector[:-1],
        "nan": [math.nan, *vector[1:]],
        "infinite": [math.inf, *vector[1:]],
        "no number": [None, *vector[1:]],
        "another number": [vector[0] + 1e-3, *vector[1:]],
        "left out by the store": None,
        "empty": [],
    }[kind]
    return replace(document, embedding=wrong), "it is not the one that was written"


SPOILT = [
    "none",
    "another model's",
    "another text's",
    "another size",
    "cut off",
    "nan",
    "infinite",
    "no number",
    "another number",
    "left out by the store",
    "empty",
]


@pytest.fixture(scope="module")
def other_model(tmp_path_factory):
    return build(tmp_path_factory.mktemp("other"), seed=4)


class TestVectorsThatAreNotToBeUsed:
    @pytest.mark.parametrize("kind", SPOILT)
    def test_the_answer_is_encoded_or_the_document_is_named(self, plain, other_model, kind):
        encoded = AnswerEncoder(model=plain).run(documents())["documents"]
        encoded[1], message = spoilt(kind, encoded[1], other_model)
        bare = [replace(document, embedding=None, meta={}) for document in encoded]
        expected = AnswerRanker(model=plain).run(QUERY, bare)
        assert scores(AnswerRanker(model=plain).run(QUERY, encoded)) == pytest.approx(scores(expected), abs=1e-6)
        with pytest.raises(StoredVectorError, match=f"document '1' .*{message}") as raised:
            AnswerRanker(model=plain, strict_vectors=True).run(QUERY, encoded)
        assert f"found: {encoded[1].meta.get('embedding_fingerprint')}, expected: " in str(raised.value)

    @pytest.mark.parametrize("kind", ["another model's", "another text's", "left out by the store"])
    def test_it_is_said_once_that_vectors_are_brought_in_vain(self, plain, other_model, kind, caplog):
        encoded = AnswerEncoder(model=plain).run(documents())["documents"]
        for index in (1, 3):
            encoded[index], why = spoilt(kind, encoded[index], other_model)
        ranker = AnswerRanker(model=plain)
        ranker.run_batch([QUERY, "How do I renew?"], [encoded, encoded])
        ranker.run(QUERY, encoded)
        [said] = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
        assert said.startswith(f"2 of {len(TEXTS)} documents bring vectors that this model cannot use")
        assert f"The first is '1': {why}" in said
        assert "`answer-selection encode --model MODEL`" in said

    def test_nothing_is_said_of_documents_without_vectors_or_with_good_ones(self, plain, caplog):
        encoded = AnswerEncoder(model=plain).run(documents())["documents"]
        of_the_retrievals = [replace(document, embedding=[0.5] * 16) for document in documents()]
        AnswerRanker(model=plain).run_batch([QUERY] * 3, [documents(), encoded, of_the_retrievals])
        assert not [record for record in caplog.records if record.levelname == "WARNING"]

    @pytest.mark.parametrize("kind", ["", "?", "AAAA", 7, ["x"]])
    def test_in_metadata(self, plain, kind):
        encoded = AnswerEncoder(model=plain, vector_meta_field="v").run(documents())["documents"]
        encoded[2] = replace(encoded[2], meta={**encoded[2].meta, "v": kind})
        expected = AnswerRanker(model=plain).run(QUERY, documents())
        found = AnswerRanker(model=plain, vector_meta_field="v").run(QUERY, encoded)
        assert scores(found) == pytest.approx(scores(expected), abs=1e-6)
        with pytest.raises(StoredVectorError, match=r"document '2'.*not the one that was written"):
            AnswerRanker(model=plain, vector_meta_field="v", strict_vectors=True).run(QUERY, encoded)

    def test_an_embedding_of_the_retrievals_is_none_of_the_rankers(self, plain):
        encoded = AnswerEncoder(model=plain, vector_meta_field="v").run(documents())["documents"]
        for document in encoded:
            assert document.embedding is None
        with_own = [replace(document, embedding=[0.5] * 16) for document in encoded]
        expected = scores(AnswerRanker(model=plain).run(QUERY, documents()))
        assert scores(AnswerRanker(model=plain).run(QUERY, with_own)) == pytest.approx(expected, abs=1e-6)
        strict = AnswerRanker(model=plain, vector_meta_field="v", strict_vectors=True)
        assert scores(strict.run(QUERY, with_own)) == pytest.approx(expected, abs=1e-6)

    def test_another_choice_of_metadata_is_another_text(self, plain):
        encoded = AnswerEncoder(model=plain, meta_fields_to_embed=["question"]).run(documents())["documents"]
        same = AnswerRanker(model=plain, meta_fields_to_embed=["question"], strict_vectors=True)
        expected = AnswerRanker(model=plain, meta_fields_to_embed=["question"]).run(QUERY, documents())
        assert scores(same.run(QUERY, encoded)) == pytest.approx(scores(expected), abs=1e-6)
        with pytest.raises(StoredVectorError, match="of another text"):
            AnswerRanker(model=plain, strict_vectors=True).run(QUERY, encoded)

    def test_a_model_that_has_none_cannot_be_strict(self, tmp_path):
        model = build(tmp_path, match_channels=True)
        with pytest.raises(ValueError, match="strict_vectors asks for answers' stored vectors, but the model"):
            AnswerRanker(model=model, strict_vectors=True).warm_up()

    def test_a_vector_for_a_model_that_can_use_none_is_passed_over(self, plain, tmp_path):
        model = build(tmp_path, match_channels=True)
        encoded = AnswerEncoder(model=plain).run(documents())["documents"]
        expected = AnswerRanker(model=model).run(QUERY, documents())
        assert_same_ranking(AnswerRanker(model=model).run(QUERY, encoded), expected)


class TestFingerprint:
    def fingerprint(self, folder, **parameters):
        encoder = AnswerEncoder(model=folder, **parameters)
        return encoder.run(documents())["documents"][0].meta["embedding_fingerprint"]

    def test_what_counts_and_what_does_not(self, plain, tmp_path):
        first = self.fingerprint(plain)
        model, collator = registry.load(plain)
        registry.save(tmp_path / "copy", model, collator)
        assert self.fingerprint(tmp_path / "copy") == first
        model.scale_logits(2.0, 0.5)
        model.config.retriever_weight = 0.7
        registry.save(tmp_path / "calibrated", model, collator)
        assert self.fingerprint(tmp_path / "calibrated") == first
        with torch.no_grad():
            model.projection.bias[0] += 1e-6
        registry.save(tmp_path / "trained", model, collator)
        assert self.fingerprint(tmp_path / "trained").split("-")[0] != first.split("-")[0]
        model, collator = registry.load(plain)
        model.config.max_answer_length = collator.config.max_answer_length = 4
        registry.save(tmp_path / "shorter", model, collator)
        assert self.fingerprint(tmp_path / "shorter").split("-")[0] != first.split("-")[0]

    def test_every_field_of_the_configuration_is_either_known_not_to_matter_or_counts(self, plain):
        from haystack_integrations.components.rankers.answer_selection.models import fingerprint

        model, collator = registry.load(plain)
        before = fingerprint.encoding_fingerprint(model, collator)
        counted = []
        for name, value in model.config.to_dict().items():
            if name in fingerprint._OTHER_FIELDS or isinstance(value, bool) or not isinstance(value, int):
                continue
            setattr(model.config, name, value + 1)
            if fingerprint.encoding_fingerprint(model, collator) != before:
                counted.append(name)
            setattr(model.config, name, value)
        assert {"embedding_size", "hidden_size", "kernel_width", "max_answer_length", "projection_size"} <= set(counted)


class TestThroughAStore:
    def test_a_store_that_leaves_embeddings_out_is_asked_for_them_in_yaml(self, plain):
        def pipeline(*, asked):
            store = InMemoryDocumentStore(return_embedding=asked)
            indexing = Pipeline()
            indexing.add_component("encoder", AnswerEncoder(model=plain))
            indexing.add_component("writer", DocumentWriter(store))
            indexing.connect("encoder.documents", "writer.documents")
            indexing.run({"encoder": {"documents": documents()}})
            answering = Pipeline()
            answering.add_component("bm25", InMemoryBM25Retriever(store))
            answering.add_component("ranker", AnswerRanker(model=plain, strict_vectors=True))
            answering.connect("bm25.documents", "ranker.documents")
            return answering

        inputs = {"bm25": {"query": QUERY}, "ranker": {"query": QUERY}}
        assert pipeline(asked=True).run(inputs)["ranker"]["documents"]
        with pytest.raises(Exception, match="the store leaves it out"):
            pipeline(asked=False).run(inputs)
