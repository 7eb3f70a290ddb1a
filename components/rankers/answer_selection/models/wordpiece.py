# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A WordPiece tokenizer of one's own text, in BERT's form: for encoders that are pretrained on that text."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

if TYPE_CHECKING:
    from transformers import PreTrainedConfig

SPECIAL_TOKENS: Final = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
"""By their ids: 0, 1, 2, 3, 4."""

_CONTINUING: Final = "##"
# A longer one is [UNK] to the model: addresses and encoded data, mostly.
_LONGEST_WORD: Final = 100
# As BERT's own vocabulary has them. Rarer characters, of which other scripts have thousands, are [UNK].
_CHARACTERS: Final = 1000
# A part that occurs once teaches nothing.
_LEAST_COUNT: Final = 2
_REPEATED: Final = 1000


def train_wordpiece(texts: Iterable[str], vocab_size: int) -> Tokenizer:
    """
    Train a lower-casing WordPiece tokenizer (Schuster and Nakajima 2012; Devlin et al. 2019, section 3).

    The same texts give the same tokenizer.

    :param texts: the texts; read once, one at a time. What is held are their words, each once, with its count.
    :param vocab_size: the most tokens; few or short texts give fewer.
    :returns: the tokenizer, with BERT's template for one text and for a pair (type ids 0 and 1).
    :raises ValueError: if `vocab_size` leaves no room beside the special tokens, or the texts have no word.
    """
    least = len(SPECIAL_TOKENS) + 2
    if vocab_size < least:
        msg = f"vocab_size is {vocab_size}; expected at least {least}: {len(SPECIAL_TOKENS)} special tokens and others"
        raise ValueError(msg)
    normalizer = normalizers.BertNormalizer(lowercase=True)
    splitter = pre_tokenizers.BertPreTokenizer()
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(word for word, _ in splitter.pre_tokenize_str(normalizer.normalize_str(text)))
    counts = Counter({word: count for word, count in counts.items() if len(word) <= _LONGEST_WORD})
    if not counts:
        msg = "the texts have no word; a tokenizer cannot be trained on them"
        raise ValueError(msg)

    tokenizer = Tokenizer(models.WordPiece(_vocabulary(counts, vocab_size), max_input_chars_per_word=_LONGEST_WORD))
    tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = splitter
    tokenizer.decoder = decoders.WordPiece(prefix=_CONTINUING)
    tokenizer.add_special_tokens(list(SPECIAL_TOKENS))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(name, tokenizer.token_to_id(name)) for name in ("[CLS]", "[SEP]")],
    )
    return tokenizer


def adopt(encoder: "PreTrainedConfig", tokenizer: Tokenizer) -> None:
    """
    Write into a new encoder's configuration what it has of its tokenizer: how many tokens, and the special ones' ids.

    :param encoder: the configuration, changed in place.
    :param tokenizer: what :func:`train_wordpiece` gave.
    """
    encoder.vocab_size = tokenizer.get_vocab_size()
    roles = {"pad": "[PAD]", "cls": "[CLS]", "sep": "[SEP]", "bos": "[CLS]", "eos": "[SEP]"}
    for role, token in roles.items():
        if getattr(encoder, f"{role}_token_id", None) is not None:
            setattr(encoder, f"{role}_token_id", tokenizer.token_to_id(token))


def _vocabulary(counts: Counter[str], vocab_size: int) -> dict[str, int]:
    """
    Find the parts of words.

    The trainer numbers characters inside words as its hash table happens to have them, and breaks ties by these
    numbers. Handed over as "special tokens" in an order of ours, they have the same numbers in every run.
    """
    characters: Counter[str] = Counter()
    for word, count in counts.items():
        for character in word:
            characters[character] += count
    # Each may need two tokens: at a word's beginning, and inside.
    room = min(_CHARACTERS, (vocab_size - len(SPECIAL_TOKENS)) // 2)
    kept = sorted(sorted(characters, key=lambda character: (-characters[character], character))[:room])
    inside = {character for word in counts for character in word[1:]}
    trainer = trainers.WordPieceTrainer(
        vocab_size=vocab_size,
        min_frequency=_LEAST_COUNT,
        special_tokens=[*SPECIAL_TOKENS, *(_CONTINUING + character for character in kept if character in inside)],
        initial_alphabet=kept,
        limit_alphabet=len(kept),
        continuing_subword_prefix=_CONTINUING,
        show_progress=False,
    )
    parts = Tokenizer(models.WordPiece())
    parts.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    parts.train_from_iterator(_repeated(counts), trainer)
    vocabulary: dict[str, int] = parts.get_vocab()
    return vocabulary


def _repeated(counts: Counter[str]) -> Iterator[str]:
    """Give the words as often as they occur, as texts of bounded length."""
    for word in sorted(counts):
        for start in range(0, counts[word], _REPEATED):
            yield f"{word} " * min(_REPEATED, counts[word] - start)
