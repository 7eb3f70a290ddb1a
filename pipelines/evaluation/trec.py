# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""TREC run and qrels files, which `ir_measures` and `trec_eval` read back to the same figures."""

from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import quote

from answer_selection.pipelines.evaluation.metrics import rank_scores

_PLAIN = "!\"#$&'()*+,/:;<=>?@[\\]^`{|}"
_NO_CANDIDATE = "no-relevant-candidate"


def trec_id(identifier: str) -> str:
    """
    Writes an id so that it is one field of a TREC file.

    The fields are separated by white space, which ids of entries may contain. White space, `%` and everything outside
    ASCII are percent-encoded; `urllib.parse.unquote` gives the id back.

    :param identifier: The id.
    :returns: The id as it stands in the file.
    :raises ValueError: If the id is empty.
    """
    if not identifier:
        msg = "an empty id cannot be written to a TREC file"
        raise ValueError(msg)
    return quote(identifier, safe=_PLAIN)


def qrels_lines(query_id: str, relevance: Mapping[str, int]) -> Iterator[str]:
    """
    The lines of a qrels file for one question: query id, 0, candidate id, relevance.

    :param query_id: The question's id.
    :param relevance: Relevance by candidate id. If it is empty, one line names a candidate that does not exist as not
        relevant: without any line, readers would leave the question out of their means.
    :returns: Lines with their newline.
    """
    for candidate_id, label in (relevance or {_NO_CANDIDATE: 0}).items():
        yield f"{trec_id(query_id)} 0 {trec_id(candidate_id)} {label}\n"


def run_lines(query_id: str, ids: Sequence[str], tag: str) -> Iterator[str]:
    """
    The lines of a run file for one question: query id, Q0, candidate id, rank from 1, score, tag.

    The score is the one of `rank_scores`, so that every reader sorts the candidates into the order they are in.

    :param query_id: The question's id.
    :param ids: Candidate ids, best first.
    :param tag: Name of the run.
    :returns: Lines with their newline.
    :raises ValueError: If an id is empty or occurs twice.
    """
    for rank, (candidate_id, score) in enumerate(rank_scores(ids).items(), 1):
        yield f"{trec_id(query_id)} Q0 {trec_id(candidate_id)} {rank} {score:.0f} {trec_id(tag)}\n"
