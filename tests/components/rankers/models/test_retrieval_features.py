# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Pair features that retrieval gives: from the candidates' metadata to the network."""

import itertools
import math

import pytest
import torch
from haystack import Document

from computed_twice import assert_same_scores
from haystack_integrations.components.rankers.answer_selection import AnswerRanker
from haystack_integrations.components.rankers.answer_selection.models import matching, registry
from haystack_integrations.components.rankers.answer_selection.models.matching import PAIR_FEATURES, RETRIEVAL_FEATURES
from haystack_integrations.components.rankers.answer_selection.models.record import Record

QUERY = "When does the reading room close?"
ANSWERS = ["The reading room closes at eight.", "A lost card costs two dollars.", "Ask at any desk."]
SCORES = [(0.25, 7.5), (-0.5, 0.0), (0.75, 1.25)]
RECORDS = [
    Record(QUERY, answer, meta={"vector_score": cosine, "bm25_score": bm25})
    for answer, (cosine, bm25) in zip(ANSWERS, SCORES, strict=True)
]
SIZES = {"embedding_size": 6}


def build(name="linear", **options):
    torch.manual_seed(3)
    options = {"pair_features": ["retrieved_bm25", "overlap", "cosine"], **SIZES, **options}
    model, collator = registry.build(name, [QUERY, *ANSWERS], ANSWERS, **options)
    return model.eval(), collator


def features(model, collator, records=RECORDS):
    found = model.explain(collator(records)).features
    assert list(found.names) == model.config.pair_features
    return dict(zip(found.names, found.values.T.tolist(), strict=True))


def test_values():
    found = features(*build())
    assert found["cosine"] == pytest.approx([cosine for cosine, _ in SCORES])
    assert found["retrieved_bm25"] == pytest.approx([math.log(1 + bm25) for _, bm25 in SCORES])
    assert found["overlap"][0] > 0


def test_a_score_that_is_not_there_is_zero():
    bare = [Record(QUERY, ANSWERS[0]), Record(QUERY, ANSWERS[1], meta={"vector_score": None, "bm25_score": 1})]
    found = features(*build(), bare)
    assert found["cosine"] == [0, 0]
    assert found["retrieved_bm25"] == pytest.approx([0, math.log(2)])


@pytest.mark.parametrize("score", ["high", math.nan, math.inf, True, [0.5]])
@pytest.mark.parametrize("key", RETRIEVAL_FEATURES.values())
def test_what_is_no_score_is_refused(key, score):
    _, collator = build()
    with pytest.raises(ValueError, match=rf"'{key}' of the answer .*desk.* is .*; expected a finite number or None"):
        collator([*RECORDS, Record(QUERY, ANSWERS[2], meta={key: score})])


def test_a_pair_has_the_same_features_in_every_batch():
    model, collator = build()
    together = features(model, collator)
    for number, record in enumerate(RECORDS):
        alone = features(model, collator, [record])
        assert {name: values[0] for name, values in alone.items()} == pytest.approx(
            {name: values[number] for name, values in together.items()}
        )


def test_models_that_do_not_name_them_read_nothing():
    for options in ({"pair_features": PAIR_FEATURES}, {"pair_features": ["bm25"]}):
        model, collator = build(**options)
        assert not model.retrieval_meta
        assert not set(RETRIEVAL_FEATURES) & set(collator(RECORDS))
    assert not set(RETRIEVAL_FEATURES) & set(registry.MODELS["linear"].config_class().pair_features)


def test_they_are_kept_in_the_folder(tmp_path):
    model, collator = build()
    registry.save(tmp_path, model, collator)
    loaded, its_collator = registry.load(tmp_path)
    assert loaded.retrieval_meta == ["vector_score", "bm25_score"]
    assert_same_scores(loaded(**its_collator(RECORDS)), model(**collator(RECORDS)))


@pytest.mark.parametrize("name", RETRIEVAL_FEATURES)
def test_is_documented(name):
    assert f"\n``{name}``" in matching.__doc__


# Answers apart, as vectors and as words; and whole pairs.
RANKED = {
    "linear": {},
    "qrnn": {"hidden_size": 4, "mlp_size": 3, "feature_shortcut": True},
    "ggsa": {"projection_size": 6, "head": "cosine"},
    "qrnn-channels": {"hidden_size": 4, "mlp_size": 3, "match_channels": True, "feature_shortcut": True},
}


@pytest.fixture(params=RANKED)
def folder(request, tmp_path):
    model, collator = build(request.param.partition("-")[0], **RANKED[request.param])
    with torch.no_grad():
        head = model.classifier.shortcut if hasattr(model.classifier, "shortcut") else model.classifier.output
        head.weight.normal_()
    registry.save(tmp_path, model, collator)
    return tmp_path


def documents(scores=SCORES, answers=ANSWERS):
    return [
        Document(id=str(number), content=answer, meta={"vector_score": cosine, "bm25_score": bm25})
        for number, (answer, (cosine, bm25)) in enumerate(zip(answers, scores, strict=True))
    ]


class TestRanker:
    @pytest.mark.parametrize("batch_size", [1, 2, 64])
    def test_scores_are_those_of_the_pairs(self, folder, batch_size):
        model, collator = registry.load(folder)
        ranked = AnswerRanker(model=folder, batch_size=batch_size, retriever_weight=0.0).run(QUERY, documents())
        expected = torch.sigmoid(model(**collator(RECORDS)).detach()).tolist()
        found = {document.id: document.score for document in ranked["documents"]}
        assert_same_scores([found[str(number)] for number in range(3)], expected)

    def test_of_equal_texts_each_has_its_own_scores(self, folder):
        """Encodings are kept by text; scores of retrieval are a document's own, and a query's."""
        ranker = AnswerRanker(model=folder, retriever_weight=0.0)
        alike = [ANSWERS[0]] * 3
        for scores in itertools.permutations(SCORES):
            together = ranker.run(QUERY, documents(scores, alike))["documents"]
            assert len({document.score for document in together}) == 3
            for document in together:
                [alone] = ranker.run(QUERY, [document])["documents"]
                assert alone.score == pytest.approx(document.score, abs=1e-6)

    def test_without_scores_it_ranks_and_says_so_once(self, folder, caplog):
        ranker = AnswerRanker(model=folder)
        bare = [Document(content=answer) for answer in ANSWERS]
        assert len(ranker.run(QUERY, bare)["documents"]) == 3
        [said] = [record.getMessage() for record in caplog.records if "vector_score" in record.getMessage()]
        assert "'vector_score' and 'bm25_score'" in said
        ranker.run(QUERY, bare)
        assert sum("vector_score" in record.getMessage() for record in caplog.records) == 1

    def test_one_document_without_a_vector_is_no_matter_to_warn_of(self, folder, caplog):
        mixed = documents([(None, 2.0), *SCORES[1:]])
        assert len(AnswerRanker(model=folder).run(QUERY, mixed)["documents"]) == 3
        assert not caplog.records
