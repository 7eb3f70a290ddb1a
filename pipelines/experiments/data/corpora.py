# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Indexes of data sets' corpora and lists mined from them: made once, and anew where the data are others now."""

import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from answer_selection.indexing.artifact import Artifact
from answer_selection.indexing.building.embedded import build_index
from answer_selection.indexing.corpus import write_corpus
from answer_selection.indexing.encoder import TextEncoder
from answer_selection.indexing.entries import Entry
from answer_selection.indexing.progress import Progress
from answer_selection.indexing.sources import Sources
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

T = TypeVar("T")


def index_of(
    entries: Iterable[Entry], source: str, folder: Path, progress: Progress, *, encoder: TextEncoder | None = None
) -> TantivyDocumentStore:
    """
    Index a corpus of answers, or take the index that is there.

    :param entries: The answers; not read if there is an index of them.
    :param source: A digest of what the entries come from.
    :param folder: The index's folder.
    :param progress: Shows progress.
    :param encoder: Makes the answers' vectors; None makes an index without any.
    :returns: The store.
    """
    inputs = {"answers": source} | ({} if encoder is None else {"encoder": encoder.record.fingerprint})
    index = Artifact(folder)
    with index.lock(progress):
        if not index.is_made_from(inputs, overwrite=True):
            # What a killed run left, or of other answers.
            shutil.rmtree(folder, ignore_errors=True)
            corpus = folder.with_suffix(".jsonl")
            write_corpus(corpus, entries)
            with progress(f"indexing {folder.name}", None) as bar:
                store = TantivyDocumentStore(path=folder)
                build_index(
                    store, Sources([corpus], require_question=False, strict=True), encoder=encoder, progress=bar
                )
                store.close()
            index.write_record(inputs)
    return TantivyDocumentStore.open(folder)


def mined(mine: Callable[[], T], *made: Path) -> T:
    """
    Mine lists; what was mined from other data before goes.

    :param mine: Mines them, and refuses to where others are there.
    :param made: The files and folders that it makes.
    :returns: What `mine` returns.
    """
    try:
        return mine()
    except FileExistsError:
        for path in made:
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        return mine()


def files_of(lists: Path) -> tuple[Path, Path]:
    """
    Name what mining lists leaves.

    :param lists: The lists' file.
    :returns: It, and its settings.
    """
    return lists, lists.with_name(f"{lists.name}.settings.json")


class ByBM25:
    """
    A hybrid retriever's search by BM25.

    :param retriever: The retriever.
    """

    def __init__(self, retriever: Any) -> None:
        self._retriever = retriever

    def run(self, query: str) -> dict[str, Any]:
        """
        Retrieve by words alone.

        :param query: The question.
        :returns: What the retriever returns.
        """
        found: dict[str, Any] = self._retriever.run_alone("bm25", query)
        return found
