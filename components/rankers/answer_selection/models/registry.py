# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Models by name, and model folders: written whole, and read with a clear word on what is wrong with them."""

import json
import reprlib
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import torch
from transformers import PreTrainedConfig

from haystack_integrations.components.rankers.answer_selection.models.base import (
    FORMAT_VERSION,
    AnswerSelectionConfig,
    AnswerSelectionModel,
    Collator,
    WordVectors,
)
from haystack_integrations.components.rankers.answer_selection.models.linear import COUNTING
from haystack_integrations.components.rankers.answer_selection.models.model_folder import (
    CTRN,
    GSAMN,
    ModelFolderError,
    refused,
)
from haystack_integrations.components.rankers.answer_selection.models.named_folder import Sought, find_named
from haystack_integrations.components.rankers.answer_selection.models.quantized_weights import (
    QUANTIZED_WEIGHTS,
    WEIGHTS,
    shapes_in,
    weights_file,
)
from haystack_integrations.components.rankers.answer_selection.models.transformers_log import quiet_transformers
from haystack_integrations.components.rankers.answer_selection.models.weights import (
    check_finite,
    first_of,
    most_parameters,
    without_storage,
)

FILES: Final = ("config.json", WEIGHTS, "tokenizer.json")
"""What a model folder holds. Over an encoder its weights may be quantized, see :mod:`quantized_weights`."""

# What a cross-encoder of others says of its longest pair is in the first, a ranker's calibration in the second.
_OTHERS: Final = ("tokenizer_config.json", "answer_risk.json")
_PICKLES: Final = (".bin", ".pt", ".pth", ".ckpt", ".pkl")


class _OnDemand(Mapping[str, type[AnswerSelectionModel]]):
    """Models by name, imported when they are asked for: those over a pretrained encoder take seconds."""

    def __init__(self, classes: Mapping[str, str]) -> None:
        self._classes = classes

    def __getitem__(self, name: str) -> type[AnswerSelectionModel]:
        module, class_name = self._classes[name].split(".")
        found: type[AnswerSelectionModel] = getattr(import_module(f"{__package__}.{module}"), class_name)
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._classes

    def __iter__(self) -> Iterator[str]:
        return iter(self._classes)

    def __len__(self) -> int:
        return len(self._classes)


_TYPES: Final = {
    "ap_bilstm": "ap_bilstm.APBiLSTMModel",
    "ctrn": "ctrn.CTRNModel",
    "cross_encoder": "cross_encoder.CrossEncoderModel",
    "encoder_layers": "encoder_layers.EncoderLayersModel",
    "ggsa": "ggsa.GGSAModel",
    "gsamn": "gsamn.GSAMNModel",
    "hmda": "hmda.HMDAModel",
    "iggsa": "iggsa.IGGSAModel",
    "linear": "linear.LinearModel",
    "lstm": "lstm.LSTMModel",
    "qrnn": "qrnn.QRNNModel",
    "transformer": "transformer.TransformerModel",
    "tree_aggregation": "tree_aggregation.TreeAggregationModel",
}
MODELS: Final[Mapping[str, type[AnswerSelectionModel]]] = _OnDemand(
    _TYPES | {name: f"linear.{counting.__name__}" for name, counting in COUNTING.items()}
)
"""
All models by name, which is the `model_type` of their configurations. The counting baselines have names too, but are
linear models: so is the folder of one.
"""


def build(
    name: str,
    texts: Iterable[str],
    answers: Iterable[str] | None = None,
    *,
    max_words: int = 50_000,
    min_count: int = 1,
    word_vectors: WordVectors | None = None,
    **options: Any,
) -> tuple[AnswerSelectionModel, Collator]:
    """
    Make a new model for a corpus, with random weights (by torch's generator).

    :param name: of :data:`MODELS`.
    :param texts: all texts that the model will learn from, for its vocabulary; read once.
    :param answers: the answers, for idf; read once. None: `texts` are the answers.
    :param max_words: the most words to keep.
    :param min_count: how often a word must occur to be kept.
    :param word_vectors: gives the words their vectors, if the model has words of its own; None: random ones.
    :param options: fields of the model's configuration.
    :returns: the model, in training mode, and its collator.
    :raises ValueError: if the name or an option is not known, or an option's value is out of its range.
    """
    if name not in MODELS:
        msg = f"unknown model '{name}'; known: {', '.join(MODELS)}"
        raise ValueError(msg)
    config = MODELS[name].config_class(**options)
    # transformers keeps whatever it does not know as an attribute; a misspelt option should not pass unnoticed.
    known = MODELS[name].config_class().to_dict().keys()
    if unknown := sorted(options.keys() - known):
        own = sorted(known - PreTrainedConfig().to_dict().keys())
        msg = f"unknown option(s) of the model '{name}': {', '.join(unknown)}; known: {', '.join(own)}"
        raise ValueError(msg)
    model, collator = MODELS[name].build(
        config, texts, answers, max_words=max_words, min_count=min_count, word_vectors=word_vectors
    )
    return model.train(), collator


def save(folder: str | Path, model: AnswerSelectionModel, collator: Collator) -> None:
    """
    Write a model folder; files that are there are replaced.

    :param folder: where; made if it is not there.
    :param model: the model.
    :param collator: its collator.
    """
    Path(folder).mkdir(parents=True, exist_ok=True)
    with quiet_transformers():
        model.to_folder(folder)
    collator.save_pretrained(folder)


def load(
    name: str | Path,
    *,
    token: str | None = None,
    revision: str | None = None,
    dtype: torch.dtype | None = None,
    to_score: bool = False,
) -> tuple[AnswerSelectionModel, Collator]:
    """
    Read a model and its collator, from safetensors only.

    A folder of sentence-transformers' `CrossEncoder`, or of any sequence classifier of transformers with one label, is
    read as a model of the type "cross_encoder".

    :param name: a model folder, the name of a model of this package (`PACKAGED`), or that of one on the Hugging Face
        hub.
    :param token: the hub's token, for private models.
    :param revision: the hub model's branch, tag or commit.
    :param dtype: the type to hold the weights in, but for the head's; None is the one that they were saved in.
    :param to_score: whether the model is only to score, and is neither trained nor saved: then it is there sooner.
    :returns: the model, in evaluation mode, and its collator.
    :raises ModelFolderError: if the folder or one of its files is missing, damaged, of another model or format version,
        or the weights do not fit the configuration.
    """
    folder = find_folder(name, token=token, revision=revision)
    data = _config_fields(folder)
    model: AnswerSelectionModel
    collator: Collator
    if is_sequence_classifier(data):
        from haystack_integrations.components.rankers.answer_selection.models.cross_encoder import CrossEncoderModel

        with refused(f"the cross-encoder in {folder} cannot be read"), quiet_transformers():
            model, collator = CrossEncoderModel.open(folder, dtype=dtype)
    else:
        model, collator = _open(folder, data, dtype, to_score=to_score)
    with refused(str(model_files(folder)[1])):
        check_finite(model)
    with refused(f"no text can be read as {folder / 'config.json'} says"):
        model.try_out(collator)
    return model, collator


def _open(
    folder: Path, data: dict[str, Any], dtype: torch.dtype | None, *, to_score: bool
) -> tuple[AnswerSelectionModel, Collator]:
    """A model of this package, as `save` wrote it."""
    config = _config(folder, data)
    model_class = MODELS[config.model_type]
    model = None
    if to_score:
        with refused(str(model_files(folder)[1])):
            model = model_class.for_scoring(folder, config, dtype)
    if model is None:
        _check_weights(folder, model_class, config)
        with refused(str(folder)), quiet_transformers():
            model = model_class.from_folder(folder, config, dtype)
    with refused(f"{folder / 'tokenizer.json'} cannot be read"):
        collator = model_class.collator_class.from_pretrained(folder)
    return model, collator


def is_sequence_classifier(config: Mapping[str, Any]) -> bool:
    """
    Say whether a folder is one of transformers' sequence classifiers, as sentence-transformers' cross-encoders are.

    :param config: the content of its config.json.
    :returns: whether it is.
    """
    architectures = config.get("architectures")
    first = architectures[0] if isinstance(architectures, list) and architectures else ""
    return str(first).endswith("ForSequenceClassification")


def class_of(folder: Path) -> type[AnswerSelectionModel] | None:
    """
    Say which model a folder holds, by its config.json alone.

    :param folder: the folder.
    :returns: the model's class; None if there is no configuration, or one of no known model.
    """
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(config, dict):
        return None
    name = "cross_encoder" if is_sequence_classifier(config) else config.get("model_type")
    return MODELS[name] if isinstance(name, str) and name in _TYPES else None


def find_folder(name: str | Path, *, token: str | None = None, revision: str | None = None) -> Path:
    """
    Find a model's folder, with all its files. It is fetched from the hub if there is none of this name.

    :param name: a model folder, the name of a model of this package (`PACKAGED`), or that of one on the Hugging Face
        hub.
    :param token: the hub's token, for private models.
    :param revision: the hub model's branch, tag or commit.
    :returns: the folder.
    :raises ModelFolderError: if the folder or one of its files is missing.
    """
    folder = find_named(name, _SOUGHT, token=token, revision=revision)
    if missing := [file.name for file in model_files(folder) if not file.is_file()]:
        msg = f"the model folder {folder} lacks {' and '.join(missing)}"
        pickles = sorted(file.name for file in folder.iterdir() if file.suffix in _PICKLES)
        if WEIGHTS in missing and pickles:
            msg += f"; {', '.join(pickles)} can run any code when read, so it is refused: save as safetensors"
        raise ModelFolderError(msg)
    return folder


def model_files(folder: Path) -> list[Path]:
    """
    Say where a folder's `FILES` are, or have to be.

    :param folder: the folder.
    :returns: the three paths; that of the weights is the quantized file, where a model may have one and it is there.
    """
    weights = weights_file(folder)
    if weights.name == QUANTIZED_WEIGHTS:
        found = class_of(folder)
        # Sequence classifiers of others are read by transformers alone, which knows of no other file.
        if found is None or not found.over_encoder or is_sequence_classifier(_config_fields(folder)):
            weights = folder / WEIGHTS
    return [weights if name == WEIGHTS else folder / name for name in FILES]


_SOUGHT: Final = Sought(
    kind="model",
    own=(CTRN, GSAMN),
    expected=f"a model folder with {', '.join(FILES)}",
    patterns=(*FILES, QUANTIZED_WEIGHTS, *_OTHERS),
    is_whole=lambda folder: all(file.is_file() for file in model_files(folder)),
    stays=False,
)


def _config_fields(folder: Path) -> dict[str, Any]:
    file = folder / "config.json"
    with refused(f"{file} is not valid JSON"):
        data = json.loads(file.read_text(encoding="utf-8"))
    return data if isinstance(data, dict) else {}


def _config(folder: Path, data: dict[str, Any]) -> AnswerSelectionConfig:
    file, name = folder / "config.json", data.get("model_type")
    if not isinstance(name, str) or name not in _TYPES:
        found = "missing" if name is None else reprlib.repr(name)
        msg = f"{file}: the field model_type is {found}; expected one of {', '.join(_TYPES)}"
        if isinstance(name, str) and _is_encoder(name):
            msg += ". This is an encoder, not a ranker's model. Train a model over it: `train --encoder`"
        raise ModelFolderError(msg)
    if data.get("format_version") != FORMAT_VERSION:
        found = reprlib.repr(data.get("format_version"))
        msg = f"{file}: the field format_version is {found}; this package reads {FORMAT_VERSION}"
        raise ModelFolderError(msg)
    with refused(str(file)), quiet_transformers():
        config: AnswerSelectionConfig = MODELS[name].config_class.from_pretrained(folder)
    return config


def _is_encoder(model_type: str) -> bool:
    from transformers.models.auto.modeling_auto import MODEL_FOR_MASKED_LM_MAPPING_NAMES

    return model_type in MODEL_FOR_MASKED_LM_MAPPING_NAMES


def _check_weights(folder: Path, model_class: type[AnswerSelectionModel], config: AnswerSelectionConfig) -> None:
    """Compare the names and shapes of the weights with the model's own, before anything is read into it."""
    _, file, _ = model_files(folder)
    with refused(f"{file} is damaged"):
        found = shapes_in(file)
    with refused(f"no model can be made as {folder / 'config.json'} says"), without_storage(most_parameters(found)):
        expected = {name: tuple(tensor.shape) for name, tensor in model_class(config).state_dict().items()}
    problems = []
    if missing := sorted(expected.keys() - found.keys()):
        problems.append(f"missing {first_of(missing)}")
    if unknown := sorted(found.keys() - expected.keys()):
        problems.append(f"not of this model {first_of(unknown)}")
    if other := [name for name, shape in expected.items() if name in found and found[name] != shape]:
        shapes = (
            f"{other[0]} has the shape {list(found[other[0]])} where config.json asks for {list(expected[other[0]])}"
        )
        problems.append(shapes + (f", and {len(other) - 1} others" if other[1:] else ""))
    if problems:
        msg = f"the weights in {file} do not fit config.json: {'; '.join(problems)}"
        raise ModelFolderError(msg)
