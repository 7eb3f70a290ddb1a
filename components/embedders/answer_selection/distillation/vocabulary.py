# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A part of the teacher's WordPiece vocabulary, by which any word can still be written."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from string import printable

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer, processors

from answer_selection.indexing.batched import batched

# Texts that are tokenised at once.
_TEXTS = 1000


@dataclass(frozen=True, slots=True)
class PrunedVocabulary:
    """
    A tokenizer with a part of the teacher's tokens.

    :param tokenizer: the tokenizer; it neither pads nor cuts.
    :param teacher_ids: by its own ids, the teacher's.
    :param counts: by its own ids, how often each is met in the texts.
    :param padding: the id of the token that fills short texts up.
    """

    tokenizer: Tokenizer
    teacher_ids: NDArray[np.int64]
    counts: NDArray[np.int64]
    padding: int

    def own_ids(self, teacher_size: int) -> NDArray[np.int64]:
        """
        Give its own ids by the teacher's.

        :param teacher_size: tokens that the teacher has.
        :returns: the ids; -1 for tokens that were left out.
        """
        found = np.full(teacher_size, -1, dtype=np.int64)
        found[self.teacher_ids] = np.arange(len(self.teacher_ids))
        return found


def prune(tokenizer: Tokenizer, texts: Iterable[str], size: int, *, special: tuple[str, ...]) -> PrunedVocabulary:
    """
    Choose the tokens to keep.

    Kept are the special tokens; single characters, at a word's beginning and inside, so that any word can be written;
    then the tokens that are most frequent in the texts. Tokens that the texts lack come last, in the teacher's own
    order, which is by frequency where the vocabulary was trained.

    :param tokenizer: the teacher's tokenizer, a WordPiece; it is left as it is.
    :param texts: the texts; read once.
    :param size: the most tokens to keep.
    :param special: the special tokens: those that begin and end a text, that for padding, and others.
    :returns: the part that is kept.
    :raises ValueError: if `size` leaves no room for the special tokens and the characters.
    """
    vocabulary: dict[str, int] = tokenizer.get_vocab(with_added_tokens=True)
    counts: Counter[int] = Counter()
    for some in batched(texts, _TEXTS):
        found = tokenizer.encode_batch_fast(list(some))
        counts.update(chain.from_iterable(encoding.ids for encoding in found))
    state = json.loads(tokenizer.to_str())
    prefix = state["model"]["continuing_subword_prefix"]
    written = {character for token, id_ in vocabulary.items() if counts[id_] for character in token}
    # Those of other scripts would take a tenth of a small vocabulary.
    characters = written.union(printable)
    first = sorted(
        {vocabulary[token] for token in special}
        | {id_ for token, id_ in vocabulary.items() if token.removeprefix(prefix) in characters}
    )
    if len(first) > size:
        msg = f"training setting 'vocabulary' is {size}; expected at least {len(first)}: the special tokens, and the "
        msg += "single characters that write any word"
        raise ValueError(msg)
    names = {id_: token for token, id_ in vocabulary.items()}
    others = [id_ for id_ in names if not names[id_].startswith("[unused")]
    rest = sorted(set(others).difference(first), key=lambda id_: (-counts[id_], id_))
    kept = [*first, *rest][:size]

    own = {names[id_]: number for number, id_ in enumerate(kept)}
    state["model"]["vocab"] = own
    state["added_tokens"] = [
        {**token, "id": own[token["content"]]} for token in state["added_tokens"] if token["content"] in own
    ]
    # The teacher's names its own ids, in a form that differs between teachers.
    state |= {"truncation": None, "padding": None, "post_processor": None}
    pruned: Tokenizer = Tokenizer.from_str(json.dumps(state))
    begin, end, padding = special[:3]
    pruned.post_processor = processors.TemplateProcessing(
        single=f"{begin} $A {end}", special_tokens=[(begin, own[begin]), (end, own[end])]
    )
    met = np.array([counts[id_] for id_ in kept], dtype=np.int64)
    return PrunedVocabulary(pruned, np.array(kept, dtype=np.int64), met, own[padding])
