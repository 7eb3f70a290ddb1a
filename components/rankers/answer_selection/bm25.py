# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""BM25 over the candidates that are given: the baseline of the answer-selection papers."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Final, Literal, Self, get_args

import numpy as np
import snowballstemmer
from haystack import Document, component, default_to_dict
from rank_bm25 import BM25Okapi

from answer_selection.indexing.idf import idf_of
from answer_selection.indexing.in_thread import in_thread
from answer_selection.indexing.text.normalize import normalize, words
from haystack_integrations.components.rankers.answer_selection.base import AnswerSelectionRanker
from haystack_integrations.components.rankers.answer_selection.mixing import Scores
from haystack_integrations.components.rankers.answer_selection.models.record import Record

Tokens = Literal["words", "whitespace"]

FORMAT_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class CorpusStatistics:
    """
    What BM25 has to know of a corpus, as a file or in memory.

    :param documents: How many texts there are.
    :param average_length: Their mean length in terms.
    :param document_frequencies: In how many texts each term stands.
    :param language: The stemmer's language when they were counted, None for no stemming.
    :param tokens: What was counted as a term.
    """

    documents: int
    average_length: float
    document_frequencies: dict[str, int]
    language: str | None
    tokens: str

    def save(self, path: str | Path) -> None:
        """
        Writes the statistics as JSON.

        :param path: The file, replaced if it is there.
        """
        text = json.dumps({"format_version": FORMAT_VERSION, **asdict(self)}, ensure_ascii=False, indent=0)
        Path(path).write_text(text, encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """
        Reads what `save` wrote.

        :param path: The file.
        :returns: The statistics.
        :raises ValueError: If the file is missing, is not such a file, or lacks a field; the message names file and
            field.
        """
        try:
            data = json.loads(Path(path).read_text(encoding="utf-8"))
        except FileNotFoundError:
            msg = f"no BM25 statistics at '{path}'"
            raise ValueError(msg) from None
        except (json.JSONDecodeError, UnicodeDecodeError) as error:
            msg = f"'{path}' is no file of BM25 statistics: {error}"
            raise ValueError(msg) from error
        version = data.pop("format_version", None) if isinstance(data, dict) else None
        if version != FORMAT_VERSION:
            msg = f"'{path}' is no file of BM25 statistics: expected format_version {FORMAT_VERSION}, but got {version}"
            raise ValueError(msg)
        if missing := cls.__dataclass_fields__.keys() - data.keys():
            msg = f"'{path}' lacks {', '.join(sorted(missing))}"
            raise ValueError(msg)
        return cls(**{name: data[name] for name in cls.__dataclass_fields__})


class _CandidateBM25(BM25Okapi):  # type: ignore[misc]
    """
    rank-bm25's scores over one list of candidates, with a corpus's statistics where there are some.

    Its idf is negative for a term of more than half of the texts, and the floor that it puts under that is negative
    itself in a short list: of two answers, the one that has the query's words would come last. Lucene's idf, log(1 + (N
    - n + 0.5) / (n + 0.5)), is never negative, and it is what the retrievers use.
    """

    def __init__(self, candidates: list[list[str]], statistics: CorpusStatistics | None, k1: float, b: float) -> None:
        self._statistics = statistics
        super().__init__(candidates, k1=k1, b=b)
        if statistics is not None:
            self.avgdl = statistics.average_length
        self.avgdl = self.avgdl or 1.0  # texts without a single word

    def _calc_idf(self, nd: dict[str, int]) -> None:
        total, frequencies = self.corpus_size, nd
        if self._statistics is not None:
            total, frequencies = self._statistics.documents, self._statistics.document_frequencies
        found = np.array([frequencies.get(term, 0) for term in nd])
        self.idf.update(zip(nd, idf_of(total, found).tolist(), strict=True))

    def get_scores(self, query: list[str]) -> Scores:
        """The same sum, with a term that the query has several times looked up once."""
        scores = np.zeros(self.corpus_size)
        # With k1 = 0, or b = 1 and a text without words, what a text lacks is 0 divided by 0.
        with np.errstate(invalid="ignore"):
            for term, times in Counter(query).items():
                scores += times * np.nan_to_num(super().get_scores([term]))
        return scores


@component
class BM25Ranker(AnswerSelectionRanker):
    """
    Ranks documents by BM25 over the candidates given (rank-bm25, with Lucene's idf).

    Scores are BM25's: not probabilities, and of no common scale between queries. What is rare is learned from the
    candidates themselves, which for a few candidates says little, or from a corpus: `fit` counts it, `save_statistics`
    keeps it, and `corpus_statistics` names the file.

    Usage example:
    ```python
    from haystack import Document
    from haystack_integrations.components.rankers.answer_selection import BM25Ranker

    ranker = BM25Ranker(top_k=2)
    documents = [
        Document(content="The reading room closes at 8 p.m. on weekdays."),
        Document(content="A lost card is replaced at any desk for two dollars."),
    ]
    result = ranker.run(query="When does the reading room close?", documents=documents)
    print(result["documents"][0].content)
    ```
    """

    def __init__(
        self,
        *,
        corpus_statistics: str | Path | None = None,
        language: str | None = "english",
        tokens: Tokens = "words",
        k1: float = 1.2,
        b: float = 0.75,
        top_k: int = 10,
        score_threshold: float | None = None,
        meta_fields_to_embed: list[str] | None = None,
        embedding_separator: str = "\n",
    ) -> None:
        """
        Creates the component; the statistics are read by `warm_up` or the first run.

        :param corpus_statistics: A file that `save_statistics` wrote. None takes them from each call's own candidates.
        :param language: The Snowball stemmer's language (`english` is Porter2); None does not stem.
        :param tokens: `words` normalises the text as for the models and drops punctuation; `whitespace` lower-cases and
            splits at spaces, for text that is tokenised already, as the papers' data is.
        :param k1: How soon the repetition of a term stops counting.
        :param b: How much long documents are held down, from 0 to 1.
        :param top_k: The most documents to return per query.
        :param score_threshold: The least BM25 score of a returned document.
        :param meta_fields_to_embed: Metadata whose values are put in front of the content before scoring, `question`
            for example.
        :param embedding_separator: What stands between those values and the content.
        :raises ValueError: If `top_k` is not greater than 0, `k1` is negative, `b` is not between 0 and 1, or
            `language` or `tokens` is unknown.
        """
        # Not super(): @component makes the class anew, and super() still means the one that was decorated.
        AnswerSelectionRanker.__init__(
            self,
            top_k=top_k,
            score_threshold=score_threshold,
            meta_fields_to_embed=meta_fields_to_embed,
            embedding_separator=embedding_separator,
        )
        if k1 < 0 or not 0 <= b <= 1:
            msg = f"expected k1 >= 0 and b between 0 and 1, but got k1={k1}, b={b}"
            raise ValueError(msg)
        if language is not None and language not in snowballstemmer.algorithms():
            msg = f"unknown language '{language}'; known: {', '.join(sorted(snowballstemmer.algorithms()))}"
            raise ValueError(msg)
        if tokens not in get_args(Tokens):
            msg = f"tokens must be one of {', '.join(get_args(Tokens))}, but got '{tokens}'"
            raise ValueError(msg)
        self.corpus_statistics = corpus_statistics
        self.language = language
        self.tokens = tokens
        self.k1 = k1
        self.b = b
        self._statistics: CorpusStatistics | None = None

    def to_dict(self) -> dict[str, Any]:
        """
        Serializes the component to a dictionary.

        :returns: A dictionary for `from_dict`.
        :raises ValueError: If `fit` was called and the statistics were not saved: they would be lost.
        """
        if self._statistics is not None and self.corpus_statistics is None:
            msg = "BM25Ranker was fitted; call save_statistics(path) before serializing it"
            raise ValueError(msg)
        return default_to_dict(
            self,
            corpus_statistics=None if self.corpus_statistics is None else str(self.corpus_statistics),
            language=self.language,
            tokens=self.tokens,
            k1=self.k1,
            b=self.b,
            top_k=self.top_k,
            score_threshold=self.score_threshold,
            meta_fields_to_embed=self.meta_fields_to_embed,
            embedding_separator=self.embedding_separator,
        )

    def fit(self, texts: Iterable[str]) -> Self:
        """
        Counts a corpus's terms, which stand in for those of each call's candidates from then on.

        :param texts: The corpus, streamed: only the counts are kept.
        :returns: The component itself.
        :raises ValueError: If there is not a single text.
        """
        frequencies: Counter[str] = Counter()
        documents = terms = 0
        for text in texts:
            found = self._terms(text)
            frequencies.update(set(found))
            documents += 1
            terms += len(found)
        if not documents:
            msg = "expected at least one text to count terms in, but got none"
            raise ValueError(msg)
        self.corpus_statistics = None
        self._statistics = CorpusStatistics(documents, terms / documents, dict(frequencies), self.language, self.tokens)
        return self

    def save_statistics(self, path: str | Path) -> None:
        """
        Writes what `fit` counted, and names the file in `corpus_statistics`.

        :param path: The file, replaced if it is there.
        :raises ValueError: If there is nothing to write.
        """
        self.warm_up()
        if self._statistics is None:
            msg = "BM25Ranker has no statistics of a corpus to save; call fit(texts) first"
            raise ValueError(msg)
        self._statistics.save(path)
        self.corpus_statistics = path

    def warm_up(self) -> None:
        """
        Reads the corpus's statistics, if a file of them is named.

        :raises ValueError: If the file is missing or damaged, or was counted with another language or other tokens.
        """
        if self.corpus_statistics is None or self._statistics is not None:
            return
        statistics = CorpusStatistics.load(self.corpus_statistics)
        for name in ("language", "tokens"):
            counted, own = getattr(statistics, name), getattr(self, name)
            if counted != own:
                msg = f"'{self.corpus_statistics}' was counted with {name}={counted!r}, this ranker has {name}={own!r}"
                raise ValueError(msg)
        self._statistics = statistics

    def score_pairs(self, records: Sequence[Record]) -> Scores:
        """
        Scores pairs of query and answer, without documents around them.

        :param records: Pairs; those that stand together with one query are its candidates.
        :returns: BM25 scores, in the order of `records`, [n_pairs].
        """
        self.warm_up()
        scores = [
            _CandidateBM25(
                [self._terms(record.answer) for record in candidates], self._statistics, self.k1, self.b
            ).get_scores(self._terms(query))
            for query, candidates in groupby(records, key=lambda record: record.query)
        ]
        return np.concatenate([np.zeros(0), *scores])

    @component.output_types(documents=list[Document])
    def run(
        self,
        query: str,
        documents: list[Document],
        *,
        top_k: int | None = None,
        score_threshold: float | None = None,
        query_meta: dict[str, Any] | None = None,
    ) -> dict[str, list[Document]]:
        """
        Ranks documents by their BM25 score for the query.

        :param query: The question.
        :param documents: The candidates.
        :param top_k: The most documents to return.
        :param score_threshold: The least BM25 score of a returned document.
        :param query_meta: Taken so that every ranker can be called alike; BM25 does not use it.
        :returns: A dictionary with `documents`, highest score first.
        :raises ValueError: If `top_k` is not greater than 0, an incoming score is not finite, or the statistics cannot
            be read.
        :raises TypeError: If `query` is no text, or `documents` no list of documents.
        """
        ranked = self.run_batch(
            [query], [documents], top_k=top_k, score_threshold=score_threshold, query_metas=[query_meta]
        )
        return {"documents": ranked["documents"][0]}

    run_async = in_thread(run)

    def run_batch(
        self,
        queries: Sequence[str],
        documents: Sequence[Sequence[Document]],
        *,
        top_k: int | None = None,
        score_threshold: float | None = None,
        query_metas: Sequence[Mapping[str, Any] | None] | None = None,
    ) -> dict[str, list[list[Document]]]:
        """
        Ranks the documents of many queries in one call.

        :param queries: The questions.
        :param documents: One list of candidates a query.
        :param top_k: The most documents to return per query.
        :param score_threshold: The least BM25 score of a returned document.
        :param query_metas: Taken so that every ranker can be called alike; BM25 does not use them.
        :returns: A dictionary with `documents`, one list a query in the queries' order, highest score first.
        :raises ValueError: As `run`, and if there is not one list of documents (and one of `query_metas`) per query.
        """
        ranked = self._rerank(
            queries,
            documents,
            top_k=top_k,
            score_threshold=score_threshold,
            query_metas=query_metas,
            combine=lambda scores, *_: (scores, {}),
        )
        return {"documents": ranked}

    def _score_lists(self, lists: Sequence[Sequence[Record]]) -> Scores:
        # List by list: without a corpus's statistics, a query asked twice in a row must not share its candidates.
        return np.concatenate([self.score_pairs(pairs) for pairs in lists])

    def _terms(self, text: str) -> list[str]:
        found = words(normalize(text)) if self.tokens == "words" else text.lower().split()
        if self.language is None:
            return found
        # A stemmer is made per call: it holds state, and calls come from several threads.
        stem = snowballstemmer.stemmer(self.language).stemWord
        stems = {word: stem(word) for word in set(found)}
        return [stems[word] for word in found]
