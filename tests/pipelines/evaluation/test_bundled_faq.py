# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The README's main command, with a part of the FAQ."""

import json
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import pytest

from answer_selection.pipelines.commands.console import bar
from answer_selection.pipelines.evaluation import bundled_faq
from answer_selection.pipelines.evaluation.bundled_faq import ask_bundled_faq
from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

pytestmark = pytest.mark.slow

RUN = Path("answer-selection-runs") / "library-faq"


ENTRIES, QUESTIONS = 24, 16


@pytest.fixture(autouse=True)
def a_part_of_the_faq(tmp_path_factory, monkeypatch):
    """Its first entries, and questions about them."""
    folder = tmp_path_factory.mktemp("part")
    with bundled_faq.library_file("faq.jsonl") as faq, bundled_faq.library_file("test.jsonl") as test:
        entries = faq.read_text(encoding="utf-8").splitlines()
        questions = test.read_text(encoding="utf-8").splitlines()
    assert (len(entries), len(questions)) == (252, 536)
    ids = {json.loads(line)["id"] for line in entries[:ENTRIES]}
    asked = [line for line in questions if ids & set(json.loads(line)["relevant"])][:QUESTIONS]
    assert len(asked) == QUESTIONS
    for name, lines in (("faq.jsonl", entries[:ENTRIES]), ("test.jsonl", asked)):
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    monkeypatch.setattr(bundled_faq, "library_file", lambda name: nullcontext(folder / name))


def test_one_command_indexes_asks_and_prints_one_table_and_reuses_what_is_there(command, tmp_path):
    first = command("eval")
    assert first.code == 0
    for text in (
        "hybrid + ranker",
        "P@1",
        "MRR",
        "MAP",
        "recall@10",
        "p-value",
        f"results and every question: {RUN / 'eval-test'}",
    ):
        assert text in first.out, first.out
    for step in ("indexing the FAQ", "asking the held-out questions"):
        assert step in first.err

    folder = tmp_path / RUN
    assert TantivyDocumentStore.open(folder / "index").count_documents() == ENTRIES
    results = json.loads((folder / "eval-test" / "results.json").read_text(encoding="utf-8"))
    assert results["questions"]["counted"] == QUESTIONS

    index = (folder / "index" / "index" / "meta.json").read_bytes()
    second = command("eval")
    assert second.code == 0
    assert f"index: {RUN / 'index'} exists" in second.err
    assert "indexing" not in second.err
    assert (folder / "index" / "index" / "meta.json").read_bytes() == index


def test_goes_on_where_it_was_killed(tmp_path, monkeypatch):
    class KilledError(Exception):
        pass

    def kill(*_, **__):
        raise KilledError

    run = partial(ask_bundled_faq, tmp_path / "killed", bar, print)
    for step in ("build_index", "evaluate_end_to_end"):
        with monkeypatch.context() as context, pytest.raises(KilledError):
            context.setattr(bundled_faq, step, kill)
            run()
    # An index that was only begun is made anew.
    (tmp_path / "begun" / "index").mkdir(parents=True)
    whole = ask_bundled_faq(tmp_path / "begun", bar, print)
    assert run().means == whole.means


def test_another_encoder_has_a_folder_of_its_own(command, tiny_encoder, tmp_path):
    done = command("eval", "--encoder", tiny_encoder)
    assert done.code == 0, done.err
    folder = tmp_path / f"{RUN}-{tiny_encoder.name}"
    results = json.loads((folder / "eval-test" / "results.json").read_text(encoding="utf-8"))
    assert list(results["stages"]) == ["bm25", "vectors", "hybrid", "ranker"]
    assert TantivyDocumentStore.open(folder / "index").encoder == SentenceEncoder.load(tiny_encoder).record
    assert "minus hybrid" in done.out

    # Another encoder of that name makes another index: not in the place of the first one, but where that is asked for.
    folder.rename(other := tmp_path / f"{RUN}-none")
    refused = command("eval", "--encoder", "none")
    assert refused.code == 2
    assert f"{other.relative_to(tmp_path) / 'index'} was made from something else" in refused.err
    assert "--overwrite" in refused.err
    assert command("eval", "--encoder", "none", "--overwrite").code == 0
    results = json.loads((other / "eval-test" / "results.json").read_text(encoding="utf-8"))
    assert list(results["stages"]) == ["bm25", "ranker"]
