# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import json
import math
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest
from haystack import Document, Pipeline

from haystack_integrations.components.rankers.answer_selection import BM25Ranker
from haystack_integrations.components.rankers.answer_selection.models.record import Record


def contents(result):
    return [document.content for document in result["documents"]]


def test_scores_are_those_of_the_formula():
    ranker = BM25Ranker(language=None, k1=1.2, b=0.75)
    scores = ranker.score_pairs(
        [Record("red fox", "the red fox red"), Record("red fox", "a dog"), Record("red fox", "red")]
    )
    # N = 3, lengths 4, 2, 1, mean 7/3; red stands in two answers, fox in one
    red, fox = math.log(1 + 1.5 / 2.5), math.log(1 + 2.5 / 1.5)

    def weight(frequency, length):
        return frequency * 2.2 / (frequency + 1.2 * (0.25 + 0.75 * length / (7 / 3)))

    assert scores == pytest.approx([red * weight(2, 4) + fox * weight(1, 4), 0.0, red * weight(1, 1)])


def test_of_two_candidates_the_one_with_the_querys_words_comes_first():
    # With rank-bm25's own idf every term of these two would weigh nothing or less.
    documents = [Document(content="A card costs two dollars."), Document(content="The room closes at eight, rooms do.")]
    result = BM25Ranker().run(query="closing room", documents=documents)
    assert contents(result)[0].startswith("The room")
    assert result["documents"][0].score > 0 == result["documents"][1].score


@pytest.mark.parametrize(("language", "found"), [("english", True), ("german", False), (None, False)])
def test_the_language_decides_the_stems(language, found):
    result = BM25Ranker(language=language).run(query="renewals", documents=[Document(content="renewing")])
    assert (result["documents"][0].score > 0) is found


@pytest.mark.parametrize("options", [{"b": 1.0}, {"k1": 0.0}, {"b": 1.0, "k1": 0.0}])
def test_the_ends_of_its_parameters_score_texts_without_the_words_0(options):
    documents = [Document(content="renew a card"), Document(content=""), Document(content="at the desk")]
    scores = [document.score for document in BM25Ranker(**options).run("renew card", documents)["documents"]]
    assert scores[0] > 0
    assert scores[1:] == [0, 0]


def test_normalisation_is_the_models():
    ranker = BM25Ranker()
    typed, treebank = "Don\u2019t use the U.S. (card)", "do n't use the u.s. -lrb- card -rrb-"
    scores = ranker.score_pairs([Record("Don't! (card)", text) for text in (typed, treebank)])
    assert scores[0] == scores[1] > 0


def test_the_entrys_question_is_not_seen_unless_it_is_named():
    documents = [Document(content="one"), Document(content="two", meta={"question": "opening hours"})]
    assert {document.score for document in BM25Ranker().run("opening hours", documents)["documents"]} == {0.0}
    ranked = BM25Ranker(meta_fields_to_embed=["question"]).run("opening hours", documents)["documents"]
    assert ranked[0].content == "two"
    assert ranked[0].score > 0


def test_a_corpus_says_what_is_rare(tmp_path):
    candidates = [Document(content="the library"), Document(content="the locker")]
    plain = BM25Ranker().run("library locker", candidates)["documents"]
    assert plain[0].score == plain[1].score
    ranker = BM25Ranker().fit(f"the library number {number}" for number in range(20))
    assert contents(ranker.run("library locker", candidates)) == ["the locker", "the library"]

    ranker.save_statistics(tmp_path / "statistics.json")
    loaded = BM25Ranker.from_dict(ranker.to_dict())
    assert loaded.run("library locker", candidates) == ranker.run("library locker", candidates)


def test_run_batch_keeps_lists_apart():
    queries = ["red fox", "red fox", "dog", ""]
    documents = [
        [Document(content="red fox"), Document(content="red")],
        [Document(content="red red")],
        [],
        [Document(content="dog")],
    ]
    ranker = BM25Ranker()
    batch = ranker.run_batch(queries, documents)["documents"]
    assert batch == [ranker.run(query, own)["documents"] for query, own in zip(queries, documents, strict=True)]


@pytest.mark.parametrize("query", ["", "?!", "a", "\x00", "日本語"])
def test_texts_without_words(query):
    documents = [Document(id=str(text), content=text) for text in (None, "", "...")]
    result = BM25Ranker().run(query=query, documents=documents)
    assert [document.id for document in result["documents"]] == [document.id for document in documents]
    assert {document.score for document in result["documents"]} == {0.0}


def test_run_options_and_metadata():
    documents = [
        Document(id=name, content=text, score=9.0) for name, text in [("a", "x"), ("b", "fox"), ("c", "fox fox")]
    ]
    ranker = BM25Ranker(top_k=1, score_threshold=100.0)
    assert ranker.run("fox", documents) == {"documents": []}
    ranked = ranker.run("fox", documents, top_k=3, score_threshold=0.0)["documents"]
    assert [document.id for document in ranked] == ["c", "b", "a"]
    assert ranked[0].meta == {"retriever_score": 9.0, "retriever_rank": 3}
    with pytest.raises(ValueError, match="top_k must be an integer > 0, but got 0"):
        ranker.run("fox", [], top_k=0)


async def test_run_async_does_what_run_does():
    documents = [Document(content="x"), Document(content="fox")]
    assert await BM25Ranker().run_async("fox", documents) == BM25Ranker().run("fox", documents)


def test_to_dict_and_yaml():
    ranker = BM25Ranker(corpus_statistics=Path("statistics.json"), language=None, k1=0.9, b=0.4, top_k=3)
    data = {
        "type": "haystack_integrations.components.rankers.answer_selection.bm25.BM25Ranker",
        "init_parameters": {
            "corpus_statistics": "statistics.json",
            "language": None,
            "tokens": "words",
            "k1": 0.9,
            "b": 0.4,
            "top_k": 3,
            "score_threshold": None,
            "meta_fields_to_embed": [],
            "embedding_separator": "\n",
        },
    }
    assert ranker.to_dict() == data
    pipeline = Pipeline()
    pipeline.add_component("ranker", ranker)
    assert Pipeline.loads(pipeline.dumps()).get_component("ranker").to_dict() == data


def test_counts_that_would_be_lost_are_not_serialised_silently():
    with pytest.raises(ValueError, match=r"was fitted; call save_statistics\(path\)"):
        BM25Ranker().fit(["text"]).to_dict()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"top_k": 0}, "top_k must be an integer > 0, but got 0"),
        ({"language": "klingon"}, "unknown language 'klingon'; known: .*english"),
        ({"tokens": "letters"}, "tokens must be one of words, whitespace, but got 'letters'"),
        ({"k1": -1.0}, "expected k1 >= 0"),
        ({"b": 2.0}, "b between 0 and 1"),
    ],
)
def test_wrong_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        BM25Ranker(**parameters)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "no BM25 statistics at '.*statistics.json'"),
        ("{", "'.*statistics.json' is no file of BM25 statistics: Expecting"),
        ("[]", "expected format_version 1, but got None"),
        (json.dumps({"format_version": 2}), "expected format_version 1, but got 2"),
        (
            json.dumps({"format_version": 1, "documents": 3}),
            "lacks average_length, document_frequencies, language, tokens",
        ),
        (
            json.dumps(
                {
                    "format_version": 1,
                    "documents": 3,
                    "average_length": 2.0,
                    "document_frequencies": {},
                    "language": "german",
                    "tokens": "words",
                }
            ),
            "was counted with language='german', this ranker has language='english'",
        ),
    ],
)
def test_damaged_statistics(tmp_path, text, message):
    path = tmp_path / "statistics.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(ValueError, match=message):
        BM25Ranker(corpus_statistics=path).warm_up()


def test_nothing_to_count_or_to_save(tmp_path):
    with pytest.raises(ValueError, match="at least one text"):
        BM25Ranker().fit([])
    with pytest.raises(ValueError, match=r"call fit\(texts\) first"):
        BM25Ranker().save_statistics(tmp_path / "x.json")


@pytest.mark.parametrize(
    ("folder", "questions", "mean_average_precision", "mean_reciprocal_rank"),
    [
        ("wikiqa/test", 243, 0.606, 0.610),
        ("trecqa/raw-test", 89, 0.773, 0.835),
        ("trecqa/clean-test", 68, 0.701, 0.776),
    ],
)
def test_the_baselines_known_figures(benchmark_data, folder, questions, mean_average_precision, mean_reciprocal_rank):
    names = ("id.txt", "a.toks", "b.toks", "sim.txt")
    columns = [(benchmark_data / folder / name).read_text().splitlines() for name in names]
    rows = list(zip(*columns, strict=True))
    ranker = BM25Ranker(tokens="whitespace").fit(answer for _, _, answer, _ in rows)
    scores = ranker.score_pairs([Record(query, answer) for _, query, answer, _ in rows])
    precisions, ranks = [], []
    for _, group in groupby(range(len(rows)), key=lambda row: rows[row][0]):
        own = np.array(list(group))
        relevant = np.array([float(rows[row][3]) for row in own])[np.argsort(-scores[own], kind="stable")]
        if relevant.any():
            positions = np.flatnonzero(relevant) + 1
            precisions.append(np.mean(np.arange(1, len(positions) + 1) / positions))
            ranks.append(1 / positions[0])
    assert len(ranks) == questions
    assert np.mean(precisions) == pytest.approx(mean_average_precision, abs=0.005)
    assert np.mean(ranks) == pytest.approx(mean_reciprocal_rank, abs=0.005)
