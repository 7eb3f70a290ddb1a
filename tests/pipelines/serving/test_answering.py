# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from haystack import Document
from haystack.document_stores.types import DuplicatePolicy

from answer_selection.indexing.building.embedded import build_index
from answer_selection.indexing.sources import Sources
from answer_selection.pipelines.definitions import pipeline_yaml
from answer_selection.pipelines.serving.answering import Answering
from answer_selection.pipelines.serving.answers import Answers
from answer_selection.pipelines.serving.errors import QuestionError, UnavailableError
from answer_selection.pipelines.serving.question import Question
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

IN_ONE_CATEGORY = {"field": "meta.category", "operator": "==", "value": "Accounts and cards"}


def definition(index: Path, model: Path | None = None, pipeline: str = "answer") -> dict:
    return pipeline_yaml.point_at(pipeline_yaml.read(pipeline), index=index, model=model)


@pytest.fixture(scope="module")
def answering(small_index: Path, small_model: Path) -> Answering:
    made = Answering(definition(small_index, small_model))
    made.warm_up()
    return made


@pytest.fixture(scope="module")
def questions(small_faq) -> list[str]:
    lines = small_faq.queries.read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["query"] for line in lines][:40]


def ranked(answers) -> list[tuple]:
    return [tuple(answer) for answer in answers.answers]


def test_answers_are_those_of_the_pipeline(answering, small_index, small_model):
    question = "what does a new card cost?"
    expected = pipeline_yaml.load(definition(small_index, small_model)).run({"query": question})["ranker"]["documents"]
    answers = answering.answer(question)
    assert [answer.entry_id for answer in answers.answers] == [document.meta["entry_id"] for document in expected]
    best, document = answers.answers[0], expected[0]
    assert (best.answer, best.question) == (document.content, document.meta["question"])
    assert (best.score, best.retriever_score) == (document.score, document.meta["retriever_score"])
    assert best.meta == {name: document.meta[name] for name in ("category", "source", "ranker_probability")}
    assert answers.retrieval_ms > 0
    assert answers.ranking_ms > 0


def test_fewer_answers_are_the_first_ones(answering):
    every = answering.answer("what does a new card cost?").answers
    assert answering.answer("what does a new card cost?", top_k=2).answers == every[:2]
    assert len(every) == 10


def test_a_filter_keeps_what_it_says(answering):
    answers = answering.answer("what does it cost?", filters=IN_ONE_CATEGORY).answers
    assert answers
    assert {answer.meta["category"] for answer in answers} == {"Accounts and cards"}


@pytest.mark.parametrize("second", [False, True])
def test_a_filter_of_a_question_keeps_that_of_the_pipeline(small_index, small_model, second):
    made = definition(small_index, small_model)
    made["components"]["retriever"]["init_parameters"]["filters"] = IN_ONE_CATEGORY
    if second:  # the pipeline runs as a whole
        made["components"]["last"] = {"type": pipeline_yaml.BM25_RANKER, "init_parameters": {}}
        made["connections"].append({"sender": "ranker.documents", "receiver": "last.documents"})
    answering = Answering(made)
    other = {"field": "meta.category", "operator": "!=", "value": "Accounts and cards"}
    assert answering.answer("what does it cost?").answers
    assert not answering.answer("what does it cost?", filters=other).answers
    answers = answering.answer("what does it cost?", filters={**other, "value": "Nothing"}).answers
    assert {answer.meta["category"] for answer in answers} == {"Accounts and cards"}


@pytest.mark.parametrize("pipeline", ["answer", "rag"])
def test_every_shipped_pipeline_that_answers_is_served(small_index, pipeline):
    answers = Answering(definition(small_index, pipeline=pipeline)).answer("what does a new card cost?", top_k=1)
    assert len(answers.answers) == 1


@pytest.mark.slow
def test_many_ask_at_once_and_each_gets_the_own_answers(answering, questions):
    one_by_one = [ranked(answering.answer(question)) for question in questions]
    with ThreadPoolExecutor(8) as threads:
        at_once = list(threads.map(answering.answer, questions * 3))
    assert [ranked(answers) for answers in at_once] == one_by_one * 3
    assert all(answers.retrieval_ms > 0 < answers.ranking_ms for answers in at_once if answers.answers)


def test_a_malformed_filter_says_what_it_lacks(answering):
    with pytest.raises(QuestionError, match=r"filters: .*operator"):
        answering.answer("what does it cost?", filters={"field": "meta.category"})


def test_an_index_that_cannot_be_searched_is_told_in_one_line(small_index, small_model, monkeypatch):
    """Whatever the search raises."""
    answering = Answering(definition(small_index, small_model))
    answering.check()

    def broken(*_, **__):
        message = "a segment\nis damaged"
        raise KeyError(message)

    monkeypatch.setattr(answering._pipeline.get_component("retriever").document_store, "bm25_retrieval", broken)
    with pytest.raises(UnavailableError, match=r"a segment.*is damaged") as caught:
        answering.check()
    assert "\n" not in str(caught.value)


def test_damage_that_a_question_met_is_told_until_the_index_is_made_anew(tmp_path, small_faq):
    index = tmp_path / "faq-index"
    store = TantivyDocumentStore(path=index)
    build_index(store, Sources([small_faq.entries]))
    store.write_documents([Document(id="lamp", content="A lamp is lent at desk QX7JZ.", meta={"question": "Lamps?"})])
    store.close()
    answering = Answering(definition(index))
    answering.check()
    [file] = [file for file in index.rglob("*.store") if b"QX7JZ" in file.read_bytes()]
    # Its checksum was compared before, and it looks as if nobody had touched it since.
    before = file.stat()
    with file.open("r+b") as opened:
        opened.seek(file.read_bytes().index(b"QX7JZ"))
        opened.write(b"P")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(UnavailableError, match="document 'lamp' is not as it was written"):
        answering.answer("is a lamp lent?")
    with pytest.raises(UnavailableError, match="document 'lamp' is not as it was written"):
        answering.check()


def test_an_answer_says_where_it_comes_from(tmp_path):
    index = tmp_path / "faq-index"
    store = TantivyDocumentStore(path=index)
    where = {"source": "https://x.org/faq", "anchor": "lamps"}
    store.write_documents([Document(id="lamp", content="A lamp is lent at any desk.", meta=where)])
    [answer] = Answering(definition(index)).answer("is a lamp lent?").answers
    assert answer.source == "https://x.org/faq#lamps"
    assert {name: answer.meta[name] for name in where} == where
    store.write_documents([Document(id="lamp", content="A lamp is lent.")], policy=DuplicatePolicy.OVERWRITE)
    [answer] = Answering(definition(index)).answer("is a lamp lent?").answers
    assert answer.source is None


def test_an_entry_whose_question_is_no_text_is_answered_without_one(tmp_path):
    store = TantivyDocumentStore(path=tmp_path / "faq-index")
    store.write_documents([Document(id="cats", content="Cats sleep on the desk.", meta={"question": 404})])
    found = Answering(definition(tmp_path / "faq-index")).answer_many(
        [Question(question="Where do cats sleep?"), Question(question="When does it open?")]
    )
    assert [(each.entry_id, each.question) for each in found[0].answers] == [("cats", None)]
    assert isinstance(found[1], Answers)


def test_a_filter_that_nothing_takes_is_not_passed_over(tmp_path, monkeypatch):
    (tmp_path / "without_filters.py").write_text(
        "from haystack import Document, component\n"
        "@component\n"
        "class Same:\n"
        "    @component.output_types(documents=list[Document])\n"
        "    def run(self, query: str) -> dict:\n"
        "        return {'documents': [Document(content=query)]}\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("HAYSTACK_DESERIALIZATION_ALLOWLIST", "without_filters")
    same = Answering(
        {"components": {"same": {"type": "without_filters.Same", "init_parameters": {}}}, "connections": []}
    )
    assert [answer.answer for answer in same.answer("what does it cost?").answers] == ["what does it cost?"]
    with pytest.raises(QuestionError, match="takes any"):
        same.answer("what does it cost?", filters=IN_ONE_CATEGORY)


def test_an_index_that_is_missing_is_waited_for(tmp_path, small_faq):
    index = tmp_path / "faq-index"
    answering = Answering(definition(index))
    with pytest.raises(UnavailableError, match="answer-selection index FILE --index"):
        answering.warm_up()
    with pytest.raises(UnavailableError, match=r"faq-index"):
        answering.answer("what does it cost?")
    build_index(TantivyDocumentStore(path=index), Sources([small_faq.entries]))
    answering.check()
    assert answering.answer("what does it cost?").answers


def test_a_pipeline_that_answers_nothing_is_refused(tmp_path):
    with pytest.raises(pipeline_yaml.PipelineFileError, match="answers no question"):
        Answering(definition(tmp_path / "faq-index", pipeline="index_faq"))
