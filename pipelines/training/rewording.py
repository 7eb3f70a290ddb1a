# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Asking again in other words, so that a model learns to find answers that share few words with the question.

Where questions were written with the answer in view, as most training data were, a right answer has the question's
words, and a model learns to count them. People ask in words of their own. So every list comes a second time, with a
part of the question's content words replaced by words whose vectors are near ("buy" by "purchase"): synonym replacement
(Zhang, Zhao and LeCun 2015, "Character-level convolutional networks for text classification", section 2.4), with the
model's own word vectors in place of a thesaurus.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from answer_selection.indexing.candidates import CandidateList, read_jsonl, write_jsonl
from answer_selection.indexing.progress import Progress
from answer_selection.indexing.text.normalize import normalize, words
from haystack_integrations.components.rankers.answer_selection.models.known_words import KnownWords

NEAR: Final = 0.66
"""The least cosine of two words' vectors that may stand for each other."""

MARK: Final = " reworded"
"""What the `query_id` of a list that was reworded ends with."""

# Words looked at for each, nearest first.
_LOOKED_AT: Final = 15
# Words that begin with the same so many letters are mostly forms of one word, which stems find anyway.
_BEGINNING: Final = 4


class Rewording:
    """
    Says questions in other words.

    :param known: the words that stand for each other.
    :param share: the part of the content words that is replaced, where another word is near enough.
    :param seed: seed of what is drawn.
    """

    def __init__(self, known: KnownWords, share: float, seed: int) -> None:
        lengths = np.linalg.norm(known.vectors, axis=1, keepdims=True)
        self._vectors = known.vectors / np.maximum(lengths, np.finfo(np.float32).tiny)
        self._vocabulary = known.words
        self._rows = {
            word: row
            for row, word in enumerate(known.words)
            if len(word) > 2 and word.isalpha() and word not in known.stop_words
        }
        self._share = share
        self._random = np.random.default_rng(seed)
        self._near: dict[str, list[str]] = {}

    def near(self, word: str) -> list[str]:
        """
        Find words for another.

        :param word: the word.
        :returns: words that may stand for it, the nearest first; none for one that is not known, or is not replaced.
        """
        if word not in self._rows:
            return []
        if word not in self._near:
            cosines = self._vectors @ self._vectors[self._rows[word]]
            best = np.argsort(-cosines, kind="stable")[:_LOOKED_AT]
            found = [self._vocabulary[row] for row in best if cosines[row] > NEAR]
            self._near[word] = [other for other in found if other in self._rows and not _alike(word, other)]
        return self._near[word]

    def reword(self, words_asked: Sequence[str]) -> list[str] | None:
        """
        Say a question in other words.

        :param words_asked: the question's words.
        :returns: the same with some of them replaced; None if none was.
        """
        reworded = []
        for word in words_asked:
            others = self.near(word)
            replaced = others and self._random.random() < self._share
            reworded.append(str(self._random.choice(others)) if replaced else word)
        return None if reworded == list(words_asked) else reworded


def reworded_lists(lists: Path, output: Path, known: KnownWords, share: float, seed: int, progress: Progress) -> Path:
    """
    Write lists together with a reworded copy of each.

    :param lists: the lists to learn from.
    :param output: where they are written. Written again with the same arguments, the file is the same.
    :param known: the words of the model that is to learn.
    :param share: the part of the questions' content words that is replaced.
    :param seed: seed of what is drawn.
    :param progress: shows progress.
    :returns: the file.
    """
    rewording = Rewording(known, share, seed)

    def both() -> Iterator[CandidateList]:
        with progress("saying the questions in other words", None) as bar:
            for place, one in enumerate(read_jsonl(lists)):
                yield one
                if reworded := rewording.reword(words(normalize(one.query, known.rules))):
                    # It means the same, so retrieval's cosines stand.
                    yield replace(one, query_id=one.query_id + MARK, query=" ".join(reworded))
                bar(place + 1)

    output.parent.mkdir(parents=True, exist_ok=True)
    write_jsonl(output, both())
    return output


def _alike(word: str, other: str) -> bool:
    return word[:_BEGINNING] in other or word.startswith(other[:_BEGINNING])
