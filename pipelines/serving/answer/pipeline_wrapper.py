# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The pipeline as hayhooks deploys it. Its environment says which one, and over which index."""

import os
from typing import Annotated, Any

from answer_selection.pipelines import pipeline_files
from answer_selection.pipelines.serving.answering import Answering, Answers, QuestionError, UnavailableError
from fastapi import HTTPException
from hayhooks import BasePipelineWrapper, log
from pydantic import Field, StringConstraints

Question = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=10_000)]
TopK = Annotated[int, Field(ge=1, le=1000)]


class PipelineWrapper(BasePipelineWrapper):  # type: ignore[misc] # hayhooks ships no types
    """Answers questions by the pipeline that `ANSWER_SELECTION_PIPELINE` names."""

    # `pipeline` stays None: with it hayhooks would offer a drawing, which another web site makes.
    deployment_type = "pipeline"

    def setup(self) -> None:
        """Load the pipeline and warm it up; an index that is not there is waited for."""
        variables = (f"ANSWER_SELECTION_{name}" for name in ("PIPELINE", "INDEX", "MODEL"))
        pipeline, index, model = (os.environ.get(variable) or None for variable in variables)
        definition = pipeline_files.read(pipeline or "answer")
        self.answering = Answering(pipeline_files.point_at(definition, index=index, model=model))
        try:
            self.answering.warm_up()
        except UnavailableError as error:
            log.warning("{}", error)

    def run_api(self, question: Question, top_k: TopK | None = None, filters: dict[str, Any] | None = None) -> Answers:
        """
        Answer a question.

        :param question: The question.
        :param top_k: The most answers. There are never more than the retriever finds candidates.
        :param filters: Only answers whose metadata this filter keeps, in Haystack's syntax.
        :returns: The answers, the best first, and how long it took.
        """
        try:
            return self.answering.answer(question, top_k, filters)
        except QuestionError as error:
            raise HTTPException(422, str(error)) from error
        except UnavailableError as error:
            log.warning("{}", error)
            raise HTTPException(503, str(error)) from error
