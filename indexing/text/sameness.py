# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""When two questions, or two answers, are the same one."""

import hashlib

from answer_selection.indexing.text.normalize import normalize, words


def sameness(text: str) -> bytes:
    """
    Tell a text from others that are not the same after normalisation, whatever their punctuation.

    :param text: the text.
    :returns: 16 bytes, equal for texts that are the same.
    """
    text = normalize(text)
    return hashlib.blake2b((" ".join(words(text)) or text).encode(), digest_size=16).digest()
