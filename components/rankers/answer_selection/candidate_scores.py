# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Scores of one query's candidates that a ranker weighs beside its model's.

The package's sentence encoder reads query and candidates, and says how well each candidate meets the query's words
(`word_match.py`). What it read when an index was made is in the candidates' metadata, and not read again. Candidates
that hybrid retrieval did not find, texts that were given or what another retriever found, also lack its two scores.
They get BM25 among them, and their cosines by the same reading.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from haystack.utils import ComponentDevice

from answer_selection.indexing.fusion import has_cosine
from answer_selection.indexing.word_states import LONGEST, WORDS_FIELD, stored_words, word_fingerprint
from haystack_integrations.components.rankers.answer_selection.bm25 import BM25Ranker
from haystack_integrations.components.rankers.answer_selection.made_once import MadeOnce
from haystack_integrations.components.rankers.answer_selection.mixing import Scores
from haystack_integrations.components.rankers.answer_selection.models.record import Record
from haystack_integrations.components.rankers.answer_selection.respelling import respelt
from haystack_integrations.components.rankers.answer_selection.signals import OWN_COSINE, SCORES, WORD_SCORE
from haystack_integrations.components.rankers.answer_selection.text_cache import TextCache
from haystack_integrations.components.rankers.answer_selection.word_match import ReadText, word_scores

if TYPE_CHECKING:
    from haystack_integrations.components.rankers.answer_selection.encoders.word_reader import WordReader


class CandidateScores:
    """What the package's sentence encoder, and BM25, say of one query's candidates."""

    def __init__(self, device: ComponentDevice | None, most_bytes: int) -> None:
        """
        Creates it; the encoder is loaded by the first query.

        :param device: Where the encoder runs. None is the first accelerator that is there, else the CPU.
        :param most_bytes: How much memory texts may take, as they were read, that are kept for another query.
        """
        self._device = device
        self._bm25 = BM25Ranker()
        self._kept: TextCache[ReadText] = TextCache(most_bytes)
        self._reader: MadeOnce[WordReader] = MadeOnce()

    def complete(self, records: Sequence[Record]) -> tuple[list[Record], bool]:
        """
        Give candidates the scores that they lack.

        Of each text the beginning is read (`LONGEST`), the query as its candidates spell it (`respelling.py`). A blank
        answer has no meaning that a vector could hold: its scores are the lowest of all.

        :param records: One query with each of its candidates, at least one.
        :returns: The same with the query as it was read, `signals.WORD_SCORE` and `signals.OWN_COSINE` in their
            metadata, and whether hybrid retrieval has found them. If not, they have both `signals.SCORES` as well.
        """
        hybrid = any(has_cosine(record.meta) for record in records)
        answers_read = [one.answer[:LONGEST] for one in records]
        asked = respelt(records[0].query[:LONGEST], answers_read, self.warm_up().known_words)
        records = [replace(one, query=asked) for one in records]
        read = [replace(one, answer=answer) for one, answer in zip(records, answers_read, strict=True)]
        query, *answers = self._read(read)
        cosines = np.array([float(query.vector @ answer.vector) for answer in answers])
        blank = [not one.answer.strip() for one in read]
        cosines[blank] = cosines.min()
        found: dict[str, Scores] = {WORD_SCORE: word_scores(query, answers), OWN_COSINE: cosines}
        if not hybrid:
            found |= dict(zip(SCORES, (self._bm25.score_pairs(read), cosines), strict=True))
        rows = zip(*(scores.tolist() for scores in found.values()), strict=True)
        completed = [
            replace(record, meta={**record.meta, **dict(zip(found, row, strict=True))})
            for record, row in zip(records, rows, strict=True)
        ]
        return completed, hybrid

    def close(self) -> None:
        """Frees the encoder and what was read."""
        self._reader.drop()
        self._kept.clear()

    def warm_up(self) -> "WordReader":
        """
        Load what reads, once, however many threads ask.

        :returns: The reader.
        """
        from haystack_integrations.components.rankers.answer_selection.encoders.word_reader import WordReader

        return self._reader.get(lambda: WordReader.load(device=self._device))

    def _read(self, records: Sequence[Record]) -> list[ReadText]:
        """Read the query, then each answer, as far as that was not done before."""
        reader = self.warm_up()
        texts = [records[0].query, *(record.answer for record in records)]
        metas = [{}, *(record.meta for record in records)]
        kept = self._kept.get(texts)
        found = {text: read for text, read in zip(texts, kept, strict=True) if read is not None}
        for text, meta in zip(texts, metas, strict=True):
            if text not in found and WORDS_FIELD in meta:
                packed = stored_words(meta, word_fingerprint(reader.fingerprint, text))
                if packed is not None and (read := reader.unpack(packed)) is not None:
                    found[text] = read
                    self._kept.put(text, read)
        new = dict.fromkeys(text for text in texts if text not in found)
        # The question alone, as an embedder asks for it: then the encoder has it already.
        for some in ([text for text in new if text == texts[0]], [text for text in new if text != texts[0]]):
            for text, read in zip(some, reader.read(some), strict=True):
                found[text] = read
                self._kept.put(text, read)
        return [found[text] for text in texts]
