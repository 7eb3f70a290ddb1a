# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What tells two models apart that would encode an answer differently."""

import hashlib
import json
from typing import Final

import torch

from haystack_integrations.components.rankers.answer_selection.models.base import (
    AnswerSelectionConfig,
    AnswerSelectionModel,
)
from haystack_integrations.components.rankers.answer_selection.models.collator import WordCollator

# To be raised when the same model would encode the same text differently: by other rules of what a word is, say.
_VERSION: Final = 1

# Of the configuration, what has no part in an answer's encoding; a new field counts until it is named here.
_OTHER_FIELDS: Final = frozenset(
    (
        "batch_norm",
        "cosine_scale",
        "dropout",
        "embedding_dropout",
        "feature_shortcut",
        "head",
        "max_query_length",
        "mlp_layers",
        "mlp_size",
        "pair_features",
        "stemmer",
        "stop_words",
    )
)
_OTHER_WEIGHTS: Final = ("classifier.", "idf")


def encoding_fingerprint(model: AnswerSelectionModel, collator: WordCollator) -> str:
    """
    Make a digest of all that decides an answer's encoding: weights, configuration, vocabulary.

    The head is left out, so that a model that was calibrated again keeps its answers' encodings.

    :param model: the model, in the precision in which it runs.
    :param collator: its collator.
    :returns: 16 hexadecimal digits.
    """
    common = AnswerSelectionConfig().to_dict().keys() - {"model_type"}
    config = {
        name: value
        for name, value in model.config.to_dict().items()
        if name not in common and name not in _OTHER_FIELDS
    }
    digest = hashlib.blake2b(digest_size=8)
    digest.update(json.dumps([_VERSION, config, collator.vocabulary], sort_keys=True, default=str).encode())
    for name, tensor in sorted(model.state_dict().items()):
        if not name.startswith(_OTHER_WEIGHTS):
            digest.update(f"{name} {tensor.dtype} {list(tensor.shape)}".encode())
            digest.update(tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy())
    return digest.hexdigest()
