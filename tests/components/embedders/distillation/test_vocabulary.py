# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import random
import string
from collections import Counter

import pytest
from tokenizers import Tokenizer

from answer_selection.pipelines.training.texts import encoder_texts
from conftest import LIBRARY_FAQ
from haystack_integrations.components.embedders.answer_selection.distillation.vocabulary import PrunedVocabulary, prune
from haystack_integrations.components.rankers.answer_selection.models.wordpiece import train_wordpiece

SPECIAL = ("[CLS]", "[SEP]", "[PAD]", "[UNK]", "[MASK]")
ALPHABET = [f"{letter} {letter * 2}" for letter in string.ascii_lowercase + string.digits]


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return list(encoder_texts([LIBRARY_FAQ / "faq.jsonl"])())[:300]


@pytest.fixture(scope="module")
def whole(texts: list[str]) -> Tokenizer:
    """A teacher's tokenizer; it knows a word that the texts have not, and one of another script."""
    return train_wordpiece([*texts, *ALPHABET, *["zeppelin любовь"] * 9], 900)


@pytest.fixture(scope="module")
def pruned(whole: Tokenizer, texts: list[str]) -> PrunedVocabulary:
    return prune(whole, texts, 300, special=SPECIAL)


def test_any_word_can_be_written(pruned: PrunedVocabulary, texts: list[str]) -> None:
    rng = random.Random(3)
    words = ["".join(rng.choices(string.ascii_lowercase + string.digits, k=rng.randint(1, 12))) for _ in range(300)]
    for text in (*texts, *words, "zeppelin"):
        assert "[UNK]" not in pruned.tokenizer.encode(text).tokens, text
    for word in words:
        tokens = pruned.tokenizer.encode(word, add_special_tokens=False).tokens
        assert "".join(token.removeprefix("##") for token in tokens) == word


def test_the_most_frequent_tokens_are_kept(pruned: PrunedVocabulary, whole: Tokenizer, texts: list[str]) -> None:
    counts = Counter(token for text in texts for token in whole.encode(text, add_special_tokens=False).tokens)
    kept = pruned.tokenizer.get_vocab()
    assert len(kept) == 300
    longer = {token for token in whole.get_vocab() if len(token.removeprefix("##")) > 1 and token not in SPECIAL}
    least = min(counts[token] for token in longer & kept.keys())
    assert least >= max(counts[token] for token in longer - kept.keys())
    assert "library" in kept
    assert "zeppelin" not in kept
    assert "л" not in kept, "a character of a script that the texts have not"
    more = prune(whole, [*texts, *["zeppelin любовь"] * 99], 300, special=SPECIAL).tokenizer.get_vocab()
    assert {"zeppelin", "любовь", "л", "##ю"} <= more.keys()


def test_its_ids_lead_to_the_teachers(pruned: PrunedVocabulary, whole: Tokenizer) -> None:
    assert sorted(pruned.tokenizer.get_vocab().values()) == list(range(300))
    for token, id_ in pruned.tokenizer.get_vocab().items():
        assert whole.id_to_token(int(pruned.teacher_ids[id_])) == token
    own = pruned.own_ids(whole.get_vocab_size())
    assert (own[pruned.teacher_ids] == range(300)).all()
    assert (own == -1).sum() == whole.get_vocab_size() - 300
    assert pruned.tokenizer.token_to_id("[PAD]") == pruned.padding
    found = pruned.tokenizer.encode("the library")
    assert found.tokens == ["[CLS]", "the", "library", "[SEP]"]


def test_a_vocabulary_without_room(whole: Tokenizer, texts: list[str]) -> None:
    with pytest.raises(
        ValueError, match=r"'vocabulary' is 50; expected at least \d+: the special tokens, and the single"
    ):
        prune(whole, texts, 50, special=SPECIAL)
