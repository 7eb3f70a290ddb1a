# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Candidate lists: a query and the answers to be ranked for it, each with its label. The one form of the candidate mode.

Readers for the formats that research data comes in, and one format of our own, JSONL, which mined negatives are
written in. All of them stream: one list at a time.
"""

from collections.abc import Iterator
from pathlib import Path

from answer_selection.indexing.candidates.jsonl import read_jsonl, write_jsonl
from answer_selection.indexing.candidates.lists import Candidate, CandidateList, CandidateSourceError
from answer_selection.indexing.candidates.semeval_xml import read_semeval_xml
from answer_selection.indexing.candidates.toks import read_toks
from answer_selection.indexing.candidates.wikiqa_tsv import read_wikiqa_tsv

__all__ = [
    "Candidate",
    "CandidateList",
    "CandidateSourceError",
    "read_candidates",
    "read_jsonl",
    "read_semeval_xml",
    "read_toks",
    "read_wikiqa_tsv",
    "write_jsonl",
]


def read_candidates(path: str | Path) -> Iterator[CandidateList]:
    """
    Read candidate lists in any of the formats.

    The name tells which: a folder is ``toks``, ``.tsv`` WikiQA's, ``.xml`` SemEval's, ``.jsonl`` our own.

    :param path: a file or a folder.
    :returns: the lists in the source's order.
    :raises CandidateSourceError: if the format cannot be told, or at the first thing that cannot be read.
    """
    path = Path(path)
    if path.is_dir():
        return read_toks(path)
    readers = {".tsv": read_wikiqa_tsv, ".xml": read_semeval_xml, ".jsonl": read_jsonl}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        msg = f"{path}: unknown format; expected a folder with a.toks, or a file that ends in {', '.join(readers)}"
        raise CandidateSourceError(msg)
    return reader(path)
