# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
YahooQA: a split a file, one line of question, answer and label (1 right, 0 wrong) a candidate, without field names.

The source is Tay et al. 2017, "Learning to rank question answer pairs with holographic dual LSTM architecture". A
question there is known by its text alone.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from answer_selection.indexing.candidates.lists import CandidateList, CandidateSourceError, check_count, place
from answer_selection.indexing.candidates.triples import read_triples

_SPLIT = re.compile(r"(?<![a-z])(train|dev|test)(?![a-z])")
# Questions from the GGSA paper, table 1; pairs from the tree aggregation transformer's, table 1. The second are more
# than five a question: some of the lists are longer.
_QUESTIONS = {"train": 50_112, "dev": 6_289, "test": 6_283}
_PAIRS = {"train": 253_440, "dev": 31_680, "test": 31_680}


def read_yahooqa_tsv(path: str | Path) -> Iterator[CandidateList]:
    """
    Stream a file of YahooQA. Which split it is, and so how much there should be, is told by the file's name.

    :param path: the file.
    :returns: one list a question, in the file's order.
    :raises CandidateSourceError: if a line has not three columns, one is empty, a label is neither 0 nor 1, or a
        question's lines do not follow one another; names file, line and field.
    """
    path = Path(path)
    seen: set[str] = set()
    pairs = odd = 0
    for line, candidates in read_triples(path):
        if candidates.query in seen:
            where = place(path, line, "question")
            msg = f"{where}: it comes again after others; expected all lines of a question to follow one another"
            raise CandidateSourceError(msg)
        seen.add(candidates.query)
        labels = [candidate.label for candidate in candidates.candidates]
        pairs += len(labels)
        odd += (len(labels), sum(labels)) != (5, 1)
        yield candidates
    source = "the description of YahooQA"
    check_count(path, "lists of another size than 5 candidates, 1 of them right", odd, 0, source)
    if found := _SPLIT.search(path.name.lower()):
        check_count(path, "questions", len(seen), _QUESTIONS[found[1]], f"{source}'s {found[1]} split")
        check_count(path, "pairs", pairs, _PAIRS[found[1]], f"{source}'s {found[1]} split")
