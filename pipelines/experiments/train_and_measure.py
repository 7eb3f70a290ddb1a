# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Every seed's model of an experiment is trained and measured, once; what is there is used again."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from answer_selection.indexing.artifact import Artifact, digest
from answer_selection.indexing.progress import Progress, tracked
from answer_selection.indexing.whole_file import whole_file
from answer_selection.pipelines.evaluation.scores import Scores
from answer_selection.pipelines.experiments.data import PARTS, Dataset, open_dataset
from answer_selection.pipelines.experiments.data.candidate_lists import CandidateDataset
from answer_selection.pipelines.experiments.experiment import Experiment
from answer_selection.pipelines.experiments.experiment_result import ExperimentResult, SeedResult
from answer_selection.pipelines.experiments.published_encoder import PublishedEncoder
from answer_selection.pipelines.experiments.ranking_time import time_ranker
from answer_selection.pipelines.experiments.runs import Runs
from answer_selection.pipelines.experiments.shared_steps import (
    SourceStep,
    data_sources,
    files_named,
    make_way,
    named_sources,
    uses_of_texts,
)
from answer_selection.pipelines.training.from_lists import train_from_lists
from answer_selection.pipelines.training.lists import Lists
from answer_selection.pipelines.training.ranker_card import write_ranker_card
from answer_selection.pipelines.training.recipe import Recipe
from answer_selection.pipelines.training.teacher import reads_trees, teacher_folder
from answer_selection.pipelines.training.texts import Texts
from answer_selection.pipelines.training.trees import Trees
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.quantized_weights import weights_file
from haystack_integrations.components.rankers.answer_selection.training.device import affordable_precision
from haystack_integrations.components.rankers.answer_selection.training.model_card import DataSource
from haystack_integrations.components.rankers.answer_selection.training.teacher_scores import fingerprint
from haystack_integrations.components.rankers.answer_selection.training.weighing import recalibrate

_KEPT: Final = {"form of scores": "ranks"}  # not that of earlier versions


def run_experiment(
    experiment: Experiment,
    data: Path,
    runs: Runs,
    progress: Progress,
    *,
    test: bool = False,
    overwrite: bool = False,
    tree_cache: Path | None = None,
    corenlp_url: str | None = None,
) -> ExperimentResult:
    """
    Train and measure every seed's model.

    A seed that is finished is taken as it is, an interrupted one goes on. The validation part is always measured. The
    test part is scored only if that is asked for, once: scores that are there stay, unless `overwrite` is True.

    :param experiment: The experiment.
    :param data: The folder with all data sets' folders.
    :param runs: Where everything goes.
    :param progress: Shows progress.
    :param test: Whether to score the test part.
    :param overwrite: Whether a model that was made from other settings or data may be replaced, with its scores, and
        scores of the same model may be made again.
    :param tree_cache: The file that keeps parse trees, for models that read them; one among the runs by default.
    :param corenlp_url: The address of the CoreNLP server, for those that read its trees; None is its default.
    :returns: What came out.
    :raises FileExistsError: If there is a model from other settings or data, and `overwrite` is False.
    """
    taught = _taught(experiment, runs)
    dataset, trees = open_dataset(experiment.data, data, runs.work), None
    student_reads_trees = registry.MODELS[experiment.recipe.name].reads_trees
    if student_reads_trees or reads_trees(taught):
        trees = Trees(experiment.recipe.trees, tree_cache or runs.work / "trees.sqlite", corenlp_url)
        if student_reads_trees and trees.parser != "shallow" and not isinstance(dataset, CandidateDataset):
            msg = f"recipe.trees is '{trees.parser}', but the answers that are retrieved from {experiment.data} are "
            msg += "parsed by 'shallow' when they are ranked; expected that"
            raise ValueError(msg)
        dataset.trees = trees if student_reads_trees else None
    if experiment.signals:
        if not isinstance(dataset, CandidateDataset):
            msg = f"signals is for candidate lists, but the answers of {experiment.data} are retrieved, with a score; "
            msg += "expected an experiment without it"
            raise ValueError(msg)
        dataset.chooses_signals = True
    read = [dataset, *(open_dataset(name, data, runs.work) for name in experiment.texts)]
    encoder = None if experiment.encoder is None else PublishedEncoder.find(experiment.encoder, data)
    lists = dataset.lists(experiment.recipe, progress)
    assert lists.validation is not None
    texts = _texts(read, progress)
    source = SourceStep.of(experiment, encoder, data, runs.work, progress, trees)
    inputs = {
        "settings": experiment.digest,
        "training lists": digest(lists.train),
        "validation lists": digest(lists.validation),
    }
    inputs |= files_named(experiment.recipe)
    scores_cache = None
    if (followed := teacher_folder(taught)) is not None:
        inputs["teacher"] = fingerprint(followed)
        # Those of one teacher on the same lists serve all seeds, and all experiments.
        lists_and_teacher = "-".join((inputs["teacher"][:32], inputs["training lists"][:32], taught.trees))
        scores_cache = runs.work / "teachers" / lists_and_teacher
    inputs |= {name: step.key for name, step in (("encoder", encoder), ("source", source)) if step is not None}
    earlier = _earlier(runs.result(experiment.name))
    for seed in experiment.seeds:
        model = runs.model(experiment.name, seed)
        if not Artifact(model).is_made_from(inputs, overwrite=overwrite):
            # Scores that are there are of another model.
            for part in PARTS:
                runs.scores(experiment.name, seed, part).unlink(missing_ok=True)
            recipe, start = _beginning(taught, encoder, source, progress, overwrite=overwrite)
            unfinished = make_way(model, overwrite=overwrite)
            missing_trees = None if dataset.trees and isinstance(dataset, CandidateDataset) else trees
            if source is not None and source.source.alone:
                sources = [*data_sources([*source.used(), (dataset, "validation")]), *named_sources(encoder)]
                _take_as_it_is(Path(start), model, lists, experiment, sources, missing_trees, progress)
                seconds = None
            else:
                used = [(dataset, "training"), (dataset, "validation"), *uses_of_texts(recipe, read)]
                trained = train_from_lists(
                    lists,
                    model,
                    recipe,
                    progress,
                    start=start,
                    texts=texts,
                    sources=[*data_sources([*used, *(source.used() if source else [])]), *named_sources(encoder)],
                    summary=f"The experiment `{experiment.name}` with seed {seed}.",
                    seed=seed,
                    vectors_cache=runs.work / "vectors",
                    trees=missing_trees,
                    scores_cache=scores_cache,
                )
                seconds = None if unfinished else float(trained.history[-1]["train_runtime"])
            runs.seconds(experiment.name, seed).write_text(json.dumps(seconds) + "\n", encoding="utf-8")
            Artifact(model).write_record(inputs)
            earlier = None
        for part in PARTS if test else PARTS[:1]:
            scores, asked = runs.scores(experiment.name, seed, part), {"data": dataset.digest(part, progress)} | _KEPT
            scored = {"model": digest(weights_file(model))} | asked
            _score(dataset, part, model, scores, scored, progress, overwrite=overwrite)
            _score(dataset, part, None, runs.bm25(experiment.data, part), asked, progress)
    result = _result(experiment, dataset, lists, runs, earlier, progress, named_sources(encoder))
    with whole_file(runs.result(experiment.name)) as part_file:
        part_file.write_text(json.dumps(asdict(result), indent=2) + "\n", encoding="utf-8")
    return result


def _taught(experiment: Experiment, runs: Runs) -> Recipe:
    """The experiment's recipe, with the folder of the model that is followed, if one is."""
    recipe, teacher = experiment.recipe, experiment.teacher
    if recipe.teacher is None or teacher is None:
        return recipe
    model = teacher.model
    if teacher.experiment is not None:
        folder = runs.model(teacher.experiment, teacher.seed)
        if Artifact(folder).recorded() is None:
            msg = f"teacher is the model of {teacher.experiment} with seed {teacher.seed}, but {folder} holds no "
            msg += "finished one; expected that experiment to be run first"
            raise ValueError(msg)
        model = str(folder)
    return replace(recipe, teacher=replace(recipe.teacher, model=model))


def _earlier(path: Path) -> ExperimentResult | None:
    return ExperimentResult.from_dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else None


def _texts(datasets: Sequence[Dataset], progress: Progress) -> Texts:
    """The texts of data sets, one after the other."""
    sources = [one.texts(progress) for one in datasets]
    return lambda: chain.from_iterable(texts() for texts in sources)


def _beginning(
    recipe: Recipe,
    encoder: PublishedEncoder | None,
    source: SourceStep | None,
    progress: Progress,
    *,
    overwrite: bool,
) -> tuple[Recipe, str | Path]:
    """Do what comes before a seed's own training, unless it is done: the recipe then, and what it starts from."""
    if source is not None:
        return recipe, source.take(progress, overwrite=overwrite)
    if encoder is not None:
        recipe = encoder.built_on(recipe)
    return recipe, "scratch" if recipe.from_scratch else "default"


def _take_as_it_is(
    trained: Path,
    folder: Path,
    lists: Lists,
    experiment: Experiment,
    sources: list[DataSource],
    trees: Trees | None,
    progress: Progress,
) -> None:
    """Make the model of the source an experiment's own: the validation lists only calibrate it."""
    assert experiment.source is not None
    assert lists.validation is not None
    model, collator = registry.load(trained)
    training = experiment.source.recipe.training
    precision = affordable_precision(training.precision, use_cpu=training.use_cpu)
    settings = replace(
        training,
        seed=experiment.seeds[0],
        precision=precision,
        choose_retriever_weight=lists.real,
        choose_signals=lists.given,
    )
    with TemporaryDirectory() as temporary, progress("calibrating the model of the source", None):
        validation = lists.validation
        if trees is not None:
            validation = trees.complete(validation, Path(temporary, validation.name), progress)
        recalibrate(model, collator, validation, settings)
    registry.save(folder, model, collator)
    write_ranker_card(
        folder,
        model,
        summary=f"The experiment `{experiment.name}`: trained on other data, and calibrated on those of its own.",
        sources=sources,
        settings={"training": settings.to_dict(), "start": {"from": str(trained)}},
    )


def _score(
    dataset: Dataset,
    part: str,
    model: Path | None,
    path: Path,
    inputs: Mapping[str, str],
    progress: Progress,
    *,
    overwrite: bool = False,
) -> None:
    """Score a part, unless that was done."""
    # BM25 costs little, and depends on nothing but the data: it is measured again where these are others.
    again = overwrite and model is not None
    scores = Artifact(path)
    if scores.is_made_from(inputs, overwrite=again or model is None) and not again:
        return
    name = "BM25" if model is None else f"{model.parent.name}, {model.name}"
    results = tracked(dataset.rank(part, model, progress), progress, f"{part}: {name}")
    scores.forget()
    Scores.of(results, dataset.policy).save(path)
    scores.write_record(inputs)


def _result(
    experiment: Experiment,
    dataset: Dataset,
    lists: Lists,
    runs: Runs,
    earlier: ExperimentResult | None,
    progress: Progress,
    encoders: Sequence[DataSource],
) -> ExperimentResult:
    first = runs.model(experiment.name, experiment.seeds[0])
    model, _ = registry.load(first)
    # Encoders learn their tokens' embeddings with everything else, unless they learn nothing at all.
    frozen = [model.get_input_embeddings().weight] if model.freezes_embeddings else []
    if experiment.recipe.training.freeze_encoder and model.pretrained_encoder is not None:
        frozen = list(model.pretrained_encoder.parameters())
    left_out = {id(weights) for weights in frozen}
    assert lists.validation is not None
    spent = earlier.milliseconds if earlier else _milliseconds(first, lists.validation, dataset.trees, progress)
    bm25 = {
        part: Scores.load(runs.bm25(experiment.data, part))
        for part in PARTS
        if runs.scores(experiment.name, experiment.seeds[0], part).exists()
    }
    return ExperimentResult(
        data=experiment.data,
        model=experiment.recipe.name,
        policy=str(dataset.policy),
        questions={part: len(scores.questions) for part, scores in bm25.items()},
        parameters=sum(weights.numel() for weights in model.parameters() if id(weights) not in left_out),
        milliseconds=spent,
        vectors=model.answer_vector_size is not None,
        bm25={part: scores.means() for part, scores in bm25.items()},
        seeds={
            str(seed): SeedResult(
                seconds=json.loads(runs.seconds(experiment.name, seed).read_text(encoding="utf-8")),
                validation=Scores.load(runs.scores(experiment.name, seed, "validation")).means(),
                test=Scores.load(path).means()
                if (path := runs.scores(experiment.name, seed, "test")).exists()
                else None,
            )
            for seed in experiment.seeds
        },
        encoder=next((f"{one.name} ({one.licence})" for one in encoders), None),
    )


def _milliseconds(model: Path, lists: Path, trees: Trees | None, progress: Progress) -> float:
    """What :func:`time_ranker` measures, with trees that are there, as those of documents in an index are."""
    if trees is None:
        return time_ranker(model, lists)
    with TemporaryDirectory() as folder:
        return time_ranker(model, trees.complete(lists, Path(folder, lists.name), progress))
