# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Calibrates a ranker for a stated risk: asks the pipeline that it will run in, also what nothing there answers."""

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from haystack import Document, Pipeline

from answer_selection.indexing.corpus import Query, split_by_entry
from answer_selection.indexing.held_out import split_queries
from answer_selection.indexing.progress import Progress, tracked
from answer_selection.indexing.stored_entries import entry_of
from answer_selection.pipelines.definitions import pipeline_yaml
from answer_selection.pipelines.definitions.narrowed import narrowed
from answer_selection.pipelines.definitions.question_inputs import asked
from answer_selection.pipelines.evaluation.end_to_end import answering_components
from answer_selection.pipelines.evaluation.known_entries import check_entries
from answer_selection.pipelines.evaluation.retrieval_before import retrieval_before
from answer_selection.pipelines.evaluation.waiting import waiting_for_cluster
from haystack_integrations.components.rankers.answer_selection.answer_ranker import AnswerRanker
from haystack_integrations.components.rankers.answer_selection.answer_risk import AnswerRisk
from haystack_integrations.components.rankers.answer_selection.training.risk_calibration import (
    calibrate,
    fewest_answers,
)

CHOICE: Final = "choice"
CALIBRATION: Final = "calibration"
_HEADING: Final = "## When it keeps silent"


@dataclass(frozen=True, slots=True)
class CalibrationQuestion:
    """
    A question of a calibration.

    :param query: The question, with the entries that answer it where it is asked: none if they are taken out.
    :param hidden: Entries that may not be found for it.
    """

    query: Query
    hidden: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """
    What a pipeline found for a question of a calibration.

    :param query: The question, with the entries that answer it where it was asked.
    :param entry: What to draw it with: the first entry that answers it, taken out or not.
    :param documents: The ranking, the best first.
    :param candidates: The retriever's documents.
    :param certain: The log-odds that the first one is right, before any calibration.
    """

    query: Query
    entry: str
    documents: Sequence[Document]
    candidates: Sequence[Document]
    certain: float

    @property
    def right(self) -> bool:
        """Whether the first document is of an entry that answers the question."""
        return entry_of(self.documents[0]) in self.query.relevant


def halves(queries: Sequence[Query], seed: int = 0) -> dict[str, list[Query]]:
    """
    Split questions in those that a model is chosen by, and those that it is calibrated on.

    :param queries: The questions. Those that share an entry, or their wording, stay together.
    :param seed: Another seed gives another split.
    :returns: The questions of `CHOICE`, all of them with an answer, and those of `CALIBRATION`.
    """
    shares = {CHOICE: 0.5, CALIBRATION: 0.5}
    answered = split_queries([one for one in queries if one.relevant], {}, shares, seed)
    others = split_by_entry([one for one in queries if not one.relevant], _entry, shares, seed)
    return {CHOICE: answered[CHOICE], CALIBRATION: [*answered[CALIBRATION], *others[CALIBRATION]]}


def check_enough(queries: Sequence[Query], risks: Iterable[float], source: str) -> None:
    """
    Refuse risks that so few questions cannot show to be kept, however right the answers are.

    :param queries: The calibration's questions.
    :param risks: The risks.
    :param source: Where the questions come from, for the message.
    :raises ValueError: If there are too few.
    """
    for risk in risks:
        if len(queries) < (fewest := fewest_answers(risk)):
            msg = (
                f"{source}: {len(queries)} questions are left to calibrate on, and for the risk {risk:g} at least "
                f"{fewest} must be answered rightly; expected several times as many"
            )
            raise ValueError(msg)


def with_taken_out(queries: Sequence[Query]) -> list[CalibrationQuestion]:
    """
    See to it that some questions have no answer, as those of users do.

    If some questions have none by themselves, all are asked as they are. Otherwise the questions of every second entry
    are asked without the entries that answer them.

    :param queries: The questions.
    :returns: The same questions, in their order.
    """
    if not all(query.relevant for query in queries):
        return [CalibrationQuestion(query) for query in queries]
    places: dict[str, int] = {}
    for query in queries:
        places.setdefault(_entry(query), len(places))
    return [
        CalibrationQuestion(replace(query, relevant=()), query.relevant)
        if places[_entry(query)] % 2
        else CalibrationQuestion(query)
        for query in queries
    ]


def ask_pipeline(
    pipeline: Pipeline, questions: Sequence[CalibrationQuestion], progress: Progress, description: str = "calibrating"
) -> tuple[list[Found], Mapping[str, Any]]:
    """
    Ask a pipeline the questions of a calibration.

    :param pipeline: The pipeline, whose last component that yields documents is an `AnswerRanker` that always answers.
    :param questions: The questions.
    :param progress: Shows progress.
    :param description: What the progress bar says.
    :returns: What was found for each question that has candidates, and what the ranking depends on.
    :raises pipeline_yaml.PipelineFileError: If the pipeline ends with something else, or no retriever takes a filter.
    """
    stages, asking = answering_components(pipeline)
    last = stages[-1]
    ranker: Any = pipeline.get_component(last)
    filtering = [name for name, sockets in pipeline.inputs().items() if "filters" in sockets]
    before = [
        (sender, edge["from_socket"].name)
        for sender, _, edge in pipeline.graph.in_edges(last, data=True)
        if edge["to_socket"].name == "documents"
    ]
    if not isinstance(ranker, AnswerRanker) or ranker.answer_risk is not None or not filtering or len(before) != 1:
        msg = "expected a pipeline of a retriever that takes `filters` and an AnswerRanker without answer_risk"
        raise pipeline_yaml.PipelineFileError(msg)
    [(sender, output)] = before

    def run(question: CalibrationQuestion) -> Found | None:
        data: dict[str, dict[str, Any]] = dict(asked(asking, question.query.query))
        if question.hidden:
            for name in filtering:
                filters = narrowed(pipeline.get_component(name), _without(question.hidden))
                data[name] = {**data.get(name, {}), "filters": filters}
        outputs = pipeline.run(data, include_outputs_from={sender, last})
        documents, probability = outputs[last]["documents"], outputs[last]["certainty"]
        if not documents:
            return None
        certain = math.log(max(probability, sys.float_info.min)) - math.log1p(-min(probability, 1 - 1e-15))
        entry = question.hidden[0] if question.hidden else _entry(question.query)
        return Found(question.query, entry, documents, outputs[sender][output], certain)

    answers = [
        found
        for one in tracked(questions, progress, description, len(questions))
        if (found := waiting_for_cluster(partial(run, one))) is not None
    ]
    return answers, ranker.ranked_by(answers[0].candidates) if answers else {}


def calibrate_model(
    definition: dict[str, Any],
    model: Path,
    queries: Sequence[Query],
    risks: Sequence[float],
    progress: Progress,
    *,
    source: str,
) -> AnswerRisk:
    """
    Calibrate a model in the pipeline that it will run in, and write the result into its folder and its card.

    :param definition: The pipeline's definition, pointed at the index and the model.
    :param model: The model's folder.
    :param queries: Questions that the model has not learned from, and was not chosen by.
    :param risks: The risks to find thresholds for.
    :param progress: Shows progress.
    :param source: Where the questions come from, for messages and the card.
    :returns: The calibration.
    :raises ValueError: If an entry that answers a question is not in the index, or the questions tell nothing.
    """
    pipeline = pipeline_yaml.load(definition)
    try:
        pipeline.warm_up()
        check_entries(pipeline, queries, source)
        questions = with_taken_out(queries)
        found, ranking = ask_pipeline(pipeline, questions, progress)
        retrieval = retrieval_before(pipeline, answering_components(pipeline)[0][-1])
    finally:
        pipeline.close()
    try:
        calibration = calibrate(
            [one.certain for one in found],
            [one.right for one in found],
            risks,
            without_answer=sum(not one.query.relevant for one in found),
            ranking=ranking,
            retrieval=retrieval,
        )
    except ValueError as error:
        msg = f"{source}: {error}"
        raise ValueError(msg) from error
    calibration.save(model)
    card = model / "README.md"
    text = card.read_text(encoding="utf-8").partition(f"\n{_HEADING}")[0] if card.is_file() else f"# {model.name}\n"
    said = "\n".join(f"- {line}" for line in told(calibration))
    card.write_text(f"{text}\n{_HEADING}\n\nCalibrated on questions of `{source}`:\n\n{said}\n", encoding="utf-8")
    return calibration


def told(calibration: AnswerRisk) -> list[str]:
    """
    Say what a calibration came to.

    :param calibration: The calibration.
    :returns: A line for each risk.
    """
    asked_of = f"{calibration.questions} questions, {calibration.without_answer} of them without an answer"
    return [
        f"answer_risk {risk:g}: no threshold keeps it on {asked_of}. A ranker refuses this risk"
        if one.probability is None
        else f"answer_risk {risk:g}: {one.answered:.1%} of {asked_of}, get an answer, {one.wrong:.1%} of these a wrong "
        f"one; probability at least {one.probability:.3f}"
        for risk, one in calibration.thresholds.items()
    ]


def _entry(query: Query) -> str:
    return query.relevant[0] if query.relevant else f"no entry: {query.query_id}"


def _without(entries: Sequence[str]) -> dict[str, Any]:
    fields = ("id", "meta.entry_id")
    conditions = [{"field": name, "operator": "not in", "value": list(entries)} for name in fields]
    return {"operator": "AND", "conditions": conditions}
