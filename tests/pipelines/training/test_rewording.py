# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import numpy as np
import pytest

from answer_selection.indexing.candidates import Candidate, CandidateList, read_jsonl, write_jsonl
from answer_selection.indexing.text.normalize import DEFAULT
from answer_selection.pipelines.training.recipe import RecipeError, make_recipe, read_recipe
from answer_selection.pipelines.training.rewording import MARK, NEAR, Rewording, reworded_lists
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.known_words import KnownWords

# Each word's vector is the direction of its meaning; "buys" is a form of "buy".
MEANINGS = {
    **dict.fromkeys(("buy", "buys", "purchase", "acquire"), 0),
    **dict.fromkeys(("large", "huge"), 1),
    **dict.fromkeys(("the", "how"), 2),
    "river": 3,
}
VOCABULARY = ["[PAD]", "[UNK]", *MEANINGS]
VECTORS = np.zeros((len(VOCABULARY), 4), np.float32)
for place, meaning in enumerate(MEANINGS.values()):
    VECTORS[place + 2, meaning] = 3.0


def rewording(share=1.0, seed=0, kept=("the", "how")):
    return Rewording(KnownWords(VOCABULARY, VECTORS, kept, DEFAULT), share, seed)


@pytest.mark.parametrize(
    ("word", "others"),
    [
        ("buy", {"purchase", "acquire"}),
        ("purchase", {"buy", "buys", "acquire"}),
        ("large", {"huge"}),
        ("river", set()),
        ("the", set()),
        ("unheard", set()),
        ("", set()),
    ],
)
def test_words_of_one_meaning_stand_for_each_other_but_no_forms_and_no_stop_words(word, others):
    assert set(rewording().near(word)) == others


def test_how_near_a_word_has_to_be():
    angle = np.arccos(NEAR)
    vectors = np.array([[1.0, 0.0], *([np.cos(a), np.sin(a)] for a in (angle - 0.01, angle + 0.01))], np.float32)
    assert Rewording(KnownWords(["one", "near", "far"], vectors, (), DEFAULT), 1.0, 0).near("one") == ["near"]


def test_all_content_words_that_have_another_are_replaced_at_a_share_of_one():
    reworded = rewording().reword("how large is the river that we buy".split())
    assert reworded[1] == "huge"
    assert reworded[-1] in {"purchase", "acquire"}
    assert [reworded[place] for place in (0, 2, 3, 4, 5, 6)] == ["how", "is", "the", "river", "that", "we"]


def test_the_share_of_words_that_are_replaced():
    one = rewording(share=0.3)
    reworded = [one.reword(["large"]) for _ in range(2000)]
    assert sum(words is not None for words in reworded) / 2000 == pytest.approx(0.3, abs=0.05)
    assert rewording(share=0.0).reword(["large"]) is None


def test_a_question_without_such_words_is_not_said_again():
    assert rewording().reword(["how", "the", "river"]) is None
    assert rewording().reword([]) is None


def test_lists_and_their_reworded_copies(tmp_path):
    candidates = (Candidate("1", "They purchase a huge one.", 1), Candidate("2", "A river.", 0))
    lists = [
        CandidateList("a", "How to buy a large one?", candidates),
        CandidateList("b", "The river?", candidates, {"kept": 1}),
    ]
    write_jsonl(tmp_path / "lists.jsonl", lists)
    texts = ["the river how " + " ".join(MEANINGS)]
    model, collator = registry.build("linear", texts, pair_features=["soft_share"], embedding_size=4)
    model.set_word_vectors(np.array([VECTORS[VOCABULARY.index(word)] for word in collator.vocabulary]))
    known = model.known_words(collator)
    made = [
        reworded_lists(tmp_path / "lists.jsonl", tmp_path / name, known, 1.0, 3, lambda *_: _Bar())
        for name in ("first/lists.jsonl", "second/lists.jsonl")
    ]
    assert made[0].read_bytes() == made[1].read_bytes()
    first, reworded, second = read_jsonl(made[0])
    assert [first, second] == lists
    assert reworded.query_id == "a" + MARK
    assert reworded.candidates == candidates
    assert reworded.query in {f"how to {buy} a huge one" for buy in ("purchase", "acquire")}


class _Bar:
    def __enter__(self):
        return lambda _: None

    def __exit__(self, *_):
        pass


@pytest.mark.parametrize("value", [-0.1, 1.1, "half", True, [0.5]])
def test_a_share_that_is_none(value):
    with pytest.raises(ValueError, match=r"reworded is .* expected a number from 0 to 1"):
        make_recipe({"reworded": value})


def test_the_packages_own_model_learns_from_reworded_questions():
    recipe = read_recipe("small_ctrn")
    assert (recipe.reworded, recipe.vectors.source) == (0.5, "encoder")
    assert recipe.max_words > 50_000
    with pytest.raises(RecipeError, match="no-such"):
        read_recipe("no-such")
