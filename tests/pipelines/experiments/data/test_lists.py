# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Data sets' lists: what is right in those to choose by must not be told by those to learn from."""

import pytest

from answer_selection.indexing.candidates import read_jsonl
from answer_selection.indexing.text.sameness import sameness
from answer_selection.pipelines.commands.console import bar
from answer_selection.pipelines.experiments.data import OwnData, open_dataset, squad_sentences
from answer_selection.pipelines.training.recipe import Recipe
from list_leaks import answers, assert_nothing_tells, expected, read


@pytest.fixture
def sentences(tmp_path, monkeypatch):
    """Squad's sentences in blocks of 50; every question names words of some 20 sentences."""
    monkeypatch.setattr(squad_sentences, "BLOCK", 50)
    for half, count in (("dev", 600), ("test", 60)):
        folder = tmp_path / "data" / "squad-sentences"
        folder.mkdir(parents=True, exist_ok=True)
        lines = [f"the {half} river number {n} runs past the old town ." for n in range(count)]
        # The same sentence on both sides of a block's edge, for every edge.
        lines = [lines[n - 1] if n % 50 == 0 and n else line for n, line in enumerate(lines)]
        (folder / f"src-{half}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        questions = [f"which {half} river runs past town {n} ?" for n in range(count)]
        (folder / f"tgt-{half}.txt").write_text("\n".join(questions) + "\n", encoding="utf-8")
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("name", ["squad-sentences", "squad-sentences-hybrid"])
def test_parts_of_squads_sentences_share_nothing(sentences, name):
    data = open_dataset(name, sentences / "data", sentences / "work")
    train, validation = read(data.lists(Recipe(negatives=6, keep_top=2), bar))
    assert len(validation) >= 48, "a question whose sentence is learned from too is left out"
    assert answers(validation, 0) | answers(validation, 1) <= {
        sameness(f"the dev river number {n} runs past the old town .") for n in range(600)
    } - answers(train, 0) - answers(train, 1)
    assert_nothing_tells(train, validation)
    # And what is measured end to end is what was chosen by.
    asked_of = list(data.rank("validation", None, bar))
    assert [one.query_id for one in asked_of] == [one.query_id for one in validation]
    # Candidates of hybrid retrieval have what both searches said.
    hybrid = name.endswith("hybrid")
    assert all(("vector_score" in each.meta) == hybrid for one in validation for each in one.candidates)


@pytest.mark.slow
def test_lists_like_yahooqas_are_of_their_own_parts_sentences(sentences):
    data = open_dataset("yahooqa-style", sentences / "data", sentences / "work")
    train, validation = (list(read_jsonl(data.part(part, bar))) for part in ("train", "validation"))
    assert (answers(validation, 0) | answers(validation, 1)).isdisjoint(answers(train, 0) | answers(train, 1))
    assert_nothing_tells(train, validation)
    assert expected(validation, lambda one: one not in answers(train, 1))[0] == pytest.approx(0.2)


def test_each_part_has_a_digest_of_its_own(sentences):
    """BM25's scores are kept by it: those of all sentences are not taken for those of the part's own."""
    data = open_dataset("squad-sentences", sentences / "data", sentences / "work")
    assert len({data.digest(part, bar) for part in ("train", "validation", "test")}) == 3


def answer(number: int) -> str:
    # Every 20th answer is also the one before it.
    return f"the desk on floor {number - (number % 20 == 1)} opens at nine"


def test_a_corpus_of_ones_own_holds_entries_out_too(tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    entries = [f'{{"entry_id": "{n}", "answer": "{answer(n)}"}}' for n in range(300)]
    (site / "corpus.jsonl").write_text("\n".join(entries) + "\n", encoding="utf-8")
    lines = [f'{{"query_id": "{n}", "query": "which desk is on floor {n}", "relevant": ["{n}"]}}' for n in range(300)]
    (site / "queries.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    train, validation = read(OwnData(site, tmp_path / "work").lists(Recipe(negatives=6, keep_top=2), bar))
    assert_nothing_tells(train, validation)
