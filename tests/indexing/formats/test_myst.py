# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""MyST's directives in Markdown, of Jupyter Book and of Sphinx."""

from io import BytesIO

import pytest

from answer_selection.indexing.formats import markdown
from answer_selection.indexing.formats.myst import without_directives
from answer_selection.indexing.formats.raw import RawEntry


def read(text: str) -> dict[str, str]:
    found = list(markdown.read(BytesIO(text.encode())))
    assert all(isinstance(item, RawEntry) for item in found), found
    return {item.fields["question"]: item.fields["answer"] for item in found}


def test_dropdowns_in_fences_are_questions() -> None:
    text = """# FAQ

```{contents}
:local:
```

````{dropdown} How do I renew a book?
:animate: fade-in

At the desk, or:

```{code-block} bash
:linenos:

renew --all
```
````

```{dropdown} When do you close?
At `8 p.m.`
```

:::{dropdown} What does a card cost?
:color: info
Two dollars.
:::

```{toctree}
:maxdepth: 1
fees
```
"""
    assert read(text) == {
        "How do I renew a book?": "At the desk, or:\n\nrenew --all",
        "When do you close?": "At 8 p.m.",
        "What does a card cost?": "Two dollars.",
    }


def test_what_is_text_in_an_answer_stays_and_options_go() -> None:
    text = """(faq)=
# FAQ

(renew)=
## How do I renew a book?

```{note}
Bring the *card*.
```

```{admonition} By telephone
---
class: tip
---
Until noon.
```

```{figure} desk.png
:width: 50%

The desk.
```

% nobody sees this

+++

```{include} ../more.md
```

## How do I return one?

Into the box.
"""
    assert read(text) == {
        "How do I renew a book?": "Bring the card.\n\nBy telephone\n\nUntil noon.\n\nThe desk.",
        "How do I return one?": "Into the box.",
    }


def test_restructuredtext_in_markdown_is_read_as_such() -> None:
    text = """# FAQ

```{eval-rst}
.. _renewing:
```

## How do I renew a book?

At the desk.

```{eval-rst}
.. warning::

   Not by ``mail``:

   ======== =====
   by mail  never
   by hand  daily
   ======== =====

   ::

       a  b

       c  d
```

With the card.
"""
    answer = read(text)["How do I renew a book?"]
    assert answer.startswith("At the desk.\n\nWarning\n\nNot by mail:\n\n")
    assert "by hand" in answer
    assert answer.endswith("a  b\n\nc  d\n\nWith the card.")
    assert ".." not in answer


def test_tables_are_those_of_restructuredtext() -> None:
    text = """# FAQ

## What do cards cost?

```{csv-table} Cards
:header: Name, Price

"One, small", 2
```

## And rooms?

```{list-table}
:header-rows: 1

* - Name
  - Price
* - Large
  - 9
```

```{raw} html
<p>Per <b>hour</b>.</p>
```

```{raw} latex
\\clearpage
```
"""
    assert read(text) == {
        "What do cards cost?": "Cards\nName | Price\nOne, small | 2",
        "And rooms?": "Name | Price\nLarge | 9\n\nPer hour.",
    }


def test_signs_of_comments_stay_where_fences_are_not_mysts_alone() -> None:
    text = "# FAQ\n\n## How do I comment?\n\n```{r}\nx <- 1\n```\n\nSo:\n\n% a comment\n\n+++\n"
    assert read(text) == {"How do I comment?": "x <- 1\n\nSo:\n\n% a comment\n\n+++"}


@pytest.mark.parametrize(
    "text",
    [
        "```{r}\nsummary(loans)\n```",
        "```{python, echo=FALSE}\n% not a comment\n```",
        "````\n```{note}\nShown as it is.\n```\n````",
        "```{note}\nnever closed",
        "100 %\n\n+++",
    ],
)
def test_what_is_no_directive_stays(text: str) -> None:
    lines = text.split("\n")
    assert without_directives(lines) == lines


def test_every_line_keeps_its_number() -> None:
    lines = ["```{note}", ":class: x", "Text.", "```", "", "```{eval-rst}", ".. note:: More.", "```", "## Why?"]
    written = without_directives(lines)
    assert len(written) == len(lines)
    assert written[2] == "Text."
    assert "More." in written[5]
    assert written[-1] == "## Why?"


def test_rubrics_are_questions_in_bold_print() -> None:
    text = "# FAQ\n\n```{rubric} Why *this*?\n:name: why\n```\n\n> So.\n\n:::{rubric} And [how](/x)?\n:::\n\nThus.\n"
    assert read(text) == {"Why this?": "So.", "And how?": "Thus."}
