# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Texts that content management systems keep as objects: HTML beside other forms, languages, or the tree of an editor.

Contentful, Sanity, Storyblok, Strapi, Payload and others keep a list of blocks, with text in the leaves.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from answer_selection.indexing.formats.storable import DEEPEST

# Where the text is in an object: WordPress, Drupal, Confluence, Hygraph.
_FORMS: Final = ("rendered", "processed", "html", "storage", "value", "markdown")
_LANGUAGE: Final = re.compile(r"[a-z]{2}(?:[-_][A-Za-z]{2,4})?")
_ENGLISH: Final = "en"
_KINDS: Final = ("type", "_type", "nodeType")
_PARTS: Final = ("content", "children", "blocks")
_ROOTS: Final = ("root", "document", "json")
_BLOCK: Final = re.compile(
    r"(?i)(?:[\w-]{0,40}[-_])?(?:block|code|heading|listitem|p|paragraph|quote|h[1-6]|li|list[-_]item)"
)
_ITEM: Final = re.compile(r"(?i)(?:listitem|li|list[-_]item)")
_BREAK: Final = re.compile(r"(?i)hard_?-?break|linebreak")


def text_in(value: Any) -> str | None:
    """
    Give the text that a value is or holds.

    :param value: a text, or what holds one.
    :returns: the text, which may be HTML or Markdown, with an empty line between blocks of a tree; None if it is empty
        or no text.
    """
    return _text_in(value, 0)


def _text_in(value: Any, depth: int) -> str | None:
    if isinstance(value, str):
        return value if value.strip() else None
    if depth > DEEPEST:
        return None
    if isinstance(value, dict):
        for name in _FORMS:
            if name in value and (text := _text_in(value[name], depth + 1)) is not None:
                return text
        if value and all(isinstance(name, str) and _LANGUAGE.fullmatch(name) for name in value):
            first = min(value, key=lambda name: not name.startswith(_ENGLISH))
            return _text_in(value[first], depth + 1)
        root = next((value[name] for name in _ROOTS if isinstance(value.get(name), dict | list)), None)
        if root is not None:
            return _text_in(root, depth + 1)
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        return "\n\n".join(value).strip() or None
    if not _is_tree(value):
        return None
    paragraphs = map(str.strip, "".join(_texts(value, 0)).split("\n\n"))
    return "\n\n".join(filter(None, paragraphs)) or None


def _is_tree(value: Any) -> bool:
    if isinstance(value, list):
        return bool(value) and all(isinstance(one, dict) and _kind(one) and _is_node(one) for one in value)
    return isinstance(value, dict) and bool(_kind(value)) and any(isinstance(value.get(name), list) for name in _PARTS)


def _is_node(value: dict[str, Any]) -> bool:
    return any(isinstance(value.get(name), list) for name in _PARTS)


def _kind(value: dict[str, Any]) -> str:
    return next((value[name] for name in _KINDS if isinstance(value.get(name), str)), "")


def _texts(value: Any, depth: int) -> Iterator[str]:
    if depth > DEEPEST:
        return
    if isinstance(value, list):
        for part in value:
            yield from _texts(part, depth + 1)
    elif isinstance(value, dict):
        kind = _kind(value)
        if _BREAK.fullmatch(kind):
            yield "\n"
        is_block = _BLOCK.fullmatch(kind) is not None
        if _ITEM.fullmatch(kind) or value.get("listItem"):
            yield "\n\n- "
        text = next((value[name] for name in ("text", "value") if isinstance(value.get(name), str)), "")
        yield text
        for name in _PARTS:
            yield from _texts(value.get(name), depth + 1)
        if is_block:
            yield "\n\n"
