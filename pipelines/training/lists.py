# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Candidate lists of a run: to learn from, and to stop and to choose by."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from answer_selection.indexing.candidates import CandidateList, read_candidates, write_jsonl
from answer_selection.indexing.corpus import Query
from answer_selection.indexing.held_out import split_queries
from answer_selection.indexing.text.sameness import sameness
from answer_selection.pipelines.training.hybrid_settings import HybridSettings


@dataclass(frozen=True, slots=True)
class Lists:
    """
    Files of candidate lists.

    :param train: To learn from.
    :param validation: To stop and to choose by, if there are any.
    :param real: Whether the validation lists are real queries with what the retriever gave for them.
    :param retrieval: How an index with vectors was searched for them; None is BM25 alone, or not known.
    :param given: Whether they are candidates that are given and not retrieved, as the ranker's will be.
    """

    train: Path
    validation: Path | None
    real: bool = False
    retrieval: HybridSettings | None = None
    given: bool = False


def given_lists(candidates: Path, validation: Path | None, folder: Path, *, seed: int = 0) -> Lists:
    """
    Take candidate lists as they are given, into JSON Lines.

    :param candidates: Lists to learn from, in any form that `read_candidates` reads.
    :param validation: Lists to stop and to choose by; without them a tenth of the lists is held out, with
        right answers that no list to learn from has as its right ones.
    :param folder: Where the files are written.
    :param seed: Seed of the split.
    :returns: The files.
    :raises ValueError: If there is no list to learn from.
    """
    if validation is None:
        parts = _split(list(read_candidates(candidates)), seed)
    else:
        parts = {"train": list(read_candidates(candidates)), "validation": list(read_candidates(validation))}
    paths = {name: folder / f"{name}.jsonl" for name, part in parts.items() if part}
    if "train" not in paths:
        msg = f"{candidates}: no candidate list to learn from"
        raise ValueError(msg)
    folder.mkdir(parents=True, exist_ok=True)
    for name, path in paths.items():
        write_jsonl(path, parts[name])
    return Lists(paths["train"], paths.get("validation"), given=True)


def _split(lists: Sequence[CandidateList], seed: int) -> dict[str, list[CandidateList]]:
    # Candidates' ids may be of their list alone, so answers are told by their texts.
    queries = [Query(str(place), one.query, _right_answers(one)) for place, one in enumerate(lists)]
    parts = split_queries([one for one in queries if one.relevant], {}, {"train": 0.9, "validation": 0.1}, seed)
    # Of very few lists none may be held out, or all.
    held_out = {int(query.query_id) for query in parts["validation"] if parts["train"]}
    return {
        "train": [one for place, one in enumerate(lists) if place not in held_out],
        "validation": [one for place, one in enumerate(lists) if place in held_out],
    }


def _right_answers(one: CandidateList) -> tuple[str, ...]:
    return tuple(sameness(candidate.answer).hex() for candidate in one.candidates if candidate.label > 0)
