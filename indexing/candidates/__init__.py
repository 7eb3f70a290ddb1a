# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Candidate lists: a query and the answers to be ranked for it, each with its label. The one form of the candidate mode.

Readers for the formats that research data comes in, and one format of our own, JSONL, which mined negatives are
written in. All of them stream: one list at a time. Where a data set's description says how much there is of it, the
readers count, and warn of a difference.
"""

from collections.abc import Iterator
from pathlib import Path

from answer_selection.indexing.candidates.insuranceqa import is_insuranceqa, read_insuranceqa, read_insuranceqa_corpus
from answer_selection.indexing.candidates.jsonl import read_jsonl, write_jsonl
from answer_selection.indexing.candidates.lists import Candidate, CandidateList, CandidateSourceError, text_lines
from answer_selection.indexing.candidates.selqa_json import read_selqa_json
from answer_selection.indexing.candidates.selqa_tsv import read_selqa_tsv
from answer_selection.indexing.candidates.semeval_xml import read_semeval_xml
from answer_selection.indexing.candidates.toks import read_toks
from answer_selection.indexing.candidates.wikiqa_tsv import read_wikiqa_tsv
from answer_selection.indexing.candidates.yahooqa_tsv import read_yahooqa_tsv

__all__ = [
    "Candidate",
    "CandidateList",
    "CandidateSourceError",
    "read_candidates",
    "read_insuranceqa",
    "read_insuranceqa_corpus",
    "read_jsonl",
    "read_selqa_json",
    "read_selqa_tsv",
    "read_semeval_xml",
    "read_toks",
    "read_wikiqa_tsv",
    "read_yahooqa_tsv",
    "write_jsonl",
]


def read_candidates(path: str | Path) -> Iterator[CandidateList]:
    """
    Read candidate lists in any of the formats.

    The name tells which: a folder is ``toks``, ``.xml`` SemEval's, ``.jsonl`` our own, ``.json`` SelQA's, ``.tsv`` (or
    ``.txt``) that begins with ``selqa`` SelQA's too; InsuranceQA's files of questions are known by their own names. Any
    other ``.tsv`` is YahooQA's if its first line has three columns, else WikiQA's. Text may be gzipped (``.gz``).

    :param path: a file or a folder. Where a folder holds several splits, the file of one of them.
    :returns: the lists in the source's order.
    :raises CandidateSourceError: if the format cannot be told, or at the first thing that cannot be read.
    """
    path = Path(path)
    if path.is_dir():
        if splits := sorted(file.name for file in path.iterdir() if is_insuranceqa(file)):
            msg = f"{path}: holds InsuranceQA's splits; expected the file of one of them: {', '.join(splits)}"
            raise CandidateSourceError(msg)
        return read_toks(path)
    if is_insuranceqa(path):
        return read_insuranceqa(path)
    name = Path(path.name.lower().removesuffix(".gz"))
    if name.name.startswith("selqa") and name.suffix in (".tsv", ".txt"):
        return read_selqa_tsv(path)
    if name.suffix == ".tsv":
        _, first = next(text_lines(path), (1, ""))
        return read_yahooqa_tsv(path) if first.count("\t") == 2 else read_wikiqa_tsv(path)
    readers = {".xml": read_semeval_xml, ".jsonl": read_jsonl, ".json": read_selqa_json}
    reader = readers.get(name.suffix)
    if reader is None:
        msg = (
            f"{path}: unknown format; expected a folder with a.toks, a file of InsuranceQA's questions by its name, "
            f"or a file that ends in {', '.join(('.tsv', *readers))}"
        )
        raise CandidateSourceError(msg)
    return reader(path)
