# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What makes parse trees: a parser, behind one interface."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence


class ParserError(OSError):
    """A text could not be parsed; the message names the parser and the text, and what to do."""


class UnparsableError(ParserError):
    """It is for the text that it could not be parsed: others still can."""


class ParserBackend(ABC):
    """
    A parser of whole texts.

    Its trees are as :mod:`text.tree` has them: one line of brackets as in the Penn Treebank, a ROOT with its sentences
    as children, and the text's own words as leaves.
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """Tells its trees from those of others: a cache keeps them under this name."""

    @abstractmethod
    def stream(self, texts: Iterable[str]) -> Iterator[tuple[str, str]]:
        """
        Parse texts, and give each as soon as it is parsed.

        :param texts: The texts.
        :returns: Texts with their trees, in any order.
        :raises ParserError: If one cannot be parsed, after all that could be were given.
        """

    def parse(self, texts: Sequence[str]) -> list[str]:
        """
        Parse texts.

        :param texts: The texts.
        :returns: Their trees.
        :raises ParserError: If one cannot be parsed.
        """
        trees = dict(self.stream(dict.fromkeys(texts)))
        return [trees[text] for text in texts]
