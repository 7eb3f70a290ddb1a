# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import json
import signal
import textwrap
from collections import Counter
from pathlib import Path

import pytest
from haystack import Document

from answer_selection.indexing.candidates import read_jsonl
from answer_selection.indexing.corpus import Query
from answer_selection.indexing.negatives import mine, yahooqa_style
from haystack_integrations.components.retrievers.tantivy import TantivyBM25Retriever
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore
from new_process import python

N_ENTRIES = 120


class TinyStore:
    """Ranks by shared words; notes which fields were searched."""

    def __init__(
        self,
        answers: dict[str, str],
        pages: int = 50,
        questions: dict[str, str] | None = None,
        trees: dict[str, str] | None = None,
    ) -> None:
        self.answers, self.page, self.searched = answers, pages, []
        self.questions, self.trees = questions or {}, trees or {}

    def count_documents(self) -> int:
        return len(self.answers)

    def search_scored(self, queries, top_k, fields=None):
        self.searched.append(fields)
        for query in queries:
            wanted = set(query.split())
            found = {id_: len(wanted & set(answer.lower().split())) for id_, answer in self.answers.items()}
            best = sorted((id_ for id_ in found if found[id_]), key=lambda id_: (-found[id_], id_))[:top_k]
            yield [(id_, float(found[id_])) for id_ in best]

    def search_ids(self, queries, top_k, fields=None):
        return ([id_ for id_, _ in scored] for scored in self.search_scored(queries, top_k, fields))

    def iter_pages(self, fields, page_size=1000):
        assert fields == ["id", "content", "meta.question", "meta.parse_tree"]
        rows = [
            {
                "id": id_,
                "content": answer,
                "meta.question": self.questions.get(id_),
                "meta.parse_tree": self.trees.get(id_),
            }
            for id_, answer in self.answers.items()
        ]
        for start in range(0, len(rows), self.page):
            yield rows[start : start + self.page]


def answers() -> dict[str, str]:
    return {f"e{i:03}": f"the answer number {i} is about topic{i % 10} and place{i % 7}" for i in range(N_ENTRIES)}


def questions(n: int = 40) -> list[Query]:
    return [Query(f"q{i}", f"what is topic{i % 10} in place{i % 7}", (f"e{i:03}",)) for i in range(n)]


def read(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("mode", ["uniform", "retrieved"])
def test_a_candidate_keeps_its_documents_parse_tree_if_that_is_the_answers(tmp_path, mode):
    trees = {
        id_: "(ROOT (S " + " ".join(f"(X {word})" for word in answer.split()) + "))"
        for id_, answer in answers().items()
    }
    # That of question and answer together, for a ranker that reads both; and some documents have none.
    others = {id_: f"(ROOT (S (X What) (X ?)) {tree[6:]}" for id_, tree in list(trees.items())[:40]}
    kept = dict(list(trees.items())[60:])
    mine(TinyStore(answers(), trees=others | kept), questions(), output=tmp_path / "lists.jsonl", mode=mode, depth=50)
    found = [one for line in read(tmp_path / "lists.jsonl") for one in line["candidates"]]
    assert {one["candidate_id"]: one["meta"]["parse_tree"] for one in found if "parse_tree" in one.get("meta", {})} == {
        one["candidate_id"]: kept[one["candidate_id"]] for one in found if one["candidate_id"] in kept
    }
    assert any("retriever_rank" in one["meta"] for one in found if one["candidate_id"] in kept)


def test_lists(tmp_path: Path) -> None:
    output = tmp_path / "lists.jsonl"
    store = TinyStore(answers())
    done: list[int] = []
    report = mine(store, questions(), output=output, negatives=6, depth=50, progress=done.append)
    lists = read(output)
    assert [one["query_id"] for one in lists] == [f"q{i}" for i in range(40)]
    assert store.searched[0] == {"content": 1.0}, "the entries' questions would give the answers away"
    ranked = TinyStore(answers())
    for one, query in zip(lists, questions(), strict=True):
        ranks = {id_: rank for rank, id_ in enumerate(next(ranked.search_ids([query.query], 50)), start=1)}
        labels = {candidate["candidate_id"]: candidate["label"] for candidate in one["candidates"]}
        assert len(labels) == 7
        assert [id_ for id_, label in labels.items() if label] == list(query.relevant)
        for candidate in one["candidates"]:
            assert candidate["answer"] == answers()[candidate["candidate_id"]]
            rank = ranks.get(candidate["candidate_id"])
            assert candidate.get("meta", {}).get("retriever_rank") == rank
            assert rank is not None or candidate["label"]
    assert (report.queries, report.lists, report.candidates, report.short, report.left_out) == (40, 40, 280, 0, 0)
    assert done[-1] == 40
    places = Counter(i for one in lists for i, candidate in enumerate(one["candidates"]) if candidate["label"])
    assert len(places) == 7, "the relevant answer's place in the list must tell nothing"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lists.jsonl", "lists.jsonl.settings.json"]


@pytest.mark.slow
def test_uniform_over_the_depth(tmp_path: Path) -> None:
    store = TinyStore({f"e{i:03}": f"same words {i}" for i in range(101)})
    queries = [Query(f"q{i}", "same words", ("e100",)) for i in range(400)]
    mine(store, queries, output=tmp_path / "u.jsonl", negatives=10, depth=50)
    mine(store, queries[:40], output=tmp_path / "k.jsonl", negatives=10, depth=50, keep_top=4)

    def drawn(name: str) -> list[list[int]]:
        return [
            sorted(c["meta"]["retriever_rank"] for c in one["candidates"] if not c["label"])
            for one in read(tmp_path / name)
        ]

    counts = Counter(rank for ranks in drawn("u.jsonl") for rank in ranks)
    # 400 queries, 10 of 50 each: binomial with mean 80 and standard deviation 8.
    assert set(counts) == set(range(1, 51))
    assert all(48 <= count <= 112 for count in counts.values())
    kept = drawn("k.jsonl")
    assert all(ranks[:4] == [1, 2, 3, 4] and len(set(ranks)) == 10 for ranks in kept)
    assert len({tuple(ranks) for ranks in kept}) > 30


def test_equal_answers_are_never_negatives(tmp_path: Path) -> None:
    store = TinyStore(
        {
            "own": "You can renew a loan  three times.",
            "twin": "you can renew a loan three times",
            "treebank": "You can renew a loan three times .",
            "other": "you can renew a card",
            "other twin": "You can renew a card!",
            "second": "you may renew a loan at the desk",
            "blank": "  ",
        }
    )
    query = Query("own", "can you renew a loan", ("own", "second"))
    report = mine(store, [query], output=tmp_path / "a.jsonl")
    candidates = read(tmp_path / "a.jsonl")[0]["candidates"]
    assert {c["candidate_id"] for c in candidates if c["label"]} == {"own", "second"}
    (negative,) = (c["candidate_id"] for c in candidates if not c["label"])
    assert negative in {"other", "other twin"}
    assert report.short == 1
    mine(store, [query], output=tmp_path / "b.jsonl", mode="retrieved", depth=4)
    retrieved = read(tmp_path / "b.jsonl")[0]["candidates"]
    assert {"twin", "treebank"}.isdisjoint(c["candidate_id"] for c in retrieved)


@pytest.mark.parametrize("mode", ["uniform", "random", "retrieved"])
def test_other_answers_to_the_question_itself_are_never_negatives(tmp_path: Path, mode: str) -> None:
    texts = {"right": "a cat sleeps", "unvoted": "cat naps", "fresh": "cat dozes", "other": "cat runs"}
    asked = {"right": "What does a cat do?", "unvoted": "what does a  cat do", "fresh": "What does a cat do?"}
    query = Query("q", "what does a cat do?", ("right",))
    store = TinyStore(texts, questions=asked | {"other": "Does a cat run?"})
    mine(store, [query], output=tmp_path / "a.jsonl", mode=mode)
    [one] = read(tmp_path / "a.jsonl")
    assert {c["candidate_id"]: c["label"] for c in one["candidates"]} == {"right": 1, "other": 0}


@pytest.mark.slow
def test_at_random_from_all_entries(tmp_path: Path) -> None:
    """Whether the search finds them or not, each as often as any other, whatever the index's order."""
    texts = {f"e{i:03}": f"words {i}" for i in range(60)} | {"empty": " "}
    queries = [Query(f"q{i}", f"nothing finds this {i}", (f"e{i % 60:03}",)) for i in range(600)]
    report = mine(TinyStore(texts), queries, output=tmp_path / "a.jsonl", negatives=5, mode="random")
    assert (report.lists, report.candidates, report.short) == (600, 3600, 0)
    backwards = TinyStore(dict(reversed(texts.items())))
    mine(backwards, reversed(queries), output=tmp_path / "b.jsonl", negatives=5, mode="random")
    lists = read(tmp_path / "a.jsonl")
    assert lists == read(tmp_path / "b.jsonl")[::-1]
    mine(TinyStore(texts), queries, output=tmp_path / "c.jsonl", negatives=5, mode="random", seed=1)
    assert lists != read(tmp_path / "c.jsonl")

    drawn = Counter(c["candidate_id"] for one in lists for c in one["candidates"] if not c["label"])
    assert len(drawn) == 60
    # 600 x 5 draws over 60 entries: 50 each, with a standard deviation of 7.
    assert max(abs(count - 50) for count in drawn.values()) < 32
    assert all("meta" not in c for one in lists for c in one["candidates"])
    # Of so few that are drawn the relevant one is sometimes one.
    mine(TinyStore(texts), queries, output=tmp_path / "d.jsonl", negatives=5, mode="random", depth=3)
    assert {sum(not c["label"] for c in one["candidates"]) for one in read(tmp_path / "d.jsonl")} == {2, 3}


def test_retrieved(tmp_path: Path) -> None:
    """What a ranker would see: the search's own order, and the relevant answer only if it was found."""
    store = TinyStore(answers())
    queries = [*questions(3), Query("lost", "topic1", ("e002",)), Query("nothing", "zebra", ("e002",))]
    report = mine(store, queries, output=tmp_path / "r.jsonl", mode="retrieved", depth=8)
    lists = {one["query_id"]: one["candidates"] for one in read(tmp_path / "r.jsonl")}
    for query in queries:
        scored = next(store.search_scored([query.query], 8))
        ids = [id_ for id_, _ in scored]
        assert [(c["candidate_id"], c["meta"]["retriever_score"]) for c in lists[query.query_id]] == scored
        assert [c["label"] for c in lists[query.query_id]] == [int(id_ in query.relevant) for id_ in ids]
        assert [c["meta"]["retriever_rank"] for c in lists[query.query_id]] == list(range(1, len(ids) + 1))
    assert not any(c["label"] for c in lists["lost"])
    assert lists["nothing"] == []
    assert report.left_out == 0


def test_same_seed_any_order(tmp_path: Path) -> None:
    queries = questions()
    mine(TinyStore(answers()), queries, output=tmp_path / "a.jsonl", seed=1)
    mine(TinyStore(answers(), pages=7), queries[::-1], output=tmp_path / "b.jsonl", seed=1)
    mine(TinyStore(answers()), queries, output=tmp_path / "c.jsonl", seed=2)
    first, second, other = (read(tmp_path / f"{name}.jsonl") for name in "abc")
    assert first == second[::-1]
    assert first != other


def test_query_without_negatives_or_relevant_is_left_out(tmp_path: Path) -> None:
    store = TinyStore(answers())
    unanswered = Query("u", "what is topic1", ())
    queries = [questions(1)[0], Query("z", "zebra", ("e001",)), unanswered, questions(3)[2]]
    report = mine(store, queries, output=tmp_path / "a.jsonl")
    assert [one["query_id"] for one in read(tmp_path / "a.jsonl")] == ["q0", "q2"]
    assert (report.queries, report.left_out) == (4, 2)


def test_yahooqa_style(tmp_path: Path) -> None:
    corpus = answers() | {"short": "topic1 place1", "long": "topic1 place1 " * 30}
    queries = [
        *questions(20),
        Query("too short", "topic1 place1", ("e001",)),
        Query("no fitting answer", "what is topic1 in place1", ("short",)),
        Query("one of two", "what is topic1 in place1", ("short", "e001")),
        Query("too few found", "zebra zebra zebra zebra place1x", ("e001",)),
    ]
    report = yahooqa_style(TinyStore(corpus), queries, output=tmp_path / "y.jsonl")
    lists = {one["query_id"]: one["candidates"] for one in read(tmp_path / "y.jsonl")}
    assert set(lists) == {f"q{i}" for i in range(20)} | {"one of two"}
    assert {tuple(sorted(c["label"] for c in candidates)) for candidates in lists.values()} == {(0, 0, 0, 0, 1)}
    assert not {"short", "long"} & {c["candidate_id"] for candidates in lists.values() for c in candidates}
    assert report.left_out == 3


def test_embedded_index(tmp_path: Path) -> None:
    """The real store: many queries by ids, and never by the entries' questions."""
    store = TantivyDocumentStore(path=tmp_path / "index")
    # Each entry's question has words that nothing else has: a search of questions would find it first, and alone.
    store.write_documents(
        [
            Document(id=id_, content=answer, meta={"question": f"secret{id_} topic{number % 10}", "entry_id": id_})
            for number, (id_, answer) in enumerate(answers().items())
        ]
    )
    queries = [Query(f"q{i}", f"secrete{i:03} topic{i % 10}", (f"e{i:03}",)) for i in range(30)]
    report = mine(store, queries, output=tmp_path / "ids.jsonl", negatives=5, depth=12)
    assert report.lists == 30
    retriever = TantivyBM25Retriever(document_store=store)
    ranks = Counter()
    for one in read(tmp_path / "ids.jsonl"):
        found = retriever.run(one["query"], top_k=12, search_fields={"content": 1.0})["documents"]
        places = {document.id: rank for rank, document in enumerate(found, start=1)}
        for candidate in one["candidates"]:
            rank = candidate.get("meta", {}).get("retriever_rank")
            assert rank == places.get(candidate["candidate_id"])
            ranks[rank] += candidate["label"]
    assert ranks[1] < 15, "all answers on a topic are alike to a search of the answers"
    assert [one.query_id for one in read_jsonl(tmp_path / "ids.jsonl")] == [query.query_id for query in queries]


SCRIPT = """
    import os, signal, sys
    from pathlib import Path
    from importlib.util import module_from_spec, spec_from_file_location
    spec = spec_from_file_location("shared", sys.argv[1])
    shared = module_from_spec(spec)
    spec.loader.exec_module(shared)

    def progress(done):
        if done >= 300:
            os.kill(os.getpid(), signal.SIGKILL)

    store = shared.TinyStore(shared.answers())
    shared.mine(store, shared.queries_with_gaps(), output=Path(sys.argv[2]), progress=progress)
"""


def queries_with_gaps() -> list[Query]:
    """600 queries, every fifth of which finds nothing and has no line."""
    return [
        query if i % 5 else Query(query.query_id, "zebra", query.relevant)
        for i, query in enumerate(
            Query(f"q{i}", f"topic{i % 10} place{i % 7}", (f"e{i % 120:03}",)) for i in range(600)
        )
    ]


@pytest.mark.slow
def test_killed_and_resumed(tmp_path: Path) -> None:
    whole = tmp_path / "whole.jsonl"
    report = mine(TinyStore(answers()), queries_with_gaps(), output=whole)
    output = tmp_path / "killed.jsonl"
    process = python(textwrap.dedent(SCRIPT), __file__, output)
    assert process.returncode == -signal.SIGKILL
    partial = tmp_path / "killed.jsonl.part"
    written = partial.read_bytes()
    assert not output.exists()
    assert 0 < len(written) < len(whole.read_bytes())
    partial.write_bytes(written + b'{"query_id": "q301", "quer')  # the torn line of a less lucky moment

    class Counting(TinyStore):
        asked = 0

        def search_ids(self, queries, top_k, fields=None):
            self.asked += len(queries)
            return super().search_ids(queries, top_k, fields)

    store = Counting(answers())
    assert mine(store, queries_with_gaps(), output=output) == report
    assert output.read_bytes() == whole.read_bytes()
    assert 0 < store.asked < 600
    again = Counting(answers())
    assert mine(again, queries_with_gaps(), output=output) == report
    assert again.asked == 0, "what is there is not mined again"


def test_other_settings_or_queries_are_not_overwritten(tmp_path: Path) -> None:
    output = tmp_path / "a.jsonl"
    store = TinyStore(answers())
    mine(store, questions(), output=output, negatives=5)
    with pytest.raises(FileExistsError, match=r"negatives 5 \(now 6\); overwrite=True"):
        mine(store, questions(), output=output, negatives=6)
    with pytest.raises(FileExistsError, match="mined from other queries"):
        mine(store, questions(39), output=output, negatives=5)
    mine(store, questions(), output=output, negatives=6, overwrite=True)
    assert len(read(output)[0]["candidates"]) == 7
    foreign = tmp_path / "foreign.jsonl"
    foreign.write_text("something\n", encoding="utf-8")
    with pytest.raises(FileExistsError, match=r"foreign\.jsonl exists"):
        mine(store, questions(), output=foreign)


@pytest.mark.parametrize("mode", ["uniform", "random", "retrieved"])
def test_what_is_held_out_is_no_candidate_of_other_queries(tmp_path: Path, mode: str) -> None:
    held_out = [f"e{i:03}" for i in range(0, N_ENTRIES, 3)]
    queries = [*questions(), Query("both", "what is topic1", ("e000", "e001")), Query("none", "what is topic1", ())]
    arguments = {"output": tmp_path / "a.jsonl", "mode": mode, "depth": 60, "longest": 5}
    mine(TinyStore(answers()), queries, held_out=held_out, **arguments)
    lists = {one["query_id"]: one["candidates"] for one in read(tmp_path / "a.jsonl")}
    assert len(lists) >= 41
    for query in queries:
        if query.query_id in lists:
            apart = query.query_id.startswith("q") and query.relevant[0] in held_out
            found = [c["candidate_id"] for c in lists[query.query_id] if c["candidate_id"] not in query.relevant]
            assert found
            assert all((id_ in held_out) == apart for id_ in found)
    if mode == "retrieved":
        assert {len(candidates) for candidates in lists.values()} == {5}
    mine(TinyStore(answers()), queries, held_out=reversed(held_out), **arguments)
    with pytest.raises(FileExistsError, match="with other settings: held_out "):
        mine(TinyStore(answers()), queries, held_out=held_out[1:], **arguments)


def test_lists_of_entries_that_have_changed_since_are_not_taken(tmp_path: Path) -> None:
    arguments = {"queries": questions(), "output": tmp_path / "a.jsonl"}
    mine(TinyStore(answers()), **arguments)
    mine(TinyStore(answers()), **arguments)
    for other in (
        TinyStore(answers() | {"e007": "Changed."}),
        TinyStore(answers(), questions={"e007": "why?"}),
        TinyStore(answers(), trees={"e007": "(S why)"}),
    ):
        with pytest.raises(FileExistsError, match=r"with other settings: texts \w{12} \(now \w{12}\)"):
            mine(other, **arguments)


def test_a_finished_file_that_was_cut_off_or_changed_is_not_taken(tmp_path: Path) -> None:
    output = tmp_path / "a.jsonl"
    store = TinyStore(answers())
    report = mine(store, questions(), output=output)
    whole = output.read_bytes()
    for other in (whole[:1000], whole.replace(b"topic1", b"topic2"), whole + b"\n", b""):
        output.write_bytes(other)
        with pytest.raises(FileExistsError, match=r"a\.jsonl is not what its settings say was written: cut off, or"):
            mine(store, questions(), output=output)
        assert output.read_bytes() == other
    assert mine(store, questions(), output=output, overwrite=True) == report
    assert output.read_bytes() == whole


def test_resumed_with_other_queries(tmp_path: Path) -> None:
    output = tmp_path / "a.jsonl"
    store = TinyStore(answers())
    broken = [*questions(3), Query("q3", "topic3", ("nowhere",))]
    with pytest.raises(ValueError, match="query 'q3': relevant entry 'nowhere' is not in the store"):
        mine(store, broken, output=output)
    with pytest.raises(ValueError, match=r"a.jsonl.part, line 1: query 'q0' is not among the queries"):
        mine(store, questions(5)[1:], output=output)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"depth": 0}, "depth is 0; expected at least 1"),
        ({"mode": "best"}, "mode is 'best'; expected one of uniform, random, retrieved"),
        ({"negatives": 3, "keep_top": 4}, "keep_top is 4; expected at most negatives, which is 3"),
        ({"mode": "random", "keep_top": 1}, "keep_top is 1; expected 0 with mode 'random', which ranks nothing"),
    ],
)
def test_wrong_arguments(tmp_path: Path, arguments: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        mine(TinyStore(answers()), [], output=tmp_path / "a.jsonl", **arguments)
