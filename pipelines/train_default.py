# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Trains the model that ships with the package, and measures it, on SQuAD's sentences (Du et al. 2017; CC BY-SA 4.0).

    python pipelines/train_default.py --data FOLDER --output FOLDER

The data's folder holds {src,tgt}-{dev,test}.txt. The model learns from dev; runs of 500 neighbouring lines of it, a
tenth of all, are held out and decide when to stop and how much of BM25's score is mixed in. With --test, the questions
of test are asked end to end, once, at the end.
"""

import shutil
from pathlib import Path
from typing import Annotated

import typer
from answer_selection.indexing.corpus import Query, write_corpus, write_queries
from answer_selection.indexing.sources import Sources
from answer_selection.indexing.squad_sentences import read_squad_sentences, split_blocks
from answer_selection.pipelines import pipeline_files
from answer_selection.pipelines.build_index import build_index
from answer_selection.pipelines.console import STDOUT, bar, guarded
from answer_selection.pipelines.evaluate_ranking import evaluate_end_to_end
from answer_selection.pipelines.evaluation.report import Report, render
from answer_selection.pipelines.recipe import read_recipe
from answer_selection.pipelines.train_ranker import (
    adapt,
    corpus_texts,
    mine_lists,
    refuse_model,
    train_from_lists,
)
from haystack_integrations.components.rankers.answer_selection.training.model_card import DataSource
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

SOURCE = (
    "Sentences of English Wikipedia articles and crowd workers' questions to them: SQuAD (Rajpurkar et al. 2016) in "
    "the sentence-level form of Du et al. 2017, https://github.com/xinyadu/nqg"
)
LICENCE = "CC-BY-SA-4.0"
BLOCK = 500


def index_part(data: Path, part: str, work: Path) -> tuple[TantivyDocumentStore, list[Query]]:
    """
    Index one part's sentences, or take the index that is there.

    :param data: The data's folder.
    :param part: "dev" or "test".
    :param work: Where corpus, queries and index go.
    :returns: The store, and the part's queries.
    """
    entries, queries = read_squad_sentences(data / f"src-{part}.txt", data / f"tgt-{part}.txt")
    asked = list(queries)
    store = TantivyDocumentStore(path=work / f"{part}-index")
    corpus = work / f"{part}-corpus.jsonl"
    if not corpus.exists():
        work.mkdir(parents=True, exist_ok=True)
        write_corpus(work / f"{part}-corpus.part.jsonl", entries)
        write_queries(work / f"{part}-queries.jsonl", asked)
        shutil.rmtree(work / f"{part}-index", ignore_errors=True)
        build_index(store, Sources([work / f"{part}-corpus.part.jsonl"], require_question=False, strict=True))
        (work / f"{part}-corpus.part.jsonl").rename(corpus)
    return store, asked


def train_default(
    data: Annotated[Path, typer.Option(help="Folder with src-dev.txt, tgt-dev.txt, src-test.txt, tgt-test.txt.")],
    output: Annotated[Path, typer.Option(help="The model folder to write.")],
    work: Annotated[
        Path, typer.Option(help="Folder for indexes, candidate lists and results; reused by a second run.")
    ] = Path("answer-selection-runs/squad-sentences"),
    recipe: Annotated[str, typer.Option(help="A recipe's YAML file, or the name of a shipped one.")] = "small_ctrn",
    seed: Annotated[int, typer.Option(help="Seed of weights, dropout and sampling; the split stays.")] = 0,
    test: Annotated[bool, typer.Option("--test", help="Ask the questions of test at the end.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a model that is there.")] = False,
) -> None:
    """Train the package's own model on SQuAD's sentences."""
    refuse_model(output, overwrite=overwrite)
    wanted = read_recipe(recipe)
    store, queries = index_part(data, "dev", work)
    parts = split_blocks(queries, BLOCK, {"train": 0.9, "validation": 0.1}, seed=0)
    lists = mine_lists(
        store,
        work / f"lists-{wanted.negatives}-{wanted.keep_top}",
        bar,
        queries=parts["train"],
        validation=parts["validation"],
        negatives=wanted.negatives,
        keep_top=wanted.keep_top,
    )
    texts = corpus_texts(store, parts["train"])
    result = train_from_lists(
        lists,
        output,
        wanted,
        bar,
        start="scratch",
        texts=texts,
        sources=[DataSource("squad-sentences, dev", LICENCE, SOURCE, "training, validation, word vectors")],
        summary="The small CTRN that answer-selection-haystack uses when no model is named, and that training on a "
        "small FAQ starts from.",
        seed=seed,
    )
    shutil.rmtree(output / "logs", ignore_errors=True)
    if result.validation is not None:
        STDOUT.print(result.validation.verdict())
    if test:
        report = measure(data, output, work, work / f"test-{output.name}")
        STDOUT.print(render(report, title="SQuAD's sentences, test, end to end"))


def measure(data: Path, model: Path, work: Path, results: Path) -> Report:
    """
    Ask the questions of test end to end, by the shipped pipeline.

    The model is brought to the corpus of test first, without its questions: a corpus has to be there to be asked.

    :param data: The data's folder.
    :param model: The model's folder.
    :param work: Where corpus, queries and index are.
    :param results: Where the results go.
    :returns: The report.
    """
    store, _ = index_part(data, "test", work)
    adapted = work / f"{model.name}-adapted"
    adapt(store, adapted, start=model, licence=LICENCE)
    definition = pipeline_files.point_at(pipeline_files.read("answer"), index=store.path, model=adapted)
    store.close()
    return evaluate_end_to_end(definition, work / "test-queries.jsonl", results, overwrite=True)


if __name__ == "__main__":
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(train_default)
    guarded(app)
