# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
SQuAD's sentences (Du et al. 2017) end to end: an index of the sentences, and the questions asked of it.

"dev" is learned from and validated on, "test" measured on. The two have different articles. Runs of 500 neighbouring
lines of dev, a tenth of all, are held out for validation, with most of their articles. Each of the three parts is a
corpus of its own: its questions are asked of an index that holds the sentences that answer them, and nothing else.
Otherwise most wrong candidates of a validation question would be right answers of training, and its right answer none.
"""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Final

from answer_selection.indexing.artifact import Artifact, text_digest
from answer_selection.indexing.corpus import Query
from answer_selection.indexing.encoder import TextEncoder
from answer_selection.indexing.entries import Entry
from answer_selection.indexing.negatives import HybridSearch
from answer_selection.indexing.progress import Progress
from answer_selection.indexing.text.sameness import sameness
from answer_selection.pipelines.definitions import pipeline_yaml
from answer_selection.pipelines.evaluation.end_to_end import retrieve_and_rank, run_pipeline
from answer_selection.pipelines.evaluation.results import QuestionResult
from answer_selection.pipelines.experiments.as_typed import as_typed
from answer_selection.pipelines.experiments.data.base import Dataset
from answer_selection.pipelines.experiments.data.corpora import ByBM25, index_of, mined
from answer_selection.pipelines.experiments.data.squad_blocks import read_squad_sentences, split_blocks
from answer_selection.pipelines.training.adaptation import adapt_model
from answer_selection.pipelines.training.lists import Lists
from answer_selection.pipelines.training.mining import mine_retrieved, mine_training
from answer_selection.pipelines.training.recipe import Recipe
from answer_selection.pipelines.training.starting_model import is_over_encoder
from answer_selection.pipelines.training.texts import Texts
from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

BLOCK: Final = 500
"""Neighbouring questions that are held out together; an article has some 220."""


class SquadSentences(Dataset):
    """The corpora of dev and test, each with its questions."""

    licence: ClassVar[str] = "CC-BY-SA-4.0"
    source = (
        "Sentences of English Wikipedia articles and crowd workers' questions to them: SQuAD (Rajpurkar et al. 2016) "
        "in the sentence-level form of Du et al. 2017, https://github.com/xinyadu/nqg"
    )

    def index(self, part: str, progress: Progress) -> TantivyDocumentStore:
        """
        Index a part's sentences, or take the index that is there.

        :param part: "train", "validation" or "test".
        :param progress: Shows progress.
        :returns: The store.
        """
        sentences, _ = self._part(part)
        known = text_digest(one.entry_id for one in sentences)
        return index_of(sentences, known, self.work / f"{part}-index", progress, encoder=self.encoder)

    @cached_property
    def encoder(self) -> TextEncoder | None:
        """What makes the sentences' vectors; None searches by BM25 alone."""
        return None

    def questions(self, part: str) -> list[Query]:
        """
        Give the questions of a part.

        :param part: "train", "validation" or "test".
        :returns: The questions, each with the sentence that answers it.
        """
        return self._part(part)[1]

    def lists(self, recipe: Recipe, progress: Progress) -> Lists:
        """Mine the lists. Validation lists are what the retriever gives for that part's questions."""
        folder = self.work / f"lists-{recipe.negatives}-{recipe.keep_top}"
        lists = Lists(folder / "train.jsonl", folder / "validation.jsonl", real=True)
        learned, held_out = self.index("train", progress), self.index("validation", progress)

        hybrid = None if self.encoder is None else HybridSearch(self.encoder, passages=learned.has_passages)

        def mine() -> None:
            mine_training(
                learned,
                self.questions("train"),
                folder / "train.jsonl",
                progress,
                negatives=recipe.negatives,
                keep_top=recipe.keep_top,
                hybrid=hybrid,
            )
            asked, fields = self.questions("validation"), held_out.search_fields
            mine_retrieved(held_out, asked, folder / "validation.jsonl", progress, fields=fields, hybrid=hybrid)

        with Artifact(folder).lock(progress):
            mined(mine, folder)
        learned.close()
        held_out.close()
        return lists

    def texts(self, progress: Progress) -> Texts:
        """Give the sentences of dev, and the questions that are learned from."""
        del progress
        sentences, _ = self._read("dev")
        texts = [*(one.answer for one in sentences), *(one.query for one in self.questions("train"))]
        return lambda: texts

    def digest(self, part: str, progress: Progress) -> str:
        """Give the digest of a part's sentences and questions."""
        del progress
        sentences, asked = self._part(part)
        return text_digest([*(one.entry_id for one in sentences), *map(repr, asked)])

    def rank(self, part: str, model: Path | None, progress: Progress) -> Iterator[QuestionResult]:
        """
        Answer a part's questions by the shipped pipeline.

        A model that reads words is first adapted to the corpus of test, without its questions: a corpus is known before
        it is asked.
        """
        store = self.index(part, progress)
        if part == "test" and model is not None and not is_over_encoder(model):
            brought = model.with_name(f"{model.name}-adapted")
            with progress("bringing the model to the corpus", None):
                adapt_model(store, brought, start=model, licence=self.licence)
            model = brought
        store.close()
        definition = pipeline_yaml.point_at(as_typed(pipeline_yaml.read("answer")), index=store.path, model=model)
        pipeline = pipeline_yaml.load(definition)
        try:
            pipeline.warm_up()
            retriever = pipeline.get_component("retriever")
            if self.encoder is None:
                ranker = None if model is None else pipeline.get_component("ranker")
                yield from retrieve_and_rank(retriever, ranker, self.questions(part))
            elif model is None:
                yield from retrieve_and_rank(ByBM25(retriever), None, self.questions(part))
            else:
                yield from run_pipeline(pipeline, self.questions(part))
        finally:
            pipeline.close()

    def _part(self, part: str) -> tuple[list[Entry], list[Query]]:
        """A part's questions, and the sentences that answer them."""
        sentences, asked = self._read("test" if part == "test" else "dev")
        if part == "test":
            return sentences, asked
        parts = split_blocks(asked, BLOCK, {"train": 0.9, "validation": 0.1}, seed=0)
        answers = {one.entry_id: sameness(one.answer) for one in sentences}

        def texts(query: Query) -> set[bytes]:
            return {sameness(query.query), *(answers[one] for one in query.relevant)}

        # An article that a block's edge divides may have the same sentence on both sides.
        learned = set().union(*map(texts, parts["train"]))
        parts["validation"] = [query for query in parts["validation"] if learned.isdisjoint(texts(query))]
        own = {one for query in parts[part] for one in query.relevant}
        return [one for one in sentences if one.entry_id in own], parts[part]

    def _read(self, half: str) -> tuple[list[Entry], list[Query]]:
        src, tgt = self.need(
            f"src-{half}.txt", f"tgt-{half}.txt", form="sentences (src) and their questions (tgt), line by line"
        )
        sentences, asked = read_squad_sentences(src, tgt)
        return list(sentences), list(asked)


class SquadSentencesHybrid(SquadSentences):
    """The same found by BM25 and by the vectors of the package's sentence encoder. Its BM25 is BM25 alone."""

    @cached_property
    def encoder(self) -> TextEncoder | None:
        """See :attr:`SquadSentences.encoder`."""
        encoder: TextEncoder = SentenceEncoder.load()
        return encoder

    def digest(self, part: str, progress: Progress) -> str:
        """Give the digest of a part's sentences and questions, and of what encodes them."""
        assert self.encoder is not None
        return text_digest([super().digest(part, progress), self.encoder.record.fingerprint])
