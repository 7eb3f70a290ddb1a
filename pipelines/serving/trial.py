# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The page at `/`: to try one pipeline, or two side by side, and to say which entries answer a question."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Final

from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, JSONResponse
from pydantic import BaseModel, Field, StringConstraints
from starlette.datastructures import Headers
from starlette.types import Scope

from answer_selection.indexing.corpus import Query
from answer_selection.indexing.text.sameness import sameness
from answer_selection.pipelines.pages.page import Page, render
from answer_selection.pipelines.serving.answers import Answers
from answer_selection.pipelines.serving.errors import QuestionError
from answer_selection.pipelines.serving.labels import EntryId, Label, LabelFile
from answer_selection.pipelines.serving.question import Question
from answer_selection.pipelines.serving.shared_words import Piece, shared_words

PAGE: Final = "/"
TRY, LABELS, QUESTIONS = "/page/try", "/page/labels", "/page/questions"
COMPARED: Final = 30
PATHS: Final = (PAGE, TRY, LABELS, QUESTIONS)

AnswerOne = Callable[[Question], Awaitable[Answers]]


@dataclass(frozen=True)
class Tried:
    """
    A pipeline that the page asks.

    :param name: What the page calls it.
    :param answer: Answers a question by it.
    :param language: Of its index's stemmer; None does not stem.
    """

    name: str
    answer: AnswerOne
    language: str | None = "english"


@dataclass(frozen=True)
class Labelling:
    """
    What people may say of answers.

    :param labels: Where it is kept.
    :param questions: Those that are to be labelled; none where people ask their own.
    """

    labels: LabelFile
    questions: Sequence[Query] = ()

    @property
    def known(self) -> int:
        """How many of the questions have a label."""
        labels = self.labels.all()
        return sum(sameness(query.query) in labels for query in self.questions)


class TrialOutcome(BaseModel):
    """What is known of a question: an answer list a pipeline, and its label."""

    class Run(BaseModel):
        """What one pipeline answered."""

        name: str
        result: Answers
        questions: list[list[Piece]] = Field(description="Each entry's question, cut at the words that it shares.")
        answers: list[list[Piece]] = Field(description="Each answer likewise.")

    runs: list[Run]
    label: Label | None


_Question = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=10_000)]


class Judgement(BaseModel, extra="forbid"):
    """Whether an entry answers a question; None takes back what was said."""

    question: _Question
    entry_id: EntryId
    right: bool | None


class Choice(BaseModel, extra="forbid"):
    """A question's label; None removes it."""

    question: _Question
    label: Label | None


def is_page(scope: Scope) -> bool:
    """
    Say whether a browser asks for the page. There is nothing in it that a token would protect.

    :param scope: The request.
    :returns: Whether it does; to programs the same address is the list of requests.
    """
    return (
        scope["path"] == PAGE
        and scope["method"] in ("GET", "HEAD")
        and "text/html" in Headers(scope=scope).get("accept", "")
    )


@cache
def _rendered() -> Page:
    return render("answer_selection.pipelines.serving", "trial", connects=True)


def page() -> Response:
    """
    Give the page.

    :returns: The response, with the headers that keep it from running or being shown with anything else.
    """
    made = _rendered()
    headers = {
        "Content-Security-Policy": made.policy,
        "Cache-Control": "no-cache",
        "Referrer-Policy": "no-referrer",
        "Vary": "Accept",
        "X-Content-Type-Options": "nosniff",
    }
    return HTMLResponse(made.html, headers=headers)


def add_requests(app: FastAPI, tried: Sequence[Tried], labelling: Labelling | None) -> None:
    """
    Add what the page asks for.

    :param app: The service.
    :param tried: The pipelines, one or two.
    :param labelling: What people may say of answers; None is nothing.
    """

    @app.get(TRY, include_in_schema=False)
    async def about() -> dict[str, Any]:
        return {
            "pipelines": [each.name for each in tried],
            "labels": None if labelling is None else labelling.labels.path.name,
            "labelling": bool(labelling and labelling.questions),
        }

    @app.post(TRY, include_in_schema=False)
    async def ask(request: Request) -> Response:
        question = Question.model_validate_json(await request.body())
        runs = [await _run(each, question) for each in tried]
        label = None
        if labelling is not None:
            label = await run_in_threadpool(labelling.labels.find, question.question)
        return Response(TrialOutcome(runs=runs, label=label).model_dump_json(), media_type="application/json")

    if labelling is None:
        return

    @app.get(QUESTIONS, include_in_schema=False)
    async def questions() -> list[dict[str, Any]]:
        known = await run_in_threadpool(labelling.labels.all)
        labels = [known.get(sameness(query.query)) for query in labelling.questions]
        return [
            {"question": query.query, "label": None if label is None else label.model_dump()}
            for query, label in zip(labelling.questions, labels, strict=True)
        ]

    @app.post(LABELS, include_in_schema=False)
    async def judge(request: Request) -> Response:
        _refuse_other_sites(request)
        judged = Judgement.model_validate_json(await request.body())
        label = await run_in_threadpool(labelling.labels.judge, judged.question, judged.entry_id, judged.right)
        return JSONResponse({"label": None if label is None else label.model_dump()})

    @app.put(LABELS, include_in_schema=False)
    async def choose(request: Request) -> Response:
        _refuse_other_sites(request)
        chosen = Choice.model_validate_json(await request.body())
        ids = {sameness(query.query): query.query_id for query in labelling.questions}
        query_id = ids.get(sameness(chosen.question))
        await run_in_threadpool(labelling.labels.write, chosen.question, chosen.label, query_id)
        return JSONResponse({"label": None if chosen.label is None else chosen.label.model_dump()})


async def _run(tried: Tried, question: Question) -> TrialOutcome.Run:
    # More than are shown: what words tell entries apart is seen from many.
    shown = question.top_k or COMPARED
    result = await tried.answer(question.model_copy(update={"top_k": max(shown, COMPARED)}))
    # Where none of them is sure enough to be an answer, the page shows what comes closest.
    found = result.answers or result.closest
    entries = [(answer.question or "", answer.answer) for answer in found]
    parts = (await run_in_threadpool(shared_words, result.searched or question.question, entries, tried.language))[
        :shown
    ]
    return TrialOutcome.Run(
        name=tried.name,
        result=result.model_copy(update={"answers": found[:shown], "closest": []}),
        questions=[one for one, _ in parts],
        answers=[one for _, one in parts],
    )


def _refuse_other_sites(request: Request) -> None:
    """A page of another site may send a form to this service, in the name of whoever looks at it, but no JSON."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        msg = "expected the header `Content-Type: application/json`"
        raise QuestionError(msg)
