# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Bringing a trained model that reads words to another corpus, before it is trained on."""

from collections import defaultdict
from collections.abc import Iterable
from copy import deepcopy

import numpy as np
import torch
from haystack_integrations.components.rankers.answer_selection.models.collator import PAD, UNKNOWN, WordCollator, stem
from haystack_integrations.components.rankers.answer_selection.models.qrnn import QRNNModel
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from torch import Tensor, nn


def extend(
    model: QRNNModel, collator: WordCollator, texts: Iterable[str], answers: Iterable[str]
) -> tuple[QRNNModel, WordCollator]:
    """
    Give a model another corpus's words and idf. Its weights, and the words that it has, stay as they are.

    A new word's vector is the mean of those of the known words that share its stem, and zero where there is none: it
    then matches by what it is, and says nothing else. Idf is the new corpus's alone: a word that it does not have is as
    telling as can be.

    :param model: the model; its embedding table and idf are replaced.
    :param collator: its collator, which stays as it is.
    :param texts: all texts of the new corpus; read once.
    :param answers: its answers, for idf; read once.
    :returns: the model and its new collator.
    """
    config = collator.config
    assert model.config.vocab_size == config.vocab_size
    fresh = WordCollator.build(deepcopy(config), texts, answers)
    known = collator.vocabulary
    vocabulary = {word: row for row, word in enumerate(dict.fromkeys([*known, *fresh.vocabulary]))}
    added = list(vocabulary)[len(known) :]

    idf_by_stem = {stem(word, config.stemmer): value for word, value in zip(fresh.vocabulary, fresh.idf, strict=True)}
    unseen = fresh.idf[UNKNOWN]
    idf = np.array([idf_by_stem.get(stem(word, config.stemmer), unseen) for word in vocabulary], dtype=np.float32)
    idf[: UNKNOWN + 1] = fresh.idf[: UNKNOWN + 1]

    rows_by_stem = defaultdict(list)
    for row, word in enumerate(known[UNKNOWN + 1 :], start=UNKNOWN + 1):
        rows_by_stem[stem(word, config.stemmer)].append(row)
    old = model.get_input_embeddings().weight.detach()
    new = old.new_zeros((len(vocabulary), old.shape[1]))
    new[: len(known)] = old
    for row, word in enumerate(added, start=len(known)):
        if rows := rows_by_stem.get(stem(word, config.stemmer)):
            new[row] = old[rows].mean(0)

    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token=known[UNKNOWN]))
    tokenizer.pre_tokenizer = fresh.tokenizer.pre_tokenizer
    config.vocab_size = model.config.vocab_size = len(vocabulary)
    trained = model.get_input_embeddings().weight.requires_grad
    model.set_input_embeddings(_embedding(new, trained=trained))
    model.idf = torch.from_numpy(idf)
    return model, WordCollator(config, tokenizer, idf)


def _embedding(table: Tensor, *, trained: bool) -> nn.Embedding:
    embedding = nn.Embedding(*table.shape, padding_idx=PAD, _weight=table)
    embedding.weight.requires_grad_(trained)
    return embedding
