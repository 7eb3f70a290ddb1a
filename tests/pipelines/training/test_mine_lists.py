# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Lists to learn from and lists to choose by: what is right in the latter must not be told by the former."""

import json

import pytest
from haystack import Document

from answer_selection.indexing.candidates import read_jsonl
from answer_selection.indexing.corpus import Query
from answer_selection.indexing.text.sameness import sameness
from answer_selection.pipelines.commands.console import bar
from answer_selection.pipelines.training.mining import RETRIEVED, mine_lists
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore
from list_leaks import answers, assert_nothing_tells, read

ENTRIES, UNASKED = 500, 100
FEW = {"negatives": 10, "keep_top": 5}


def answer(number: int) -> str:
    # Every 20th answer is also the one before it.
    return f"the desk on floor {number - (number % 20 == 1)} opens at nine"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> TantivyDocumentStore:
    store = TantivyDocumentStore(path=tmp_path_factory.mktemp("index") / "index")
    store.write_documents(
        Document(
            id=f"e{number:03}",
            content=answer(number),
            meta={"question": f"when does the desk on floor {number} open" if number >= UNASKED else None},
        )
        for number in range(ENTRIES)
    )
    return store


def asked(numbers: range, name: str = "q") -> list[Query]:
    return [Query(f"{name}{one}", f"{name}: which desk opens on floor {one}", (f"e{one:03}",)) for one in numbers]


@pytest.mark.parametrize("own", [True, False])
def test_held_out_entries_are_no_part_of_training(tmp_path, index, own):
    lists = mine_lists(
        index,
        tmp_path / "lists",
        bar,
        negatives=10,
        keep_top=5,
        queries=None if own else asked(range(UNASKED, ENTRIES)),
    )
    train, validation = read(lists)
    # The entries' own questions are not what users ask, and find themselves where questions are searched.
    assert lists.real is not own
    assert answers(validation, 1).isdisjoint(answers(train, 0) | answers(train, 1))
    assert {sameness(one.query) for one in train}.isdisjoint(sameness(one.query) for one in validation)
    assert_nothing_tells(train, validation)
    # Enough to rank: of a tenth of the entries nearly all that the retriever would hand on.
    assert sum(len(one.candidates) for one in validation) / len(validation) > 0.8 * RETRIEVED
    assert len(answers(train, 0)) > 0.8 * ENTRIES


def test_validation_queries_without_an_answer_are_left_out(tmp_path, index):
    learned, held_out = asked(range(200, ENTRIES)), asked(range(UNASKED, 110), "v")
    unanswered = [Query(f"n{number}", f"where is lift {number}", ()) for number in range(5)]
    lists = mine_lists(index, tmp_path / "lists", bar, **FEW, queries=learned, validation=[*unanswered, *held_out])
    _, validation = read(lists)
    assert [one.query for one in validation] == [one.query for one in held_out]


def test_answers_of_given_validation_queries_are_no_negatives(tmp_path, index):
    learned, held_out = asked(range(200, ENTRIES)), asked(range(UNASKED, 200), "v")
    train, validation = read(mine_lists(index, tmp_path / "lists", bar, **FEW, queries=learned, validation=held_out))
    assert len(validation) == 100
    assert answers(validation, 1).isdisjoint(answers(train, 0) | answers(train, 1))
    assert_nothing_tells(train, validation)


@pytest.mark.slow
def test_answers_that_are_learned_from_are_retrieved_as_they_are(tmp_path, index):
    """New questions to an FAQ whose own questions are learned from: all candidates are alike, and none is left out."""
    held_out = asked(range(UNASKED, ENTRIES, 20), "v")
    _, validation = read(mine_lists(index, tmp_path / "lists", bar, **FEW, validation=held_out))
    found = index.search_ids([query.query for query in held_out], RETRIEVED)
    for query, one, ids in zip(held_out, validation, found, strict=True):
        # The entry after it has the same answer, which is neither right nor wrong.
        twin = f"e{int(query.relevant[0][1:]) + 1:03}"
        assert [candidate.candidate_id for candidate in one.candidates] == [id_ for id_ in ids if id_ != twin]


def test_all_or_none_of_a_single_question(tmp_path):
    store = TantivyDocumentStore(path=tmp_path / "index")
    store.write_documents(
        [Document(id=id_, content=f"{id_} opens at nine", meta={}) for id_ in ("desk", "shop", "museum")]
    )
    for seed in range(30):
        lists = mine_lists(store, tmp_path / str(seed), bar, queries=[Query("q", "what opens", ("desk",))], seed=seed)
        assert len(list(read_jsonl(lists.train))) == 1


@pytest.mark.slow
def test_lists_of_the_former_rule_are_not_taken(tmp_path, index):
    """As a run that was begun by an earlier version left them: all but what was held out is the same."""
    folder = tmp_path / "lists"
    mine_lists(index, folder, bar, queries=asked(range(UNASKED, ENTRIES)))
    noted = folder / "train.jsonl.settings.json"
    known = json.loads(noted.read_text(encoding="utf-8"))
    del known["settings"]["held_out"]
    noted.write_text(json.dumps(known), encoding="utf-8")
    with pytest.raises(FileExistsError, match="with other settings: held_out None"):
        mine_lists(index, folder, bar, queries=asked(range(UNASKED, ENTRIES)))
