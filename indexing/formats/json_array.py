# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""JSON: one array of entries, which may be the one array of an object (``{"faq": [...]}``), or a schema.org FAQPage."""

import json
from collections.abc import Iterator
from typing import Any, BinaryIO

from answer_selection.indexing.formats import faq_page, jsonl
from answer_selection.indexing.formats.lines import decode
from answer_selection.indexing.formats.raw import Problem, RawEntry


def read(stream: BinaryIO, encoding: str | None = None, *, base_url: str | None = None) -> Iterator[RawEntry | Problem]:
    """
    Read a whole JSON file. A corpus that does not fit into memory belongs into JSONL.

    :param stream: the file's bytes.
    :param encoding: the declared encoding, if any.
    :param base_url: the file's address: links in a FAQPage's HTML that are relative to it become absolute.
    :returns: one raw entry an item; for an item that is no object a problem.
    :raises EncodingError: if a byte is no text.
    """
    text = decode(stream.read(), encoding)
    try:
        value = jsonl.parse(text)
    except json.JSONDecodeError as error:
        yield Problem(
            f"line {error.lineno}", None, f"expected JSON, but at column {error.colno} it is not: {error.msg}"
        )
        return
    except ValueError as error:
        yield Problem("", None, f"expected JSON, but {error}")
        return
    if isinstance(value, dict) and {"@context", "@graph", "@type"} & set(value):
        yield from faq_page.entries(value, "JSON-LD", base_url=base_url)
        return
    items = _items(value)
    if items is None:
        found = jsonl.json_type(value)
        message = f"expected an array of entries, or an object with one array of them, found {found}"
        yield Problem("", None, message, nothing=True)
        return
    for number, item in enumerate(items, start=1):
        if isinstance(item, dict):
            yield RawEntry(f"item {number}", item)
        else:
            yield Problem(f"item {number}", None, f"expected a JSON object, found {jsonl.json_type(item)}")


def _items(value: Any) -> list[Any] | None:
    if isinstance(value, list):
        return value
    arrays = [part for part in value.values() if isinstance(part, list)] if isinstance(value, dict) else []
    return arrays[0] if len(arrays) == 1 else None
