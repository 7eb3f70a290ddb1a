# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The interface of a data set in an experiment."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar, Final

from answer_selection.indexing.progress import Progress
from answer_selection.pipelines.evaluation.policies import Policy
from answer_selection.pipelines.evaluation.results import QuestionResult
from answer_selection.pipelines.training.lists import Lists
from answer_selection.pipelines.training.recipe import Recipe
from answer_selection.pipelines.training.texts import Texts
from answer_selection.pipelines.training.trees import Trees

PARTS: Final = ("validation", "test")
"""The parts to measure on: validation for every decision, test once those are made."""


class MissingDataError(OSError):
    """A data set is missing; the message says what was expected, and where its form is described."""


class Dataset(ABC):
    """
    A data set: lists to learn from, and questions to be measured on.

    Files that are made from it lie in the folder `work`. Every experiment on it uses them again.

    :param name: Its name.
    :param folder: Folder of its own files.
    :param work: Folder for files that are made from it.
    """

    licence: ClassVar[str] = "research use only"
    source: str
    """Its source: a citation."""
    policy: Policy = Policy.WITH_RELEVANT
    """Which questions count, as in the papers that report on it."""
    trees: Trees | None = None
    """The source of its lists' parse trees; None if they get none."""

    def __init__(self, name: str, folder: Path, work: Path) -> None:
        self.name, self.folder, self.work = name, folder, work

    @abstractmethod
    def lists(self, recipe: Recipe, progress: Progress) -> Lists:
        """
        Make the lists to learn from and to stop by, or take existing ones.

        :param recipe: Says how negatives are mined, where they are.
        :param progress: Shows progress.
        :returns: Their files.
        """

    @abstractmethod
    def texts(self, progress: Progress) -> Texts:
        """
        Give the texts that may be learned from: vocabulary, word vectors, idf.

        :param progress: Shows progress.
        :returns: A function that streams them at each call anew.
        """

    @abstractmethod
    def digest(self, part: str, progress: Progress) -> str:
        """
        Tell a part's questions and what is ranked for them from any others.

        :param part: One of :data:`PARTS`.
        :param progress: Shows progress.
        :returns: A digest.
        """

    @abstractmethod
    def rank(self, part: str, model: Path | None, progress: Progress) -> Iterator[QuestionResult]:
        """
        Let a ranker answer a part's questions.

        :param part: One of :data:`PARTS`.
        :param model: The model's folder; None is BM25.
        :param progress: Shows progress.
        :returns: One result a question; its last stage is the ranker's.
        """

    def need(self, *names: str, form: str) -> list[Path]:
        """
        Find files or folders.

        :param names: Their names in the data set's folder; a file may be gzipped (``.gz``).
        :param form: What they hold.
        :returns: Their paths.
        :raises MissingDataError: If one is not there.
        """
        found = []
        for name in names:
            there = [path for path in (self.folder / name, self.folder / f"{name}.gz") if path.exists()]
            if not there:
                msg = (
                    f"{self.folder / name}: no such file or folder; the data set {self.name} needs there: {form} "
                    "(section 'Data sets' of pipelines/experiments/README.md)"
                )
                raise MissingDataError(msg)
            found.append(there[0])
        return found
