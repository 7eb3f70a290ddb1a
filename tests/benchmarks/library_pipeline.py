# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What users run, for benchmarks: the shipped pipeline over the bundled FAQ, and people's questions to it."""

import json
from pathlib import Path
from typing import Final

from haystack import Pipeline

from answer_selection.indexing.building.embedded import build_index
from answer_selection.indexing.sources import Sources
from answer_selection.pipelines.definitions import pipeline_yaml
from answer_selection.pipelines.index_time.encoders import choose_encoder, load_word_reader
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

LIBRARY: Final = Path(__file__).parents[2] / "indexing" / "library_faq"


def library_pipeline(folder: Path) -> Pipeline:
    """
    Index the bundled FAQ as `answer-selection index` does, and load the shipped pipeline over it.

    :param folder: Where the index is written.
    :returns: The pipeline, warmed up.
    """
    store = TantivyDocumentStore(path=folder)
    encoder = choose_encoder(store, None)
    build_index(store, Sources([LIBRARY / "faq.jsonl"]), encoder=encoder, words=load_word_reader(encoder))
    store.close()
    pipeline = pipeline_yaml.load(pipeline_yaml.point_at(pipeline_yaml.read("answer"), index=folder))
    pipeline.warm_up()
    return pipeline


def library_questions() -> list[str]:
    """
    Read what people asked, both halves.

    :returns: 1,080 questions, none twice: the encoder keeps its last ones.
    """
    lines = [line for part in ("validation", "test") for line in (LIBRARY / f"{part}.jsonl").read_text().splitlines()]
    return list(dict.fromkeys(json.loads(line)["query"] for line in lines))
