# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
from io import BytesIO

import pytest

from answer_selection.indexing.formats.markdown import read
from answer_selection.indexing.formats.raw import Problem, RawEntry


def entries(text: str) -> list[RawEntry | Problem]:
    """All but the anchors, which have tests of their own."""
    found = list(read(BytesIO(text.encode())))
    for item in found:
        if isinstance(item, RawEntry):
            item.fields.pop("anchor", None)
    return found


def answer(text: str) -> str:
    [entry] = entries(f"# q\n{text}")
    return entry.fields["answer"]


def test_a_heading_that_comes_twice_has_its_sections_name() -> None:
    text = b"""# Manual
## Printing
### It does not work
Check the paper tray.
## Scanning
### It does not work
Check the glass.
### The picture is dark
Clean the lamp.
"""
    questions = [item.fields["question"] for item in read(BytesIO(text)) if isinstance(item, RawEntry)]
    assert questions == [
        "Printing \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} It does not work",
        "Scanning \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} It does not work",
        "The picture is dark",
    ]


def test_a_heading_is_a_question_and_the_headings_above_it_are_its_path() -> None:
    text = """Before the first heading.

# Help
## Loans
### How do I *renew* a `book` \\& more?
Online.

Or by phone.
#### May I renew twice?
Yes.

Rooms
-----
### Which rooms?
A and B.
"""
    assert entries(text) == [
        RawEntry(
            "line 5",
            {"question": "How do I renew a book & more?", "answer": "Online.\n\nOr by phone."},
            ("Help", "Loans"),
        ),
        RawEntry(
            "line 9",
            {"question": "How do I renew a book & more? \u203a May I renew twice?", "answer": "Yes."},
            ("Help", "Loans"),
        ),
        RawEntry("line 14", {"question": "Which rooms?", "answer": "A and B."}, ("Help", "Rooms")),
    ]


def test_a_heading_without_text_is_a_section_only_above_deeper_ones() -> None:
    found = [(entry.location, entry.fields) for entry in entries("# Help\n## Empty?\n## How?\nSo.\n# Last?\n")]
    assert found == [
        ("line 2", {"question": "Empty?", "answer": ""}),
        ("line 3", {"question": "How?", "answer": "So."}),
        ("line 5", {"question": "Last?", "answer": ""}),
    ]


def test_lists_links_code_and_tables_stay_readable() -> None:
    assert answer("- one\n  1. deep\n  2. deeper\n- two\n\n3. three\n4. four") == (
        "- one\n  1. deep\n  2. deeper\n- two\n\n3. three\n4. four"
    )
    assert answer("Go [here](https://x.org/a) or [there][t] or <https://y.org>.\n\n[t]: /local") == (
        "Go here (https://x.org/a) or there (/local) or https://y.org."
    )
    assert answer("Type:\n\n```python\n# no heading\nif x:\n    y < z\n```\nthen `a  b`.") == (
        "Type:\n\n# no heading\nif x:\n    y < z\n\nthen a b."
    )
    assert answer("| Item | Fee |\n|---|--:|\n| **Book** | $1 |") == "Item | Fee\nBook | $1"
    assert answer("> quoted\n\n![A map](map.png) and **bold**  \nnew line &copy; <!-- hidden --><b>html</b>") == (
        "quoted\n\nA map and bold\nnew line © html"
    )
    assert entries("# \\<p> or `<b>`?\n\\<p>")[0].fields == {"question": "<p> or <b>?", "answer": "<p>"}
    assert answer("5 \\* 3 &lt; 20, x_y_z <- this") == "5 * 3 < 20, x_y_z <- this"


def test_headings_inside_lists_and_quotations_are_no_questions() -> None:
    assert answer("- a\n\n  ## not one\n\n> ## nor this") == "- a\n\n  not one\n\nnor this"


def test_front_matter_is_passed_over_and_lines_keep_their_numbers() -> None:
    [entry] = entries("---\ntitle: Help\ntags:\n  - a\n# comment\n---\n# How?\r\nSo.\r\n")
    assert entry == RawEntry("line 7", {"question": "How?", "answer": "So."})
    rule = entries("---\nAn introduction, no YAML.\n\n# How?\nSo.\n\n---\n\nMore.\n")
    assert rule == [RawEntry("line 4", {"question": "How?", "answer": "So.\n\nMore."})]


def test_a_file_without_headings_is_a_problem_and_an_empty_one_is_not() -> None:
    assert entries("just text\n") == [
        Problem(
            "",
            None,
            "expected questions as headings, in bold print, in lists, tables or <details>, or behind 'Q:'; found none",
            nothing=True,
        )
    ]
    assert entries("\n") == []


def test_front_matter_is_told_from_text_line_by_line() -> None:
    matter = "---\ntitle: x\n\n \n- a\n# b\n...\n# Q\nA\n"
    assert entries(matter) == [RawEntry("line 8", {"question": "Q", "answer": "A"})]
    for unlike in ("--- x\n", "---\na: b\n", "---\na: b\ntext\n---\n", "----\na: b\n---\n"):
        assert [entry.fields["question"] for entry in entries(f"{unlike}# Q\nA\n")][-1] == "Q"


@pytest.mark.slow
def test_blank_lines_in_front_matter_take_no_time() -> None:
    # Each doubled the time: thirty took seconds, a hundred would take longer than the universe is old.
    [entry] = entries("---\n" + " \n" * 100_000 + "x\n# Q\nA\n")
    assert entry.fields == {"question": "Q", "answer": "A"}


def test_what_is_nested_deeply_is_read_and_what_is_nested_too_deeply_is_named() -> None:
    def nested(depth: int) -> str:
        return "\n".join("  " * level + f"- item {level}" for level in range(depth))

    assert answer(nested(30)).endswith("- item 29")
    assert answer("> " * 90 + "deep") == "deep"
    first, problem = entries(f"# One\n1\n# Deep\n{nested(60)}\n# Two\n2\n")
    assert first.fields["answer"] == "1"
    assert problem == Problem(
        "line 3",
        None,
        "lists or quotations are nested more than 100 deep in line 53: what follows cannot be read (question: 'Deep')",
    )
    [problem] = entries("# Deep\n" + "<div>" * 3000 + "x\n")
    assert problem.location == "line 1"
    assert "cannot be read beyond its line 1" in problem.message


def questions(text: str) -> list[tuple[str, str]]:
    return [(entry.fields["question"], entry.fields["answer"]) for entry in entries(text)]


def test_a_heading_below_a_question_carries_it_and_the_answer_is_whole() -> None:
    text = (
        "# FAQ\nWelcome.\n## How do I upgrade?\nBack up.\n### On Windows\nRun it.\n### On Linux\n#### Debian\nUse apt."
    )
    assert questions(text) == [
        ("How do I upgrade?", "Back up.\n\nOn Windows\n\nRun it.\n\nOn Linux\n\nDebian\n\nUse apt."),
        ("How do I upgrade? \u203a On Windows", "Run it."),
        ("How do I upgrade? \u203a On Linux \u203a Debian", "Use apt."),
    ]
    assert entries(text)[1].headings == ("FAQ",)


def test_anchors_are_those_of_github_or_the_authors_own() -> None:
    text = "# 1. What's `new`?\nA\n# How?\nB\n# How?\nC\n# Über uns: wer?\nD\n# Why? {#because .x}\nE\n"
    found = [entry.fields for entry in read(BytesIO(text.encode()))]
    assert [fields["anchor"] for fields in found] == ["1-whats-new", "how", "how-1", "über-uns-wer", "because"]
    assert [fields["question"] for fields in found[::4]] == ["What's new?", "Why?"]


def test_a_link_to_the_top_is_no_part_of_a_question() -> None:
    text = b"# FAQ\n## 1. Red ink <small><sup>[Top \xe2\x96\xb2](#contents)</sup></small>\nSo.\n## [Top](#top)\nThus.\n"
    found = [item.fields for item in read(BytesIO(text)) if isinstance(item, RawEntry)]
    assert [fields["question"] for fields in found] == ["Red ink", "Top"]
    assert [fields["anchor"] for fields in found] == ["1-red-ink-top-", "top"]


def test_a_readme_has_its_questions_under_faq_and_where_headings_ask() -> None:
    text = """# Tool
Makes things.
## Install
`pip install tool`
## Why another one?
It is small.
## FAQ
### Windows
Works.
### Contents
- [Windows](#windows)
<details>
<summary>Is it <b>free</b>?</summary>

Yes, *always*.

</details>

## Licence
MIT
"""
    assert questions(text) == [
        ("Why another one?", "It is small."),
        ("Windows", "Works."),
        ("Is it free?", "Yes, always."),
    ]


def test_questions_may_be_bold_paragraphs_or_marked_with_q() -> None:
    text = """# FAQ
**How do I renew?**

Online, or:

- by phone

**Why?** Because.

## Hours
Q: When?
A: Now.

**Q:** And later?
**A:** Then.

## Rooms
Q. Which?

A. These:
- one
- two
"""
    assert questions(text) == [
        ("How do I renew?", "Online, or:\n\n- by phone"),
        ("Why?", "Because."),
        ("When?", "Now."),
        ("And later?", "Then."),
        ("Which?", "These:\n\n- one\n- two"),
    ]
    assert questions("**How?**\n\nSo.\n") == [("How?", "So.")]
    # In the answer to a question, bold print is a part of it.
    assert questions("# How?\n**Really?** Yes.\n") == [("How?", "Really? Yes.")]


@pytest.mark.parametrize(
    "text",
    [
        # Pairs in lists.
        "- **Q:** How do I pay?\n  **A:** By card.\n- **Q:** When?\n\n  **A:** Now.\n",
        "- Q: How do I pay?\n- A: By card.\n\n* Q: When?\n* A: Now.\n",
        "1. Q: How do I pay?\n\n   A: By card.\n\n2. **Q:** When?\n   **A:** Now.\n",
        "- **Q: How do I pay?**\n  - A: By card.\n- **Q: When?**\n  - A: Now.\n",
        # Answers without a mark.
        "**Q:** How do I pay?\n\nBy card.\n\n**Q:** *When?*\n\nNow.\n",
        "Q: How do I pay?\nBy card.\n\nQ: When?\nNow.\n",
        # No empty lines between.
        "**How do I pay?**\nBy card.\n**When?**\nNow.\n",
        "**How do I pay?** By card.\n**When?** Now.\n",
        "**How do I pay?**\n\nBy card.\n**When?**\n\nNow.\n",
        # The sign stands behind the bold print, or a colon in it.
        "**How do I pay**?\n\nBy card.\n\n**When** ?\nNow.\n",
        "**How do I pay?**:\n\nBy card.\n\n**When?:** Now.\n",
    ],
)
def test_questions_and_answers_as_people_lay_them_out(text) -> None:
    assert questions(f"# FAQ\n\n## Paying\n\n{text}") == [("How do I pay?", "By card."), ("When?", "Now.")]


def test_bold_print_that_comes_to_the_start_of_a_line_is_no_question() -> None:
    text = "# FAQ\n\n**How?**\n\nSo it is, and not\n**otherwise?** he said.\n"
    assert questions(text) == [("How?", "So it is, and not otherwise? he said.")]


@pytest.mark.parametrize(
    "text",
    [
        "1. How do I pay?\n\n   By card:\n\n   1. show it\n   2. sign\n\n2. When?\n\n   Now.\n",
        "1. How do I pay?\n   By card:\n\n   1. show it\n   2. sign\n2. When?\n   Now.\n",
        "- How do I pay?\n\n  By card:\n\n  1. show it\n  2. sign\n\n- When?\n\n  Now.\n",
    ],
)
def test_questions_may_be_items_of_a_list(text: str) -> None:
    expected = [("How do I pay?", "By card:\n\n1. show it\n2. sign"), ("When?", "Now.")]
    assert questions(f"# The shop's FAQ\n\nWe sell books.\n\n{text}") == expected
    assert questions(f"# FAQ\n\n## Paying\n\n{text}\n## Rooms\n\nTwo.\n") == [*expected, ("Rooms", "Two.")]
    # In the answer to a question, and where items do not ask, a list is a list.
    [(question, _)] = questions(f"# How?\n\n{text}")
    assert question == "How?"


def test_numbered_questions_need_no_indented_answers() -> None:
    text = "# FAQ\n\n1. How do I pay?\n\nBy card:\n\n- show it\n- sign\n\n2. When?\n\nNow.\n"
    assert questions(text) == [("How do I pay?", "By card:\n\n- show it\n- sign"), ("When?", "Now.")]


def test_a_list_that_asks_and_does_not_answer_is_none_of_questions() -> None:
    [(question, answer)] = questions("# FAQ\n## Before you call\nAsk yourself:\n\n1. Is it on?\n2. Is it mine?\n")
    assert (question, answer) == ("Before you call", "Ask yourself:\n\n1. Is it on?\n2. Is it mine?")


@pytest.mark.parametrize(
    "title", ["# The tool's FAQ\n\nAll about it.\n\n", "# Tool\n\n## FAQ\n\nAll.\n\n", "## FAQ\n\n"]
)
def test_headings_that_do_not_ask_are_questions_below_any_title_of_an_faq(title: str) -> None:
    text = title + "## Windows\n\nIt works.\n\n## Linux\n\nSo too.\n"
    assert questions(text) == [("Windows", "It works."), ("Linux", "So too.")]


def test_contents_and_numbered_lines_in_bold_print() -> None:
    text = """# The tool's FAQ

# Sections
[1. Use](#1-use)
[2. Faults](#2-faults)
[3. People](#3-people)

# 1. Use

  * **1.1 What is this?**

  A tool.

  * **1.2 Warnings**

  **1.5 kg** are too much.

# 2. Faults

None.
"""
    assert questions(text) == [
        ("What is this?", "A tool."),
        ("Warnings", "1.5 kg are too much."),
        ("Faults", "None."),
    ]


def test_definitions_of_q_and_a_are_pairs() -> None:
    [why, how] = entries("# FAQ\n\nQ\n:   Why?\n\nA\n:   Thus.\n\nQ\n:   How?\n\nA\n:   So.\n")
    assert why.fields == {"question": "Why?", "answer": "Thus."}
    assert how.fields == {"question": "How?", "answer": "So."}


def test_headings_may_be_written_in_html() -> None:
    text = b"""# Manual FAQ

<h3 name="paper">
Which paper?
</h3>

A4.

<h3>How <b>fast</b>?</h3>
Two pages a second.

<h3 id="ink">Which ink?</h3>

<h1 align="center"><img src="ink.png"></h1>

Blue.

<details>
<summary>Which tray?</summary>

<h3>The upper one?</h3>

Yes.
</details>
"""
    found = [item for item in read(BytesIO(text)) if isinstance(item, RawEntry)]
    assert [(item.location, item.fields["question"], item.fields.get("anchor")) for item in found] == [
        ("line 3", "Which paper?", "paper"),
        ("line 9", "How fast?", "how-fast"),
        ("line 12", "Which ink?", "ink"),
        ("line 12", "Which tray?", None),
    ]
    assert [item.fields["answer"] for item in found] == [
        "A4.",
        "Two pages a second.",
        "Blue.",
        "The upper one?\n\nYes.",
    ]


def test_symptom_and_solution_are_one_answer() -> None:
    text = """# Troubleshooting
## Printing
### 1) It prints nothing
The most frequent fault.
#### Symptom
The lamp is red.
#### Possible causes:
No paper.
#### SOLUTION
Add paper.
### Causes
#### Heat
Open a window.
"""
    assert [(item.fields["question"], item.fields["answer"]) for item in entries(text)] == [
        (
            "It prints nothing",
            "The most frequent fault.\n\nSymptom\n\nThe lamp is red.\n\nPossible causes:\n\nNo paper.\n\n"
            "SOLUTION\n\nAdd paper.",
        ),
        ("Heat", "Open a window."),
    ]


def test_two_equal_headings_are_told_apart() -> None:
    text = """# FAQ
## When I print it says:
    no ink
Fill it.
## When I print it says:
    no paper
Add some.
## How?
So.
## How?
Or so.
"""
    assert [item.fields["question"] for item in entries(text)] == [
        "When I print it says:",
        "When I print it says: no paper",
        "How?",
        "How? (2)",
    ]


def test_a_beginning_of_questions_has_no_parts() -> None:
    text = "# FAQ\n\n## How do I fix...\n\n### Problem\n\nOne.\n\n### Solution\n\nTwo.\n"
    assert questions(text) == [("How do I fix... \u203a Problem", "One."), ("How do I fix... \u203a Solution", "Two.")]


def test_what_can_be_opened_is_a_note_only_below_a_question() -> None:
    block = '??? info "It is so"\n\n    Yes.\n'
    assert questions(f"# FAQ\n\n{block}") == [("It is so", "Yes.")]
    below = f"# FAQ\n\n## Why is it so?\n\nSo.\n\n### In short\n\n{block}\n## Others\n\n{block}"
    found = [question for question, _ in questions(below)]
    assert found == ["Why is it so?", "Why is it so? \u203a In short", "It is so"]


def test_code_keeps_what_is_a_mark_elsewhere() -> None:
    code = "x = {/* keep */} 1\n!!! note\ny"
    indented = "".join(f"    {line}\n" for line in code.split("\n"))
    quoted = "> ```\n> {/* keep */}\n> [!NOTE]\n> ```\n"
    item = '- item\n\n    !!! note "Title"\n        Inside.\n'
    [(_, text)] = questions(f"# FAQ\n\n## How?\n\nSo:\n\n{indented}\n{quoted}\n{item}")
    assert text == f"So:\n\n{code}\n\n{{/* keep */}}\n[!NOTE]\n\n- item\n\n  Title\n\n  Inside."


@pytest.mark.parametrize("above", ["# Install\n\nUnpack it.\n\n", "# Ink\n\n## Install\n\nUnpack it.\n\n"])
def test_an_faq_of_the_titles_rank_is_a_part_of_the_file(above: str) -> None:
    text = f"{above}# FAQ\n\n### How do I update it?\n\nRun it.\n\n### It is slow\n\nWait.\n\n# Code\n\nRead it.\n"
    assert [item.fields["question"] for item in entries(text)] == ["How do I update it?", "It is slow"]


def test_an_faq_above_sections_of_its_own_rank_is_the_whole() -> None:
    text = "# FAQ\n\n## How?\n\nSo.\n\n# Errors\n\n## Error 7\n\nWait.\n"
    assert [item.fields["question"] for item in entries(text)] == ["How?", "Error 7"]


def test_what_can_be_opened_beside_a_faq_is_a_question_only_if_it_asks() -> None:
    def details(summary: str, text: str) -> str:
        return f"<details><summary>{summary}</summary>\n\n{text}\n\n</details>\n\n"

    more = details("More", "More.\n\n" + details("Is it fast?", "Very."))
    text = f"# Ink\n\n## Install\n\nRun it.\n\n{details('yarn', 'yarn add ink')}{more}## FAQ\n\n"
    text += details("Error 7", "Wait.") + "### Is it free?\n\nYes.\n"
    assert [item.fields for item in entries(text)] == [
        {"question": "Is it fast?", "answer": "Very."},
        {"question": "Error 7", "answer": "Wait."},
        {"question": "Is it free?", "answer": "Yes."},
    ]


@pytest.mark.parametrize(("title", "are_questions"), [("Troubleshooting", True), ("Ink", False)])
def test_a_faq_elsewhere_leaves_a_file_of_troubles_as_it_is(title: str, are_questions: bool) -> None:
    text = f"# {title}\n\n## No ink\n\nBuy some.\n\n## FAQ\n\nSee the [FAQ](faq.md).\n\n## Is it free?\n\nYes.\n"
    questions = [item.fields["question"] for item in entries(text)]
    assert questions == (["No ink", "Is it free?"] if are_questions else ["Is it free?"])


def test_what_only_opens_an_answer_says_nothing_of_it() -> None:
    opened = "<details>\n  <summary>Click to expand</summary>\n\nUse *draft* mode.\n\n</details>\n"
    found = entries(f"# FAQ\n### It is slow\n{opened}\n### How?\nSo:\n\n{opened}")
    assert [item.fields for item in found if isinstance(item, RawEntry)] == [
        {"question": "It is slow", "answer": "Use draft mode."},
        {"question": "How?", "answer": "So:\n\nUse draft mode."},
    ]


def test_chapters_that_name_faqs_are_all_read() -> None:
    text = "# Billing FAQ\n\n## Refunds\n\nSoon.\n\n# General FAQ\n\n## Accounts\n\nOne.\n\n# Ink FAQ\n\n## Red\n\nNo."
    assert [item.fields["question"] for item in entries(text)] == ["Refunds", "Accounts", "Red"]


def test_a_question_about_the_faq_may_be_answered_by_a_link() -> None:
    text = "# Help\n\n## Where is the FAQ?\n\nIt moved to [our site](https://x.org).\n\n## FAQ\n\n### How?\n\nSo.\n"
    assert [item.fields["question"] for item in entries(text)] == ["Where is the FAQ?", "How?"]


def test_a_heading_that_only_names_an_faq_leaves_what_is_opened_elsewhere() -> None:
    text = "# Help\n\n## FAQ\n\n## Billing\n\n<details><summary>Refunds</summary>\n\nSoon.\n\n</details>\n"
    assert [item.fields for item in entries(text)] == [{"question": "Refunds", "answer": "Soon."}]


def test_a_question_that_quotes_what_goes_on_keeps_its_answer() -> None:
    text = "# FAQ\n\n## Why does it say Loading...?\n\n### On Windows\n\nWait.\n\n## Is it free?\n\nYes.\n"
    assert [item.fields["question"] for item in entries(text)] == [
        "Why does it say Loading...?",
        "Why does it say Loading...? \u203a On Windows",
        "Is it free?",
    ]


def test_a_prompt_below_the_last_answer_is_no_part_of_it() -> None:
    text = "# FAQ\n\n**Is it hot?**\n\nYes.\n\n**Is it shut?**\n\nNo.\n\n---\n\nStill stuck? [Write](/us).\n"
    assert [entry.fields["answer"] for entry in entries(text)] == ["Yes.", "No."]
    tip = "## Where are the logs?\n\nStill unsure? Run `acme where`.\n"
    assert entries(tip)[0].fields["answer"] == "Still unsure? Run acme where."


def test_tags_of_templates_are_not_shown_but_for_titles() -> None:
    text = '## Is it hot?\n\n{% hint style="info" %}\nYes.\n{% endhint %}\n\n{% tab title="Oven" %}\nOnly there.\n'
    text += "{% endtab %}\n\n```\n{% if x %}\n```\n\nWrite `{% x %}` so.\n"
    assert entries(text)[0].fields["answer"] == "Yes.\n\nOven\n\nOnly there.\n\n{% if x %}\n\nWrite {% x %} so."


def test_tags_of_other_templates_stay() -> None:
    text = (
        "## How do I loop?\n\n1. Write:\n\n       {% for x in xs %}\n\n## What is shown?\n\n{% include browsers.md %}\n"
    )
    assert [entry.fields["answer"] for entry in entries(text)] == [
        "1. Write:\n\n   {% for x in xs %}",
        "{% include browsers.md %}",
    ]


def test_a_blocks_own_marks_make_no_headings() -> None:
    text = '## Can I pay?\n\n[block:callout]\n{"title": "By card", "body": "## Soon\\ud83d"}\n[/block]\n\n'
    text += '[block:parameters]\n{"data": {"h-0": "Card", "h-1": "Fee", "0-0": "Visa", "0-1": "2|3"}}\n[/block]\n\n'
    text += (
        '[block:code]\n{"codes": [{"code": "~~~\\nx"}]}\n[/block]\n\n[block:api-header]\n{"title": "Can I leave?"}\n'
    )
    text += '[/block]\n\n[block:html]\n{"html": "<p>Yes.</p>"}\n[/block]\n\n[block:other]\n{}\n[/block]\n'
    pay, leave = entries(text)
    assert pay.fields["answer"] == "By card\n\nSoon?\n\nCard | Fee\nVisa | 2|3\n\n~~~\nx"
    assert (leave.fields["question"], leave.fields["answer"].partition("\n")[0]) == ("Can I leave?", "Yes.")
    assert "[block:other]" in leave.fields["answer"]


def test_blocks_in_json_show_their_texts() -> None:
    block = "[block:{}]\n{}\n[/block]\n\n"
    text = "## Is it hot?\n\n" + block.format("callout", '{"type": "info",\n"title": "Oven", "body": "Yes.\\n\\nNow."}')
    text += block.format("image", '{"images": []}') + block.format("code", '{"codes": [{"code": "heat()\\n# on"}]}')
    text += "## Is it shut?\n\n" + block.format("callout", "{") + "No.\n"
    hot, shut = entries(text)
    assert hot.fields["answer"] == "Oven\n\nYes.\n\nNow.\n\nheat()\n# on"
    assert shut.location == "line 16"
    assert shut.fields["answer"].endswith("No.")
    assert "[block:callout]" in shut.fields["answer"]


def test_paragraphs_with_numbers_are_the_questions_of_a_section() -> None:
    text = '# FAQ\n\n## 2. Heat\n\n2.1.<a name="2_1"></a> It says:\n\n`cold`\n\nHeat it.\n\n2.2. Is it hot?\n\nYes.\n\n'
    found = entries(text + "2.3. How to open it\n\nPull.\n")
    assert [(entry.fields["question"], entry.fields["answer"], entry.headings) for entry in found] == [
        ("It says:", "cold\n\nHeat it.", ("FAQ", "Heat")),
        ("Is it hot?", "Yes.", ("FAQ", "Heat")),
        ("How to open it", "Pull.", ("FAQ", "Heat")),
    ]
    clauses = "# FAQ\n\n## Terms\n\n2.1. Use\n\nAsk us.\n\n2.2. Copyright\n\nIt is ours.\n"
    assert entries(clauses)[0].fields["answer"].endswith("It is ours.")
    steps = "# FAQ\n\n## How to install it\n\n1.1. Is it there?\n\nGo on.\n\n1.2. Is it open?\n\nRun it.\n"
    assert [entry.fields["question"] for entry in entries(steps)] == ["How to install it"]
    # One is missing; something stands before them.
    assert len(entries(text + "2.4. And so on.\n\nWait.\n")) == 1
    assert len(entries(text.replace("2.1.", "We have:\n\n2.1."))) == 1


def test_code_of_jekyll_is_code() -> None:
    text = (
        "# FAQ\n## How?\nRun:\n\n{% highlight bash %}\n# no heading\nreset\n{% endhighlight %}\n\nWait.\n## Why?\nSo.\n"
    )
    assert [(item.fields["question"], item.fields["answer"]) for item in entries(text)] == [
        ("How?", "Run:\n\n# no heading\nreset\n\nWait."),
        ("Why?", "So."),
    ]


def test_a_description_beside_a_solution_is_a_part_of_the_answer() -> None:
    text = (
        "# Troubleshooting\n## It stops\n### Description\nSuddenly.\n### Possible Solution\nStart it.\n"
        "## Other\nText.\n"
    )
    assert [(item.fields["question"], item.fields["answer"]) for item in entries(text)] == [
        ("It stops", "Description\n\nSuddenly.\n\nPossible Solution\n\nStart it."),
        ("Other", "Text."),
    ]


README = "# p-map\n## Install\nRun npm.\n## How do I map?\nSo.\n## Sponsors\nMany.\n## API\nA function.\n"


def asked(text: str, name: str) -> list[str]:
    return [item.fields["question"] for item in read(BytesIO(text.encode()), name=name) if isinstance(item, RawEntry)]


@pytest.mark.parametrize("name", ["README.md", "docs/readme.de.md", "CHANGELOG.md", "a/CODE_OF_CONDUCT.md"])
def test_a_readme_is_no_faq_as_a_whole(name: str) -> None:
    assert asked(README, name) == ["How do I map?"]
    assert asked(README, "help.md") == ["Install", "How do I map?", "API"]
    assert asked(README.replace("## API", "## FAQ\n### It is slow"), name) == ["How do I map?", "It is slow"]
    assert asked(README.replace("# p-map", "# FAQ of p-map"), name) == ["Install", "How do I map?", "API"]
    assert asked("# p-map\n## Why?\nSo.\n## Use\nYes.\n", name) == ["Why?", "Use"]


@pytest.mark.parametrize(
    "name",
    [
        "0.x-CHANGELOG.md",
        "CHANGELOG-0.x.md",
        "changelog_v1.2.md",
        "NEWS.md",
        "news.de.md",
        "RELEASE_NOTES",
        "release-notes-2.0.md",
    ],
)
def test_what_changed_in_a_version_is_no_faq(name: str) -> None:
    assert asked(README, name) == ["How do I map?"]


@pytest.mark.parametrize("name", ["newsletter.md", "news-feed.md", "changelog-faq.md"])
def test_what_is_called_alike_may_be_an_faq(name: str) -> None:
    assert asked(README, name) == ["Install", "How do I map?", "API"]


TROUBLES = (
    "# p-map\n## Install\nRun npm.\n## {}\nLook here.\n### It is slow\nWait.\n### No map\nBuy one.\n## API\nMany.\n"
)


@pytest.mark.parametrize("title", ["Troubleshooting", "Troubleshooting common problems", "4. Troubleshooting:"])
@pytest.mark.parametrize("name", ["README.md", "CHANGELOG.md"])
def test_a_section_of_troubles_in_a_readme_is_read_as_an_faq(title: str, name: str) -> None:
    assert asked(TROUBLES.format(title), name) == ["It is slow", "No map"]


@pytest.mark.parametrize("title", ["Network troubleshooting", "Installation and troubleshooting", "Usage"])
def test_other_sections_of_a_readme_are_no_faq(title: str) -> None:
    assert asked(TROUBLES.format(title), "README.md") == []


def test_a_section_of_troubles_beside_an_faq_is_read_too() -> None:
    text = TROUBLES.format("Troubleshooting") + "## FAQ\n### Is it hot?\nYes.\n"
    assert asked(text, "README.md") == asked(text, "oven.md") == ["It is slow", "No map", "Is it hot?"]


def test_a_section_of_troubles_without_headings_is_no_fault_beside_an_faq() -> None:
    text = (
        b"# Oven\n\n## Install\n\nPlug it in.\n\n## Troubleshooting\n\nLook here.\n\n## FAQ\n\n### Is it hot?\n\nYes.\n"
    )
    [entry] = read(BytesIO(text), name="oven.md")
    assert isinstance(entry, RawEntry)
    assert entry.fields["question"] == "Is it hot?"


def test_steps_of_a_section_of_troubles_are_no_questions() -> None:
    steps = "".join(f"### Step {number}: Look\nLook here.\n" for number in (1, 2))
    assert asked(f"# p-map\n## Install\nRun npm.\n## Troubleshooting\nDo this.\n{steps}", "README.md") == []


def test_what_a_section_of_troubles_opens_needs_not_ask() -> None:
    box = "\n<details>\n<summary>{}</summary>\n\nWait.\n\n</details>\n"
    text = (
        f"# Tool\n## Install\n{box.format('Linux')}\n## Troubleshooting\n{box.format('No ink')}{box.format('No map')}"
    )
    assert asked(text, "README.md") == ["No ink", "No map"]


def test_a_section_of_troubles_leaves_a_list_of_titles_to_the_faq() -> None:
    text = (
        "# Tool\n## FAQ\n- Slow inserts\n\n    Wait.\n\n- Error: locked\n\n    Unlock.\n\n## Troubleshooting\nAsk us.\n"
    )
    assert asked(text, "README.md") == ["Slow inserts", "Error: locked"]


def test_a_readme_without_questions_says_what_would_make_it_an_faq() -> None:
    [problem] = read(BytesIO(b"# Tool\n## Install\nRun it.\n"), name="README.md")
    assert isinstance(problem, Problem)
    assert problem.message.endswith("found none. If it is an FAQ, give it a title that says so")


@pytest.mark.parametrize("name", ["faq/README.md", "installing.md", "FAQ.md"])
def test_other_files_are_faqs(name: str) -> None:
    assert asked(README, name) == ["Install", "How do I map?", "API"]


@pytest.mark.parametrize(
    ("one", "other"),
    [("**1. How?**\nSo.", "**2. It is slow**\nWait."), ("1. How?\n\nSo.", "2. I was charged twice\n\nWait.")],
)
def test_what_does_not_ask_is_a_question_by_its_number(one: str, other: str) -> None:
    found = entries(f"# FAQ\n\n{one}\n\n{other}\n\n{one.replace('1.', '3.').replace('How', 'Why')}\n")
    title = other.strip("*").split("\n")[0].strip("*")[3:]
    assert [(item.fields["question"], item.fields["answer"]) for item in found] == [
        ("How?", "So."),
        (title, "Wait."),
        ("Why?", "So."),
    ]


def test_a_list_of_titles_is_all_that_a_section_faq_may_have() -> None:
    text = "# Tool\nText.\n## FAQ\n- Slow inserts\n\n    Wait.\n\n- Error: locked\n\n    Unlock.\n\n## License\nMIT\n"
    assert asked(text, "README.md") == ["Slow inserts", "Error: locked"]


def test_descriptions_and_errors_are_no_parts_without_a_remedy() -> None:
    text = "# API\n## get\n### Description\nReads.\n### Error\n404\n## Crash\n### Cause\nHeat.\n### Solution\nWait.\n"
    sign = "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"
    assert [item.fields["question"] for item in entries(text)] == ["Description", "Error", "Crash"]
    assert sign not in "".join(item.fields["question"] for item in entries(text))


@pytest.mark.parametrize(
    ("below", "found"),
    [
        ("### How do I fix this?", ["No ink", "No ink \u203a How do I fix this?"]),
        (
            "### Example\nText.\n### Why does it happen?",
            ["No ink", "No ink \u203a Example", "No ink \u203a Why does it happen?"],
        ),
        ("### How do I buy ink?", ["How do I buy ink?"]),
        ("### How do I fix this?\nSo.\n### How do I buy ink?", ["How do I fix this?", "How do I buy ink?"]),
        ("### When using red ink", ["No ink", "When using red ink"]),
    ],
)
def test_a_heading_is_a_question_if_all_below_it_asks_about_it(below: str, found: list[str]) -> None:
    assert asked(f"# Troubles\n## No ink\nIt is empty.\n{below}\nSo.\n## Door\nPush.\n", "x.md") == [*found, "Door"]


@pytest.mark.parametrize("title", ["How do I ...?", "How do I...", "HOW DO I \u2026 ?"])
def test_a_beginning_that_the_questions_below_say_again_is_a_section(title: str) -> None:
    text = "# FAQ\n## {}\n### {}How do I bake?\nSo.\n### How do I clean it?\nWith water.\n"
    found = entries(text.format(title, ""))
    assert [(one.headings, one.fields["question"]) for one in found] == [
        (("FAQ", title), "How do I bake?"),
        (("FAQ", title), "How do I clean it?"),
    ]
    assert len(entries(text.format(title, "Why or "))) == 2
    assert "\u203a" in entries(text.format(title, "Why or "))[0].fields["question"]


def test_a_heading_that_is_a_link_has_its_answer_elsewhere() -> None:
    text = "# FAQ\n## [Restores][r]\n## [Why *so*?](y.md)\n## [How?](h.md)\nSo.\n## When [is it](x.md)?\n\n[r]: r.md\n"
    found = [(item.fields["question"], item.fields["answer"]) for item in entries(text)]
    assert found == [("How?", "So."), ("When is it?", "")]
    assert asked("# Oven\n## [Why?](y.md)\n### Heat\nSo.\n", "README.md")[0] == "Why?"


def test_questions_of_a_list_have_no_addresses() -> None:
    text = (
        "# FAQ\n\n- Does it work with [yarn](https://y.example)?\n\n  Yes, [so](https://s.example).\n\n"
        "- Is it far?\n\n  No.\n"
    )
    assert [(item.fields["question"], item.fields["answer"]) for item in entries(text)] == [
        ("Does it work with yarn?", "Yes, so (https://s.example)."),
        ("Is it far?", "No."),
    ]


def test_what_a_readme_opens_has_to_ask() -> None:
    text = "# Tool\n## Install\n\n<details>\n<summary>{}</summary>\n\nRun it.\n\n</details>\n"
    assert asked(text.format("Linux"), "README.md") == []
    assert asked(text.format("How on Linux?"), "README.md") == ["How on Linux?"]


@pytest.mark.parametrize(
    ("note", "shown"),
    [
        (":::caution[Heads up]\nWait.\n:::", "Heads up\n\nWait."),
        ("::: info Read this\nWait.\n:::", "Read this\n\nWait."),
        ("::: warning\nWait.\n:::", "Wait."),
        ("{{< note >}}\nWait.\n{{< /note >}}", "Wait."),
        ('{{% alert title="Careful" color="red" %}}\nWait.\n{{% /alert %}}', "Careful\n\nWait."),
        ('{{< tabs >}}{{% tab "mac" %}}\nWait.\n{{% /tab %}}{{< /tabs >}}', "mac\n\nWait."),
        ('!!! warning "Do not run it"', "Do not run it"),
        ('=== "Linux"', "Linux"),
        ('--8<-- "more.md"', ""),
        ("{{#include more.md}}", ""),
        ("Use `{{< note >}}` there.", "Use {{< note >}} there."),
    ],
)
def test_marks_of_notes_and_tabs_leave_their_titles(note: str, shown: str) -> None:
    assert answer(f"Yes.\n\n{note}\n") == f"Yes.\n\n{shown}".rstrip()


def test_a_picture_before_a_bold_question_is_no_part_of_it() -> None:
    text = "# Tool\n\n## FAQ\n\n❓ **Is it hot?**\n\nYes.\n\n❓ **Why?**\n\nIt is on.\n"
    assert [(one.fields["question"], one.fields["answer"]) for one in entries(text)] == [
        ("Is it hot?", "Yes."),
        ("Why?", "It is on."),
    ]


@pytest.mark.parametrize("name", ["README.md", "readme-npm.md", "README_de.md"])
def test_the_title_of_a_readme_is_no_question(name: str) -> None:
    text = b"# Got bread? Bake it!\n\nA tool.\n\n## Features\n\nMany.\n\n### bake(bread, options?)\n\nBakes.\n"
    [found] = read(BytesIO(text), name=name)
    assert isinstance(found, Problem)
    assert len(list(read(BytesIO(text), name="faq-readme.md"))) > 1


def test_of_several_first_headings_none_is_the_title() -> None:
    text = b"# What is it?\n\nAn oven.\n\n# How do I clean it?\n\nWith water.\n\n"
    text += b"".join(b"# %s\n\nSo.\n\n" % title for title in (b"Licence", b"Authors", b"Changes"))
    found = [item.fields["question"] for item in read(BytesIO(text), name="README.md")]
    assert found == ["What is it?", "How do I clean it?"]


def test_a_picture_before_bold_print_makes_it_no_question() -> None:
    text = "# FAQ\n\n**Is it hot?**\n\nYes.\n\n✅ **On**\n\nHot.\n\n❌ **Off**\n\nCold.\n"
    [found] = entries(text)
    assert found.fields["question"] == "Is it hot?"


def test_steps_of_which_some_ask_are_no_questions() -> None:
    steps = ["Switch it off.", "Is the lamp green?", "Press reset.", "Does it blink?", "Wait.", "Switch it on."]
    text = "# Oven FAQ\n\n## Reset\n\n" + "".join(f"{n}. {step}\n\n   So.\n\n" for n, step in enumerate(steps, 1))
    [found] = entries(text)
    assert found.fields["question"] == "Reset"


def test_a_heading_in_a_note_is_none_of_the_file() -> None:
    note = "<aside class='note'>\n\n<h2>Warning</h2>\n\nIt is [hot](#heat).\n\n{}\n\n"
    lines = f"# FAQ\n\n## The oven\n\n{note}Ask us.\n\n## Is it far?\n\nNo.\n"
    answers = ["Warning\n\nIt is hot.\n\nAsk us.", "No."]
    assert [entry.fields["answer"] for entry in entries(lines.format("</aside>"))] == answers
    # What never ends is no note.
    assert "Warning" in [entry.fields["question"] for entry in entries(lines.format(""))]


def test_a_link_of_a_heading_to_itself_is_no_part_of_the_answer_above() -> None:
    link = "<a class='hash' id='{0}' href='#{0}'>#</a>\n\n"
    text = f"# FAQ\n{link.format('hot')}## Is it hot?\nYes.\n\n{link.format('far')}## Is it far?\nNo.\n"
    assert [one.fields["answer"] for one in entries(text) if isinstance(one, RawEntry)] == ["Yes.", "No."]


def test_what_one_sees_and_how_to_avoid_it_are_parts_of_an_answer() -> None:
    text = """# Troubleshooting
## The oven stays cold
### What you might see
A red light.
### Caused by
No wood.
### How to avoid
Buy some.
## The door squeaks
### What you might see
Mice run.
### How to avoid
Oil it.
## Smoke
### Diagnostic and possible solution(s)
Look up.
## How to fix it
Call us.
"""
    assert [tuple(one.fields.values()) for one in entries(text) if isinstance(one, RawEntry)] == [
        (
            "The oven stays cold",
            "What you might see\n\nA red light.\n\nCaused by\n\nNo wood.\n\nHow to avoid\n\nBuy some.",
        ),
        ("The door squeaks", "What you might see\n\nMice run.\n\nHow to avoid\n\nOil it."),
        ("Smoke", "Diagnostic and possible solution(s)\n\nLook up."),
        ("How to fix it", "Call us."),
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('{{% since "v1.2" oven %}} Turn it.', "Turn it."),
        ('It turns {{% since "v1.2" oven %}} by itself.', "It turns by itself."),
        ('`Turn`{{% since "v1.2" %}}, then wait {{% since "v1.2" %}}.', "Turn, then wait."),
        ('- {{% since "v1.2" oven %}} Turn it.', "- Turn it."),
        ('Use a {{< tooltip text="mitt" id="mitt" >}} for it.', "Use a mitt for it."),
        ("Use {{< param version >}}.", "Use {{< param version >}}."),
        ("Write `{{% note %}}` there.", "Write {{% note %}} there."),
        ('See [this]({{% ref "oven.md" %}}).', "See this (oven.md)."),
    ],
)
def test_shortcodes_of_hugo_in_a_line_go(line: str, expected: str) -> None:
    assert answer(line) == expected


def test_placeholders_in_angle_brackets_are_text() -> None:
    assert questions("# FAQ\n\n## Why not <other>?\n\nRun x <YOUR-NAME>, <b>now</b>, <Tip>*so*</Tip>.<br>\n") == [
        ("Why not <other>?", "Run x <YOUR-NAME>, now, so.")
    ]


def test_what_pandoc_knows_of_a_heading_is_no_part_of_it() -> None:
    assert questions("# FAQ {.x}\n## Why? {.unnumbered .unlisted}\nSo.\n## How? {-}\nThus.\n## {.x}?\nIt is.\n") == [
        ("Why?", "So."),
        ("How?", "Thus."),
        ("{.x}?", "It is."),
    ]


def test_text_right_behind_a_summary_or_an_end_is_markdown() -> None:
    text = """# FAQ

<details>
  <summary>How?</summary>
  Like **this**.
  - [one](/a)
</details>
<details><summary>Why?</summary>
<p>So *it*

   is.</p>
</details>

## When?

<details>
<summary>Steps</summary>

Now.

</details>
See [there](/b).
"""
    assert questions(text) == [
        ("How?", "Like this.\n\n- one (/a)"),
        ("Why?", "So *it*\n\nis."),
        ("When?", "Steps\n\nNow.\n\nSee there (/b)."),
    ]


def test_the_title_of_a_page_about_troubles_is_no_question() -> None:
    text = "# Troubleshooting\n\nAsk us, too.\n\n## It does not print\n\nWait.\n\n## Error 12\n\nWait more.\n"
    assert questions(text) == [("It does not print", "Wait."), ("Error 12", "Wait more.")]
    assert questions("# Known issues\n\nIt is slow.\n") == [("Known issues", "It is slow.")]
    assert questions("# Shop FAQs\n\n- [Cards](#cards)\n\n# Cards\n\n## How?\n\nSo.\n") == [("How?", "So.")]


def test_one_of_some_ways_is_a_part_of_the_answer() -> None:
    text = "# FAQ\n\n## The page stays empty\n\n### Option 1: Wait\n\nA day.\n\n### Option 2\n\nAsk us.\n\n"
    text += "## Does it fail?\n\nYes.\n\n### Solution 1 - Restart\n\nSo.\n\n### Option 12b\n\nThus.\n"
    assert questions(text) == [
        ("The page stays empty", "Option 1: Wait\n\nA day.\n\nOption 2\n\nAsk us."),
        ("Does it fail?", "Yes.\n\nSolution 1 - Restart\n\nSo.\n\nOption 12b\n\nThus."),
        ("Does it fail? \u203a Option 12b", "Thus."),
    ]


def test_the_title_of_an_faq_may_ask() -> None:
    text = "# Why this FAQ? Our answers\n\nAsk us.\n\n## Cards\n\n### How?\n\nSo.\n\n### Why?\n\nThus.\n"
    assert [(item.headings, item.fields["question"]) for item in entries(text) if isinstance(item, RawEntry)] == [
        (("Why this FAQ? Our answers", "Cards"), "How?"),
        (("Why this FAQ? Our answers", "Cards"), "Why?"),
    ]


def pairs(text: str) -> list[tuple[str, str]]:
    return [(entry.fields["question"], entry.fields["answer"]) for entry in entries(text)]


def test_headings_in_what_is_opened_belong_to_the_answer() -> None:
    panel = """<h4><a data-toggle="collapse" href="#{0}">{1}</a></h4>
<div id="{0}" class="panel-collapse collapse" markdown="1">\n\n{2}\n\n</div>\n"""
    markdown = "# FAQ\n\n" + panel.format("a", "How do I ask?", "By mail.\n\n### Steps\n\n1. Write.")
    markdown += panel.format("b", "When?", "Soon.")
    assert pairs(markdown) == [("How do I ask?", "By mail.\n\nSteps\n\n1. Write."), ("When?", "Soon.")]


def test_steps_without_text_are_the_answer_of_the_heading_above_them() -> None:
    markdown = "# FAQ\n\n## Guide to cleaning\n\n### Step 1: Open it.\n### Step 2: Wipe it.\n\n## Is it new?\nNo.\n"
    assert pairs(markdown) == [("Guide to cleaning", "Step 1: Open it.\n\nStep 2: Wipe it."), ("Is it new?", "No.")]


@pytest.mark.parametrize("opener", ["Billing", "Show all questions?"])
def test_questions_in_what_is_opened_are_no_part_of_an_answer(opener: str) -> None:
    markdown = f"""# FAQ\n\n<a data-bs-toggle="collapse" href="#all">{opener}</a>\n
<div id="all" class="collapse" markdown="1">\n\n### How do I pay?\n\nBy card.\n\n### When?\n\nNow.\n\n</div>\n"""
    assert [question for question, _ in pairs(markdown)][-1:] == ["When?"]
    assert ("How do I pay?", "By card.") in pairs(markdown)


def test_headings_without_text_that_say_what_would_be_below_are_no_answer() -> None:
    assert [p for p in pairs("# FAQ\n\n## Is it red?\n\n### Answer\n\n## Is it hot?\n\nYes.\n") if p[1]] == [
        ("Is it hot?", "Yes.")
    ]
