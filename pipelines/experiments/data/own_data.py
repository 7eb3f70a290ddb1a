# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Data of one's own that an experiment learns from first: candidate lists, or a corpus with its queries."""

from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Final

from answer_selection.indexing.artifact import digest
from answer_selection.indexing.corpus import Query, iter_corpus, iter_queries
from answer_selection.indexing.progress import Progress
from answer_selection.pipelines.experiments.data.corpora import index_of, mined
from answer_selection.pipelines.training.lists import Lists, given_lists
from answer_selection.pipelines.training.mining import mine_lists
from answer_selection.pipelines.training.recipe import Recipe
from answer_selection.pipelines.training.texts import Texts, corpus_texts, list_texts
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

CORPUS: Final = "corpus.jsonl"
QUERIES: Final = "queries.jsonl"


class OwnData:
    """
    Lists to learn from. A tenth of them, or of the corpus's entries with their questions, is held out to stop by.

    :param path: Candidate lists in any form that `read_candidates` reads; or a folder with ``corpus.jsonl`` and, unless
        its entries bring their questions along, ``queries.jsonl``.
    :param work: Where what is made of it goes.
    """

    licence = "not stated"

    def __init__(self, path: Path, work: Path) -> None:
        self.path, self.name, self.source = path, path.name, str(path)
        self.work = work / "own-data" / sha256(str(path.resolve()).encode()).hexdigest()[:16]

    def lists(self, recipe: Recipe, progress: Progress) -> Lists:
        """
        Make the lists to learn from and to stop by.

        :param recipe: Says how negatives are mined, where they are.
        :param progress: Shows progress.
        :returns: Their files.
        :raises ValueError: If there is nothing to learn from.
        """
        if self._is_corpus:
            store = self._index(progress)
            folder = store.path.parent / f"lists-{recipe.negatives}-{recipe.keep_top}"
            mine = partial(
                mine_lists,
                store,
                folder,
                progress,
                queries=self._queries(),
                negatives=recipe.negatives,
                keep_top=recipe.keep_top,
            )
            lists = mined(mine, folder)
            store.close()
            return lists
        if self.path.is_dir() and not (self.path / "a.toks").exists():
            msg = f"{self.path}: expected {CORPUS} in it, with {QUERIES} beside it, or candidate lists (a.toks, …)"
            raise ValueError(msg)
        return given_lists(self.path, None, self.work)

    def texts(self, progress: Progress) -> Texts:
        """
        Give the texts that may be learned from.

        :param progress: Shows progress.
        :returns: A function that streams them at each call anew.
        """
        if self._is_corpus:
            return corpus_texts(self._index(progress), self._queries() or ())
        return list_texts(self.path)

    @property
    def _is_corpus(self) -> bool:
        return (self.path / CORPUS).is_file()

    def _index(self, progress: Progress) -> TantivyDocumentStore:
        corpus, queries = self.path / CORPUS, self.path / QUERIES
        # Lists remember their queries, but not what was indexed: what is made of other files has a folder of its own.
        known = "".join(digest(path) for path in (corpus, queries) if path.is_file())
        folder = self.work / sha256(known.encode()).hexdigest()[:16]
        return index_of(iter_corpus(corpus), digest(corpus), folder / "index", progress)

    def _queries(self) -> list[Query] | None:
        queries = self.path / QUERIES
        return list(iter_queries(queries)) if queries.is_file() else None
