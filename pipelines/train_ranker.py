# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""From a corpus in an index, or from candidate lists, to a trained model folder with its card."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from answer_selection.indexing.candidates import CandidateList
from answer_selection.indexing.corpus import Query, split_by_entry
from answer_selection.indexing.negatives import mine
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.base import AnswerSelectionModel, Collator
from haystack_integrations.components.retrievers.tantivy import TantivyBM25Retriever
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

Progress = Callable[[int], None]

# Candidates that a validation list holds: what the shipped pipeline's retriever hands to the ranker.
RETRIEVED = 30


@dataclass(frozen=True, slots=True)
class Lists:
    """Files of candidate lists: to learn from, and to stop and choose by."""

    train: Path
    validation: Path | None


def own_questions(store: TantivyDocumentStore) -> Iterator[Query]:
    """
    Give an FAQ's own questions as queries, each with its entry as the relevant one.

    :param store: The FAQ's store.
    :returns: The queries, in the order of writing; entries without a question or an answer are left out.
    """
    for page in store.iter_pages(["id", "content", "meta.question"]):
        for row in page:
            if row["meta.question"] and row["content"]:
                yield Query(row["id"], str(row["meta.question"]), (row["id"],))


def mine_lists(
    store: TantivyDocumentStore,
    folder: Path,
    *,
    queries: Iterable[Query] | None = None,
    validation: Iterable[Query] | None = None,
    validation_part: float = 0.1,
    negatives: int = 50,
    seed: int = 0,
    progress: Callable[[str], Progress] | None = None,
) -> Lists:
    """
    Mine candidate lists from an index.

    Training queries search the answers' text alone, see :mod:`answer_selection.indexing.negatives`. Validation lists are
    what a ranker will see: the first BM25 candidates. For real queries that is the search over all fields of the store;
    where none are given, a part of the training queries is held out, by entry, and these search the answers alone.

    :param store: The corpus's store.
    :param folder: Where the lists are written.
    :param queries: Queries to learn from; the corpus's own questions by default.
    :param validation: Real queries to stop and to choose by, if there are any.
    :param validation_part: The part of the entries whose queries are held out where there are none.
    :param negatives: Negatives a training list: half of them the best-ranked ones, half sampled from the top 1000.
    :param seed: Seed of the sampling and of the split.
    :param progress: Given a description, what to call with the number of queries done.
    :returns: The files.
    :raises ValueError: If there is no query to learn from.
    """
    asked = list(own_questions(store) if queries is None else queries)
    if not asked:
        msg = "no question to learn from: the corpus's entries have none; name queries (queries.jsonl)"
        raise ValueError(msg)
    real = None if validation is None else list(validation)
    if real is None:
        parts = split_by_entry(
            asked,
            lambda query: query.relevant[0],
            {"train": 1 - validation_part, "validation": validation_part},
            seed=seed,
        )
        asked, held_out = parts["train"], parts["validation"]
    else:
        held_out = real
    folder.mkdir(parents=True, exist_ok=True)
    lists = Lists(folder / "train.jsonl", folder / "validation.jsonl")

    def tell(what: str) -> Progress | None:
        return progress(what) if progress else None

    mine(
        store,
        asked,
        output=lists.train,
        negatives=negatives,
        keep_top=negatives // 2,
        seed=seed,
        progress=tell("sampling negatives"),
    )
    fields = {"content": 1.0} if real is None else store.search_fields
    retriever = TantivyBM25Retriever(document_store=store, search_fields=dict(fields))
    mine(
        retriever,
        held_out,
        output=lists.validation or folder,
        mode="retrieved",
        depth=RETRIEVED,
        fields=fields,
        seed=seed,
        progress=tell("retrieving for validation"),
    )
    return lists
