# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The `train` command: train a ranker from a corpus in an index, or from candidate lists."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from answer_selection.pipelines.commands.console import CommandError, bar, say
from answer_selection.pipelines.commands.options import CoreNLPOption
from answer_selection.pipelines.commands.stores import Store, StoreOption, open_index

if TYPE_CHECKING:
    from answer_selection.indexing.corpus import Query
    from answer_selection.pipelines.training.recipe import Recipe

_NO_VERDICT: Final = (
    "There was too little to hold some of it out, so nothing tells whether this model improves on retrieval. To know, "
    "name real questions with their answers by --validation."
)


def train(
    output: Annotated[Path, typer.Argument(help="The model folder to write.")],
    index: Annotated[
        str | None,
        typer.Option(help="Index of the corpus to learn from: its folder; with Elasticsearch, its name."),
    ] = None,
    store: StoreOption = Store.TANTIVY,
    queries: Annotated[
        Path | None,
        typer.Option(help="With --index: queries to learn from; by default the corpus's own questions."),
    ] = None,
    candidates: Annotated[
        Path | None,
        typer.Option(help="Candidate lists to learn from, instead of --index: JSONL, or a data set as published."),
    ] = None,
    validation: Annotated[
        Path | None,
        typer.Option(
            help="With --index: real queries for early stopping and for the retriever's weight; by default a tenth of "
            "the entries is held out. With --candidates: candidate lists for early stopping; by default a tenth of the "
            "lists."
        ),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(
            help="What to start from: 'default' (the package's CTRN), 'answer-selection-gsamn' (its GSAMN), a "
            "model folder, or 'scratch'. The default is 'scratch' if the recipe describes a model of its own, else "
            "'default'."
        ),
    ] = None,
    recipe: Annotated[
        str | None,
        typer.Option(
            help="YAML file with model, vectors and training settings, or the name of a shipped recipe: "
            "fine_tune (the default), fine_tune_encoder (the default if --start has a pretrained encoder), "
            "small_ctrn (the default from scratch), small_ggsa (its answers can be encoded at index time), gsamn "
            "(over a pretrained encoder), linear (over the scores of an index with vectors; seconds)."
        ),
    ] = None,
    encoder: Annotated[
        str | None,
        typer.Option(
            help="Pretrained encoder for the recipe's model: a folder, or a model on the hub. Overrides the recipe."
        ),
    ] = None,
    tune_encoder: Annotated[
        bool,
        typer.Option(
            "--tune-encoder",
            help="With --index: first fine-tune the encoder of the index's vectors on the same questions. It is kept, "
            "in OUTPUT/encoder, only if hybrid retrieval has a higher MRR and no lower P@1 with it on held-out "
            "questions, or on --validation; then the ranker is trained behind it. The recipe's section encoder_tuning "
            "has the settings.",
        ),
    ] = False,
    teacher: Annotated[
        str | None,
        typer.Option(
            help="A trained model's folder: a better, slower ranker. The new model learns its order of the candidates, "
            "beside what is right and wrong."
        ),
    ] = None,
    teacher_questions: Annotated[
        Path | None,
        typer.Option(
            help="With --index and --teacher: further questions that nobody labelled, in .jsonl or one a line in .txt. "
            "The teacher ranks what retrieval finds for them, and the new model learns that too."
        ),
    ] = None,
    loss: Annotated[
        str | None, typer.Option(help="pointwise, pairwise, pairwise_logistic or listwise; overrides the recipe.")
    ] = None,
    epochs: Annotated[int | None, typer.Option(min=1, help="The most epochs; overrides the recipe.")] = None,
    answer_risk: Annotated[
        list[float] | None,
        typer.Option(
            help="With --index and --validation: find from which probability on answers may be given, so that at most "
            "this share of them is wrong, such as 0.05. May be given several times. Half of the validation queries are "
            "kept for it. A model that OUTPUT holds already is calibrated, not trained anew."
        ),
    ] = None,
    tree_cache: Annotated[
        Path | None,
        typer.Option(
            help="For a model, or a teacher, that reads parse trees: the SQLite file that keeps them, such as "
            "ConstituencyParser's. By default one beside the candidate lists."
        ),
    ] = None,
    corenlp_url: CoreNLPOption = None,
    licence: Annotated[str, typer.Option(help="Licence of the data, for the model card.")] = "not stated",
    seed: Annotated[int, typer.Option(help="Random seed.")] = 0,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing model.")] = False,
) -> None:
    """
    Train a ranker from a corpus alone, or from candidate lists.

    Give the command again to continue a killed run. It ends as it would have ended.
    """
    _check_options(
        index=index,
        candidates=candidates,
        needs_index={
            "--queries": queries is not None,
            "--teacher-questions": teacher_questions is not None,
            "--store": store is not Store.TANTIVY,
            "--tune-encoder": tune_encoder,
        },
    )
    if answer_risk:
        _check_risks(answer_risk, labelled=index is not None and validation is not None, tune_encoder=tune_encoder)
    from answer_selection.indexing.candidates import read_candidates
    from answer_selection.indexing.corpus import iter_queries
    from answer_selection.pipelines.evaluation import risk_calibration
    from answer_selection.pipelines.training import encoder_tuning
    from answer_selection.pipelines.training.from_candidates import train_from_candidates
    from answer_selection.pipelines.training.from_index import train_from_index
    from answer_selection.pipelines.training.question_files import read_questions
    from answer_selection.pipelines.training.run_folder import LISTS, holds_model, refuse_model
    from answer_selection.pipelines.training.trees import Trees
    from haystack_integrations.components.rankers.answer_selection.training.processes import Processes

    wanted, start = _read_recipe(recipe, start, loss=loss, epochs=epochs, encoder=encoder, teacher=teacher)
    _check_models(wanted, start, output, teacher_questions)
    processes = Processes.joined(use_cpu=wanted.training.use_cpu)
    tuning, kept = None, []
    trees = Trees(wanted.trees, tree_cache or output / LISTS / "trees.sqlite", corenlp_url)
    # Every input is checked before an earlier model is removed.
    if index is not None:
        corpus = open_index(store, index)
        asked = None if queries is None else list(iter_queries(queries))
        unlabelled = [] if teacher_questions is None else read_questions(teacher_questions)
        real = None if validation is None else list(iter_queries(validation))
        if answer_risk and real is not None:
            parts = risk_calibration.halves(real, seed)
            real, kept = parts[risk_calibration.CHOICE], parts[risk_calibration.CALIBRATION]
            risk_calibration.check_enough(kept, answer_risk, str(validation))
            if holds_model(output) and not overwrite:
                say(f"{output} holds a model: it is calibrated, not trained anew")
                _calibrate(store, index, output, kept, answer_risk, str(validation))
                return
        if overwrite:
            encoder_tuning.refuse_own_encoder(corpus, output)
        processes.once(lambda: refuse_model(output, overwrite=overwrite))
        if tune_encoder:
            settings = replace(wanted.encoder_tuning, seed=seed)
            tuning = encoder_tuning.tune_encoder(
                corpus, output, settings, bar, queries=asked, validation=real, licence=licence
            )
            say(tuning.verdict())
            corpus = tuning.index
        result = train_from_index(
            corpus,
            output,
            wanted,
            bar,
            queries=asked,
            teacher_questions=unlabelled,
            validation=real,
            start=start,
            licence=licence,
            seed=seed,
            trees=trees,
        )
    else:
        assert candidates is not None
        for path in (candidates, validation or candidates):
            next(read_candidates(path), None)
        processes.once(lambda: refuse_model(output, overwrite=overwrite))
        result = train_from_candidates(
            candidates,
            output,
            wanted,
            bar,
            validation=validation,
            start=start,
            licence=licence,
            seed=seed,
            trees=trees,
        )
    processes.leave()
    if not processes.main:
        return
    say(result.verdict() or _NO_VERDICT)
    if start == "default" and result.validation and result.validation.untrained_is_best:
        say("The package's ranker is a GSAMN, this model began as its CTRN. To train the GSAMN, which takes ten times")
        say("as long, pass --start answer-selection-gsamn.")
    if result.retrieval:
        _tell_retrieval(result.retrieval)
    if tuning is not None and tuning.folder is not None:
        _tell_encoder(store, str(index), output)
    if answer_risk:
        _calibrate(store, str(index), output, kept, answer_risk, str(validation), result.retrieval)
        if result.retrieval:
            say("This was measured behind the parameters above: `ask` and `serve` need --pipeline with a YAML")
            say("that has them.")
    say(f"model: {result.folder} (card: {result.folder / 'README.md'})")


def _check_options(*, index: str | None, candidates: Path | None, needs_index: Mapping[str, bool]) -> None:
    """Refuse what cannot be learned from, and options that say something of an index that is not given."""
    if (index is None) == (candidates is None):
        msg = "name what to learn from: either --index, or --candidates"
        raise CommandError(msg)
    for option, given in needs_index.items():
        if given and index is None:
            why = ": it is the encoder of an index's vectors that is tuned" if option == "--tune-encoder" else ""
            msg = f"{option} needs --index{why}"
            raise CommandError(msg)


def _check_risks(risks: Sequence[float], *, labelled: bool, tune_encoder: bool) -> None:
    """Refuse risks that are none, or that nothing could hold."""
    if not labelled:
        msg = (
            "--answer-risk needs --index and --validation: real questions with the ids of their answers. The corpus's "
            "own find theirs too easily to say how often a user's would be answered wrongly"
        )
        raise CommandError(msg)
    if tune_encoder:
        msg = (
            "--answer-risk can't be held behind an encoder that the index does not have yet: train with "
            "--tune-encoder, index with the tuned encoder, then give --answer-risk and the new index for the same model"
        )
        raise CommandError(msg)
    for risk in risks:
        if not 0 < risk < 1:
            msg = f"--answer-risk {risk:g}: expected a share between 0 and 1, such as 0.05"
            raise CommandError(msg)


def _read_recipe(
    recipe: str | None,
    start: str | None,
    *,
    loss: str | None,
    epochs: int | None,
    encoder: str | None,
    teacher: str | None,
) -> "tuple[Recipe, str]":
    """Read the recipe with what overrides it, and say what the model starts from."""
    from answer_selection.pipelines.training.recipe import read_recipe
    from haystack_integrations.components.rankers.answer_selection.training.losses import LOSSES

    if loss is not None and loss not in LOSSES:
        msg = f"--loss {loss}: expected {', '.join(LOSSES)}"
        raise CommandError(msg)
    if encoder is not None and recipe is None:
        msg = "--encoder needs a --recipe whose model is built on an encoder, such as gsamn"
        raise CommandError(msg)
    training = {name: value for name, value in (("loss", loss), ("epochs", epochs)) if value is not None}
    parts = {
        "training": training,
        "model": {} if encoder is None else {"encoder": encoder},
        "teacher": {} if teacher is None else {"model": teacher},
    }
    wanted = read_recipe(recipe or _usual_recipe(start), {part: values for part, values in parts.items() if values})
    if start is None and recipe is not None and not wanted.from_scratch:
        say(f"recipe {recipe} names no model: starting from the package's CTRN (--start default)")
    start = start or ("scratch" if wanted.from_scratch else "default")
    if wanted.from_scratch and start != "scratch":
        msg = (
            f"recipe {recipe} describes a model of its own (model, vectors) and starts from scratch: leave --start out"
        )
        raise CommandError(msg)
    return wanted, start


def _check_models(wanted: "Recipe", start: str, output: Path, teacher_questions: Path | None) -> None:
    """Refuse models that are not there, or that would be written over while they are read."""
    from answer_selection.pipelines.training.starting_model import start_folder
    from answer_selection.pipelines.training.teacher import teacher_folder

    if start not in ("default", "scratch"):
        if not start_folder(start).is_dir():
            msg = (
                f"--start {start}: no such model folder; expected a model folder, 'default', 'answer-selection-gsamn' "
                "or 'scratch'"
            )
            raise CommandError(msg)
        if start_folder(start).resolve() == output.resolve():
            msg = f"--start and the model to write are the same folder, {output}: name another folder for the new model"
            raise CommandError(msg)
    followed = teacher_folder(wanted)
    if followed is not None and followed.resolve() == output.resolve():
        msg = f"the teacher and the model to write are the same folder, {output}: name another folder for the new model"
        raise CommandError(msg)
    if followed is None and teacher_questions is not None:
        msg = "--teacher-questions needs --teacher: somebody has to rank what is found for them"
        raise CommandError(msg)


def _tell_retrieval(retrieval: Mapping[str, Any]) -> None:
    """Say how the retriever has to be set for the model."""
    import yaml

    parameters = yaml.safe_dump(dict(retrieval), default_flow_style=None, sort_keys=False).strip()
    say("The model was trained behind these init_parameters of the hybrid retriever, which rank the validation")
    say("queries best (`weight` is what vectors count for beside BM25). Set them in the pipeline's YAML if you use it:")
    say(indent(parameters, "  "))


def _tell_encoder(store: Store, index: str, output: Path) -> None:
    """Say how an index gets the vectors of the tuned encoder."""
    from answer_selection.pipelines.training.run_folder import ENCODER

    where, how = (
        ("folder", "--index NEW-INDEX")
        if store is Store.TANTIVY
        else ("version", f"--store elasticsearch --index {index} --rebuild")
    )
    say(
        f"The model was trained behind the tuned encoder. Give the index its vectors, in a new {where}: "
        f"answer-selection index FILE {how} --encoder {output / ENCODER}"
    )


def _calibrate(
    store: Store,
    index: str,
    model: Path,
    queries: "Sequence[Query]",
    risks: Sequence[float],
    source: str,
    retrieval: Mapping[str, Any] | None = None,
) -> None:
    """Calibrate a model in the shipped pipeline over an index, with the retriever's parameters that training found."""
    from answer_selection.pipelines.definitions import pipeline_yaml
    from answer_selection.pipelines.evaluation.risk_calibration import calibrate_model, told

    pipeline = "answer" if store is Store.TANTIVY else "answer_elasticsearch"
    definition = pipeline_yaml.point_at(pipeline_yaml.read(pipeline), index=index, model=model)
    definition["components"]["retriever"]["init_parameters"] |= retrieval or {}
    for line in told(calibrate_model(definition, model, queries, risks, bar, source=source)):
        say(line)


def _usual_recipe(start: str | None) -> str:
    """Give the default recipe for what a run starts from."""
    from answer_selection.pipelines.training.starting_model import is_over_encoder

    if start == "scratch":
        return "small_ctrn"
    return "fine_tune_encoder" if start is not None and is_over_encoder(start) else "fine_tune"
