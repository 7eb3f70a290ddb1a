# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Data sets that give every question its candidates."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, Final

from answer_selection.indexing.artifact import Artifact, digest
from answer_selection.indexing.candidates import CandidateList, read_candidates, read_jsonl, write_jsonl
from answer_selection.indexing.corpus import split_by_entry
from answer_selection.indexing.progress import Progress
from answer_selection.pipelines.evaluation.candidate_mode import rank_candidates
from answer_selection.pipelines.evaluation.policies import Policy
from answer_selection.pipelines.evaluation.results import QuestionResult
from answer_selection.pipelines.experiments.data.base import Dataset
from answer_selection.pipelines.training.lists import Lists
from answer_selection.pipelines.training.recipe import Recipe
from answer_selection.pipelines.training.texts import Texts, list_texts
from haystack_integrations.components.rankers.answer_selection import AnswerRanker, BM25Ranker

_TEXTS: Final = "texts"


class CandidateDataset(Dataset):
    """
    Candidate lists, written once as JSON Lines.

    :param name: The data set's name.
    :param folder: Folder of its own files.
    :param work: Folder for files that are made from the data.
    """

    chooses_signals = False
    """Whether the validation lists choose if a ranker weighs all signals; otherwise the model is alone."""

    def __init__(self, name: str, folder: Path, work: Path) -> None:
        super().__init__(name, folder, work)
        self._written: set[str] = set()
        self._parsed: set[str] = set()

    @abstractmethod
    def write(self, part: str, path: Path, progress: Progress) -> None:
        """
        Write a part's lists.

        :param part: "train" or one of :data:`base.PARTS`.
        :param path: The file to write; where the same lists are in it already, it may be left as it is.
        :param progress: Shows progress.
        """

    def part(self, part: str, progress: Progress) -> Path:
        """
        Give a part's lists, with trees if they are to have them.

        :param part: "train" or one of :data:`base.PARTS`.
        :param progress: Shows progress.
        :returns: Their file.
        """
        path = self._as_written(part, progress)
        if self.trees is None:
            return path
        completed = self.work / f"trees-{self.trees.parser}" / path.name
        if part not in self._parsed:
            with Artifact(completed).lock(progress):
                self.trees.complete(path, completed, progress)
            self._parsed.add(part)
        return completed

    def _as_written(self, part: str, progress: Progress) -> Path:
        path = self.work / f"{part}.jsonl"
        if part not in self._written:
            with Artifact(path).lock(progress):
                self.write(part, path, progress)
            self._written.add(part)
        return path

    def lists(self, recipe: Recipe, progress: Progress) -> Lists:
        """Give the files of training and validation lists."""
        del recipe  # nothing is mined
        train, validation = self.part("train", progress), self.part("validation", progress)
        return Lists(train, validation, given=self.chooses_signals)

    def texts(self, progress: Progress) -> Texts:
        """Give the texts of the training lists."""
        return list_texts(self._as_written("train", progress))

    def digest(self, part: str, progress: Progress) -> str:
        """Give the digest of a part's file."""
        return digest(self.part(part, progress))

    def rank(self, part: str, model: Path | None, progress: Progress) -> Iterator[QuestionResult]:
        """Rank a part's candidates. BM25's idf is that of the part's own answers."""
        lists = list(read_jsonl(self.part(part, progress)))
        if model is None:
            answers = dict.fromkeys(one.answer for candidates in lists for one in candidates.candidates)
            ranker: Any = BM25Ranker().fit(answers)
        else:
            ranker = AnswerRanker(model=model, retriever_weight=None if self.chooses_signals else 0.0)
        return rank_candidates({"BM25" if model is None else model.name: ranker}, lists)


@dataclass(frozen=True, slots=True)
class Layout:
    """
    Where the parts of a data set's own files are.

    :param parts: Of "train", "validation" and "test" each one's files or folders in the data set's folder. Where
        validation and test are the same one, each gets half of its questions. "texts", if it is there, is what texts
        are learned from in place of "train".
    :param form: What they hold, for whoever has to get them.
    :param source: Where they come from: a citation.
    :param policy: Which questions count.
    :param longest_answer: Tokens that an answer of "train" and "texts" is cut to; None leaves it whole.
    """

    parts: Mapping[str, tuple[str, ...]]
    form: str
    source: str
    policy: Policy = Policy.WITH_RELEVANT
    longest_answer: int | None = None


class PublishedLists(CandidateDataset):
    """
    Candidate lists in a form that research data is published in.

    :param name: The data set's name.
    :param folder: Folder of its own files.
    :param work: Folder for files that are made from the data.
    :param layout: Where its parts are.
    """

    def __init__(self, name: str, folder: Path, work: Path, layout: Layout) -> None:
        super().__init__(name, folder, work)
        self.layout = layout
        self.policy, self.source = layout.policy, layout.source

    def texts(self, progress: Progress) -> Texts:
        """Give the texts of the training lists."""
        return list_texts(self._as_written(_TEXTS if _TEXTS in self.layout.parts else "train", progress))

    def write(self, part: str, path: Path, progress: Progress) -> None:
        """Write a part's lists."""
        names = self.layout.parts[part]
        paths = self.need(*names, form=self.layout.form)
        lists: Iterable[CandidateList] = chain.from_iterable(map(read_candidates, paths))
        if self.layout.parts["validation"] == self.layout.parts["test"] == names:
            lists = split_by_entry(lists, lambda one: one.query_id, {"validation": 0.5, "test": 0.5})[part]
        if part in ("train", _TEXTS) and self.layout.longest_answer is not None:
            lists = (_cut(candidates, self.layout.longest_answer) for candidates in lists)
        with progress(f"reading {self.name}, {part}", None):
            write_jsonl(path, lists)


def _cut(candidates: CandidateList, longest: int) -> CandidateList:
    cut = tuple(replace(one, answer=" ".join(one.answer.split()[:longest])) for one in candidates.candidates)
    return replace(candidates, candidates=cut)
