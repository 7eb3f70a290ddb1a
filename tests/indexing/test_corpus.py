# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import json
from pathlib import Path

import pytest
from answer_selection.indexing.corpus import (
    Query,
    iter_corpus,
    iter_queries,
    split_by_entry,
    write_corpus,
    write_queries,
)
from answer_selection.indexing.entries import Entry, EntrySourceError
from answer_selection.pipelines.experiments.data.squad_blocks import read_squad_sentences, split_blocks


def test_a_corpus_round_trips(tmp_path: Path) -> None:
    entries = [
        Entry("1", "so", "how?", {"topic": "x"}),
        Entry("2", "thus", None, {"q": "no question", "a": 7, "id": 9}),
    ]
    path = tmp_path / "corpus.jsonl"
    assert write_corpus(path, iter(entries)) == 2
    assert list(iter_corpus(path)) == entries
    assert json.loads(path.read_text(encoding="utf-8").splitlines()[0]) == {
        "entry_id": "1",
        "question": "how?",
        "answer": "so",
        "topic": "x",
    }


def test_an_faq_is_a_corpus(tmp_path: Path) -> None:
    path = tmp_path / "faq.md"
    path.write_text("# How?\nSo.\n", encoding="utf-8")
    assert [(entry.question, entry.answer) for entry in iter_corpus(path)] == [("How?", "So.")]


def test_a_corpus_ends_at_the_first_broken_line(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"entry_id": "1", "answer": "x"}\n{"entry_id": "2"}\n', encoding="utf-8")
    corpus = iter_corpus(path)
    assert next(corpus).entry_id == "1"
    with pytest.raises(EntrySourceError) as caught:
        next(corpus)
    assert str(caught.value) == f"{path}, line 2, field 'answer': missing or empty; expected the answer's text"
    assert (caught.value.error.location, caught.value.error.field) == ("line 2", "answer")


def test_queries_round_trip(tmp_path: Path) -> None:
    queries = [Query("1", "how é?", ("a", "b")), Query("2", "off topic?", ())]
    path = tmp_path / "queries.jsonl"
    assert write_queries(path, queries) == 2
    assert list(iter_queries(path)) == queries
    path.write_text('{"query_id": 1, "query": "q", "relevant": [7, "7"]}\n', encoding="utf-8")
    assert list(iter_queries(path)) == [Query("1", "q", ("7",))]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('{"query": "q", "relevant": []}', ", line 2, field 'query_id': expected text, found nothing"),
        ('{"query_id": "2", "query": " ", "relevant": []}', ", line 2, field 'query': expected text, found nothing"),
        ('{"query_id": "2", "query": ["q"], "relevant": []}', ", line 2, field 'query': expected text, found an array"),
        ('{"query_id": "2", "query": "q"}', ", line 2, field 'relevant': expected a list of entry ids"),
        (
            '{"query_id": "2", "query": "q", "relevant": "a"}',
            ", line 2, field 'relevant': expected a list of entry ids",
        ),
        (
            '{"query_id": "2", "query": "q", "relevant": [""]}',
            ", line 2, field 'relevant': expected a list of entry ids",
        ),
        ('{"query_id": "1", "query": "q", "relevant": []}', ", line 2, field 'query_id': the id '1' comes twice"),
        ("nonsense", ", line 2: expected one JSON object"),
        ("\xe9", ", line 2: byte 0xe9 at offset 48 of the file is not valid UTF-8"),
    ],
)
def test_broken_queries(tmp_path: Path, line: str, expected: str) -> None:
    path = tmp_path / "queries.jsonl"
    path.write_bytes(f'{{"query_id": "1", "query": "q", "relevant": []}}\n{line}\n'.encode("latin-1"))
    with pytest.raises(EntrySourceError) as caught:
        list(iter_queries(path))
    assert str(caught.value).startswith(f"{path}{expected}")


def test_missing_queries(tmp_path: Path) -> None:
    with pytest.raises(EntrySourceError, match="cannot be read: No such file"):
        list(iter_queries(tmp_path / "queries.jsonl"))


PARTS = {"train": 0.7, "validation": 0.2, "test": 0.1}


def test_a_split_by_entry_keeps_an_entrys_queries_together() -> None:
    queries = [Query(str(i), f"q{i}", (str(i // 4),)) for i in range(4000)]
    split = split_by_entry(queries, lambda query: query.relevant[0], PARTS, seed=3)
    assert sorted(query.query_id for part in split.values() for query in part) == sorted(q.query_id for q in queries)
    ids = {name: {query.relevant[0] for query in part} for name, part in split.items()}
    assert (
        not ids["train"] & ids["validation"] and not ids["train"] & ids["test"] and not ids["validation"] & ids["test"]
    )
    for name, share in PARTS.items():
        assert len(ids[name]) / 1000 == pytest.approx(share, abs=0.04)


def test_a_split_by_entry_depends_on_ids_and_seed_alone() -> None:
    ids = [str(i) for i in range(500)]
    split = split_by_entry(ids, str, PARTS, seed=1)
    fewer_and_reversed = split_by_entry(reversed(ids[::2]), str, PARTS, seed=1)
    for name in PARTS:
        assert set(fewer_and_reversed[name]) == set(split[name]) & set(ids[::2])
    assert split_by_entry(ids, str, PARTS, seed=2) != split
    # Pinned: a release that changes it would mix what was trained on with what is tested on.
    assert [[entry_id for entry_id in split[name] if int(entry_id) < 8] for name in PARTS] == [
        ["1", "2", "3", "4"],
        ["0", "6", "7"],
        ["5"],
    ]


@pytest.mark.parametrize("parts", [{}, {"a": 0.5}, {"a": 1.2, "b": -0.2}, {"a": 1.0, "b": 0.0}])
def test_wrong_shares(parts: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="shares must be above 0 and sum to 1"):
        split_by_entry(["x"], str, parts)
    with pytest.raises(ValueError, match="shares must be above 0 and sum to 1"):
        split_blocks(["x"], 1, parts)


def test_blocks_are_drawn_whole() -> None:
    split = split_blocks(range(1050), 100, {"train": 0.8, "validation": 0.2}, seed=1)
    assert sorted(split["train"] + split["validation"]) == list(range(1050))
    blocks = {name: {item // 100 for item in part} for name, part in split.items()}
    assert not blocks["train"] & blocks["validation"]
    assert (len(blocks["train"]), len(blocks["validation"])) == (9, 2)
    assert split["train"] == sorted(split["train"])
    assert split_blocks(range(1050), 100, {"train": 0.8, "validation": 0.2}, seed=2) != split
    with pytest.raises(ValueError, match="2 blocks of 100 are too few for the part 'validation'"):
        split_blocks(range(200), 100, {"train": 0.8, "validation": 0.2})
    with pytest.raises(ValueError, match="block_size must be at least 1, but got 0"):
        split_blocks(range(200), 0, {"train": 1.0})


@pytest.mark.parametrize(("part", "entries", "queries"), [("dev", 6795, 10570), ("test", 6652, 11877)])
def test_real_squad_sentences(benchmark_data: Path, part: str, entries: int, queries: int) -> None:
    folder = benchmark_data / "squad-sentences"
    corpus, asked = map(list, read_squad_sentences(folder / f"src-{part}.txt", folder / f"tgt-{part}.txt"))
    ids = {entry.entry_id: entry for entry in corpus}
    assert (len(corpus), len(ids), len(asked)) == (entries, entries, queries)
    assert all(query.relevant[0] in ids for query in asked)
    assert all(entry.question is None for entry in corpus)
    split = split_blocks(asked, 500, {"train": 0.8, "validation": 0.2})
    trained_on = {query.relevant[0] for query in split["train"]}
    shared = sum(query.relevant[0] in trained_on for query in split["validation"])
    assert shared / len(split["validation"]) < 0.02


def test_squad_sentences(tmp_path: Path) -> None:
    src, tgt = tmp_path / "src.txt", tmp_path / "tgt.txt"
    src.write_text("one .\none .\ntwo .\n", encoding="utf-8")
    tgt.write_text("a ?\nb ?\nc ?\n", encoding="utf-8")
    entries, queries = map(list, read_squad_sentences(src, tgt))
    assert [entry.answer for entry in entries] == ["one .", "two ."]
    assert [(q.query_id, q.query) for q in queries] == [("1", "a ?"), ("2", "b ?"), ("3", "c ?")]
    assert [q.relevant[0] for q in queries] == [entries[0].entry_id, entries[0].entry_id, entries[1].entry_id]
    tgt.write_text("a ?\nb ?\n", encoding="utf-8")
    with pytest.raises(EntrySourceError, match=r"tgt\.txt, line 3: the file ends, but .*src\.txt goes on"):
        list(read_squad_sentences(src, tgt)[1])
    tgt.write_text("a ?\n\nc ?\n", encoding="utf-8")
    with pytest.raises(EntrySourceError, match=r"tgt\.txt, line 2: the line is empty"):
        list(read_squad_sentences(src, tgt)[0])
