# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
A question's misspelt words, as its candidates spell them.

"libary" has no word in common with an answer about the library, and means nothing to an encoder. Yet other words of the
question have found candidates, and these are about what was meant. So a word that nobody knows is read as the one of
the candidates' words that a slip of the finger makes of it. Only few words are compared, so that a right word is hardly
ever taken for another.
"""

from collections import Counter
from collections.abc import Container, Sequence
from typing import Final

import regex

from answer_selection.indexing.text.misspelling import best_meant, doubtful_words, is_one_slip, respell

_WORD: Final = regex.compile(r"\p{L}+")


def respelt(query: str, answers: Sequence[str], known: Container[str]) -> str:
    """
    Spell a question as its candidates do.

    A word that is neither known nor in a candidate is read as a candidate's word that one slip makes of it. Of several
    such words, one with the same letters is taken, then the one that most candidates have.

    :param query: The question.
    :param answers: The candidates' texts.
    :param known: The words that are spelt rightly, in small letters.
    :returns: The question; the same string if no word is misspelt.
    """
    unknown = doubtful_words(query, known.__contains__)
    if not unknown:
        return query
    counts = Counter(word for answer in answers for word in set(_WORD.findall(answer.lower())))
    meant = {word: _meant(word.lower(), counts) for word in unknown if word.lower() not in counts}
    return respell(query, {word: other for word, other in meant.items() if other is not None})


def _meant(word: str, counts: Counter[str]) -> str | None:
    return best_meant(word, (other for other in counts if is_one_slip(word, other)), counts)
