# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Blocks with a title that Markdown has not, as builders of sites add them."""

import time
from io import BytesIO

import pytest

from answer_selection.indexing.formats import containers, format_of
from answer_selection.indexing.formats.markdown import read
from answer_selection.indexing.formats.raw import RawEntry


def entries(markdown: str) -> list[RawEntry]:
    return [item for item in read(BytesIO(markdown.encode())) if isinstance(item, RawEntry)]


def pairs(markdown: str) -> list[tuple[str, str]]:
    return [(entry.fields["question"], entry.fields["answer"]) for entry in entries(markdown)]


@pytest.mark.parametrize(
    "block",
    [
        '??? question "{q}"\n\n    {a}\n\n    - more',
        '???+ faq "{q}"\n    {a}\n\n    - more',
        '!!! question "{q}"\n\n    {a}\n\n    - more',
        "::: details {q}\n{a}\n\n- more\n:::",
        ":::note[{q}]\n\n{a}\n\n- more\n\n:::",
        ":::{{dropdown}} {q}\n{a}\n\n- more\n:::",
        "> [!faq]- {q}\n> {a}\n>\n> - more",
        '{{{{< expand "{q}" >}}}}\n{a}\n\n- more\n{{{{< /expand >}}}}',
        '{{{{% details title="{q}" %}}}}\n{a}\n\n- more\n{{{{% /details %}}}}',
        '<Accordion title="{q}" icon="x">\n  {a}\n\n  - more\n</Accordion>',
        '<Accordion\n  title="{q}"\n  open={{false}}\n>\n  {a}\n\n  - more\n</Accordion>',
        "{q}\n:   {a}\n\n    - more",
    ],
)
def test_each_block(block: str) -> None:
    questions = ["How do I pay?", "I can't log in", "Why is it slow?"]
    text = "# FAQ\n\n" + "\n\n".join(block.format(q=question, a="Like **this**.") for question in questions)
    assert pairs(text) == [(question, "Like this.\n\n- more") for question in questions]


def test_files_with_components_are_markdown() -> None:
    assert format_of("faq.mdx") == "markdown"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("FAQ", "text"),
        ("modem.FAQ", "text"),
        ("faq.mkd", "markdown"),
        ("doc/faq-de", "text"),
        ("linux_FAQ", "text"),
        ("bin/faq-sync", None),
    ],
)
def test_an_faq_without_an_ending_is_text(name: str, kind: str | None) -> None:
    assert format_of(name) == kind


def test_a_component_on_one_line() -> None:
    assert pairs('# FAQ\n\n<Item question="How?">So *it* is.</Item>\n') == [("How?", "So it is.")]


@pytest.mark.parametrize(
    "block",
    [
        '!!! note "Mind this"\n    Careful.',
        ":::tip\nCareful.\n:::",
        "> [!NOTE]\n> Careful.",
        '<Card title="Mind this">\nCareful.\n</Card>',
        '```\n??? question "How?"\n    Careful.\n```',
    ],
)
def test_a_remark_belongs_to_its_answer(block: str) -> None:
    (entry,) = entries(f"# FAQ\n\n## How do I pay?\n\nOnline.\n\n{block}\n")
    assert entry.fields["question"] == "How do I pay?"
    assert "Careful." in entry.fields["answer"]


def test_lines_keep_their_numbers() -> None:
    text = '# FAQ\n\n??? question "How?"\n\n    So.\n\n## Why?\n\nThus.\n\n## Where?\n\nHere.\n'
    assert [entry.location for entry in entries(text)] == ["line 1", "line 7", "line 11"]


def test_a_heading_in_an_opened_block_belongs_to_it() -> None:
    text = "# FAQ\n\n<details>\n<summary>How?</summary>\n\nSo.\n\n### On Windows\n\nThus.\n\n</details>\n"
    assert pairs(text) == [("How?", "So.\n\nOn Windows\n\nThus.")]


def test_attributes_and_front_matter_in_toml_are_no_text() -> None:
    text = '+++\ntitle = "FAQ"\n+++\n\n## How?\n{: #how .q }\n\nSo. [Top](/x){: .btn }\n'
    assert pairs(text) == [("How?", "So. Top (/x)")]


def test_a_link_to_the_top_is_no_part_of_an_answer() -> None:
    assert pairs("# FAQ\n\n## How?\n\nSo.\n\n**[⬆ back to top](#faq)**\n") == [("How?", "So.")]


def test_bold_questions_with_numbers_follow_one_another() -> None:
    text = "# FAQ\n\n**1. How?**\n\nSo.\n\n**2. No sound**\n\nThus.\n\n**7. Not a question**\n"
    assert pairs(text) == [("How?", "So."), ("No sound", "Thus.\n\n7. Not a question")]


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    [
        '??? faq "How?"\n',
        "::: details How?\n",
        "> [!faq]- How?\n",
        "a\n: b\n",
        '<A title="x">\n',
        "<A\n",
        '{{< faq "How?" >}}\n',
        "> [!faq]- How?\n> ",
        # One long line.
        *("::: a", '!!! a "', "{{< a ", '<A x="', ">[!a] ", "::: [a", "[a]({{< ref b", " "),
    ],
)
def test_long_texts_take_no_time_that_grows_with_a_power(piece: str) -> None:
    start = time.process_time()
    pairs("# FAQ\n\n" + piece * (60_000 // len(piece)))
    assert time.process_time() - start < 60


def test_blocks_without_a_title_and_roles_leave_no_marks() -> None:
    markdown = """# FAQ

## How do I use the {ref}`proxy <proxy-label>`?

:::{warning}
Read {doc}`guide` first, or {ref}`the page <page>`.
:::

::: tip

It is `{ref}`.

:::

```
:::{note}
{ref}`kept`
```
"""
    answer = "Read guide first, or the page.\n\nIt is {ref}.\n\n:::{note}\n{ref}`kept`"
    assert pairs(markdown) == [("How do I use the proxy?", answer)]


def test_notes_that_can_be_opened_stay_in_the_answer() -> None:
    text = """# FAQ

## Why 404?

No router.

??? info "This is consistent with rfc7231"

    See *there*.

    - also here

More.

??? tip "Why not 503?"

    It is up.
"""
    answer = "No router.\n\nThis is consistent with rfc7231\n\nSee there.\n\n- also here\n\nMore."
    assert pairs(text) == [("Why 404?", answer), ("Why not 503?", "It is up.")]


@pytest.mark.parametrize(
    ("marked", "shown"),
    [
        ('!!! note "Mind this"\n    Careful:\n\n        $ renew', "Mind this\n\nCareful:\n\n$ renew"),
        ("!!! note\n\n    Careful.", "Careful."),
        ('- first\n\n    !!! tip inline "Mind this"\n        Careful.', "- first\n\n  Mind this\n\n  Careful."),
        ("> [!NOTE]\n> Careful.", "Careful."),
        ("> [!note] Mind this\n> or that.", "Mind this or that."),
        ("(some-label)=\n\nCareful.", "Careful."),
        ("Use {py:func}`~shelf.Book.renew`, {func}`!print()`.", "Use renew, print()."),
        ("Use `{py:func}`.", "Use {py:func}."),
        ("{/* prettier-ignore */}\nSo {/* or * so */}it is.", "So it is."),
        ("```\nx = {/* kept */}\n-> kept\n```", "x = {/* kept */}\n-> kept"),
        ("~> **Note:** old.\n\n!> Danger.\n\n-> Mind it\n-> here.", "Note: old.\n\nDanger.\n\nMind it -> here."),
        ('[Logs]({{< relref "doc/logs.md#top" >}}), [a]({{% ref `b` %}}).', "Logs (doc/logs.md#top), a (b)."),
        ('[Logs][l], [here]({{<ref "#logs">}})\n\n[l]: {{< relref path="l.md" >}}', "Logs (l.md), here"),
        ('Write `[a]({{< ref "a.md" >}})`.', 'Write [a]({{< ref "a.md" >}}).'),
        ("See [a]({{ site.baseurl }}/logs/#top), [b]({{site.url}}{% link b.md %}).", "See a (/logs/#top), b (b.md)."),
        ("[a]({{ '/logs' | relative_url }}#b), [b]\n\n[b]: {% post_url 2020-b %}", "a (/logs#b), b (2020-b)"),
        ("Write `[a]({{ site.url }}/a)`, or {{ site.url }}.", "Write [a]({{ site.url }}/a), or {{ site.url }}."),
        ("!!! Important, this is text.", "!!! Important, this is text."),
        ("[Go](/x){ .md-button }, [on](/y){target=_blank}, f(x){y}.", "Go (/x), on (/y), f(x){y}."),
        (":material-check:{ .lg } Done at 10:material-x.", "Done at 10:material-x."),
        ("So.\n\nimport { Tip } from '../tip'\nimport A, * as B from \"b\";\n\nThus.", "So.\n\nThus."),
        ("Write `import a`:\n\n```js\nimport a from 'a'\n```", "Write import a:\n\nimport a from 'a'"),
        ("<img alt=\"A map\" src={url('a.png')} style={{ width: '1px' }} /> here.", "A map here."),
        ("<img\n  src={require('./a.png').default}\n  alt=\"A map\"\n/>", "A map"),
        ("Set x={a}, <b>b={c}</b>, d={e}", "Set x={a}, b={c}, d={e}"),
        ("**Width **is (**so **) **a:** b **c**, 2**3 ** 4.", "Width is (so ) a: b c, 2**3 ** 4."),
        ('So.\n\n{% embed url="https://x.org/v" %}\nA film.\n{% endembed %}', "So.\n\nhttps://x.org/v\n\nA film."),
        ("{% raw %}\n\nSo.\n\n{% endraw %}", "So."),
        ("See [`x`](@ref), [the y](@ref how-y), [z](@refer).", "See x, the y, z (@refer)."),
    ],
)
def test_marks_of_other_builders_are_not_shown(marked: str, shown: str) -> None:
    assert pairs(f"# FAQ\n\n## How?\n\n{marked}\n") == [("How?", shown)]


def test_an_anchor_in_brackets() -> None:
    for title in ("Q: How? ((#how))", "Q: How? [#how]", "[How?](@id how)"):
        (entry,) = entries(f"# FAQ\n\n## {title}\n\nSo.\n")
        assert (entry.fields["question"], entry.fields["anchor"]) == ("How?", "how")


@pytest.mark.parametrize(
    "shown",
    [
        "```\n{% highlight bash %}\nx\n{% endhighlight %}\n```",
        "    {% highlight bash %}\n    x\n    {% endhighlight %}",
        "{% highlight bash %}\nnpm i x {% endhighlight %}",
    ],
)
def test_tags_of_jekyll_are_no_fences_in_code_or_without_an_end(shown: str) -> None:
    text = f"# How?\n\n{shown}\n\n# Why?\n"
    assert containers.as_html(text).text == text


def test_mkdocs_blocks_without_a_kind_are_opened_too():
    blocks = '# Troubleshooting\n\nRead on.\n\n??? "HTTP Error 404"\n    Wait.\n\n???+ "It is slow"\n    Wait more.\n'
    assert pairs(blocks) == [("HTTP Error 404", "Wait."), ("It is slow", "Wait more.")]
    below = '# FAQ\n\n## How do I start it?\n\nRun it.\n\n??? "On Windows"\n    Click it.\n\n'
    below += '!!! "Careful"\n    It is hot.\n'
    assert pairs(below) == [("How do I start it?", "Run it.\n\nOn Windows\n\nClick it.\n\nCareful\n\nIt is hot.")]


@pytest.mark.parametrize(
    ("block", "shown"),
    [
        ("<Note>\n  Mind **this**.\n</Note>", "Mind this."),
        ("<Steps>\n1. Take `one`.\n2. Go.\n</Steps>", "1. Take one.\n2. Go."),
        (
            "<Tabs>\n    <Tab label='Linux'>\n    ```sh\n    apt <x>\n    ```\n    </Tab>\n"
            '    <Tab\n      label="macOS"\n    >\n        Run:\n```sh\n        brew\n```\n    </Tab>\n</Tabs>',
            "Linux\n\napt <x>\n\nmacOS\n\nRun:\n\nbrew",
        ),
        ("- One:\n\n  <Tip>\n    *So*.\n  </Tip>\n\n- Two.", "- One:\n\n  So.\n- Two."),
        ('<Step title="First">Do *it*.</Step>', "First\n\nDo it."),
        ('<Tab title="Linux">\n\n```sh\n# apt\n```\n\n</Tab>', "Linux\n\n# apt"),
        ("<Table\n  head={['a', 'b']}\n  rows={[\n    ['c', 'd'],\n  ]}\n/>\n\nThus.", "Thus."),
        ("<PRE>\n  *as it is*\n</PRE>", "  *as it is*"),
        ("<Table>\n<tr><td>*a*</td></tr>\n</Table>", "*a*"),
        ("```\n<Note>\n  *a*\n</Note>\n```", "<Note>\n  *a*\n</Note>"),
    ],
)
def test_what_stands_in_a_component_is_markdown(block: str, shown: str) -> None:
    assert pairs(f"# FAQ\n\n## How?\n\n{block}\n") == [("How?", shown)]


def test_lines_in_a_component_keep_their_numbers() -> None:
    text = "# FAQ\n\n<Faq\n  x\n>\n  ## How?\n\n  So.\n</Faq>\n\n## Why?\n\nThus.\n"
    assert [entry.location for entry in entries(text)] == ["line 6", "line 11"]


def test_the_title_of_a_tab_with_questions_is_in_no_answer() -> None:
    text = (
        '<Tabs>\n<Tab title="Paying">\n## How?\nSo.\n</Tab>\n<Tab title="Sending">\n## When?\nNow.\n</Tab>\n</Tabs>\n'
    )
    assert pairs(f"# FAQ\n\n{text}") == [("How?", "So."), ("When?", "Now.")]


def test_questions_in_components_that_hold_others() -> None:
    text = '<Group>\n  <Item q="Why is `x` *so*?">\n    <Note>\n      **As**.\n    </Note>\n  </Item>\n</Group>\n'
    assert pairs(f"# FAQ\n\n{text}") == [("Why is x *so*?", "As.")]


def test_tabs_of_mkdocs_are_text() -> None:
    tabs = '=== "Linux"\n\n    Run:\n\n    ```sh\n    apt\n    ```\n\n===! "macOS"\n\n    Use *brew*.\n'
    answer = "Linux\n\nRun:\n\napt\n\nmacOS\n\nUse brew."
    assert pairs(f"# FAQ\n\n## How?\n\n{tabs}") == [("How?", answer)]
    assert pairs("FAQ\n=== \n\n## How?\n\nSo.\n") == [("How?", "So.")]


def test_a_title_that_comes_again_as_a_heading_is_no_part_of_the_answer() -> None:
    text = '# FAQ\n\n??? question "Why `x`?"\n\n    ### Why `x`?\n\n    So.\n\n    ### Why `x`?\n\n    Thus.\n'
    assert pairs(text) == [("Why x?", "So.\n\nWhy x?\n\nThus.")]


def test_code_in_the_title_of_a_block_is_text() -> None:
    text = "# FAQ\n\n??? question \"`x` or `y`: 'why so'?\"\n\n    So.\n"
    assert pairs(text) == [("x or y: 'why so'?", "So.")]


@pytest.mark.parametrize(
    "comment",
    [
        "{::comment}\nTags:\n\n[a](/a)\n{:/comment}",
        "{::comment}\nTags\n{:/}",
        "{% comment %}\nTags\n{% endcomment %}",
        "{/* Tags\n\n  more */}",
    ],
)
def test_comments_over_some_lines_are_no_text(comment: str) -> None:
    assert pairs(f"# FAQ\n\n## How?\n{comment}\n\nSo.\n") == [("How?", "So.")]
    begin, _, rest = comment.partition("\n")
    assert pairs(f"# FAQ\n\n## How?\n\n{begin}\n\nSo.\n")[0][1].endswith("So."), rest


def test_all_that_follows_a_term_that_asks_is_its_answer() -> None:
    markdown = """# FAQ\n\nWhere is it?\n\n: In the cache.\n\n: Or type:\n\n```shell\n# a: b\n\n: c\n```\n
You need not know.\n\nIs it safe?\n\n: As safe as any.\n\n## Other\n\nText.\n"""
    assert pairs(markdown)[:2] == [
        ("Where is it?", "In the cache.\n\nOr type:\n\n# a: b\n\n: c\n\nYou need not know."),
        ("Is it safe?", "As safe as any."),
    ]


def test_a_block_in_another_of_which_one_is_not_closed() -> None:
    markdown = """# FAQ\n\n::: details Is it hot?\nYes.\n\n::: warning Mind\nIt burns.\n:::\n
::: details Is it new?\nNo.\n:::\n\n::: details Is it blue?\nNo.\n:::\n"""
    assert pairs(markdown) == [
        ("Is it hot?", "Yes.\n\nMind\n\nIt burns."),
        ("Is it new?", "No."),
        ("Is it blue?", "No."),
    ]


@pytest.mark.parametrize(
    "block",
    [
        "**{}**\n\nYes.",
        "::: details {}\nYes.\n:::",
        '??? question "{}"\n    Yes.',
        "> [!faq]- {}\n> Yes.",
        "## {}\n\nYes.",
    ],
)
def test_other_questions_end_the_answer_of_a_term(block: str) -> None:
    markdown = "# FAQ\n\nWhere is it?\n: In the cache:\n\n```\nls\n```\n\n" + block.format("Is it free?")
    assert pairs(markdown) == [("Where is it?", "In the cache:\n\nls"), ("Is it free?", "Yes.")]


def test_a_term_that_does_not_ask_has_definitions_and_no_more() -> None:
    markdown = "# FAQ\n\nDoes it work?\n: Yes.\n\nCache\n: A place.\n\n: Another one.\n\nText.\n"
    assert pairs(markdown) == [("Does it work?", "Yes."), ("Cache", "A place.\n\nAnother one.")]
