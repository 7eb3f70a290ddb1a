# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0

import math
import random

import numpy as np
import pytest
import torch

from answer_selection.indexing.text.normalize import normalize, words
from computed_twice import assert_same_scores, assert_same_weights
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.collator import PAD, UNKNOWN
from haystack_integrations.components.rankers.answer_selection.models.extension import WINDOW
from haystack_integrations.components.rankers.answer_selection.models.record import Record

OLD = [
    "Renew the card at the desk.",
    "The card is free.",
    "The desk is open on Monday, and the rooms are open too.",
    "Instead of the desk, use the machine.",
    "Machines take coins.",
]
NEW = [
    "The card opens the garage.",  # "opens": a new form of a stem that is known
    "The garage is open, and the card is free.",
    "A garage takes the card, no coins.",
    "zyx wvu",  # nothing that is known
    "Park at the garage instead.",
]
RECORDS = [Record(question, answer) for question in ("Is the desk open?", "card") for answer in OLD]
SIZES = {"embedding_size": 6, "projection_size": 5, "hidden_size": 4, "mlp_size": 3}
SEES = {
    "texts": {},
    "features": {"pair_features": ["idf_overlap", "soft_share", "bm25"]},
    "channels": {"pair_features": ["idf_overlap"], "match_channels": True},
}


def build(texts=OLD, **options):
    torch.manual_seed(1)
    model, collator = registry.build("ctrn", texts, **SIZES, **options)
    return model.eval(), collator


def table(model):
    return model.get_input_embeddings().weight.detach().clone()


def idf(collator):
    return dict(zip(collator.vocabulary, collator.idf.tolist(), strict=True))


class TestWordsThatTheModelHas:
    def test_keep_their_rows(self):
        model, collator = build()
        before, words_before = table(model), collator.vocabulary
        model, extended = model.extend(collator, lambda: NEW)
        assert extended.vocabulary[: len(words_before)] == words_before
        assert torch.equal(table(model)[: len(before)], before)
        assert not table(model)[PAD].any()

    @pytest.mark.parametrize("sees", SEES)
    def test_give_the_same_logits_at_the_same_idf(self, sees):
        model, collator = build(**SEES[sees])
        before = model(**collator(RECORDS))
        model, extended = model.extend(collator, lambda: NEW)
        batch = extended(RECORDS)
        for name, tensor in collator(RECORDS).items():
            if name.endswith("_idf"):
                assert not torch.equal(batch[name], tensor)
                batch[name] = tensor
        assert_same_scores(model(**batch), before)

    @pytest.mark.parametrize("sees", SEES)
    def test_the_own_corpus_changes_nothing(self, sees):
        model, collator = build(**SEES[sees])
        before = model(**collator(RECORDS))
        model, extended = model.extend(collator, lambda: OLD)
        assert extended.vocabulary == collator.vocabulary
        assert np.array_equal(extended.idf, collator.idf)
        assert_same_scores(model(**extended(RECORDS)), before)

    def test_no_text(self):
        model, collator = build()
        model, extended = model.extend(collator, lambda: [])
        assert extended.vocabulary == collator.vocabulary
        assert np.array_equal(extended.idf, collator.idf)

    def test_the_collator_stays_as_it_is(self):
        model, collator = build(**SEES["channels"])
        vocabulary, values, batch = collator.vocabulary, collator.idf.copy(), collator(RECORDS)
        model.extend(collator, lambda: NEW)
        assert collator.vocabulary == vocabulary
        assert collator.config.vocab_size == len(vocabulary)
        assert np.array_equal(collator.idf, values)
        again = collator(RECORDS)
        assert all(torch.equal(again[name], batch[name]) for name in batch)


class TestIdf:
    def test_is_the_lesser_of_both_corpora(self):
        model, collator = build()
        old = idf(collator)
        _, extended = model.extend(collator, lambda: NEW)
        new = idf(extended)

        # Both corpora have five texts, so one scale.
        def of(df):
            return math.log(1 + (5 - df + 0.5) / (df + 0.5))

        assert old["card"] == pytest.approx(of(2))
        assert new["card"] == pytest.approx(of(3))  # more common now
        assert new["desk"] == old["desk"] == pytest.approx(of(3))  # rare now, but it was common
        assert new["machines"] == old["machines"] == pytest.approx(of(2))  # not in the new corpus at all
        assert new["garage"] == pytest.approx(of(4))  # a new word
        assert new["[PAD]"] == 0
        assert new["[UNK]"] == old["[UNK]"] == pytest.approx(of(0))

    def test_a_new_form_has_what_its_stem_has(self):
        model, collator = build([*OLD, "Open now.", "Open late."])
        assert "opens" not in collator.vocabulary
        assert idf(collator)["open"] < collator.idf[UNKNOWN]
        _, extended = model.extend(collator, lambda: NEW)
        assert idf(extended)["opens"] == idf(extended)["open"] < idf(extended)["zyx"]

    def test_a_larger_corpus_is_brought_to_the_old_scale(self):
        model, collator = build()
        _, extended = model.extend(collator, lambda: NEW * 20)
        largest = math.log(1 + 100.5 / 0.5)
        expected = math.log(1 + (100 - 20 + 0.5) / (20 + 0.5)) * collator.idf[UNKNOWN] / largest
        assert idf(extended)["zyx"] == pytest.approx(expected)
        assert extended.idf.max() == collator.idf[UNKNOWN]


def induced(known, texts, new_words):
    """A la carte, one occurrence at a time: `known` holds the word vectors by word."""
    size = len(next(iter(known.values())))
    contexts = {}
    for text in texts:
        found = words(normalize(text))
        for place, word in enumerate(found):
            around = [found[i] for i in range(len(found)) if i != place and abs(i - place) <= WINDOW]
            mean = sum((np.array(known.get(other, np.zeros(size))) for other in around), np.zeros(size))
            contexts.setdefault(word, []).append(mean / max(len(around), 1))
    rows, targets = [math.sqrt(1.0) * np.eye(size)], [np.zeros((size, size))]  # a ridge of 1
    for word, vector in known.items():
        if word in contexts:
            weight = math.sqrt(math.log(1 + len(contexts[word])))
            rows.append(weight * np.mean(contexts[word], axis=0)[None])
            targets.append(weight * np.array(vector)[None])
    transform = np.linalg.lstsq(np.vstack(rows), np.vstack(targets), rcond=None)[0]
    return {word: np.mean(contexts[word], axis=0) @ transform for word in new_words}


class TestVectorsOfNewWords:
    def test_are_induced_from_their_contexts(self):
        generator = random.Random(2)
        known_words = [f"known{number}" for number in range(30)]
        new_words = [f"new{number}" for number in range(8)]
        texts = [
            " ".join(generator.choices(known_words + new_words, k=generator.choice([1, 2, 3, 6, 12, 40])))
            for _ in range(60)
        ]
        model, collator = build([" ".join(known_words)])
        known = dict(zip(collator.vocabulary, table(model).double().tolist(), strict=True))
        known = {word: known[word] for word in known_words}
        model, extended = model.extend(collator, lambda: texts)
        expected = induced(known, texts, new_words)
        for word in new_words:
            found = table(model)[extended.vocabulary.index(word)].double().numpy()
            np.testing.assert_allclose(found, expected[word], atol=1e-6, err_msg=word)
            assert np.abs(found).max() > 0.01

    def test_are_zero_where_nothing_known_is_near(self):
        model, collator = build()
        model, extended = model.extend(collator, lambda: NEW)
        for word in ("zyx", "wvu"):
            assert not table(model)[extended.vocabulary.index(word)].any()
        assert table(model)[extended.vocabulary.index("garage")].any()

    def test_nothing_known_at_all(self):
        model, collator = build()
        model, extended = model.extend(collator, lambda: ["zyx wvu", "", "?!"])
        assert extended.vocabulary[-2:] == ["wvu", "zyx"]
        assert not table(model)[-2:].any()

    @pytest.mark.parametrize("trained", [True, False])
    def test_are_trained_where_the_others_are(self, trained):
        model, collator = build()
        model.get_input_embeddings().weight.requires_grad_(trained)
        model, extended = model.extend(collator, lambda: NEW)
        weight = model.get_input_embeddings().weight
        assert weight.requires_grad is trained
        model(**extended([Record("garage", "the garage")])).sum().backward()
        if trained:
            assert weight.grad[extended.vocabulary.index("garage")].any()
            assert not weight.grad[PAD].any()

    @pytest.mark.slow
    def test_a_corpus_of_more_words_than_are_kept(self):
        many = [" ".join(f"w{number}" for number in range(start, start + 1000)) for start in range(0, 51_000, 1000)]
        texts = [*many, *NEW, *NEW, "garage w50999 card"]  # the last one's second word is not kept
        model, collator = build()
        known = dict(zip(collator.vocabulary[UNKNOWN + 1 :], table(model)[UNKNOWN + 1 :].tolist(), strict=True))
        model, extended = model.extend(collator, lambda: texts)
        assert len(table(model)) == len(extended.vocabulary) < 51_000
        expected = induced(known, texts, ["garage"])["garage"]
        found = table(model)[extended.vocabulary.index("garage")]
        np.testing.assert_allclose(found.numpy(), expected, atol=1e-6)


@pytest.mark.parametrize("sees", SEES)
def test_saved_and_loaded_it_scores_the_same(sees, tmp_path):
    model, collator = build(**SEES[sees])
    model, extended = model.extend(collator, lambda: NEW)
    records = [*RECORDS, *(Record("Is a garage open?", answer) for answer in NEW)]
    assert model.config.vocab_size == extended.config.vocab_size == len(table(model)) == len(extended.vocabulary)
    expected = model(**extended(records))
    registry.save(tmp_path, model, extended)
    again, collator = registry.load(tmp_path)
    assert collator.vocabulary == extended.vocabulary
    assert np.array_equal(collator.idf, extended.idf)
    assert collator.config.to_dict()["vocab_size"] == again.config.vocab_size == len(extended.vocabulary)
    assert_same_weights(again, model)
    assert_same_scores(again.eval()(**collator(records)), expected)
    # and once more, to a third corpus
    again, thrice = again.extend(collator, lambda: ["A ferry goes from the garage to the desk."])
    assert "ferry" in thrice.vocabulary
    assert again(**thrice(records)).isfinite().all()
