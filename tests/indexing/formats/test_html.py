# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import json
import time
from io import BytesIO

import pytest

from answer_selection.indexing.formats import json_file
from answer_selection.indexing.formats.html import read
from answer_selection.indexing.formats.raw import Problem, RawEntry


def entries(html: str) -> list[RawEntry | Problem]:
    return list(read(BytesIO(html.encode())))


def pairs(html: str) -> list[tuple[str, str]]:
    return [(entry.fields["question"], entry.fields["answer"]) for entry in entries(html)]


def script(value: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


def question(name: str, text: str, **more: object) -> dict[str, object]:
    return {"@type": "Question", "name": name, "acceptedAnswer": {"@type": "Answer", "text": text}, **more}


FAQ_PAGE = {
    "@context": "https://schema.org",
    "@type": "FAQPage",
    "mainEntity": [question("How?", "So."), question("Why?", "Thus.")],
}
BOTH = [("How?", "So."), ("Why?", "Thus.")]


@pytest.mark.parametrize(
    "value",
    [
        FAQ_PAGE,
        [FAQ_PAGE],
        {"@context": "https://schema.org", "@graph": [{"@type": "WebSite", "name": "x"}, FAQ_PAGE]},
        {"@type": ["WebPage", "FAQPage"], "mainEntity": {"@list": FAQ_PAGE["mainEntity"]}},
        {
            "@type": "https://schema.org/FAQPage",
            "mainEntity": [{**q, "@type": "schema:Question"} for q in FAQ_PAGE["mainEntity"]],
        },
        {
            "@graph": [
                {"@type": "FAQPage", "mainEntity": [{"@id": "#1"}, {"@id": "#2"}]},
                {"@id": "#1", "@type": "Question", "name": "How?", "acceptedAnswer": {"@id": "#a"}},
                question("Why?", "Thus.", **{"@id": "#2"}),
                {"@id": "#a", "@type": "Answer", "text": "So."},
            ]
        },
    ],
)
def test_json_ld(value: object) -> None:
    assert pairs(f"<html><head>{script(value)}</head><body><p>text</p></body></html>") == BOTH
    as_file = list(json_file.read(BytesIO(json.dumps(value).encode())))
    if isinstance(value, dict):
        assert [(entry.fields["question"], entry.fields["answer"]) for entry in as_file] == BOTH


def test_the_accepted_answer_is_first_then_the_one_with_most_votes() -> None:
    def answers(*votes: object) -> list[dict[str, object]]:
        return [{"@type": "Answer", "text": f"answer with {vote}", "upvoteCount": vote} for vote in votes]

    page = {
        "@type": "QAPage",
        "mainEntity": {"@type": "Question", "name": "How?", "suggestedAnswer": answers(3, "11", "many")},
    }
    [suggested] = entries(script(page))
    assert suggested.fields == {
        "question": "How?",
        "answer": "answer with 11",
        "upvote_count": 11,
        "other_answers": ["answer with 3", "answer with many"],
    }
    page["mainEntity"]["acceptedAnswer"] = answers(1)
    [accepted] = entries(script(page))
    assert accepted.fields["answer"] == "answer with 1"
    assert accepted.fields["other_answers"][0] == "answer with 11"


def test_html_inside_json_ld_becomes_readable_text() -> None:
    texts = {
        "<p>Go <a href='https://x.org'>on</a>.</p><ul><li>a</li><li>b &amp;c": "Go on (https://x.org).\n\n- a\n- b &c",
        "&lt;p&gt;one &amp;amp; two&lt;/p&gt;": "one & two",
        "a < b and c > d": "a < b and c > d",
        "if a<b then": "if a<b then",
        "&lt;name&gt; is a placeholder": "<name> is a placeholder",
        "Type &lt;br&gt; for a line": "Type <br> for a line",
        "plain\ntext": "plain\ntext",
    }
    page = {"@type": "FAQPage", "mainEntity": [question(f"<b>q{i}</b>", text) for i, text in enumerate(texts)]}
    assert pairs(script(page)) == [(f"q{i}", text) for i, text in enumerate(texts.values())]


def test_ids_of_json_ld_count_only_if_they_are_addresses() -> None:
    page = {
        "@type": "FAQPage",
        "mainEntity": [question("a", "b", **{"@id": "https://x.org/faq#7"}), question("c", "d", **{"@id": "#7"})],
    }
    assert [entry.fields.get("entry_id") for entry in entries(script(page))] == ["https://x.org/faq#7", None]


def test_a_broken_script_does_not_stop_the_others() -> None:
    broken, *others = entries(f'<p>x</p>\n<script type="application/ld+json">{{"@type": </script>\n{script(FAQ_PAGE)}')
    assert isinstance(broken, Problem)
    assert broken.location == "JSON-LD in line 2"
    assert broken.message.startswith("expected JSON: ")
    assert [entry.location for entry in others] == ["JSON-LD in line 3", "JSON-LD in line 3"]


MICRODATA = """<!DOCTYPE html><html><body itemscope itemtype="https://schema.org/FAQPage">
<section itemscope itemprop="mainEntity" itemtype="https://schema.org/Question">
  <h3 itemprop="name">How <em>so</em>?</h3>
  <div itemscope itemprop="acceptedAnswer" itemtype="https://schema.org/Answer">
    <div itemprop="text"><p>Like this:</p><ol><li>one</li><li>two</li></ol></div>
  </div>
</section>
<section itemscope itemprop="mainEntity" itemtype="https://schema.org/Question" itemid="urn:why">
  <meta itemprop="name" content="Why?">
  <div itemscope itemprop="suggestedAnswer" itemtype="https://schema.org/Answer">
    <span itemprop="upvoteCount">2</span><p itemprop="text">low</p></div>
  <div itemscope itemprop="suggestedAnswer" itemtype="https://schema.org/Answer">
    <span itemprop="upvoteCount">12</span><p itemprop="text">A &lt;b&gt; high</p></div>
</section>
<section itemscope itemprop="mainEntity" itemtype="https://schema.org/Question"><p itemprop="name">Empty?</p></section>
</body></html>"""


def test_microdata() -> None:
    how, why, empty = entries(MICRODATA)
    assert how == RawEntry(
        "<section itemscope> in line 2", {"question": "How so?", "answer": "Like this:\n\n1. one\n2. two"}
    )
    assert why.fields == {
        "entry_id": "urn:why",
        "question": "Why?",
        "answer": "A <b> high",
        "upvote_count": 12,
        "other_answers": ["low"],
    }
    assert (empty.location, empty.fields) == ("<section itemscope> in line 15", {"question": "Empty?"})


def test_details_have_the_headings_above_them_as_path() -> None:
    html = """<h1>Help</h1><h2>Loans</h2>
<details><summary><h3>How?</h3></summary>So <b>it</b> is.<p>Really.</p></details>
<h2>Rooms</h2>
<details open><summary>Sizes</summary>
<details><summary>Small?</summary>Four.</details><details><summary>Large?</summary><h4>Inside</h4>Forty.</details></details>
<details>no summary</details><details><summary>No answer</summary></details>"""
    assert entries(html) == [
        RawEntry("<details> in line 2", {"question": "How?", "answer": "So it is.\n\nReally."}, ("Help", "Loans")),
        RawEntry("<details> in line 5", {"question": "Small?", "answer": "Four."}, ("Help", "Rooms", "Sizes")),
        RawEntry(
            "<details> in line 5", {"question": "Large?", "answer": "Inside\n\nForty."}, ("Help", "Rooms", "Sizes")
        ),
        RawEntry("<details> in line 6", {"question": "", "answer": "no summary"}, ("Help", "Rooms")),
        RawEntry("<details> in line 6", {"question": "No answer", "answer": ""}, ("Help", "Rooms")),
    ]


def test_definition_lists() -> None:
    html = """<dl><dt>How?<dd>So.<dt>Why?<dt>Wherefore?<dd>Thus.<dd><p>Or thus.<dl><dt>x<dd>y</dl></dl>
<dl><div><dt>Grouped?</dt><dd>Yes.</dd></div><div><dt>Bare?</dt></div></dl>"""
    assert pairs(html) == [
        ("How?", "So."),
        ("Why?", "Thus.\n\nOr thus.\n\nx\ny"),
        ("Wherefore?", "Thus.\n\nOr thus.\n\nx\ny"),
        ("Grouped?", "Yes."),
        ("Bare?", ""),
    ]


@pytest.mark.parametrize(
    "terms",
    [
        "<dt id=renew>Q</dt><dd><p>I want it longer.</p><p>How do I renew?</p></dd><dt>A</dt><dd>Online.</dd>",
        "<dt id=renew>Question 1:<dd>I want it longer. How do I renew?<dt><b>Answer:</b><dd>Online.",
        "<div><dt id=renew>Q.</dt><dd>I want it longer. How do I renew?</dd></div><div><dt>A.<dd>Online.</div>",
    ],
)
def test_terms_that_only_say_q_and_a(terms: str) -> None:
    [first, second] = entries(f"<title>FAQ</title><dl>{terms}<dt>Q<dd>Why?<dt>A<dd>Thus.</dl>")
    assert first.fields == {"question": "I want it longer. How do I renew?", "answer": "Online.", "anchor": "renew"}
    assert second.fields == {"question": "Why?", "answer": "Thus."}


def test_an_entry_found_in_several_forms_is_one_entry() -> None:
    details = (
        "<h2>FAQ</h2><details><summary>how? </summary>So!</details><details><summary>Other?</summary>Yes.</details>"
    )
    definitions = "<dl><dt>Other?<dd>Yes.</dl>"
    microdata = MICRODATA.replace("How <em>so</em>?", "How?").replace("Empty?", "WHY?")
    assert pairs(script(FAQ_PAGE) + microdata) == BOTH
    assert pairs(script(FAQ_PAGE) + details) == [*BOTH, ("Other?", "Yes.")]
    # Within one form, twice is twice: the entries' rules decide.
    assert pairs(details + definitions) == [("how?", "So!"), ("Other?", "Yes."), ("Other?", "Yes.")]


def test_the_same_words_with_other_answers_are_told_apart() -> None:
    fails = "<h2 id=first>It says:</h2><pre>no paper</pre><p>Fill it.</p><h2>It says:</h2><pre>no ink</pre><p>Buy.</p>"
    assert [item.fields for item in entries(f"<title>FAQ</title>{fails}")] == [
        {"question": "It says:", "answer": "no paper\n\nFill it.", "anchor": "first"},
        {"question": "It says: no ink", "answer": "no ink\n\nBuy."},
    ]
    asked = "<h2>How?</h2><p>So.</p><h2>How?</h2><p>Thus.</p><h2>How?</h2><p>So.</p>"
    assert pairs(asked) == [("How?", "So."), ("How? (2)", "Thus."), ("How?", "So.")]


def test_tables_code_and_hidden_parts() -> None:
    html = """<details><summary>Q</summary><style>p {}</style><script>x()</script>
<table><tr><th>Item</th><th>Fee</th></tr>
<tr><td>Book<td>$1<ul><li>net</ul></table><pre><code>a = 1
  b = 2</code></pre><a href="#top">up</a> <a href="mailto:a@b.org">a@b.org</a>
<br>end<template>no</template></details>"""
    assert pairs(html) == [("Q", "Item | Fee\nBook | $1 - net\n\na = 1\n  b = 2\n\nup a@b.org\nend")]


def test_a_table_around_a_block_is_none() -> None:
    frame = "<TABLE><TR><TD><PRE CLASS='SCREEN'>\n  a {\n    b }\n</PRE></TD></TR></TABLE>"
    numbers = "<td class=linenos><div><pre>1\n2</pre></div></td>"
    code = f"<table><tr>{numbers}<td class=code><div><pre>x = 1\n  y</pre></div></td></tr></table>"
    note = "<table><tr><td><p>Note</p><p>Mind the gap.</p></td></tr></table>"
    assert pairs(DETAILS.replace("A", frame)) == [("Q", "  a {\n    b }")]
    assert pairs(DETAILS.replace("A", code)) == [("Q", "x = 1\n  y")]
    assert pairs(DETAILS.replace("A", note)) == [("Q", "Note\n\nMind the gap.")]
    spaced = "<table><tr><td>&nbsp;</td><td><p>Note</p><p>Mind the gap.</p></td><td><img src=x></td></tr></table>"
    assert pairs(DETAILS.replace("A", spaced)) == [("Q", "Note\n\nMind the gap.")]
    prices = "<table><tr><td></td><td>Basic</td></tr><tr><td>Seats</td><td>5</td></tr></table>"
    assert pairs(DETAILS.replace("A", prices)) == [("Q", " | Basic\nSeats | 5")]


@pytest.mark.parametrize(
    ("name", "is_faq"),
    [
        ("docs/FAQ/page30.html", True),
        ("https://x.org/frequently-asked-questions/", True),
        ("/srv/faq.html", True),
        ("IceWM-FAQ.html", True),
        ("docs/faq-build-3.html", True),
        ("2024_faq2.de.html", True),
        ("ParentFAQ.html", True),
        ("docs/nofaq.html", False),
        ("docs/buildFAQBotNow.html", False),
        ("api/FaqController.html", False),
        ("blog/building-a-faq-bot.html", False),
        ("docs/faqir.html", False),
        ("/faq/docs/page30.html", False),
        ("my-faq-site/page30.html", False),
        ("/", False),
    ],
)
def test_a_file_or_folder_may_be_called_faq(name: str, is_faq: bool) -> None:
    page = b"<title>30. It does not print</title><h2>30. It does not print</h2><p>Fill it.</p>"
    assert any(isinstance(item, RawEntry) for item in read(BytesIO(page), name=name)) is is_faq


def test_the_title_of_a_document_stands_for_that_of_the_page() -> None:
    page = '<body class="{}"><p class="c1 {}">Parent FAQ</p><p><b>When does it open?</b></p><p>At 8.</p>'
    for around, title in (("doc-content", "title"), ("", "MsoTitle")):
        assert pairs(page.format(around, title)) == [("When does it open?", "At 8.")]
    assert isinstance(entries(page.format("", "title"))[0], Problem)
    assert isinstance(entries("<h1>School</h1>" + page.format("doc-content", "title"))[0], Problem)


def test_a_page_without_questions_is_a_problem() -> None:
    [problem] = entries("<p>Hello</p>")
    assert problem.message == (
        "expected questions and answers as schema.org questions in JSON-LD or microdata, headings that ask, <details>, "
        "<dl> or accordions; found none. If it is an FAQ, give it a title or a file name that says so"
    )
    [problem] = entries("<title>FAQ</title><p>Hello</p>")
    assert problem.message.endswith("or accordions; found none")
    assert entries("") == []


def test_pages_that_declare_utf_16_in_ascii_and_deep_json_are_read() -> None:
    assert pairs('<meta charset="utf-16"><dl><dt>Où?</dt><dd>Là.</dd></dl>') == [("Où?", "Là.")]
    depth = 400
    nested = '{"a": ' * depth + json.dumps(FAQ_PAGE) + "}" * depth
    assert pairs(f'<script type="application/ld+json">{nested}</script>') == BOTH
    [problem] = entries(f'<script type="application/ld+json">{"[" * 100_000}</script>')
    assert problem.location == "JSON-LD in line 1"
    assert len(entries("<!-- only a comment -->")) == 1


def test_a_page_with_thousands_of_questions_is_read_in_seconds() -> None:
    section = (
        '<div itemscope itemprop="mainEntity" itemtype="https://schema.org/Question"><b itemprop="name">q{0}</b>'
        '<div itemscope itemprop="acceptedAnswer" itemtype="https://schema.org/Answer"><p itemprop="text">a{0}</p>'
        "</div></div>"
    )
    page = (
        "<div itemscope itemtype='https://schema.org/FAQPage'>"
        + "".join(section.format(i) for i in range(2000))
        + "</div>"
    )
    start = time.process_time()
    assert len(entries(page)) == 2000
    assert time.process_time() - start < 60


DETAILS = "<details><summary>Q</summary>A</details>"


@pytest.mark.parametrize("tag", ["div", "font", "ul><li", "table><tr><td"])
def test_a_page_whose_elements_have_no_end_is_read_to_its_own(tag: str) -> None:
    assert pairs(f"<{tag}>" * 600 + DETAILS) == [("Q", "A")]
    assert [answer.strip("- ") for _, answer in pairs(DETAILS.replace("A", f"<{tag}>" * 600 + "A"))] == ["A"]
    assert pairs(f"<{tag}>" * 600 + script(FAQ_PAGE)) == BOTH
    assert len(entries(f"<{tag}>" * 600 + MICRODATA)) == 3
    assert pairs(script({"@graph": [question("Q", f"<{tag}>" * 600 + "A")]}))[0][1].strip("- ") == "A"


def test_a_page_that_is_nested_too_deeply_to_be_read_says_so_and_gives_what_comes_before() -> None:
    first, problem = entries(f"{DETAILS}\n{'<font>' * 3000}{DETAILS}")
    assert first.fields == {"question": "Q", "answer": "A"}
    assert isinstance(problem, Problem)
    assert "cannot be read beyond its line 2" in problem.message
    deep, fine = entries(script([question("Deep?", "<b>" * 3000 + "A"), question("Q", "A")]))
    assert "cannot be read beyond its line 1" in deep.message
    assert "(question: 'Deep?')" in deep.message
    assert fine.fields == {"question": "Q", "answer": "A"}


def test_nested_items_of_microdata_take_no_time_that_grows_with_a_power_of_their_number() -> None:
    item = (
        '<div itemscope itemtype="https://schema.org/Question"><b itemprop="name">q{0}</b>'
        '<div itemscope itemprop="acceptedAnswer"><p itemprop="text">a</p>'
    )
    assert pairs("".join(item.format(i) for i in range(500))) == [(f"q{i}", "a") for i in range(500)]
    chained = item.replace("itemscope", "itemscope itemprop='x'", 1)
    [problem] = entries("".join(chained.format(i) for i in range(900)))
    assert problem == Problem("microdata", None, "items are nested too deeply in one another")


@pytest.mark.parametrize("votes", ["1e999", "-1e999", "NaN", "9" * 5000, '"many"', "[1]", "{}", "null"])
def test_votes_that_are_no_number_are_none(votes: str) -> None:
    page = f'{{"@type": "Question", "name": "Q", "acceptedAnswer": {{"text": "A", "upvoteCount": {votes}}}}}'
    if votes.isdigit():
        [problem] = entries(f'<script type="application/ld+json">{page}</script>')
        assert problem.message.startswith("expected JSON: ")
    else:
        assert pairs(f'<script type="application/ld+json">{page}</script>') == [("Q", "A")]
    [entry] = json_file.read(BytesIO(page.encode()))
    assert entry.fields == {"question": "Q", "answer": "A"}


def test_what_cannot_be_written_down_is_named_and_the_other_questions_are_read() -> None:
    page = [
        question("half \ud83d", "A"),
        question("Q", "half \ud83d"),
        {"@type": "Question", "name": "R", "acceptedAnswer": {"@id": ["#a"], "text": "B"}},
    ]
    first, second, third = entries(script(page))
    assert first.message == "it holds half of a surrogate pair: \\ud83d (question: 'half \\ud83d')"
    assert second.message == "it holds half of a surrogate pair: \\ud83d (question: 'Q')"
    assert third.fields == {"question": "R", "answer": "B"}


@pytest.mark.parametrize("start", ["9" * 5000, "-9", " 7 ", "", "x", "\u0663"])
def test_a_list_begins_with_any_number(start: str) -> None:
    [(_, answer)] = pairs(DETAILS.replace("A", f'<ol start="{start}"><li>one</ol>'))
    assert answer == {"-9": "-9. one", " 7 ": "7. one"}.get(start, "1. one")


@pytest.mark.parametrize("charset", ["undefined", "hex", "klingon", "utf-8", "utf-16"])
def test_a_page_that_declares_no_encoding_of_text_is_in_utf_8(charset: str) -> None:
    assert pairs(f'<meta charset="{charset}">{DETAILS.replace("A", "é")}') == [("Q", "é")]


def test_terms_and_answers_may_stand_in_elements_of_their_own() -> None:
    rows = """<dl><div class="row"><div><dt>How?</dt></div><div><dd>So.</dd></div></div>
<section><dt>Why?</dt><dd>Thus.<dl><dt>x<dd>y</dl></dd></section></dl>"""
    assert pairs(rows) == [("How?", "So."), ("Why?", "Thus.\nx\ny")]
    lost, found = entries("<dl><dd>Nobody asked.</dd><dt>How?</dt><dd>So.</dd></dl>")
    assert lost.fields == {"question": "", "answer": "Nobody asked."}
    assert found.fields == {"question": "How?", "answer": "So."}


@pytest.mark.parametrize(
    ("between", "answer"),
    [
        ("<dd>By train.</dd><ul><li>Line 4</ul><dd>Or walk.</dd>", "By train.\n\n- Line 4\n\nOr walk."),
        ("<dd>By train.</dd><p>Line 4.</p>", "By train.\n\nLine 4."),
        ("<dd>By train.</dd>Line 4.", "By train.\n\nLine 4."),
        ("<dd>By train:</dd><dl><dt>4</dt><dd>from the harbour</dd></dl>", "By train:\n4\nfrom the harbour"),
        ("<p>By train.</p>", "By train."),
        ("<pre>line 4</pre><dd>Or walk.</dd>", "line 4\n\nOr walk."),
    ],
)
@pytest.mark.parametrize("group", ["{}", "<div>{}</div>"])
def test_what_stands_between_definitions_belongs_to_the_one_before(group: str, between: str, answer: str) -> None:
    terms = group.format(f"<dt>How do I get there?</dt>{between}"), group.format("<dt>When?</dt><dd>At nine.</dd>")
    html = f"<title>FAQ</title><dl>{terms[0]}<a name=when></a>{terms[1]}</dl>"
    first, last = entries(html)
    assert first.fields == {"question": "How do I get there?", "answer": answer}
    assert last.fields == {"question": "When?", "answer": "At nine.", "anchor": "when"}


@pytest.mark.parametrize(
    "title",
    [
        "<p><b>Tickets</b></p>",
        "<b>Tickets</b>",
        "<h3>Tickets</h3>",
        "<p><b>Tickets</b></p><!-- at the gate --><hr>",
        "<p><b>Tickets</b></p><p>This part is of tickets.</p>",
        "<div><h3>Tickets</h3><p>This part is of tickets.</p></div>",
        "<a name=tickets>Tickets</a>",
        "<big>Tickets</big>",
    ],
)
def test_a_title_between_terms_is_in_no_answer(title: str) -> None:
    html = f"<title>FAQ</title><dl><dt>When?</dt><dd>At nine.</dd>{title}<dt>Where?</dt><dd>At the gate.</dd></dl>"
    assert pairs(html) == [("When?", "At nine."), ("Where?", "At the gate.")]


def test_a_list_of_questions_below_the_name_of_its_section_is_no_definition() -> None:
    section = "<dt>Tickets</dt><dl><dt>Where?</dt><dd>At the gate.</dd></dl>"
    found = pairs(f"<title>FAQ</title><dl><dt>When?</dt><dd>At nine.</dd>{section}</dl>")
    assert found == [("When?", "At nine."), ("Tickets", "")]


def test_text_is_kept_wherever_it_stands() -> None:
    html = """<ul>Bring<li>a card</li>and<li>a book</li>please</ul>
<table><tr>Fees<td>Book</td><td></td><form>by <b>mail</b></form>$1</tr></table>
<pre>a = 1<br>b = 2<!-- c --> # d</pre>"""
    [(_, answer)] = pairs(DETAILS.replace("A", html))
    expected = "Bring\n- a card\nand\n- a book\nplease\n\nFees | Book |  | by mail | $1\n\na = 1\nb = 2 # d"
    assert answer == expected


@pytest.mark.parametrize("kind", ["application/ld+json; charset=utf-8", "Application/LD+JSON", " application/ld+json"])
def test_json_ld_by_any_spelling_of_its_type(kind: str) -> None:
    assert pairs(script(FAQ_PAGE).replace("application/ld+json", kind)) == BOTH
    [problem] = entries(script(FAQ_PAGE).replace("application/ld+json", "application/json"))
    assert "found none" in problem.message


def test_lines_end_as_in_unix() -> None:
    assert pairs(DETAILS.replace("A", "<pre>a\r\nb\rc</pre>")) == [("Q", "a\nb\nc")]
    [entry] = entries(script(question("Q", "a\r\nb", suggestedAnswer={"text": "c\rd"})))
    assert (entry.fields["answer"], entry.fields["other_answers"]) == ("a\nb", ["c\nd"])


FOOT = """<title>FAQ</title><h2>How?</h2><p>So.</p><p align="right"><i>{}</i></p><h2>Hours</h2><p>{} are there.</p>
<div id="foot"><h3>Validation</h3><a href="https://validator.example.org/check?uri=referer">Valid HTML</a></div>"""


@pytest.mark.parametrize(
    "line",
    [
        "Back to the <a href='#top'>top</a>",
        "Back to <a href='#top'>FAQ index</a>.",
        "Zurück zur <a href='#index'>Übersicht</a>",
        "<a href='#a'>Nach oben</a>",
    ],
)
def test_lines_that_lead_back_and_what_a_page_says_of_its_own_html_are_no_answers(line: str) -> None:
    assert pairs(FOOT.format(line, "Links <a href='#x'>to the top</a>"))[0] == ("How?", "So.")
    assert [question for question, _ in pairs(FOOT.format(line, line))] == ["How?", "Hours"]


def test_items_of_a_list_that_ask_are_questions_in_an_faq() -> None:
    html = """<title>{}</title><h1>Shop</h1><ol><li id="pay"><p>How do I pay?</p><p>By card.</p></li>
<li>When?<br>Now.<ul><li>Or later?</li></ul></li></ol>"""
    assert pairs(html.format("FAQ")) == [("How do I pay?", "By card."), ("When?", "Now.\n- Or later?")]
    assert [entry.fields.get("anchor") for entry in entries(html.format("FAQ"))] == ["pay", None]
    assert isinstance(entries(html.format("Shop"))[0], Problem)


def test_bold_questions_behind_a_q_below_a_spaced_heading() -> None:
    html = """<title>Tool</title><h2>F A Q</h2><a name="a">Q: <b>Is it free?</b></a><br>A: Yes.<br><br>
<a name="b">Q: <b>It is slow.</b></a><br>A: Wait.<h2>Q and Q: <b>no?</b></h2>"""
    assert pairs(html) == [("Is it free?", "Yes."), ("It is slow.", "Wait.")]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (
            "<title>FAQ</title><h2>Other languages?</h2><p>See <a rel=alternate hreflang=fr href=fr.html>it</a>.</p>",
            [("Other languages?", "See it (fr.html).")],
        ),
        (
            "<title>FAQ</title><h2>Why?</h2><p>So.</p><div class=bottomlang><p><span>Languages: </span>"
            "<a rel=alternate hreflang=en href=en>en</a> | <a rel=alternate hreflang=fr href=fr>fr</a></p></div>",
            [("Why?", "So.")],
        ),
        (
            "<title>FAQ</title><h2>Which units?</h2><dl><dt>Q<dd>Charge<dt>A<dd>Area</dl>",
            [("Which units?", "Q\nCharge\nA\nArea")],
        ),
        (
            "<title>FAQ</title><h2>What is for lunch?</h2><table><tr class=menu><td>soup<td>3</table>",
            [("What is for lunch?", "soup | 3")],
        ),
        (
            "<title>FAQ</title><h2>How?</h2><p>So.</p><div class=tip><h2 class=title>When?</h2><p>Now.</p></div>",
            [("How?", "So."), ("When?", "Now.")],
        ),
        (
            "<title>FAQ</title><h2>Paper, ink etc.</h2><p>All.</p><h3>Loading</h3><p>Push.</p>",
            [("Paper, ink etc.", "All."), ("Loading", "Push.")],
        ),
        (
            "<title>FAQ</title>" + "".join(f"<h2>Error:</h2><p>x</p><p>{number}</p>" for number in (1, 2, 3)),
            [("Error:", "x\n\n1"), ("Error: x", "x\n\n2"), ("Error: (3)", "x\n\n3")],
        ),
    ],
)
def test_what_looks_like_navigation_or_marks_and_is_none_stays(page: str, expected: list[tuple[str, str]]) -> None:
    assert pairs(page) == expected


def test_items_that_do_not_ask_in_a_list_of_questions_are_ones_too() -> None:
    html = "<title>FAQ</title><ol><li>Why?<br>Because.</li>{}<li>It fails.<br>Restart.</li></ol>"
    expected = [("Why?", "Because."), ("Who?", "We."), ("It fails.", "Restart.")]
    assert pairs(html.format("<li>Who?<br>We.</li>")) == expected
    assert isinstance(entries(html.format(""))[0], Problem)
    assert isinstance(entries(html.format("<li>Who?</li>"))[0], Problem)


def test_the_name_of_the_site_may_stand_above_the_title_of_a_page() -> None:
    page = """<title>Troubleshooting \u2014 The oven</title><div><h1><a href="/">The oven</a></h1></div>
    <h1>{}</h1><h3>It is cold</h3><p>Heat it.</p>"""
    assert pairs(page.format("Troubleshooting")) == [("It is cold", "Heat it.")]
    assert isinstance(entries(page.format("A course of troubleshooting"))[0], Problem)
    assert [
        item.fields["question"] for item in read(BytesIO(page.format("Ovens").encode()), name="troubleshoot.html")
    ] == ["It is cold"]


def test_the_page_of_one_question_gives_nothing_else_that_asks() -> None:
    html = """<title>bash - How do I quit? - Q</title><div itemscope itemtype="https://schema.org/QAPage">
    <div itemprop="mainEntity" itemscope itemtype="https://schema.org/Question">
    <h1 itemprop="name"><a href="/q/1">How do I quit?</a></h1><div itemprop="text">I can't.</div>
    <h2>2 Answers</h2><div itemprop="suggestedAnswer" itemscope itemtype="https://schema.org/Answer">
    <p itemprop="text">Type q.</p></div></div></div><div class="question">Can you?</div><div class="answer">No.</div>
    <h2>How do I begin?</h2><p>Elsewhere.</p>"""
    assert pairs(html) == [("How do I quit?", "Type q.")]


POSTING = """<title>{0} - Forum</title><h1><a href="/t/1">{0}</a></h1>
<div itemscope itemtype="http://schema.org/DiscussionForumPosting"><meta itemprop="headline" content="{0}">
<div itemprop="text"><p>I forgot it.</p></div>
<div itemprop="comment" itemscope itemtype="http://schema.org/Comment"><div itemprop="text"><p>Ask Jo.</p></div></div>
<div itemprop="comment" itemscope itemtype="http://schema.org/Comment"><div itemprop="text">Or Al.</div></div></div>"""


def test_what_others_say_to_a_question_in_a_forum_is_its_answer() -> None:
    [found] = entries(POSTING.format("How do I reset it?"))
    assert isinstance(found, RawEntry)
    assert (found.fields["question"], found.fields["answer"]) == ("How do I reset it?", "Ask Jo.")
    assert found.fields["other_answers"] == ["Or Al."]
    assert all(isinstance(item, Problem) for item in entries(POSTING.format("Release 2.0 is out")))


@pytest.mark.parametrize(
    "part",
    [
        '<dl class="article-info muted"><dt>Details</dt><dd>Hits: 12</dd></dl>',
        '<div class="ufaq-author-date">Posted by admin</div>',
        '<div class="ufaq-permalink"><a href="x">Permalink</a></div>',
        '<a class="permalink" href="x">#</a>',
        '<p class="article-vote-thanks">Send feedback</p>',
        "<p><i>Last revised May 5, 2025</i></p>",
        # jQuery Mobile's
        '<div data-role="footer"><h4>Books</h4><p>All of them.</p></div>',
        '<div data-role="panel"><ul><li><a href="a">Shelves</a></li><li><a href="b">Desks</a></li></ul></div>',
        '<div><a href="index.html" data-role="button">All Questions &amp; Answers</a></div>',
    ],
)
def test_what_products_write_beside_an_answer_is_no_part_of_it(part: str) -> None:
    html = f"<title>FAQ</title><h1>FAQ</h1><h2>How?</h2>{part}<p>So.</p><h2>Why?</h2><p>Because.</p>{part}"
    assert pairs(html) == [("How?", "So."), ("Why?", "Because.")]


@pytest.mark.parametrize(
    "foot",
    [
        "Go to the <a href='b.html'>next</a> section or return to the <a href='index.html'>index</a>.",
        "<a href='all.html'>Index of all vignette topics</a>",
    ],
)
def test_where_to_go_from_here_is_no_part_of_an_answer_that_says_more(foot: str) -> None:
    html = f"<title>FAQ</title><h1>FAQ</h1><h2>How?</h2><p>So.</p><p>{foot}</p><h2>Where?</h2><p>{foot}</p>"
    assert next(answer for _, answer in pairs(html)) == "So."
    assert len(pairs(html)) == 2


def test_what_holds_an_article_may_be_called_its_info() -> None:
    html = '<title>FAQ</title><div class="article-info"><h1>FAQ</h1><h2>How?</h2><p>So.</p></div>'
    assert pairs(html) == [("How?", "So.")]


def test_a_link_to_print_is_in_no_question() -> None:
    heading = '<h2>How do I quit? <a class="print--remove" href="javascript:print()">Print</a></h2>'
    assert pairs(f"<title>Help</title>{heading}<p>Type q.</p>") == [("How do I quit?", "Type q.")]


@pytest.mark.parametrize(
    "line",
    [
        "<a name='{0}'>{1}</a>",
        "<p><a id='{0}'></a>{1}</p>",
        "<div><a name='{0}'></a>{1}</div>",
        "<a id='{0}'></a><p>{1}</p>",
    ],
)
def test_lines_that_a_table_of_contents_leads_to_are_questions(line: str) -> None:
    titles = {"a": "How do I pay?", "b": "Lost cards", "c": "Do you refund?"}
    contents = "".join(f"<li><a href='#{name}'>{title}</a></li>" for name, title in titles.items())
    body = "".join(f"{line.format(name, title)}<p>About {name}.</p>" for name, title in titles.items())
    assert pairs(f"<title>FAQ</title><h1>FAQ</h1><ul>{contents}</ul><hr>{body}") == [
        (title, f"About {name}.") for name, title in titles.items()
    ]


def test_a_title_that_says_what_is_wrong_keeps_its_answer_above_other_questions() -> None:
    html = """<title>FAQ</title><h1>FAQ</h1><h2>Network</h2><h3>{}</h3><p>Look here.</p>
    <h4>Why is it so?</h4><p>Because.</p><h2>Other</h2><h3>Is it free?</h3><p>Yes.</p>"""
    troubles = (
        "I was charged twice",
        "(1) I send all to port five. It works for me but my clients can't reach it at all, and why.",
    )
    for title in troubles:
        assert (title.removeprefix("(1) "), "Look here.") in pairs(html.format(title))
    assert "Look here." not in [answer for _, answer in pairs(html.format("Ports"))]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("[A.1] What is it?", "Réponse: So."),
        ("1\u3001What is it?", "Risposta: So."),
        ("Domanda: What is it?", "<b>Resposta:</b> So."),
    ],
)
def test_numbers_and_marks_of_other_languages_go(question: str, answer: str) -> None:
    html = f"<title>FAQ</title><h1>FAQ</h1><h2>{question}</h2><p>{answer}</p><h2>Is it?</h2><p>Yes.</p>"
    assert pairs(html)[0] == ("What is it?", "So.")


@pytest.mark.parametrize(
    "question", ["\u53ef\u4ee5\u9000\u6b3e\u5417", "\u89e3\u7d04\u3067\u304d\u307e\u3059\u304b\u3002"]
)
def test_some_languages_have_words_that_end_a_question(question: str) -> None:
    assert pairs(f"<title>Hilfe</title><h2>{question}</h2><p>So.</p><h2>Text</h2><p>No.</p>") == [(question, "So.")]


@pytest.mark.parametrize(
    "html",
    [
        '<h2><a class="permalink" href="/a">How?</a></h2><p>So.</p>',
        '<div class="faq-permalink"><h2>How?</h2><p>So.</p></div>',
        '<h2>How?</h2><dl class="article-info"></dl><p class="article-voted">So.</p>',
    ],
)
def test_what_is_called_as_what_products_write_stays(html: str) -> None:
    assert pairs(f"<title>FAQ</title><h1>FAQ</h1>{html}") == [("How?", "So.")]
    page = f"<title>FAQ</title><h1>FAQ</h1>{html.replace('So.', 'See the <a href=#top>index</a> or ask.')}"
    assert pairs(page) == [("How?", "See the index or ask.")]


def test_a_revised_edition_is_content() -> None:
    html = "<title>FAQ</title><h1>FAQ</h1><h2>What is new?</h2><p>Revised chapters, and exercises.</p>"
    assert pairs(html) == [("What is new?", "Revised chapters, and exercises.")]


def test_a_posting_nobody_commented_on_leaves_the_page_as_it_shows_itself() -> None:
    html = """<title>Forum</title><h1>How do I reset it?</h1><div itemscope
    itemtype="https://schema.org/DiscussionForumPosting"><meta itemprop="headline" content="How do I reset it?">
    <p itemprop="text">I forgot it.</p></div><p>Ask Jo.</p>"""
    assert pairs(html) == [("How do I reset it?", "I forgot it.\n\nAsk Jo.")]


def test_headings_below_a_declared_question_stay_in_an_faq() -> None:
    html = f"""<title>FAQ</title>{script(question("How do I update?", "See below."))}<h1>FAQ</h1>
    <h2>How do I update?</h2><p>See below.</p><h3>On Windows</h3><p>Click.</p><h2>Is it free?</h2><p>Yes.</p>"""
    assert ("How do I update? \u203a On Windows", "Click.") in pairs(html)


@pytest.mark.parametrize(
    "foot",
    [
        '<ul><li class="footer">Copyright by Bill. <a href="x">TOOL</a></li></ul>',
        '<hr><a href="2.html">Next</a> Previous <a href="#toc">Contents</a>',
        '<hr><a href="2.html">P\u00e1gina siguiente</a> P\u00e1gina anterior <a href="#toc">\u00cdndice general</a>',
        '<hr><a href="2.html">Weiter</a> Zur\u00fcck <a href="#toc">Inhalt</a>',
        '<hr><div class="docs-license"><p>The text is free for <a href="l">all</a>.</p></div>',
    ],
)
def test_the_foot_of_a_generator_is_no_answer(foot: str) -> None:
    assert pairs(f"<title>FAQ</title><h1>FAQ</h1><h2>How?</h2><p>So.</p>{foot}") == [("How?", "So.")]
    ends = '<hr><a href="2.html">Next</a> see the <a href="#toc">contents</a>'
    assert pairs(f"<title>FAQ</title><h1>FAQ</h1><h2>How?</h2><p>So.</p>{ends}")[0][1].startswith("So.\n\nNext")


def test_details_and_limitations_beside_a_solution_are_parts_of_the_answer() -> None:
    html = """<title>FAQ</title><h1>FAQ</h1><h2>The menu is slow</h2><p>It is.</p><h3>Details</h3><p>Xaw.</p>
    <h3>Solution</h3><p>Set it.</p><h3>Limitations</h3><p>None.</p><h2>Why?</h2><p>So.</p>"""
    assert pairs(html) == [
        ("The menu is slow", "It is.\n\nDetails\n\nXaw.\n\nSolution\n\nSet it.\n\nLimitations\n\nNone."),
        ("Why?", "So."),
    ]


def test_lists_of_what_another_page_has_are_no_answers_below_a_link_to_it() -> None:
    items = '<ul><li><a name="toc1.1">1.1</a> <a href="{}.html#s1">How, and when?</a></ul>'
    chapter = f'<h2><a name="toc1">1.</a> <a href="1.html">How?</a></h2>{items}'
    html = "<title>FAQ</title><h1>FAQ</h1>{}<h2>Why?</h2><p>So.</p><h2>When?</h2><p>Now.</p>"
    assert pairs(html.format(chapter.format("1"))) == [("Why?", "So."), ("When?", "Now.")]
    assert pairs(html.format(chapter.format("2")))[0] == ("How?", "- 1.1 How, and when? (2.html#s1)")


def test_one_of_several_pairs_of_q_and_a_need_not_ask() -> None:
    pair = "<ul><li><dl><dt><strong>Q</strong><dd><p>{}</p><dt><strong>A</strong><dd>So.</dl></ul>"
    html = "<title>FAQ</title><h1>FAQ</h1>" + "".join(map(pair.format, ["Why?", "It is cold.", "When?"]))
    assert pairs(html) == [("Why?", "So."), ("It is cold.", "So."), ("When?", "So.")]
    assert pairs(html.replace("</strong>", '</strong><span class="colon">:</span>')) == pairs(html)


def test_a_link_to_edit_a_page_is_no_answer() -> None:
    html = '<title>FAQ</title><h1>FAQ</h1><h2>How?</h2><p>So.</p><p><a href="/edit">Edit this page on GitHub</a></p>'
    assert pairs(html) == [("How?", "So.")]


def test_front_matter_above_a_page_holds_questions_as_in_markdown() -> None:
    html = """---
layout: themes/pricing
faqs:
  items:
    - question: "Is there a free trial?"
      answer: "Yes, of <b>14</b> days."
---
<h1>{{ page.title }}</h1><details><summary>Is there a free trial?</summary><p>It is said again.</p></details>
<details><summary>And then?</summary><p>You pay.</p></details>"""
    assert pairs(html) == [("Is there a free trial?", "Yes, of 14 days."), ("And then?", "You pay.")]
