# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0

import numpy as np
import pytest
import torch

from answer_selection.indexing.text.tree import read_tree
from answer_selection.pipelines.experiments.probing.sentences import Sentence
from answer_selection.pipelines.experiments.probing.split import Split
from answer_selection.pipelines.experiments.probing.vectors import bag_of_words, sentence_vectors
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.linear import COUNTING
from haystack_integrations.components.rankers.answer_selection.models.pair_model import PairModel
from probing_sentences import sentences
from tiny_encoders import KINDS, SIZES, folder

ENCODER = {"model_type": "bert", "vocab_size": 100, **SIZES}


def sentence(text, tree, question="", question_tree="(ROOT)"):
    return Sentence(text, tree, read_tree(tree, text), question, question_tree)


SENTENCES = [sentence(line["text"], line["parse_tree"]) for line in sentences(70)]
TEXTS = [one.text for one in SENTENCES]


def build(name, **options):
    torch.manual_seed(0)
    if issubclass(registry.MODELS[name], PairModel):
        options = {"encoder": ENCODER, "max_pair_length": 140, **options}
    model, collator = registry.build(name, TEXTS, **options)
    return model.eval(), collator


def vectors(model, collator, given=SENTENCES):
    return sentence_vectors(model, collator, given, lambda done: None)


@pytest.mark.slow
@pytest.mark.parametrize("name", registry.MODELS)
def test_every_model_has_a_vector_of_each_sentence(name):
    model, collator = build(name)
    before = {key: value.clone() for key, value in model.state_dict().items()}
    done = []
    found = sentence_vectors(model, collator, SENTENCES, done.append)
    assert done == [32, 64, 70]
    assert found.dtype == np.float32
    assert len(found) == 70
    assert found.shape[1] > 0
    # Which sentences stand beside it, and where, makes no difference.
    again = vectors(model, collator, SENTENCES[::-3])
    np.testing.assert_allclose(again, found[::-3], atol=1e-4)
    # Features alone tell the lengths apart, where there is no question; those of one word are all 0.
    different = len(np.unique(found.round(4), axis=0))
    assert different == 1 if name in COUNTING else different > (5 if name == "linear" else 35)
    # Nothing of the model is another than before, nor is anything left on it.
    assert all(torch.equal(value, before[key]) for key, value in model.state_dict().items())
    assert not any(module._forward_pre_hooks for module in model.modules())


def test_a_vector_of_words_is_what_the_head_gets_of_the_answer():
    model, collator = build("ggsa", pair_features=["overlap", "answer_length"], head="cosine")
    batch = collator([one.record() for one in SENTENCES])
    answers = model.answer_encodings(batch["answer_ids"], batch["answer_lengths"]).values
    found = torch.from_numpy(vectors(model, collator))
    torch.testing.assert_close(found[:, :-2], answers.detach(), atol=1e-5, rtol=1e-4)
    assert (found[:, -2] == 0).all()
    assert found[:, -1].std() > 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_vector_over_an_encoder_is_what_the_last_layer_reads(kind):
    model, collator = build("cross_encoder", encoder=folder(kind))
    last = [module for module in model.head.modules() if isinstance(module, torch.nn.Linear)][-1]
    with torch.no_grad():
        expected = model(**collator([one.record() for one in SENTENCES]))
        found = last(torch.from_numpy(vectors(model, collator))).squeeze(-1)
    torch.testing.assert_close(found, expected, atol=1e-4, rtol=1e-4)


@torch.no_grad()
def test_a_vector_of_a_tree_is_that_of_the_answers_root():
    model, collator = build("tree_aggregation", half_size=8, heads=2, feed_forward_size=12)
    record = SENTENCES[0].record()
    expected = model.text_vectors(**collator([record]))
    assert expected.shape == (1, 2, 16)
    np.testing.assert_allclose(vectors(model, collator)[0], expected[0, 1], atol=1e-4)
    # It is the tree's as well as the words'.
    other = sentence(TEXTS[0], f"(ROOT {' '.join(f'(NN {word})' for word in TEXTS[0].split())})")
    assert np.abs(vectors(model, collator, [other])[0] - expected[0, 1].numpy()).max() > 1e-3


@pytest.mark.parametrize("name", ["cross_encoder", "ctrn", "ap_bilstm"])
def test_a_question_counts_where_there_is_one(name):
    model, collator = build(name)
    asked = [sentence(one.text, one.bracketed, "which card ?", "(ROOT (X card))") for one in SENTENCES]
    alone = vectors(model, collator)
    assert np.abs(vectors(model, collator, asked) - alone).max() > 1e-3 * alone.std()


def test_vectors_that_are_not_finite_are_refused():
    model, collator = build("gsamn")
    with torch.no_grad():
        model.memory.controller.fill_(torch.nan)
    with pytest.raises(ValueError, match=r"^70 sentences have vectors that are not finite"):
        vectors(model, collator)


def test_a_bag_of_words_counts():
    given = [
        sentence("Card and card .", "(ROOT (S (NN Card) (CC and) (NN card) (. .)))"),
        sentence("the card .", "(ROOT (S (DT the) (NN card) (. .)))"),
        sentence("no desk .", "(ROOT (S (DT no) (NN desk) (. .)))"),
    ]
    found = bag_of_words(given, Split(np.array([0, 1]), np.array([]), np.array([2])))
    # card, the full stop, and, the; then all that the training part does not have.
    assert found.tolist() == [[2, 1, 1, 0, 0], [1, 1, 0, 1, 0], [0, 1, 0, 0, 2]]
