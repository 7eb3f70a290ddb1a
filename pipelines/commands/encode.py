# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The `encode` command: vectors for the answers of an existing index."""

from typing import Annotated

import typer

from answer_selection.pipelines.commands.console import bar, counted, say
from answer_selection.pipelines.commands.options import ModelOption
from answer_selection.pipelines.commands.stores import DEFAULT_INDEX, IndexOption, Store, StoreOption, open_index


def encode(
    index: IndexOption = DEFAULT_INDEX,
    store: StoreOption = Store.TANTIVY,
    model: ModelOption = None,
    pipeline: Annotated[
        str | None,
        typer.Option(
            help="The pipeline whose ranker will read the vectors: a YAML file, or a shipped one's name. Its ranker "
            "says which metadata are encoded with an answer, and where the vectors are stored.",
            show_default="answer, or answer_elasticsearch",
        ),
    ] = None,
) -> None:
    """
    Encode an index's answers once, so that a question costs only its own encoding and the model's head.

    The model must encode an answer apart from the question, into one vector. Answers that have their vector are
    skipped; another model's vectors are replaced. Give the command again to continue a killed run.
    """
    from answer_selection.pipelines.definitions import pipeline_yaml
    from answer_selection.pipelines.index_time.vectors import encode_index

    name = pipeline or ("answer_elasticsearch" if store is Store.ELASTICSEARCH else "answer")
    encoder = pipeline_yaml.make_encoder(pipeline_yaml.point_at(pipeline_yaml.read(name), model=model))
    encoder.warm_up()
    corpus = open_index(store, index)
    with bar("encoding", total=corpus.count_documents(), unit="answers") as progress:
        report = encode_index(corpus, encoder, progress=progress)
    left = f", {report.left} had their vectors already" if report.left else ""
    say(f"{counted(report.encoded, 'answer')} encoded in {index}{left}")
