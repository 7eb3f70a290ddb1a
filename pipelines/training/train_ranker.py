# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""From a corpus in an index, or from candidate lists, to a trained model folder with its card."""

import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from answer_selection.indexing.artifact import text_digest
from answer_selection.indexing.candidates import read_candidates, write_jsonl
from answer_selection.indexing.corpus import Query, split_by_entry
from answer_selection.indexing.corpus_index import CorpusIndex
from answer_selection.indexing.held_out import split_queries, unlearned_entries
from answer_selection.indexing.negatives import ANSWER_TEXT_ALONE, mine
from answer_selection.indexing.progress import Progress
from answer_selection.indexing.text.sameness import sameness
from answer_selection.pipelines.training.recipe import Recipe, Vectors
from answer_selection.pipelines.training.trees import Trees
from haystack_integrations.components.rankers.answer_selection import AnswerRanker
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.base import AnswerSelectionModel, Collator
from haystack_integrations.components.rankers.answer_selection.training.model_card import (
    DataSource,
    ModelCard,
    card_of,
    write_model_card,
)
from haystack_integrations.components.rankers.answer_selection.training.processes import Processes
from haystack_integrations.components.rankers.answer_selection.training.trainer import TrainingResult, train
from haystack_integrations.components.rankers.answer_selection.training.vectors import (
    Matrix,
    corpus_vectors,
    file_vectors,
    random_vectors,
)

Texts = Callable[[], Iterable[str]]

# Candidates in a validation list: what the shipped pipelines' retriever hands to the ranker.
RETRIEVED = 30
# As deep is searched for them where only some of the entries may be among them.
SEARCHED = 1000
LISTS = "lists"
# What a run leaves in its folder.
_RUN_FOLDERS = (LISTS, "checkpoints", "logs")


@dataclass(frozen=True, slots=True)
class Lists:
    """
    Files of candidate lists.

    :param train: To learn from.
    :param validation: To stop and to choose by, if there are any.
    :param real: Whether the validation lists are real queries with what the retriever gave for them.
    """

    train: Path
    validation: Path | None
    real: bool = False


def own_questions(index: CorpusIndex) -> Iterator[Query]:
    """
    Give an FAQ's own questions as queries, each with its entry as the relevant one.

    :param index: The FAQ's index.
    :returns: The queries, in the index's order; entries without a question or an answer are left out.
    """
    for page in index.iter_pages(["id", "content", "meta.question"]):
        for row in page:
            if row["meta.question"] and row["content"]:
                yield Query(row["id"], str(row["meta.question"]), (row["id"],))


def mine_lists(
    index: CorpusIndex,
    folder: Path,
    progress: Progress,
    *,
    queries: Iterable[Query] | None = None,
    validation: Iterable[Query] | None = None,
    validation_part: float = 0.1,
    negatives: int = 50,
    keep_top: int = 25,
    seed: int = 0,
) -> Lists:
    """
    Mine candidate lists from an index. Done again with the same arguments, what is there is used.

    Where no validation queries are given, a part of the training queries is held out. No question and no answer is in
    both parts. The answers of held-out queries, and as large a part of the entries that no query asks for, are neither
    positives nor negatives of training. A held-out query's candidates are of these entries alone, so that none of its
    list was ever learned from; see :mod:`answer_selection.indexing.held_out`.

    Validation queries that are given are treated alike if their answers are no training query's. If these are learned
    from, as those of an FAQ are whose own questions are the training queries, so is everything beside them, and the
    whole index is searched.

    Validation queries that are given, and held-out ones that most are not an entry's own question, search what the
    deployed retriever searches. The entries' own questions search the answers alone: they would find themselves.

    :param index: The corpus's index.
    :param folder: Where the lists are written.
    :param progress: Shows progress.
    :param queries: Queries to learn from; the corpus's own questions by default.
    :param validation: Real queries to stop and to choose by, if there are any.
    :param validation_part: The part of the entries that is held out.
    :param negatives: Negatives a training list.
    :param keep_top: So many of them are the best-ranked ones, the others are sampled from the top 1000.
    :param seed: Seed of the sampling and of the split.
    :returns: The files.
    :raises ValueError: If there is no query to learn from.
    """
    asked = list(own_questions(index) if queries is None else queries)
    answers, questions = {}, {}
    for page in index.iter_pages(["id", "content", "meta.question"]):
        for row in page:
            if row["content"]:
                answers[row["id"]] = sameness(row["content"])
            if row["meta.question"]:
                questions[row["id"]] = sameness(str(row["meta.question"]))
    # A search over the entries' questions finds these themselves: it is then no search that a user would make.
    own = sum(sameness(query.query) in {questions.get(entry) for entry in query.relevant} for query in asked)
    real = validation is not None or 2 * own < len(asked)
    if validation is None:
        shares = {"train": 1 - validation_part, "validation": validation_part}
        parts = split_queries(asked, answers, shares, seed)
        # Of very few questions none may be held out, or all.
        if not parts["train"]:
            parts = {"train": parts["validation"], "validation": []}
        asked, validation = parts["train"], parts["validation"]
    validation = list(validation)
    if not asked:
        msg = "no question to learn from: the corpus's entries have none; name queries (queries.jsonl)"
        raise ValueError(msg)
    held_out = unlearned_entries(answers, asked, validation, validation_part, seed)
    train_lists, validation_lists = folder / "train.jsonl", folder / "validation.jsonl"
    mine_training(
        index, asked, train_lists, progress, negatives=negatives, keep_top=keep_top, seed=seed, held_out=held_out
    )
    if not validation:
        return Lists(train_lists, None)
    fields = index.search_fields if real else ANSWER_TEXT_ALONE
    mine_validation(index, validation, validation_lists, progress, fields=fields, held_out=held_out)
    return Lists(train_lists, validation_lists, real)


def mine_training(
    index: CorpusIndex,
    queries: list[Query],
    output: Path,
    progress: Progress,
    *,
    negatives: int,
    keep_top: int,
    seed: int = 0,
    held_out: Collection[str] = (),
) -> None:
    """
    Mine lists to learn from. They search the answers' text alone, see :mod:`answer_selection.indexing.negatives`.

    :param index: The index.
    :param queries: The queries.
    :param output: The lists' file.
    :param progress: Shows progress.
    :param negatives: Negatives a list.
    :param keep_top: So many of them are the best-ranked ones, the others are sampled from the top 1000.
    :param seed: Seed of the sampling.
    :param held_out: Ids of entries that are kept apart.
    """
    with progress("sampling negatives", len(queries)) as bar:
        mine(
            index,
            queries,
            output=output,
            negatives=negatives,
            keep_top=keep_top,
            seed=seed,
            held_out=held_out,
            progress=bar,
        )


def mine_validation(
    index: CorpusIndex,
    queries: list[Query],
    output: Path,
    progress: Progress,
    *,
    fields: Mapping[str, float],
    held_out: Collection[str] = (),
) -> None:
    """
    Mine lists to stop and to choose by: what a ranker will see, the first BM25 candidates.

    :param index: The index.
    :param queries: The queries.
    :param output: The lists' file.
    :param progress: Shows progress.
    :param fields: What is searched, with boosts.
    :param held_out: Ids of entries that are kept apart. A list then has the first candidates among these, or among the
        others, of the top 1000.
    """
    with progress("retrieving for validation", len(queries)) as bar:
        mine(
            index,
            queries,
            output=output,
            mode="retrieved",
            depth=SEARCHED if held_out else RETRIEVED,
            longest=RETRIEVED,
            fields=fields,
            held_out=held_out,
            progress=bar,
        )


def make_model(
    recipe: Recipe, start: str | Path, texts: Texts, *, seed: int = 0, vectors_cache: Path | None = None
) -> tuple[AnswerSelectionModel, Collator]:
    """
    Make the model to train.

    :param recipe: Which one, from scratch: with new word vectors, or over the encoder that it names.
    :param start: "scratch", "default" (the package's own model), or a model folder. A trained model that reads words
        gets the corpus's idf, and a row for each of its words.
    :param texts: Gives all texts to learn from, at each call anew.
    :param seed: Seed of the weights and the word vectors.
    :param vectors_cache: Folder where word vectors of a corpus are kept, for other models on the same texts.
    :returns: The model and its collator.
    """
    if start != "scratch":
        trained, collator = registry.load(start_folder(start))
        return trained.extend(collator, texts)

    def word_vectors(vocabulary: Sequence[str], size: int) -> Matrix:
        wanted = recipe.vectors
        if wanted.source == "random":
            return random_vectors(len(vocabulary), size, seed=seed)
        if wanted.source == "corpus":
            return _corpus_vectors(wanted, texts, vocabulary, size, seed, vectors_cache)
        return file_vectors(Path(wanted.source), vocabulary, size=size, seed=seed).matrix

    torch.manual_seed(seed)
    return registry.build(recipe.name, texts(), max_words=recipe.max_words, word_vectors=word_vectors, **recipe.options)


def _corpus_vectors(
    wanted: Vectors, texts: Texts, vocabulary: Sequence[str], size: int, seed: int, cache: Path | None
) -> Matrix:
    """Word vectors trained on the texts, or those that were trained on the same texts for the same words before."""
    kept = None
    if cache is not None:
        known = text_digest(texts(), repr((wanted, size, seed, list(vocabulary))).encode())
        kept = cache / f"{known}.npy"
        if kept.exists():
            matrix: Matrix = np.load(kept)
            return matrix
    matrix = corpus_vectors(
        texts,
        vocabulary,
        size,
        method=wanted.method,  # type: ignore[arg-type]
        epochs=wanted.epochs,
        window=wanted.window,
        seed=seed,
    ).matrix
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        part = kept.with_suffix(".part.npy")
        np.save(part, matrix)
        part.replace(kept)
    return matrix


def start_folder(start: str | Path) -> Path:
    """
    Find the trained model that a run starts from.

    :param start: "default" (the package's own model), or a model folder.
    :returns: Its folder.
    """
    folder = AnswerRanker.default_model if start == "default" else Path(start)
    assert folder is not None
    return folder


def is_over_encoder(start: str | Path) -> bool:
    """
    Tell whether a trained model is one over a pretrained encoder.

    :param start: See :func:`start_folder`.
    :returns: Whether it is; False where there is no model folder.
    """
    model = registry.class_of(start_folder(start))
    return model is not None and model.over_encoder


def adapted(model: str | Path, texts: Texts) -> tuple[AnswerSelectionModel, Collator]:
    """
    Bring a trained model to a corpus, without labels: its words, their vectors, its idf.

    :param model: "default" (the package's own model), or a model folder.
    :param texts: Gives the corpus's texts, at each call anew.
    :returns: The model and its collator.
    :raises ValueError: If the model does not read words.
    """
    folder = start_folder(model)
    loaded, collator = registry.load(folder)
    if loaded.over_encoder:
        msg = f"{folder}: a model of the type {loaded.config.model_type!r} has no vocabulary to extend"
        raise ValueError(msg)
    return loaded.extend(collator, texts)


def adapt(index: CorpusIndex, output: Path, *, start: str | Path = "default", licence: str) -> None:
    """
    Write a model folder of a trained model, brought to a corpus; nothing is trained.

    :param index: The corpus's index.
    :param output: The model folder to be.
    :param start: "default" (the package's own model), or a model folder.
    :param licence: The corpus's licence, for the card.
    """
    model, collator = adapted(start, corpus_texts(index))
    registry.save(output, model, collator)
    _write_card(
        output,
        model,
        summary=f"The model `{start}`, brought to the corpus in `{index.label}`: its words and its idf. "
        "Nothing was trained.",
        sources=[
            DataSource(index.label, licence, index.location, "vocabulary, word vectors, idf"),
            card_of(start_folder(start), "the model that was brought to the corpus"),
        ],
        settings={"start": {"from": str(start)}},
    )


def train_from_lists(
    lists: Lists,
    output: Path,
    recipe: Recipe,
    progress: Progress,
    *,
    start: str | Path,
    texts: Texts,
    sources: list[DataSource],
    summary: str,
    seed: int = 0,
    vectors_cache: Path | None = None,
    trees: Trees | None = None,
) -> TrainingResult:
    """
    Train a model on candidate lists, and write its folder with the card.

    :param lists: The lists.
    :param output: The model folder to be.
    :param recipe: How to train, and what from scratch.
    :param progress: Shows progress.
    :param start: See :func:`make_model`.
    :param texts: See :func:`make_model`.
    :param sources: Where the data comes from, for the card.
    :param summary: What the model is, for the card.
    :param seed: Seed of everything that is drawn.
    :param vectors_cache: See :func:`make_model`.
    :param trees: Where the trees of texts that have none come from, for a model that reads trees; None if all have one.
    :returns: What came out.
    """
    with progress("preparing the model", None):
        model, collator = make_model(recipe, start, texts, seed=seed, vectors_cache=vectors_cache)
    if trees is not None and model.reads_trees:
        lists = Processes.joined(use_cpu=recipe.training.use_cpu).once(
            lambda: _with_trees(lists, trees, output / LISTS / "with_trees", progress)
        )
    if recipe.retriever_weight is not None:
        model.config.retriever_weight = recipe.retriever_weight
    settings = replace(recipe.training, seed=seed, choose_retriever_weight=lists.real)
    with progress("training", None) as bar:
        result = train(
            model,
            collator,
            lists.train,
            lists.validation,
            output,
            settings,
            progress=lambda step, steps, _: bar(step, steps),
        )
    if Processes.joined(use_cpu=settings.use_cpu).main:
        _write_card(
            output,
            model,
            summary=summary,
            sources=sources,
            settings={
                "training": settings.to_dict(),
                "start": {"from": str(start)}
                | (asdict(recipe.vectors) if start == "scratch" and not model.over_encoder else {})
                | ({"trees": recipe.trees} if model.reads_trees else {}),
            },
            result=result,
        )
    return result


def _beginnings(recipe: Recipe, start: str | Path) -> list[DataSource]:
    """What a model's training began with, for its card: a trained model, or an encoder."""
    if start != "scratch":
        return [card_of(start_folder(start), "the model that training started from")]
    encoder = recipe.options.get("encoder")
    return [card_of(Path(encoder), "pretrained encoder")] if isinstance(encoder, str) else []


def _with_trees(lists: Lists, trees: Trees, folder: Path, progress: Progress) -> Lists:
    """Lists whose texts all have a tree."""
    train, validation = (
        None if path is None else trees.complete(path, folder / name, progress)
        for name, path in (("train.jsonl", lists.train), ("validation.jsonl", lists.validation))
    )
    assert train is not None
    return replace(lists, train=train, validation=validation)


def _write_card(
    output: Path,
    model: AnswerSelectionModel,
    *,
    summary: str,
    sources: list[DataSource],
    settings: Mapping[str, Mapping[str, Any]],
    result: TrainingResult | None = None,
) -> None:
    """Write a folder's card. Its licences are those of the data; what is told of the model goes behind the settings."""
    card = ModelCard(
        name=output.name,
        ranker=AnswerRanker.__name__,
        module=AnswerRanker.__module__,
        summary=summary,
        sources=sources,
        settings={**settings, "model": _settings_of(model)},
        result=result,
    )
    write_model_card(output, card)


def _settings_of(model: AnswerSelectionModel) -> Mapping[str, Any]:
    """What is worth telling of a model's configuration."""
    hidden = ("stop_words", "transformers_version", "architectures", "dtype", "id2label", "label2id")
    return {name: value for name, value in model.config.to_diff_dict().items() if name not in hidden}


def corpus_texts(index: CorpusIndex, queries: Iterable[Query] = ()) -> Texts:
    """
    Give a corpus's texts: answers, the entries' own questions, and queries.

    :param index: The corpus's index.
    :param queries: Queries that are learned from.
    :returns: A function that streams them at each call anew.
    """
    asked = [query.query for query in queries]

    def texts() -> Iterator[str]:
        for page in index.iter_pages(["content", "meta.question"]):
            for row in page:
                yield from (str(text) for text in (row["content"], row["meta.question"]) if text)
        yield from asked

    return texts


def list_texts(lists: Path) -> Texts:
    """
    Give the texts of candidate lists: the different answers, and the queries.

    :param lists: The lists' file.
    :returns: A function that streams them at each call anew.
    """

    def texts() -> Iterator[str]:
        seen: set[str] = set()
        for candidates in read_candidates(lists):
            yield candidates.query
            for candidate in candidates.candidates:
                if candidate.answer not in seen:
                    seen.add(candidate.answer)
                    yield candidate.answer

    return texts


def train_from_index(
    index: CorpusIndex,
    output: Path,
    recipe: Recipe,
    progress: Progress,
    *,
    start: str | Path = "default",
    queries: list[Query] | None = None,
    validation: list[Query] | None = None,
    licence: str = "not stated",
    seed: int = 0,
    trees: Trees | None = None,
) -> TrainingResult:
    """
    Train a ranker on a corpus: on its own questions, or on queries that are given.

    :param index: The corpus's index.
    :param output: The model folder to be. The candidate lists stay in it.
    :param recipe: How to train, and what from scratch.
    :param progress: Shows progress.
    :param start: See :func:`make_model`.
    :param queries: Queries to learn from; the corpus's own questions by default.
    :param validation: Real queries to stop and to choose by.
    :param licence: The data's licence, for the card.
    :param seed: Seed of everything that is drawn.
    :param trees: See :func:`train_from_lists`.
    :returns: What came out.
    """
    lists = Processes.joined(use_cpu=recipe.training.use_cpu).once(
        lambda: mine_lists(
            index,
            output / LISTS,
            progress,
            queries=queries,
            validation=validation,
            negatives=recipe.negatives,
            keep_top=recipe.keep_top,
            seed=seed,
        )
    )
    texts = corpus_texts(index, queries or ())
    source = DataSource(index.label, licence, index.location, "training")
    return train_from_lists(
        lists,
        output,
        recipe,
        progress,
        start=start,
        texts=texts,
        sources=[source, *_beginnings(recipe, start)],
        summary=f"Ranks the answers of the corpus in `{index.label}`, trained on "
        + ("that corpus's own questions." if queries is None else "queries to it."),
        seed=seed,
        trees=trees,
    )


def train_from_candidates(
    candidates: Path,
    output: Path,
    recipe: Recipe,
    progress: Progress,
    *,
    start: str | Path = "default",
    validation: Path | None = None,
    licence: str = "not stated",
    seed: int = 0,
    trees: Trees | None = None,
) -> TrainingResult:
    """
    Train a ranker on given candidate lists.

    :param candidates: Lists to learn from, in any form that `read_candidates` reads.
    :param output: The model folder to be.
    :param recipe: How to train, and what from scratch.
    :param progress: Shows progress.
    :param start: See :func:`make_model`.
    :param validation: Lists to stop and to choose by; without them a tenth of the lists is held out.
    :param licence: The data's licence, for the card.
    :param seed: Seed of everything that is drawn.
    :param trees: See :func:`train_from_lists`.
    :returns: What came out.
    """
    if validation is None:
        shares = {"train": 0.9, "validation": 0.1}
        parts = split_by_entry(read_candidates(candidates), lambda one: one.query_id, shares, seed=seed)
        # Of very few lists none may be held out, or all.
        if not parts["train"]:
            parts = {"train": parts["validation"], "validation": []}
    else:
        parts = {"train": list(read_candidates(candidates)), "validation": list(read_candidates(validation))}
    paths = {name: output / LISTS / f"{name}.jsonl" for name, part in parts.items() if part}
    if "train" not in paths:
        msg = f"{candidates}: no candidate list to learn from"
        raise ValueError(msg)

    def write() -> None:
        (output / LISTS).mkdir(parents=True, exist_ok=True)
        for name, path in paths.items():
            write_jsonl(path, parts[name])

    Processes.joined(use_cpu=recipe.training.use_cpu).once(write)
    lists = Lists(paths["train"], paths.get("validation"))
    texts = list_texts(lists.train)
    return train_from_lists(
        lists,
        output,
        recipe,
        progress,
        start=start,
        texts=texts,
        sources=[DataSource(candidates.name, licence, str(candidates), "training"), *_beginnings(recipe, start)],
        summary=f"Ranks answers, trained on the candidate lists of `{candidates.name}`.",
        seed=seed,
        trees=trees,
    )


def refuse_model(output: Path, *, files: Collection[str] = registry.FILES, overwrite: bool) -> None:
    """
    Make sure that no model, nor anything else, is overwritten without being asked.

    An unfinished run is left to be gone on with.

    :param output: The model folder to be.
    :param files: The files that a model is.
    :param overwrite: Whether a model or an unfinished run that is there may go; other files stay.
    :raises FileExistsError: If a model or other files are there and `overwrite` is False, or it is a file.
    """
    if not output.exists():
        return
    if not output.is_dir():
        msg = f"{output} is a file; expected a new or empty folder for the model"
        raise FileExistsError(msg)
    if overwrite:
        for name in (*files, "README.md", *_RUN_FOLDERS):
            path = output / name
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        return
    # A run that was killed while it saved its model still has its checkpoints: it goes on, and saves again.
    unfinished = (output / "checkpoints" / "run.json").exists()
    if (output / "model.safetensors").exists() and not unfinished:
        msg = f"{output} holds a model already: name another folder, or allow overwriting it (overwrite=True)"
        raise FileExistsError(msg)
    known = {*_RUN_FOLDERS, *((*files, "README.md") if unfinished else ())}
    if strangers := sorted(path.name for path in output.iterdir() if path.name not in known):
        msg = (
            f"{output} holds other files ({', '.join(strangers[:3])}); expected a new or empty folder for the model "
            "(overwrite=True writes it there all the same)"
        )
        raise FileExistsError(msg)
