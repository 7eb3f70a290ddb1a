# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Measuring a ranking: a pipeline over a corpus end to end, or a ranker over given candidate lists."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import yaml

from answer_selection.indexing.candidates import CandidateList
from answer_selection.indexing.corpus import Query, iter_queries
from answer_selection.indexing.progress import Progress, tracked
from answer_selection.pipelines.definitions import pipeline_yaml
from answer_selection.pipelines.evaluation.candidate_mode import rank_candidates
from answer_selection.pipelines.evaluation.end_to_end import run_pipeline
from answer_selection.pipelines.evaluation.hybrid_rows import compared_rows
from answer_selection.pipelines.evaluation.known_entries import check_entries
from answer_selection.pipelines.evaluation.policies import Policy
from answer_selection.pipelines.evaluation.report import Report, evaluate
from haystack_integrations.components.rankers.answer_selection import BM25Ranker

PIPELINE = "pipeline.yaml"


def evaluate_end_to_end(
    definition: dict[str, Any],
    queries: Path,
    output: Path,
    progress: Progress,
    *,
    policy: Policy = Policy.WITH_RELEVANT,
    seed: int = 0,
    overwrite: bool = False,
    description: str = "asking",
) -> Report:
    """
    Ask a pipeline every query, and report every stage of it that yields documents.

    Its rankers return all candidates, so that ranker and retriever are compared to the same depth. The pipeline is
    written beside the results as it was given: it can be deployed as it is.

    :param definition: The pipeline's definition, as `pipeline_yaml.read` or `pipeline_yaml.point_at` gives it.
    :param queries: The queries' file.
    :param output: Folder of the results.
    :param progress: Shows progress.
    :param policy: Which queries count.
    :param seed: Seed of the randomisation test and the bootstrap.
    :param overwrite: Whether an earlier report in the folder may be replaced.
    :param description: What the progress bar says.
    :returns: The report.
    :raises ValueError: If an entry that answers a query is not in the index.
    """
    asked: list[Query] = list(iter_queries(queries))
    if not asked:
        msg = f"{queries}: there are no questions in it"
        raise ValueError(msg)
    # What is wrong with index or model is said at once, and leaves no half of a report behind.
    pipeline_yaml.check_indexes(definition)
    pipeline = pipeline_yaml.load(pipeline_yaml.rank_all(definition))
    try:
        pipeline.warm_up()
        check_entries(pipeline, asked, str(queries))
        results = tracked(run_pipeline(pipeline, asked), progress, description, len(asked))
        report = evaluate(
            results,
            output,
            policy=policy,
            compared=compared_rows,
            seed=seed,
            overwrite=overwrite,
            settings={"mode": "end to end", "queries": str(queries), "pipeline": PIPELINE},
        )
    finally:
        pipeline.close()
    (output / PIPELINE).write_text(yaml.safe_dump(definition, sort_keys=False, allow_unicode=True), encoding="utf-8")
    return report


def evaluate_candidates(
    ranker: Any,
    lists: Sequence[CandidateList],
    output: Path,
    progress: Progress,
    *,
    name: str,
    policy: Policy = Policy.WITH_RELEVANT,
    seed: int = 0,
    overwrite: bool = False,
    settings: dict[str, Any] | None = None,
) -> Report:
    """
    Rank given candidates by BM25, as the papers' baseline does, and by a ranker.

    :param ranker: The ranker component.
    :param lists: The candidate lists. BM25's idf is that of all their answers.
    :param output: Folder of the results.
    :param progress: Shows progress.
    :param name: The ranker's name in the report.
    :param policy: Which questions count.
    :param seed: Seed of the shuffling, the randomisation test and the bootstrap.
    :param overwrite: Whether an earlier report in the folder may be replaced.
    :param settings: What else belongs into the results: data and model.
    :returns: The report.
    """
    if hasattr(ranker, "warm_up"):
        # A model that cannot be read is said before anything is written.
        ranker.warm_up()
    if not any(one.candidates for one in lists):
        msg = "the lists have no candidates: there is nothing to rank"
        raise ValueError(msg)
    bm25 = BM25Ranker().fit(_answers(lists))
    results = tracked(
        rank_candidates({"BM25": bm25, name: ranker}, lists, seed=seed), progress, f"ranking by {name}", len(lists)
    )
    return evaluate(
        results,
        output,
        policy=policy,
        seed=seed,
        overwrite=overwrite,
        settings={"mode": "candidates", **(settings or {})},
    )


def _answers(lists: Iterable[CandidateList]) -> Iterable[str]:
    return list(dict.fromkeys(candidate.answer for candidates in lists for candidate in candidates.candidates))
