# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""TOML: entries in arrays and tables at any depth, as sites keep them in files such as ``data/faq.toml``."""

from collections.abc import Iterator, Mapping
from typing import BinaryIO

from answer_selection.indexing.formats import site_data
from answer_selection.indexing.formats.lines import decode
from answer_selection.indexing.formats.raw import Problem, RawEntry
from answer_selection.indexing.toml_text import parse_toml


def read(
    stream: BinaryIO,
    encoding: str | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    base_url: str | None = None,
) -> Iterator[RawEntry | Problem]:
    """
    Read a whole TOML file.

    :param stream: the file's bytes.
    :param encoding: the declared encoding, if any.
    :param columns: our names of fields and the file's own, where these are others.
    :param base_url: the file's address: links in HTML that are relative to it become absolute.
    :returns: the entries as :func:`site_data.entries` finds them.
    :raises EncodingError: if a byte is no text.
    """
    text = decode(stream.read(), encoding)
    try:
        values = parse_toml(text)
    except ValueError as error:
        yield Problem("", None, str(error))
        return
    if values:
        yield from site_data.entries(values, columns=columns, base_url=base_url)
