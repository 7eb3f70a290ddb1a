# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""From a question's text to the query: the one that the integration's retriever makes, only it names the fields."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from textwrap import shorten
from typing import Any

from haystack import logging

from answer_selection.indexing.analysis import TERM
from answer_selection.indexing.text.encodable import encodable

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Question:
    """
    A text that is searched for. It has no syntax: any of its words may match in any of the fields.

    :param text: The text.
    :param words: So many of its different words are searched, the first ones; None leaves the text as it is.
    """

    text: str
    words: int | None = None

    def __post_init__(self) -> None:
        """
        Check the text.

        :raises ValueError: If it is something else.
        """
        if not isinstance(self.text, str):
            msg = f"a query must be a string, got {type(self.text).__name__}: {self.text!r}"
            raise ValueError(msg)

    def query(self, boosts: Mapping[str, float] | None) -> dict[str, Any]:
        """
        Give the query, as Elasticsearch reads it.

        :param boosts: The fields with their boosts; None leaves them to the index.
        :returns: The query.
        """
        text = encodable(self.text)
        if self.words is None:
            return {"bool": {"must": [_any_word(text, boosts)]}}
        counts = Counter(TERM.findall(text))
        by_count: dict[int, list[str]] = {}
        for word in islice(counts, self.words):
            by_count.setdefault(counts[word], []).append(word)
        # A word that stands in the text three times counts three times, as it does in the text itself.
        return {
            "bool": {"should": [_any_word(" ".join(some), boosts, boost=count) for count, some in by_count.items()]}
        }

    def shorter(self, most: int) -> "Question":
        """
        Give a question of fewer words, for a server that took this one for too long.

        Repeated words are joined at first, which changes no score; then the first of the different words are kept.

        :param most: How many words there may be at most.
        :returns: The question.
        """
        words = max(most if self.words is None else self.words // 2, 1)
        if words < (different := len(set(TERM.findall(self.text)))):
            logger.warning(
                "{different} words are too many for the server, only the first {words} are searched: {start}",
                different=different,
                words=words,
                start=shorten(self.text, 80),
            )
        return Question(self.text, words)


def _any_word(text: str, boosts: Mapping[str, float] | None, boost: float = 1.0) -> dict[str, Any]:
    match: dict[str, Any] = {"query": text, "type": "most_fields", "operator": "OR"}
    if boosts is not None:
        match["fields"] = [f"{name}^{weight}" for name, weight in boosts.items()]
    return {"multi_match": match if boost == 1 else {**match, "boost": boost}}
