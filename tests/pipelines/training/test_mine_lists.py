# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Lists to learn from and lists to choose by: what is right in the latter must not be told by the former."""

import json
from collections.abc import Callable

import pytest
from answer_selection.indexing.candidates import CandidateList, read_jsonl
from answer_selection.indexing.corpus import Query
from answer_selection.indexing.text.sameness import sameness
from answer_selection.pipelines.commands.console import bar
from answer_selection.pipelines.experiments.data import OwnData, open_dataset, squad_sentences
from answer_selection.pipelines.training.recipe import Recipe
from answer_selection.pipelines.training.train_ranker import RETRIEVED, Lists, mine_lists
from haystack import Document
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

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


def read(lists: Lists) -> tuple[list[CandidateList], list[CandidateList]]:
    assert lists.validation is not None
    return list(read_jsonl(lists.train)), list(read_jsonl(lists.validation))


def answers(lists: list[CandidateList], label: int) -> set[bytes]:
    return {sameness(one.answer) for each in lists for one in each.candidates if one.label == label}


def expected(lists: list[CandidateList], score: Callable[[bytes], float]) -> tuple[float, float]:
    """P@1 with ties broken by chance, and that of a scorer that knows nothing; of lists with a right answer."""
    found, chance = [], []
    for one in lists:
        labels = [candidate.label for candidate in one.candidates]
        if any(labels):
            scores = [score(sameness(candidate.answer)) for candidate in one.candidates]
            best = [label for label, its in zip(labels, scores, strict=True) if its == max(scores)]
            found.append(sum(best) / len(best))
            chance.append(sum(labels) / len(labels))
    return sum(found) / len(found), sum(chance) / len(chance)


def assert_nothing_tells(train: list[CandidateList], validation: list[CandidateList]) -> None:
    """What an answer was in training says nothing of whether it is right in validation."""
    right, wrong = answers(train, 1), answers(train, 0)
    scorers: list[Callable[[bytes], float]] = [
        lambda one: one not in right,
        lambda one: one not in wrong,
        lambda one: one not in right | wrong,
    ]
    for score in scorers:
        found, chance = expected(validation, score)
        assert found == pytest.approx(chance, abs=0.02)


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


def test_answers_of_given_validation_queries_are_no_negatives(tmp_path, index):
    learned, held_out = asked(range(200, ENTRIES)), asked(range(UNASKED, 200), "v")
    train, validation = read(mine_lists(index, tmp_path / "lists", bar, **FEW, queries=learned, validation=held_out))
    assert len(validation) == 100
    assert answers(validation, 1).isdisjoint(answers(train, 0) | answers(train, 1))
    assert_nothing_tells(train, validation)


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


def test_parts_of_squads_sentences_share_nothing(sentences):
    data = open_dataset("squad-sentences", sentences / "data", sentences / "work")
    train, validation = read(data.lists(Recipe(negatives=6, keep_top=2), bar))
    assert len(validation) >= 48, "a question whose sentence is learned from too is left out"
    assert answers(validation, 0) | answers(validation, 1) <= {
        sameness(f"the dev river number {n} runs past the old town .") for n in range(600)
    } - answers(train, 0) - answers(train, 1)
    assert_nothing_tells(train, validation)
    # And what is measured end to end is what was chosen by.
    asked_of = list(data.rank("validation", None, bar))
    assert [one.query_id for one in asked_of] == [one.query_id for one in validation]


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


def test_a_corpus_of_ones_own_holds_entries_out_too(tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    entries = [f'{{"entry_id": "{n}", "answer": "{answer(n)}"}}' for n in range(300)]
    (site / "corpus.jsonl").write_text("\n".join(entries) + "\n", encoding="utf-8")
    lines = [f'{{"query_id": "{n}", "query": "which desk is on floor {n}", "relevant": ["{n}"]}}' for n in range(300)]
    (site / "queries.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    train, validation = read(OwnData(site, tmp_path / "work").lists(Recipe(negatives=6, keep_top=2), bar))
    assert_nothing_tells(train, validation)
