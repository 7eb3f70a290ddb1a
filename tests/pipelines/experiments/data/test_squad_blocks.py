# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest

from answer_selection.indexing.entries import EntrySourceError
from answer_selection.pipelines.experiments.data.squad_blocks import read_squad_sentences, split_blocks


@pytest.mark.parametrize("parts", [{}, {"a": 0.5}, {"a": 1.2, "b": -0.2}, {"a": 1.0, "b": 0.0}])
def test_wrong_shares(parts: dict[str, float]) -> None:
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
