# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Nested data, as sites keep their FAQs in JSON and YAML."""

import json

import pytest
from haystack.dataclasses import ByteStream

from answer_selection.indexing.entries import Entry, iter_entries

HOW = {"question": "How do I pay?", "answer": "By card."}
WHY = {"q": "Why did it fail?", "a": "The card is blocked."}
PATHS = {
    "an array": ([HOW, WHY], [(), ()]),
    "an array in an object": ({"faqs": [HOW, WHY], "updated": "2026"}, [(), ()]),
    "an object": (HOW, [()]),
    "titles of groups": (
        {
            "title": "FAQ",
            "sections": [
                {"name": "Paying", "icon": "card", "questions": [HOW]},
                {"name": "Trouble", "questions": [WHY], "links": [{"label": "Help", "href": "/help"}]},
            ],
        },
        [("Paying",), ("Trouble",)],
    ),
    "keys of groups": ({"paying": [HOW], "when_it_fails": [WHY]}, [("paying",), ("when it fails",)]),
    "titles rather than keys": (
        {"pay": {"title": "Paying", "items": [HOW]}, "fail": {"title": "Trouble", "items": [WHY]}},
        [("Paying",), ("Trouble",)],
    ),
    "one key an item": ([{"paying": [HOW]}, {"trouble": [WHY]}], [("paying",), ("trouble",)]),
    "keys that say nothing": ({"faqs": [HOW], "items": [WHY]}, [(), ()]),
    "languages of an item": ([{"id": "1", "en": HOW, "fr": WHY}], [("en",), ("fr",)]),
    "keys that ask": ({HOW["question"]: HOW["answer"], WHY["q"]: WHY["a"]}, [(), ()]),
    "pairs": ({"topics": [{"title": "Cards", "qa": [[*HOW.values()], [*WHY.values()]]}]}, [("Cards",), ("Cards",)]),
    "groups of keys that ask": (
        {"Paying": {HOW["question"]: HOW["answer"]}, "Trouble": {WHY["q"]: WHY["a"]}},
        [("Paying",), ("Trouble",)],
    ),
}


def read(data: object, **options) -> tuple[list[Entry], list[str]]:
    found = list(iter_entries(ByteStream(json.dumps(data).encode(), meta={"name": "faq.json"}), **options))
    return [one for one in found if isinstance(one, Entry)], [str(one) for one in found if not isinstance(one, Entry)]


@pytest.mark.parametrize("shape", PATHS)
def test_entries_are_found_at_any_depth_with_the_titles_above_them(shape: str) -> None:
    data, headings = PATHS[shape]
    entries, errors = read(data)
    assert errors == []
    expected = [("How do I pay?", "By card."), ("Why did it fail?", "The card is blocked.")][: len(headings)]
    assert [(one.question, one.answer) for one in entries] == expected
    assert [tuple(one.meta.get("headings", ())) for one in entries] == headings


def test_lists_of_two_texts_that_do_not_ask_are_no_pairs() -> None:
    entries, [] = read(
        {"sizes": [["S", "M"], ["L", "XL"]], "qa": [["Is it warm?", "Yes."], ["Trouble", "Is it on?"], ["Why?", "So."]]}
    )
    assert [one.question for one in entries] == ["Is it warm?", "Trouble", "Why?"]


def test_other_fields_are_metadata_however_they_are_nested() -> None:
    [entry], [] = read([{**HOW, "tags": ["card"], "related": [WHY]}])
    assert entry.meta == {"tags": ["card"], "related": [WHY]}


def test_paragraphs_of_an_answer_are_joined() -> None:
    [entry], [] = read([{"question": "How?", "answer": ["By card.", "Or by bank."]}])
    assert entry.answer == "By card.\n\nOr by bank."


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("<p>By <b>card</b>.</p><p>See <a href='/pay'>here</a>.</p>", "By card.\n\nSee here (https://x.org/pay)."),
        ("By card:\n\n- here, or\n- <a href='/pay'>there</a>", "By card:\n\n- here, or\n- there (https://x.org/pay)"),
        ("By card.<br>Or by bank.", "By card.\nOr by bank."),
        ("Write --pay <how>, or Option<Card>: a < b, b > c", "Write --pay <how>, or Option<Card>: a < b, b > c"),
        ("See [here](/pay) & *there*\n\n1. so", "See [here](/pay) & *there*\n\n1. so"),
    ],
)
def test_html_becomes_text_and_other_text_stays(answer: str, expected: str) -> None:
    [entry], [] = read([{"question": "<b>How</b>?", "answer": answer}], meta={"source": "https://x.org/faq.json"})
    assert (entry.question, entry.answer) == ("How?", expected)


def test_what_stands_beside_entries_is_told() -> None:
    group = [HOW, {"question": "And?"}, "x", {"note": "none"}]
    data = {"sections": [{"questions": group}, {"questions": []}, {"type": "links", "links": [{"href": "/"}]}]}
    entries, errors = read(data)
    assert len(entries) == 1
    assert errors == [
        "faq.json, sections, item 1, questions, item 2, field 'answer': missing or empty (question: 'And?'); expected "
        "the answer's text",
        "faq.json, sections, item 1, questions, item 3: expected an object, found a string",
        "faq.json, sections, item 1, questions, item 4: expected a question and an answer, found an object with 'note'",
    ]


def test_other_names_are_told_and_can_be_given() -> None:
    data = [{"title": "Paying", "items": [{"caption": "How do I pay?", "text": "By card."}]}]
    _, [error] = read(data)
    assert error == (
        "faq.json: expected objects with 'question' and 'answer' (or 'q' and 'a'); found objects with 'title'. If they "
        "have other names there, say which: --columns question=FIELD,answer=FIELD"
    )
    [entry], [] = read(data, columns={"question": "caption", "answer": "text"})
    assert (entry.question, entry.answer, entry.meta["headings"]) == ("How do I pay?", "By card.", ["Paying"])


def test_what_is_nested_too_deeply_is_no_entry() -> None:
    data: object = [HOW]
    for _ in range(200):
        data = {"faqs": data}
    assert "expected objects with 'question' and 'answer'" in read(data)[1][0]


def read_yaml(text: str) -> tuple[list[Entry], list[str]]:
    found = list(iter_entries(ByteStream(text.encode(), meta={"name": "faq.yml"})))
    return [one for one in found if isinstance(one, Entry)], [str(one) for one in found if not isinstance(one, Entry)]


def test_values_of_yaml_are_texts() -> None:
    text = "- question: Is it free?\n  answer: yes\n- question: Since when?\n  answer: 2024-05-01\n  order: 007\n"
    entries, [] = read_yaml(text)
    assert [one.answer for one in entries] == ["yes", "2024-05-01"]
    assert entries[1].meta == {"order": "007"}


def test_all_documents_of_yaml_are_read() -> None:
    entries, [] = read_yaml("---\n- {q: 'How?', a: So.}\n---\n- {q: 'Why?', response: Thus.}\n---\n")
    assert [(one.question, one.answer) for one in entries] == [("How?", "So."), ("Why?", "Thus.")]


def test_toml_is_read_too() -> None:
    text = 'title = "FAQ"\n[[faq]]\nquestion = "How?"\nanswer = "So."\nweight = 3\n'
    [entry] = iter_entries(ByteStream(text.encode(), meta={"name": "faq.toml"}))
    assert isinstance(entry, Entry)
    assert (entry.question, entry.answer, entry.meta) == ("How?", "So.", {"weight": 3})
    [error] = iter_entries(ByteStream(b"a = [\n", meta={"name": "faq.toml"}))
    assert str(error).startswith("faq.toml: not TOML: ")
    deep = b"a = " + b"[" * 5_000 + b"]" * 5_000
    [error] = iter_entries(ByteStream(deep, meta={"name": "faq.toml"}))
    assert str(error) == "faq.toml: not TOML that can be read: its values are nested too deep"


def test_dates_of_toml_are_texts_which_every_store_takes() -> None:
    text = '[[faq]]\nq = "How?"\na = "So."\non = [2026-01-02, 2026-01-02T03:04:05Z]\nat = {open = 08:30:00}\n'
    [entry] = iter_entries(ByteStream(text.encode(), meta={"name": "faq.toml"}))
    assert isinstance(entry, Entry)
    assert entry.meta == {"on": ["2026-01-02", "2026-01-02T03:04:05+00:00"], "at": {"open": "08:30:00"}}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- question: How?\n  answer: a: b\n", "faq.yml, line 2: not YAML: mapping values are not allowed here"),
        ("&a [*a]", "faq.yml, line 1: an alias names a value that contains it"),
        ("a: " + "[" * 5_000, "faq.yml: not YAML that can be read: its values are nested too deep"),
        ("", "faq.yml: there is no entry in it; expected at least one"),
        ("version: 3\n", "faq.yml: expected objects with 'question' and 'answer' (or 'q' and 'a'); found objects with"),
    ],
)
def test_what_is_no_faq_is_told_in_a_line(text: str, expected: str) -> None:
    entries, [error] = read_yaml(text)
    assert entries == []
    assert error.startswith(expected)
    assert "\n" not in error
