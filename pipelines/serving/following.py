# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A served pipeline that follows its index: one that comes later, or is made anew, may be of another encoder."""

from collections.abc import Sequence
from threading import Lock

from answer_selection.pipelines.definitions import pipeline_yaml
from answer_selection.pipelines.messages import one_line
from answer_selection.pipelines.serving.answering import Answering
from answer_selection.pipelines.serving.answers import Answers
from answer_selection.pipelines.serving.errors import UnavailableError
from answer_selection.pipelines.serving.question import Question


class Following:
    """
    Answers by a pipeline, which is loaded again when the vectors of its index are of another encoder than before.

    :param pipeline: The pipeline's file, or its name.
    :param index: Its index; None is what the pipeline itself says.
    :param model: Its ranker's model; None likewise.
    """

    def __init__(self, pipeline: str, index: str | None = None, model: str | None = None) -> None:
        self._pipeline, self._index, self._model = pipeline, index, model
        self._loading = Lock()
        self._answering = self._load()

    @property
    def language(self) -> str | None:
        """See :attr:`Answering.language`."""
        return self._answering.language

    def warm_up(self) -> None:
        """See :meth:`Answering.warm_up`."""
        self._answering.warm_up()

    def check(self) -> None:
        """See :meth:`Answering.check`."""
        self._answering.ask_again()
        self._current().check()

    def answer_many(self, questions: Sequence[Question]) -> list[Answers | Exception]:
        """See :meth:`Answering.answer_many`."""
        try:
            current = self._current()
        except UnavailableError as error:
            return [error] * len(questions)
        outcomes = current.answer_many(questions)
        if any(isinstance(outcome, Exception) for outcome in outcomes):
            # They may have failed because the index is another one now.
            current.ask_again()
        return outcomes

    def _load(self) -> Answering:
        definition = pipeline_yaml.read(self._pipeline)
        return Answering(pipeline_yaml.point_at(definition, index=self._index, model=self._model))

    def _current(self) -> Answering:
        if self._answering.is_outdated:
            with self._loading:
                if self._answering.is_outdated:
                    try:
                        self._answering = self._load()
                    except Exception as error:
                        raise UnavailableError(one_line(error)) from error
        return self._answering
