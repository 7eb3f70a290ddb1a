# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The interface of a corpus's index that mining, training, adapting and encoding use, whichever engine holds it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from answer_selection.indexing.encoder import EncoderRecord
from answer_selection.indexing.fusion import ScoredByBoth


class DocumentUpdate(NamedTuple):
    """
    What is new in a document that is there.

    :param id: the document's id.
    :param embedding: its new embedding; None leaves that as it is.
    :param meta: metadata that are new, beside those that it has.
    """

    id: str
    embedding: Sequence[float] | None
    meta: Mapping[str, Any]


class CorpusIndex(Protocol):
    """An index that answers many queries at once and pages through itself; both stores of this package are one."""

    @property
    def label(self) -> str:
        """A short name of it, for model cards."""
        ...

    @property
    def location(self) -> str:
        """Where it is, for model cards."""
        ...

    @property
    def search_fields(self) -> Mapping[str, float]:
        """The fields that are searched, with their boosts, unless a search says otherwise."""
        ...

    @property
    def encoder(self) -> EncoderRecord | None:
        """Which encoder made its vectors; None if it has none, or nobody said of which they are."""
        ...

    @property
    def has_passages(self) -> bool:
        """Whether its documents have vectors of their passages too."""
        ...

    def count_documents(self) -> int:
        """Count the documents."""
        ...

    def search_ids(
        self, queries: Sequence[str], top_k: int, fields: Mapping[str, float] | None = None
    ) -> Iterator[list[str]]:
        """Give the best documents' ids, one list a query, best first."""
        ...

    def search_scored(
        self, queries: Sequence[str], top_k: int, fields: Mapping[str, float] | None = None
    ) -> Iterator[list[tuple[str, float]]]:
        """Give the same with their scores."""
        ...

    def search_hybrid(
        self,
        queries: Sequence[str],
        query_embeddings: Sequence[Sequence[float]],
        top_k: int,
        fields: Mapping[str, float] | None = None,
        *,
        weight: float | None = None,
    ) -> Iterator[list[ScoredByBoth[str]]]:
        """Give the best documents by BM25 and by vectors with both scores. Only an index that has an encoder can."""
        ...

    def iter_pages(self, fields: Sequence[str], page_size: int = 1000) -> Iterator[list[dict[str, Any]]]:
        """
        Go through all documents in an order that is always the same, a page at a time.

        The fields are "id", "content", "meta" (all metadata), or "meta.<key>".
        """
        ...

    def update_documents(self, updates: Iterable[DocumentUpdate]) -> None:
        """Bring documents up to date, reading the updates as they are written; those that are gone are passed over."""
        ...
