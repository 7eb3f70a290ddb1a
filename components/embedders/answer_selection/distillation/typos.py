# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Slips of the typist, which users' questions have and a corpus's do not."""

import random

# A shorter word is another word after a slip.
_SHORTEST = 4


def misspell(text: str, rng: random.Random) -> str:
    """
    Leave out, swap or repeat a letter inside one word.

    :param text: the text.
    :param rng: what is drawn by.
    :returns: the text with the slip; as it is where the word that is drawn is short.
    """
    words = text.split()
    place = rng.randrange(len(words))
    word = words[place]
    if len(word) < _SHORTEST:
        return text
    at = rng.randrange(1, len(word) - 1)
    slips = (
        word[:at] + word[at + 1 :],
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        word[:at] + word[at] + word[at:],
    )
    words[place] = rng.choice(slips)
    return " ".join(words)
