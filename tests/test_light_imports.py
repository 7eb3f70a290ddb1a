# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What converts, stores and retrieves needs no torch of ours, `--help` not even Haystack, `ask` only its pipeline."""

import subprocess
import sys

import pytest

HEAVY = (
    *("torch", "transformers", "tokenizers", "sklearn", "scipy", "pandas", "numba", "gensim", "matplotlib", "nltk"),
    # Of transformers and torch themselves: each takes a second or more.
    *("transformers.modeling_utils", "torch._dynamo", "torch.distributed.tensor"),
)

# Haystack itself imports torch where it is installed (haystack.utils.device), and does without where it is not.
WITHOUT_TORCH = f"""
import sys

sys.modules["torch"] = None

from pathlib import Path

import answer_selection.indexing.elasticsearch.index
from answer_selection.indexing.building.embedded import build_index
from answer_selection.indexing.sources import Sources
from answer_selection.indexing.stored_entries import iter_stored_entries
from haystack_integrations.components.converters.faq import FAQConverter
from haystack_integrations.components.retrievers.elasticsearch_hybrid import ElasticsearchHybridScoreRetriever
from haystack_integrations.components.retrievers.tantivy import (
    TantivyBM25Retriever,
    TantivyEmbeddingRetriever,
    TantivyHybridRetriever,
)
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

page = Path("faq.md")
page.write_text("# Where can I renew a card?" + chr(10) * 2 + "At any desk." + chr(10), encoding="utf-8")
[document] = FAQConverter().run(sources=[page])["documents"]
store = TantivyDocumentStore(path="faq-index")
build_index(store, Sources([page]))
[found] = TantivyBM25Retriever(document_store=store).run(query="card")["documents"]
assert found.content == document.content == "At any desk."
store.write_documents([document.__class__(id="v", content="Online.", embedding=[1.0, 0.0])])
[found] = TantivyEmbeddingRetriever(document_store=store).run(query_embedding=[1.0, 0.0])["documents"]
assert found.content == "Online."
assert len(list(iter_stored_entries(store))) == 2
print(*sorted(set({HEAVY}) & {{name for name, module in sys.modules.items() if module is not None}}))
"""

HELP = f"""
import sys

from answer_selection.pipelines.commands.cli import main

sys.argv = ["answer-selection", "--help"]
try:
    main()
finally:
    print(*sorted({{"haystack", "pydantic", "elasticsearch", "tantivy", *{HEAVY}}} & set(sys.modules)), "imported")
"""

ASK = f"""
import sys
from pathlib import Path

from answer_selection.pipelines.commands.cli import main

Path("faq.md").write_text("# Where can I renew a card?" + chr(10) * 2 + "At any desk." + chr(10), encoding="utf-8")
for words in (["index", "faq.md", "--index", "faq-index"], ["ask", "Where are cards renewed?", "--index", "faq-index"]):
    sys.argv = ["answer-selection", *words]
    try:
        main()
    except SystemExit as end:
        assert not end.code
print(*sorted(set({HEAVY}) & set(sys.modules)))
"""


def output_of(program: str, folder: object) -> str:
    """What a program prints in a process of its own that has imported nothing yet."""
    return subprocess.run(
        [sys.executable, "-c", program], cwd=str(folder), check=True, capture_output=True, text=True
    ).stdout


@pytest.mark.slow
def test_what_converts_stores_and_retrieves_works_without_torch(tmp_path):
    assert output_of(WITHOUT_TORCH, tmp_path).split() == []


def test_help_imports_nothing_heavy(tmp_path):
    printed = output_of(HELP, tmp_path)
    assert "Put the right answer of an FAQ" in printed
    assert printed.splitlines()[-1].split() == ["imported"]


@pytest.mark.slow
def test_a_question_imports_nothing_that_its_pipeline_does_without(tmp_path):
    printed = output_of(ASK, tmp_path)
    assert "At any desk." in printed
    # Numba imports scipy where it is installed.
    assert set(printed.splitlines()[-1].split()) - {"scipy"} == {"tokenizers", "torch", "transformers"}
