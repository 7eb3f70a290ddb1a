# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0

import asyncio
import copy
import json
import math
import pickle
import random
import re
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from contextlib import chdir
from pathlib import Path

import pytest
from haystack import Document
from haystack.dataclasses import ByteStream, SparseEmbedding
from haystack.document_stores.errors import DuplicateDocumentError
from haystack.document_stores.types import DuplicatePolicy

from haystack_integrations.document_stores.tantivy import IndexOpenError, TantivyDocumentStore, codec

LOANS = [
    Document(id="renew", content="Sign in and choose Renew.", meta={"question": "How do I extend a loan?"}),
    Document(id="fine", content="Twenty cents a day for each loan.", meta={"question": "What does being late cost?"}),
    Document(id="card", content="At any desk, with an identity card.", meta={"question": "Where do I renew my card?"}),
]


@pytest.fixture
def store(tmp_path):
    return TantivyDocumentStore(path=tmp_path / "index", search_fields={"content": 1.0, "question": 1.0})


def test_a_copy_opens_the_index_by_itself(store):
    store.write_documents(LOANS)
    with chdir(store.path.parent):
        saved = pickle.dumps(TantivyDocumentStore.from_dict({**store.to_dict(), "init_parameters": {"path": "index"}}))
    assert pickle.loads(saved).count_documents() == 3
    for copied in (copy.deepcopy(store), pickle.loads(pickle.dumps(store))):
        assert found(copied, "renew") == found(store, "renew")
        copied.delete_documents(["card"])
        assert store.count_documents() == 2
        store.write_documents(LOANS[2:])


def found(store, query, **kwargs):
    return [d.id for d in store.bm25_retrieval(query, **kwargs)]


# --- documents ---


def test_documents_come_back_as_they_were(store):
    documents = [
        Document(content="plain"),
        Document(content=""),
        Document(id="none", meta={"question": None}),
        Document(
            id='all "of" it\0\n',
            content="Ünï\u0308 \U0001f600 \ud800 \0 end",
            blob=ByteStream(bytes(range(256)), meta={"page": 1}, mime_type="image/png"),
            meta={
                "nested": {"list": [1, 1.0, True, None, "x", {"deep": [[]]}], "a.b": {"": 0}},
                "big": 10**30, "tiny": 5e-324, "third": 1 / 3, "infinite": math.inf, "minus zero": -0.0,
            },
            score=0.1 + 0.2,
            embedding=[0.1, -1e-300, 3.0],
            sparse_embedding=SparseEmbedding(indices=[1, 5], values=[0.5, 0.25]),
        ),
    ]  # fmt: skip
    store.write_documents(documents)
    store.close()
    received = store.filter_documents()
    assert received == documents
    # Document equality takes 1 for True and 1.0; their texts don't.
    assert [repr(d.meta) for d in received] == [repr(d.meta) for d in documents]


@pytest.mark.parametrize(
    ("meta", "message"),
    [
        ({"a": {"b": [0, {1}]}}, "document 'x': meta.a.b[1]: expected a JSON value"),
        ({"a": {1: 2}}, "document 'x': meta.a: keys must be strings, got int 1"),
    ],
)
def test_metadata_that_cannot_be_stored_are_named_and_nothing_is_written(store, meta, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        store.write_documents([Document(id="good", content="good"), Document(id="x", content="x", meta=meta)])
    assert store.count_documents() == 0
    assert store.write_documents([Document(id="good", content="good")]) == 1


def test_ids_that_cannot_be_stored(store):
    with pytest.raises(ValueError, match="is not valid Unicode"):
        store.write_documents([Document(id="\ud800")])
    with pytest.raises(ValueError, match="has 2000 bytes, at most 1024"):
        store.write_documents([Document(id="x" * 2000)])


def test_duplicate_policies(store):
    first, second, other = Document(id="1", content="first"), Document(id="1", content="second"), Document(id="2")
    store.write_documents([first])
    for policy in (DuplicatePolicy.NONE, DuplicatePolicy.FAIL):
        with pytest.raises(DuplicateDocumentError, match="'1'"):
            store.write_documents([other, second], policy)
        assert store.filter_documents() == [first]
    assert store.write_documents([second, other, other], DuplicatePolicy.SKIP) == 1
    assert store.filter_documents() == [first, other]
    assert store.write_documents([second, first, second], DuplicatePolicy.OVERWRITE) == 3
    assert store.filter_documents() == [other, second]
    assert found(store, "first") == []
    assert found(store, "second") == ["1"]


def test_failing_duplicate_within_one_write(store):
    with pytest.raises(DuplicateDocumentError):
        store.write_documents([Document(id="1"), Document(id="1")])
    assert store.count_documents() == 0


def test_ids_that_are_gone_from_their_source(store):
    assert store.ids_not_in(["unknown"]) == []
    store.write_documents([Document(id=f"d{i}") for i in range(50_000)])
    keep = [f"d{i}" for i in range(50_000) if i not in (4, 5, 40_000)] + ["unknown"]
    assert store.ids_not_in(iter(keep)) == ["d4", "d5", "d40000"]
    assert store.count_documents() == 50_000


def test_update_keeps_the_order_and_reaches_the_search(store):
    store.write_documents(LOANS)
    store.update_by_filter({"field": "id", "operator": "==", "value": "renew"}, {"question": "Prolongation?"})
    assert [d.id for d in store.filter_documents()] == ["renew", "fine", "card"]
    assert found(store, "prolongation") == ["renew"]
    assert found(store, "extend") == []


# --- search ---


def test_fields_boosts_and_stems(store):
    store.write_documents(LOANS)
    assert found(store, "RENEWING") == ["renew", "card"]
    assert found(store, "renew", search_fields={"question": 1.0}) == ["card"]
    assert found(store, "renew", search_fields={"content": 2}) == ["renew"]
    assert found(store, "loans", search_fields={"content": 1.0, "question": 9.0}) == ["renew", "fine"]
    assert found(store, "loans", search_fields={"content": 9.0, "question": 1.0}) == ["fine", "renew"]
    with pytest.raises(ValueError, match="search field 'title' is not in the index; it has content, question"):
        store.bm25_retrieval("x", search_fields={"title": 1.0})


@pytest.mark.slow
def test_scores_are_bm25s(store):
    """Against the formula of Robertson and Zaragoza (2009) in Lucene's form, in plain Python."""
    generator = random.Random(5)
    words = [f"w{i}" for i in range(40)]
    # At most 39 words: tantivy keeps greater lengths rounded.
    texts = [
        " ".join(generator.choices(words, weights=range(40, 0, -1), k=generator.randint(1, 39))) for _ in range(300)
    ]
    store.write_documents([Document(id=str(i), content=text) for i, text in enumerate(texts)])
    mean = sum(len(text.split()) for text in texts) / len(texts)

    def score(query, text):
        total, tokens = 0.0, text.split()
        for word in query.split():
            frequency, in_documents = tokens.count(word), sum(word in t.split() for t in texts)
            idf = math.log(1 + (len(texts) - in_documents + 0.5) / (in_documents + 0.5))
            total += idf * frequency * 2.2 / (frequency + 1.2 * (0.25 + 0.75 * len(tokens) / mean))
        return total

    for query in ("w1 w30", "w39", "w5 w5 w20 nothing"):
        for boost in (1.0, 2.5):
            hits = store.bm25_retrieval(query, top_k=300, search_fields={"content": boost})
            assert len(hits) == sum(score(query, text) > 0 for text in texts)
            assert [d.score for d in hits] == sorted((d.score for d in hits), reverse=True)
            for hit in hits:
                assert hit.score == pytest.approx(boost * score(query, hit.content), rel=1e-4)


def test_equal_scores_keep_the_order_of_writing(store):
    for start in range(0, 60, 3):
        store.write_documents([Document(id=str(i), content="same text") for i in range(start, start + 3)])
    store.write_documents([Document(id="7", content="same text")], DuplicatePolicy.OVERWRITE)
    expected = [str(i) for i in range(60) if i != 7] + ["7"]
    assert [d.id for d in store.filter_documents()] == expected
    assert found(store, "text", top_k=100) == expected
    assert list(store.search_ids(["text"], 100)) == [expected]


def test_documents_with_ids_come_in_the_order_of_writing(store):
    store.write_documents([Document(id=f"d{n}", content="x") for n in range(9)])
    assert [each.id for each in store.documents_with_ids(["d7", "d0", "gone", "d3"])] == ["d0", "d3", "d7"]
    assert [each.id for each in store.documents_with_ids(["d7", *["gone"] * 10_000, "d7"])] == ["d7"]


def test_other_languages_and_fields(tmp_path):
    store = TantivyDocumentStore(
        path=tmp_path / "de", language="german", search_fields={"content": 1, "titel": 2, "tags": 1}
    )
    store.write_documents(
        [Document(id="1", content="Häuser", meta={"titel": "Bücher ausleihen", "tags": ["Rückgabe", 3, "Mahnung"]})]
    )
    assert found(store, "Haus, ein Haus") == ["1"]
    assert found(store, "mahnungen") == ["1"]
    assert found(store, "Buch", search_fields={"titel": 1}) == ["1"]
    assert found(store, "Buch", search_fields={"content": 1}) == []
    plain = TantivyDocumentStore(path=tmp_path / "plain", language=None)
    plain.write_documents([Document(id="1", content="renewing 図書館は何時に開きますか café")])
    assert found(plain, "renew") == []
    assert found(plain, "開館") == ["1"]
    assert found(plain, unicodedata.normalize("NFD", "CAFÉ")) == ["1"]


def test_scaled_scores(store):
    store.write_documents(LOANS)
    plain, scaled = store.bm25_retrieval("loan"), store.bm25_retrieval("loan", scale_score=True)
    assert [d.score for d in scaled] == pytest.approx([1 / (1 + math.exp(-d.score / 8)) for d in plain])


def test_any_string_is_a_query(store):
    store.write_documents(LOANS)
    generator = random.Random(11)
    syntax = [*"+-&|!(){}[]^\"~*?:\\/<>=,.;' \t\n\0", *"AND OR NOT TO IN content: filter: _all renew".split()]
    scripts = [chr(c) for c in range(0x20, 0x3000, 37)] + [chr(c) for c in range(0xD7F0, 0x10FFFF, 9973)]
    queries = [
        "",
        " ",
        "the of and",
        '"',
        "content:[a TO",
        "renew^",
        "\ud800 renew",
        "ﬁne",
        "renew " * 20_000,
        "x" * 100_000,
    ]
    queries += ["".join(generator.choices(syntax + scripts, k=generator.randint(1, 30))) for _ in range(500)]
    queries.append(" ".join(f"w{i}" for i in range(17_000)))
    for query in queries:
        assert len(store.bm25_retrieval(query)) <= 3
    for hits in store.search_ids(queries, 10):
        assert len(hits) <= 3
    assert found(store, "content:renew AND -fine") == ["renew", "card"]
    assert found(store, "ﬁne?! cents") == ["fine"]


@pytest.mark.slow
def test_search_ids_and_retrieval_agree(store):
    generator = random.Random(2)
    words = [f"w{i}" for i in range(300)]
    for start in range(0, 4000, 1000):  # several segments
        store.write_documents(
            [
                Document(
                    id=f"d{i}",
                    content=" ".join(generator.choices(words, k=12)),
                    meta={"question": " ".join(generator.choices(words, k=4))},
                )
                for i in range(start, start + 1000)
            ]
        )
    store.delete_documents([f"d{i}" for i in range(0, 4000, 7)])
    queries = [" ".join(generator.choices(words, k=5)) for _ in range(150)] + ["nothing here"]
    for fields in (None, {"content": 1.0}):
        results = list(store.search_ids(queries, 50, fields))
        documents = [store.bm25_retrieval(query, top_k=50, search_fields=fields) for query in queries]
        assert results == [[document.id for document in some] for some in documents]
        scored = list(store.search_scored(queries, 50, fields))
        assert scored == [[(document.id, document.score) for document in some] for some in documents]
        assert len(results[0]) == 50
        assert results[-1] == []


def test_search_ids_streams(store):
    store.write_documents(LOANS)
    asked = []

    class Queries(list):
        def __iter__(self):
            for query in super().__iter__():
                asked.append(query)
                yield query

    results = store.search_ids(Queries(["loan"] * 10_000), 5)
    assert next(results) == ["renew", "fine"]
    assert len(asked) < 1000
    results.close()


def test_bad_searches(store):
    with pytest.raises(IndexOpenError, match=r"there is no index in .*, or it is empty: `answer-selection index"):
        store.bm25_retrieval("x")
    with pytest.raises(IndexOpenError, match="there is no index"):
        store.search_ids(["x"], 1)
    with pytest.raises(IndexOpenError, match="there is no index"):
        store.iter_pages(["id"])
    assert not store.path.exists()
    store.write_documents(LOANS)
    for top_k in (0, -1, True, 1.5):
        with pytest.raises(ValueError, match="top_k must be an integer of at least 1"):
            store.bm25_retrieval("x", top_k=top_k)
    with pytest.raises(ValueError, match="got one string"):
        store.search_ids("loan", 3)
    with pytest.raises(ValueError, match="a query must be a string, got int"):
        store.bm25_retrieval(3)
    with pytest.raises(ValueError, match="boost of 'content' must be a number greater than 0"):
        store.bm25_retrieval("x", search_fields={"content": 0})
    assert len(store.bm25_retrieval("loan", top_k=10**12)) == 2


# --- pages ---


def test_pages(store):
    store.write_documents([Document(id=str(i), content=f"c{i}", meta={"a": {"b": i}}) for i in range(2500)])
    store.delete_documents([str(i) for i in range(100, 2400)])
    pages = store.iter_pages(["id", "content", "meta.a.b", "meta.gone"], page_size=30)
    first = next(pages)
    assert first[29] == {"id": "29", "content": "c29", "meta.a.b": 29, "meta.gone": None}
    # Pages show the index as it was when they were asked for.
    store.delete_all_documents()
    rest = list(pages)
    assert [len(page) for page in rest] == [30] * 5 + [20]
    assert [row["id"] for page in [first, *rest] for row in page] == [str(i) for i in [*range(100), *range(2400, 2500)]]
    assert list(store.iter_pages(["id"])) == []


def test_embeddings_are_unpacked_for_who_asks_for_them_alone(store, monkeypatch):
    store.write_documents([Document(id="1", content="loan", meta={"topic": 1}, embedding=[1.0, 2.0])])
    unpacked, unpack = [], codec._unpack
    monkeypatch.setattr(codec, "_unpack", lambda packed: unpacked.append(packed) or unpack(packed))
    [[row]] = store.iter_pages(["id", "meta"])
    assert row == {"id": "1", "meta": {"topic": 1}}
    assert store.get_metadata_field_min_max("topic") == {"min": 1, "max": 1}
    assert unpacked == []
    [[row]] = store.iter_pages(["embedding"])
    assert row == {"embedding": [1.0, 2.0]}


def test_bad_pages(store):
    store.write_documents(LOANS)
    for field in ("question", "content.x", ""):
        with pytest.raises(ValueError, match=f"unknown field '{field}': expected one of id, content"):
            store.iter_pages([field])
    with pytest.raises(ValueError, match="got the string 'id'"):
        store.iter_pages("id")
    with pytest.raises(ValueError, match="page_size must be at least 1"):
        store.iter_pages(["id"], page_size=0)


# --- settings and folders ---


def test_serialization(tmp_path):
    store = TantivyDocumentStore(path=tmp_path, language="french", search_fields={"content": 1.0, "question": 0.5})
    data = store.to_dict()
    assert data == {
        "type": "haystack_integrations.document_stores.tantivy.document_store.TantivyDocumentStore",
        "init_parameters": {
            "path": str(tmp_path),
            "language": "french",
            "search_fields": {"content": 1.0, "question": 0.5},
        },
    }
    assert TantivyDocumentStore.from_dict(json.loads(json.dumps(data))).to_dict() == data


def test_other_settings_are_refused(store):
    store.write_documents(LOANS)
    with pytest.raises(IndexOpenError, match=r"language: made with 'english', asked for None"):
        TantivyDocumentStore(path=store.path, language=None).count_documents()
    with pytest.raises(IndexOpenError, match=r"fields: made with \['content', 'question'\], asked for \['content'\]"):
        TantivyDocumentStore(path=store.path, search_fields={"content": 1.0}).write_documents(LOANS)
    assert TantivyDocumentStore(path=store.path, search_fields={"question": 3.0, "content": 1.0}).count_documents() == 3


def test_bad_settings(tmp_path):
    with pytest.raises(ValueError, match=r"language must be None or one of arabic, .*got 'klingon'"):
        TantivyDocumentStore(path=tmp_path, language="klingon")
    with pytest.raises(ValueError, match="with at least one"):
        TantivyDocumentStore(path=tmp_path, search_fields={})


def test_folders_that_are_not_ours(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    for use in (lambda s: s.count_documents(), lambda s: s.write_documents(LOANS), lambda s: s.bm25_retrieval("x")):
        with pytest.raises(IndexOpenError, match=r"is not an index: it holds other files \(notes.txt\)"):
            use(TantivyDocumentStore(path=tmp_path))
    with pytest.raises(IndexOpenError, match="is a file; an index needs a folder"):
        TantivyDocumentStore(path=tmp_path / "notes.txt").write_documents(LOANS)
    (tmp_path / "other" / "index").mkdir(parents=True)
    with pytest.raises(IndexOpenError, match=r"it has no settings\.json"):
        TantivyDocumentStore(path=tmp_path / "other").count_documents()
    assert sorted(item.name for item in tmp_path.iterdir()) == ["notes.txt", "other"]


@pytest.mark.parametrize("damage", ["meta", "settings", "missing", "truncated", "garbage"])
def test_damaged_folders(store, damage):
    store.write_documents(LOANS)
    store.close()
    folder = store.path / "index"
    if damage in ("meta", "settings"):
        (folder / f"{damage}.json").write_text("{")
    else:
        for file in folder.glob("*.term" if damage == "missing" else "*.store"):
            if damage == "missing":
                file.unlink()
            else:
                file.write_bytes(file.read_bytes()[:-10] if damage == "truncated" else b"\0" * 10)
    with pytest.raises(IndexOpenError, match=r"(is|may be) damaged"):
        store.bm25_retrieval("loan")
    with pytest.raises(IndexOpenError, match=r"(is|may be) damaged"):
        store.write_documents(LOANS)


def test_a_folder_made_anew_behind_an_open_store(store):
    import shutil

    store.write_documents(LOANS)
    assert found(store, "desk") == ["card"]
    shutil.rmtree(store.path)
    assert store.count_documents() == 0
    TantivyDocumentStore(path=store.path).write_documents(LOANS[:1])
    assert store.count_documents() == 1


def test_threads_share_a_store(store):
    """Writers queue up, readers see whole writes only."""

    def write(i):
        store.write_documents([Document(id=f"{i}-{k}", content=f"loan {i}") for k in range(10)])

    def read(_):
        count, hits = store.count_documents(), 0
        if count:
            hits = len(store.bm25_retrieval("loan", top_k=1000))
        return count % 10 == 0 and hits % 10 == 0 and hits >= count

    with ThreadPoolExecutor(8) as executor:
        writes = [executor.submit(write, i) for i in range(12)]
        reads = [executor.submit(read, i) for i in range(200)]
        assert all(r.result() for r in reads)
        for w in writes:
            w.result()
    assert store.count_documents() == 120


async def test_async_search(store):
    await store.write_documents_async(LOANS)
    hits = await asyncio.gather(
        *(store.bm25_retrieval_async("loan", top_k=1, search_fields={"question": 1}) for _ in range(8))
    )
    assert [[d.id for d in documents] for documents in hits] == [["renew"]] * 8
    await store.close_async()


def test_open_takes_what_the_index_was_made_with(tmp_path: Path) -> None:
    made = TantivyDocumentStore(
        path=tmp_path / "index", language="german", search_fields={"content": 1.0, "title": 2.0}
    )
    made.write_documents([Document(id="1", content="Bücher ausleihen")])
    opened = TantivyDocumentStore.open(tmp_path / "index")
    assert (opened.language, opened.search_fields) == ("german", {"content": 1.0, "title": 1.0})
    assert [document.id for document in opened.bm25_retrieval("Buch")] == ["1"]


def test_open_refuses_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(
        IndexOpenError, match=r"no index in .*nowhere, or it is empty: `answer-selection index FILE --index /.*`"
    ):
        TantivyDocumentStore.open(tmp_path / "nowhere")
