# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Who asks an entry's own question gets that entry first."""

import pytest
from haystack import Document

from haystack_integrations.components.rankers.answer_selection import AnswerRanker
from haystack_integrations.components.rankers.answer_selection.own_question import LEAD, own_question

ASKED = "What Python version can I use?"
OTHER = "What Python version should I use, and what version can I use with Python?"


def documents(*questions: object) -> list[Document]:
    return [Document(id=str(n), content="Use version 3.", meta={"question": one}) for n, one in enumerate(questions)]


@pytest.mark.parametrize(
    ("query", "question", "is_same"),
    [
        (ASKED, ASKED, True),
        ("what python  version can i use", ASKED, True),
        (ASKED, "What Python version can you use?", False),
        (ASKED, f"{ASKED} › On Windows", False),  # noqa: RUF001
        (ASKED, None, False),
        (ASKED, ["What"], False),
        ("What is C++?", "What is C#?", False),
        ("What is C++", "what is C++?", True),
        ("?", "?", False),
        ("", "", False),
        ("如何安装打印机", "如何安装打印机？", True),  # noqa: RUF001
    ],
)
def test_only_the_same_question_counts(query, question, is_same):
    assert own_question(query, [question, "Why?"]).tolist() == [LEAD * is_same, 0.0]


def test_the_asked_question_is_first_and_likely():
    ranker = AnswerRanker(meta_fields_to_embed=["question"])
    given = documents(OTHER, ASKED, "Which version do others use?", ASKED.lower())
    first, second, *others = ranker.run(ASKED, given)["documents"]
    assert {first.id, second.id} == {"1", "3"}
    assert first.meta["ranker_probability"] + second.meta["ranker_probability"] > 0.8
    # Of the mean of all: two of four are ahead.
    assert {one.meta["ranker_signals"]["question"] for one in (first, second)} == {LEAD / 2}
    assert {one.meta["ranker_signals"]["question"] for one in others} == {-LEAD / 2}
    # A ranker that goes by something else says nothing of an earlier one's signals.
    again = AnswerRanker(retriever_weight=0.0).run(ASKED, [first, second])["documents"]
    assert all("ranker_signals" not in one.meta for one in again)


def test_a_calibration_without_the_lead_is_another_one():
    told = [AnswerRanker(meta_fields_to_embed=fields).ranked_by(documents(ASKED)) for fields in (["question"], [])]
    assert [one["own_question"] for one in told] == [LEAD, None]


def test_a_ranker_that_does_not_read_questions_does_not_read_this_one():
    told = AnswerRanker().run(ASKED, documents(OTHER, ASKED))["documents"]
    assert all("question" not in one.meta["ranker_signals"] for one in told)
