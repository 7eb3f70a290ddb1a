# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""From a trained model to one for another corpus, without training."""

from pathlib import Path

from answer_selection.indexing.corpus_index import CorpusIndex
from answer_selection.pipelines.training.ranker_card import write_ranker_card
from answer_selection.pipelines.training.starting_model import start_folder
from answer_selection.pipelines.training.texts import corpus_texts
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.training.model_card import DataSource, card_of


def adapt_model(index: CorpusIndex, output: Path, *, start: str | Path = "default", licence: str) -> None:
    """
    Write a model folder of a trained model, brought to a corpus without labels: its words, their vectors, its idf.

    :param index: The corpus's index.
    :param output: The model folder to be.
    :param start: "default" (the package's CTRN), or a model folder.
    :param licence: The corpus's licence, for the card.
    :raises ValueError: If the model does not read words.
    """
    folder = start_folder(start)
    model, collator = registry.load(folder)
    if model.over_encoder:
        msg = f"{folder}: a model of the type {model.config.model_type!r} has no vocabulary to extend"
        raise ValueError(msg)
    model, collator = model.extend(collator, corpus_texts(index))
    registry.save(output, model, collator)
    write_ranker_card(
        output,
        model,
        summary=f"The model `{start}`, adapted to the corpus in `{index.label}`: its words and its idf. "
        "Nothing was trained.",
        sources=[
            DataSource(index.label, licence, index.location, "vocabulary, word vectors, idf"),
            card_of(folder, "the model that was adapted to the corpus"),
        ],
        settings={"start": {"from": str(start)}},
    )
