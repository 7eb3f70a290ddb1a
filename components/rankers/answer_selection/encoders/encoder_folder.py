# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A sentence encoder's folder, in sentence-transformers' format: where it is, and which of it can be run here."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

from haystack_integrations.components.rankers.answer_selection.models.model_folder import (
    SENTENCE_ENCODER,
    ModelFolderError,
    refused,
)
from haystack_integrations.components.rankers.answer_selection.models.named_folder import Sought, find_named
from haystack_integrations.components.rankers.answer_selection.models.quantized_weights import (
    QUANTIZED_WEIGHTS,
    WEIGHTS,
    weights_file,
)

_POOLING: Final = "pooling_mode_"
_PACKAGE: Final = "sentence_transformers."
_RUN: Final = [["Transformer", "Pooling", *others] for others in ([], ["Normalize"], ["Dense"], ["Dense", "Normalize"])]
_INSTEAD: Final = (
    "Name this encoder in YAML with Haystack's SentenceTransformersTextEmbedder and "
    "SentenceTransformersDocumentEmbedder instead: pip install 'answer-selection-haystack[encoders]'"
)
# To be raised when the same folder would give other vectors.
_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class EncoderFolder:
    """
    What a sentence encoder's folder says.

    :param path: The folder.
    :param transformer: The folder of the network, and of the tokenizer.
    :param dense: The folder of the linear layer after pooling; None if there is none.
    :param max_seq_length: The most tokens of a text, special ones included, if sentence-transformers or the tokenizer
        says so; the network may have fewer positions.
    :param lower: Whether texts are put into lower case before the tokenizer reads them.
    """

    path: Path
    transformer: Path
    dense: Path | None
    max_seq_length: int | None
    lower: bool

    def fingerprint(self) -> str:
        """
        Make a digest of all that decides a vector: weights, configuration, tokenizer; not of where the folder is.

        :returns: 16 hexadecimal digits.
        """
        files = [self.transformer / name for name in ("config.json", "tokenizer.json")]
        files.append(weights_file(self.transformer))
        if self.dense:
            files += [self.dense / name for name in ("config.json", WEIGHTS)]
        digest = hashlib.blake2b(digest_size=8)
        digest.update(json.dumps([_VERSION, self.max_seq_length, self.lower]).encode())
        for path in files:
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        return digest.hexdigest()


def find_folder(name: str | Path, token: str | None, revision: str | None) -> Path:
    """
    Find an encoder's folder.

    :param name: A folder, the name of a model on the Hugging Face hub, or that of the encoder of this package.
    :param token: The hub's token, for private models.
    :param revision: The hub model's branch, tag or commit.
    :returns: The folder.
    :raises ModelFolderError: If there is none.
    """
    return find_named(name, _SOUGHT, token=token, revision=revision)


def _is_whole(folder: Path) -> bool:
    weights = (path for name in (WEIGHTS, QUANTIZED_WEIGHTS) for path in folder.rglob(name))
    return (folder / "modules.json").is_file() and any(weights)


_SOUGHT: Final = Sought(
    kind="encoder",
    own=(SENTENCE_ENCODER,),
    expected="the folder of a sentence encoder",
    # The hub's file names are matched with folders and all.
    patterns=("*.json", "*.safetensors"),
    is_whole=_is_whole,
    # The same name goes on giving the vectors that an index has.
    stays=True,
)


def read_folder(path: Path) -> EncoderFolder:
    """
    Read what the folder of a sentence encoder says, but for weights and tokenizer.

    :param path: The folder.
    :returns: What it says.
    :raises ModelFolderError: If a file is missing or damaged, or the encoder is one that is not run here: it needs
        code or a pickle of others, or does something else than a mean over the tokens' vectors.
    """
    modules = _read_modules(path)
    kinds = [kind for kind, _ in modules]
    if kinds not in _RUN:
        _refuse(path / "modules.json", f"the modules are {', '.join(kinds) or 'none'}")
    folders = dict(modules)
    _check_pooling(folders["Pooling"] / "config.json")
    if "Dense" in folders:
        _check_dense(folders["Dense"])
    _check_use(path / "config_sentence_transformers.json", normalized="Normalize" in folders)

    transformer = folders["Transformer"]
    if _read(transformer / "config.json").get("auto_map"):
        msg = f"{transformer / 'config.json'}: the encoder needs code of its own (auto_map), which is never run"
        raise ModelFolderError(msg)
    _check_files(transformer, "tokenizer.json", weights_file(transformer).name)
    # Its name differs where the oldest folders name the kind of network in it.
    about = [_read(file) for file in sorted(transformer.glob("sentence_*_config.json"))]
    told = about[0] if about else {}
    if (task := told.get("transformer_task", "feature-extraction")) != "feature-extraction":
        _refuse(transformer, f"the task is '{task}'")
    length = told.get("max_seq_length") or _read(transformer / "tokenizer_config.json", {}).get("model_max_length")
    if length is not None and not (isinstance(length, int | float) and length >= 1):
        msg = f"{transformer}: the most tokens of a text are {length!r}; expected a number of at least 1"
        raise ModelFolderError(msg)
    return EncoderFolder(
        path=path,
        transformer=transformer,
        dense=folders.get("Dense"),
        max_seq_length=None if length is None else int(length),
        lower=bool(told.get("do_lower_case")),
    )


def _read_modules(path: Path) -> list[tuple[str, Path]]:
    """The kinds of the modules and their folders, in the order in which they run."""
    file = path / "modules.json"
    if not file.is_file():
        msg = f"{path} lacks modules.json; expected a sentence encoder's folder, as sentence-transformers saves one"
        raise ModelFolderError(msg)
    with refused(f"{file} cannot be read"):
        modules = [(str(each["type"]), path / each["path"]) for each in json.loads(file.read_text(encoding="utf-8"))]
    for kind, _ in modules:
        if not kind.startswith(_PACKAGE):
            msg = f"{file}: the encoder needs code of its own ({kind}), which is never run"
            raise ModelFolderError(msg)
    return [(kind.rpartition(".")[2], folder) for kind, folder in modules]


def _check_pooling(file: Path) -> None:
    config = _read(file)
    # Older versions of sentence-transformers wrote a field for each mode; the mean needs no word.
    named = config.get("pooling_mode", [field for field, on in config.items() if field.startswith(_POOLING) and on])
    modes = [str(mode).removeprefix(_POOLING) for mode in ([named] if isinstance(named, str) else named)]
    if modes not in (["mean"], ["mean_tokens"], []):
        _refuse(file, f"the pooling is {' and '.join(modes)}")


def _check_dense(folder: Path) -> None:
    config = _read(folder / "config.json")
    # Without the field it is the hyperbolic tangent.
    activation = str(config.get("activation_function", "Tanh")).rpartition(".")[2]
    if activation != "Identity":
        _refuse(folder / "config.json", f"the activation is {activation}")
    if config.get("use_residual") or config.get("module_input_name", "sentence_embedding") != "sentence_embedding":
        _refuse(folder / "config.json", "the layer is not over the pooled vector alone")
    _check_files(folder, WEIGHTS)


def _check_use(file: Path, *, normalized: bool) -> None:
    config = _read(file, {})
    prompts = config.get("prompts") or {}
    if used := sorted(name for name, prompt in prompts.items() if prompt):
        _refuse(file, f"texts get prompts ({', '.join(used)})")
    similarity = config.get("similarity_fn_name") or "cosine"
    if not normalized and similarity != "cosine":
        _refuse(file, f"vectors without Normalize are compared by '{similarity}'")


def _check_files(folder: Path, *names: str) -> None:
    missing = [name for name in names if not (folder / name).is_file()]
    if missing:
        msg = f"the encoder in {folder} lacks {' and '.join(missing)}"
        if WEIGHTS in missing:
            msg += "; other files of weights, such as pytorch_model.bin, can run any code when read, so they are "
            msg += "refused: save as safetensors"
        raise ModelFolderError(msg)


def _refuse(where: Path, what: str) -> NoReturn:
    msg = f"{where}: {what}. What is run here is a Transformer, the mean of its tokens' vectors, perhaps a linear "
    msg += f"layer (Dense with Identity), and Normalize. {_INSTEAD}"
    raise ModelFolderError(msg)


def _read(file: Path, default: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
    """A JSON file with an object; the default is for one that may be missing."""
    if default is not None and not file.is_file():
        return default
    with refused(f"{file} cannot be read"):
        data = json.loads(file.read_text(encoding="utf-8"))
    if not isinstance(data, dict):
        msg = f"{file} holds no object"
        raise ModelFolderError(msg)
    return data
