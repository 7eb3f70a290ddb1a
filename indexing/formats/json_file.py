# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""JSON: entries in lists and objects at any depth, or a schema.org FAQPage."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import BinaryIO, Final

from answer_selection.indexing.formats import faq_page, jsonl, site_data
from answer_selection.indexing.formats.lines import decode
from answer_selection.indexing.formats.raw import Problem, RawEntry

_COMMENT: Final = re.compile(r"\A\s*/\*(?:[^*]|\*(?!/))*\*/")


def read(
    stream: BinaryIO,
    encoding: str | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    base_url: str | None = None,
) -> Iterator[RawEntry | Problem]:
    """
    Read a whole JSON file. A corpus that does not fit into memory belongs into JSONL.

    :param stream: the file's bytes.
    :param encoding: the declared encoding, if any.
    :param columns: our names of fields and the file's own, where these are others.
    :param base_url: the file's address: links in HTML that are relative to it become absolute.
    :returns: the entries as :func:`site_data.entries` finds them, or as :func:`faq_page.entries` does.
    :raises EncodingError: if a byte is no text.
    """
    # Shopify writes a comment above its templates, which is no JSON.
    text = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), decode(stream.read(), encoding), count=1)
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
    yield from site_data.entries(value, columns=columns, base_url=base_url)
