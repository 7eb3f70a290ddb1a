# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Front matter of Markdown: the YAML or TOML at its very beginning, which may hold its title, or a whole FAQ."""

import re
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

from markdown_it import MarkdownIt

from answer_selection.indexing.formats import nested
from answer_selection.indexing.formats.questions import asks
from answer_selection.indexing.formats.raw import ANSWER_FIELDS, QUESTION_FIELDS, RawEntry, find_field
from answer_selection.indexing.toml_text import parse_toml
from answer_selection.indexing.yaml_text import parse_yaml_texts

# A line of YAML. Each line of front matter has to look like it, or else a file that begins with a horizontal rule would
# lose its text up to the next one.
_YAML_LINE: Final = re.compile(r"[\w.-]+[ \t]*:.*|[ \t].*|-[ \t].*|#.*|")
# What a page asks or is called. Sites keep one question a file so, with the answer as its text.
_TITLES: Final = (*QUESTION_FIELDS, "title")


def split(text: str) -> tuple[dict[str, Any], str]:
    """
    Take the front matter from a Markdown text.

    :param text: the text.
    :returns: what its front matter says, empty where it says nothing that can be read, and the text with empty lines
        in its place: all others keep their numbers.
    """
    lines = text.split("\n")
    if lines[0].rstrip() == "+++" and "+++" in lines[1:]:
        end = lines.index("+++", 1)
        return _toml("\n".join(lines[1:end])), "\n".join([""] * (end + 1) + lines[end + 1 :])
    if not text.startswith("---"):
        return {}, text
    for number, line in enumerate(lines):
        marker = line.rstrip(" \t")
        if number and marker in ("---", "..."):
            return _yaml("\n".join(lines[1:number])), "\n".join([""] * (number + 1) + lines[number + 1 :])
        if not (_YAML_LINE.fullmatch(line) if number else marker == "---"):
            break
    return {}, text


def _toml(text: str) -> dict[str, Any]:
    try:
        return parse_toml(text)
    except ValueError:
        return {}


def _yaml(text: str) -> dict[str, Any]:
    try:
        [values] = parse_yaml_texts(text, "") or [{}]
    except ValueError:  # no YAML, or documents in it
        return {}
    return values if isinstance(values, dict) else {}


def with_title(values: dict[str, Any], text: str) -> str:
    """
    Write the title that front matter names as the heading that the page would show.

    :param values: the front matter.
    :param text: the text below it, with empty lines in its place.
    :returns: the text, with the heading in one of these lines; unless it has one of its rank, or the title asks and
        headings of the text do so, too: these are no parts of the first.
    """
    name = find_field(values, _TITLES)
    title = " ".join(str(values[name]).split()) if name is not None and isinstance(values[name], str) else ""
    if not title or "<h1" in text.lower():
        return text
    tokens = MarkdownIt("commonmark").parse(text)
    headings = [(token.tag, inline.content) for token, inline in pairwise(tokens) if token.type == "heading_open"]
    if any(tag == "h1" or (asks(title) and asks(heading)) for tag, heading in headings):
        return text
    return f"# {title}{text}"


def entries(values: dict[str, Any], base_url: str | None = None) -> list[RawEntry]:
    """
    Find the entries in front matter.

    :param values: the front matter.
    :param base_url: the address of the file: links that are relative to it become absolute.
    :returns: each question with its answer, in fields of these names.
    """
    found = []
    for one in nested.entries(values, base_url=base_url) if values else []:
        if isinstance(one, RawEntry):
            names = [find_field(one.fields, aliases) for aliases in (QUESTION_FIELDS, ANSWER_FIELDS)]
            new = dict(zip(names, ("question", "answer"), strict=True))
            if None not in new:
                found.append(replace(one, fields={new.get(name, name): value for name, value in one.fields.items()}))
    return found
