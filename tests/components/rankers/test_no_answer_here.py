# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Where a corpus has no answer, no candidate looks like one only because the others look even less like one."""

from importlib.resources import files

import numpy as np
import pytest

from answer_selection.indexing.building.embedded import build_index
from answer_selection.indexing.sources import Sources
from haystack_integrations.components.embedders.answer_selection import AnswerSelectionTextEmbedder
from haystack_integrations.components.rankers.answer_selection import AnswerRanker
from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder
from haystack_integrations.components.retrievers.tantivy import TantivyHybridRetriever
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

FAQ = files("answer_selection.indexing.library_faq") / "faq.jsonl"
ELSEWHERE = (
    "zzzz qqqq",
    "how do I bake bread",
    "what is the capital of France",
    "my tomatoes have brown leaves",
    "how do I compile the kernel with clang",
    "who won the world cup in 1998",
)
HERE = (
    "how long can I keep a book?",
    "I lost my library card",
    "connect to the wifi",
    "can I scan a document",
    "what does it cost to print in colour",
    "may I bring food",
)


@pytest.mark.slow
def test_questions_about_something_else_get_low_scores(tmp_path):
    store = TantivyDocumentStore(path=tmp_path / "index")
    every = FAQ.read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "faq.jsonl").write_text("".join(every[:120]), encoding="utf-8")
    build_index(store, Sources([tmp_path / "faq.jsonl"]), encoder=SentenceEncoder.load())
    embedder, ranker = AnswerSelectionTextEmbedder(), AnswerRanker(meta_fields_to_embed=["question"])
    retriever = TantivyHybridRetriever(document_store=store, top_k=30)

    def best(question: str) -> float:
        vector = embedder.run(text=question)["embedding"]
        found = retriever.run(query=question, query_embedding=vector)["documents"]
        return float(ranker.run(query=question, documents=found)["documents"][0].score)

    elsewhere, here = [best(question) for question in ELSEWHERE], [best(question) for question in HERE]
    assert max(elsewhere) < 0.5 < np.median(here)
    assert np.mean(elsewhere) < 0.25
