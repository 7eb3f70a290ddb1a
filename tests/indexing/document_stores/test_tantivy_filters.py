# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The index's filters against Haystack's own evaluation, document by document."""

import math
import random
from datetime import UTC, datetime, timedelta, timezone

import pytest
from haystack import Document
from haystack.dataclasses import ByteStream
from haystack.errors import FilterError
from haystack.utils.filters import document_matches_filter

from haystack_integrations.document_stores.tantivy import TantivyDocumentStore
from haystack_integrations.document_stores.tantivy.filters import _ordered

NUMBERS = [
    0, -0.0, 1, 1.0, True, False, 2, -1, 0.1, 0.1 + 2**-56, -0.1, 1e308, -1e308, 5e-324, -5e-324, math.inf, -math.inf,
    2**53, 2**53 + 1, float(2**53), -(2**53) - 1, 10**40, -(10**40), 10**40 + 1, 255, 256, 257, 1.5, 1.25, -1.5, -1.25,
]  # fmt: skip
DATES = [
    "1969-07-21T20:17:40", "1969-07-21T20:17:40Z", "1969-07-21T22:17:40+02:00", "1969-07-21 20:17:40", "1969-07-21",
    "1969-07-21T24:00", "1969-07-22", "1972-12-11T19:54:58.000001", "1972-12-11T19:54:58-11:00",
    "0001-01-01T00:00+14:00", "9999-12-31T23:59:59.999999-12:00",
]  # fmt: skip
STRINGS = ["", "a", "A", "ä", "a\u0308", "1", "true", "x y", 'q"[* TO ]', "\ud800", "long " * 20_000, "2025", "no-date"]
NESTED = [[], [1, 2], [1.0, 2.0], [True, 2], ["a"], ["a", ["a"]], [None], {"k": 1}, {"k": {"deep": "v"}, "l": [1]}, {}]
FIELDS = ["meta.v", "v", "meta.w", "meta.w.k", "meta.w.k.deep", "meta.gone", "content", "id", "other.root"]


def documents() -> list[Document]:
    values = [*NUMBERS, *DATES, *STRINGS, *NESTED, None, math.nan]
    generator = random.Random(3)
    return [
        Document(
            id=f"d{i}",
            content=generator.choice(["a", "1969-07-21", None]),
            meta={"v": v, "w": generator.choice(values)},
        )
        for i, v in enumerate(values)
    ] + [Document(id="bare"), Document(id="blob", blob=ByteStream(b"\0"), meta={"a.b": 1})]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    store = TantivyDocumentStore(path=tmp_path_factory.mktemp("filters") / "index")
    store.write_documents(documents())
    return store, store.filter_documents()


def expected_ids(filters, corpus_documents):
    """Haystack's answer; None where it raises because some document's value has no order with the filter's."""
    try:
        return [d.id for d in corpus_documents if document_matches_filter(filters, d)]
    except (FilterError, TypeError):
        return None


def ids(store, filters):
    return [d.id for d in store.filter_documents(filters)]


@pytest.mark.slow
@pytest.mark.parametrize("operator", ["==", "!="])
@pytest.mark.parametrize("field", FIELDS)
def test_equality_with_every_value(corpus, field, operator):
    store, stored = corpus
    for value in [*NUMBERS, *DATES, *STRINGS, *NESTED, None, math.nan, *aware_and_naive()]:
        filters = {"field": field, "operator": operator, "value": value}
        assert ids(store, filters) == expected_ids(filters, stored), filters


@pytest.mark.parametrize("operator", ["in", "not in"])
def test_membership(corpus, operator):
    store, stored = corpus
    generator = random.Random(1)
    for _ in range(60):
        values = generator.choices(
            [*NUMBERS, *DATES, *STRINGS, *NESTED, None, *aware_and_naive()], k=generator.randint(0, 5)
        )
        filters = {"field": "meta.v", "operator": operator, "value": values}
        assert ids(store, filters) == expected_ids(filters, stored), filters


@pytest.mark.parametrize("operator", [">", ">=", "<", "<="])
@pytest.mark.parametrize("kind", ["numbers", "dates"])
def test_order(corpus, operator, kind):
    store, stored = corpus
    # Haystack compares the end of a day written as 24:00 with "==", but raises an error with "<".
    values = NUMBERS if kind == "numbers" else [date for date in DATES if "24:00" not in date]
    comparable = [d for d in stored if any(type(d.meta.get("v")) is type(v) and d.meta["v"] == v for v in values)]
    assert len(comparable) >= len(values)
    for value in [*values, *(aware_and_naive() if kind == "dates" else [])]:
        filters = {"field": "meta.v", "operator": operator, "value": value}
        expected = {d.id for d in comparable if document_matches_filter(filters, d)}
        assert {d.id for d in store.filter_documents(filters) if "24:00" not in str(d.meta["v"])} == expected, filters


def test_order_of_encoded_numbers_is_the_order_of_numbers():
    generator = random.Random(0)
    numbers = [generator.randint(-(10**18), 10**18) for _ in range(300)] + [generator.gauss(0, 1) for _ in range(300)]
    numbers += [generator.randint(-9, 9) * 2.0 ** generator.randint(-1070, 1000) for _ in range(300)] + NUMBERS
    encoded = [(_ordered(a), a) for a in numbers]
    for (left, a), (right, b) in zip(sorted(encoded), sorted(encoded)[1:], strict=False):
        assert (left == right) == (a == b)
        assert a <= b


def test_nested_logic(corpus):
    store, stored = corpus
    generator = random.Random(7)
    values = [*NUMBERS[:6], *DATES[:4], *STRINGS[:4], *NESTED[:3], None]

    def condition(depth):
        if depth == 0 or generator.random() < 0.3:
            value = generator.choice(values)
            operator, value = generator.choice([("==", value), ("!=", value), ("in", [value]), ("not in", [value, 1])])
            return {"field": generator.choice(FIELDS), "operator": operator, "value": value}
        conditions = [condition(depth - 1) for _ in range(generator.choice([0, 1, 2, 2, 2, 3]))]
        return {"operator": generator.choice(["AND", "OR", "NOT"]), "conditions": conditions}

    kept = 0
    for _ in range(300):
        filters = condition(4)
        found = ids(store, filters)
        assert found == expected_ids(filters, stored), filters
        kept += 0 < len(found) < len(stored)
    assert kept > 50


def test_values_without_an_order_do_not_match(corpus):
    store, _ = corpus
    # Haystack's in-memory store raises an error for the whole query as soon as it meets such a document.
    assert set(ids(store, {"field": "meta.v", "operator": ">=", "value": -math.inf})) == {
        d.id for d in documents() if isinstance(d.meta.get("v"), (int, float)) and not math.isnan(d.meta["v"])
    }


@pytest.mark.parametrize(
    ("filters", "message"),
    [
        ({"field": "meta.v", "operator": ">", "value": "soon"}, "'>' on 'meta.v' needs a number or an ISO 8601 date"),
        ({"field": "meta.v", "operator": "<", "value": [1]}, "got list"),
        ({"field": "meta.v", "operator": "in", "value": "abc"}, "needs a list, got str"),
        ({"field": "meta.v", "operator": "~", "value": 1}, "unknown comparison operator '~'"),
        ({"operator": "XOR", "conditions": []}, "unknown logical operator 'XOR'"),
        ({"operator": "AND", "conditions": {}}, "'conditions' must be a list"),
        ({"operator": "AND", "conditions": ["x"]}, "a filter must be a dictionary, got str"),
        ({"field": "meta.v", "value": 1}, "'operator' key missing"),
        ({"field": 3, "operator": "==", "value": 1}, "'field' must be a string"),
        ({"field": "blob", "operator": "==", "value": 1}, "can only be compared with None"),
        ({"field": "meta.v", "operator": "==", "value": object()}, "can't compare with a value of type object"),
    ],
)
def test_malformed_filters_say_what_is_wrong(corpus, filters, message):
    with pytest.raises(FilterError, match=message.replace("[", r"\[")):
        corpus[0].filter_documents(filters)


def test_presence_of_a_blob(corpus):
    store, _ = corpus
    assert ids(store, {"field": "blob", "operator": "!=", "value": None}) == ["blob"]


@pytest.mark.slow
def test_filter_inside_the_search_fills_top_k(tmp_path):
    """Twenty documents in 20,000 are kept, the worst matches of all: a filter after the search would find none."""
    store = TantivyDocumentStore(path=tmp_path)
    store.write_documents(
        [
            Document(
                id=f"d{i}",
                content="loan " + ("and much else " * 20 if i % 1000 == 999 else ""),
                meta={"i": i, "r": i % 1000},
            )
            for i in range(20_000)
        ]
    )
    rare = {"field": "meta.r", "operator": "==", "value": 999}
    assert [d.meta["i"] for d in store.bm25_retrieval("loan", filters=rare, top_k=20)] == list(range(999, 20_000, 1000))
    one = {"operator": "AND", "conditions": [rare, {"field": "meta.i", "operator": ">", "value": 18_999.5}]}
    assert [d.meta["i"] for d in store.bm25_retrieval("loan", filters=one, top_k=20)] == [19_999]
    # A filter adds nothing to the score.
    best = store.bm25_retrieval("loan", top_k=20_000)
    scores = {d.id: d.score for d in best}
    assert all(d.score == scores[d.id] for d in store.bm25_retrieval("loan", filters=rare, top_k=20))


def aware_and_naive():
    moment = datetime(1969, 7, 21, 20, 17, 40)  # noqa: DTZ001 -- a date without a zone is what is tested
    return [moment, moment.replace(tzinfo=UTC), moment.replace(tzinfo=timezone(timedelta(hours=2)))]
