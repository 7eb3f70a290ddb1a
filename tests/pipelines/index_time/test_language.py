# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The language of an index's entries is found, so that nobody searches German by the stems of English."""

from importlib.resources import files
from pathlib import Path

import pytest
from haystack import Document

from answer_selection.indexing.building.embedded import build_index
from answer_selection.indexing.sources import Sources
from answer_selection.pipelines.index_time.language import language_of
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

GERMAN = Path(__file__).parents[2] / "german_faq" / "faq.jsonl"
ENGLISH = Path(str(files("answer_selection.indexing.library_faq") / "faq.jsonl"))
CODE = "`df.groupby(by=[cols], as_index=False).agg({x: np.nanmean})` raises a ValueError if cols is not in df.columns. "


def index_of(folder: Path, *texts: str) -> TantivyDocumentStore:
    store = TantivyDocumentStore(path=folder / "index")
    store.write_documents([Document(content=text) for text in texts])
    return store


@pytest.mark.parametrize(("faq", "language"), [(GERMAN, "german"), (ENGLISH, "english")])
def test_of_a_whole_faq(faq, language, tmp_path):
    store = TantivyDocumentStore(path=tmp_path / "index")
    build_index(store, Sources([faq]))
    assert language_of(store) == language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Jak mohu tento dokument zobrazit znovu, když ho zavřu? " * 8, None),  # Czech has no dictionary here
        ("Où puis-je renouveler ma carte, et combien est-ce que cela coûte ? " * 8, "french"),
        ("Как я могу снова увидеть этот список вопросов и ответов? " * 8, "russian"),
        ("どうやってこのFAQをもう一度表示しますか " * 60, None),
        (CODE * 8, "english"),
        ("Kurz und gut.", "english"),  # too little to tell
        ("", "english"),
    ],
)
def test_of_a_text(text, language, tmp_path):
    assert language_of(index_of(tmp_path, text)) == language
