# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Running an experiment: every seed's model is trained and measured, once, and what is there is used again."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from random import Random
from statistics import mean, median
from tempfile import TemporaryDirectory
from typing import Any, Final

import torch
from answer_selection.indexing.artifact import Artifact, digest
from answer_selection.indexing.candidates import read_jsonl
from answer_selection.indexing.progress import Progress
from answer_selection.pipelines.evaluation.progress import tracked
from answer_selection.pipelines.evaluation.scores import METRICS, Scores
from answer_selection.pipelines.experiments.data import PARTS, Dataset, open_dataset
from answer_selection.pipelines.experiments.data.candidate_lists import CandidateDataset
from answer_selection.pipelines.experiments.experiment import Experiment
from answer_selection.pipelines.experiments.shared_steps import (
    EncoderStep,
    SourceStep,
    data_sources,
    files_named,
    make_way,
    uses_of_texts,
)
from answer_selection.pipelines.training.from_lists import train_from_lists
from answer_selection.pipelines.training.lists import Lists
from answer_selection.pipelines.training.recipe import Recipe
from answer_selection.pipelines.training.texts import Texts
from answer_selection.pipelines.training.trees import Trees
from haystack import Document
from haystack_integrations.components.rankers.answer_selection import AnswerRanker
from haystack_integrations.components.rankers.answer_selection.models import registry
from rich.markup import escape
from rich.table import Table

RESULT: Final = "result.json"
CANDIDATES: Final = 100
_KEPT: Final = {"form of scores": "ranks"}  # not that of earlier versions
_ROUNDS, _WARM_UP = 9, 2


@dataclass(frozen=True, slots=True)
class SeedResult:
    """
    What one seed's model came to.

    :param seconds: How long it was trained on the experiment's own data, word vectors aside; None if it was interrupted
        meanwhile.
    :param validation: Its means by metric.
    :param test: The same on the test set, if that was scored.
    """

    seconds: float | None
    validation: dict[str, float]
    test: dict[str, float] | None


@dataclass(frozen=True, slots=True)
class ExperimentResult:
    """
    What an experiment came to.

    :param data: Its data set.
    :param model: The model's name.
    :param policy: Which questions count.
    :param questions: How many count, by part.
    :param parameters: Trained ones: word vectors that are left as they are aside.
    :param milliseconds: That :data:`CANDIDATES` candidates take through the component, on one thread.
    :param vectors: Whether an answer's vector can be made beforehand.
    :param bm25: BM25's means by part and metric.
    :param seeds: By seed.
    """

    data: str
    model: str
    policy: str
    questions: dict[str, int]
    parameters: int
    milliseconds: float
    vectors: bool
    bm25: dict[str, dict[str, float]]
    seeds: dict[str, SeedResult]

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "ExperimentResult":
        """
        Read a result back.

        :param values: What `asdict` gave.
        :returns: The result.
        """
        return cls(**{**values, "seeds": {seed: SeedResult(**one) for seed, one in values["seeds"].items()}})


class Runs:
    """
    A folder of runs: in `data` what is made of the data, and a folder for each experiment's models and scores.

    :param folder: The folder.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def work(self) -> Path:
        """Where what is made of the data goes."""
        return self.folder / "data"

    def model(self, experiment: str, seed: int) -> Path:
        """Name a seed's model folder."""
        return self.folder / experiment / f"seed-{seed}"

    def scores(self, experiment: str, seed: int, part: str) -> Path:
        """Name the file of a seed's scores."""
        return self.folder / experiment / f"seed-{seed}-{part}.json"

    def seconds(self, experiment: str, seed: int) -> Path:
        """Name the file of how long a seed was trained."""
        return self.folder / experiment / f"seed-{seed}-seconds.json"

    def bm25(self, data: str, part: str) -> Path:
        """Name the file of BM25's scores."""
        return self.work / data / f"bm25-{part}.json"

    def result(self, experiment: str) -> Path:
        """Name the file of an experiment's result."""
        return self.folder / experiment / RESULT


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
    dataset, trees = open_dataset(experiment.data, data, runs.work), None
    if registry.MODELS[experiment.recipe.name].reads_trees:
        trees = Trees(experiment.recipe.trees, tree_cache or runs.work / "trees.sqlite", corenlp_url)
        if trees.parser != "shallow" and not isinstance(dataset, CandidateDataset):
            msg = f"recipe.trees is '{trees.parser}', but the answers that are retrieved from {experiment.data} are "
            msg += "parsed by 'shallow' when they are ranked; expected that"
            raise ValueError(msg)
        dataset.trees = trees
    lists = dataset.lists(experiment.recipe, progress)
    assert lists.validation is not None
    read = [dataset, *(open_dataset(name, data, runs.work) for name in experiment.texts)]
    texts = _texts(read, progress)
    encoder = EncoderStep.of(experiment, read, runs.work, progress)
    source = SourceStep.of(experiment, encoder, data, runs.work, progress, trees)
    made_from = {
        "settings": experiment.digest,
        "training lists": digest(lists.train),
        "validation lists": digest(lists.validation),
    }
    made_from |= files_named(experiment.recipe)
    made_from |= {name: step.key for name, step in (("encoder", encoder), ("source", source)) if step is not None}
    earlier = _earlier(runs.result(experiment.name))
    for seed in experiment.seeds:
        model = runs.model(experiment.name, seed)
        if not Artifact(model).is_made_from(made_from, overwrite=overwrite):
            # Scores that are there are of another model.
            for part in PARTS:
                runs.scores(experiment.name, seed, part).unlink(missing_ok=True)
            recipe, start = _beginning(experiment, encoder, source, progress, overwrite=overwrite)
            unfinished = make_way(model, overwrite=overwrite)
            used = [(dataset, "training"), (dataset, "validation"), *uses_of_texts(recipe, encoder, read)]
            trained = train_from_lists(
                lists,
                model,
                recipe,
                progress,
                start=start,
                texts=texts,
                sources=data_sources([*used, *(source.used() if source else [])]),
                summary=f"The experiment `{experiment.name}` with seed {seed}.",
                seed=seed,
                vectors_cache=runs.work / "vectors",
                trees=None if isinstance(dataset, CandidateDataset) else trees,
            )
            seconds = None if unfinished else float(trained.history[-1]["train_runtime"])
            runs.seconds(experiment.name, seed).write_text(json.dumps(seconds) + "\n", encoding="utf-8")
            Artifact(model).write_record(made_from)
            earlier = None
        for part in PARTS if test else PARTS[:1]:
            scores, asked = runs.scores(experiment.name, seed, part), {"data": dataset.digest(part, progress)} | _KEPT
            scored = {"model": digest(model / "model.safetensors")} | asked
            _score(dataset, part, model, scores, scored, progress, overwrite=overwrite)
            _score(dataset, part, None, runs.bm25(experiment.data, part), asked, progress)
    result = _result(experiment, dataset, lists, runs, earlier, progress)
    part_file = runs.result(experiment.name).with_suffix(".part")
    part_file.write_text(json.dumps(asdict(result), indent=2) + "\n", encoding="utf-8")
    part_file.replace(runs.result(experiment.name))
    return result


def _earlier(path: Path) -> ExperimentResult | None:
    return ExperimentResult.from_dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else None


def _texts(datasets: Sequence[Dataset], progress: Progress) -> Texts:
    """The texts of data sets, one after the other."""
    sources = [one.texts(progress) for one in datasets]
    return lambda: chain.from_iterable(texts() for texts in sources)


def _beginning(
    experiment: Experiment,
    encoder: EncoderStep | None,
    source: SourceStep | None,
    progress: Progress,
    *,
    overwrite: bool,
) -> tuple[Recipe, str | Path]:
    """Do what comes before a seed's own training, unless it is done: the recipe then, and what it starts from."""
    recipe = experiment.recipe
    if source is not None:
        return recipe, source.take(progress, overwrite=overwrite)
    if encoder is not None:
        recipe = encoder.built_on(recipe, progress, overwrite=overwrite)
    return recipe, "scratch" if recipe.from_scratch else "default"


def _score(
    dataset: Dataset,
    part: str,
    model: Path | None,
    path: Path,
    made_from: Mapping[str, str],
    progress: Progress,
    *,
    overwrite: bool = False,
) -> None:
    """Score a part, unless that was done."""
    # BM25 costs little, and depends on nothing but the data: it is measured again where these are others.
    again = overwrite and model is not None
    scores = Artifact(path)
    if scores.is_made_from(made_from, overwrite=again or model is None) and not again:
        return
    name = "BM25" if model is None else f"{model.parent.name}, {model.name}"
    results = tracked(dataset.rank(part, model, progress), f"{part}: {name}")
    scores.forget()
    Scores.of(results, dataset.policy).save(path)
    scores.write_record(made_from)


def _result(
    experiment: Experiment,
    dataset: Dataset,
    lists: Lists,
    runs: Runs,
    earlier: ExperimentResult | None,
    progress: Progress,
) -> ExperimentResult:
    first = runs.model(experiment.name, experiment.seeds[0])
    model, _ = registry.load(first)
    # Encoders learn their tokens' embeddings with everything else.
    frozen = model.get_input_embeddings().weight if model.freezes_embeddings else None
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
        parameters=sum(weights.numel() for weights in model.parameters() if weights is not frozen),
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
    )


def _milliseconds(model: Path, lists: Path, trees: Trees | None, progress: Progress) -> float:
    """What :func:`time_ranker` measures, with trees that are there, as those of documents in an index are."""
    if trees is None:
        return time_ranker(model, lists)
    with TemporaryDirectory() as folder:
        return time_ranker(model, trees.complete(lists, Path(folder, lists.name), progress))


def time_ranker(model: Path, lists: Path) -> float:
    """
    Measure how long candidates take to be ranked, through the component, on one thread of the CPU.

    :param model: The model's folder.
    :param lists: Candidate lists, whose questions and answers are ranked.
    :returns: Milliseconds for :data:`CANDIDATES` candidates, the median of several rounds of other texts.
    """
    queries, answers = [], []
    for candidates in read_jsonl(lists):
        queries.append((candidates.query, candidates.query_meta))
        answers += [(one.answer, one.meta) for one in candidates.candidates]
    random, threads = Random(0), torch.get_num_threads()  # noqa: S311 - a sample, not a secret
    # A small data set's answers come again in later rounds: none is to be encoded already.
    ranker = AnswerRanker(model=model, answer_cache_mib=0)
    ranker.warm_up()
    taken = []
    torch.set_num_threads(1)
    try:
        for _ in range(_WARM_UP + _ROUNDS):
            query, query_meta = random.choice(queries)
            documents = [
                Document(id=str(place), content=answer, meta=meta)
                for place, (answer, meta) in enumerate(random.choices(answers, k=CANDIDATES))
            ]
            start = time.perf_counter()
            ranker.run(query=query, documents=documents, top_k=CANDIDATES, query_meta=query_meta)
            taken.append(time.perf_counter() - start)
    finally:
        torch.set_num_threads(threads)
    return 1000 * median(taken[_WARM_UP:])


def show(name: str, result: ExperimentResult, runs: Runs) -> Table:
    """
    Show a result at a terminal.

    :param name: The experiment's name.
    :param result: Its result.
    :param runs: Where its models are.
    :returns: A table: a row a seed, and how far their mean lies over BM25.
    """
    caption = (
        f'policy "{result.policy}"; '
        + ", ".join(f"{count} questions of {part}" for part, count in result.questions.items())
        + f"; {result.parameters:,} parameters, {result.milliseconds:.1f} ms for {CANDIDATES} candidates\n"
        "over BM25: the seeds' mean less BM25; training: without what its word vectors, encoder and source took\n"
        f"models: {escape(', '.join(str(runs.model(name, int(seed))) for seed in result.seeds))}"
    )
    table = Table(title=f"{name} ({result.data})", title_justify="left", caption=caption, caption_justify="left")
    for column in ("part", "ranker", *METRICS, "training"):
        table.add_column(column, justify="left" if column in ("part", "ranker") else "right", no_wrap=True)
    for part, bm25 in result.bm25.items():
        table.add_section()
        table.add_row(part, "BM25", *(f"{bm25[metric]:.4f}" for metric in METRICS), "")
        measured = []
        for seed, one in result.seeds.items():
            means = (one.validation if part == "validation" else one.test) or {}
            measured += [means] if means else []
            seconds = "" if one.seconds is None else f"{one.seconds:.0f} s"
            table.add_row(part, f"seed {seed}", *(f"{means[metric]:.4f}" for metric in METRICS if means), seconds)
        over = (mean(means[metric] for means in measured) - bm25[metric] for metric in METRICS)
        table.add_row(part, "over BM25", *(f"{difference:+.4f}" for difference in over), "")
    return table
