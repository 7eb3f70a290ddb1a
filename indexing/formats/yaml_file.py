# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""YAML: entries in lists and objects at any depth, as sites keep them in files such as ``_data/faq.yml``."""

from collections.abc import Iterator, Mapping
from typing import BinaryIO

from answer_selection.indexing.formats import site_data
from answer_selection.indexing.formats.lines import decode
from answer_selection.indexing.formats.raw import Problem, RawEntry
from answer_selection.indexing.yaml_text import NotYamlError, parse_yaml_texts


def read(
    stream: BinaryIO,
    encoding: str | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    base_url: str | None = None,
) -> Iterator[RawEntry | Problem]:
    """
    Read a whole YAML file, of one document or several. All its values are texts: the answer ``yes`` is a word.

    :param stream: the file's bytes.
    :param encoding: the declared encoding, if any.
    :param columns: our names of fields and the file's own, where these are others.
    :param base_url: the file's address: links in HTML that are relative to it become absolute.
    :returns: the entries as :func:`site_data.entries` finds them.
    :raises EncodingError: if a byte is no text.
    """
    try:
        documents = parse_yaml_texts(decode(stream.read(), encoding), "")
    except NotYamlError as error:
        yield Problem("" if error.line is None else f"line {error.line}", None, error.message)
        return
    if documents:
        yield from site_data.entries(
            documents if len(documents) > 1 else documents[0], columns=columns, base_url=base_url
        )
