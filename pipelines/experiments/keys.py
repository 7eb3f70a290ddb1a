# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Keys that tell what is made once for several experiments from anything else."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from answer_selection.indexing.artifact import digest


def key_of(*parts: Any) -> str:
    """
    Make a key.

    :param parts: What decides it, as JSON has it.
    :returns: Its digest.
    """
    return sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def key_of_encoder(folder: Path) -> str:
    """
    Make a key of an encoder's files: weights, configuration and tokenizer.

    :param folder: The encoder's folder.
    :returns: Their digest, wherever the folder is.
    """
    # The weights may be in several files.
    paths = [folder / "config.json", folder / "tokenizer.json", *sorted(folder.glob("*.safetensors"))]
    return key_of(*([path.name, digest(path)] for path in paths if path.exists()))
