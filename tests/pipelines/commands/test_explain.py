# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The `explain` command: its page's content, as parsed and as a real browser shows it."""

import json
import re
import shutil
import subprocess
from itertools import pairwise

import pytest
import torch
import yaml
from haystack import Document
from hypothesis import given
from hypothesis import strategies as st
from lxml import html
from PIL import Image

from answer_selection.pipelines.definitions import pipeline_yaml
from answer_selection.pipelines.explanation.explained import Explained, of_candidates
from answer_selection.pipelines.explanation.marks import THICKEST, marked, strongest
from answer_selection.pipelines.explanation.page import render
from answer_selection.pipelines.explanation.tree_lines import tree_lines
from haystack_integrations.components.rankers.answer_selection import AnswerRanker
from haystack_integrations.components.rankers.answer_selection.explanation import SpanWeight, TreeNode
from haystack_integrations.components.rankers.answer_selection.models import registry

pytestmark = pytest.mark.slow

QUESTION = "When does the reading room close?"
ANSWERS = [
    "The reading room closes at eight on weekdays,\nand at six on Saturdays.",
    "A lost card is replaced at any desk for two dollars.",
    "No.",
]
ENCODER = {"model_type": "bert", "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
ENCODER |= {"intermediate_size": 16, "initializer_range": 0.3}
WORDS = {"embedding_size": 12}
MODELS = {
    "ap_bilstm": {**WORDS, "hidden_size": 4},
    "cross_encoder": {"encoder": ENCODER},
    "ctrn": {**WORDS, "hidden_size": 8, "pair_features": ["overlap", "bm25"]},
    "ggsa": {**WORDS, "heads": 3, "blocks": 2},
    "gsamn": {"encoder": ENCODER},
    "hmda": {**WORDS, "filters": 8, "pair_features": ["overlap", "bm25"]},
    "iggsa": {**WORDS, "heads": 3, "composition": "attention"},
    "linear": {},
    "lstm": {**WORDS, "hidden_size": 8},
    "qrnn": {**WORDS, "hidden_size": 8},
    "tree_aggregation": {"encoder": ENCODER, "half_size": 16, "heads": 2, "feed_forward_size": 16},
}
HOSTILE = (
    "<script>document.title='broken in'</script>",
    "<img src=x onerror=\"document.title='broken in'\">",
    "\"><svg onload=document.title='broken'>",
    "</style></title></details><h1>broken</h1>",
    "{{ 7 * 7 }} {% raw %} &lt;b&gt; &amp;",
)


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """Called with a model's name: a folder of one, with random weights. Made once."""
    folder = tmp_path_factory.mktemp("models")

    def of(name):
        if not (folder / name).is_dir():
            torch.manual_seed(1)
            model, collator = registry.build(name, [QUESTION, *ANSWERS], ANSWERS, **MODELS[name])
            with torch.no_grad():
                for parameter in model.parameters():
                    parameter.normal_(0, 0.3)
            registry.save(folder / name, model, collator)
        return folder / name

    return of


@pytest.fixture
def chromium(tmp_path):
    """Called with a page's path: what a real browser without a display makes of it, its DOM or a picture."""
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        pytest.skip("no chromium: on Debian, apt-get install chromium")

    def run(page, *what):
        options = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run")
        profile = f"--user-data-dir={tmp_path / 'profile'}"
        done = subprocess.run(
            [program, *options, profile, *what, page.as_uri()], capture_output=True, timeout=600, check=False
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    return run


def read(path):
    return html.fromstring(path.read_text(encoding="utf-8"))


def plain(element):
    """An element's text, without the numbers over its words."""
    return "".join(element.xpath(".//text()[not(ancestor::rt) and not(ancestor::rp)]"))


def table(page):
    """The table of candidates, by its heads."""
    heads = [head.text_content() for head in page.xpath("(//table)[1]/thead//th")]
    rows = page.xpath("(//table)[1]/tbody/tr")
    return [dict(zip(heads, [plain(cell).strip() for cell in row], strict=True)) for row in rows]


class TestCandidates:
    def test_those_that_a_pipeline_finds(self, command, small_index, small_model, tmp_path):
        question = "what does it cost to replace a lost card?"
        done = command("explain", question, "--index", small_index, "--model", small_model, "--top-k", 3)
        assert (done.code, done.err) == (0, "")
        assert done.out == "3 candidates in explanation.html"
        page = read(tmp_path / "explanation.html")
        definition = pipeline_yaml.point_at(pipeline_yaml.read("answer"), index=small_index, model=small_model, top_k=3)
        expected = pipeline_yaml.load(definition).run({"query": question})["ranker"]["documents"]
        for place, (row, document) in enumerate(zip(table(page), expected, strict=True), start=1):
            before = document.meta["retriever_rank"]
            assert row["rank"] == str(place)
            assert row["before"] == str(before)
            assert (
                row["moved"]
                == {1: f"up {before - place}", 0: "stays", -1: f"down {place - before}"}[
                    (before > place) - (before < place)
                ]
            )
            assert float(row["probability"]) == pytest.approx(document.meta["ranker_probability"], rel=1e-3)
            assert float(row["score before"]) == pytest.approx(document.meta["retriever_score"], rel=1e-3)
            assert row["entry"] == document.meta["question"]
            [section] = page.xpath(f"//section[h2[@id='candidate-{place}']]")
            assert section.findtext("h2") == f"{place}. {document.meta['question']}"
            assert section.findtext("p/code") == document.meta["entry_id"]
            # The ranker reads the entry's question before its answer.
            read_text = f"{document.meta['question']}\n{document.content}"
            assert read_text in [plain(text) for text in section.xpath(".//div[@class='text']")]
        assert "label" not in table(page)[0]

    def test_given_answers(self, command, models, tmp_path):
        given = [option for answer in ANSWERS for option in ("--answer", answer)]
        done = command("explain", QUESTION, *given, "--model", models("qrnn"), "--output", "own.html", "--top-k", 2)
        assert (done.code, done.out) == (0, "2 candidates in own.html")
        rows = table(read(tmp_path / "own.html"))
        assert [row["rank"] for row in rows] == ["1", "2"]
        assert {f"answer {row['before']}" for row in rows} == {row["entry"] for row in rows}
        assert [row["score before"] for row in rows] == ["", ""]

    @pytest.mark.parametrize("asked", ["q2", QUESTION])
    def test_those_of_a_file(self, command, models, tmp_path, asked):
        lists = [
            {"query_id": "q1", "query": "Why?", "candidates": [{"candidate_id": "z", "answer": "Z", "label": 0}]},
            {
                "query_id": "q2",
                "query": QUESTION,
                "candidates": [
                    {"candidate_id": f"c{place}", "answer": answer, "label": int(place == 0), "meta": {"label": "?"}}
                    for place, answer in enumerate(ANSWERS)
                ],
            },
        ]
        (tmp_path / "lists.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lists), encoding="utf-8")
        done = command("explain", asked, "--candidates", "lists.jsonl", "--model", models("linear"))
        assert done.code == 0
        page = read(tmp_path / "explanation.html")
        assert {row["entry"]: row["label"] for row in table(page)} == {"c0": "right", "c1": "wrong", "c2": "wrong"}
        assert QUESTION in page.xpath("//dl")[0].text_content()

    def test_a_hybrid_retriever_has_two_scores(self, command, embedded_index, tmp_path):
        question = "what does it cost to replace a lost card?"
        assert command("explain", question, "--index", embedded_index, "--top-k", 3).code == 0
        definition = pipeline_yaml.point_at(pipeline_yaml.read("answer"), index=embedded_index, top_k=3)
        pipeline = pipeline_yaml.load(definition)
        expected = pipeline.run({"query": question})["ranker"]["documents"]
        page = read(tmp_path / "explanation.html")
        for section, document in zip(page.xpath("//section"), expected, strict=True):
            [told] = section.xpath("table[contains(caption, 'above the mean of all candidates')]/tbody")
            ahead = [float(row.xpath("string(td[1])")) for row in told]
            assert ahead == sorted(ahead, key=lambda lead: -abs(lead))
            assert sorted(ahead) == pytest.approx(sorted(document.meta["ranker_signals"].values()), abs=0.006)
        for row, document in zip(table(page), expected, strict=True):
            assert float(row["BM25"]) == pytest.approx(document.meta["bm25_score"], abs=0.01)
            assert float(row["cosine"]) == pytest.approx(document.meta["vector_score"], abs=0.01)
            # All signals are weighed: the score is the probability, and no column of its own.
            assert float(row["probability"]) == pytest.approx(document.score, rel=1e-3)
            assert "score" not in row

    def test_a_pipeline_without_a_model_has_a_page_too(self, command, small_index, tmp_path):
        definition = pipeline_yaml.point_at(pipeline_yaml.read("answer"), index=small_index)
        definition["components"] = {"search": definition["components"]["retriever"]}
        del definition["connections"], definition["inputs"], definition["outputs"]
        (tmp_path / "own.yaml").write_text(yaml.safe_dump(definition), encoding="utf-8")
        assert command("explain", "lost card", "--pipeline", "own.yaml").code == 0
        page = read(tmp_path / "explanation.html")
        assert "cosine" not in table(page)[0]
        assert float(table(page)[0]["score"]) > 0
        assert "The ranker has no model that weighs words" in page.text_content()
        assert "lost-card" in [code.text for code in page.iter("code")]

    def test_what_another_component_knows_of_the_question_is_known_here(self, command, small_index, models, tmp_path):
        """The ranker of this pipeline is strict: the question's tree can only be the one that the parser made."""
        options = ("--index", small_index, "--model", models("tree_aggregation"), "--top-k", 2)
        done = command("explain", "what does a lost card cost?", "--pipeline", "answer_trees", *options)
        assert done.code == 0, done.err
        assert len(read(tmp_path / "explanation.html").xpath("//ul[@class='tree']")) == 4


def write(path, *lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


class TestPage:
    @pytest.fixture(params=MODELS)
    def explained(self, request, models):
        ranker = AnswerRanker(model=models(request.param))
        documents = [Document(id=f"d{place}", content=answer) for place, answer in enumerate(ANSWERS)]
        return of_candidates(ranker, QUESTION, documents)

    def test_it_shows_every_number_over_its_word(self, explained):
        page = html.fromstring(render(explained))
        for place, pair in enumerate(explained.pairs, start=1):
            [section] = page.xpath(f"//section[h2[@id='candidate-{place}']]")
            shown = iter(section.xpath(".//div[@class='text']"))
            for weights in pair.weights:
                for text, spans in ((pair.question, weights.question), (pair.answer, weights.answer)):
                    if spans:
                        drawn = next(shown)
                        assert plain(drawn) == text
                        numbers = [float(number.text) for number in drawn.xpath(".//rt")]
                        scale = 100 if weights.shares else 1
                        assert numbers == pytest.approx([scale * span.value for span in spans], abs=0.051)
            assert next(shown, None) is None
            if not pair.weights and not pair.answer_tree:
                assert "This model has no numbers for single words." in section.text_content()
                assert plain(section.xpath(".//div[contains(@class, 'given')]")[0]) == pair.answer
            added = [float(cell.text) for cell in section.xpath(".//tbody/tr/td[2]")]
            if pair.features and pair.features[0].contribution is not None:
                assert sorted(added) == pytest.approx(sorted(f.contribution for f in pair.features), abs=1e-3)
            assert len(section.xpath(".//tbody/tr")) == len(pair.features)

    def test_it_needs_nothing_else(self, explained):
        text = render(explained)
        page = html.fromstring(text)
        assert not page.xpath("//script | //link | //img | //iframe | //object | //@src")
        assert all(href.startswith("#") for href in page.xpath("//@href"))
        assert not re.search(r"url\(|@import|https?:", text)

    def test_an_address_is_a_link_and_any_other_source_a_text(self):
        metas = ("https://x.org/faq?a=1&b", "how"), ("docs/faq.md", "how"), ("javascript:alert(1)", None), (None, "how")
        documents = [
            Document(id=str(place), content="So.", meta={"source": source, "anchor": anchor})
            for place, (source, anchor) in enumerate(metas)
        ]
        page = html.fromstring(render(Explained(QUESTION, documents, None, {})))
        lines = [[plain(line) for line in section.xpath("./p[@class='id']")] for section in page.xpath("//section")]
        assert [[line for line in some if line.startswith("from")] for some in lines] == [
            ["from https://x.org/faq?a=1&b#how"],
            ["from docs/faq.md#how"],
            ["from javascript:alert(1)"],
            [],
        ]
        assert page.xpath("//section//a/@href") == ["https://x.org/faq?a=1&b#how"]

    def test_it_has_no_colour(self, explained):
        colours = re.findall(r"#[0-9a-f]{3,6}\b|\brgb|\bhsl", render(explained).partition("</style>")[0])
        assert set(colours) == {"#000", "#fff", "#e8e8e8", "#161616"}

    def test_it_can_be_read_out(self, explained):
        page = html.fromstring(render(explained))
        assert page.xpath("//html/@lang | /html/@lang") == ["en"]
        levels = [int(heading.tag[1]) for heading in page.xpath("//h1 | //h2 | //h3")]
        assert levels[0] == 1
        assert all(after - before <= 1 for before, after in pairwise(levels))
        assert all(each.xpath("./caption") for each in page.xpath("//table"))
        assert all(each.get("scope") for each in page.xpath("//th"))
        assert all(plain(each).strip() for each in page.xpath("//summary"))
        ids = page.xpath("//@id")
        assert len(set(ids)) == len(ids)
        assert {href[1:] for href in page.xpath("//@href")} | set(page.xpath("//@aria-labelledby")) <= set(ids)

    def test_it_is_the_same_every_time(self, explained):
        assert render(explained) == render(explained)

    def test_trees_are_nested_as_they_are(self, models):
        tree = "(ROOT (S (NP (DT A) (NN card)) (VP (VBZ costs) (NP (CD two) (NNS dollars))) (. .)))"
        ranker = AnswerRanker(model=models("tree_aggregation"))
        documents = [Document(content="A card costs two dollars.", meta={"parse_tree": tree})]
        asked = {"parse_tree": "(ROOT (SBARQ (WHNP (WP What))))"}
        explained = of_candidates(ranker, "What", documents, query_meta=asked)

        def bracketed(item):
            inside = [bracketed(child) for child in item.xpath("./ul/li")]
            words = [word.text for word in item.xpath("./*[@class='word']")]
            [label] = item.xpath("./*[@class='label']")
            return f"({label.text} {' '.join(inside or words)})"

        page = html.fromstring(render(explained))
        drawn = [bracketed(item) for item in page.xpath("//ul[@class='tree']/li")]
        assert drawn == [asked["parse_tree"], tree]
        # What a span attends to: its children, and its own start and end.
        for nodes in (explained.pairs[0].question_tree, explained.pairs[0].answer_tree):
            for place, node in enumerate(nodes):
                if node.own is not None:
                    below = list(children(nodes, place))
                    for half in range(2):
                        shares = [other.shares[half] for other in below]
                        assert sum(shares) + sum(node.own[half]) == pytest.approx(1, abs=1e-5)


def children(nodes, place):
    for other in nodes[place + 1 :]:
        if other.level <= nodes[place].level:
            return
        if other.level == nodes[place].level + 1:
            yield other


class TestBrowser:
    def test_opens_the_page_from_disk(self, chromium, command, models, tmp_path):
        given = [option for answer in ANSWERS for option in ("--answer", answer)]
        for name in ("hmda", "tree_aggregation"):
            assert command("explain", QUESTION, *given, "--model", models(name), "--output", f"{name}.html").code == 0
            path = tmp_path / f"{name}.html"
            seen = html.fromstring(chromium(path, "--dump-dom"))
            # The browser had to mend nothing.
            assert shape(seen) == shape(read(path))
            assert seen.findtext(".//title") == f"Why this order: {QUESTION}"
            assert len(seen.xpath("//section")) == len(ANSWERS)
            picture = tmp_path / f"{name}.png"
            chromium(path, "--window-size=1000,1500", f"--screenshot={picture}")
            red, green, blue = (band.tobytes() for band in Image.open(picture).convert("RGB").split())
            assert red == green == blue
            assert red.count(0) > 5000
            chromium(
                path, "--window-size=1000,1500", "--blink-settings=preferredColorScheme=0", f"--screenshot={picture}"
            )
            dark = Image.open(picture).convert("L").tobytes()
            assert dark.count(0x16) > dark.count(0xE8) > 1000

    def test_what_is_thicker_looks_thicker(self, chromium, tmp_path, models):
        """The ink of a page whose words differ by nothing but their numbers grows with these."""
        ink = []
        style = render(explained_by(models("qrnn"), QUESTION, ["No."])).partition("<body>")[0]
        for step in range(THICKEST + 1):
            path = tmp_path / "thickness.html"
            body = f"<div class='text'><ruby><span class='w w{step}'>room</span><rt>.5</rt></ruby></div>"
            path.write_text(f"{style}<body>{body}</body></html>", encoding="utf-8")
            picture = tmp_path / f"{step}.png"
            chromium(path, "--window-size=300,200", f"--screenshot={picture}")
            ink.append(Image.open(picture).convert("L").tobytes().count(0))
        assert ink == sorted(set(ink))

    def test_hostile_text_stays_text(self, chromium, tmp_path, models):
        documents = [Document(id=text, content=text, meta={"entry_id": text, "parse_tree": None}) for text in HOSTILE]
        for name in ("gsamn", "qrnn", "tree_aggregation", "lstm"):
            ranker = AnswerRanker(model=models(name))
            question = " ".join(HOSTILE)
            explained = of_candidates(ranker, question, documents, right=dict.fromkeys(HOSTILE, True))
            explained = type(explained)(
                explained.question, explained.documents, explained.pairs, {HOSTILE[0]: HOSTILE[1]}, explained.right
            )
            path = tmp_path / "page.html"
            # Without its policy too: nothing here may lean on it.
            text = re.sub(r"<meta http-equiv=[^\n]*\n", "", render(explained), count=1)
            assert "Content-Security-Policy" not in text
            path.write_text(text, encoding="utf-8")
            seen = html.fromstring(chromium(path, "--dump-dom"))
            assert seen.findtext(".//title").startswith("Why this order: <script>")
            assert not seen.xpath("//script | //img | //svg | //h1[text()='broken'] | //@*[starts-with(name(), 'on')]")
            assert shape(seen) == shape(html.fromstring(text))
            shown = plain(seen)
            assert all(shown.count(text) >= 2 for text in HOSTILE)

    def test_what_is_no_character_does_no_harm(self, chromium, command, models, tmp_path):
        odd = "a \x00\x08\x1b room \ud800 \u202e closes 🕗 ½\ufdd0"
        done = command("explain", odd, "--answer", odd, "--model", models("ggsa"))
        assert done.code == 0
        seen = html.fromstring(chromium(tmp_path / "explanation.html", "--dump-dom"))
        assert "closes 🕗" in plain(seen)


def explained_by(model, question, answers):
    documents = [Document(id=str(place), content=answer) for place, answer in enumerate(answers)]
    return of_candidates(AnswerRanker(model=model), question, documents)


def shape(page):
    """The page's elements, in their order."""
    return [element.tag for element in page.iter() if isinstance(element.tag, str)]


class TestMarks:
    def test_each_word_has_its_number_and_the_greatest_the_thickest_line(self):
        spans = [SpanWeight(0, 3, 0.1), SpanWeight(4, 8, 0.6), SpanWeight(10, 11, 0.35)]
        marks = marked("The room, a", spans, shares=True)
        assert [mark.text for mark in marks] == ["The", " ", "room", ", ", "a"]
        assert [mark.number for mark in marks] == ["10.0", "", "60.0", "", "35.0"]
        assert [mark.thickness for mark in marks] == [1, 0, 6, 0, 4]
        assert [(mark.text, mark.number) for mark in strongest("The room, a", spans, shares=False)] == [
            ("room", "0.60"),
            ("a", "0.35"),
            ("The", "0.10"),
        ]

    def test_gates_that_hardly_differ_look_so(self):
        spans = [SpanWeight(0, 1, 0.49), SpanWeight(2, 3, 0.54), SpanWeight(4, 5, 1.0)]
        assert [mark.thickness for mark in marked("a b c", spans, shares=False) if mark.number] == [5, 5, THICKEST]

    def test_equal_numbers_have_equal_lines_and_none_is_strongest(self):
        spans = [SpanWeight(0, 1, 0.5), SpanWeight(2, 3, 0.5)]
        assert {mark.thickness for mark in marked("a b", spans, shares=False) if mark.number} == {THICKEST // 2}
        assert strongest("a b", spans, shares=False) == []

    def test_tokens_of_one_character_are_one(self):
        spans = [SpanWeight(0, 1, 0.2), SpanWeight(0, 1, 0.1), SpanWeight(0, 3, 0.3), SpanWeight(3, 4, 0.4)]
        assert [(m.text, m.number) for m in marked("½ab!", spans, shares=True)] == [("½ab", "60.0"), ("!", "40.0")]
        assert [m.number for m in marked("½ab!", spans, shares=False)] == ["0.20", "0.40"]

    @given(st.text(max_size=30), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 8), st.floats(0, 1))))
    def test_nothing_of_a_text_is_lost(self, text, spans):
        inside = [
            SpanWeight(min(start, len(text)), min(start + length, len(text)), value)
            for start, length, value in sorted(spans)
        ]
        marks = marked(text, inside, shares=True)
        assert "".join(mark.text for mark in marks) == text
        assert all(0 <= mark.thickness <= THICKEST for mark in marks)


def test_a_tree_of_any_depth_is_drawn():
    deep = 3000
    nodes = [TreeNode("S", 0, 4, level, [0.5], [(0.2, 0.3)]) for level in range(deep)]
    lines = tree_lines([*nodes, TreeNode("NN", 0, 4, deep, [0.5], None)], "room")
    assert [line.opens for line in lines] == [True] * deep + [False]
    assert [line.ends for line in lines] == [0] * deep + [deep]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([" "], "the question is empty"),
        (["why?", "--answer", "a", "--candidates", "lists.jsonl"], "--answer and --candidates exclude each other"),
        (["why?", "--answer", "a", "--index", "x"], "--index finds candidates and --answer gives them: choose one"),
        (["why?", "--candidates", "l.jsonl", "--pipeline", "x"], "--pipeline finds candidates and --candidates gives"),
        (["why?", "--output", "there.html", "--answer", "a"], "there.html already exists. Pass --overwrite"),
        (
            ["why?", "--candidates", "lists.jsonl"],
            "lists.jsonl: none of its 1 lists has the query or the query_id 'why?'",
        ),
        (["why?", "--candidates", "no.jsonl"], "no.jsonl"),
        (["why?", "--index", "nowhere"], "there is no index in nowhere"),
        (["why?", "--answer", "a", "--model", "./no/model"], "there is no model folder no/model"),
        (["why?", "--pipeline", "index_faq"], "index_faq answers no question"),
        (
            ["why?", "--answer", "a", "--output", "no/folder/page.html"],
            "no/folder/page.html: there is no folder no/folder",
        ),
        ([], "Missing argument"),
    ],
)
def test_what_cannot_be_done_is_said(command, tmp_path, arguments, message):
    (tmp_path / "there.html").write_text("mine", encoding="utf-8")
    candidates = [{"candidate_id": "a", "answer": "A.", "label": 1}]
    write(tmp_path / "lists.jsonl", {"query_id": "1", "query": "How?", "candidates": candidates})
    done = command("explain", *arguments)
    assert done.code == 2
    assert message in done.err
    assert "Traceback" not in done.err
    assert (tmp_path / "there.html").read_text(encoding="utf-8") == "mine"


def test_no_answer_is_exit_code_1_and_no_page(command, small_index, small_model, tmp_path):
    done = command("explain", "xyzzy", "--index", small_index, "--model", small_model)
    assert (done.code, done.out) == (1, "no answer found")
    assert not (tmp_path / "explanation.html").exists()


def test_a_page_is_replaced_if_told(command, models, tmp_path):
    (tmp_path / "explanation.html").write_text("old", encoding="utf-8")
    assert command("explain", "why?", "--answer", "a", "--model", models("qrnn"), "--overwrite").code == 0
    assert "Why this order" in (tmp_path / "explanation.html").read_text(encoding="utf-8")
