# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The steps before an experiment's own training, done once for all experiments that have the same ones."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from answer_selection.indexing.artifact import Artifact, digest, text_digest
from answer_selection.indexing.progress import Progress
from answer_selection.pipelines.experiments.data import Dataset, OwnData, open_source
from answer_selection.pipelines.experiments.data.joint_lists import join_lists
from answer_selection.pipelines.experiments.experiment import Experiment, Source
from answer_selection.pipelines.experiments.keys import key_of, key_of_encoder
from answer_selection.pipelines.experiments.published_encoder import PublishedEncoder
from answer_selection.pipelines.training.from_lists import train_from_lists
from answer_selection.pipelines.training.lists import Lists
from answer_selection.pipelines.training.recipe import Recipe
from answer_selection.pipelines.training.run_folder import refuse_model
from answer_selection.pipelines.training.texts import Texts
from answer_selection.pipelines.training.trees import Trees
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.training.checkpoints import is_unfinished
from haystack_integrations.components.rankers.answer_selection.training.model_card import DataSource


def make_way(folder: Path, *, overwrite: bool) -> bool:
    """
    Get a folder ready for a run: what a killed one left goes, but for one that can be gone on with.

    :param folder: The folder to be.
    :param overwrite: Whether whatever is there goes.
    :returns: Whether the run goes on.
    """
    unfinished = is_unfinished(folder)
    # Without a record it is what a killed run left; only where it still trained can it be gone on with.
    refuse_model(folder, overwrite=overwrite or not unfinished)
    Artifact(folder).forget()
    return unfinished and not overwrite


def files_named(recipe: Recipe) -> dict[str, str]:
    """
    Tell what lies in the files that a recipe names from what may lie there later.

    :param recipe: The recipe.
    :returns: Digests of its encoder's folder and of its file of word vectors, if it names any, by what they are.
    """
    found = {}
    encoder, vectors = recipe.options.get("encoder"), recipe.vectors.source
    # Otherwise it is a name on the hub, or a configuration, which is among the settings.
    if isinstance(encoder, str) and Path(encoder).is_dir():
        found["encoder's files"] = key_of_encoder(Path(encoder))
    if vectors not in ("corpus", "encoder", "random"):
        found["word vectors"] = digest(Path(vectors))
    return found


def data_sources(used: Iterable[tuple[Dataset | OwnData, str]]) -> list[DataSource]:
    """
    Say for a card where data comes from.

    :param used: The data sets, each with what it was used for.
    :returns: One source a data set, with all its uses.
    """
    uses: dict[str, tuple[Dataset | OwnData, list[str]]] = {}
    for data, use in used:
        uses.setdefault(data.name, (data, []))[1].append(use)
    return [
        DataSource(name, data.licence, data.source, ", ".join(dict.fromkeys(of))) for name, (data, of) in uses.items()
    ]


@dataclass(frozen=True, slots=True)
class SourceStep:
    """
    Training a model on other data, which an experiment's models begin with: one for all seeds, as a pretrained one is.

    It depends on nothing of the experiment's own data.

    :param source: What the experiment says of it.
    :param seed: The seed that it is trained with, the experiment's first.
    :param data: The other data sets.
    :param lists: Their lists.
    :param texts: Gives their texts, at each call anew.
    :param encoder: The encoder, if there is one.
    :param key: Tells settings, seed, data, encoder and the files that the settings name from any others.
    :param work: Where what is made of the data goes.
    :param trees: Where the trees come from, for a model that reads them.
    """

    source: Source
    seed: int
    data: Sequence[Dataset | OwnData]
    lists: Lists
    texts: Texts
    encoder: PublishedEncoder | None
    key: str
    work: Path
    trees: Trees | None

    @classmethod
    def of(
        cls,
        experiment: Experiment,
        encoder: PublishedEncoder | None,
        data: Path,
        work: Path,
        progress: Progress,
        trees: Trees | None = None,
    ) -> "SourceStep | None":
        """
        Find the step of an experiment.

        :param experiment: The experiment.
        :param encoder: The encoder, if there is one.
        :param data: The folder with all data sets' folders.
        :param work: Where what is made of the data goes.
        :param progress: Shows progress.
        :param trees: Where the trees come from, for a model that reads them.
        :returns: The step; None if the experiment learns from its own data alone.
        """
        source = experiment.source
        if source is None:
            return None
        others = [open_source(name, data, work) for name in source.data]
        given = {name: one.lists(source.recipe, progress) for name, one in zip(source.data, others, strict=True)}
        if len(others) > 1 or source.questions is not None:
            digests = [[digest(one.train), one.validation and digest(one.validation)] for one in given.values()]
            folder = work / "joint" / key_of(source.data, source.questions, digests)
            lists = join_lists(given, source.questions, folder, progress)
        else:
            # How much of the retriever's score is worth is another matter on the data that comes after.
            lists = replace(given[source.data[0]], real=False)
        given_texts = [one.texts(progress) for one in others]

        def texts() -> Iterable[str]:
            return chain.from_iterable(one() for one in given_texts)

        made_of = [digest(lists.train), lists.validation and digest(lists.validation), text_digest(texts())]
        named = files_named(source.recipe)
        seed = experiment.seeds[0]
        # The lists tell how many questions there are.
        decided = source.decided[:2]
        key = key_of(*decided, seed, made_of, encoder and encoder.key, *([named] if named else []))
        return cls(source, seed, others, lists, texts, encoder, key, work, trees)

    @property
    def folder(self) -> Path:
        """The model's folder."""
        return self.work / "sources" / self.key

    def take(self, progress: Progress, *, overwrite: bool = False) -> Path:
        """
        Train the model on the other data, unless that was done; a killed run goes on.

        :param progress: Shows progress.
        :param overwrite: Whether an unfinished run begins anew.
        :returns: Its folder.
        """
        inputs = {"settings and data": self.key}
        model = Artifact(self.folder)
        with model.lock(progress):
            if not model.is_made_from(inputs):
                self._train(progress, overwrite=overwrite)
                model.write_record(inputs)
        return self.folder

    def _train(self, progress: Progress, *, overwrite: bool) -> None:
        recipe = self.source.recipe
        if self.encoder is not None:
            recipe = self.encoder.built_on(recipe)
        make_way(self.folder, overwrite=overwrite)
        names = ", ".join(f"`{one.name}`" for one in self.data)
        train_from_lists(
            self.lists,
            self.folder,
            recipe,
            progress,
            start="scratch" if recipe.from_scratch else "default",
            texts=self.texts,
            sources=[
                *data_sources([*self.used(), *uses_of_texts(recipe, self.data)]),
                *named_sources(self.encoder),
            ],
            summary=f"Trained on {names} with seed {self.seed}, to be trained on other data next.",
            seed=self.seed,
            vectors_cache=self.work / "vectors",
            trees=self.trees,
        )

    def used(self) -> list[tuple[Dataset | OwnData, str]]:
        """Say what its data were used for."""
        use = "training" if self.source.alone else "training first"
        return [(one, use) for one in self.data]


def named_sources(encoder: PublishedEncoder | None) -> list[DataSource]:
    """
    Say for a card which encoder of others a model is built on.

    :param encoder: The encoder, if there is one.
    :returns: That encoder, if there is one.
    """
    return [] if encoder is None else [encoder.source]


def uses_of_texts(recipe: Recipe, texts_of: Iterable[Dataset | OwnData]) -> list[tuple[Dataset | OwnData, str]]:
    """
    Say what texts were used for.

    :param recipe: How the model comes about.
    :param texts_of: The data sets whose texts there were.
    :returns: The data sets that were read for word vectors; none for a model over an encoder.
    """
    return [] if registry.MODELS[recipe.name].over_encoder else [(one, "word vectors") for one in texts_of]
