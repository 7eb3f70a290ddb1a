# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""XML that programs export, told by what is in it."""

import pytest
from haystack.dataclasses import ByteStream

from answer_selection.indexing.entries import Entry, iter_entries

DECLARED = '<?xml version="1.0" encoding="UTF-8"?>\n'


def read(text: str, name: str = "export.xml", **options) -> tuple[list[Entry], list[str]]:
    found = list(iter_entries(ByteStream(text.encode(), meta={"name": name}), **options))
    return [one for one in found if isinstance(one, Entry)], [str(one) for one in found if not isinstance(one, Entry)]


def item(title: str, text: str, status: str = "publish", kind: str = "faq") -> str:
    return f"""
<item>
  <title><![CDATA[{title}]]></title>
  <link>https://example.com/{title.split(maxsplit=1)[0]}</link>
  <dc:creator><![CDATA[ann]]></dc:creator>
  <description></description>
  <content:encoded><![CDATA[<!-- wp:paragraph --><p>{text}</p><!-- /wp:paragraph -->]]></content:encoded>
  <excerpt:encoded><![CDATA[A summary]]></excerpt:encoded>
  <wp:post_id>{len(title)}</wp:post_id>
  <wp:status><![CDATA[{status}]]></wp:status>
  <wp:post_type><![CDATA[{kind}]]></wp:post_type>
  <category domain="faq_category" nicename="money"><![CDATA[Money]]></category>
  <category domain="post_tag" nicename="card"><![CDATA[card]]></category>
</item>"""


WORDPRESS = f"""{DECLARED}<!-- This is a WordPress eXtended RSS file -->
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"
  xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
<title>Corner Bakery</title>
<wp:wxr_version>1.2</wp:wxr_version>
{item("How do I pay?", "By <b>card</b>.")}
{item("Cancel an order", "Call us &amp; wait.")}
{item("Soon", "Not yet.", status="draft")}
{item("About us", "We bake.", kind="page")}
{item("Do you deliver?", "Yes.", kind="page")}
</channel>
</rss>
"""


def test_wordpress_export_gives_what_is_published_of_its_faq() -> None:
    entries, messages = read(WORDPRESS)
    assert [(entry.question, entry.answer) for entry in entries] == [
        ("How do I pay?", "By card."),
        ("Cancel an order", "Call us & wait."),
        ("Do you deliver?", "Yes."),
    ]
    assert entries[0].meta["headings"] == ["Money"]
    assert entries[0].meta["source"] == "https://example.com/How"
    assert "excerpt" not in entries[0].meta
    assert messages == [
        "export.xml, 1 of its articles and topics: passed over: not published",
        "export.xml, 1 of its articles and topics: passed over: of the type page",
    ]


ATOM = f"""{DECLARED}<feed xmlns="http://www.w3.org/2005/Atom"><title>Bakery</title>
<entry><title>How do I pay?</title><link href="https://example.com/1"/>
  <content type="html">&lt;p&gt;By card.&lt;/p&gt;</content></entry>
<entry><title>Cancel an order</title><link href="https://example.com/2"/>
  <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Call <em>us</em>.</p></div></content></entry>
</feed>"""
PHPMYFAQ = f"""{DECLARED}<phpmyfaq>
<article id="1"><language>en</language><category>Money</category><question>How do I pay?</question>
  <answer>&lt;p&gt;By card.&lt;/p&gt;</answer></article>
<article id="2"><language>en</language><category>Money</category><question>Cancel an order</question>
  <answer><p>Call <!-- no --><em>us</em>.</p></answer></article>
</phpmyfaq>"""
OWN = f"""{DECLARED}<shop><help><title>Money</title>
<entry><q>How do I pay?</q><a>By card.</a></entry><entry><q>Cancel an order</q><a>Call us.</a></entry>
</help></shop>"""


@pytest.mark.parametrize(
    ("text", "name"),
    [(ATOM, "faq.atom"), (ATOM, "feed.xml"), (PHPMYFAQ, "export.xml"), (OWN, "help.xml")],
    ids=["Atom", "Atom as XML", "phpMyFAQ", "elements with names of fields"],
)
def test_feeds_and_other_exports(text: str, name: str) -> None:
    entries, messages = read(text, name)
    assert [(entry.question, entry.answer) for entry in entries] == [
        ("How do I pay?", "By card."),
        ("Cancel an order", "Call us."),
    ]
    assert messages == []


def test_names_of_elements_can_be_given() -> None:
    text = "<list><row><caption>Cancel</caption><say>Call us.</say></row></list>"
    entries, [message] = read(text)
    assert entries == []
    assert "found objects with 'caption', 'say'" in message
    [entry], [] = read(text, columns={"question": "caption", "answer": "say"})
    assert (entry.question, entry.answer) == ("Cancel", "Call us.")


def test_fml_and_docbook_are_read_as_what_they_are() -> None:
    fml = f'{DECLARED}<faqs><faq id="pay"><question>Pay?</question><answer>Card.</answer></faq></faqs>'
    assert [entry.meta["anchor"] for entry in read(fml)[0]] == ["pay"]
    docbook = f"""{DECLARED}<article xmlns="http://docbook.org/ns/docbook" version="5.0"><title>FAQ</title>
<section xml:id="pay"><title>How do I pay?</title><para>By card.</para></section></article>"""
    entries, messages = read(docbook)
    assert [(entry.question, entry.answer) for entry in entries] == [("How do I pay?", "By card.")]
    assert messages == []


def test_a_dump_of_stack_exchange_has_its_own_command() -> None:
    _, [message] = read('<posts>\n<row Id="1" PostTypeId="1" Title="Why?" /></posts>')
    assert "`answer-selection stackexchange` makes a corpus of it" in message


def test_what_is_broken_is_told_with_its_line() -> None:
    entries, [message] = read(
        OWN.replace("</entry></help>", "").replace("</q><a>Call", "</q>\n<a>Call").replace("</help></shop>", "")
    )
    assert entries[0].question == "How do I pay?"
    assert message.startswith("export.xml, line ")
    assert "the XML is broken there" in message
    _, [message] = read("no XML at all")
    assert "expected XML, but" in message
    assert "there is no entry in it" in read("")[1][0]


def test_no_entity_is_looked_up_and_none_grows(tmp_path) -> None:
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    entities = f'<!ENTITY own SYSTEM "{tmp_path / "secret"}"><!ENTITY a "aaaaaaaaaa">'
    entities += "".join(
        f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    text = f"<!DOCTYPE x [{entities}]><x><e><q>How?</q><a>So &own; &i;</a></e></x>"
    entries, _ = read(text)
    assert [entry.answer.strip() for entry in entries] == ["So own"]


def test_deep_nesting_is_no_recursion() -> None:
    deep = "<n>" * 200 + "<e><q>How?</q><a>So.</a></e>" + "</n>" * 200
    assert read(deep)[0] == []
    [entry], [message] = read(f"<x>\n{deep}\n<e><q>Why?</q><a>So.</a></e></x>")
    assert (entry.question, message) == (
        "Why?",
        "export.xml, line 2: elements are nested more than 100 deep; these are not read",
    )


def test_references_that_are_not_declared_hurt_nothing_else() -> None:
    text = "<x><e><q>One&nbsp;more & more?</q><a>Yes.</a></e>"
    text += "<e><q>AT&amp;T?</q><a>&lt;p&gt;5 &amp;lt; 6&lt;/p&gt;</a></e></x>"
    entries, messages = read(text)
    assert [(entry.question, entry.answer) for entry in entries] == [
        ("One\u00a0more & more?", "Yes."),
        ("AT&T?", "5 < 6"),
    ]
    assert messages == []
    own = '<!DOCTYPE x [<!ENTITY shop "Corner Bakery">]><x><e><q>Where?</q><a>At &shop; <b>here</b>.</a></e></x>'
    assert [entry.answer for entry in read(own)[0]] == ["At Corner Bakery here."]


def test_an_encoding_in_the_text_of_an_article_is_not_that_of_the_file() -> None:
    text = "<x><e><q>How \u00e9?</q><a><![CDATA[<meta charset='iso-8859-1'>So.]]></a></e></x>"
    assert [entry.question for entry in read(text)[0]] == ["How \u00e9?"]


def test_text_beside_tags_stays_text() -> None:
    text = "<x><e><q>How?</q><a>Use &lt;code&gt; and <b>x</b> &lt;em&gt;</a></e></x>"
    assert [entry.answer for entry in read(text)[0]] == ["Use <code> and x <em>"]


@pytest.mark.parametrize(
    "text",
    [
        "<data><i><question>How?</question><answer>So.</answer></i></data>",
        "<faqs><entry><question>How?</question><answer>So.</answer></entry></faqs>",
        '<faq><entry question="How?" answer="So."/></faq>',
        "<x><topic><title>How?</title><answers><answer><text>So.</text></answer></answers></topic></x>",
    ],
)
def test_elements_that_are_data(text: str) -> None:
    assert [(entry.question, entry.answer) for entry in read(text)[0]] == [("How?", "So.")]


def test_values_that_are_texts_are_read_as_what_they_say() -> None:
    text = "<x><e><q>Secret?</q><a>Yes.</a><draft>true</draft></e><e><q>How?</q><a>So.</a><draft>false</draft></e></x>"
    assert [entry.question for entry in read(text)[0]] == ["How?"]
    answers = "<answer><text>A</text><votes>1</votes></answer><answer><text>B</text><votes>50</votes></answer>"
    [entry], [] = read(f"<x><topic><title>How?</title><answers>{answers}</answers></topic></x>")
    assert (entry.answer, entry.meta["upvote_count"]) == ("B", 50)


def test_broken_xml_without_an_entry_says_where() -> None:
    _, [message] = read("<x><a b=c d><<<< ")
    assert message.startswith("export.xml: expected XML, but in line 1 it is broken")


def test_a_topic_of_a_forum_in_wordpress_is_not_answered_by_itself() -> None:
    text = WORDPRESS.replace("<![CDATA[faq]]></wp:post_type>", "<![CDATA[topic]]></wp:post_type>")
    assert [entry.question for entry in read(text)[0]] == ["Do you deliver?"]


def test_a_second_title_in_other_names_is_none() -> None:
    item = "<item><media:title>Image</media:title><title>How?</title><description>So.</description></item>"
    text = f'<rss xmlns:media="http://search.yahoo.com/mrss/"><channel><title>x</title>{item}</channel></rss>'
    assert [(entry.question, entry.answer) for entry in read(text)[0]] == [("How?", "So.")]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("<x><e><q>How?</q><a>So.</a><content:encoded>x</content:encoded></e></x>", "So."),
        ("<x><e><q>How?</q><a>So &#xD83D;&#xDE00;.</a></e></x>", "So \ufffd\ufffd."),
    ],
)
def test_what_no_parser_takes_is_read_all_the_same(text: str, answer: str) -> None:
    assert [entry.answer for entry in read(text)[0]] == [answer]


def test_a_declaration_alone_is_no_entry() -> None:
    _, [message] = read("<?xml version='1.0'?>")
    assert message == "export.xml: expected XML, but there is none"
