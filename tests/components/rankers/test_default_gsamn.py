# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The GSAMN that comes with the package."""

from dataclasses import replace

import pytest
from haystack import Document

from answer_selection.indexing.candidates import Candidate, CandidateList, write_jsonl
from haystack_integrations.components.rankers.answer_selection import AnswerRanker, GSAMNRanker
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.model_folder import (
    PACKAGED,
    ModelFolderError,
    packaged,
)
from haystack_integrations.components.rankers.answer_selection.models.record import Record
from haystack_integrations.components.rankers.answer_selection.training.dataset import CandidateFile
from haystack_integrations.components.rankers.answer_selection.training.scoring import score_lists

NAME = "answer-selection-gsamn"
ENTRIES = {
    "How do I renew a loan?": "Open your account page, choose the book, and press Renew. You may do so twice.",
    "What are the fines for late returns?": "Twenty cents a day for each book, at most ten dollars.",
    "I lost my card. What now?": "Tell any desk at once: somebody could borrow on it. A new one is three dollars.",
    "When is the reading room open?": "From nine in the morning to eight in the evening, on Saturdays to six.",
    "Can I bring food?": "Drinks with a lid are fine. Please eat in the hall.",
    "How do I book a room?": "Groups of two to eight reserve one on the booking page, for two hours a day.",
    "Where can I print?": "There is a printer on each floor. A page costs ten cents; pay with your card.",
    "Who may become a member?": "Everybody who lives or works in the county. Bring a letter with your address.",
    "Can children have a card?": "From the age of five, if a parent signs the form.",
    "Do you buy books that readers wish for?": "Fill in the form for suggestions. We buy about half of them.",
    "How do I connect to the wireless network?": "Choose the network Library and log in with the number on your card.",
    "Is there parking?": "Forty places behind the house, free for three hours.",
}
DOCUMENTS = [
    Document(id=str(place), content=answer, meta={"question": question})
    for place, (question, answer) in enumerate(ENTRIES.items())
]


@pytest.fixture(scope="module")
def ranker():
    return GSAMNRanker(meta_fields_to_embed=["question"], top_k=len(DOCUMENTS))


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("my son turned six, is he old enough to borrow things himself?", 8),
        ("somebody stole my wallet with my membership in it", 2),
        ("is it ok to have my coffee at the desk", 4),
        ("my loan ends tomorrow and I have not finished reading", 0),
        ("what does it cost me if I am a week behind with a book", 1),
        ("wifi password", 10),
    ],
)
def test_the_right_entry_is_first_in_other_words(ranker, query, first):
    assert ranker.run(query, DOCUMENTS)["documents"][0].id == str(first)


def test_it_has_a_name_and_reads_few_candidates(ranker, monkeypatch):
    query, read = "where do I leave my car", []
    score_pairs = GSAMNRanker.score_pairs
    expected = [(each.id, each.score) for each in ranker.run(query, DOCUMENTS)["documents"]]

    def noted(self, records):
        read.extend(records)
        return score_pairs(self, records)

    for kind in (GSAMNRanker, AnswerRanker):
        monkeypatch.setattr(kind, "score_pairs", noted)
    for by_name in (AnswerRanker(model=NAME), GSAMNRanker(model=NAME)):
        by_name.meta_fields_to_embed, by_name.top_k = ["question"], len(DOCUMENTS)
        found = by_name.run(query, DOCUMENTS)["documents"]
        assert [each.id for each in found] == [one for one, _ in expected]
        assert [each.score for each in found] == pytest.approx([score for _, score in expected], abs=1e-3)
    assert 2 <= len(read) < 16
    assert GSAMNRanker().to_dict()["init_parameters"]["rerank_top_k"] is None
    assert {name: ranker.ranked_by(DOCUMENTS)[name] for name in ("rerank_top_k", "rerank_margin")} == {
        "rerank_top_k": 8,
        "rerank_margin": 1.0,
    }


def test_its_own_probability_is_one(ranker):
    """A pair's logit is calibrated: of the right answer it is high, of others low."""
    right, other = ranker.score_pairs(
        [Record("Can I park there?", f"{list(ENTRIES)[place]}\n{DOCUMENTS[place].content}") for place in (11, 9)]
    )
    assert right > 0 > other


def test_the_best_piece_of_a_long_answer_counts(ranker):
    query, end = "what does a new card cost", "A new card costs three dollars."
    long = "Cards\n" + "The house has three floors and a garden behind it. " * 40 + end
    alone, whole = ranker.score_pairs([Record(query, f"Cards\n{end}"), Record(query, long)])
    [beginning] = ranker.score_pairs([Record(query, long[:400])])
    assert beginning + 1 < whole
    assert ranker.score_pairs([]).tolist() == []
    assert alone > 0
    # It is the one that is explained, at its place in the whole text.
    [explained] = ranker.explain_pairs([Record(query, long)])
    assert explained.answer == long
    spans = [span for weights in explained.weights for span in weights.answer]
    assert {long[span.start : span.end] for span in spans} >= {"Cards", "dollars"}
    assert max(span.end for span in spans) == len(long)


def test_long_answers_count_alike_where_a_model_is_validated(ranker, tmp_path):
    end = "The house has three floors and a garden. " * 60 + "A new card costs three dollars."
    candidates = (Candidate("long", end, 1), Candidate("short", "Twenty cents a day.", 0))
    lists = [CandidateList("q", "what does a new card cost", candidates, {})]
    write_jsonl(tmp_path / "lists.jsonl", lists)
    model, collator = registry.load(packaged(NAME))
    found = score_lists(model, collator, CandidateFile(tmp_path / "lists.jsonl"))
    expected = AnswerRanker(model=NAME).score_pairs([Record(lists[0].query, one.answer) for one in candidates])
    assert found == pytest.approx(expected, abs=0.1), "only here in 8 bits"


def test_in_another_language_the_retrievers_order_stays(ranker):
    texts = [
        "Die Bibliothek schlie\u00dft werktags um zwanzig Uhr.",
        "Eine verlorene Karte wird f\u00fcr drei Euro ersetzt.",
        "Gruppen k\u00f6nnen einen Raum f\u00fcr zwei Stunden reservieren.",
    ]
    documents = [Document(id=str(place), content=text, score=3.0 - place) for place, text in enumerate(texts)]
    found = ranker.run("Ich habe meine Karte verloren, was kostet eine neue?", documents)["documents"]
    assert [each.id for each in found] == ["0", "1", "2"]


def test_another_folder_of_this_name_is_asked_for_by_its_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / NAME).mkdir()
    assert registry.find_folder(NAME) == packaged(NAME) == GSAMNRanker.default_model
    with pytest.raises(ModelFolderError, match=r"lacks config\.json"):
        registry.find_folder(f"./{NAME}")


def test_a_damaged_installation_is_told(monkeypatch, tmp_path):
    monkeypatch.setitem(PACKAGED, NAME, tmp_path / "gone")
    with pytest.raises(ModelFolderError, match="Install the package anew"):
        registry.find_folder(NAME)


@pytest.mark.parametrize("weight", [None, 1.0])
def test_copies_of_an_answer_do_not_halve_its_score(ranker, weight):
    """Chunks that overlap, or two tenants: with a threshold both would be gone."""
    query, copies = "wifi password", [replace(DOCUMENTS[10], id=f"copy {n}") for n in range(3)]
    [once, *_] = (alone := ranker.run(query, DOCUMENTS, retriever_weight=weight))["documents"]
    many = ranker.run(query, [*DOCUMENTS, *copies], retriever_weight=weight)
    assert {document.id for document in many["documents"][:4]} == {"10", "copy 0", "copy 1", "copy 2"}
    # How far a candidate is above the others changes a little with how many there are.
    assert all(document.score > 0.8 * once.score for document in many["documents"][:4])
    assert many["certainty"] > 0.8 * alone["certainty"]
