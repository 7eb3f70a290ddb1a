# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The bundled FAQ, from its file to figures: index it, ask the held-out questions."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from answer_selection.indexing.artifact import Artifact, digest
from answer_selection.indexing.building.embedded import build_index
from answer_selection.indexing.entries import iter_entries
from answer_selection.indexing.progress import Progress
from answer_selection.indexing.sources import Sources
from answer_selection.pipelines.definitions import pipeline_yaml
from answer_selection.pipelines.evaluation.evaluate_ranking import evaluate_end_to_end
from answer_selection.pipelines.evaluation.report import Report
from answer_selection.pipelines.index_time.encoders import DEFAULT_ENCODER, NO_ENCODER, load_encoder, load_word_reader
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore


@contextmanager
def library_file(name: str) -> Iterator[Path]:
    """
    Give a file of the bundled FAQ.

    :param name: "faq.jsonl", "validation.jsonl" or "test.jsonl".
    :returns: A context with its path.
    """
    with as_file(files("answer_selection.indexing.library_faq").joinpath(name)) as path:
        yield path


def ask_bundled_faq(
    folder: Path,
    progress: Progress,
    tell: Callable[[str], object],
    *,
    seed: int = 0,
    encoder: str | None = DEFAULT_ENCODER,
    overwrite: bool = False,
) -> Report:
    """
    Index the bundled FAQ, and ask the shipped pipeline its held-out questions.

    An index that is there from an earlier run is used again if it was made from the same data and encoder.

    :param folder: Where the index, in `index`, and the results, in `eval-test`, go.
    :param progress: Shows progress.
    :param tell: Gets a line if the index is there already.
    :param seed: Seed of the significance tests.
    :param encoder: What makes the entries' vectors: a folder, a name on the hub or that of the package's own encoder.
        None or "none" is BM25 alone.
    :param overwrite: Whether an index that was made from other data or by another encoder may be replaced.
    :returns: The evaluation.
    :raises FileExistsError: If there is one and `overwrite` is False.
    """
    index = folder / "index"
    encodes = None if encoder in (None, NO_ENCODER) else load_encoder(encoder)
    definition = pipeline_yaml.point_at(pipeline_yaml.read("answer"), index=index)
    with library_file("faq.jsonl") as faq, library_file("test.jsonl") as held_out:
        inputs = {"faq": digest(faq)} | ({"encoder": encodes.record.fingerprint} if encodes else {})
        made = Artifact(index)
        if made.is_made_from(inputs, overwrite=overwrite):
            tell(f"index: {index} exists")
        else:
            # Without a record it is what a killed run left.
            made.forget()
            shutil.rmtree(index, ignore_errors=True)
            store = _store(definition)
            with progress("indexing the FAQ", sum(1 for _ in iter_entries(faq))) as bar:
                words = load_word_reader(encodes)
                build_index(store, Sources([faq], strict=True), encoder=encodes, words=words, progress=bar)
            store.close()
            made.write_record(inputs)
        return evaluate_end_to_end(
            # Anew: an index without vectors has nothing that embeds questions.
            pipeline_yaml.point_at(pipeline_yaml.read("answer"), index=index),
            held_out,
            folder / "eval-test",
            progress,
            seed=seed,
            overwrite=True,
            description="asking the held-out questions",
        )


def _store(definition: dict[str, Any]) -> TantivyDocumentStore:
    """The store of the pipeline, so that what is indexed is what is searched."""
    return TantivyDocumentStore.from_dict(definition["components"]["retriever"]["init_parameters"]["document_store"])
