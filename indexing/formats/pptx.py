# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""PPTX: a slide's title is a question, what else is on the slide its answer. Needs the extra `documents`."""

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from pptx import Presentation

from answer_selection.indexing.formats.raw import Problem, RawEntry


def read(stream: BinaryIO, encoding: str | None = None) -> Iterator[RawEntry | Problem]:  # noqa: ARG001
    """
    Read a whole presentation.

    Slides without a title, or without more than that, are passed over. Slides that follow one another with the same
    title are one entry.

    :param stream: the file's bytes.
    :param encoding: of no meaning here.
    :returns: a raw entry a slide; or a problem, if it is no PPTX file or has no such slide.
    """
    try:
        slides = [(_title(slide), _text(slide)) for slide in Presentation(stream).slides]
    except Exception as error:
        yield Problem("", None, f"cannot be read as PPTX: {error or type(error).__name__}")
        return
    begun: RawEntry | None = None
    for number, (title, text) in enumerate(slides, start=1):
        if begun is not None and (title != begun.fields["question"] or not text):
            yield begun
            begun = None
        if title and text:
            if begun is None:
                begun = RawEntry(f"slide {number}", {"question": title, "answer": text})
            else:
                begun.fields["answer"] += f"\n\n{text}"
    if begun is not None:
        yield begun
    if not any(title and text for title, text in slides):
        yield Problem("", None, "expected slides with a title and a text; found none", nothing=True)


def _title(slide: Any) -> str:
    title = slide.shapes.title
    return "" if title is None else " ".join(title.text_frame.text.split())


def _text(slide: Any) -> str:
    title = slide.shapes.title
    others = (shape for shape in slide.shapes if title is None or shape.shape_id != title.shape_id)
    return "\n\n".join(filter(None, _texts(others)))


def _texts(shapes: Iterable[Any]) -> Iterator[str]:
    for shape in shapes:
        if getattr(shape, "shapes", None) is not None:  # a group
            yield from _texts(shape.shapes)
        elif shape.has_text_frame:
            yield "\n".join(line.strip() for line in shape.text_frame.text.splitlines() if line.strip())
        elif getattr(shape, "has_table", False):
            rows = ([" ".join(cell.text.split()) for cell in row.cells] for row in shape.table.rows)
            yield "\n".join(" | ".join(row) for row in rows if any(row))
