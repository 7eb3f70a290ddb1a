# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Word states of an entry: what each of its words means where it stands, as a ranker compares it with a question's.

A ranker would have to read each candidate to know. Read when the index is made, an entry's words are one string in its
document's metadata: the fingerprint of reader and text, and numbers of the reader's own. A ranker that finds another
reader's, or another text's, reads the text itself.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from answer_selection.indexing.encoder import EncoderRecord, text_fingerprint

WORDS_FIELD: Final = "word_states"
"""The metadata key of a document's word states."""

LONGEST: Final = 50_000
"""Characters of a text that are looked at, at every query: a whole book would take a tenth of a second."""


class ReadEntry(Protocol):
    """A text as it was read."""

    def unit_vector(self) -> NDArray[np.float32]:
        """
        Give the vector of the whole text.

        :returns: The one that the reader's encoder gives it, [dimension].
        """

    def pack(self) -> str:
        """
        Write what was read.

        :returns: What stands in a document's metadata, behind the fingerprint.
        """


class ReadsWords(Protocol):
    """Reads texts word by word."""

    @property
    def encoder(self) -> EncoderRecord:
        """The sentence encoder that it reads with."""

    @property
    def fingerprint(self) -> str:
        """Tells apart readers that read differently."""

    @property
    def most_bytes(self) -> int:
        """The most that a text takes in a document."""

    def read(self, texts: Sequence[str]) -> Sequence[ReadEntry]:
        """
        Read texts.

        :param texts: The texts.
        :returns: What was read of each.
        """


def word_fingerprint(reader: str, text: str) -> str:
    """
    Say who read which text. How words are set apart, by a space or by a new line, makes no difference.

    :param reader: The reader's fingerprint.
    :param text: The text.
    :returns: The reader's fingerprint and a digest of the text.
    """
    return text_fingerprint(reader, " ".join(text[:LONGEST].split()))


def stored_words(meta: Mapping[str, Any], fingerprint: str) -> str | None:
    """
    Find what was read of a text.

    :param meta: A document's metadata.
    :param fingerprint: What :func:`word_fingerprint` says of reader and text.
    :returns: What was packed; None if there is nothing of this reader and text.
    """
    stored = meta.get(WORDS_FIELD)
    if not isinstance(stored, str) or not stored.startswith(f"{fingerprint}:"):
        return None
    return stored[len(fingerprint) + 1 :]


def words_meta(read: ReadEntry, fingerprint: str) -> str:
    """
    Give the metadata of a text that was read.

    :param read: What was read.
    :param fingerprint: What :func:`word_fingerprint` says of reader and text.
    :returns: The value of :data:`WORDS_FIELD`.
    """
    return f"{fingerprint}:{read.pack()}"
