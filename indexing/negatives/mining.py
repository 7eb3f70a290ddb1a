# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Mining candidate lists from a corpus's own index.

Only the answers' text is searched by default: when an FAQ's own questions are the queries, an index that is searched
over those questions too gives the answer away.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Final

from answer_selection.indexing.batched import batched
from answer_selection.indexing.candidates.jsonl import list_to_dict
from answer_selection.indexing.corpus import Query
from answer_selection.indexing.corpus_index import CorpusIndex
from answer_selection.indexing.negatives.answers import AnswerTable
from answer_selection.indexing.negatives.hits import READ, open_source
from answer_selection.indexing.negatives.hybrid import HybridSearch
from answer_selection.indexing.negatives.lists_file import AskedQueries, ListsFile
from answer_selection.indexing.negatives.plan import ANSWER_TEXT_ALONE, Mode, SamplingPlan
from answer_selection.indexing.negatives.report import Counts, MiningReport
from answer_selection.indexing.negatives.sampling import Sampler

_QUERIES_AT_ONCE: Final = 256


def mine(
    store: CorpusIndex,
    queries: Iterable[Query],
    *,
    output: Path,
    depth: int = 1000,
    negatives: int = 15,
    seed: int = 0,
    fields: Mapping[str, float] = ANSWER_TEXT_ALONE,
    mode: Mode = "uniform",
    keep_top: int = 0,
    longest: int | None = None,
    held_out: Collection[str] = (),
    hybrid: HybridSearch | None = None,
    overwrite: bool = False,
    progress: Callable[[int], None] | None = None,
) -> MiningReport:
    """
    Write one candidate list a query, from the corpus's own index.

    The relevant entries (an FAQ question's own entry is one) are never negatives; nor are other entries whose own
    question is the query, nor answers that are equal to a relevant one after normalisation; nor are two negatives of a
    list equal. A list holds all relevant answers, whether retrieved or not, and its order is random. A query whose
    search finds fewer admissible negatives gets those; one that gets none, or has no relevant entry, is left out (all
    are counted).

    A candidate keeps its document's `parse_tree`, if that is its answer's.

    Lists stream to ``<output>.part``, which becomes ``output`` at the end. A killed run goes on where it was when it is
    called again with the same arguments, and ends with the same bytes; a finished one is left as it is. What it was
    made with, and its digest, stays in ``<output>.settings.json``. Memory grows neither with the corpus nor with the
    queries.

    :param store: the index.
    :param queries: the queries with the ids of their relevant entries.
    :param output: where the candidate lists are written, in the JSON Lines form that ``read_jsonl`` reads.
    :param depth: how many of the best answers to sample from.
    :param negatives: how many negatives a list gets.
    :param seed: the same seed gives the same lists, whatever the queries' order.
    :param fields: what is searched, with boosts. Think twice before adding "question" where queries are the corpus's
        own questions.
    :param mode: "uniform" over the top `depth` (YahooQA's way); "random", of `depth` entries that are drawn from the
        whole index; or "retrieved": the top `depth` answers themselves in their order, as a ranker behind this search
        would see them, relevant or not, with their scores. Left out are those that are never negatives, as told above:
        entries that are not relevant although their own question is the query, or their answer equal to a relevant
        one. There the relevant are in only if they were found, `negatives` and `keep_top` mean nothing, and no query
        is left out.
    :param keep_top: so many of the negatives are the best-ranked ones, whatever the mode.
    :param longest: with the mode "retrieved": a list ends after so many candidates; None is all of the top `depth`.
    :param held_out: ids of entries that are kept apart. A query that only these answer gets candidates of these alone;
        any other query gets none of them.
    :param hybrid: how an index with vectors is searched by them too. Candidates then have both scores in their
        metadata, `bm25_score` and `vector_score`. None is BM25 alone.
    :param overwrite: whether to start anew where there is something else under that name.
    :param progress: called with the number of queries done.
    :returns: what came out.
    :raises ValueError: if a query has a relevant entry that is not in the store (unless mode is "retrieved"), if an
        interrupted run's file has other queries, or if an argument is out of its range.
    :raises FileExistsError: if `output` is there from other settings or queries, or was cut off or changed since.
    """
    plan = SamplingPlan(mode, depth, negatives, keep_top, seed, dict(fields), longest=longest)
    # Looked up for every hit.
    apart = frozenset(held_out)
    return mine_as_planned(
        store, queries, plan, Path(output), held_out=apart, hybrid=hybrid, overwrite=overwrite, progress=progress
    )


def mine_as_planned(
    store: CorpusIndex,
    queries: Iterable[Query],
    plan: SamplingPlan,
    output: Path,
    *,
    held_out: Collection[str] = (),
    hybrid: HybridSearch | None = None,
    overwrite: bool,
    progress: Callable[[int], None] | None,
) -> MiningReport:
    """
    Write one candidate list a query.

    :param store: the index.
    :param queries: the queries.
    :param plan: how to sample.
    :param output: where the lists are written.
    :param held_out: ids of entries that are kept apart.
    :param hybrid: how an index with vectors is searched by them too.
    :param overwrite: whether to start anew where there is something else under that name.
    :param progress: called with the number of queries done.
    :returns: what came out.
    """
    of_index = {"documents": store.count_documents(), "texts": _digest_of_texts(store)}
    settings = asdict(plan) | of_index | {"held_out": _digest_of(held_out)}
    settings |= {} if hybrid is None else hybrid.settings()
    output.parent.mkdir(parents=True, exist_ok=True)
    lists, asked, counts = ListsFile(output, settings), AskedQueries(queries), Counts(plan)
    if report := lists.finished(asked, overwrite=overwrite):
        return report
    waiting = iter(asked)
    with (
        closing(AnswerTable(output.with_name(f"{output.name}.answers.sqlite"))) as answers,
        lists.begun(waiting, counts) as file,
    ):
        sampler, source = Sampler(answers, plan, held_out), open_source(store, answers, plan, hybrid)
        if progress:
            progress(counts.queries)
        for some in batched(waiting, _QUERIES_AT_ONCE):
            for query, hits in zip(some, source.hits(some), strict=True):
                candidates = sampler.candidates(query, hits)
                if candidates is not None and hybrid is not None:
                    candidates = hybrid.complete(candidates)
                counts.add(None if candidates is None else [each.label for each in candidates.candidates])
                if candidates is not None:
                    file.write((json.dumps(list_to_dict(candidates), ensure_ascii=False) + "\n").encode())
                if progress:
                    progress(counts.queries)
            file.flush()
    report = counts.report()
    lists.finish(asked, report)
    return report


def _digest_of_texts(store: CorpusIndex) -> str:
    """Tells whether lists are of the index as it is: which documents it has, and what they say."""
    digest = hashlib.sha256()
    for page in store.iter_pages(READ):
        for row in page:
            digest.update(json.dumps([row[field] for field in READ]).encode())
    return digest.hexdigest()[:12]


def _digest_of(held_out: Collection[str]) -> str | None:
    return hashlib.sha256("\n".join(sorted(held_out)).encode()).hexdigest() if held_out else None
