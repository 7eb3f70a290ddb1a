# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Indexes of data sets' corpora, made once."""

import shutil
from collections.abc import Iterable
from pathlib import Path

from answer_selection.indexing.corpus import write_corpus
from answer_selection.indexing.entries import Entry
from answer_selection.indexing.sources import Sources
from answer_selection.pipelines.build_index import build_index
from answer_selection.pipelines.made_from import is_made, note
from answer_selection.pipelines.train_ranker import Progress
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore


def index_of(entries: Iterable[Entry], source: str, folder: Path, progress: Progress) -> TantivyDocumentStore:
    """
    Index a corpus of answers, or take the index that is there.

    :param entries: The answers; not read if there is an index of them.
    :param source: A digest of what the entries come from.
    :param folder: The index's folder.
    :param progress: Shows progress.
    :returns: The store.
    :raises FileExistsError: If the index there is one of other answers.
    """
    made_from = {"answers": source}
    if not is_made(folder, made_from):
        # Without a note it is what a killed run left.
        shutil.rmtree(folder, ignore_errors=True)
        folder.parent.mkdir(parents=True, exist_ok=True)
        corpus = folder.with_suffix(".jsonl")
        write_corpus(corpus, entries)
        with progress(f"indexing {folder.name}", None) as bar:
            store = TantivyDocumentStore(path=folder)
            build_index(store, Sources([corpus], require_question=False, strict=True), progress=bar)
            store.close()
        note(folder, made_from)
    return TantivyDocumentStore.open(folder)
