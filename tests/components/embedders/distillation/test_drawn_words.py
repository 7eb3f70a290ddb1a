# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import random
from collections import Counter

from haystack_integrations.components.embedders.answer_selection.distillation.drawn_words import drawn_texts
from haystack_integrations.components.embedders.answer_selection.distillation.typos import misspell

QUESTIONS = ["Where can pupils renew library cards on Sundays?", "Where can visitors park bicycles near the museum?"]
# They make "where", "can" and "renew" the most frequent words, which are taken to hold sentences together.
STATEMENTS = [f"Where the readers of room {number} can renew." for number in range(40)]
WORDS = ["[PAD]", "##ing", "zebra", "quartz", "12", "of"]
DRAWN = {"zebra", "quartz"}


def test_content_words_are_replaced_by_the_vocabularys() -> None:
    made = list(drawn_texts([*QUESTIONS, *STATEMENTS], WORDS, seed=0))
    words, pairs, copies = made[:2], made[2:4], made[4:]
    assert words == ["zebra", "quartz"], "what is no word is left out"
    assert all(len(pair.split()) == 2 and DRAWN.issuperset(pair.split()) for pair in pairs)
    of_questions = [copy.rstrip("?").split() for copy in copies if copy.endswith("?")]
    assert len(of_questions) == 6 * len(QUESTIONS)
    for number, copy in enumerate(of_questions):
        original = QUESTIONS[number // 6].rstrip("?").split()
        replaced = {ours for ours, theirs in zip(original, copy, strict=True) if ours != theirs}
        assert DRAWN.issuperset(set(copy) - set(original))
        assert not replaced & {"Where", "can", "renew", "on"}, "what holds a sentence together stays"
    drawn = sum(word in DRAWN for copy in of_questions for word in copy)
    # Of five other words, on average, in each: three in ten, six in ten, or all.
    assert 0.35 < drawn / (5 * len(of_questions)) < 0.9
    assert 0.25 < (len(copies) - len(of_questions)) / len(STATEMENTS) < 0.75


def test_what_is_drawn_is_the_seeds() -> None:
    first = list(drawn_texts(QUESTIONS, WORDS, seed=0))
    assert first == list(drawn_texts(QUESTIONS, WORDS, seed=0))
    assert first != list(drawn_texts(QUESTIONS, WORDS, seed=1))
    assert list(drawn_texts(QUESTIONS, ["##ing", "12"], seed=0)) == []


def test_a_slip_is_inside_one_word() -> None:
    rng = random.Random(1)
    found: Counter[str] = Counter()
    for _ in range(200):
        first, second, *short = misspell("library towns of a", rng).split()
        assert short == ["of", "a"], "a short word would be another word"
        assert (first == "library") or (second == "towns")
        found.update({first, second} - {"library", "towns"})
    assert {len(word) for word in found} == {4, 5, 6, 7, 8}
    assert sum(found.values()) < 200, "where a short word is drawn, nothing changes"
    assert {"libary", "lirbary", "libbrary"} <= found.keys()
