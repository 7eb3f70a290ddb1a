# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Files of questions that nobody has labelled."""

import pytest

from answer_selection.pipelines.training.question_files import question_id, read_questions


def test_questions_come_one_a_line_or_as_objects(tmp_path):
    text, objects = tmp_path / "asked.txt", tmp_path / "asked.jsonl"
    text.write_text("Where is it?\n\nwhere is it\nWhen?\n", encoding="utf-8")
    assert [(query.query, query.query_id) for query in read_questions(text)] == [
        ("Where is it?", question_id("Where is it?")),
        ("When?", question_id("When?")),
    ]
    objects.write_text(
        '{"query": "Where?", "query_id": 3}\n{"query": " When? ", "relevant": ["a"]}\n', encoding="utf-8"
    )
    assert [(query.query_id, query.query) for query in read_questions(objects)] == [
        ("3", "Where?"),
        (question_id("When?"), "When?"),
    ]
    for broken, told in (
        ('{"question": "a"}', "line 1, field 'query': expected text, found nothing"),
        ("[]", "line 1: expected a JSON object"),
    ):
        objects.write_text(broken, encoding="utf-8")
        with pytest.raises(ValueError, match=told):
            read_questions(objects)
    text.write_text("\n", encoding="utf-8")
    with pytest.raises(ValueError, match="no question in the file"):
        read_questions(text)


def test_a_page_is_no_list_of_questions(tmp_path):
    page = tmp_path / "faq.md"
    page.write_text("# Where is it?\n\nHere.\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"faq\.md: expected \.txt, a question a line, or \.jsonl"):
        read_questions(page)
