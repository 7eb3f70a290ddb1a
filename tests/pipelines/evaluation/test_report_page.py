# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The report page, in a real browser, and what is computed for it."""

import json
import re

import pytest

from answer_selection.pipelines.evaluation.charts import DARK, LIGHT
from answer_selection.pipelines.evaluation.kept_results import KeptResults, compare_with_kept
from answer_selection.pipelines.evaluation.report import evaluate
from answer_selection.pipelines.evaluation.report_page import report_page
from answer_selection.pipelines.evaluation.results import QuestionResult, Ranking

HOSTILE = "</script><script>document.title='broken'</script><img src=x onerror=\"document.title='broken'\">"


def kept(folder, shift: int, number: int = 120) -> KeptResults:
    """A run of made-up questions: BM25 has each right entry third; the ranker has it at its number modulo 4, moved."""
    results = []
    for place in range(number):
        right = f"entry {place}"
        others = [f"other {place}-{one}" for one in range(12)]
        rankings = {}
        for stage, rank in (("bm25", 3), ("ranker", 1 + (place + shift * (place % 3 == 0)) % 4)):
            ids = [*others[: rank - 1], right, *others[rank - 1 :]]
            cut = ids if stage == "bm25" else ids[:10]
            scores = [round(0.9 - one / 20 - (rank - 1) / 8, 3) for one in range(len(cut))]
            sure = 0.9 / rank if stage == "ranker" else None
            rankings[stage] = Ranking(tuple(cut), tuple(scores), 0.001 * (place + 1), probability=sure)
        text = HOSTILE if place == 0 else f"question {place}"
        results.append(QuestionResult(f"q{place}", text, {right: 1}, False, rankings, (right,)))
    evaluate(results, folder, settings={"mode": "end to end", "note": HOSTILE}, resamples=999)
    return KeptResults.read(folder)


def page_of(results: KeptResults, **more: object) -> str:
    titles = {"entry 1": "When are you open?", "entry 0": HOSTILE}
    labels = {"bm25": "BM25", "ranker": "BM25 + ranker"}
    return report_page(results, title=f"made up {HOSTILE}", labels=labels, titles=titles, **more)


@pytest.mark.slow
def test_the_same_results_give_the_same_page(tmp_path):
    results = kept(tmp_path / "run", 0, 30)
    assert page_of(results) == page_of(KeptResults.read(tmp_path / "run"))
    # Nothing is fetched from anywhere.
    assert set(re.findall(r'(?:src|href|srcset)="(.{5})', page_of(results))) == {"data:"}
    assert LIGHT.ink != DARK.ink


@pytest.mark.slow
@pytest.mark.parametrize(("width", "dark"), [(1400, False), (400, True)])
def test_a_report_is_looked_at(opened, tmp_path, width, dark):
    results = kept(tmp_path / "run", 0)
    before = kept(tmp_path / "before", 2)
    path = tmp_path / "report.html"
    compared = compare_with_kept(results, before)
    path.write_text(page_of(results, kept=before, compared=compared), encoding="utf-8")
    page = opened(path.as_uri(), width=width, dark=dark)
    assert page.title() == f"Report: made up {HOSTILE}"
    assert page.locator("main img").count() == 4
    # Each chart is an image that the browser could read, for this screen.
    drawn = page.locator("figure img").evaluate_all("all => all.map((one) => one.complete && one.naturalWidth > 100)")
    assert drawn == [True] * 4
    table = page.locator(".figures").last.inner_text()
    assert f"{results.values('ranker', 'MRR').mean():.3f}" in table
    assert "Worse" in page.locator(".panel").inner_text() or "Not worse" in page.locator(".panel").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    assert page.locator("#baseline option").all_inner_texts() == ["BM25", "BM25 + ranker", "kept run"]
    page.select_option("#baseline", label="BM25")
    assert page.locator(".question").count() == 50
    page.locator("#more").click()
    assert page.locator(".question").count() == 100
    # The ranker has a quarter first, a quarter second, a quarter third and a quarter fourth; BM25 all third.
    assert "wins 60 and loses 30 against BM25" in page.locator("#count").inner_text()
    for name, number in (("won", 60), ("lost", 30), ("moved", 90), ("right", 0), ("wrong", 90), ("missing", 0)):
        page.select_option("#filter", name)
        assert page.locator("#count").inner_text().startswith(f"{number} of 120 questions")
    page.select_option("#filter", "all")
    page.select_option("#sort", "gain")
    assert page.locator(".question .ranks").first.inner_text() == "▲ 3 → 1"
    page.select_option("#sort", "loss")
    assert page.locator(".question .ranks").first.inner_text() == "▼ 3 → 4"
    page.fill("#search", "question 1")
    assert page.locator("#count").inner_text().startswith("31 of 120")  # 1, 10 to 19, 100 to 119
    page.fill("#search", "q1")
    page.locator(".question summary").first.click()
    # It is made when it is opened, a moment later.
    page.locator(".sides > div").first.wait_for()
    left, right = page.locator(".sides > div").all()
    assert left.locator("li.right").inner_text().startswith("✓ When are you open?")
    assert [item.inner_text().split(" ")[0] for item in right.locator("li").all()[:3]] == ["other", "✓", "other"]


@pytest.mark.slow
def test_the_charts_have_the_figures_of_the_results(tmp_path):
    results = kept(tmp_path / "run", 0, 40)
    told = results.summary["answer_risk"]["ranker"]
    assert [one["questions"] for one in told["reliability"]] == [10] * 4
    page = page_of(results)
    assert f"calibration error is {told['ece']:.3f}." in page
    assert "probability 0.90: 1.00 right of 10" in page
    # The quarter that is right is the surest.
    assert "25% and 0%, 50% and 50%, 75% and 67%, 100% and 75%." in page
    # BM25 says of no answer how probable it is.
    assert results.summary["answer_risk"]["bm25"]["reliability"] == []


@pytest.mark.slow
def test_a_rank_is_where_the_first_right_entry_is(tmp_path):
    results = kept(tmp_path / "run", 0, 8)
    data = json.loads(re.search(r'id="data">(.+?)</script>', page_of(results), re.DOTALL)[1])
    assert [question["stages"][1]["rank"] for question in data["questions"]] == [1, 2, 3, 4] * 2
    assert data["depths"] == [13, 10]
    first = data["questions"][0]
    assert data["entries"][first["right"][0]] == {"id": "entry 0", "title": HOSTILE}
