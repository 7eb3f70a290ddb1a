# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Two courses' FAQs (DataTalksClub/llm-zoomcamp) end to end: hybrid retrieval finds candidates, a ranker orders them.

One course is learned from and validated on, the other one measured on. Of the first, the questions to half of the
entries are held out for validation: they choose retrieval's weights and how much of its score is mixed in.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar, Final

from answer_selection.indexing.artifact import Artifact, digest, text_digest
from answer_selection.indexing.corpus import Query, iter_corpus, iter_queries, split_by_entry
from answer_selection.indexing.encoder import TextEncoder
from answer_selection.indexing.progress import Progress
from answer_selection.pipelines.definitions import pipeline_yaml
from answer_selection.pipelines.evaluation.end_to_end import retrieve_and_rank, run_pipeline
from answer_selection.pipelines.evaluation.results import QuestionResult
from answer_selection.pipelines.experiments.as_typed import as_typed
from answer_selection.pipelines.experiments.data.base import Dataset
from answer_selection.pipelines.experiments.data.corpora import ByBM25, index_of, mined
from answer_selection.pipelines.training.lists import Lists
from answer_selection.pipelines.training.mining import mine_lists
from answer_selection.pipelines.training.recipe import Recipe
from answer_selection.pipelines.training.texts import Texts, corpus_texts
from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

LEARNED: Final = "data-engineering"
MEASURED: Final = "machine-learning"
ENCODER: Final = "all-MiniLM-L6-v2"
"""The folder of the indexes' encoder, among the data's encoders."""


class ZoomcampFAQ(Dataset):
    """The two courses' FAQs, each an index with vectors."""

    licence: ClassVar[str] = "not stated"
    source = "FAQs of DataTalks.Club courses and questions made from them (DataTalksClub/llm-zoomcamp, 2025)"

    def lists(self, recipe: Recipe, progress: Progress) -> Lists:
        """Mine the lists from hybrid retrieval, whose weights the held-out questions choose."""
        folder = self.work / f"lists-{recipe.negatives}-{recipe.keep_top}"
        store = self.index(LEARNED, progress)

        def mine() -> Lists:
            return mine_lists(
                store,
                folder,
                progress,
                queries=self._questions("train"),
                validation=self._questions("validation"),
                negatives=recipe.negatives,
                keep_top=recipe.keep_top,
                encoder=self._encoder(),
            )

        with Artifact(folder).lock(progress):
            lists = mined(mine, folder)
        store.close()
        self._retrieval = {} if lists.retrieval is None else lists.retrieval.parameters()
        return lists

    def index(self, course: str, progress: Progress) -> TantivyDocumentStore:
        """
        Index a course's FAQ, or take the index that is there.

        :param course: Its folder's name.
        :param progress: Shows progress.
        :returns: The store.
        """
        [corpus] = self.need(f"{course}/corpus.jsonl", form="entries with questions, answers and ids")
        return index_of(iter_corpus(corpus), digest(corpus), self.work / course, progress, encoder=self._encoder())

    def texts(self, progress: Progress) -> Texts:
        """Give the texts of the course that is learned from, and the questions that are."""
        return corpus_texts(self.index(LEARNED, progress), self._questions("train"))

    def digest(self, part: str, progress: Progress) -> str:
        """Give the digest of a part's entries and questions, and of what encodes them."""
        del progress
        [corpus] = self.need(f"{self._course(part)}/corpus.jsonl", form="entries with questions, answers and ids")
        return text_digest([digest(corpus), self._encoder().record.fingerprint, *map(repr, self._questions(part))])

    def rank(self, part: str, model: Path | None, progress: Progress) -> Iterator[QuestionResult]:
        """Answer a part's questions by the shipped pipeline with the chosen weights; without a model by BM25 alone."""
        store = self.index(self._course(part), progress)
        store.close()
        definition = pipeline_yaml.point_at(as_typed(pipeline_yaml.read("answer")), index=store.path, model=model)
        if model is not None:
            definition["components"]["retriever"]["init_parameters"] |= self._retrieval
        pipeline = pipeline_yaml.load(definition)
        try:
            if model is None:
                found = retrieve_and_rank(ByBM25(pipeline.get_component("retriever")), None, self._questions(part))
                yield from found
            else:
                pipeline.warm_up()
                yield from run_pipeline(pipeline, self._questions(part))
        finally:
            pipeline.close()

    def _course(self, part: str) -> str:
        return MEASURED if part == "test" else LEARNED

    def _questions(self, part: str) -> list[Query]:
        [path] = self.need(f"{self._course(part)}/queries.jsonl", form="questions, each with the ids of its entries")
        asked = list(iter_queries(path))
        if part == "test":
            return asked
        return split_by_entry(asked, lambda one: one.relevant[0], {"train": 0.5, "validation": 0.5})[part]

    def _encoder(self) -> TextEncoder:
        encoder: TextEncoder = SentenceEncoder.load(str(self.folder.parent / "encoders" / ENCODER))
        return encoder
