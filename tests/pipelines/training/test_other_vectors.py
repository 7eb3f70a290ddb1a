# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""An index with other vectors, beside one that was really written with them."""

from dataclasses import replace

import pytest
from haystack import Document

from answer_selection.indexing.building.embedding import embed
from answer_selection.pipelines.commands.console import bar
from answer_selection.pipelines.training.index_encoder import load_encoder_of
from answer_selection.pipelines.training.other_vectors import OtherVectors
from computed_twice import assert_same_scores
from hash_encoder import HashEncoder
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

QUERIES = ["when does desk 3 open", "floor 7", "nothing of this is in there: zzz", "desk opens at nine"]


def store(folder, encoder, *, answers_alone=False):
    """An index as it is built; every second answer has passages."""
    documents = [
        Document(
            id=f"e{one}",
            content=f"the desk on floor {one} opens at nine" + one % 2 * ". It closes late. Nobody waits",
            meta={"question": f"when does desk {one} open"} if one % 3 else {},
        )
        for one in range(40)
    ]
    asked = [document if not answers_alone else replace(document, meta={}) for document in documents]
    made = TantivyDocumentStore(path=folder)
    made.write_documents(
        replace(one, meta=one.meta | document.meta)
        for document, one in zip(documents, embed(encoder, asked, []).documents, strict=True)
    )
    return made


@pytest.mark.parametrize("answers_alone", [False, True])
@pytest.mark.parametrize("top_k", [5, 30])
def test_finds_what_an_index_with_these_vectors_finds(answers_alone, top_k, tmp_path):
    old, new = HashEncoder("old"), HashEncoder("new")
    view = OtherVectors(store(tmp_path / "old", old), new, bar, answers_alone=answers_alone)
    written = store(tmp_path / "new", new, answers_alone=answers_alone)
    assert view.encoder == new.record
    assert view.count_documents() == 40
    assert view.has_passages
    assert written.has_passages
    vectors = new.encode(QUERIES).tolist()
    for fields, weight in ((None, None), ({"content": 1.0}, 5.0)):
        ours = list(view.search_hybrid(QUERIES, vectors, top_k, fields, weight=weight))
        theirs = list(written.search_hybrid(QUERIES, vectors, top_k, fields, weight=weight))
        for found, expected in zip(ours, theirs, strict=True):
            assert [hit.id for hit in found] == [hit.id for hit in expected]
            for name in ("score", "bm25_score", "vector_score"):
                assert_same_scores([getattr(hit, name) for hit in found], [getattr(hit, name) for hit in expected])


def test_is_otherwise_the_index(tmp_path):
    index = store(tmp_path / "old", HashEncoder("old"))
    view = OtherVectors(index, HashEncoder("new"), bar)
    assert (view.label, view.location, view.search_fields) == (index.label, index.location, index.search_fields)
    assert list(view.search_ids(QUERIES, 5)) == list(index.search_ids(QUERIES, 5))
    assert list(view.iter_pages(["id"])) == list(index.iter_pages(["id"]))
    with pytest.raises(ValueError, match="there is no encoder folder 'new'"):
        load_encoder_of(view)
