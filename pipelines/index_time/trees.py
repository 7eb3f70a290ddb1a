# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Parsing the answers of an index that is there: those that have no tree of their text yet."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from haystack import Document

from answer_selection.indexing.batched import streamed
from answer_selection.indexing.corpus_index import CorpusIndex, DocumentUpdate
from answer_selection.indexing.text.tree import TREE_FIELD

if TYPE_CHECKING:
    from haystack_integrations.components.preprocessors.answer_selection import ConstituencyParser

# Answers that are written together; in an index on disk they are one commit.
_BATCH: Final = 10_000
_PAGE: Final = 200


def parse_index(
    index: CorpusIndex, parser: "ConstituencyParser", *, progress: Callable[[int], None] | None = None
) -> int:
    """
    Write parse trees into the documents of an index. Doing it twice changes nothing.

    :param index: The index.
    :param parser: Makes the trees; those in its cache are not made again, so that a killed run goes on where it was.
    :param progress: Called with the number of answers that were looked at so far.
    :returns: How many answers got a tree.
    """
    fields = ["id", "content", *(f"meta.{name}" for name in (*parser.meta_fields_to_embed, TREE_FIELD))]
    parsed = 0

    def updates() -> Iterator[DocumentUpdate]:
        nonlocal parsed
        seen = 0
        for page in index.iter_pages(fields, page_size=_PAGE):
            documents = [
                Document(id=row["id"], content=row["content"], meta={name[5:]: row[name] for name in fields[2:]})
                for row in page
            ]
            for before, after in zip(documents, parser.run(documents=documents)["documents"], strict=True):
                if after is not before:
                    parsed += 1
                    yield DocumentUpdate(after.id, None, {TREE_FIELD: after.meta[TREE_FIELD]})
            seen += len(page)
            if progress:
                progress(seen)

    for some in streamed(updates(), _BATCH):
        index.update_documents(some)
    return parsed
