# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""DOCX: paragraphs in a heading's style are headings, and the rest is as in Markdown. Needs the extra `documents`."""

import io
from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO

import mammoth
from markdownify import markdownify

from answer_selection.indexing.formats import markdown
from answer_selection.indexing.formats.raw import Problem, RawEntry


def read(
    stream: BinaryIO,
    encoding: str | None = None,  # noqa: ARG001
    *,
    base_url: str | None = None,
) -> Iterator[RawEntry | Problem]:
    """
    Read a whole DOCX file.

    :param stream: the file's bytes.
    :param encoding: of no meaning here.
    :param base_url: the file's address: links that are relative to it become absolute.
    :returns: a raw entry a question, as the Markdown reader gives it; or a problem, if it is no DOCX file.
    """
    try:
        # Pictures would be written into the text, byte for byte.
        html = mammoth.convert_to_html(stream, convert_image=mammoth.images.img_element(lambda _: {"src": ""})).value
    except Exception as error:
        yield Problem("", None, f"cannot be read as DOCX: {error or type(error).__name__}")
        return
    text = markdownify(html, heading_style="ATX", escape_misc=True, strip=["img"])
    for item in markdown.read(io.BytesIO(text.encode()), base_url=base_url):
        # Lines are of the text in between, which nobody has seen.
        question = item.fields.get("question") if isinstance(item, RawEntry) else None
        yield replace(item, location=f"heading {question!r}" if question else "")
