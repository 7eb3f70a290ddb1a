# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Texts that are made from texts, so that a word is met in a question's place that no question has.

A corpus's few thousand questions use a few thousand words, and an encoder that learns from them alone knows nothing of
the others that users type. The teacher can say what any text means, also one that nobody would write. So content words
of real texts are replaced by words that are drawn from the teacher's vocabulary: the form is a question's, the words
are all there are. Words alone and in pairs are texts as well.
"""

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

# What is replaced: neither digits nor the short words that hold a sentence together.
_WORD = re.compile(r"[^\W\d_]{3,}")
# The most frequent words hold sentences together, too. In a small corpus they may be at most this part of all words.
_COMMON, _COMMON_PART = 250, 0.25
# Copies of a question, which is short and what users type, and the share of its content words that is replaced.
_QUESTION_COPIES, _QUESTION_SHARES = 6, (0.3, 0.6, 1.0)
# Every other one of the other texts has a copy.
_TEXT_PART, _TEXT_SHARES = 0.5, (0.2, 0.5)
# Words are drawn by their place in the vocabulary, as Zipf's law has it, but flatter.
_FLATTENING = 1500


def is_question(text: str) -> bool:
    """
    Tell questions from other texts.

    :param text: the text.
    :returns: whether it ends as a question does.
    """
    return text.rstrip().endswith("?")


def drawn_texts(texts: Sequence[str], vocabulary: Iterable[str], seed: int) -> Iterator[str]:
    """
    Make texts from texts. The same arguments give the same texts.

    :param texts: the texts.
    :param vocabulary: words to draw from, most frequent first; what is no word is left out.
    :param seed: of what is drawn.
    :returns: the words, as many pairs of words, and the copies with drawn words; some may come twice.
    """
    words = [word for word in vocabulary if _WORD.fullmatch(word)]
    if not words:
        return
    rng = random.Random(seed)  # noqa: S311  no secret
    weights = list(accumulate(1 / (place + _FLATTENING) for place in range(len(words))))

    def draw() -> str:
        return rng.choices(words, cum_weights=weights)[0]

    common = _common_words(texts)

    def copy(text: str, share: float) -> str:
        def replaced(match: re.Match[str]) -> str:
            return draw() if match[0].lower() not in common and rng.random() < share else match[0]

        return _WORD.sub(replaced, text)

    yield from words
    for _ in words:
        yield f"{draw()} {draw()}"
    for text in texts:
        if is_question(text):
            for _ in range(_QUESTION_COPIES):
                yield copy(text, rng.choice(_QUESTION_SHARES))
        elif rng.random() < _TEXT_PART:
            yield copy(text, rng.choice(_TEXT_SHARES))


def _common_words(texts: Iterable[str]) -> set[str]:
    counts = Counter(word.lower() for text in texts for word in _WORD.findall(text))
    return {word for word, _ in counts.most_common(min(_COMMON, int(_COMMON_PART * len(counts))))}
