# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Candidates that hybrid retrieval did not find: texts that were given, or what another retriever found.

They lack its two scores, so they get them here: BM25 among them, and their cosines by the package's sentence encoder. A
model alone is at times behind BM25 where answers share the question's words, and knows less of what words mean than an
encoder.
"""

import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from haystack.utils import ComponentDevice

from haystack_integrations.components.rankers.answer_selection.bm25 import BM25Ranker
from haystack_integrations.components.rankers.answer_selection.models.record import Record
from haystack_integrations.components.rankers.answer_selection.signals import LONGEST, SCORES
from haystack_integrations.components.rankers.answer_selection.text_cache import TextCache

if TYPE_CHECKING:
    from torch import Tensor

    from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder

# One for all, not an attribute: what has this has to stay copyable, and loading is rare.
_LOADING = threading.Lock()


class GivenCandidates:
    """BM25 over one query's candidates, and their cosines by the package's sentence encoder."""

    def __init__(self, device: ComponentDevice | None, most_bytes: int) -> None:
        """
        Creates it; the encoder is loaded by the first query.

        :param device: Where the encoder runs. None is the first accelerator that is there, else the CPU.
        :param most_bytes: How much memory the vectors of texts may take that are kept for another query.
        """
        self._device = device
        self._bm25 = BM25Ranker()
        self._vectors: TextCache[Tensor] = TextCache(most_bytes)
        self._encoder: SentenceEncoder | None = None

    def complete(self, records: Sequence[Record]) -> list[Record]:
        """
        Give candidates what hybrid retrieval would know of them.

        Of each text the beginning is read (`signals.LONGEST`). A blank answer has no meaning that a vector could hold:
        its cosine is the lowest of all.

        :param records: One query with each of its candidates.
        :returns: The same, with both `signals.SCORES` in their metadata.
        """
        read = [replace(one, query=one.query[:LONGEST], answer=one.answer[:LONGEST]) for one in records]
        query, *answers = self._encode([read[0].query, *(one.answer for one in read)])
        cosines = [float(query @ answer) for answer in answers]
        lowest = min(cosines)
        found = [cosine if one.answer.strip() else lowest for one, cosine in zip(read, cosines, strict=True)]
        scores = zip(self._bm25.score_pairs(read).tolist(), found, strict=True)
        return [
            replace(record, meta={**record.meta, **dict(zip(SCORES, both, strict=True))})
            for record, both in zip(records, scores, strict=True)
        ]

    def close(self) -> None:
        """Frees the encoder and the vectors."""
        self._encoder = None
        self._vectors.clear()

    def _encode(self, texts: Sequence[str]) -> "list[Tensor]":
        import torch

        found = dict(zip(texts, self._vectors.get(texts), strict=True))
        if new := [text for text, vector in found.items() if vector is None]:
            vectors = torch.from_numpy(self._warm().encode(new))
            for text, vector in zip(new, vectors, strict=True):
                found[text] = vector
                self._vectors.put(text, vector)
        return [vector for text in texts if (vector := found[text]) is not None]

    def _warm(self) -> "SentenceEncoder":
        from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder

        # Another thread may close this one at any time.
        if (encoder := self._encoder) is not None:
            return encoder
        with _LOADING:
            encoder = self._encoder
            if encoder is None:
                self._encoder = encoder = SentenceEncoder.load(device=self._device)
            return encoder
