# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The page at `/`, driven in a real browser, before answers that are made up."""

import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
import uvicorn

from answer_selection.indexing.corpus import Query, iter_queries
from answer_selection.indexing.source_link import source_link
from answer_selection.pipelines.serving.answers import Answer, Answers
from answer_selection.pipelines.serving.app import Trial, create_app
from answer_selection.pipelines.serving.errors import UnavailableError
from answer_selection.pipelines.serving.labels import LabelFile
from answer_selection.pipelines.serving.settings import ServiceSettings
from answer_selection.pipelines.serving.trial import LABELS, QUESTIONS, TRY, Labelling

pytestmark = pytest.mark.slow

HOSTILE = "<img src=x onerror=\"document.title='broken'\"><script>document.title='broken'</script>"
ENTRIES = {
    "lost-card": ("I lost my card. What now?", "A lost card is replaced for $3 at any desk."),
    "hours": ("When are you open?", "From nine to eight. " * 40),
    HOSTILE: (HOSTILE, f"A card with {HOSTILE}"),
}
HTML = {"accept": "text/html,*/*"}


def answered(order: list[str]) -> Answers:
    sources = {
        "lost-card": {"source": "https://example.org/cards", "anchor": "lost"},
        HOSTILE: {"source": "javascript:alert(1)"},
    }
    answers = []
    for place, entry in enumerate(order):
        question, text = ENTRIES[entry]
        scores = {"bm25_score": 9.5 - place, "vector_score": 0.75, "ranker_probability": 0.9 - place / 4}
        scores["ranker_signals"] = {"bm25": -0.05, "cosine": 1.234, "coverage": 0.4}
        answers.append(
            Answer(
                entry_id=entry,
                question=question,
                answer=text,
                score=scores["ranker_probability"] if place else 1.0,
                retriever_score=20.0 - place,
                retriever_rank=len(order) - place,
                source=source_link(sources.get(entry, {})),
                meta={**scores, **sources.get(entry, {})},
            )
        )
    return Answers(answers=answers, retrieval_ms=3.0, ranking_ms=12.0)


class Pipeline:
    """Answers with all entries, in an order; fails while it has a reason; may be too unsure to answer."""

    def __init__(self, order: list[str], *, unsure: bool = False) -> None:
        self.order, self.unsure, self.reason, self.asked = order, unsure, None, []

    async def answer(self, questions: list) -> list:
        self.asked += [question.question for question in questions]
        if self.reason:
            return [UnavailableError(self.reason)] * len(questions)
        given = [answered(self.order[: question.top_k]) for question in questions]
        if not self.unsure:
            return given
        return [one.model_copy(update={"answers": [], "closest": one.answers, "abstained": True}) for one in given]

    async def ready(self) -> None:
        pass


@contextmanager
def serving(pipeline: Pipeline, trial: Trial, **settings: object) -> Iterator[str]:
    """A real server, in a thread of this process."""
    listening = socket.create_server(("127.0.0.1", 0))
    app = create_app(ServiceSettings(**settings), pipeline.answer, pipeline.ready, trial=trial)
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


@pytest.fixture
def pipeline() -> Pipeline:
    return Pipeline(list(ENTRIES))


@pytest.fixture
def pictures(tmp_path: Path) -> Callable:
    """Keep a picture of a page; in the folder that ANSWER_SELECTION_PICTURES names, if it does."""
    folder = Path(os.environ.get("ANSWER_SELECTION_PICTURES", tmp_path))

    def keep(page, name: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=folder / f"{name}.png", full_page=True)

    return keep


def ask(page, question: str) -> None:
    page.fill("#question", question)
    page.keyboard.press("Enter")
    page.wait_for_selector(".answer")


def fits(page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


class TestAsking:
    @pytest.mark.parametrize(("width", "dark"), [(1400, False), (400, True)])
    def test_a_question_has_its_answers_and_what_they_rest_on(self, opened, pipeline, pictures, width, dark):
        with serving(pipeline, Trial("small")) as url:
            page = opened(url, width=width, dark=dark)
            page.get_by_text("Ask as your users would").wait_for()
            assert page.evaluate("document.activeElement.id") == "question"
            ask(page, "  what does a LOST card cost? ")
            assert pipeline.asked == ["what does a LOST card cost?"]
            # Names and texts are text, whatever is in them.
            assert page.title() == "Ask: answer-selection"
            assert page.locator("#results :is(img, script)").count() == 0
            assert page.locator("h2").all_inner_texts() == [question for question, _ in ENTRIES.values()]
            first = page.locator(".answer").first
            assert first.locator("mark").all_inner_texts() == ["lost", "card", "What", "A", "lost", "card"]
            link = first.locator("a")
            assert (link.get_attribute("href"), link.inner_text()) == (
                "https://example.org/cards#lost",
                "https://example.org/cards#lost",
            )
            # No other kind of address is a link.
            assert page.locator("a").count() == 1
            assert "90 % likely" in first.inner_text()
            assert "found at 3" in first.inner_text()
            page.keyboard.press("ArrowDown")
            page.keyboard.press("Enter")
            why = first.locator("table").inner_text()
            ahead = "likeness of meaning +1.23, words of the question +0.40, BM25 \N{MINUS SIGN}0.05 (log-odds)"
            assert f"ahead of the others by\t{ahead}" in why.split("\n")
            assert {"9.5", "0.75 (cosine)", "20", "0.9", "lost-card"} <= set(why.replace("\t", "\n").split("\n"))
            long = page.locator(".answer").nth(1)
            # A score that is the probability is no number of its own.
            assert "final score" in why
            assert "final score" not in long.locator("table").text_content()
            height = long.bounding_box()["height"]
            long.get_by_text("Show all").click()
            assert long.bounding_box()["height"] > height
            assert fits(page)
            pictures(page, f"ask-{width}-{'dark' if dark else 'light'}")
            # The keys, and an address that can be kept.
            page.keyboard.press("/")
            assert page.evaluate("document.activeElement.id") == "question"
            again = opened(page.url)
            again.wait_for_selector(".answer")
            assert again.input_value("#question") == "what does a LOST card cost?"

    def test_no_answer_an_empty_list_and_an_error_are_said(self, opened, pipeline):
        with serving(pipeline, Trial()) as url:
            page = opened(url)
            page.wait_for_selector(".empty")
            pipeline.order = []
            page.fill("#question", "what?")
            page.keyboard.press("Enter")
            page.get_by_text("Nothing was found").wait_for()
            pipeline.reason = "there is no <b>index</b>"
            page.keyboard.press("/")
            page.keyboard.press("Enter")
            page.get_by_text("there is no <b>index</b>").wait_for()
            # The browser notes the status itself.
            assert len(opened.told) == 1
            opened.told.clear()
            pipeline.reason, pipeline.order = None, ["hours"]
            page.get_by_text("Try again").click()
            page.wait_for_selector(".answer")
            assert page.locator("#error").is_hidden()

    def test_who_is_too_unsure_to_answer_shows_the_closest_entries_and_says_so(self, opened, pipeline):
        unsure = Pipeline(["hours", "lost-card"], unsure=True)
        with serving(pipeline, Trial("sure", other=("unsure", unsure.answer, None))) as url:
            page = opened(url)
            page.wait_for_selector(".empty")
            ask(page, "what?")
            left, right = page.locator(".lists > section").all()
            assert (left.locator(".none").count(), left.locator(".answer").count()) == (0, 3)
            assert "No answer here." in right.locator(".none").inner_text()
            assert right.locator(".answer").evaluate_all("all => all.map((one) => one.dataset.entry)") == unsure.order

    def test_what_was_searched_for_is_said(self, opened, pipeline):
        class Corrected(Pipeline):
            async def answer(self, questions: list) -> list:
                given = await super().answer(questions)
                return [one.model_copy(update={"searched": "a <b>lost</b> card"}) for one in given]

        other = Corrected(pipeline.order)
        with serving(pipeline, Trial("one", other=("other", other.answer, None))) as url:
            page = opened(url)
            page.wait_for_selector(".empty")
            ask(page, "a lsot card")
            said = page.locator(".searched")
            assert said.all_inner_texts() == ["Searched for: a <b>lost</b> card"]
            assert fits(page)

    def test_two_side_by_side_say_what_moved(self, opened, pipeline, pictures):
        other = Pipeline(["hours", "lost-card"])
        with serving(pipeline, Trial("one", other=("other", other.answer, None))) as url:
            page = opened(url)
            page.wait_for_selector(".empty")
            assert page.locator("#about").inner_text() == "one beside other"
            ask(page, "a lost card")
            left, right = page.locator(".lists > section").all()
            assert left.bounding_box()["y"] == right.bounding_box()["y"]
            told = [card.inner_text() for card in left.locator(".facts").all()]
            assert "2 with other" in told[0]
            assert "1 with other" in told[1]
            assert "not shown by other" in told[2]
            # What is pointed at is shown on the other side too.
            right.locator(".answer").first.hover()
            assert page.locator(".same").evaluate_all("all => all.map((one) => one.dataset.entry)") == ["hours"] * 2
            pictures(page, "compare-1400-light")
            page.set_viewport_size({"width": 400, "height": 900})
            assert left.bounding_box()["y"] < right.bounding_box()["y"]
            assert fits(page)

    def test_a_token_is_asked_for_once(self, opened, pipeline):
        with serving(pipeline, Trial(), token="säkret") as url:
            page = opened(url)
            for token in ("wrong", "säkret"):
                page.wait_for_selector("#token-form:not([hidden])")
                page.fill("#token", token)
                page.keyboard.press("Enter")
            page.wait_for_selector(".empty")
            assert set(map(bool, opened.told)) == {True}  # 401, as the browser notes it
            opened.told.clear()
            page.reload()
            page.wait_for_selector(".empty")
            ask(page, "a card")
            assert page.evaluate("localStorage.length") == 0


class TestLabels:
    def test_thumbs_are_kept_and_shown_again(self, opened, pipeline, tmp_path):
        labels = LabelFile(tmp_path / "labels.jsonl")
        with serving(pipeline, Trial(labelling=Labelling(labels))) as url:
            page = opened(url)
            page.wait_for_selector(".empty")
            ask(page, "A lost card?")
            page.locator(".thumbs .yes").nth(0).click()
            page.get_by_text("Kept in labels.jsonl").wait_for()
            page.locator(".thumbs .no").nth(1).click()
            page.locator('.thumbs .no[aria-pressed="true"]').wait_for()
            page.locator('.thumbs .yes[aria-pressed="true"]').wait_for()
            [query] = iter_queries(labels.path)
            assert (query.query, query.relevant) == ("A lost card?", ("lost-card",))
            assert labels.find("a lost card").irrelevant == ["hours"]
            page.reload()
            page.locator('.thumbs [aria-pressed="true"]').nth(1).wait_for()
            page.locator('.thumbs .yes[aria-pressed="true"]').click()
            page.get_by_text("Taken back").wait_for()
            assert labels.find("a lost card").relevant == []

    def test_questions_are_labelled_by_keys(self, opened, pipeline, tmp_path, pictures):
        labels = LabelFile(tmp_path / "queries.jsonl")
        texts = ["first?", HOSTILE, "third?", "fourth?"]
        questions = [Query(f"q{place}", text, ()) for place, text in enumerate(texts)]
        with serving(pipeline, Trial(labelling=Labelling(labels, questions))) as url:
            page = opened(url)

            def shown(text: str, progress: str) -> None:
                page.locator("#to-label", has_text=text).wait_for()
                page.locator("#progress", has_text=progress).wait_for()
                page.locator("#results:not([inert]) .answer").first.wait_for()

            shown("first?", "0 of 4 labelled")
            pictures(page, "label-1400-light")
            page.keyboard.press("2")
            shown(HOSTILE, "1 of 4 labelled")
            assert labels.find("first?").relevant == ["hours"]
            page.keyboard.press("0")
            shown("third?", "2 of 4 labelled")
            page.keyboard.press("s")
            shown("fourth?", "2 of 4 labelled, 1 skipped")
            page.keyboard.press("u")
            shown("third?", "2 of 4 labelled")
            page.keyboard.press("u")
            shown(HOSTILE, "1 of 4 labelled")
            assert labels.find(HOSTILE) is None
            # Another entry is searched for, and the label is still this question's.
            page.keyboard.press("/")
            pipeline.order = ["lost-card"]
            page.keyboard.type("1 card")
            page.keyboard.press("Enter")
            page.get_by_text("Found by your search.").wait_for()
            page.keyboard.press("1")
            shown("third?", "2 of 4 labelled")
            # It goes on where it was left.
            page.reload()
            shown("third?", "2 of 4 labelled")
            page.keyboard.press("s")
            shown("fourth?", "2 of 4 labelled, 1 skipped")
            page.locator(".answer").first.get_by_text("This one").click()
            page.get_by_text("All others are labelled, in queries.jsonl.").wait_for()
            page.get_by_text("Label those that were skipped").click()
            shown("third?", "3 of 4 labelled")
            page.locator(".answer").first.get_by_text("This one").click()
            page.get_by_text("All done. The labels are in queries.jsonl.").wait_for()
            assert page.title() == "Label: answer-selection"
        written = {query.query_id: (query.query, query.relevant) for query in iter_queries(labels.path)}
        assert written["q1"] == (HOSTILE, ("lost-card",))
        assert written["q0"] == ("first?", ("hours",))
        assert set(written) == {"q0", "q1", "q2", "q3"}

    def test_a_choice_is_of_the_question_and_the_list_that_were_read(self, opened, pipeline, tmp_path):
        labels = LabelFile(tmp_path / "queries.jsonl")
        questions = [Query(f"q{place}", f"question {place}?", ()) for place in range(4)]
        with serving(pipeline, Trial(labelling=Labelling(labels, questions))) as url:
            page = opened(url)
            ready = page.locator("#results:not([inert]) .answer").first
            ready.wait_for()
            assert page.locator(".chance, .why").count() == 0
            # The page's time stands still: keys held down, or pressed at once behind each other, are one choice.
            page.clock.install()
            page.clock.pause_at(datetime.now(UTC) + timedelta(days=1))
            for _ in range(3):
                page.keyboard.down("1")
            page.keyboard.up("1")
            page.keyboard.press("0")
            page.locator("#to-label", has_text="question 1?").wait_for()
            page.keyboard.press("0")
            assert page.locator("#progress", has_text="1 of 4").count() == 1
            page.clock.resume()
            ready.wait_for()
            page.set_viewport_size({"width": 400, "height": 500})
            page.locator(".answer").last.scroll_into_view_if_needed()
            assert page.evaluate("scrollY") > 0
            # The question stays in sight, and the next one begins at the top.
            assert page.locator("#to-label").bounding_box()["y"] >= 0
            page.keyboard.press("2")
            page.locator("#to-label", has_text="question 2?").wait_for()
            assert page.evaluate("scrollY") == 0
            ready.wait_for()
            # What a search found is left by Esc, wherever the focus is.
            page.keyboard.press("/")
            pipeline.order = ["lost-card"]
            page.keyboard.type("a card")
            page.keyboard.press("Enter")
            page.get_by_text("Found by your search.").wait_for()
            assert page.locator(".answer").count() == 1
            page.keyboard.press("Escape")
            page.locator("#results:not([inert]) .answer").nth(1).wait_for()
            assert page.get_by_text("Found by your search.").count() == 0
            # Long answers are shown whole by a key.
            page.keyboard.press("a")
            assert page.locator("body.whole").count() == 1
        assert {query.query: query.relevant for query in iter_queries(labels.path)} == {
            "question 0?": ("lost-card",),
            "question 1?": ("hours",),
        }


class TestRequests:
    def test_of_closest_entries_as_many_are_sent_as_are_asked_for(self):
        unsure = Pipeline(list(ENTRIES), unsure=True)
        with serving(unsure, Trial()) as url, httpx.Client(base_url=url) as client:
            [run] = client.post(TRY, json={"question": "a lost card?", "top_k": 2}).json()["runs"]
        assert [answer["entry_id"] for answer in run["result"]["answers"]] == ["lost-card", "hours"]
        assert (run["result"]["abstained"], run["result"]["closest"], len(run["questions"])) == (True, [], 2)

    def test_the_page_is_for_browsers_and_all_else_wants_the_token(self, pipeline, tmp_path):
        labels = LabelFile(tmp_path / "labels.jsonl")
        trial = Trial(labelling=Labelling(labels))
        with (
            serving(pipeline, trial, token="secret", allowed_hosts=("127.0.0.1",)) as url,
            httpx.Client(base_url=url) as client,
        ):
            page = client.get("/", headers=HTML)
            assert page.status_code == 200
            assert page.headers["content-security-policy"].startswith("default-src 'none'; ")
            assert client.get("/", headers={**HTML, "host": "elsewhere.example"}).status_code == 400
            for method, path in (
                ("GET", "/"),
                ("GET", TRY),
                ("POST", TRY),
                ("GET", QUESTIONS),
                ("PUT", LABELS),
                ("POST", LABELS),
            ):
                assert client.request(method, path).status_code == 401
            given = {"authorization": "Bearer secret"}
            judged = {"question": "a?", "entry_id": "b", "right": True}
            # What a form of another site can send.
            refused = client.post(
                LABELS,
                content=httpx.Response(200, json=judged).content,
                headers={**given, "content-type": "text/plain"},
            )
            assert (refused.status_code, labels.find("a?")) == (422, None)
            for unsaid in ({"entry_id": ""}, {"entry_id": " "}, {"question": "\t "}):
                assert client.post(LABELS, json={**judged, **unsaid}, headers=given).status_code == 422
            for empty in ({"relevant": [""]}, {"irrelevant": ["a", " "]}):
                choice = {"question": judged["question"], "label": empty}
                assert client.put(LABELS, json=choice, headers=given).status_code == 422
            assert client.post(LABELS, json=judged, headers=given).json() == {
                "label": {"relevant": ["b"], "irrelevant": []}
            }

    def test_nothing_is_written_where_no_file_is_named(self, pipeline):
        with serving(pipeline, Trial()) as url, httpx.Client(base_url=url) as client:
            assert client.post(LABELS, json={"question": "a?", "entry_id": "b", "right": True}).status_code == 404
            assert client.get(TRY).json() == {"pipelines": ["this pipeline"], "labels": None, "labelling": False}
