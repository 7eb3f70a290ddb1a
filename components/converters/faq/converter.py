# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Turn FAQ files into Documents."""

from pathlib import Path
from typing import Any

from haystack import Document, component, default_from_dict, default_to_dict, logging
from haystack.components.converters.utils import normalize_metadata
from haystack.dataclasses import ByteStream

from answer_selection.indexing.entries import Entry, EntryError, EntrySourceError, iter_entries

logger = logging.getLogger(__name__)


@component
class FAQConverter:
    """
    Converts FAQ files to Documents, one an entry.

    Files of JSONL, JSON, CSV, TSV, HTML, Markdown, reStructuredText and text are told apart by mime type or file name;
    the folder's README.md says what is a question in each. A Document's ``content`` is the answer; its ``meta`` has
    ``question``, ``entry_id``, perhaps ``anchor``, and whatever else the source gave. Its ``id`` is the entry's own
    id, or else a hash of heading path and question: it stays when the answer changes, when the entry moves in its file,
    and when the file is renamed.

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

    def __init__(self, *, strict: bool = False, require_question: bool = True) -> None:
        """
        Create the component.

        :param strict: whether the first entry that cannot be read is raised. Otherwise it is passed over and described
            in the output ``errors``.
        :param require_question: whether an entry without a question counts as one that cannot be read.
        """
        self.strict = strict
        self.require_question = require_question

    def to_dict(self) -> dict[str, Any]:
        """
        Give the component as a dictionary.

        :returns: its type and parameters.
        """
        return default_to_dict(self, strict=self.strict, require_question=self.require_question)

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
            element, field, what was expected. An id that an earlier source has given already is an error too, unless
            the entry says the same.
        :raises EntrySourceError: in strict mode, at the first error.
        :raises ValueError: if ``meta`` is a list of another length than ``sources``.
        """
        documents: dict[str, Document] = {}
        given_by: dict[str, int] = {}
        errors: list[str] = []
        for index, (source, given) in enumerate(
            zip(sources, normalize_metadata(meta, sources_count=len(sources)), strict=True)
        ):
            own = source.meta if isinstance(source, ByteStream) else {"file_path": Path(source).name}
            if isinstance(own.get("file_path"), (str, Path)):
                own = {**own, "file_path": Path(own["file_path"]).name}
            for item in iter_entries(source, require_question=self.require_question, meta={**own, **given}):
                error = item if isinstance(item, EntryError) else None
                if isinstance(item, Entry):
                    document = item.to_document()
                    earlier = documents.setdefault(document.id, document)
                    given_by.setdefault(document.id, index)
                    if earlier is not document and not _says_the_same(earlier, document):
                        error = EntryError(
                            _name(source), "", "entry_id", _taken(item, _name(sources[given_by[document.id]]))
                        )
                if error is not None:
                    if self.strict:
                        raise EntrySourceError(error)
                    errors.append(str(error))
        if errors:
            logger.warning(
                "{count} FAQ entries or files could not be read, the first is {error}",
                count=len(errors),
                error=errors[0],
            )
        return {"documents": list(documents.values()), "errors": errors}


def _says_the_same(one: Document, other: Document) -> bool:
    return one.content == other.content and one.meta.get("question") == other.meta.get("question")


def _name(source: str | Path | ByteStream) -> str:
    return str(source.meta.get("file_path", "byte stream") if isinstance(source, ByteStream) else source)


def _taken(entry: Entry, earlier: str) -> str:
    return (
        f"{entry.entry_id!r} (question: {entry.question!r}) was given by {earlier} already, with another text; "
        "expected each id in one source, or entries with ids of their own"
    )
