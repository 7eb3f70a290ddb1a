# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Candidate lists mined from an index: to learn from, and to stop and to choose by."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from answer_selection.indexing.corpus import Query
from answer_selection.indexing.corpus_index import CorpusIndex
from answer_selection.indexing.encoder import TextEncoder
from answer_selection.indexing.negatives import ANSWER_TEXT_ALONE, HybridSearch, mine
from answer_selection.indexing.progress import Progress
from answer_selection.pipelines.training.hybrid_settings import choose_hybrid_settings
from answer_selection.pipelines.training.lists import Lists
from answer_selection.pipelines.training.questions import split_questions
from answer_selection.pipelines.training.teacher_questions import new_questions, with_unlabelled

# Candidates in a validation list: what the shipped pipelines' retriever hands to the ranker.
RETRIEVED = 30
# As deep is searched for them where only some of the entries may be among them.
SEARCHED = 1000


def mine_lists(
    index: CorpusIndex,
    folder: Path,
    progress: Progress,
    *,
    queries: Iterable[Query] | None = None,
    validation: Iterable[Query] | None = None,
    negatives: int = 50,
    keep_top: int = 25,
    seed: int = 0,
    encoder: TextEncoder | None = None,
    unlabelled: Sequence[Query] = (),
) -> Lists:
    """
    Mine candidate lists from an index. Done again with the same arguments, what is there is used.

    Where no validation queries are given, a part of the training queries is held out. No question and no answer is in
    both parts. The answers of held-out queries, and as large a part of the entries that no query asks for, are neither
    positives nor negatives of training. A held-out query's candidates are of these entries alone, so that none of its
    list was ever learned from.

    Validation queries that are given are treated alike if their answers are no training query's. If these are learned
    from, as those of an FAQ are whose own questions are the training queries, so is everything beside them, and the
    whole index is searched.

    Validation queries that are given, and held-out ones that most are not an entry's own question, search what the
    deployed retriever searches. The entries' own questions search the answers alone: they would find themselves.

    With an encoder the index is searched by BM25 and by vectors, and candidates keep both scores. Queries to learn from
    that are not the entries' own questions then search what the deployed retriever searches, so that these scores are
    those that a ranker will see. Real validation queries choose how much vectors and questions count in this search.

    :param index: The corpus's index.
    :param folder: Where the lists are written.
    :param progress: Shows progress.
    :param queries: Queries to learn from; the corpus's own questions by default.
    :param validation: Real queries to stop and to choose by, if there are any.
    :param negatives: Negatives a training list.
    :param keep_top: So many of them are the best-ranked ones, the others are sampled from the top 1000.
    :param seed: Seed of the sampling and of the split.
    :param encoder: What made the index's vectors; None searches by BM25 alone.
    :param unlabelled: Further questions, for a teacher to rank what the deployed retriever finds for them. None of the
        entries that are held out is among that.
    :returns: The files.
    :raises ValueError: If there is no query to learn from, or no unlabelled one that is new.
    """
    questions = split_questions(index, queries=queries, validation=validation, seed=seed)
    own, real, held_out = questions.own, questions.real, questions.held_out
    # A question that nothing answers tells no ranking from another.
    answered = [query for query in questions.validation if query.relevant]
    train_lists, validation_lists = folder / "train.jsonl", folder / "validation.jsonl"
    retrieval, deployed = None, index.search_fields
    if encoder is not None:
        with progress("choosing the weights of hybrid retrieval", None):
            chooses = answered if real else []
            retrieval = choose_hybrid_settings(index, encoder, chooses, RETRIEVED)
        deployed = retrieval.fields

    def hybrid(*, own_questions: bool) -> HybridSearch | None:
        if encoder is None or retrieval is None:
            return None
        return HybridSearch(encoder, retrieval.weight, own_questions, index.has_passages)

    mine_training(
        index,
        questions.learned,
        train_lists,
        progress,
        negatives=negatives,
        keep_top=keep_top,
        seed=seed,
        held_out=held_out,
        fields=ANSWER_TEXT_ALONE if own or encoder is None else deployed,
        hybrid=hybrid(own_questions=own),
    )
    if unlabelled:
        mine_retrieved(
            index,
            new_questions(unlabelled, [*questions.learned, *questions.validation]),
            folder / "unlabelled.jsonl",
            progress,
            what="retrieving for the teacher",
            fields=deployed,
            held_out=held_out,
            hybrid=hybrid(own_questions=False),
        )
        train_lists = with_unlabelled(train_lists, folder / "unlabelled.jsonl", folder / "with_unlabelled.jsonl")
    if not answered:
        return Lists(train_lists, None, retrieval=retrieval)
    mine_retrieved(
        index,
        answered,
        validation_lists,
        progress,
        what="retrieving for validation",
        fields=deployed if real else ANSWER_TEXT_ALONE,
        held_out=held_out,
        hybrid=hybrid(own_questions=not real),
    )
    return Lists(train_lists, validation_lists, real, retrieval)


def mine_training(
    index: CorpusIndex,
    queries: list[Query],
    output: Path,
    progress: Progress,
    *,
    negatives: int,
    keep_top: int,
    seed: int = 0,
    held_out: Collection[str] = (),
    fields: Mapping[str, float] = ANSWER_TEXT_ALONE,
    hybrid: HybridSearch | None = None,
) -> None:
    """
    Mine lists to learn from. The search reads the answers' text alone, unless it is told otherwise.

    :param index: The index.
    :param queries: The queries.
    :param output: The lists' file.
    :param progress: Shows progress.
    :param negatives: Negatives a list.
    :param keep_top: So many of them are the best-ranked ones, the others are sampled from the top 1000.
    :param seed: Seed of the sampling.
    :param held_out: Ids of entries that are kept apart.
    :param fields: What is searched, with boosts.
    :param hybrid: How an index with vectors is searched by them too.
    """
    with progress("sampling negatives", len(queries)) as bar:
        mine(
            index,
            queries,
            output=output,
            negatives=negatives,
            keep_top=keep_top,
            seed=seed,
            fields=fields,
            held_out=held_out,
            hybrid=hybrid,
            progress=bar,
        )
    if not output.stat().st_size:
        msg = "nothing to learn from: the corpus needs at least two different answers, and a question to one of them"
        raise ValueError(msg)


def mine_retrieved(
    index: CorpusIndex,
    queries: list[Query],
    output: Path,
    progress: Progress,
    *,
    what: str = "retrieving for validation",
    fields: Mapping[str, float],
    held_out: Collection[str] = (),
    hybrid: HybridSearch | None = None,
) -> None:
    """
    Mine lists of what a ranker will see, the retriever's first candidates: to stop and to choose by, or for a teacher.

    :param index: The index.
    :param queries: The queries.
    :param output: The lists' file.
    :param progress: Shows progress.
    :param what: What it is called there.
    :param fields: What is searched, with boosts.
    :param held_out: Ids of entries that are kept apart. A list then has the first candidates among these, or among the
        others, of the top 1000.
    :param hybrid: How an index with vectors is searched by them too.
    """
    with progress(what, len(queries)) as bar:
        mine(
            index,
            queries,
            output=output,
            mode="retrieved",
            depth=SEARCHED if held_out else RETRIEVED,
            longest=RETRIEVED,
            fields=fields,
            held_out=held_out,
            hybrid=hybrid,
            progress=bar,
        )
