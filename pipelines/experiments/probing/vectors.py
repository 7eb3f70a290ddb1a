# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
The vectors that are probed: what a model's head reads of a sentence, and the words of it as a baseline.

A model reads pairs, so the sentence stands in the answer's place, and in the question's stands its own question if it
has one, else an empty text. Nothing of the model is trained.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import torch
from haystack.utils import ComponentDevice
from numpy.typing import NDArray
from torch import Tensor, nn

from answer_selection.pipelines.experiments.probing.sentences import Sentence
from answer_selection.pipelines.experiments.probing.split import Split
from haystack_integrations.components.rankers.answer_selection.models.base import AnswerSelectionModel, Collator

Progress = Callable[[int], None]

BAG_WORDS: Final = 500
_BATCH: Final = 32


@torch.no_grad()
def sentence_vectors(
    model: AnswerSelectionModel, collator: Collator, sentences: Sequence[Sentence], progress: Progress
) -> NDArray[np.float32]:
    """
    Give a model's frozen vectors.

    :param model: the model, in evaluation mode.
    :param collator: its collator.
    :param sentences: the sentences.
    :param progress: called with the number of sentences done.
    :returns: a row a sentence: of a model that reads words the answer's vector as the head gets it, and the pair's
        features if there are any; of the tree aggregation the vector of the answer's root; of other models over an
        encoder what the head's last layer reads.
    :raises ValueError: if a vector has a number that is not finite.
    """
    records = [sentence.record() for sentence in sentences]
    # Sentences of one length together: less padding.
    order = sorted(range(len(records)), key=lambda row: collator.pair_length(records[row]))
    device = ComponentDevice.resolve_device(None).to_torch()
    nn.Module.to(model, device=device)
    rows: list[Tensor] = []
    for start in range(0, len(order), _BATCH):
        batch = collator([records[row] for row in order[start : start + _BATCH]])
        rows.append(model.probed_vectors(model.to_device(batch)).float().cpu())
        progress(min(start + _BATCH, len(order)))
    found = torch.cat(rows).numpy()
    vectors = np.empty_like(found)
    vectors[order] = found
    if not np.isfinite(vectors).all():
        msg = f"{int((~np.isfinite(vectors)).any(1).sum())} sentences have vectors that are not finite"
        raise ValueError(msg)
    return vectors


def bag_of_words(sentences: Sequence[Sentence], split: Split) -> NDArray[np.float32]:
    """
    Count words: what vectors tell without any model.

    :param sentences: the sentences.
    :param split: the parts.
    :returns: a row a sentence: how often it has each of the training part's most frequent words, and all others.
    """
    counts = [Counter(word.casefold() for word in sentence.words()) for sentence in sentences]
    together: Counter[str] = Counter()
    for row in split.train:
        together.update(counts[row])
    frequent = sorted(together, key=lambda word: (-together[word], word))[:BAG_WORDS]
    columns = {word: column for column, word in enumerate(frequent)}
    vectors = np.zeros((len(sentences), len(columns) + 1), dtype=np.float32)
    for row, count in enumerate(counts):
        for word, times in count.items():
            vectors[row, columns.get(word, len(columns))] += times
    return vectors
