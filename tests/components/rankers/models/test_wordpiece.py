# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from tokenizers import Tokenizer

from haystack_integrations.components.rankers.answer_selection.models.wordpiece import SPECIAL_TOKENS, train_wordpiece

TEXTS = (
    "How long may I keep a book? Borrowed books are kept for four weeks.",
    "The library keeps lending; lenders and borrowers keep reading, re-reading and lending again.",
    "Überfällige Bücher: überfällige Rückgaben kosten 20 Cent, 20 Cent je Tag.",
)


def texts() -> Iterator[str]:
    """They can be read once, as those of an index."""
    for _ in range(3):
        yield from TEXTS


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return train_wordpiece(texts(), 120)


def test_special_tokens_come_first(tokenizer: Tokenizer) -> None:
    assert [tokenizer.token_to_id(name) for name in SPECIAL_TOKENS] == [0, 1, 2, 3, 4]
    assert sorted(tokenizer.get_vocab().values()) == list(range(tokenizer.get_vocab_size()))
    assert tokenizer.get_vocab_size() == 120


def test_text_comes_back_lower_cased_and_without_accents(tokenizer: Tokenizer) -> None:
    encoding = tokenizer.encode("Überfällige books, 20 lenders", add_special_tokens=False)
    assert tokenizer.decode(encoding.ids) == "uberfallige books, 20 lenders"
    assert len(encoding.tokens) > 4, "some words are in parts"
    again = Tokenizer.from_str(tokenizer.to_str())
    assert again.encode(TEXTS[0]).ids == tokenizer.encode(TEXTS[0]).ids


def test_templates_of_one_text_and_of_a_pair(tokenizer: Tokenizer) -> None:
    first, second = (tokenizer.encode(text, add_special_tokens=False).ids for text in ("a book", "four weeks"))
    one, pair = tokenizer.encode("a book"), tokenizer.encode("a book", "four weeks")
    assert one.ids == [2, *first, 3]
    assert set(one.type_ids) == {0}
    assert pair.ids == [2, *first, 3, *second, 3]
    assert pair.type_ids == [0] * (len(first) + 2) + [1] * (len(second) + 1)


def test_words_that_come_back_are_one_token_and_unknown_characters_are_unknown(tokenizer: Tokenizer) -> None:
    assert tokenizer.encode("keep", add_special_tokens=False).tokens == ["keep"]
    assert tokenizer.encode("東", add_special_tokens=False).tokens == ["[UNK]"]
    assert tokenizer.encode("a" * 101, add_special_tokens=False).tokens == ["[UNK]"]


def test_small_vocabulary_keeps_the_frequent_characters() -> None:
    found = train_wordpiece(["aaab aab cd"], 11)
    assert found.get_vocab_size() <= 11
    assert found.encode("aba", add_special_tokens=False).tokens != ["[UNK]"]
    assert found.encode("d", add_special_tokens=False).tokens == ["[UNK]"]


SCRIPT = f"""
import importlib.util, sys
from hashlib import sha256
spec = importlib.util.spec_from_file_location("shared", {__file__!r})
shared = importlib.util.module_from_spec(spec)
spec.loader.exec_module(shared)
print(sha256(shared.train_wordpiece(shared.texts(), 120).to_str().encode()).hexdigest())
"""


def test_the_same_texts_give_the_same_tokenizer_in_every_process() -> None:
    """Hash tables have other orders in each process; here are many ties, which must not be broken by those."""
    found = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT], env=os.environ | {"PYTHONHASHSEED": seed}, check=True, capture_output=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


def test_what_cannot_be_a_tokenizer() -> None:
    with pytest.raises(ValueError, match=r"vocab_size is 6; expected at least 7"):
        train_wordpiece(["text"], 6)
    with pytest.raises(ValueError, match="the texts have no word"):
        train_wordpiece(["", " \n"], 100)
