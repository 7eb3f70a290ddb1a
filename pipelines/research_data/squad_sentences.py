# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
SQuAD's sentences (Du et al. 2017) end to end: an index of the sentences, and the questions asked of it.

"dev" is learned from and validated on, "test" measured on. The two have different articles. Runs of 500 neighbouring
lines of dev, a tenth of all, are held out for validation, so that most of their articles are never learned from.
"""

from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import ClassVar, Final

from answer_selection.indexing.corpus import Query
from answer_selection.indexing.squad_sentences import read_squad_sentences, split_blocks
from answer_selection.pipelines import pipeline_files
from answer_selection.pipelines.alone import alone
from answer_selection.pipelines.evaluation.end_to_end import retrieve_and_rank
from answer_selection.pipelines.evaluation.results import QuestionResult
from answer_selection.pipelines.recipe import Recipe
from answer_selection.pipelines.research_data.base import Dataset
from answer_selection.pipelines.research_data.corpora import index_of, mined
from answer_selection.pipelines.train_ranker import Lists, Progress, Texts, adapt, corpus_texts, mine_lists
from haystack_integrations.components.rankers.answer_selection.models.word_model import WordModelConfig
from haystack_integrations.components.rankers.answer_selection.training.digests import digest
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore
from transformers import AutoConfig

BLOCK: Final = 500
"""Neighbouring questions that are held out together; an article has some 220."""


class SquadSentences(Dataset):
    """The corpora of dev and test, each with its questions."""

    licence: ClassVar[str] = "CC-BY-SA-4.0"
    source = (
        "Sentences of English Wikipedia articles and crowd workers' questions to them: SQuAD (Rajpurkar et al. 2016) "
        "in the sentence-level form of Du et al. 2017, https://github.com/xinyadu/nqg"
    )

    def index(self, half: str, progress: Progress) -> TantivyDocumentStore:
        """
        Index a half's sentences, or take the index that is there.

        :param half: "dev" or "test".
        :param progress: Shows progress.
        :returns: The store.
        """
        src, tgt = self._files(half)
        return index_of(read_squad_sentences(src, tgt)[0], digest(src), self.work / f"{half}-index", progress)

    def questions(self, part: str) -> list[Query]:
        """
        Give the questions of a part.

        :param part: "train", "validation" or "test".
        :returns: The questions, each with the sentence that answers it.
        """
        src, tgt = self._files("test" if part == "test" else "dev")
        asked = list(read_squad_sentences(src, tgt)[1])
        return asked if part == "test" else split_blocks(asked, BLOCK, {"train": 0.9, "validation": 0.1}, seed=0)[part]

    def lists(self, recipe: Recipe, progress: Progress) -> Lists:
        """See :meth:`Dataset.lists`. Validation lists are what the retriever gives for the held-out questions."""
        store, folder = self.index("dev", progress), self.work / f"lists-{recipe.negatives}-{recipe.keep_top}"
        mine = partial(
            mine_lists,
            store,
            folder,
            progress,
            queries=self.questions("train"),
            validation=self.questions("validation"),
            negatives=recipe.negatives,
            keep_top=recipe.keep_top,
        )
        with alone(folder, progress):
            lists = mined(mine, folder)
        store.close()
        return lists

    def texts(self, progress: Progress) -> Texts:
        """See :meth:`Dataset.texts`: the sentences of dev, and the questions that are learned from."""
        return corpus_texts(self.index("dev", progress), self.questions("train"))

    def digest(self, part: str, progress: Progress) -> str:
        """See :meth:`Dataset.digest`."""
        del progress
        return sha256("".join(map(digest, self._files("test" if part == "test" else "dev"))).encode()).hexdigest()

    def rank(self, part: str, model: Path | None, progress: Progress) -> Iterator[QuestionResult]:
        """
        See :meth:`Dataset.rank`: what the shipped pipeline answers.

        A model that reads words is brought to the corpus of test first, without its questions: a corpus has to be there
        to be asked.
        """
        store = self.index("test" if part == "test" else "dev", progress)
        if model is not None and part == "test" and isinstance(AutoConfig.from_pretrained(model), WordModelConfig):
            brought = model.with_name(f"{model.name}-adapted")
            with progress("bringing the model to the corpus", None):
                adapt(store, brought, start=model, licence=self.licence)
            model = brought
        store.close()
        definition = pipeline_files.point_at(pipeline_files.read("answer"), index=store.path, model=model)
        pipeline = pipeline_files.load(definition)
        try:
            pipeline.warm_up()
            ranker = None if model is None else pipeline.get_component("ranker")
            yield from retrieve_and_rank(pipeline.get_component("bm25"), ranker, self.questions(part))
        finally:
            pipeline.close()

    def _files(self, half: str) -> tuple[Path, Path]:
        src, tgt = self.need(
            f"src-{half}.txt", f"tgt-{half}.txt", form="sentences (src) and their questions (tgt), line by line"
        )
        return src, tgt
