# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Small pages as sites of different make have them, read as a whole."""

import time
from io import BytesIO

import pytest

from answer_selection.indexing.formats.html import read
from answer_selection.indexing.formats.raw import Problem, RawEntry


def entries(html: str) -> list[RawEntry | Problem]:
    return list(read(BytesIO(html.encode())))


def pairs(html: str) -> list[tuple[str, str]]:
    return [(entry.fields["question"], entry.fields["answer"]) for entry in entries(html)]


def anchors(html: str) -> list[str | None]:
    return [entry.fields.get("anchor") for entry in entries(html)]


BOOTSTRAP = """<html><head><title>Shop</title></head><body>
<nav class="navbar"><button data-bs-toggle="collapse" data-bs-target="#menu">Menu</button>
<div id="menu"><a href="/">Home</a></div></nav>
<header><h1>How can we help?</h1></header>
<div class="accordion" id="faq">
  <div class="accordion-item">
    <h2 class="accordion-header"><button class="accordion-button" type="button" data-bs-toggle="collapse"
      data-bs-target="#one" aria-expanded="true" aria-controls="one">Which cards do you take?</button></h2>
    <div id="one" class="accordion-collapse collapse show"><div class="accordion-body">
      <p>These:</p><ul><li>debit</li><li>credit</li></ul></div></div>
  </div>
  <div class="accordion-item">
    <button class="accordion-button" data-bs-target="#two">Refunds</button>
    <div id="two" class="accordion-collapse collapse">Within <b>ten</b> days.</div>
  </div>
</div>
<h3>Still have questions?</h3><p>Call us.</p>
<footer><h4>Company</h4><p>Why us?</p></footer></body></html>"""


def test_an_accordion_of_bootstrap() -> None:
    assert pairs(BOOTSTRAP) == [
        ("Which cards do you take?", "These:\n\n- debit\n- credit"),
        ("Refunds", "Within ten days."),
    ]
    assert anchors(BOOTSTRAP) == ["one", "two"]


WORDPRESS = """<html><head><title>FAQ &#8211; Bakery</title></head><body class="page wp-embed">
<header class="site-header"><p class="site-title">Bakery</p></header>
<main id="content"><article><header class="entry-header"><h1 class="entry-title">Your questions</h1></header>
<div class="entry-content"><p>We bake since 1990.</p>
<div class="schema-faq wp-block-yoast-faq-block">
<div class="schema-faq-section" id="faq-question-1"><strong class="schema-faq-question">Do you deliver?</strong>
<p class="schema-faq-answer">Yes, <a href="/towns">to these towns</a>.</p></div>
<div class="schema-faq-section" id="faq-question-2"><strong class="schema-faq-question">Is the bread vegan?</strong>
<p class="schema-faq-answer">All but the brioche.</p></div></div></div></article>
<div id="comments" class="comments-area"><h2>Leave a Reply</h2><p>Your address stays secret.</p></div></main>
<aside class="sidebar"><h3>Recent Posts</h3><ul><li><a href="/a">What is rye?</a></li></ul></aside>
</body></html>"""


def test_a_block_of_wordpress() -> None:
    assert pairs(WORDPRESS) == [
        ("Do you deliver?", "Yes, to these towns (/towns)."),
        ("Is the bread vegan?", "All but the brioche."),
    ]
    assert anchors(WORDPRESS) == ["faq-question-1", "faq-question-2"]


HELP_CENTRE = """<html><head><title>Billing FAQ | Help Center</title></head><body>
<header class="header"><a href="/">Help Center</a><form role="search"><h1>Search</h1></form></header>
<main role="main"><ol class="breadcrumbs"><li>Help</li><li>Billing</li></ol>
<article class="article"><h1 title="Billing FAQ">Billing FAQ</h1>
<ul><li><a href="#h_1">When am I billed?</a></li><li><a href="#h_2">Changing the card</a></li>
<li><a href="#h_3">How do I cancel?</a></li></ul>
<div class="article-body"><h2 id="h_1">When am I billed?</h2><p>On the 1st.</p>
<h2 id="h_2">Changing the card</h2><ol><li>Open <em>Settings</em>.</li><li>Choose a card.</li></ol>
<h2 id="h_3">How do I cancel?</h2><p>It depends.</p><h3>On the web</h3><p>Press <i>Cancel</i>.</p>
<h3>By phone</h3><p>Call us.</p></div>
<div class="article-votes"><h2>Was this article helpful?</h2><button>Yes</button> <button>No</button>
<small>3 out of 4 found this helpful</small></div></article>
<section class="related-articles"><h3>Related articles</h3><ul><li><a href="/x">What is VAT?</a></li></ul></section>
</main></body></html>"""


def test_an_article_of_a_help_centre() -> None:
    assert pairs(HELP_CENTRE) == [
        ("When am I billed?", "On the 1st."),
        ("Changing the card", "1. Open Settings.\n2. Choose a card."),
        ("How do I cancel?", "It depends.\n\nOn the web\n\nPress Cancel.\n\nBy phone\n\nCall us."),
        ("How do I cancel? \u203a On the web", "Press Cancel."),
        ("How do I cancel? \u203a By phone", "Call us."),
    ]
    assert anchors(HELP_CENTRE)[:3] == ["h_1", "h_2", "h_3"]


SPHINX = """<html><head><title>1.2. Frequently asked questions &#8212; Tool 3</title></head><body>
<div class="related" role="navigation"><h3>Navigation</h3><ul><li><a href="x" rel="next">next</a></li></ul></div>
<div class="document"><div class="body" role="main"><section id="faq">
<h1>1.2. Frequently asked questions<a class="headerlink" href="#faq" title="Permalink">¶</a></h1>
<nav class="contents local" id="contents"><ul><li><a href="#how">How?</a></li></ul></nav>
<section id="install"><h2><span class="section-number">1.2.1. </span>Install<a class="headerlink"
href="#install">¶</a></h2>
<p>All about it.</p>
<section id="how"><h3>1.2.1.1. How do I build it?<a class="headerlink" href="#how">¶</a></h3>
<p>Run this:</p><div class="highlight"><pre>make
    install</pre></div>
<dl class="simple"><dt>-j</dt><dd><p>in parallel</p></dd></dl>
<aside class="admonition note"><p>Be root.</p></aside></section>
<section id="err"><h3>1.2.1.2. make: not found<a class="headerlink" href="#err">¶</a></h3><p>Install it.</p></section>
</section><section id="see-also"><h2>See also</h2><p>The manual.</p></section></section></div></div>
<div class="sphinxsidebar"><h3>Table of Contents</h3><p>Why?</p></div><div class="footer">&copy; Me.</div>
</body></html>"""


def test_a_page_of_sphinx() -> None:
    how, error = entries(SPHINX)
    assert how.fields == {
        "question": "How do I build it?",
        "answer": "Run this:\n\nmake\n    install\n\n-j\n\nin parallel\n\nBe root.",
        "anchor": "how",
    }
    assert how.headings == ("Frequently asked questions", "Install")
    assert error.fields == {"question": "make: not found", "answer": "Install it.", "anchor": "err"}


JSON_LD = """<html><head><script type="application/ld+json">{"@context": "https://schema.org", "@type": "FAQPage",
"mainEntity": [
{"@type": "Question", "name": "How long?", "acceptedAnswer": {"@type": "Answer", "text": "A week."}},
{"@type": "Question", "name": "How much?", "acceptedAnswer": {"@type": "Answer", "text": "Ten."}}]}</script>
<title>Prices and FAQ</title></head><body><h1>Prices</h1><h2>Small</h2><p>Ten a month.</p>
<h2>FAQ</h2><h3 id="long">1. How long?</h3><p>A week.</p><h3 id="much">2. How much?</h3><p>Ten.</p>
<h3 id="where">3. Where?</h3><p>Here.</p></body></html>"""


def test_questions_that_a_page_declares_and_shows_come_once_with_their_anchors() -> None:
    assert pairs(JSON_LD) == [("How long?", "A week."), ("How much?", "Ten."), ("Where?", "Here.")]
    assert anchors(JSON_LD) == ["long", "much", "where"]


OLD = """<html><head><title>The Oven FAQ</title></head><body><center><h2>Oven FAQ</h2></center>
<ol><li><a href="#q1">How hot?</a><li><a href="#q2">How long?</a><li><a href="#q3">Why me?</a></ol><hr>
<a name="q1"></a><p><b>Q1. How hot?</b><p>A. 200 degrees. <a href="#top">[Top]</a>
<p><a name="q2"><b>Q2: How long?</b></a><br>An hour,
<pre>or
  two</pre>
<table><tr><td><a name="q3"><b>Q3) Why me?</b></a></td></tr><tr><td>Why not?</td></tr></table>
<hr><p>Last updated: 1999</p></body></html>"""


@pytest.mark.parametrize(
    "end", ["Last updated: 1999", "<small><i>This page last modified on <a href='/log'>1999-07-27</a> UTC</i></small>"]
)
def test_a_page_by_hand_with_questions_in_bold_print(end: str) -> None:
    page = OLD.replace("Last updated: 1999", end)
    assert pairs(page) == [
        ("How hot?", "200 degrees."),
        ("How long?", "An hour,\n\nor\n  two"),
        ("Why me?", "Why not?"),
    ]
    assert anchors(page) == ["q1", "q2", "q3"]


def test_headings_inside_a_jquery_ui_accordion() -> None:
    html = """<div id="accordion"><h3 role="tab" aria-controls="p1" id="t1">How?</h3>
<div id="p1" role="tabpanel"><p>So.</p></div><h3 role="tab" aria-controls="p2">Why?</h3><div id="p2">Thus.</div></div>
<p>Below all.</p>"""
    assert pairs(html) == [("How?", "So."), ("Why?", "Thus.")]


def test_documentation_that_asks_nothing_has_no_entries() -> None:
    html = """<title>Library reference</title><h1>os</h1><p>Text.</p><h2>Files</h2><p>Open them.</p>
<dl class="py function"><dt>os.open(path)</dt><dd>Opens it.</dd></dl>
<dl><dt>-a</dt><dd>All.</dd><dt>-b</dt><dd>Both.</dd><dt>--why?</dt><dd>Says why.</dd></dl>
<button aria-controls="c">Show more</button><div id="c">More.</div>
<p><b>Is this bold?</b> Yes.</p><h2>What's next?</h2><p>The next chapter.</p>"""
    [problem] = entries(html)
    assert isinstance(problem, Problem)


def test_a_part_of_a_page_may_be_its_faq() -> None:
    html = """<title>Tool</title><h1>Tool</h1><h2>Features</h2><p>Fast.</p><h2>Is it free?</h2><p>Yes.</p>
<h2>FAQ</h2><h3>Windows</h3><p>Works.</p><h2>Licence</h2><p>MIT.</p>"""
    assert pairs(html) == [("Is it free?", "Yes."), ("Windows", "Works.")]


def test_what_does_not_ask_below_a_question_belongs_to_its_answer() -> None:
    html = """<title>FAQ</title><h2>How do I set it up?</h2><p>Choose:</p><dl><dt>fast</dt><dd>no checks</dd></dl>
<details><summary>Log</summary>ok</details><p><b>Why bold?</b> It is a part.</p>
<h2>Where?</h2><dl><dt>Here?</dt><dd>Yes.</dd></dl>"""
    assert pairs(html) == [
        ("How do I set it up?", "Choose:\n\nfast\nno checks\nLog\nok\n\nWhy bold? It is a part."),
        ("Here?", "Yes."),
    ]


def test_a_question_without_an_answer_is_named_but_not_one_that_leads_to_another_page() -> None:
    html = """<title>FAQ</title><h2><a href="/how.html">How?</a></h2><h2>Why?</h2><h2>When?</h2><p>Now.</p>"""
    assert pairs(html) == [("Why?", ""), ("When?", "Now.")]


def test_signs_around_a_question_are_no_part_of_it() -> None:
    html = """<title>FAQ</title><h2><img alt="Info" src="i.png"> » <a href="https://x.org/how">How?</a></h2><p>So.</p>
<p>2. <b>Why?</b></p><p>Thus.</p><p>3. <b>It fails</b></p><p>Wait.</p><ul><li><i>When?</i><p>Now.</li></ul>"""
    assert pairs(html.replace("<h2>", "<h2>Section</h2><p>1. <b>").replace("</h2><p>So", "</b></p><p>So")) == [
        ("How?", "So."),
        ("Why?", "Thus."),
        ("It fails", "Wait."),
        ("When?", "Now."),
    ]
    assert pairs(html)[0][0] == "How?"
    assert pairs('<title>FAQ</title><h2><img alt="How?"></h2><p>So.</p>') == [("How?", "So.")]


def test_the_only_heading_of_an_article_may_be_its_question() -> None:
    html = "<title>Help</title><article><h1>How do I log in?</h1><p>With your card.</p></article>"
    assert pairs(html) == [("How do I log in?", "With your card.")]
    several = html.replace("</article>", "<h2>Which card?</h2><p>Any.</p><h2>Which PIN?</h2><p>Yours.</p></article>")
    assert pairs(several) == [("Which card?", "Any."), ("Which PIN?", "Yours.")]


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ('<h2 id="a">How?</h2>', "a"),
        ('<h2><a id="user-content-how" class="anchor" href="#how"></a>How?</h2>', "how"),
        ('<h2><a name="b"></a>How?</h2>', "b"),
        ('<h2><span id="c">How?</span></h2>', "c"),
        ('<a name="d"></a><h2>How?</h2>', "d"),
        ('<p><a name="e"></a></p><h2>How?</h2>', "e"),
        ('<a name="h"></a><br>\n<br><b>How?</b>', "h"),
        ('<a name="i"></a>Before.<br><b>How?</b>', None),
        ('<div class="section" id="f"><div class="title"><h2>How?</h2></div></div>', "f"),
        ('<div id="g"><p>Before.</p><h2>How?</h2></div>', None),
    ],
)
def test_the_anchor_of_a_question(heading: str, anchor: str | None) -> None:
    assert anchors(f"<title>FAQ</title><p>x</p>{heading}<p>So.</p>") == [anchor]


@pytest.mark.slow
@pytest.mark.parametrize(
    "part",
    [
        "<h2>Q?</h2>",
        "<h2>Q?</h2>A",
        '<button aria-controls="p">Q?</button>',
        '<a class="anchor" href="#x">#</a>',
        "<p><b>Q?</b>",
        "<p>1. <b>Q?</b>",
        "<ul><li><a href='#x'>Q?</a>",
        "<ul><li>Is it on?",
        "<h3>T</h3><p>x<details><summary>Log</summary>y</details>",
        "<p>x</p><details><summary>Log</summary>y</details>",
        "<dl><dt>a?<dd>b<h3>c</h3>",
        "<dl><dt>a</dt>",
        "<dl><dt>a</dt><p>b</p>",
        "<div><p>a</p><dd>b</dd>c",
        '<div class="question">Q?</div>',
        '<p><a rel="next" href="x">next</a>',
        "<div><h2>Q?</h2>",
        '<div class="nav">',
    ],
)
def test_pages_of_one_part_many_times_take_no_time_that_grows_with_a_power(part: str) -> None:
    page = '<title>FAQ</title><h2>First?</h2><div id="p">{}</div>'
    start = time.process_time()
    entries(page.format(part * 20_000))
    assert time.process_time() - start < 60


def test_lines_of_links_are_contents_and_what_they_lead_to_asks_in_bold_print() -> None:
    page = """<title>FAQ</title><h1>Library FAQ</h1><h2>Questions</h2>
    <div><a href="#a">How do I renew?</a><br/><a href="#b">Lost cards</a><br/><a href="#c">Is it free?</a><br/></div>
    <h2>Answers</h2>
    <a name="a"><b>How do I renew?</b></a><br/><p>Online.</p>
    <a name="b"><b>Lost cards</b></a><br/><p>Three dollars. <b>Note</b></p><p><b>Only once.</b></p>
    <a name="c"><b>Is it free?</b></a><br/>Yes, but:<dl><dt>Fines</dt><dd>ten cents</dd></dl>"""
    assert pairs(page) == [
        ("How do I renew?", "Online."),
        ("Lost cards", "Three dollars. Note\n\nOnly once."),
        ("Is it free?", "Yes, but:\nFines\nten cents"),
    ]
    assert anchors(page) == ["a", "b", "c"]


def test_sections_of_a_contents_list_are_no_terms() -> None:
    titles = {"a": "Is it hot?", "b": "Is it cold?", "c": "Is it wet?"}
    terms = [f"<dt>{n}. <a href='#{name}'>{title}</a></dt>" for n, (name, title) in enumerate(titles.items(), 1)]
    heat = f"<dt>1. All about the heat of the oven</dt><dd><dl>{terms[0]}{terms[1]}</dl></dd>"
    contents = f"{heat}<dt>2. Water and steam</dt><dd><dl>{terms[2]}</dl></dd>"
    body = "".join(f"<h2 id={name}>{title}</h2><p>See {name}.</p>" for name, title in titles.items())
    html = "<title>FAQ</title><h1>FAQ</h1><p>Welcome.</p><dl>{}</dl>" + body
    found = [(title, f"See {name}.") for name, title in titles.items()]
    assert pairs(html.format(contents)) == found
    # A question that lacks an answer is named.
    asked = "Which questions about heat are often asked here?"
    assert pairs(html.format(contents.replace("1. All about the heat of the oven", asked))) == [(asked, ""), *found]


def test_empty_paragraphs_between_links_do_not_end_the_contents() -> None:
    titles = {"one": "1. Is it hot?", "two": "2. Care", "cold": "2.1 Is it cold?", "wet": "2.2 Is it wet?"}
    contents = "<p>".join(f"<p><b><a href='#{name}'>{title}</a></b>" for name, title in titles.items())
    body = "".join(f"<h2 id={name}>{title}</h2><p>See {name}.</p>" for name, title in titles.items())
    assert pairs(f"<title>FAQ</title><h1>FAQ</h1><p>Welcome.</p>{contents}<hr>{body}") == [
        ("Is it hot?", "See one."),
        ("Is it cold?", "See cold."),
        ("Is it wet?", "See wet."),
    ]


def test_paragraphs_of_links_below_a_heading_are_contents() -> None:
    titles = ["How do I renew?", "Is it free?", "Lost cards"]
    lines = "".join(f'<p>{n}. <a href="#{n}">{title}</a></p>' for n, title in enumerate(titles))
    answers = "".join(f'<h3 id="{n}">{title}</h3><p>Answer {n}.</p>' for n, title in enumerate(titles))
    page = f"<title>FAQ</title><h1>FAQ</h1><h2>{{}}</h2>{lines}<h2>Answers</h2>{answers}"
    found = [(title, f"Answer {n}.") for n, title in enumerate(titles)]
    assert pairs(page.format("Questions")) == found
    # Where they answer, and beside other words, they stay.
    assert pairs(page.format("What is asked?"))[0][0] == "What is asked?"
    assert pairs(page.format("Questions").replace("</a></p>", "</a>, which is asked</p>"))[0][0] == "Questions"


def test_contents_of_an_faq_are_no_question_though_only_a_word_of_each_line_is_a_link() -> None:
    page = """<title>FAQ</title><h1>Library</h1><h2>FAQ: Table of Contents</h2>
    <ul><li><a href="#a">How</a> do I renew?</li><li><a href="#b">Is</a> it free?</li></ul>
    <h2 id="a">How do I renew?</h2><p>So.</p><h2 id="b">Is it free?</h2><p>Yes.</p>"""
    assert pairs(page) == [("How do I renew?", "So."), ("Is it free?", "Yes.")]


def test_a_few_links_in_an_answer_are_no_contents() -> None:
    page = """<title>FAQ</title><h2 id="a">Where else?</h2><p><a href="#b">Here</a><br><a href="#c">There</a><br>
    <a href="#d">Elsewhere</a></p><h2 id="b">Why?</h2><p>So: <a href="#a">one</a>, <a href="#c">two</a></p>"""
    assert [question for question, _ in pairs(page)] == ["Where else?", "Why?"]
    assert pairs(page)[0][1] == "Here\nThere\nElsewhere"


def test_contents_may_have_headings_and_bold_print() -> None:
    page = """<title>FAQ</title><h1>FAQ</h1><h2>Index</h2><ul><li><b>How long?</b></li><li><b>How much?</b></li></ul>
    <h3>How to begin</h3><a href="#x">1</a><br><a href="#y">2</a><br><a href="#z">3</a>
    <h2><a href="#general">General</a></h2><h2 id="general">General</h2>
    <dl><dt>How long?</dt><dd>Two weeks.</dd><dt>How much?</dt><dd>Ten.</dd></dl>"""
    assert pairs(page) == [("How long?", "Two weeks."), ("How much?", "Ten.")]


def test_the_items_of_a_list_that_begin_as_those_that_ask() -> None:
    page = """<title>FAQ</title><h1>FAQ</h1><ol><li><em>Where do I get it</em> ?<p>Here.</p></li>
    <li><em>It does not start</em><p>Wait.</p></li><li><em>Nothing prints.</em><p>Turn it on.</p></li></ol>
    <ul><li><em>One</em><p>No question.</p></li><li><em>Two</em><p>Nor here.</p></li></ul>"""
    assert [question for question, _ in pairs(page)] == ["Where do I get it?", "It does not start", "Nothing prints."]
    assert pairs(page)[0][1] == "Here."


def test_pairs_of_q_and_a_may_be_items_of_lists() -> None:
    page = """<title>FAQ</title><h2>Frequently Asked Questions</h2>
    <ul><li><b>Question:</b> Why is it closed?<ul><li><b>Answer:</b> It is Sunday.</li></ul></li></ul>
    <ul><li><b>Question:</b> Until when?<ul><li><b>Answer:</b> Monday.</li></ul></li></ul>"""
    assert pairs(page) == [("Why is it closed?", "It is Sunday."), ("Until when?", "Monday.")]


def test_an_faq_with_text_and_no_question_says_so() -> None:
    (problem,) = entries("<title>FAQ</title><h1>Shop</h1><h2>Frequently Asked Questions</h2><p>To be written.</p>")
    assert isinstance(problem, Problem)
    assert problem.nothing


def test_the_way_through_a_book_and_its_foot_are_no_answer() -> None:
    page = """<title>FAQ</title><h1>FAQ</h1><p>Next: <a rel="next" accesskey="n" href="2.html">Two</a></p>
    <h2><a name="G1">G1. Why?</a></h2><p>So.</p><h2>B12) Error 7</h2><p>Wait.<hr>Back: <a href="0.html">Zero</a>.<br>
    <address>The makers</address>All of it is ours.</p>"""
    assert pairs(page) == [("Why?", "So."), ("Error 7", "Wait.")]


ANSWER = "<h2>How?</h2><p>So.</p>"


@pytest.mark.parametrize(
    "after",
    [
        # What pages ask their readers, in any element.
        "<p>Did you find it helpful?<span>Yes</span><span>No</span></p>",
        "<div><span>Was this helpful?</span><button>Yes</button></div>",
        "<div class='a'><h3>Was this helpful?</h3><div><label>How can we improve it?</label></div></div>",
        "<section><div><span>Did this answer your question?</span><span>Thanks</span></div></section>",
        "<ul><li>Need help? <a href='/x'>Contact us</a>.</li><li>Chat with us.</li></ul>",
        "<h2>Ready to start?</h2><p>Sign up.</p>",
        # Dates, and who made it.
        "<div class='mod-date'><span>Published Date:</span><time>May 1, 2024</time></div>",
        "<div>faq.txt · Last modified: 2024/01/01 by <i>jane</i></div>",
        "<article><aside><span class='git-revision-date'>May 1, 2024</span></aside></article>",
        # What else the site has.
        "<h3>Related articles</h3><ul><li><a href='/x'>What is new?</a></li></ul>",
        "<h2>Attachments:</h2><p><a href='x.png'>x.png</a></p>",
        "<article><aside><h2>Articles in this section</h2><ul><li><a href='/1'>Why?</a></li></ul></aside></article>",
        "<div class='sharedaddy'><h3>Share this:</h3><ul><li>X</li></ul></div>",
        "<div class='printfooter'>Retrieved from x</div><div class='catlinks'>Category: Help</div>",
        "<h2>Feedback</h2><p>Tell us.</p>",
        "<h2>Contributing</h2><p>You are welcome.</p>",
        # What microdata says others have written.
        "<div itemscope itemtype='http://schema.org/Comment'><p>Great! Is there more?</p></div>",
        "<div itemprop='interactionStatistic'>4 Likes</div>",
        # A link that shows nothing.
        "<p><a href='?x'><i></i></a></p>",
        "<hr><address>Jane</address><!-- end -->",
        "<hr><p><a href='/'>Home</a> | <a href='/privacy'>Privacy</a> | <a href='/terms'>Terms</a></p>",
        # An image that leads to the top, and the page in other languages.
        "<div><a href='#head'><img src='up.png' alt='Back to top'></a></div>",
        "<div class=languages><a href='en'>en</a> | <a href='de' hreflang='de' rel='alternate'>de</a></div>",
    ],
)
def test_what_stands_around_an_answer_is_no_part_of_it(after: str) -> None:
    assert pairs(f"<title>FAQ</title><h1>FAQ</h1>{ANSWER}{after}") == [("How?", "So.")]


@pytest.mark.parametrize(
    "answer",
    [
        "<h3>Notes</h3><p>Mind it.</p>",
        "<h3>Attachments</h3><p>Ten at most.</p>",
        "<aside><p>Mind it. It is sharp.</p></aside>",
        "<p>Helpful tools are these.</p>",
    ],
)
def test_what_an_answer_says_aside_belongs_to_it(answer: str) -> None:
    ((_, text),) = pairs(f"<title>FAQ</title><h1>FAQ</h1><article>{ANSWER}{answer}</article>")
    assert len(text) > len("So.\n\n")


@pytest.mark.parametrize(
    "heading",
    [
        "<h2><span class='x' id='a'>How?</span><span class='mw-editsection'>[<a href='/e'>edit</a>]</span></h2>",
        "<div><h2 id='a'>How?</h2><span class='mw-editsection'>[<a href='/e'>edit</a>]</span></div>",
        "<h2 id='a'><a href='https://example.org/faq#a'>How?</a></h2>",
        "<p id='a'><u>How?</u></p>",
        "<p id='a'><span style='font-weight: 700'>How?</span></p>",
        "<style>.c2{color:red;font-weight:700}</style><p id='a'><span class='c2'>How?</span></p>",
        "<div id='a' class='text-lg font-semibold'>How?</div>",
    ],
)
def test_a_heading_with_what_else_stands_in_it(heading: str) -> None:
    html = f"<title>FAQ</title><h1>FAQ</h1>{heading}<p>So.</p>"
    assert pairs(html) == [("How?", "So.")]


def test_a_heading_that_leads_to_its_own_place_asks_anywhere() -> None:
    html = "<title>Shop</title><h1>Shop</h1><h2 id='a'><a href='https://example.org/x#a'>How?</a></h2><p>So.</p>"
    assert pairs(html) == [("How?", "So.")]


def test_a_main_part_without_a_question_is_a_banner() -> None:
    assert pairs("<title>FAQ</title><main><img alt='x'></main><h1>FAQ</h1><h2>How?</h2><p>So.</p>") == [("How?", "So.")]


def test_headings_of_the_first_rank_may_be_the_questions() -> None:
    titles = ["How?", "Error 421", "Why?", "Where?"]
    html = "".join(f"<h1>{title}</h1><p>So.</p>" for title in titles)
    assert pairs(f"<title>FAQ</title><div>FAQ</div>{html}") == [(title, "So.") for title in titles]


def test_a_term_and_its_answer_may_stand_in_two_lists() -> None:
    lists = "<dl><dt>How?</dt></dl>\n<dl><dd>So.</dd></dl>\n<dl><dt>Why?</dt></dl>\n<dl><dd>Thus.</dd></dl>"
    assert pairs(f"<title>FAQ</title><h1>FAQ</h1>{lists}") == [("How?", "So."), ("Why?", "Thus.")]


def test_questions_may_be_what_a_title_says() -> None:
    html = "<title>Shop</title><h1>Questions</h1><dl><dt>How?</dt><dd>So.</dd></dl>"
    assert pairs(html) == [("How?", "So.")]


def test_labels_are_words_of_their_own() -> None:
    tabs = "<div><label for='a'>Linux</label><label for='b'>Windows</label></div>"
    assert pairs(f"<title>FAQ</title><h1>FAQ</h1>{ANSWER}{tabs}") == [("How?", "So.\n\nLinux Windows")]


def test_a_name_for_an_icon_is_no_word() -> None:
    html = "<title>FAQ</title><h1>FAQ</h1><h2><i class='material-icons'>filter_drama</i>How?</h2><p>So.</p>"
    assert pairs(html) == [("How?", "So.")]


def test_headings_of_the_first_rank_that_seem_to_ask_may_be_sections() -> None:
    html = "".join(f"<h1>How to use it {n}</h1><h2>Why {n}?</h2><p>So.</p><h2>How {n}?</h2><p>Thus.</p>" for n in "abc")
    assert [question for question, _ in pairs(f"<title>FAQ</title>{html}")] == [
        f"{q} {n}?" for n in "abc" for q in ("Why", "How")
    ]


def test_a_heading_that_says_answer_is_none_of_its_own() -> None:
    html = "<title>How? - FAQ</title><h1>How?</h1><h2>Answer</h2><p>So.</p><h2>Related FAQs</h2><p>Why?</p>"
    assert pairs(html) == [("How?", "So.")]


@pytest.mark.parametrize("sign", [".", "!"])
def test_headings_below_a_sentence_of_an_faq_carry_it(sign: str) -> None:
    html = f"""<title>FAQ</title><h1>Printing</h1><h2>It does not print{sign}</h2><p>There are two causes.</p>
    <h3>No paper:</h3><p>Fill it.</p><h3>No ink:</h3><p>Buy some.</p>
    <h2>Trays, etc.</h2><p>All of them.</p><h3>Small tray</h3><p>A5.</p>"""
    assert pairs(html) == [
        (f"It does not print{sign}", "There are two causes.\n\nNo paper:\n\nFill it.\n\nNo ink:\n\nBuy some."),
        (f"It does not print{sign} \u203a No paper:", "Fill it."),
        (f"It does not print{sign} \u203a No ink:", "Buy some."),
        ("Trays, etc.", "All of them."),
        ("Small tray", "A5."),
    ]


def test_the_title_of_a_note_is_no_heading() -> None:
    note = "<div class='note'><h3 class='title'>Note</h3><p>Mind the edge.</p></div>"
    html = f"<title>FAQ</title><h2>How?</h2><p>So.</p>{note}<div class='tip'><h2>Error 7</h2><p>Thus.</p></div>"
    assert pairs(html) == [("How?", "So.\n\nNote\n\nMind the edge."), ("Error 7", "Thus.")]


def test_a_row_with_the_contents_of_a_section_is_no_answer() -> None:
    row = "<tr class='toc'><td>2.1. <a href='faq.html#why'>Why?</a><br></td></tr>"
    html = f"""<title>FAQ</title><h1>FAQ</h1><table><tr><td><h3>1. Where to get help</h3></td></tr>{row}
    <tr><td><h4>1.1. Why?</h4></td></tr><tr><td>Thus.</td></tr></table>"""
    assert pairs(html) == [("Where to get help \u203a Why?", "Thus.")]


def test_all_answers_up_to_the_next_question_are_its_own() -> None:
    one = '<div class="question">Why?</div><div class="answer">A: One.</div>\n<div class="answer">Two.</div>'
    other = '<div class="question">How?</div><div class="answer"><p class="answer">So.</p></div>'
    assert pairs(f"<title>FAQ</title>{one}{other}<p>More.</p>") == [("Why?", "One.\n\nTwo."), ("How?", "So.")]


@pytest.mark.parametrize(
    ("line", "is_left_out"),
    [
        ('<p>[<a href="a.html">Prev</a>][<a href="t.html">TOC</a>][<a href="b.html">Next</a>]</p>', True),
        ('<table><tr><td>[<a href="a.html">Prev</a>]</td><td>[<a href="..">Manual</a>]</td></tr></table>', True),
        ('<center>Prev | <a href="t.html">Up</a> | <a href="b.html">Next</a></center>', True),
        ('<p><a href="b.html">Next</a> to it</p>', False),
        ('<p><a href="b.html">Home</a></p>', False),
        ("<p>Next</p>", False),
    ],
)
def test_a_line_that_only_leads_to_the_pages_beside_is_no_answer(line: str, is_left_out: bool) -> None:
    [(_, answer)] = pairs(f"<title>FAQ</title><h2>How?</h2><p>So.</p><hr>{line}")
    assert (answer == "So.") is is_left_out


def test_an_anchor_without_end_tag_holds_no_more_than_its_place() -> None:
    html = """<title>FAQ</title><a name="Q1">Q: <b>Why?</b><br>A: <em>Check.<br>
    <a name="Q2">Q: <b>What now?</b><br>A: See <a href="x.html">x</a>.</em><br>
    <a name="Q3">Q: <b>Who?</b><br>A: We.</a> All of us."""
    assert pairs(html) == [("Why?", "Check."), ("What now?", "See x (x.html)."), ("Who?", "We. All of us.")]
    assert anchors(html) == ["Q1", "Q2", "Q3"]


def test_headings_that_lead_to_a_sites_pages_are_none_of_its_faq() -> None:
    site = "".join(f"<td><a href='{name}.html'><h2>{name}</h2></a></td>" for name in ("Manual", "FAQ", "Help"))
    html = f"""<title>FAQ</title><table><tr>{site}</tr></table><p>Questions.</p>
    <h1>It does not start</h1><p>Wait.</p><h1>How?</h1><p>So.</p><h1>Who?</h1><p>We.</p><h1>Why?</h1><p>Thus.</p>"""
    assert pairs(html) == [("It does not start", "Wait."), ("How?", "So."), ("Who?", "We."), ("Why?", "Thus.")]


def test_a_heading_of_the_first_rank_below_a_question_is_one_in_an_faq() -> None:
    html = """<title>FAQ</title><h1>FAQ Index</h1><p>All of it.</p><h1>How?</h1><p>So.</p>
    <h1>It does not start!</h1><p>Restart.</p>"""
    assert pairs(html) == [("How?", "So."), ("It does not start!", "Restart.")]


@pytest.mark.parametrize(
    ("part", "is_read"),
    [
        ('<div class="contents"><h3>How?</h3><p>So.</p></div>', True),
        ('<div id="contents"><a href="#a">How?</a><p><b id="a">How?</b><br>It is done like this: so.</p></div>', True),
        ('<div class="contents"><h3>How?</h3><a href="a.html">Everything on how it is done</a></div>', False),
        ('<div class="contents"><h3>Contents</h3><p>How? 5</p><p>Why? 6</p></div>', False),
        ('<div class="sidebar"><h3>How?</h3><p>So.</p></div>', False),
    ],
)
def test_what_is_called_contents_may_be_the_content(part: str, is_read: bool) -> None:
    questions = [question for question, _ in pairs(f"<title>FAQ</title>{part}<h2>Who?</h2><p>We.</p>")]
    assert ("How?" in questions) is is_read


def test_questions_with_text_around_their_answers_are_no_accordion_whatever_it_is_called() -> None:
    html = """<title>FAQ</title><div class="{}"><p><br><div class="q"><b>Can I sell it?</b></div><br>Yes.
    <p><br><div class="q"><b>Is it open?</b></div><br>See above.<p>More.
    <p><br><div class="q"><b>Who?</b></div><br><p>Me.<p>And you.</div>"""
    for name in ("x", "faq-x"):
        assert pairs(html.format(name)) == [
            ("Can I sell it?", "Yes."),
            ("Is it open?", "See above.\n\nMore."),
            ("Who?", "Me.\n\nAnd you."),
        ]


@pytest.mark.parametrize("label", ["1.{}. ", "FAQ-A10{}: "])
def test_lines_of_contents_may_have_numbers_before_their_links(label: str) -> None:
    titles = ["What is it?", "I get an error", "Can I stop it?"]
    contents = "".join(f'{label.format(i)}<a href="#{i}">{title}</a><br>' for i, title in enumerate(titles))
    answers = "".join(f'<b>1.{i}. <a name="{i}">{title}</a></b><br>Answer {i}.<p>' for i, title in enumerate(titles))
    assert pairs(f"<title>FAQ</title><p><b>Who?</b><br>We.</p>{contents}<hr>{answers}") == [
        ("Who?", "We."),
        *((title, f"Answer {i}.") for i, title in enumerate(titles)),
    ]


def test_parts_called_contents_in_one_another_take_no_time_that_grows_with_a_power() -> None:
    html = "<title>FAQ</title>" + "<div class=contents>" * 600 + "<p><b>no</b> word" * 4000 + "<p><b>Why?</b> So"
    started = time.process_time()
    assert pairs(html) == [("Why?", "So")]
    assert time.process_time() - started < 60


def test_symptom_and_solution_are_one_answer() -> None:
    html = """<title>FAQ</title><h1>Troubles</h1><h2>No print</h2><p>Often.</p><h3>Cause</h3><p>No ink.</p>
<h3>Solution:</h3><p>Fill it.</p><h2>Why so slow?</h2><h3>Answer</h3><p>It is old.</p><h3>With Wi-Fi</h3><p>Wait.</p>"""
    assert pairs(html) == [
        ("No print", "Often.\n\nCause\n\nNo ink.\n\nSolution:\n\nFill it."),
        ("Why so slow?", "It is old.\n\nWith Wi-Fi\n\nWait."),
        ("Why so slow? \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} With Wi-Fi", "Wait."),
    ]


def test_parts_of_an_answer_need_another_beside_a_remedy() -> None:
    issues = "<title>FAQ</title><h2>Known issues</h2><h3>Problem</h3><p>One.</p><h3>Cause</h3><p>Two.</p>"
    assert pairs(issues) == [("Problem", "One."), ("Cause", "Two.")]
    title = "<title>FAQ</title><h1>Why is it off?</h1><h2>Cause</h2><p>C.</p><h2>Solution</h2><p>S.</p>"
    asked = "<h2>Who repairs it?</h2><p>We.</p><h2>Is it free?</h2><p>Yes.</p>"
    assert [question for question, _ in pairs(title + asked)] == ["Cause", "Solution", "Who repairs it?", "Is it free?"]


@pytest.mark.parametrize(
    "answer",
    [
        "<ul><li><a>Back</a></li><li><a>Next</a></li></ul>",
        '<p>1 <a href="#a">Apple</a> 2 <a href="#b">Beer</a> 3 <a href="#c">Cake</a> are sold here.</p>',
        '<p>1. <a href="#a">Apple</a><br>2. <a href="#b">Beer</a><br>3. <a href="#c">Cake</a><br>Cake comes last.</p>',
    ],
)
def test_lists_that_look_like_contents_stay_in_an_answer(answer: str) -> None:
    others = "".join(f"<h2 id={name}>{name}?</h2><p>So.</p>" for name in "abc")
    [(_, text), *_] = pairs(f"<title>FAQ</title><h2>What is there?</h2>{answer}{others}")
    assert len(text.split()) >= 4


@pytest.mark.parametrize(
    ("below", "are_questions"),
    [
        ('<div><p>See the <a href="https://x.org">online FAQ</a>.</p></div>', True),
        ('<p>See the <a href="#x">last one</a>.</p>', False),
        ("<p>See <a href='x.html'>x</a>.</p><details><summary>How?</summary>So.</details>", False),
        ("<p>Did you see <a href='x.html'>x</a>?</p>", False),
        ("<p>See <a href='x.html'>x</a>.</p><h3>Error 7</h3><p>Wait.</p>", False),
    ],
)
def test_a_faq_elsewhere_leaves_a_page_of_troubles_as_it_is(below: str, are_questions: bool) -> None:
    above = "<title>FAQ</title><h1>Troubleshooting</h1><h2>No ink</h2><p>Buy some.</p>"
    page = f"{above}<h2>FAQ</h2>{below}<h2>Why?</h2><p>Thus.</p>"
    assert (("No ink", "Buy some.") in pairs(page)) == are_questions


@pytest.mark.parametrize(
    ("below", "answer"),
    [
        ("", "So."),
        ("<p> </p>", "So."),
        ("<p><img src='x.png'></p>", ""),
        ("<div><iframe src='https://v.example/7'></iframe></div>", ""),
        ("<p><img src='line.gif' alt='' height='1'></p>", "So."),
        ("<p><img src='x.png'>Look.</p>", "Look."),
    ],
)
def test_questions_answered_by_pictures_do_not_share_the_next_answer(below: str, answer: str) -> None:
    page = f"<title>FAQ</title><h2>Is it on?</h2>{below}<h2>Is it new?</h2>{below}<h2>Is it hot?</h2><p>So.</p>"
    assert pairs(page) == [("Is it on?", answer), ("Is it new?", answer), ("Is it hot?", "So.")]


def test_a_page_may_have_a_section_of_troubles() -> None:
    page = (
        "<title>Ovens</title><h1>Ovens</h1><h2>Parts</h2><p>A door.</p><h2>{}</h2><p>Look here.</p>"
        "<h3>No heat</h3><p>Wait.</p><h3>Door jams</h3><p>Push.</p><h2>Colours</h2><h3>Red</h3><p>Hot.</p>"
    )
    assert pairs(page.format("Troubleshooting")) == [("No heat", "Wait."), ("Door jams", "Push.")]
    for title in ("<a href='x.html'>Troubleshooting</a>", "Repairs"):
        [problem] = entries(page.format(title))
        assert isinstance(problem, Problem)


def test_a_section_of_troubles_hides_no_box_elsewhere() -> None:
    box = "<details><summary>Linux</summary>Run it.</details>"
    page = f"<title>Ovens</title><h2>Install</h2>{box}<h2>Troubleshooting</h2><h3>No heat</h3><p>Wait.</p>"
    assert pairs(page) == [("Linux", "Run it."), ("No heat", "Wait.")]


ORDERS = '<{0} id="orders"><h2>Orders</h2><h3>How do I order?</h3><p>Online.</p></{0}>'


@pytest.mark.parametrize("name", ["cookies", "footnotes", "related-books", "cookie-policy-2"])
@pytest.mark.parametrize("tag", ["div", "section"])
def test_a_section_with_its_title_as_id_is_content_whatever_it_is_about(tag: str, name: str) -> None:
    title = name.removesuffix("-2").replace("-", " ")
    asks = f'<{tag} id="{name}"><h2>1. {title}</h2><h3>How long?</h3><p>A week.</p></{tag}>'
    assert pairs(f"<title>FAQ</title>{asks}")[0] == ("How long?", "A week.")
    has_list = f'<{tag} id="menu"><h2>Menu</h2><ul><li>Who?<p>We.</p><li>Why?<p>Thus.</p></ul></{tag}>'
    assert ("Why?", "Thus.") in pairs(f"<title>FAQ</title>{ORDERS.format(tag)}{has_list}")


def test_a_section_that_is_called_like_a_part_of_the_site_is_content_beside_others_with_questions() -> None:
    menu = '<section id="menu"><h2>Meals</h2><h3>What is there?</h3><p>Soup.</p></section>'
    assert pairs(f"<title>FAQ</title>{ORDERS.format('section')}{menu}")[1] == ("What is there?", "Soup.")


@pytest.mark.parametrize(
    "box",
    [
        '<div id="cookies"><h3>Cookies</h3><p>We have some.</p><button>Accept</button></div>',
        '<div id="sidebar"><h3>What is this?</h3><p>A shop.</p></div>',
        '<section id="newsletter"><h2>Newsletter</h2><p>Write to me.</p><input type="email"></section>',
        '<section id="menu"><h2>Menu</h2><ul><li><a href="a.html">How?</a></li></ul></section>',
        '<section id="comments"><h2>Comments</h2><h3>Ann</h3><p>Do you send abroad?</p></section>',
        '<section id="newsletter"><h2>Newsletter</h2><h3>Want to hear more from us?</h3><p>Subscribe.</p></section>',
        '<div id="related"><h3>Related</h3><p>Ink.</p></div><div id="cookies"><h3>Cookies</h3><p>We do.</p></div>',
        '<section id="feedback" class="feedback"><h2>Feedback</h2><h3>How was it?</h3><p>Tell us.</p></section>',
        '<div class="footer-wrap"><h3>Contact us</h3><p>Mill Lane 1.</p></div>',
        '<div id="main-footer"><h3>About</h3><p>A shop.</p></div><div class="copyright-area"><h4>Us</h4><p>1</p></div>',
        '<section class="faq-cta"><h2>Start today</h2><p>It is free.</p></section>',
        '<div class="page__call-to-action"><h2>Noch Fragen?</h2><p>Call us.</p></div>',
        '<div class="modal fade" id="terms" aria-labelledby="t"><h5 id="t">Terms</h5><p>Read them.</p></div>',
        "<dialog><h2>Terms</h2><p>Read them.</p></dialog>",
        '<div id="sidebar2"><h3>Support us</h3><p>With a gift.</p></div>',
    ],
)
def test_a_sites_own_boxes_are_no_content(box: str) -> None:
    assert pairs(f"<title>FAQ</title>{ORDERS.format('section')}{box}") == [("How do I order?", "Online.")]


@pytest.mark.parametrize(
    "part",
    [
        '<button data-bs-toggle="modal" data-bs-target="#one">Why?</button><div class="modal" id="one">So.</div>',
        '<button aria-controls="one">Why?</button><dialog id="one"><p>So.</p></dialog>',
        '<div class="modal"><h3>Why?</h3><p>So.</p></div>',
        '<div class="layout--has-cta"><h3>Why?</h3><p>So.</p></div>',
        '<div class="cta"><h1>All you need</h1><h3>Why?</h3><p>So.</p></div>',
    ],
)
def test_a_box_with_questions_or_opened_by_one_is_content(part: str) -> None:
    assert pairs(f"<title>FAQ</title>{part}") == [("Why?", "So.")]


@pytest.mark.parametrize("name", ["data-bs-toggle", "data-toggle"])
@pytest.mark.parametrize(
    ("kind", "is_read"),
    [("collapse", True), ("offcanvas", False), ("modal", False), ("dropdown", False), ("tab", False)],
)
def test_what_an_attribute_opens_is_an_answer_only_if_it_is_a_panel(name: str, kind: str, is_read: bool) -> None:
    target = name.replace("toggle", "target")
    opener = f'<a href="#" {name}="{kind}" {target}="#one" aria-controls="one" class="faq">Your theme</a>'
    html = f'<title>FAQ</title>{opener}<p>Then:</p><div id="one"><p>Dark or light.</p></div><h2>How?</h2><p>So.</p>'
    assert (("Your theme", "Dark or light.") in pairs(html)) is is_read


def test_what_stands_beside_the_page_until_it_is_opened_is_no_content() -> None:
    box = '<form class="offcanvas offcanvas-start"><h2>Your theme</h2><p>Dark or light.</p></form>'
    assert pairs(f"<title>FAQ</title><h2>How?</h2><p>So.</p>{box}") == [("How?", "So.")]


def test_contents_of_the_page_that_can_be_opened_are_no_answer() -> None:
    contents = "<details open><summary><h3>On This Page</h3></summary><a href='#how'>How?</a></details>"
    references = "<details><summary>References</summary><a href='a.html'>A book</a></details>"
    assert pairs(f"<h2 id=how>How?</h2><p>So.</p>{references}<div class=page-menu>{contents}</div>") == [
        ("How?", "So.\n\nReferences\nA book (a.html)")
    ]


def test_code_that_interrupts_a_list_of_questions_is_in_the_answer_above_it() -> None:
    html = """<title>FAQ</title><ul><li><p class="q">How?</p><p>So:</p></li></ul><pre>x = 1</pre>
    <div class="code"><pre>y = 2\nz = 3</pre></div><ul><li><p class="q">Why?</p><p>Thus.</p></li>
    <li><p class="q">I have a list. Who sorts it?</p></li></ul><pre>sort()</pre><ul><li>One.</li><li>Two.</li></ul>"""
    assert pairs(html) == [
        ("How?", "So:\n\nx = 1\n\ny = 2\nz = 3"),
        ("Why?", "Thus."),
        ("I have a list. Who sorts it?", "sort()"),
    ]


@pytest.mark.parametrize("between", ["Or: <pre>x = 1</pre>", "<pre>x = 1</pre> or", "<p>x = 1</p>"])
def test_a_list_with_words_behind_it_goes_on_in_no_other(between: str) -> None:
    html = "<title>FAQ</title><ul><li>How?<p>So.</p></li></ul>{}<ul><li>Why?<p>Thus.</p></li></ul>"
    assert isinstance(entries(html.format(between))[0], Problem)
    assert len(pairs(html.format("<pre>x = 1</pre>"))) == 2


@pytest.mark.parametrize(
    ("above", "below"), [("Question:", "Answer:"), ("Problem", "Solution"), ("Q 2.", "Answer"), ("PROBLEM:", "Fix")]
)
def test_a_title_between_question_and_answer_is_a_question(above: str, below: str) -> None:
    html = f"""<title>Q&amp;A - Shop</title><h2>{above}</h2><h1 id="ink">It does not print.</h1><h2>{below}</h2>
    <p>Fill it.</p><p><b>Does it leak?</b> Then clean it.</p>"""
    assert pairs(html) == [("It does not print.", "Fill it.\n\nDoes it leak? Then clean it.")]
    assert anchors(html) == ["ink"]


@pytest.mark.parametrize("text", ["<p>There are two.</p>", "There are two. <hr>"])
def test_a_heading_with_text_between_problem_and_solution_is_a_part_of_them(text: str) -> None:
    html = f"<title>FAQ</title><h2>Problem</h2>{text}<h3>No ink</h3><h2>Solution</h2><p>Fill it.</p>"
    assert ("No ink", "Fill it.") not in pairs(html)


@pytest.mark.parametrize("summary", ["Show answer", "Click to expand", "Details", "<b>Answer:</b>", "Antwort anzeigen"])
def test_what_opens_an_answer_and_says_no_more_is_no_question(summary: str) -> None:
    opened = f"<details><summary>{summary}</summary><p>{{}}</p></details>"
    html = f"""<title>FAQ</title><h1>FAQ</h1><h3>It is slow</h3>{opened.format("Wait.")}
    <h3>How?</h3><p>So:</p>{opened.format("x = 1")}<h2>Others</h2><p>Who?</p>{opened.format("We.")}
    <p><b>1. Why?</b></p>{opened.format("Thus.")}"""
    assert pairs(html) == [("It is slow", "Wait."), ("How?", "So:\n\nx = 1"), ("Who?", "We."), ("Why?", "Thus.")]


def test_what_is_opened_without_a_question_above_it_gives_none_of_its_own() -> None:
    inner = "<details><summary>How?</summary>So.</details>"
    html = f"<title>FAQ</title><p>Hello.</p><details><summary>Show all answers</summary>{inner}</details>"
    assert pairs(html) == [("How?", "So.")]
    assert pairs("<title>FAQ</title><details><summary>Details of prices</summary>High.</details>") == [
        ("Details of prices", "High.")
    ]


def test_a_link_to_the_top_is_no_anchor_of_its_heading() -> None:
    html = "<title>FAQ</title><h2>How? <a href='#top'>Top</a></h2>So.<h2 id='why'>Why? <a href='#top'>^</a></h2>So."
    assert anchors(html) == [None, "why"]


def test_a_number_may_be_bold_print_of_its_own_before_a_question() -> None:
    html = """<title>FAQ</title><p id="a"><a href="#top">^</a> <b>1.</b> <i>How hot?</i></p><p>Hot.</p>
<p id="b"><b>2</b> <i>How long?</i></p><p><b>1.</b> <i>Stir</i> it.</p>"""
    assert pairs(html) == [("How hot?", "Hot."), ("How long?", "1. Stir it.")]
    assert anchors(html) == ["a", "b"]


def test_links_to_the_pages_beside_leave_the_last_answer() -> None:
    html = """<title>FAQ</title><h2>How?</h2><p>See <a href="c.html" title="next chapter of the book">the next</a>.</p>
<div><div class="left"><a href="a.html" title="previous chapter (use the left arrow)">Keys</a></div>
<div class="right"><a href="b.html" title="next page">Support</a></div></div>"""
    assert pairs(html) == [("How?", "See the next (c.html).")]


@pytest.mark.parametrize("number", ["1.5 ", "3. ", "A.1 "])
def test_with_a_number_feedback_is_no_box_of_the_site(number: str) -> None:
    html = "<title>FAQ</title><h2>How?</h2><p>So.</p><h2>{}Feedback</h2><p>By mail.</p><h2>{}References</h2><p>[1]</p>"
    assert pairs(html.format(number, number)) == [("How?", "So."), ("Feedback", "By mail.")]
    assert pairs(html.format("", "")) == [("How?", "So.")]


NUMBERED = "<title>FAQ</title><h1>FAQ</h1><h2>1. Ink</h2><h2>1.1 How?</h2>So.<h3>Red</h3>Thus.<h2>{} Why?</h2>As."


@pytest.mark.parametrize(
    ("number", "above"), [("1.2", ("FAQ", "Ink")), ("2.", ("FAQ",)), ("1.2.1", ("FAQ",)), ("2.1", ("FAQ",))]
)
def test_numbers_are_ranks_where_sections_and_questions_have_one(number: str, above: tuple[str, ...]) -> None:
    html = NUMBERED.format(number)
    questions = [("How?", "So.\n\nRed\n\nThus."), ("How? \u203a Red", "Thus."), ("Why?", "As.")]
    assert pairs(html) == questions
    assert entries(html)[-1].headings == above


def test_who_wrote_an_faq_is_no_question() -> None:
    html = "<title>FAQ</title><h1>FAQ</h1><h2>{}</h2>12.06.2010<hr><h2>How?</h2>So."
    assert pairs(html.format("by the Oven Team")) == [("How?", "So.")]
    assert len(pairs(html.format("Error"))) == len(pairs(html.format("by phone").replace("<hr>", ""))) == 2


def test_a_page_of_troubles_is_read_as_an_faq() -> None:
    body = "<h2>It does not print</h2><p>Fill it.</p><h2>Error 7</h2><p>Wait.</p>"
    both = [("It does not print", "Fill it."), ("Error 7", "Wait.")]
    assert pairs(f"<title>Troubleshooting the printer</title>{body}") == both
    assert pairs(f"<title>Printer</title><h1>4. Troubleshooting</h1>{body}") == both
    for name, found in (("ink/troubleshooting.html", 2), ("ink/using-and-troubleshooting.html", 0)):
        page = read(BytesIO(f"<title>Printer</title>{body}".encode()), name=name)
        assert sum(isinstance(item, RawEntry) for item in page) == found


def test_a_heading_beside_questions_keeps_its_own_answer_above_others() -> None:
    below = "<h3>Why must I call it?</h3><p>Nobody else does.</p>"
    error, other = '<h2>"It was rolled back." (or similar)</h2>{}' + below, "<h2>How do I log?</h2><p>Set echo.</p>"
    answers = [("Why must I call it?", "Nobody else does."), ("How do I log?", "Set echo.")]
    text = ["A commit failed.", "Call rollback, and only then go on with what you wanted to do in the first place."]
    remedy = "".join(f"<p>{one}</p>" for one in text)
    html = f"<title>FAQ</title><h1>FAQ</h1>{error}{other}"
    assert pairs(html.format(remedy)) == [('"It was rolled back." (or similar)', "\n\n".join(text)), *answers]
    assert pairs(html.replace('"It was rolled back."', "Errors").format(remedy)) == answers
    asked = html.replace('"It was rolled back." (or similar)', "Errors").format(
        remedy.replace("failed.", "failed. Why?")
    )
    assert pairs(asked)[0][0] == "Errors"
    assert len(pairs(html.replace('"It was rolled back." (or similar)', "It was rolled back").format(remedy))) == 3
    # What introduces those below, and sections beside one another.
    assert pairs(html.format(f"<p>{' '.join(text)}</p>")) == answers
    assert pairs(html.format(f"{remedy}<p>These are asked:</p>")) == answers
    sections = f"<title>FAQ</title><h1>FAQ</h1>{error}<h2>Logs</h2><h3>How?</h3><p>So.</p><h2>Ink</h2><h3>Who?</h3>We."
    assert pairs(sections.format(remedy))[0] == answers[0]


def test_a_question_about_the_faq_may_be_answered_by_a_link() -> None:
    html = "<h1>Help</h1><h2>Where is the FAQ?</h2><p>It moved to <a href='https://x.org'>our site</a>.</p>"
    assert pairs(html) == [("Where is the FAQ?", "It moved to our site (https://x.org).")]


@pytest.mark.parametrize("kind", ["modal", "list", "dropdown", "button"])
def test_what_asks_and_is_opened_is_a_question_in_any_form(kind: str) -> None:
    opener = f'<li><a data-toggle="{kind}" data-target="#one">How do I pay?</a></li>'
    assert pairs(f'<title>FAQ</title><ul>{opener}</ul><div id="one"><p>By card.</p></div>') == [
        ("How do I pay?", "By card.")
    ]


def test_a_button_may_open_an_answer() -> None:
    button = '<button data-toggle="button" aria-controls="one">Prices</button><div id="one">Low.</div>'
    assert pairs(f"<title>FAQ</title>{button}") == [("Prices", "Low.")]


@pytest.mark.parametrize("first", ["<p>Q: How?</p><p>A: So.</p>", "<p>Question: a word with great effects.</p>"])
def test_definitions_beside_a_question_with_its_mark_may_be_questions(first: str) -> None:
    html = f"<title>FAQ</title><h1>FAQ</h1>{first}<dl><dt>Payment</dt><dd>By card.</dd></dl>"
    assert ("Payment", "By card.") in pairs(html)


def test_a_title_between_problem_and_solution_has_the_place_of_its_label() -> None:
    html = """<title>FAQ</title><h1>FAQ</h1><h2>Overview</h2><p>Much is asked.</p><h2 id="p1">Problem</h2>
    <h3>No ink</h3><h2>Solution</h2><p>Fill it.</p><h2>Is it free?</h2><p>Yes.</p>"""
    assert [entry.headings for entry in entries(html) if isinstance(entry, RawEntry)] == [("FAQ",)] * 3
    assert anchors(html) == [None, "p1", None]


def test_a_call_to_the_reader_is_no_part_of_the_headings_below() -> None:
    html = "<title>FAQ</title><h1>FAQ</h1><h2>Read this before you write!</h2><p>Please.</p><h3>Ink</h3><p>Fill it.</p>"
    assert pairs(html) == [("Read this before you write!", "Please."), ("Ink", "Fill it.")]


@pytest.mark.parametrize(
    ("title", "heading"),
    [
        ("Troubleshooting engineer - Jobs", "Troubleshooting engineer"),
        ("Moving our database | Troubleshooting | Blog", "Moving our database"),
        ("Course: Introduction to network troubleshooting", "Introduction to network troubleshooting"),
        ("Site map - Troubleshooting", "Troubleshooting tools in version 3"),
        ("Troubleshooting", "Legal notice"),
    ],
)
def test_a_page_with_troubles_in_its_title_may_be_about_other_things(title: str, heading: str) -> None:
    html = f"<title>{title}</title><h1>{heading}</h1><h2>The plan</h2><p>We made a copy.</p>"
    assert isinstance(entries(html)[0], Problem)


def test_topics_that_are_opened_below_one_another_open_no_answers() -> None:
    topics = "".join(f"<details><summary>{name}</summary>So.</details>" for name in ("Power", "Display", "Details"))
    assert [question for question, _ in pairs(f"<title>FAQ</title><h1>FAQ</h1>{topics}")] == [
        "Power",
        "Display",
        "Details",
    ]


def test_a_paragraph_of_two_sentences_is_no_question_above_its_answer() -> None:
    html = """<title>FAQ</title><h1>FAQ</h1><h2>General</h2><p>These are asked. Want to see all?</p>
    <details><summary>Show more</summary><p>We began in 1990.</p></details><h2>Ink</h2><p>Fill it.</p>"""
    text = "These are asked. Want to see all?\n\nShow more\n\nWe began in 1990."
    assert pairs(html) == [("General", text), ("Ink", "Fill it.")]


def test_one_block_that_opens_below_text_is_a_part_of_it() -> None:
    page = "<title>FAQ</title><h1>FAQ</h1><h2>It stops</h2>{}<h2>Is it free?</h2><p>Yes.</p>"
    log = "<details><summary>Full log</summary><p>Smoke.</p></details>"
    text = "Start it.\n\nFull log\n\nSmoke.\n\nThen wait."
    assert pairs(page.format(f"<p>Start it.</p>{log}<p>Then wait.</p>"))[0] == ("It stops", text)
    # Topics that are opened one after the other, and what stands beside a question.
    topics = f"<p>See below.</p>{log}<details><summary>Noise</summary><p>Oil it.</p></details>"
    assert [question for question, _ in pairs(page.format(topics))] == ["Full log", "Noise", "Is it free?"]
    several = f"<p>By day:</p>{log}<p>By night:</p>{log.replace('Full log', 'Noise')}"
    assert [question for question, _ in pairs(page.format(several))] == ["Full log", "Noise", "Is it free?"]
    asking = f"<p>See below.</p>{log}<p>Or:</p><details><summary>Does it burn?</summary><p>No.</p></details>"
    assert [question for question, _ in pairs(page.format(asking))] == ["Full log", "Does it burn?", "Is it free?"]


def test_questions_as_lists_of_one_item_have_their_answers_behind_them() -> None:
    html = """<title>Markers FAQ</title><div class="contents"><p>Some questions.</p>
    <ul><li>Which marker should I use?</li></ul><p>The small one:</p><ul><li>a</li><li>b</li></ul>
    <ul><li>Does it burn?</li></ul><p>No.</p><ul><li>Is it free?</li></ul><p>Yes.</p></div>"""
    first = ("Which marker should I use?", "The small one:\n\n- a\n- b")
    assert pairs(html) == [first, ("Does it burn?", "No."), ("Is it free?", "Yes.")]
    # Below topics they are lists in texts.
    topic = "<h2>Marks {0}</h2><p>Ask yourself:</p><ul><li>Is it on?</li></ul><p>If not, go.</p>"
    topics = "<title>FAQ</title><h1>FAQ</h1>" + "".join(map(topic.format, range(3)))
    assert pairs(topics) == [(f"Marks {n}", "Ask yourself:\n\n- Is it on?\n\nIf not, go.") for n in range(3)]


def test_a_part_called_contents_that_is_most_of_the_page_is_its_content() -> None:
    trouble = "<h3>1. {0} is not visible.</h3>It is hidden behind a layer that was put in front of it.{1}"
    html = f"""<title>Troubleshooting</title><h1>Troubleshooting</h1><div class="contents">
    {trouble.format("The object", "")}{trouble.format("The light", " Move it.")}</div><p>Home</p>"""
    assert [question for question, _ in pairs(html)] == ["The object is not visible.", "The light is not visible."]


def test_two_questions_with_marks_share_the_answer_that_has_one() -> None:
    html = """<title>FAQ</title><h1>FAQ</h1><p><b>Q: It fails. Why?</b></p><p><b>Q: It stops. Why?</b></p><p>A: Ink.</p>
    <p><b>Q: Is it free?</b></p><p>A: Yes.</p>"""
    assert pairs(html) == [("It fails. Why?", "Ink."), ("It stops. Why?", "Ink."), ("Is it free?", "Yes.")]
    # As headings, or without "A:", the first one's answer was forgotten.
    headings = html.replace("<p><b>", "<h2>").replace("</b></p>", "</h2>")
    assert [answer for _, answer in pairs(headings)] == ["", "Ink.", "Yes."]
    assert [answer for _, answer in pairs(html.replace("A: Ink", "Ink"))] == ["", "Ink.", "Yes."]


def test_lists_of_terms_end_at_the_heading_between_them() -> None:
    html = """<title>FAQ</title><h1>FAQ</h1><h2>Ink</h2><dl><dt>Why red?</dt><dd>Paint.</dd>
    <h2>Price</h2><dl><dt>Is it free?</dt><dd>Yes.</dd></dl><hr>
    <h2>Power</h2><dl><dt>Is it on?</dt><dd>No.</dd></dl>"""
    found = [(one.headings, one.fields["question"]) for one in entries(html) if isinstance(one, RawEntry)]
    assert found == [(("FAQ", "Ink"), "Why red?"), (("FAQ", "Price"), "Is it free?"), (("FAQ", "Power"), "Is it on?")]
    # A list that has its headings in it.
    html = """<title>FAQ</title><h1>FAQ</h1><dl><h3>Ink</h3><dt>Why red?</dt><dd>Paint.</dd>
    <h3>Price</h3><dt>Is it free?</dt><dd>Yes.</dd><dt>For all?</dt><dd>No.</dd></dl>"""
    found = [(one.headings, one.fields["question"]) for one in entries(html) if isinstance(one, RawEntry)]
    assert found == [(("FAQ", "Ink"), "Why red?"), (("FAQ", "Price"), "Is it free?"), (("FAQ", "Price"), "For all?")]


def test_a_heading_ends_where_another_begins_in_it() -> None:
    html = """<title>FAQ</title><h1>FAQ</h1><h2>Is it on?</h2><p>No.</p><a name="red"><a><h2>
    <h2>Is it red?</h2>Yes.<h2>Is it old?<h2>Is it new?</h2><p>Just made.</p>"""
    assert pairs(html)[:2] == [("Is it on?", "No."), ("Is it red?", "Yes.")]
    assert pairs(html)[-1] == ("Is it new?", "Just made.")


def test_a_table_of_links_into_the_page_is_its_contents() -> None:
    links = "".join(f"<tr><td><a href=#a{n}>Why {n}?</a><td><a href=#b{n}>How {n}?</a></tr>" for n in range(2))
    answers = "".join(f"<h2 id=a{n}>Why {n}?</h2><p>So.</p><h2 id=b{n}>How {n}?</h2><p>Thus.</p>" for n in range(2))
    html = f"<title>FAQ</title><h1>FAQ</h1><table>{links}</table>{answers}"
    assert [question for question, _ in pairs(html)] == ["Why 0?", "How 0?", "Why 1?", "How 1?"]
    # A table in an answer.
    shelves = "".join(f"<tr><td><a href=#a{n}>Shelf {n}</a><td><a href=#b{n}>Room {n}</a></tr>" for n in range(2))
    html = f"<title>FAQ</title><h1>FAQ</h1><h2>What is there?</h2><p>All of:</p><table>{shelves}</table>"
    assert "Room 1" in pairs(html)[0][1]


@pytest.mark.parametrize(
    "links",
    [
        "<p><a href=#a>Renewing</a></p><p><a href=#b>Paying</a></p><p><a href=#c>Reading</a></p>",
        "<table><tr><td><a href=x#a>Renewing</a><td><a href=x#b>Paying</a><td><a href=x#c>Reading</a></tr></table>",
    ],
)
@pytest.mark.parametrize(
    "question",
    [
        "<h2>Where are the guides?</h2>{}",
        "<h2>Guides</h2>Here:{}",
        "<details><summary>Where are they?</summary>{}</details>",
    ],
)
def test_links_that_do_not_ask_are_an_answer(question: str, links: str) -> None:
    html = f"<title>FAQ</title><h1>FAQ</h1>{question.format(links)}<h2>Is it free?</h2><p>Yes.</p>"
    answer = pairs(html)[0][1]
    assert all(name in answer for name in ("Renewing", "Paying", "Reading"))


def test_only_solutions_below_troubles_belong_to_them() -> None:
    html = """<title>Troubleshooting</title><h1>Troubleshooting</h1><h2>No print</h2><p>Often.</p><h3>Solution</h3>
    <p>Ink.</p><h2>No light</h2><p>Seldom.</p><h3>Solution</h3><p>Wait.</p>"""
    assert pairs(html) == [("No print", "Often.\n\nSolution\n\nInk."), ("No light", "Seldom.\n\nSolution\n\nWait.")]


def test_a_heading_that_only_names_an_faq_leaves_what_is_opened_elsewhere() -> None:
    html = "<h1>Help</h1><h2>FAQ</h2>{}<h2>Billing</h2><details><summary>Refunds</summary>Soon.</details>"
    assert pairs(html.format("")) == [("Refunds", "Soon.")]
    assert pairs(html.format("<p><b>How?</b> So.</p>")) == [("How?", "So.")]


def test_lists_that_words_and_code_interrupt_are_not_read_in_part() -> None:
    lists = "".join(f"<ol><li>{name}?<p>Call:</p></li></ol><pre>x</pre>" for name in ("How", "Why"))
    html = f"<title>FAQ</title><h1>FAQ</h1>{lists}<p>And wait.</p><ol><li>Who?<p>We.</p></li></ol>"
    assert isinstance(entries(html)[0], Problem)


def test_a_title_in_bold_print_that_tells_a_trouble_is_a_question_between_others() -> None:
    html = """<title>FAQ</title><h1>FAQ</h1><p><b>Do you ship?</b></p><p>Yes.</p><p><b>{}</b></p><p>Type it.</p>
    <p><b>Which cards?</b></p><p>Visa.</p>"""
    troubles = ("My code doesn't work", "I\u2019ve lost my code", "My parcel arrived damaged", "I was charged twice")
    failures = (
        "Payment declined",
        "The form is not shown",
        "The app won\u2019t open at all",
        "Error 421",
        "It keeps failing",
    )
    for title in (*troubles, "I can't find it", "App crashes on start", *failures):
        assert pairs(html.format(title)) == [("Do you ship?", "Yes."), (title, "Type it."), ("Which cards?", "Visa.")]
    for part in (
        "On Windows",
        "I would not do this.",
        "I do not say:",
        "My code",
        "We do not ship to",
        "I want it",
        "What is not shown",
    ):
        assert pairs(html.format(part))[0][1] == f"Yes.\n\n{part}\n\nType it."
    table = "<p>Yes:</p><table><tr><td><b>My plan is not paid</b></td><td>5</td></tr></table>"
    assert pairs(html.replace("<p><b>{}</b></p>", table))[0][1].endswith("My plan is not paid | 5\n\nType it.")


@pytest.mark.parametrize("others", ["Shipped", "On Windows"])
def test_names_of_failures_beside_other_bold_print_are_parts_of_an_answer(others: str) -> None:
    html = f"""<title>FAQ</title><h1>FAQ</h1><p><b>Do you ship?</b></p><p>Yes.</p><p><b>{others}</b></p><p>So.</p>
    <p><b>Payment declined</b></p><p>Wait.</p><p><b>Which cards?</b></p><p>Visa.</p>"""
    assert [question for question, _ in pairs(html)] == ["Do you ship?", "Which cards?"]


@pytest.mark.parametrize(
    "line", ["No refunds if it has expired", "Never stop when it failed", "Your code is not shown"]
)
def test_warnings_are_no_names_of_failures(line: str) -> None:
    html = f"""<title>FAQ</title><h1>FAQ</h1><p><b>Do you ship?</b></p><p>Yes.</p><p><b>{line}</b></p><p>So.</p>
    <p><b>Which cards?</b></p><p>Visa.</p>"""
    assert [question for question, _ in pairs(html)] == ["Do you ship?", "Which cards?"]


def test_a_trouble_between_items_that_ask_in_bold_print_is_a_question() -> None:
    html = (
        "<title>FAQ</title><h1>FAQ</h1><ul><li><b>Do you ship?</b> Yes.</li><li><b>{}</b> Wait.</li>"
        "<li><b>Which cards?</b> Visa.</li><li><b>Is it far?</b> No.</li></ul>"
    )
    others = [("Which cards?", "Visa."), ("Is it far?", "No.")]
    assert pairs(html.format("I was charged twice")) == [
        ("Do you ship?", "Yes."),
        ("I was charged twice", "Wait."),
        *others,
    ]
    assert pairs(html.format("By post"))[0] == ("Do you ship?", "Yes.\n- By post Wait.")


def test_a_panel_may_be_called_navigation() -> None:
    item = (
        '<div class="w-dropdown"><div class="{}"><div>{}</div></div><nav class="w-dropdown-list"><p>{}</p></nav></div>'
    )
    toggle = "w-dropdown-toggle"
    items = item.format(toggle, "Is it hot?", "Yes.") + item.format(toggle, "My oven", "Heat it.")
    html = f"<title>FAQ</title><h2>FAQ</h2>{items}{item.format(toggle, 'Is it shut?', 'No.')}"
    assert pairs(html) == [("Is it hot?", "Yes."), ("My oven", "Heat it."), ("Is it shut?", "No.")]
    menu = '<title>FAQ</title><h1>FAQ</h1><h2>Is it hot?</h2><p>Yes.</p><div class="toggle">Menu</div><nav>We</nav>'
    assert pairs(menu) == [("Is it hot?", "Yes.\n\nMenu")]
    foot = (
        "<title>FAQ</title><h1>FAQ</h1><div><h2>Is it hot?</h2><p>Yes?</p></div><footer>All rights are ours.</footer>"
    )
    assert pairs(foot) == [("Is it hot?", "Yes?")]


def test_what_only_opens_an_accordions_part_is_not_in_its_question() -> None:
    html = """<title>Help</title><h1>Help</h1><div class="govuk-accordion"><h2><button aria-controls="c1">
    <span>How do I reset it?</span><span class="govuk-visually-hidden">, </span>
    <span class="toggle" data-nosnippet=""><span>Show</span></span></button></h2>
    <div id="c1"><p>Click.</p></div></div>"""
    assert pairs(html) == [("How do I reset it?", "Click.")]
    # What a search engine is not to show may be the question.
    assert pairs(html.replace("<span>How", "<span data-nosnippet>How")) == [("How do I reset it?", "Click.")]


def test_what_is_called_a_question_is_one_if_others_so_called_ask() -> None:
    item = '<div><h3 class="rank-math-question">{}</h3><div class="rank-math-answer"><p>{}</p></div></div>'
    asked = [("Do you ship?", "Yes."), ("My code fails", "Type it."), ("Which cards?", "Visa.")]
    html = "<title>Help</title><h1>Help</h1>" + "".join(item.format(*each) for each in asked)
    assert pairs(html) == asked
    assert isinstance(entries("<title>Help</title><h1>Help</h1>" + item.format("Section", "Text."))[0], Problem)
    quiz = "".join(
        item.format(*each) for each in [("Run is a __.", "verb"), ("A __ runs.", "dog"), ("Which?", "That.")]
    )
    assert pairs(f"<title>Help</title><h1>Help</h1>{quiz}") == [("Which?", "That.")]


def test_who_wrote_an_article_and_when_is_no_part_of_an_answer() -> None:
    html = """<title>How do I move?</title><article><header><h1>How do I move?</h1>
    <div class="article-author"><a href="/p">Dana</a><div class="article-meta">Updated</div></div>
    </header>
    <div class="article-info"><p>Only owners can.</p></div></article>"""
    assert pairs(html) == [("How do I move?", "Only owners can.")]
    section = '<title>FAQ</title><h1>FAQ</h1><section id="article-author"><h2>Who is it?</h2><p>Ada.</p></section>'
    assert pairs(section) == [("Who is it?", "Ada.")]


def test_a_list_of_terms_below_text_is_a_part_of_the_answer_where_few_have_one() -> None:
    steps = "<dl><dt>Step 1</dt><dd>Find it.</dd><dt>Step 2</dt><dd>Mend it.</dd></dl>"
    html = "<title>Troubleshooting</title><h1>Troubleshooting</h1><h2>It leaks</h2><p>Two are mixed.</p>{}"
    html += "<h2>It hangs</h2><p>Wait.</p><h2>It falls</h2><p>Hold it.</p>"
    assert [question for question, _ in pairs(html.format(steps))] == ["It leaks", "It hangs", "It falls"]
    listed = "<title>FAQ</title><h1>FAQ</h1><p>All that is asked:</p>" + steps + "<h2>Us</h2><p>We.</p>" * 4
    assert [question for question, _ in pairs(listed)][:2] == ["Step 1", "Step 2"]
    # Below a heading alone it is what the heading is about.
    assert [question for question, _ in pairs(html.replace("<p>Two are mixed.</p>", "").format(steps))] == [
        "Step 1",
        "Step 2",
        "It hangs",
        "It falls",
    ]


def test_the_labels_of_a_form_are_no_answer() -> None:
    form = '<form><label>Name</label><input type="text"><button>Send</button></form>'
    html = f"<title>FAQ</title><h1>FAQ</h1><h2>Do you ship?</h2><p>Yes.</p>{form}<h2>Contact us</h2>{form}"
    assert pairs(html) == [("Do you ship?", "Yes.")]
    # A page may be a form as a whole, and a form may be what opens answers.
    whole = '<title>FAQ</title><form><input type="hidden"><input><h1>FAQ</h1><h2>Do you ship?</h2><p>Yes.</p></form>'
    ticked = '<title>FAQ</title><h1>FAQ</h1><form><h2>Do you ship?</h2><p>Yes. <input type="checkbox"></p></form>'
    assert pairs(whole) == pairs(ticked) == [("Do you ship?", "Yes.")]


@pytest.mark.parametrize(
    "form",
    [
        "<h3><span class=sign>Q</span> {}</h3><p><span class=sign>A</span>{}</p>",
        "<dl><dt><b>Q</b>{}</dt><dd><b>A</b>{}</dd></dl>",
        "<div class=q><span>Q</span><span>{}</span></div><div class=a><span>A</span><span>{}</span></div>",
    ],
)
def test_signs_of_questions_and_answers_are_no_letters_of_theirs(form):
    asked = [("Is it hot?", "It is."), ("Is it far?", "No.")]
    assert pairs("<title>FAQ</title>" + "".join(form.format(*pair) for pair in asked)) == asked


def test_a_first_letter_in_print_of_its_own_belongs_to_its_word():
    body = "<h2><b>Q</b>ueues: what for?</h2><p><b>A</b> line.</p><h2>Is it far?</h2><p><b>A</b> bit.</p>"
    assert pairs(f"<title>FAQ</title>{body}") == [("Queues: what for?", "A line."), ("Is it far?", "A bit.")]


def test_a_text_in_preformatted_print_is_read_as_a_text_is():
    text = "1. Is it &lt;hot&gt;?\n\n   It is.\n\n2. Is it <a href=far.html>far</a>?\n\n   No.\n"
    assert pairs(f"<title>Our FAQ</title><pre>{text}</pre>") == [("Is it <hot>?", "It is."), ("Is it far?", "No.")]
    # Code of a page is not.
    [problem] = entries("<title>Our FAQ</title><p>" + "Much text. " * 20 + f"</p><pre>{text}</pre>")
    assert isinstance(problem, Problem)


def test_dashes_before_bold_print_are_signs_of_a_list():
    asked = [("Is it hot?", "It is."), ("Please tell more.", "No."), ("Is it far?", "No.")]
    lines = "".join(f"<p>- <b>{question}</b><br>{answer}</p>" for question, answer in asked)
    assert pairs(f"<title>FAQ</title>{lines}") == asked
    in_a_table = pairs(f"<title>FAQ</title><table><tr><td>{lines}</td></tr></table>")
    assert in_a_table[0] == asked[0]
    assert in_a_table[-1] == asked[-1]


def test_a_heading_answer_is_the_answer_of_the_one_above_it():
    body = "<h2>Printing</h2><p>It stops.</p><h3>Answer</h3><p>Wait.</p><h2>Logs</h2><p>So.</p>"
    assert pairs(f"<title>FAQ</title><h1>FAQ</h1>{body}") == [
        ("Printing", "It stops.\n\nAnswer\n\nWait."),
        ("Logs", "So."),
    ]


def test_questions_above_one_answer_have_it_all():
    headings = "".join(f"<h2>Is it {word}?</h2>" for word in ("hot", "warm", "nice"))
    page = f"<title>FAQ</title><h1>FAQ</h1>{headings}<p>It is.</p><h2>Is it far?</h2><p>No.</p>"
    assert pairs(page) == [(f"Is it {word}?", "It is.") for word in ("hot", "warm", "nice")] + [("Is it far?", "No.")]
    # Many are a list of questions.
    many = "".join(f"<h2>Is it {word}?</h2>" for word in ("hot", "warm", "nice", "cold", "wet", "far"))
    assert [answer for _, answer in pairs(f"<title>FAQ</title><h1>FAQ</h1>{many}<p>No.</p>") if answer] == ["No."]


@pytest.mark.parametrize(
    "foot",
    [
        "<p>Last modified: 12 Jan 2001</p>",
        "<hr>Last update: 12-Jan-2001",
        "<hr><p><i>$Id: faq.html,v 1.3 2001/01/12 Exp $</i></p>",
        "<hr><!-- a -->Last modified: Thu <!-- b --> <a href=http://example.org/>Example</a>",
        "<p>Page updated 3 May 2004</p>",
        "<p>Generated by Doxygen</p>",
    ],
)
def test_when_a_page_was_made_is_no_part_of_its_last_answer(foot):
    asked = [("Is it hot?", "It is."), ("Is it far?", "No.")]
    page = "<title>FAQ</title>" + "".join(f"<h2>{question}</h2><p>{answer}</p>" for question, answer in asked)
    assert pairs(page + foot) == asked


@pytest.mark.parametrize(
    "text", ["Changed in version 3.4: no more.", "Generated files stay.", "Last update failed: wait."]
)
def test_what_changed_in_a_version_is_text(text):
    body = f"<h2>Is it hot?</h2><p>It is.</p><p>{text}</p><h2>Is it far?</h2><p>No.</p><hr><p>{text}</p>"
    assert pairs(f"<title>FAQ</title>{body}") == [("Is it hot?", f"It is.\n\n{text}"), ("Is it far?", f"No.\n\n{text}")]


def test_lists_that_only_move_headings_to_the_right_are_none() -> None:
    page = (
        "<title>FAQ</title><h1>FAQ</h1><dl compact><h3>1. How do I bake?</h3>So.<dl compact><h3>1a. Without heat?</h3>"
        "No.</dl></dl><dl><h3>2. How do I clean it?</h3>With water.</dl>"
    )
    assert pairs(page) == [
        ("How do I bake?", "So."),
        ("Without heat?", "No."),
        ("How do I clean it?", "With water."),
    ]


@pytest.mark.parametrize("holder", ["div", "blockquote"])
def test_bold_paragraphs_that_tell_what_happens_are_questions_beside_others(holder: str) -> None:
    told = "When I bake a cake, the oven shows a strange message:"
    page = (
        f"<title>FAQ</title><h1>FAQ</h1><{holder}><p><b>Is it hot?</b></p><p>Yes.</p><p><b>Is it new?</b></p><p>No.</p>"
        f"<p><b>{told}<br></b></p><p>Turn it off.</p><p><b>If you see this, call us.</b></p></{holder}>"
    )
    assert pairs(page) == [
        ("Is it hot?", "Yes."),
        ("Is it new?", "No."),
        (told.rstrip(":"), "Turn it off.\n\nIf you see this, call us."),
    ]


def test_the_menu_of_an_old_maven_page_is_no_content() -> None:
    page = '<title>FAQ</title><div id="navcolumn"><h5>Overview</h5><ul><li>News</li></ul></div><h2>How?</h2><p>So.</p>'
    assert pairs(page) == [("How?", "So.")]


def test_definitions_in_groups_keep_their_terms() -> None:
    page = (
        "<title>FAQ</title><h1>FAQ</h1><dl><div><dt>How do I pay?</dt><dd>By card."
        "<h4>By bank</h4><p>Wait.</p></dd>"
        "</div><div><dt>Is it open?</dt><dd>Yes.</dd></div></dl>"
    )
    assert [question for question, _ in pairs(page)] == ["How do I pay?", "Is it open?"]


def test_bold_paragraphs_that_tell_of_no_trouble_stay_in_the_answer() -> None:
    page = (
        "<title>FAQ</title><h1>FAQ</h1><p><b>Is it good?</b></p><p>Yes.</p>"
        "<p><b>What do students say?</b></p><p>This:</p>"
        "<p><b>My boss was impressed and gave me a better position.</b></p><p>Tom</p>"
    )
    assert [question for question, _ in pairs(page)] == ["Is it good?", "What do students say?"]


ASKED = """<title>{title}</title><p>About the oven.</p>
<p class="question">Is it <b>hot</b>?</p><p>Very.</p><p>Beware.</p>
<p class="question">Its door looks awful</p><p>Paint it.</p><p class="question">Can I sit on it?</p> No."""


def test_lines_that_are_called_questions_need_nothing_that_is_called_an_answer() -> None:
    assert pairs(ASKED.format(title="FAQ")) == [
        ("Is it hot?", "Very.\n\nBeware."),
        ("Its door looks awful", "Paint it."),
        ("Can I sit on it?", "No."),
    ]


def test_lines_that_are_called_questions_make_no_faq_of_a_page() -> None:
    [problem] = entries(ASKED.format(title="A form"))
    assert isinstance(problem, Problem)


@pytest.mark.parametrize(
    "html",
    [
        '<p class="question">Is it hot?</p><p class="question">Is it far?</p>',
        '<p class="question">Your name</p><p>a</p><p class="question">Your age</p><p>b</p>',
        '<div class="question"><p>Is it hot?</p>No.</div><p>a</p><div class="question"><p>Far?</p></div>b',
        '<h2>Is it hot?</h2><p>So:</p><p class="question">Is it far?</p><p>No.</p>',
    ],
)
def test_what_is_called_a_question_may_be_none(html: str) -> None:
    own = html.replace(' class="question"', "")
    assert pairs(f"<title>FAQ</title><h2>How?</h2><p>So.</p>{html}") == pairs(
        f"<title>FAQ</title><h2>How?</h2><p>So.</p>{own}"
    )


def test_rubrics_are_in_bold_print() -> None:
    rubric = '<p class="rubric" id="r{0}">{0}. {1}</p><p>{2}</p>'
    html = "<title>FAQ</title><h1>FAQ</h1>" + "".join(
        rubric.format(number, *pair)
        for number, pair in enumerate(
            [("I see <cite>E4</cite>!", "Wait."), ("Is it hot?", "Yes."), ("I want one!", "Buy it.")], 1
        )
    )
    assert pairs(html) == [("I see E4!", "Wait."), ("Is it hot?", "Yes."), ("I want one!", "Buy it.")]
    assert anchors(html)[1:] == ["r2", "r3"]


@pytest.mark.parametrize(
    "more",
    [
        '<p class="scroll2top"><a href="#content">Scroll to top</a></p>',
        '<p>&rarr; <a href="#top">Back to top.</a></p>',
        '<div class="ttc" id="o"><div class="ttname"><a href="o.html">Oven</a></div>'
        '<div class="ttdef"><b>Definition:</b> oven.h:7</div></div>',
        '<div class="vote-feedback-container hide"><div class="lead">Send feedback</div><p>Sorry.</p></div>',
        '<a class="article-subscribe" role="button" data-action="sign-in">Follow</a>',
        '<div class="avatar"><div>Written by <span>Ann</span></div></div><p>Updated over a week ago</p>',
        '<hr><div class="header"><p>Next: <a href="k.html">Keys</a>, Up: <a href="i.html">Oven</a> '
        '[<a href="i.html#C" rel="contents">Contents</a>][<a href="k.html" rel="index">Index</a>]</p></div>',
    ],
)
def test_what_generators_write_below_an_answer_is_no_part_of_it(more: str) -> None:
    assert pairs(f"<title>FAQ</title><h2>Is it hot?</h2><p>Yes.</p>{more}") == [("Is it hot?", "Yes.")]


LINUXDOC = """<html><head><meta name="GENERATOR" content="LinuxDoc-Tools 0.9"><title>Oven FAQ</title></head><body><hr>
<h1>Oven FAQ</h1><h2>Ann Baker</h2><h3>House of Bread</h3> and <h2>Bo Miller</h2>Version 2<p><hr><em>About.</em>
<hr><h2>1. Heat</h2><h3>1.1 Is it hot?</h3><p>Yes.</p></body></html>"""


def test_who_wrote_a_page_of_linuxdoc_is_no_question() -> None:
    assert pairs(LINUXDOC) == [("Is it hot?", "Yes.")]
    # Without its mark they may be anything, and without the rule no one knows where they end.
    assert ("House of Bread", "and") in pairs(LINUXDOC.replace("LinuxDoc-Tools", "Pen"))
    assert ("House of Bread", "and") in pairs(LINUXDOC.replace("<hr>", ""))


def test_the_title_page_of_docbook_is_no_question() -> None:
    author = '<div class="author"><h3 class="author"><span class="surname">Baker</span></h3></div>'
    title = f'<div class="titlepage"><div><h2 class="title">Oven Troubleshooting</h2></div>{author}</div>'
    page = f"<title>Oven Troubleshooting</title>{title}<h2>It is cold</h2><p>Wait.</p>"
    assert pairs(page) == [("It is cold", "Wait.")]
    assert pairs(page.replace("titlepage", "box"))[0][1] == "Baker"
    # As DSSSL writes it.
    title = '<div class="TITLEPAGE"><h1 class="TITLE">Oven FAQ</h1><h3 class="AUTHOR">Baker</h3><p>About.</p></div>'
    assert pairs(f"<title>Oven FAQ</title>{title}<h2>It is cold</h2><p>Wait.</p>") == [("It is cold", "Wait.")]


def test_the_title_of_a_page_with_its_contents_is_no_question() -> None:
    questions = "<h2>Heat</h2><h4>Is it hot?</h4><p>Yes.</p><h2>Door</h2><p>Open.</p>"
    page = f"<title>Oven FAQ</title><h2>{{}}</h2><p>Heat<br>Doors</p>{questions}"
    assert pairs(page.format("Oven FAQ")) == [("Is it hot?", "Yes."), ("Door", "Open.")]
    assert pairs(page.format("What is the oven FAQ?"))[0] == ("What is the oven FAQ?", "Heat\nDoors")
    assert pairs(page.format("Ovens"))[0] == ("Ovens", "Heat\nDoors")


def test_a_chapter_the_faq_of_an_faq_is_one_of_several() -> None:
    page = (
        "<title>Oven FAQ</title><h1>Oven FAQ</h1><h2>1 - The FAQ</h2><h3>Who wrote it?</h3><p>Ann.</p>"
        "<h2>2 - Heat</h2><h3>It is cold</h3><p>Wait.</p>"
    )
    assert pairs(page) == [("Who wrote it?", "Ann."), ("It is cold", "Wait.")]


CONTENTS = """<html><body>{}<h2>FAQ</h2><ul><li><a href="#a">Is it hot?</a></li></ul><h5>Doors</h5>
<ul><li><a href="#b">It does not open.</a></li></ul>{}<h2>Answers</h2><h5 id="a">Is it hot?</h5><p>Yes.</p>
<h2>Doors</h2><h5 id="b">It does not open.</h5><p>Oil it.</p></body></html>"""


def read_as(name: str, html: str) -> list[str]:
    return [one.fields["question"] for one in read(BytesIO(html.encode()), name=name) if isinstance(one, RawEntry)]


def test_a_heading_faq_with_nothing_but_links_below_is_a_title() -> None:
    assert read_as("faq.html", CONTENTS.format("", "")) == ["Is it hot?", "It does not open."]
    # Of a page that is none it is a section, and so it is where it has a text.
    assert read_as("oven.html", CONTENTS.format("", "")) == ["Is it hot?"]
    assert read_as("faq.html", CONTENTS.format("", "<p>Ask us.</p>")) != ["Is it hot?", "It does not open."]
    # What stands above it is not in it.
    above = "<h2>Ovens</h2><p>We bake.</p>"
    assert read_as("faq.html", CONTENTS.format(above, "")) == ["Is it hot?", "It does not open."]


def test_an_empty_heading_among_questions_of_its_rank_names_what_comes_after_it() -> None:
    page = (
        "<h1>FAQ</h1><h3>Baking</h3><h3>Is it hot?</h3><p>Yes.</p><h3>Is it done?</h3><p>No.</p><h3>Doors</h3>"
        "<h3>Does it open?</h3><p>Oil it.</p>"
    )
    assert pairs(page) == [("Is it hot?", "Yes."), ("Is it done?", "No."), ("Does it open?", "Oil it.")]
    # One that asks has lost its answer.
    assert pairs(page.replace("Doors", "And the door?"))[2] == ("And the door?", "")


@pytest.mark.parametrize(
    "item",
    [
        "<details><summary><span>{n:02}</span>{q}</summary><p>{a}</p></details>",
        "<details><summary><span>{n:02}</span> <span>{q}</span></summary><p>{a}</p></details>",
        "<h3><span>{n:02}</span>{q}</h3><p>{a}</p>",
        "<dl><dt><b>{n}</b>{q}</dt><dd>{a}</dd></dl>",
        '<div class="faq"><div class="question"><i>{n}</i>{q}</div><div class="answer">{a}</div></div>',
    ],
)
def test_numbers_in_elements_of_their_own_are_no_part_of_a_question(item: str) -> None:
    items = [("How do I pay?", "By card."), ("Prices", "Low ones.")]
    page = "".join(item.format(n=n, q=q, a=a) for n, (q, a) in enumerate(items, 1))
    assert pairs(f"<title>FAQ</title><h1>FAQ</h1>{page}") == items


def test_only_numbers_that_count_up_number_what_follows() -> None:
    page = "<title>FAQ</title><h2><b>3</b>D printers?</h2><p>Yes.</p><h2><b>2</b>D printers?</h2><p>No.</p>"
    assert pairs(page) == [("3D printers?", "Yes."), ("2D printers?", "No.")]


@pytest.mark.parametrize(
    "item",
    [
        "<details><summary>{q} <span>+</span></summary><p>{a}</p></details>",
        '<h3>{q}<span class="icon">\u25be</span></h3><p>{a}</p>',
        '<div class="faq-item"><button>{q}<i>+</i></button><div class="faq-answer">{a}</div></div>',
        '<div class="faq-item"><label><p>{q}</p><span>+</span></label><div>{a}</div></div>',
    ],
)
def test_the_sign_that_opens_an_answer_is_no_part_of_its_question(item: str) -> None:
    items = [("How do I pay?", "By card."), ("Prices", "Low ones.")]
    page = "".join(item.format(q=q, a=a) for q, a in items)
    assert pairs(f"<title>FAQ</title><h1>FAQ</h1>{page}") == items


@pytest.mark.parametrize("mark", ["<span>{}</span>", "<p>{}</p>", '<div class="icon">{}</div>', "<b>{}.</b>"])
@pytest.mark.parametrize("letters", ["QA", "\uff31\uff21", "FA", "ВО", "问答"])  # noqa: RUF001 - Cyrillic
def test_letters_before_questions_and_answers_may_be_blocks(mark: str, letters: str) -> None:
    q, a = map(mark.format, letters)
    items = "".join(f"<dt>{q}<p>{text}?</p></dt><dd>{a}<p>So.</p></dd>" for text in ("How", "Why"))
    assert pairs(f"<title>FAQ</title><dl>{items}</dl>") == [("How?", "So."), ("Why?", "So.")]


def test_a_list_that_defines_nothing_only_moves_its_questions_to_the_right() -> None:
    items = "".join(f"<dd><b>{q}?</b><p>{a}.</p></dd>" for q, a in [("How", "So"), ("Why", "Thus")])
    page = f"<title>FAQ</title><dl><h3>Basics</h3>{items}<h3>More</h3><dd><b>When?</b><p>Now.</p></dd></dl>"
    assert pairs(page) == [("How?", "So."), ("Why?", "Thus."), ("When?", "Now.")]


def test_boxes_of_many_makes_take_no_time_that_grows_with_a_power() -> None:
    page = "".join(f'<div class="box{n // 2}"><h3>Is it {n}?</h3><p>Yes.</p></div>' for n in range(4000))
    start = time.process_time()
    assert len(entries(f"<h1>FAQ</h1>{page}")) == 4000
    assert time.process_time() - start < 5


def test_boxes_may_print_their_questions_differently() -> None:
    page = "<ul><li><b>How?</b><br>So.</li><li><strong>Why?</strong><br>Thus.</li></ul><p>Call us.</p>"
    assert pairs(f"<h1>FAQ</h1>{page}") == [("How?", "So."), ("Why?", "Thus.")]


@pytest.mark.parametrize("tag", ["article", "div", "li"])
def test_what_stands_before_a_question_in_its_box_is_in_no_answer(tag: str) -> None:
    item = f'<{tag} class="item"><span class="badge">{{}}</span><h3>{{}}</h3><p>So.</p></{tag}>'
    page = item.format("Money", "How?") + item.format("General", "Why?")
    assert pairs(f"<h1>FAQ</h1><div>{page}</div>") == [("How?", "So."), ("Why?", "So.")]


_ITEMS = '<div class="item"><h3>How?</h3><p>So.</p></div><div class="item"><h3>Why?</h3><p>Thus.</p></div>'


@pytest.mark.parametrize(
    "below",
    [
        "<p>Call us.</p>",
        "Call us.<p>By day.</p>",
        '</div><div class="row"><div>Berlin</div>',
        '<div class="note"><p>We are here for you.</p></div>',
    ],
)
def test_the_last_answer_ends_with_its_box_as_the_others_do(below: str) -> None:
    assert pairs(f"<h1>FAQ</h1><div>{_ITEMS}{below}</div>") == [("How?", "So."), ("Why?", "Thus.")]


@pytest.mark.parametrize(
    ("page", "answer"),
    [
        # One more box like the others has no heading: it goes on.
        (f'{_ITEMS}<div class="item"><p>More.</p></div>', "Thus.\n\nMore."),
        # Of a text between them each has a part.
        ("<div><h3>How?</h3></div>So.<div><h3>Why?</h3>Thus.</div>", "Thus."),
        # The others' answers stand outside their boxes.
        ("<div><h3>How?</h3></div><p>So.</p><div><h3>Why?</h3></div><p>Thus.</p><p>More.</p>", "Thus.\n\nMore."),
        # The last box alone has no answer.
        ("<div><h3>How?</h3><p>So.</p></div><div><h3>Why?</h3></div><p>Thus.</p>", "Thus."),
        # Boxes of another make need not hold the whole answer.
        (
            '<div class="a"><h3>How?</h3><p>So.</p></div><div class="b"><h3>Why?</h3>Thus.</div><p>More.</p>',
            "Thus.\n\nMore.",
        ),
    ],
)
def test_an_answer_may_go_on_behind_its_box(page: str, answer: str) -> None:
    assert pairs(f"<h1>FAQ</h1><div>{page}</div>") == [("How?", "So."), ("Why?", answer)]


@pytest.mark.parametrize(
    "item",
    [
        '<div><button class="wide">{}</button><div>So.</div></div>',
        "<li><button><span>{}</span><i></i></button><section><p>So.</p></section></li>",
    ],
)
def test_a_button_that_opens_its_text_as_one_beside_it_that_asks_is_a_title(item: str) -> None:
    page = "".join(map(item.format, ["How do I pay?", "Returns", "Who are you?"]))
    assert pairs(f"<h1>FAQ</h1><ul>{page}</ul>") == [
        ("How do I pay?", "So."),
        ("Returns", "So."),
        ("Who are you?", "So."),
    ]


def test_a_button_before_a_text_is_no_title_where_none_asks() -> None:
    more = "<div><button>Copy</button><p>pip install shop</p></div>"
    assert pairs(f"<h1>FAQ</h1><h2>How?</h2>{more}{more}") == [("How?", "pip install shop\n\npip install shop")]


@pytest.mark.parametrize(
    "item",
    [
        "<mat-expansion-panel><mat-expansion-panel-header><mat-panel-title>{}</mat-panel-title></mat-expansion-panel-header>"
        "<p>So.</p></mat-expansion-panel>",
        '<sl-details summary="{}"><p>So.</p></sl-details>',
        '<p-accordionTab header="{}">So.</p-accordionTab>',
        '<ion-accordion><ion-item slot="header"><ion-label>{}</ion-label></ion-item>'
        '<div slot="content">So.</div></ion-accordion>',
    ],
)
def test_elements_of_a_library_that_open_are_details(item: str) -> None:
    page = "".join(map(item.format, ["How do I pay?", "Returns"]))
    assert pairs(f"<h1>FAQ</h1><div>{page}</div>") == [("How do I pay?", "So."), ("Returns", "So.")]


@pytest.mark.parametrize("titles", [["Shop", "Blog"], ["How do I pay?"]])
def test_other_elements_of_a_library_are_none(titles: list[str]) -> None:
    page = "".join(f'<my-card title="{title}"><p>See there.</p></my-card>' for title in titles)
    assert pairs(f"<h1>FAQ</h1><h2>Who are you?</h2><p>We.</p>{page}") == [
        ("Who are you?", "We." + "\n\nSee there." * len(titles))
    ]


def test_what_stands_between_items_belongs_to_the_one_before() -> None:
    html = """<title>FAQ</title><h1>FAQ</h1><ul><li>How do I test it?</li><p>Look.</p>
    <li>It says "no" when I run it.</li><p>It is off.</p><li>Why?</li><p>Type:</p><pre>a b</pre></ul>"""
    assert pairs(html) == [
        ("How do I test it?", "Look."),
        ('It says "no" when I run it.', "It is off."),
        ("Why?", "Type:\n\na b"),
    ]


def test_questions_in_a_list_below_a_single_line_in_bold_print_that_asks() -> None:
    html = """<title>FAQ</title><p><b>HUNGRY?</b><br>Call us.</p><b>FAQ</b><ol><li>Is it hot?<br><i>Yes.</i></li>
    <li>Is it new?<br><i>No.</i></li><li>Is it blue?<br><i>No.</i></li></ol>"""
    assert [question for question, _ in pairs(html)] == ["HUNGRY?", "Is it hot?", "Is it new?", "Is it blue?"]


def test_bold_print_in_which_who_asks_speaks() -> None:
    told = "I\u2019m a teacher, and I need it for my class"
    html = f"<title>FAQ</title><h1>FAQ</h1><b>Why?</b><p>So.</p><b>How?</b><p>Thus.</p><b>{told}</b><p>Ask us.</p>"
    assert pairs(html) == [("Why?", "So."), ("How?", "Thus."), (told, "Ask us.")]


def test_marks_of_questions_in_elements_of_their_own_without_a_space() -> None:
    html = "<title>FAQ</title>" + "".join(
        f"<p><font size=5>Q:</font><font>{asked}</font></p><p><font size=5>A:</font><font>Because.</font></p>"
        for asked in ("Why is it hot?", "How is it made?", "Is it new?")
    )
    assert pairs(html) == [("Why is it hot?", "Because."), ("How is it made?", "Because."), ("Is it new?", "Because.")]


def test_cards_with_a_title_and_a_text_below_it_in_their_head() -> None:
    html = """<title>FAQ</title><h1><mat-icon>live_help</mat-icon> FAQ</h1>
    <mat-card><mat-card-header><div><a href="/q"><mat-icon>link</mat-icon></a></div>
    <mat-card-title>How is it kept?</mat-card-title><mat-card-subtitle>In a box.</mat-card-subtitle>
    </mat-card-header></mat-card>
    <mat-card><mat-card-header><mat-card-title>Browsers</mat-card-title><mat-card-subtitle>These:</mat-card-subtitle>
    </mat-card-header><mat-card-content><mat-list><mat-list-item><mat-icon>check</mat-icon> One</mat-list-item>
    <mat-list-item>Two</mat-list-item></mat-list></mat-card-content></mat-card>"""
    assert pairs(html) == [("How is it kept?", "In a box."), ("Browsers", "These:\nOne\nTwo")]


def test_a_note_that_alerts_stays_in_its_answer() -> None:
    html = "<title>FAQ</title><h2>Until when?</h2><p>May.</p><div role='alert'>Not later.</div><p>Mind it.</p>"
    assert pairs(html) == [("Until when?", "May.\n\nNot later.\n\nMind it.")]


@pytest.mark.parametrize("line", ["Back to the home page", "&lt; Return to our website", "Back to Oven Home Page"])
def test_a_way_back_is_no_part_of_an_answer(line: str) -> None:
    html = f"<title>FAQ</title><h2>Why?</h2><p>So.</p><h2>How?</h2><p>Thus.</p><hr><p><a href='/'>{line}</a></p>"
    assert pairs(html) == [("Why?", "So."), ("How?", "Thus.")]


def test_headings_that_name_a_summary_are_parts_of_the_answer() -> None:
    html = """<title>FAQ</title><h1>FAQ</h1><h3>Why did it change?</h3><h6>In Summary: </h6><p>It broke.</p>
    <h6>Long Answer: </h6><p>It was old.</p><h3>Where is it?</h3><p>There.</p>"""
    assert pairs(html) == [
        ("Why did it change?", "In Summary:\n\nIt broke.\n\nLong Answer:\n\nIt was old."),
        ("Where is it?", "There."),
    ]


def test_headings_of_contents_are_no_questions_without_an_answer() -> None:
    questions = ("Is it hot?", "Is it new?")
    html = "<title>FAQ</title><h1>FAQ</h1><ul>" + "".join(f"<li><h3>{one}</h3>" for one in questions) + "</ul><dl>"
    html += "".join(f"<dt>{one}<dd>Yes." for one in questions) + "</dl>"
    assert pairs(html) == [(one, "Yes.") for one in questions]


def test_a_list_without_an_end_keeps_its_questions_below() -> None:
    html = """<title>FAQ</title><h1>FAQ</h1><ul><li>See the shop.</li><li>See the map.</li><p>1. Is it hot?<br>Yes.</p>
    <p>2. Is it new?<br>No.</p><p>3. Is it blue?<br>No.</p></ul>"""
    assert [question for question, _ in pairs(html)] == ["Is it hot?", "Is it new?", "Is it blue?"]


@pytest.mark.parametrize(
    "foot", ["<div role='alert'>Link copied!</div>", "<div role='alert'>Cookies. <button>OK</button></div><p>x</p>"]
)
def test_what_pops_up_is_no_part_of_an_answer(foot: str) -> None:
    html = f"<title>FAQ</title><h2>Is it hot?</h2><p>Yes.</p><h2>Is it new?</h2><p>No.</p>{foot}"
    assert pairs(html)[1][1].startswith("No.")
    assert "copied" not in pairs(html)[1][1]
    assert "Cookies" not in pairs(html)[1][1]


def test_an_answer_may_lead_back() -> None:
    html = "<title>FAQ</title><h2>How do I leave it?</h2><p>Go back to the <a href='/'>main page</a>.</p>"
    assert pairs(html)[0] == ("How do I leave it?", "Go back to the main page (/).")


def test_bold_print_in_which_who_answers_speaks() -> None:
    line = "My advice is to always read it first"
    told = f"<p>So.</p><p><b>{line}</b></p><p>Then ask.</p>"
    html = f"<title>FAQ</title><h1>FAQ</h1><b>Why?</b>{told}<b>How?</b><p>Thus.</p>"
    assert pairs(html) == [("Why?", f"So.\n\n{line}\n\nThen ask."), ("How?", "Thus.")]


def test_cards_that_do_not_ask_keep_their_titles() -> None:
    card = "<x-card><x-card-header><x-card-title>Oven {}</x-card-title> new</x-card-header><p>Costs {}.</p></x-card>"
    html = f"<title>FAQ</title><h2>Is it hot?</h2><p>Yes.</p>{card.format(1, 1)}{card.format(2, 2)}"
    assert "Oven 1 new" in pairs(html)[0][1]


def test_a_question_without_an_answer_is_named_if_another_section_answers_it() -> None:
    html = """<title>FAQ</title><h1>FAQ</h1><h2>Windows</h2><details><summary>How do I install it?</summary></details>
    <h2>Linux</h2><details><summary>How do I install it?</summary><p>Type.</p></details>"""
    assert [answer for _, answer in pairs(html)] == ["", "Type."]


def test_bold_print_goes_on_behind_a_link_that_ends_in_it() -> None:
    html = """<title>FAQ</title><h1>FAQ</h1><h2>Edges</h2>
    <a name=Q5 href=#Q5><B>Q5</A>. How can I draw parallel edges?</B><p>So.
    <p><a name=Q6 href=#Q6><b>Q6</a>. Clusters are hard to see.</b><p>Set a colour.
    <p>See <a href="x.html"><b>the guide</b></a>. It <b>helps</b>."""
    assert pairs(html) == [
        ("How can I draw parallel edges?", "So."),
        ("Clusters are hard to see.", "Set a colour.\n\nSee the guide (x.html). It helps."),
    ]
    assert anchors(html) == ["Q5", "Q6"]


def test_a_paragraph_of_several_pieces_of_bold_print_is_one_line() -> None:
    html = """<title>FAQ</title><h1>FAQ</h1><p><b>I'm having problems with</b> <b>the mask</b> <b>task?</b></p>
    <p>Wait.</p><p><b>Is it ready?</b> <b>Yes.</b></p><p><b>What is it?</b></p><p>A task.</p>
    <p><b>Under Solaris, when I start it, my desktop crashes!</b></p><p>Turn it off.</p>"""
    assert pairs(html) == [
        ("I'm having problems with the mask task?", "Wait."),
        ("Is it ready?", "Yes."),
        ("What is it?", "A task."),
        ("Under Solaris, when I start it, my desktop crashes!", "Turn it off."),
    ]


def test_items_that_only_ask_have_their_answers_elsewhere() -> None:
    html = """<title>Font - Frequently Asked Questions</title><h1>Font - Frequently Asked Questions</h1>
    <p>Many questions are answered in other FAQs:</p><ul>
    <li><a href="https://x.org/faq">Fonts in general</a><ul><li><em>How can I type it?</em></li>
    <li><em>Will you add a script...?</em></li></ul></li>
    <li><a href="https://x.org/ofl">The licence</a><ul><li><em>Can I sell it and...</em></li>
    <li><em>Do I have to name you?</em></li><li>All of it comes with the font.</li></ul></li></ul>
    <h4><em>How do you pronounce it?</em></h4><p>Softly.</p>"""
    found = [entry for entry in entries(html) if isinstance(entry, RawEntry)]
    assert [entry.fields["question"] for entry in found] == ["How do you pronounce it?"]
    items = "<li><b>Is it free?</b></li><li>Yes.</li><li><b>Is it good?</b></li><li>Very.</li>"
    assert [question for question, _ in pairs(f"<title>FAQ</title><h1>FAQ</h1><ul>{items}</ul>")] == [
        "Is it free?",
        "Is it good?",
    ]


def test_a_question_may_stand_behind_a_picture_in_a_table_for_its_place() -> None:
    spacer = '<td width="1"><img src="void.gif" width="1" height="1"></td>'
    question = '<table><tr>{0}<td><font size="+1"><img src="void.gif"><b> {1}</b></font></td>{0}</tr></table>'
    answer = "<table><tr><td>&nbsp;</td><td><font><br><p>{}</p><p>See below.</p></font></td></tr></table><br>"
    body = "".join(
        f'<a name="faq-{number}"></a>{question.format(spacer, asked)}{answer.format(answered)}'
        for number, (asked, answered) in enumerate([("Is it safe?", "It is."), ("Is it fast?", "It is, too.")])
    )
    html = f"<title>FAQ</title><table><tr><td><table><tr><td>{body}</td></tr></table></td></tr></table>"
    assert pairs(html) == [("Is it safe?", "It is.\n\nSee below."), ("Is it fast?", "It is, too.\n\nSee below.")]


@pytest.mark.parametrize(
    "end",
    [
        "Nine.<br><br></em></a>",
        "Nine.</em><br><br></a>",
        "<i>Nine.<br></i></em></a>",
        "Nine.</em></a><br>",
    ],
)
def test_the_link_of_a_question_may_end_behind_its_answer(end: str) -> None:
    html = (
        "<title>FAQ</title><h1>FAQ</h1><a name=one>Q: <strong>When does it open?</strong><br>"
        f"A: <em>{end}<a name=two>Q: <strong>The gate is shut!</strong><br>A: <em>Knock.</em></a><br><br>"
        "Q: <strong>Where is it?</strong><br>A: <em>Here.</em><br>"
    )
    assert pairs(html) == [("When does it open?", "Nine."), ("The gate is shut!", "Knock."), ("Where is it?", "Here.")]


def test_a_mark_behind_a_line_break_needs_a_question_that_is_all_in_bold_print() -> None:
    html = (
        "<title>FAQ</title><h1>FAQ</h1><p><b>Is it open?</b></p><p>Ask so:<br>"
        "Q: <b>Open</b> or not?<br>Then <b>wait</b>.</p><p><b>Is it free?</b></p><p>Yes.</p>"
    )
    assert [question for question, _ in pairs(html)] == ["Is it open?", "Is it free?"]
