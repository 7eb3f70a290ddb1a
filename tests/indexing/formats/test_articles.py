# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What help centres, forums and sites export as JSON: articles with titles, topics with answers."""

import json
from typing import Any

import pytest
from haystack.dataclasses import ByteStream

from answer_selection.indexing.entries import Entry, iter_entries
from answer_selection.indexing.formats import article_fields
from answer_selection.indexing.formats.rich_text import text_in


def read(data: object, **options) -> tuple[list[Entry], list[str]]:
    found = list(iter_entries(ByteStream(json.dumps(data).encode(), meta={"name": "export.json"}), **options))
    return [one for one in found if isinstance(one, Entry)], [str(one) for one in found if not isinstance(one, Entry)]


def pairs(data: object) -> list[tuple[str | None, str]]:
    return [(entry.question, entry.answer) for entry in read(data)[0]]


PAY, CANCEL = "How do I pay?", "Cancel a plan"
BY_CARD, MENU = "<p>By <b>card</b>.</p>", "<p>Choose <i>Cancel</i>.</p>"
EXPECTED = [(PAY, "By card."), (CANCEL, "Choose Cancel.")]

# The fields that the documentation of each program names.
HELP_CENTRES: dict[str, tuple[Any, Any]] = {
    "Zendesk": (
        {
            "count": 3,
            "next_page": None,
            "articles": [
                {
                    "id": number,
                    "url": f"https://x.zendesk.com/api/v2/help_center/en-us/articles/{number}.json",
                    "html_url": f"https://x.zendesk.com/hc/en-us/articles/{number}",
                    "author_id": 5,
                    "comments_disabled": True,
                    "draft": title is None,
                    "title": title or "Not yet",
                    "name": title or "Not yet",
                    "locale": "en-us",
                    "section_id": 7,
                    "body": body,
                    "label_names": ["paying"],
                    "vote_count": 4,
                }
                for number, (title, body) in enumerate([(PAY, BY_CARD), (CANCEL, MENU), (None, MENU)], 1)
            ],
        },
        {"source": "https://x.zendesk.com/hc/en-us/articles/1", "label_names": ["paying"], "section_id": 7},
    ),
    "Freshdesk": (
        [
            {
                "id": number,
                "type": 1,
                "folder_id": 4,
                "hierarchy": [
                    {"level": 0, "type": "category", "data": {"id": 3, "name": "Money"}},
                    {"level": 1, "type": "folder", "data": {"id": 4, "name": "Plans"}},
                ],
                "title": title,
                "description": body,
                "description_text": "By card.",
                "status": status,
            }
            for number, (title, body, status) in enumerate([(PAY, BY_CARD, 2), (CANCEL, MENU, 2), ("No", MENU, 1)], 1)
        ],
        {"headings": ["Money", "Plans"], "folder_id": 4},
    ),
    "Intercom": (
        {
            "type": "list",
            "pages": {"type": "pages", "page": 1},
            "data": [
                {
                    "type": "article",
                    "id": title,
                    "title": title,
                    "description": "A summary",
                    "body": body,
                    "state": state,
                    "url": f"http://intercom.help/en/articles/{title[0]}",
                }
                for title, body, state in [
                    (PAY, BY_CARD, "published"),
                    (CANCEL, MENU, "published"),
                    ("No", MENU, "draft"),
                ]
            ],
        },
        {"source": "http://intercom.help/en/articles/H", "state": "published"},
    ),
    "Help Scout": (
        [
            {
                "article": {
                    "id": title,
                    "number": 1,
                    "collectionId": "5",
                    "status": status,
                    "name": title,
                    "text": body,
                    "publicUrl": f"https://docs.example.com/article/{title[0]}",
                }
            }
            for title, body, status in [
                (PAY, BY_CARD, "published"),
                (CANCEL, MENU, "published"),
                ("No", MENU, "notpublished"),
            ]
        ],
        {"source": "https://docs.example.com/article/H", "collectionId": "5"},
    ),
    "WordPress": (
        [
            {
                "id": number,
                "status": status,
                "type": "faq",
                "link": f"https://example.com/faq/{title[0]}",
                "title": {"rendered": title},
                "content": {"rendered": body, "protected": False},
                "excerpt": {"rendered": "A summary"},
            }
            for number, (title, body, status) in enumerate(
                [(PAY, BY_CARD, "publish"), (CANCEL, MENU, "publish"), ("No", MENU, "draft")]
            )
        ],
        {"source": "https://example.com/faq/H", "type": "faq"},
    ),
}


@pytest.mark.parametrize("program", HELP_CENTRES)
def test_articles_of_help_centres_that_are_published(program: str) -> None:
    data, meta = HELP_CENTRES[program]
    entries, messages = read(data)
    assert [(entry.question, entry.answer) for entry in entries] == EXPECTED
    assert meta.items() <= entries[0].meta.items()
    assert not {"description_text", "name", "excerpt", "body"} & set(entries[0].meta)
    assert messages == ["export.json, 1 of its articles and topics: passed over: not published"]


def test_a_page_that_is_published_beside_articles_counts_if_it_asks() -> None:
    page = {"type": "page", "status": "publish", "content": "We bake."}
    assert pairs([{"title": "About us", **page}, {"title": "Do you deliver?", **page}]) == [
        ("Do you deliver?", "We bake.")
    ]
    assert pairs([{"title": "About us", **page}, {"title": "Our shop", **page}]) == []


TOPICS: dict[str, Any] = {
    "GitHub's discussions": {
        "data": {
            "repository": {
                "discussions": {
                    "nodes": [
                        {"title": PAY, "url": "https://example.com/1", "body": "Hello", "answer": {"body": "By card."}},
                        {"title": "Nobody knows?", "body": "Hello", "answer": None},
                    ]
                }
            }
        }
    },
    "Stack Exchange's API": {
        "items": [
            {
                "title": PAY,
                "body": "<p>Hello</p>",
                "link": "https://example.com/1",
                "answer_count": 3,
                "accepted_answer_id": 8,
                "answers": [
                    {"answer_id": 7, "score": 9, "is_accepted": False, "body": "<p>In coins.</p>"},
                    {"answer_id": 8, "score": 2, "is_accepted": True, "body": "<p>By card.</p>"},
                ],
            },
            {"title": "Nobody knows?", "body": "<p>Hello</p>", "answer_count": 0, "answers": []},
        ]
    },
    "Discourse": [
        {
            "id": 1,
            "title": PAY,
            "post_stream": {
                "posts": [
                    {"post_number": 1, "cooked": "<p>Hello</p>"},
                    {"post_number": 2, "cooked": "<p>I wonder, too.</p>", "actions_summary": []},
                    {"post_number": 3, "cooked": "<p>By card.</p>", "accepted_answer": True, "actions_summary": []},
                ]
            },
        },
        {
            "id": 2,
            "title": "Nobody knows?",
            "post_stream": {"posts": [{"cooked": "Hello"}, {"cooked": "I wonder.", "actions_summary": [{"id": 8}]}]},
        },
    ],
}


@pytest.mark.parametrize("program", TOPICS)
def test_topics_of_forums_that_have_an_answer(program: str) -> None:
    entries, messages = read(TOPICS[program])
    assert [(entry.question, entry.answer) for entry in entries] == [(PAY, "By card.")]
    assert messages == ["export.json, 1 of its articles and topics: passed over: without an answer"]


def test_the_best_answer_of_a_topic_is_the_accepted_one_or_has_most_votes() -> None:
    answers = [{"text": "A", "votes": 1}, {"text": "B", "votes": 5}, {"text": "C", "votes": 3}]
    [entry], [] = read({"title": PAY, "answers": answers})
    assert (entry.answer, entry.meta["other_answers"], entry.meta["upvote_count"]) == ("B", ["C", "A"], 5)
    [entry], [] = read({"title": PAY, "answers": [*answers[:2], {**answers[2], "accepted": True}]})
    assert (entry.answer, entry.meta["other_answers"]) == ("C", ["B", "A"])
    posts = [{"cooked": "?"}, {"cooked": "A"}, {"cooked": "B", "actions_summary": [{"id": 2, "count": 3}]}]
    [entry], [] = read({"title": PAY, "post_stream": {"posts": posts}})
    assert (entry.answer, entry.meta["upvote_count"], "other_answers" in entry.meta) == ("B", 3, False)


SITES: dict[str, Any] = {
    "half of the titles ask": {
        "sections": [{"title": "Money", "items": [{"title": PAY, "content": BY_CARD}, {"title": CANCEL, "text": MENU}]}]
    },
    "its key says FAQ": {"faqs": [{"title": CANCEL, "content": MENU}, {"name": "Pay by card", "text": "Any card."}]},
    "its title says FAQ": {"title": "Shop FAQ", "items": [{"headline": CANCEL, "html": MENU}]},
}


def test_what_sites_keep_with_a_title_each() -> None:
    assert pairs(SITES["half of the titles ask"]) == EXPECTED
    assert read(SITES["half of the titles ask"])[0][0].meta["headings"] == ["Money"]
    assert pairs(SITES["its key says FAQ"]) == [(CANCEL, "Choose Cancel."), ("Pay by card", "Any card.")]
    assert pairs(SITES["its title says FAQ"]) == [(CANCEL, "Choose Cancel.")]


NO_ARTICLES: dict[str, Any] = {
    "posts of which few ask": [{"title": title, "content": "Text"} for title in ("News", "More news", PAY)],
    "what is no list": {"delete": {"title": "Delete this file?", "text": "It cannot be undone."}},
    "issues": [{"title": PAY, "body": "I tried cash.", "state": "open"}],
    "questions without their answers": {"items": [{"title": PAY, "body": "I tried cash.", "answer_count": 2}]},
    "questions of people": [{"title": PAY, "body": "Hi, I tried cash."}, {"title": "Why?", "body": "I wonder."}],
    "parameters of an interface": {
        "/faqs": {"get": {"parameters": [{"name": "page", "in": "query", "description": "Which"}]}}
    },
    "a form": [{"type": "text", "title": "How old are you?", "description": "in years"}],
    "pages of a menu": {"nav": [{"What is it?": "what.md"}, {"How?": "https://example.com/how"}]},
    "translations": {"Are you sure?": "Sind Sie sicher?", "Forgot it?": "Vergessen?"},
    "releases": [{"name": "1.0", "tag_name": "v1.0", "body": "Changes", "draft": False}],
    "packages": {"packages": [{"name": "left-pad", "description": "Pads a text."}]},
}


@pytest.mark.parametrize("what", NO_ARTICLES)
def test_what_has_a_title_and_a_text_and_answers_nothing(what: str) -> None:
    entries, [message] = read(NO_ARTICLES[what])
    assert entries == []
    assert "expected objects with 'question' and 'answer'" in message


OTHERS: dict[str, tuple[Any, list[tuple[str, str]]]] = {
    "groups of an FAQ that have descriptions": (
        {
            "faq": {
                "categories": [{"name": "Money", "description": "Bills", "articles": [{"title": PAY, "body": "Card."}]}]
            }
        },
        [(PAY, "Card.")],
    ),
    "objects with keys in an FAQ": (
        {
            "faq": {
                "title": "FAQ",
                "pay": {"title": PAY, "content": "Card."},
                "cancel": {"title": CANCEL, "text": "Call."},
            }
        },
        [(PAY, "Card."), (CANCEL, "Call.")],
    ),
    "what GraphQL and Strapi put around": (
        [{"node": {"title": PAY, "content": "Card."}}, {"id": 1, "attributes": {"title": CANCEL, "content": "Call."}}],
        [(PAY, "Card."), (CANCEL, "Call.")],
    ),
    "a summary beside an answer (Zoho)": (
        {"data": [{"title": PAY, "summary": "Car…", "answer": "Card.", "status": "Published", "commentCount": "0"}]},
        [(PAY, "Card.")],
    ),
    "a page of WordPress that is an FAQ": (
        {
            "type": "page",
            "status": "publish",
            "title": {"rendered": "Our FAQ"},
            "content": {"rendered": f"<h2>{PAY}</h2><p>Card.</p><h2>{CANCEL}</h2><p>Call.</p>"},
        },
        [(PAY, "Card."), (CANCEL, "Call.")],
    ),
    "signs that HTML needs": (
        [{"title": "What&#8217;s R&amp;D?", "body": "That &lt;of&gt; ours."}],
        [("What\u2019s R&D?", "That <of> ours.")],
    ),
    "blocks of editors": (
        [
            {
                "question": PAY,
                "answer": [
                    {
                        "_type": "block",
                        "children": [{"_type": "span", "text": "By "}, {"_type": "span", "text": "card."}],
                    },
                    {"_type": "block", "listItem": "bullet", "children": [{"_type": "span", "text": "Visa"}]},
                ],
            }
        ],
        [(PAY, "By card.\n\n- Visa")],
    ),
    "a document of Contentful": (
        {
            "question": {"en-US": PAY},
            "answer": {
                "en-US": {
                    "nodeType": "document",
                    "content": [
                        {"nodeType": "paragraph", "content": [{"nodeType": "text", "value": "Card."}]},
                        {"nodeType": "paragraph", "content": [{"nodeType": "text", "value": "Cash."}]},
                    ],
                }
            },
        },
        [(PAY, "Card.\n\nCash.")],
    ),
    "forms of one text (Drupal)": (
        {"field_question": PAY, "field_answer": {"value": "x", "processed": "<p>Card.</p>"}},
        [(PAY, "Card.")],
    ),
    "numbers of texts of programs": (
        {"faq": {"title": "FAQ", "q1": PAY, "a1": "Card.", "question2": CANCEL, "answer2": "Call.", "q3": "Alone?"}},
        [(PAY, "Card."), (CANCEL, "Call.")],
    ),
    "the same in names with points": ({"faq.q1": PAY, "faq.a1": "Card.", "menu.home": "Home"}, [(PAY, "Card.")]),
    "pairs that are not published": (
        [
            {"question": "Secret?", "answer": "Yes.", "status": "draft"},
            {"question": PAY, "answer": "Card.", "status": "published"},
        ],
        [(PAY, "Card.")],
    ),
}


@pytest.mark.parametrize("what", OTHERS)
def test_forms_of_content_management_systems(what: str) -> None:
    data, expected = OTHERS[what]
    assert pairs(data) == expected


def test_a_file_in_which_nothing_is_published_says_so() -> None:
    entries, [message] = read([{"question": PAY, "answer": "Card.", "draft": True}])
    assert (entries, message) == ([], "export.json: its entries are drafts")


KEPT: dict[str, tuple[Any, list[tuple[str, str]]]] = {
    "labels beside an FAQ": (
        {"questions": "Questions", "answers": "Answers", "faq": [{"question": PAY, "answer": "Card."}]},
        [(PAY, "Card.")],
    ),
    "numbers of questions": (
        [{"topic": "Money", "questions": 2, "answers": 2, "items": [{"q": PAY, "a": "Card."}]}],
        [(PAY, "Card.")],
    ),
    "short answers": (
        {"How long are you open?": "24/7", "Is it refundable?": "N/A", "Where?": "shop.html"},
        [("How long are you open?", "24/7"), ("Is it refundable?", "N/A"), ("Where?", "shop.html")],
    ),
    "an answer that asks": (
        {"Shall I?": "Why not? Go on.", "Can I?": "Of course."},
        [("Shall I?", "Why not? Go on."), ("Can I?", "Of course.")],
    ),
    "states of something else": (
        [
            {"question": PAY, "answer": "Card.", "status": "pending"},
            {"question": "Why?", "answer": "So.", "state": "private", "published_at": None},
            {"question": "When?", "answer": "Now.", "status": "published", "stage": "draft"},
        ],
        [(PAY, "Card."), ("Why?", "So."), ("When?", "Now.")],
    ),
    "references in plain text": ({"question": "What is &amp;?", "answer": "A sign."}, [("What is &amp;?", "A sign.")]),
    "comments to an answer": (
        {"title": PAY, "answers": [{"body": "Card.", "comments": [{"body": "Thanks"}]}]},
        [(PAY, "Card.")],
    ),
}


@pytest.mark.parametrize("what", KEPT)
def test_what_was_read_before_is_read_alike(what: str) -> None:
    data, expected = KEPT[what]
    assert pairs(data) == expected


def test_answers_of_a_corpus_keep_their_ids_and_need_no_question() -> None:
    data = {"x": {"id": "1", "answer": "Card."}, "y": {"id": "2", "answer": "Cash.", "answers": []}}
    entries, [] = read(data, require_question=False)
    assert [(entry.entry_id, entry.answer) for entry in entries] == [("1", "Card."), ("2", "Cash.")]


def test_a_reply_in_discourse_is_read_without_what_it_quotes() -> None:
    reply = '<aside class="quote"><blockquote>How?</blockquote></aside><p>By card.</p>'
    topic = {"title": PAY, "post_stream": {"posts": [{"cooked": "?"}, {"cooked": reply, "accepted_answer": True}]}}
    assert pairs(topic) == [(PAY, "By card.")]


def test_articles_with_one_id_have_their_addresses_as_ids() -> None:
    article = {"id": 7, "body": "Text", "draft": False, "section_id": 1}
    first, second = ({**article, "title": title, "html_url": f"https://x.org/{title[0]}"} for title in (PAY, CANCEL))
    assert [entry.entry_id for entry in read([first, {**second, "id": 8}])[0]] == ["7", "8"]
    # As in several languages.
    assert [entry.entry_id for entry in read([first, second])[0]] == ["https://x.org/H", "https://x.org/C"]
    entries, [message] = read([first, {**second, "html_url": "https://x.org/H"}])
    assert [entry.entry_id for entry in entries] == ["7"]
    assert "the id '7' comes twice" in message


def test_questions_with_answers_are_all_there_is_where_there_are_some() -> None:
    data = [{"question": PAY, "answer": "By card."}, {"title": "Do you deliver?", "text": "Yes."}]
    assert pairs(data) == [(PAY, "By card.")]
    data = [{"title": PAY, "text": "By card."}, {"title": CANCEL, "text": "Call us."}]
    [first, second], [] = read(data, columns={"question": "title", "answer": "text"})
    assert (first.question, second.question) == (PAY, CANCEL)


def test_links_are_relative_to_the_article() -> None:
    article = {"title": PAY, "body": '<p>See <a href="/card">cards</a>.</p>', "draft": False}
    [entry], [] = read([{**article, "html_url": "https://help.example.com/a/1"}])
    assert "https://help.example.com/card" in entry.answer
    [entry], [] = read([article], meta={"source": "https://www.example.com/export.json"})
    assert "https://www.example.com/card" in entry.answer
    assert entry.meta["source"] == "https://www.example.com/export.json"


def test_html_that_cannot_be_read_is_told_of_its_article_alone() -> None:
    broken = "<p>By card.</p>" + "<div>" * 3000 + "text"
    entries, [message] = read([{"title": PAY, "body": broken}, {"title": "Why?", "body": "So."}])
    assert [entry.question for entry in entries] == ["Why?"]
    assert message.startswith("export.json, item 1: the HTML cannot be read beyond its line 1")


def test_several_ways_to_ask_are_one_question() -> None:
    data = {"qnaDocuments": [{"id": 1, "answer": "By card.", "questions": [PAY, "Can I pay by card?"]}]}
    assert pairs(data) == [(f"{PAY}\n\nCan I pay by card?", "By card.")]


def test_an_article_without_a_text_is_counted() -> None:
    articles = [{"title": PAY, "body": body, "draft": False, "section_id": 1} for body in ("", "<p> </p>", "Card.")]
    entries, [message] = read({"articles": articles})
    assert [entry.answer for entry in entries] == ["Card."]
    assert message == "export.json, 2 of its articles and topics: passed over: without a text"


@pytest.mark.parametrize("value", [5, None, "x", [5], {"a": 5}, [[]], True])
def test_values_of_other_types_than_expected_raise_nothing(value: object) -> None:
    names = [
        "answers",
        "actions_summary",
        "post_stream",
        "comments",
        "hierarchy",
        "category",
        "status",
        "title",
        "body",
    ]
    for name in names:
        read([{"title": PAY, "body": "Card.", name: value, "answers": [{"text": "Card.", name: value}]}])
        read([{"title": PAY, "body": "Card.", name: value}])


def test_the_time_for_many_texts_does_not_grow_with_their_square(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[str] = []
    monkeypatch.setattr(article_fields, "text_in", lambda value: looked_at.append("") or text_in(value))
    read({"title": "Texts", **{f"text.{number}": "Save" for number in range(2000)}})
    assert len(looked_at) < 100


def test_articles_nested_too_deeply_are_none() -> None:
    data: object = [{"title": PAY, "body": BY_CARD}]
    for _ in range(200):
        data = {"items": data}
    assert pairs(data) == []
    text: object = "By card."
    for _ in range(900):
        text = {"value": text}
    assert pairs({"question": PAY, "answer": text}) == []
    assert pairs([{"title": PAY, "body": text}]) == []
