# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Turn FAQ files into Documents."""

import codecs
from pathlib import Path
from typing import Any

from haystack import Document, component, default_from_dict, default_to_dict, logging
from haystack.components.converters.utils import normalize_metadata
from haystack.dataclasses import ByteStream

from answer_selection.indexing.entries import EntryError, EntrySourceError, check_format, iter_entries
from answer_selection.indexing.ids import EntryIds
from answer_selection.indexing.source_link import SOURCE_FIELD

logger = logging.getLogger(__name__)


@component
class FAQConverter:
    """
    Converts FAQ files to Documents, one an entry.

    Files of JSONL, JSON, YAML, TOML, XML, CSV, TSV, HTML, Markdown, reStructuredText, text and, with the extra
    `documents`, PDF, DOCX, PPTX, XLSX, and with the extra `pandoc` AsciiDoc, OpenDocument, MediaWiki and others, are
    told apart by mime type or file name; the folder's README.md says what is a question in each. A
    Document's ``content`` is the answer; its ``meta`` has ``question``, ``entry_id``, ``source`` (the path as it was
    given, or the address), perhaps ``anchor``, and whatever else the source gave. Links that are relative to an address
    become absolute.

    A Document's ``id`` is the entry's own id, or else a hash of heading path and question: it stays when the answer
    changes, when the entry moves in its file, and when the file is renamed. Where two sources have one question with
    different answers, the later one's ``id`` depends on its source too.

    ### Usage example

    ```python
    from haystack.dataclasses import ByteStream
    from haystack_integrations.components.converters.faq import FAQConverter

    faq = ByteStream(b"# How do I renew a book?\\nOnline, or by phone.", mime_type="text/markdown")
    result = FAQConverter().run(sources=[faq])
    print(result["documents"][0].meta["question"], result["documents"][0].content, result["errors"])
    # How do I renew a book? Online, or by phone. []
    ```
    """

    def __init__(
        self,
        *,
        strict: bool = False,
        require_question: bool = True,
        format: str | None = None,  # noqa: A002 - the word that people look for
        encoding: str | None = None,
        columns: dict[str, str] | None = None,
    ) -> None:
        """
        Create the component.

        :param strict: whether the first entry that cannot be read is raised. Otherwise it is passed over and described
            in the output ``errors``.
        :param require_question: whether an entry without a question counts as one that cannot be read.
        :param format: the sources' format, as `--format` of the command `index`; None is what type or name says.
        :param encoding: the encoding of sources that do not name theirs, as `--encoding`.
        :param columns: the sources' own names of fields, as `--columns`: ``{"question": "Title"}``. A source that has
            none of them is read without.
        :raises ValueError: if there is no such format or encoding.
        """
        if format is not None:
            check_format(format)
        if encoding is not None:
            try:
                codecs.lookup(encoding)
            except LookupError as error:
                msg = f"unknown encoding {encoding!r}; expected one that Python knows, such as cp1252"
                raise ValueError(msg) from error
        self.strict = strict
        self.require_question = require_question
        self.format = format
        self.encoding = encoding
        self.columns = None if columns is None else dict(columns)

    def to_dict(self) -> dict[str, Any]:
        """
        Give the component as a dictionary.

        :returns: its type and parameters.
        """
        return default_to_dict(
            self,
            strict=self.strict,
            require_question=self.require_question,
            format=self.format,
            encoding=self.encoding,
            columns=self.columns,
        )

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "FAQConverter":
        """
        Make the component of a dictionary.

        :param data: what :meth:`to_dict` gave.
        :returns: the component.
        """
        return default_from_dict(cls, data)

    @component.output_types(documents=list[Document], errors=list[str])
    def run(
        self,
        sources: list[str | Path | ByteStream],
        meta: dict[str, Any] | list[dict[str, Any]] | None = None,
    ) -> dict[str, Any]:
        """
        Convert files.

        :param sources: paths and ByteStreams.
        :param meta: metadata for all Documents, or a list with the metadata for each source's. A ByteStream's own
            metadata and a path's ``file_path`` (the file's name) are added too; an entry's own fields win.
        :returns: ``documents``, and in ``errors`` one line for each entry or file that could not be read: file, line or
            element, field, what was expected. What comes again in the same words is left out. An entry's own id that an
            earlier source has given with another answer is an error too.
        :raises EntrySourceError: in strict mode, at the first error.
        :raises ValueError: if ``meta`` is a list of another length than ``sources``.
        """
        documents: list[Document] = []
        errors: list[str] = []
        with EntryIds() as ids:
            for source, given in zip(sources, normalize_metadata(meta, sources_count=len(sources)), strict=True):
                address, own = _origin(source)
                items = iter_entries(
                    source,
                    require_question=self.require_question,
                    format=self.format,
                    encoding=self.encoding,
                    columns=self.columns,
                    meta={**own, **given},
                    ids=ids,
                    scope=address,
                )
                for item in items:
                    if not isinstance(item, EntryError):
                        documents.append(item.to_document())
                    elif item.is_of_a_part:
                        continue
                    elif self.strict:
                        raise EntrySourceError(item)
                    else:
                        errors.append(str(item))
        if errors:
            logger.warning(
                "{count} FAQ entries or files could not be read, the first is {error}",
                count=len(errors),
                error=errors[0],
            )
        return {"documents": documents, "errors": errors}


def _origin(source: str | Path | ByteStream) -> tuple[str | None, dict[str, Any]]:
    """Say where a source is, and give the metadata that it brings along."""
    if not isinstance(source, ByteStream):
        return str(source), {"file_path": Path(source).name, SOURCE_FIELD: str(source)}
    own = dict(source.meta)
    # What a pipeline fetched has an address; what it read from a file, the file's path.
    address = next((str(own[key]) for key in (SOURCE_FIELD, "url", "file_path") if own.get(key)), None)
    if isinstance(own.get("file_path"), (str, Path)):
        own["file_path"] = Path(own["file_path"]).name
    return address, own if address is None else {**own, SOURCE_FIELD: address}
