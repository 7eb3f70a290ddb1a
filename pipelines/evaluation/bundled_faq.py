# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The whole chain on the bundled FAQ: index it, learn from its own questions, ask the held-out ones."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
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
from answer_selection.pipelines.training.from_index import train_from_index
from answer_selection.pipelines.training.recipe import read_recipe
from answer_selection.pipelines.training.run_folder import refuse_model
from answer_selection.pipelines.training.starting_model import start_folder
from haystack_integrations.components.rankers.answer_selection.models.quantized_weights import weights_file
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

LICENCE = "CC0-1.0"


@dataclass(frozen=True, slots=True)
class Chain:
    """
    What the chain made.

    :param index: The index's folder.
    :param model: The model's folder.
    :param report: The evaluation.
    """

    index: Path
    model: Path
    report: Report


@contextmanager
def library_file(name: str) -> Iterator[Path]:
    """
    Give a file of the bundled FAQ.

    :param name: "faq.jsonl", "validation.jsonl" or "test.jsonl".
    :returns: A context with its path.
    """
    with as_file(files("answer_selection.indexing.library_faq").joinpath(name)) as path:
        yield path


def run_chain(
    folder: Path,
    progress: Progress,
    tell: Callable[[str], object],
    *,
    seed: int = 0,
    recipe: str | Path = "fine_tune",
    start: str | Path = "default",
    encoder: str | None = DEFAULT_ENCODER,
    overwrite: bool = False,
) -> Chain:
    """
    Index the bundled FAQ, train a ranker on its own questions alone, and ask the held-out questions.

    What is there from an earlier run is used again if it was made from the same data and settings. An unfinished run
    goes on.

    :param folder: Where index, model and report go.
    :param progress: Shows progress.
    :param tell: Gets a line for each that is there already.
    :param seed: Seed of everything that is drawn.
    :param recipe: How to train: a recipe's YAML file, or the name of a shipped one.
    :param start: What to start from: "default" (the package's own model), a model folder, or "scratch".
    :param encoder: What makes the entries' vectors: a folder, a name on the hub or that of the package's own encoder.
        None or "none" is BM25 alone.
    :param overwrite: Whether an index or a model that was made from other data or settings may be replaced.
    :returns: What was made.
    :raises FileExistsError: If there is one and `overwrite` is False.
    """
    index, model, results = folder / "index", folder / "model", folder / "eval-test"
    encodes = None if encoder in (None, NO_ENCODER) else load_encoder(encoder)
    with library_file("faq.jsonl") as faq, library_file("test.jsonl") as held_out:
        store = _store(pipeline_yaml.point_at(pipeline_yaml.read("answer"), index=index))
        inputs = {"faq": digest(faq)} | ({"encoder": encodes.record.fingerprint} if encodes else {})
        made_index, made_model = Artifact(index), Artifact(model)
        if made_index.is_made_from(inputs, overwrite=overwrite):
            tell(f"index: {index} exists")
        else:
            # Without a record it is what a killed run left.
            made_index.forget()
            shutil.rmtree(index, ignore_errors=True)
            with progress("indexing the FAQ", sum(1 for _ in iter_entries(faq))) as bar:
                words = load_word_reader(encodes)
                build_index(store, Sources([faq], strict=True), encoder=encodes, words=words, progress=bar)
            made_index.write_record(inputs)
        wanted = read_recipe(recipe)
        inputs |= {
            "recipe": sha256(repr(wanted).encode()).hexdigest(),
            "start": _start_digest(start),
            "seed": str(seed),
        }
        if made_model.is_made_from(inputs, overwrite=overwrite):
            tell(f"model: {model} exists")
        else:
            refuse_model(model, overwrite=overwrite)
            made_model.forget()
            train_from_index(store, model, wanted, progress, start=start, licence=LICENCE, seed=seed)
            made_model.write_record(inputs)
        store.close()
        definition = pipeline_yaml.point_at(pipeline_yaml.read("answer"), index=index, model=model)
        report = evaluate_end_to_end(
            definition,
            held_out,
            results,
            progress,
            seed=seed,
            overwrite=True,
            description="asking the held-out questions",
        )
    return Chain(index, model, report)


def _store(definition: dict[str, Any]) -> TantivyDocumentStore:
    """The store of the pipeline, so that what is indexed is what is searched."""
    return TantivyDocumentStore.from_dict(definition["components"]["retriever"]["init_parameters"]["document_store"])


def _start_digest(start: str | Path) -> str:
    if start == "scratch":
        return "scratch"
    weights = weights_file(start_folder(start))
    # A missing one is left to whoever reads the folder, and says what it lacks.
    return digest(weights) if weights.is_file() else "missing"
