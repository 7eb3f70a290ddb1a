# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Model folders: those that come with the package, and what is said of one that cannot be read."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

CTRN: Final = "answer-selection-ctrn"
"""The CTRN that comes with the package."""

GSAMN: Final = "answer-selection-gsamn"
"""The GSAMN that comes with the package."""

SENTENCE_ENCODER: Final = "answer-selection-small"
"""The sentence encoder that comes with the package."""

# Of what others say of an error: some of it quotes whole configurations.
_LONGEST: Final = 500

# What every name of `PACKAGED` begins with.
_BEGINNING: Final = "answer-selection-"

_RANKERS: Final = Path(__file__).parents[1]

PACKAGED: Final[Mapping[str, Path]] = {
    CTRN: _RANKERS / "default_ctrn",
    GSAMN: _RANKERS / "default_gsamn",
    SENTENCE_ENCODER: _RANKERS / "encoders" / "default_encoder",
}
"""What a name of the package stands for."""


def packaged(name: str | Path) -> Path:
    """
    Give a model's folder, where its name stands for one of the package.

    :param name: a name of `PACKAGED`, or any other name or folder.
    :returns: the folder; of another name, that as a path.
    """
    return PACKAGED.get(name, Path(name)) if isinstance(name, str) else name


class ModelFolderError(ValueError):
    """A model folder cannot be read; the message says what is missing or wrong."""


def refuse_unknown(name: str | Path, kind: str, known: Iterable[str]) -> None:
    """
    Refuse a name that begins as those of the package do: nobody would find it on the hub.

    :param name: a name that is no folder.
    :param kind: what it should be the name of: "model" or "encoder".
    :param known: the names of the package's own.
    :raises ModelFolderError: if it begins so, and is no name of an organisation and its model.
    """
    if str(name).startswith(_BEGINNING) and "/" not in str(name):
        msg = f"there is no {kind} folder {name}, and the package has no {kind} of that name, but {' and '.join(known)}"
        raise ModelFolderError(msg)


@contextmanager
def refused(what: str) -> Iterator[None]:
    """
    Say in one line what is wrong: transformers, safetensors and tokenizers each have errors of their own.

    :param what: the beginning of the line.
    :raises ModelFolderError: if there is any error inside.
    """
    try:
        yield
    except BaseException as error:
        # A panic of the tokenizers' Rust is no Exception.
        panic = type(error).__name__ == "PanicException"
        if isinstance(error, ModelFolderError) or not (isinstance(error, Exception) or panic):
            raise
        said = " ".join(str(error).split()) or type(error).__name__
        msg = f"{what}: {said if len(said) <= _LONGEST else said[:_LONGEST] + ' ...'}"
        raise ModelFolderError(msg) from error
