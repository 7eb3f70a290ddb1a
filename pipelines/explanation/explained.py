# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The content of a page: a question's candidates, ranked, with what the ranker's model weighed in each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from haystack import Document, Pipeline

from answer_selection.pipelines.definitions.question_inputs import asked
from answer_selection.pipelines.evaluation.end_to_end import answering_components, ranked_documents
from haystack_integrations.components.rankers.answer_selection.answer_ranker import AnswerRanker
from haystack_integrations.components.rankers.answer_selection.explanation import PairExplanation


@dataclass(frozen=True, slots=True)
class Explained:
    """
    A question with its candidates, the best one first.

    :param question: The question.
    :param documents: The candidates as the ranker gave them: their metadata tells how they came to it.
    :param pairs: What the model weighed in each candidate; None where there was no model to ask.
    :param about: What ranked them, by what it is called on the page.
    :param right: Whether a candidate is known to be right or wrong, by its document's id.
    """

    question: str
    documents: Sequence[Document]
    pairs: Sequence[PairExplanation] | None
    about: Mapping[str, str]
    right: Mapping[str, bool] = field(default_factory=dict)


def of_candidates(
    ranker: AnswerRanker,
    question: str,
    documents: Sequence[Document],
    *,
    top_k: int | None = None,
    query_meta: dict[str, Any] | None = None,
    right: Mapping[str, bool] | None = None,
) -> Explained:
    """
    Rank given candidates.

    :param ranker: The ranker.
    :param question: The question.
    :param documents: The candidates.
    :param top_k: How many of the best to explain; None is all.
    :param query_meta: What else is known of the question.
    :param right: Whether a candidate is known to be right or wrong, by its document's id.
    :returns: The best candidates, explained.
    """
    top_k = top_k or len(documents)
    ranked = ranker.run(question, list(documents), top_k=top_k, query_meta=query_meta)["documents"]
    pairs = ranker.explain(question, ranked, query_meta=query_meta)
    return Explained(question, ranked, pairs, _about(ranker), right or {})


def of_pipeline(pipeline: Pipeline, question: str, name: str) -> Explained:
    """
    Ask a pipeline.

    :param pipeline: The pipeline. Of its rankers with a model the last one is asked what it weighed.
    :param question: The question.
    :param name: What to call it.
    :returns: What that ranker gave, explained. Without such a ranker, what the last component with documents gave.
    :raises PipelineFileError: If the pipeline answers no question.
    """
    stages, inputs = answering_components(pipeline, name)
    rankers = [name for name in stages if isinstance(pipeline.get_component(name), AnswerRanker)]
    shown = rankers[-1] if rankers else stages[-1]
    # What the ranker was given beside documents: the question as another component wrote it, its parse tree.
    given = {
        edge["to_socket"].name: (sender, edge["from_socket"].name)
        for sender, _, edge in pipeline.graph.in_edges(shown, data=True)
    }
    senders = {sender for sender, _ in given.values()}
    outputs = pipeline.run(asked(inputs, question), include_outputs_from={shown, *senders})
    documents = ranked_documents(outputs[shown])
    component = pipeline.get_component(shown)
    if not isinstance(component, AnswerRanker):
        return Explained(question, documents, None, {"ranked by": type(component).__name__})

    def received(socket: str, default: Any) -> Any:
        sender, output = given.get(socket, ("", ""))
        return outputs.get(sender, {}).get(output, default)

    query = received("query", question)
    pairs = component.explain(query, documents, query_meta=received("query_meta", None))
    about = _about(component)
    if outputs[shown].get("abstained"):
        about["answered"] = "no: none of these is sure enough for the stated risk"
    return Explained(query, documents, pairs, about)


def _about(ranker: AnswerRanker) -> dict[str, str]:
    return {
        "ranked by": type(ranker).__name__,
        "model": "the one that comes with the package" if ranker.model is None else str(ranker.model),
        "kind of model": ranker.model_type,
    }
