# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: RUF001 - the characters that look alike are what these tests are about
import json
import random
import unicodedata
from pathlib import Path

import pytest
from tokenizers import Regex
from tokenizers.pre_tokenizers import Split

from answer_selection.indexing.text.normalize import (
    WORD_PATTERN,
    Normalization,
    normalize,
    words,
)
from haystack_integrations.components.rankers.answer_selection.models.record import Record


@pytest.mark.parametrize(
    ("treebank", "plain"),
    [
        (
            "the american football conference -lrb- afc -rrb- champion",
            "The American Football Conference (AFC) champion",
        ),
        ("i do n't know", "I don’t know"),
        ("i do n't know", "i don´t know"),
        ("you ca n't and wo n't", "You can't and WON'T"),
        ("one can not", "One cannot"),
        ("levi 's stadium", "Levi's Stadium"),
        ("they 're what we 've seen , she 'll go", "They’re what we’ve seen, she’ll go"),
        ("won 24 -- 10", "won 24–10"),
        ("`` no '' , he said", "“No”, he said"),
        ("a five -page primer , inch- thick", "A five-page primer, inch-thick"),
        ("the u.s. and the u.k .", "the U.S and the U.K."),
        ("-lsb- sic -rsb- -lcb- x -rcb-", "[sic] {x}"),
        ("and\\/or 5 \\* 3", "and/or 5 * 3"),
        ("$ 1,000 or 3.5 %", "$1,000 or 3.5%"),
        ("the office of the parents '", "the ofﬁce\u00a0of\u200b the parents'"),
    ],
)
def test_treebank_style_and_plain_text_give_the_same_words(treebank: str, plain: str) -> None:
    assert words(normalize(treebank)) == words(normalize(plain))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It's $1,000.50!", ["it", "'s", "$", "1,000.50"]),
        ("don't, can't", ["do", "n't", "ca", "n't"]),
        ("O'Hare's 19th-century rock'n'roll", ["o'hare", "'s", "19th", "century", "rock'n'roll"]),
        ("open 9:30am, 1/2 price, v1.2", ["open", "9:30am", "1/2", "price", "v1.2"]),
        ("the U.S. e.g. www.example.com", ["the", "u.s.", "e.g.", "www", "example", "com"]),
        ("the 'm' key and 'the end'", ["the", "'m", "key", "and", "the", "end"]),
        ("Beyoncé Straße हिन्दी 東京", ["beyoncé", "straße", "हिन्दी", "東", "京"]),
        ("Ｆｕｌｌ ｗｉｄｔｈ １２", ["full", "width", "12"]),
        ("-- ?! ...", []),
        ("", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(normalize(text)) == expected


def test_case_is_kept_on_request_and_the_option_can_be_stored_with_a_model() -> None:
    options = Normalization(lowercase=False)
    assert normalize("The U.S. -LRB- DON´T -RRB- Do N'T", options) == "The U.S. ( DON'T ) DoN'T"
    assert Normalization.from_dict(json.loads(json.dumps(options.to_dict()))) == options
    with pytest.raises(ValueError, match=r"unknown text normalisation option\(s\) accents; known: lowercase"):
        Normalization.from_dict({"lowercase": True, "accents": False})


def _random_texts(count: int) -> list[str]:
    # Unassigned code points are left out: libraries know different versions of Unicode.
    draw = random.Random(7)
    anything = [chr(c) for c in range(0x110000) if unicodedata.category(chr(c)) not in ("Cn", "Cs", "Co")]
    awkward = [
        *"ab.'’`´-,/: \n\t\0\u00ad\u0301$%İßŉ1２½",
        "n't",
        "'s",
        "-lrb-",
        "``",
        "''",
        "--",
        "cannot",
        "u.s",
        "\\/",
    ]
    return [
        "".join(draw.choice(anything if draw.random() < 0.3 else awkward) for _ in range(draw.randint(1, 16)))
        for _ in range(count)
    ]


def test_normalising_twice_changes_nothing() -> None:
    for text in _random_texts(20_000):
        once = normalize(text)
        assert normalize(once) == once, ascii(text)


def test_plain_text_takes_no_other_way_than_any_text() -> None:
    """ASCII has a shorter way to the same: a word that is none puts a text on the long one."""
    for text in _random_texts(20_000):
        plain = "".join(letter for letter in text if letter.isascii())
        assert normalize(f"{plain} é") == f"{normalize(plain)} é".strip(), ascii(plain)


def test_a_tokenizers_pre_tokenizer_finds_the_same_words() -> None:
    split = Split(Regex(WORD_PATTERN), behavior="removed", invert=True)
    for text in _random_texts(20_000):
        normalized = normalize(text)
        assert [word for word, _ in split.pre_tokenize_str(normalized)] == words(normalized), ascii(normalized)


def test_real_text_is_split_alike_and_leaves_no_escapes(benchmark_data: Path) -> None:
    split = Split(Regex(WORD_PATTERN), behavior="removed", invert=True)
    lines = []
    for name in ("trecqa/raw-test/b.toks", "wikiqa/dev/b.toks", "squad-sentences/src-dev.txt"):
        lines += (benchmark_data / name).read_text(encoding="utf-8").splitlines()[:1000]
    for line in lines:
        normalized = normalize(line)
        found = words(normalized)
        assert normalize(normalized) == normalized
        assert [word for word, _ in split.pre_tokenize_str(normalized)] == found
        assert not {"lrb", "rrb", "lsb", "rsb", "ca n't"} & set(found)
        assert found, line


def test_a_record_needs_no_metadata() -> None:
    record = Record("q", "a")
    assert dict(record.query_meta) == dict(record.meta) == {}
    with pytest.raises(AttributeError):
        record.query = "other"  # type: ignore[misc]
