# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0

import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import torch

from answer_selection.indexing.text.normalize import normalize
from haystack_integrations.components.rankers.answer_selection import default_ctrn
from haystack_integrations.components.rankers.answer_selection.models import collator as collators
from haystack_integrations.components.rankers.answer_selection.models.collator import WordCollator, WordConfig, stem
from haystack_integrations.components.rankers.answer_selection.models.record import Record

ANSWERS = ["Renew the loan online.", "The card is renewed at a desk.", "A desk, a desk!", "Don't pay the U.S. fine."]


def build(answers=ANSWERS, texts=None, *, max_words=50_000, min_count=1, **options):
    options = {"pair_features": ["overlap"], **options}
    return WordCollator.build(
        WordConfig(**options), texts or answers, answers, max_words=max_words, min_count=min_count
    )


class TestVocabulary:
    def test_most_frequent_first_then_alphabetical(self):
        collator = build()
        assert collator.vocabulary[:5] == ["[PAD]", "[UNK]", "a", "desk", "the"]
        assert collator.vocabulary[5:] == sorted(collator.vocabulary[5:])
        assert collator.config.vocab_size == len(collator.vocabulary) == len(collator.idf)

    def test_limits(self):
        assert build(max_words=2).vocabulary == ["[PAD]", "[UNK]", "a", "desk"]
        assert build(min_count=3).vocabulary == ["[PAD]", "[UNK]", "a", "desk", "the"]

    def test_texts_beside_the_answers_give_words_but_no_document_frequency(self):
        collator = build(texts=[*ANSWERS, "umbrella umbrella umbrella"])
        row = collator.vocabulary.index("umbrella")
        assert collator.idf[row] == collator.idf[1] == collator.idf.max()

    def test_idf_is_of_stems_over_answers(self):
        collator = build()
        idf = dict(zip(collator.vocabulary, collator.idf.tolist(), strict=True))
        for word, df in {"desk": 2, "renew": 2, "renewed": 2, "loan": 1, "the": 3, "[UNK]": 0}.items():
            assert idf[word] == pytest.approx(np.log(1 + (4 - df + 0.5) / (df + 0.5)))
        assert idf["[PAD]"] == 0

    def test_the_tokenizer_file_finds_the_same_ids(self, tmp_path):
        collator = build()
        for text in [*ANSWERS, "Don't pay a zebra's fine (U.S.) at the desk -- 24/7"]:
            ids = collator([Record(text, text)])["answer_ids"][0].tolist()
            assert collator.tokenizer.encode(normalize(text)).ids == ids


class TestBatch:
    def test_lists_are_consecutive_records_of_one_query(self):
        collator = build()
        records = [
            Record("q", "a"),
            Record("q", "b"),
            Record("p", "a"),
            Record("q", "a"),
            Record("q", "a", query_meta={"tree": 1}),
        ]
        batch = collator(records)
        assert batch["list_sizes"].tolist() == [2, 1, 1, 1]
        assert len(batch["question_ids"]) == 4
        assert len(batch["answer_ids"]) == 5

    def test_values(self):
        collator = build()
        batch = collator([Record("Is the desk renewing?", "the desks"), Record("Is the desk renewing?", "unseen")])
        words = collator.vocabulary
        assert batch["question_lengths"].tolist() == [4]
        assert batch["answer_lengths"].tolist() == [2, 1]
        assert batch["question_ids"].tolist() == [[words.index("is"), words.index("the"), words.index("desk"), 1]]
        assert batch["answer_ids"].tolist() == [[words.index("the"), 1], [1, 0]]
        assert batch["answer_keys"][0, 0] == batch["question_keys"][0, 1]
        assert batch["answer_keys"][0, 1] != batch["question_keys"][0, 2]  # desks is not desk
        assert batch["answer_stems"][0, 1] == batch["question_stems"][0, 2]  # but has its stem
        assert batch["answer_keys"][1, 1] == batch["answer_stems"][1, 1] == 0
        assert batch["question_content"].tolist() == [[False, False, True, True]]
        idf = dict(zip(words, collator.idf, strict=True))
        # words outside the vocabulary have their stem's idf, or an unknown word's
        assert batch["answer_idf"].tolist() == [
            [pytest.approx(idf["the"]), pytest.approx(idf["desk"])],
            [pytest.approx(idf["[UNK]"]), 0.0],
        ]
        assert batch["question_idf"][0, 3] == pytest.approx(idf["renew"])

    def test_unknown_words_match_each_other_by_what_they_are(self):
        batch = build()([Record("zebra", "zebra giraffe")])
        assert batch["answer_ids"].tolist() == [[1, 1]]
        assert batch["answer_keys"][0, 0] == batch["question_keys"][0, 0] != batch["answer_keys"][0, 1]

    @pytest.mark.parametrize("text", ["", "  ", "?!", "\x00"])
    def test_a_text_without_words_is_one_unknown_word_that_matches_nothing(self, text):
        batch = build()([Record(text, text)])
        assert batch["answer_ids"].tolist() == batch["question_ids"].tolist() == [[1]]
        for field in ("keys", "stems", "idf", "content"):
            assert not batch[f"answer_{field}"].any()

    def test_texts_are_cut(self):
        collator = build(max_query_length=2, max_answer_length=3)
        record = Record("the card at a desk", "the card at a desk")
        batch = collator([record])
        assert batch["question_ids"].shape == (1, 2)
        assert batch["answer_ids"].shape == (1, 3)
        assert collator.pair_length(record) == 5

    def test_only_ids_where_nothing_is_matched(self):
        batch = build(pair_features=())([Record("q", "a")])
        assert sorted(batch) == ["answer_ids", "answer_lengths", "list_sizes", "question_ids", "question_lengths"]

    def test_what_was_read_before_is_remembered_but_not_for_ever(self, monkeypatch):
        monkeypatch.setattr(collators, "_CACHED_TEXTS", 3)
        collator = build()
        first = {name: x.clone() for name, x in collator([Record("q", ANSWERS[0])]).items()}
        for answer in ANSWERS * 3:
            collator([Record("q", answer)])
            assert len(collator._texts) <= 3
        again = collator([Record("q", ANSWERS[0])])
        assert all(torch.equal(first[name], again[name]) for name in first)

    def test_several_threads_at_once(self):
        collator = build()
        records = [Record(f"desk {number}", f"card {number % 7} desks") for number in range(200)]
        expected = build()(records)
        with ThreadPoolExecutor(8) as threads:
            for batch in threads.map(lambda _: collator(records), range(16)):
                assert all(torch.equal(batch[name], expected[name]) for name in expected)

    def test_pickles(self):
        collator = build()
        records = [Record("the desk", "a desk zebra")]
        expected = collator(records)
        copy = pickle.loads(pickle.dumps(collator))(records)
        assert all(torch.equal(copy[name], expected[name]) for name in expected)

    def test_no_record(self):
        with pytest.raises(ValueError, match="a batch needs at least one record"):
            build()([])


@pytest.mark.parametrize(
    ("algorithm", "one", "other", "alike"),
    [
        ("english", "beyoncé", "beyonce", True),
        ("english", "cafés", "cafe", True),
        ("english", "siddhārtha", "siddhartha", True),
        ("english", "café", "calf", False),
        ("german", "bücher", "buch", True),
    ],
)
def test_stems_are_alike_with_and_without_accents(algorithm, one, other, alike):
    assert (stem(one, algorithm) == stem(other, algorithm)) is alike


@pytest.mark.slow
def test_stems_do_not_depend_on_pystemmer():
    """snowballstemmer takes PyStemmer where it is installed; a model must read the same without it."""
    program = """
import sys
sys.modules["Stemmer"] = None
from haystack_integrations.components.rankers.answer_selection.models.collator import stem
for line in sys.stdin:
    algorithm, *words = line.split()
    print(*(stem(word, algorithm) for word in words))
"""
    words = {
        "english": WordCollator.from_pretrained(Path(default_ctrn.__file__).parent).vocabulary,
        "german": "bücher verlängerte straßen ausweise größten".split(),
    }
    result = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", program],
        input="".join(f"{' '.join([algorithm, *some])}\n" for algorithm, some in words.items()),
        check=True,
        capture_output=True,
        encoding="utf-8",
        timeout=600,
    )
    expected = [[stem(word, algorithm) for word in some] for algorithm, some in words.items()]
    assert [line.split() for line in result.stdout.splitlines()] == expected


def test_parts_that_do_not_belong_together():
    collator = build()
    with pytest.raises(ValueError, match=r"vocab_size is \d+ and there are 3 values of idf; expected the same number"):
        WordCollator(collator.config, collator.tokenizer, np.zeros(3, dtype=np.float32))


def test_the_share_of_known_words_counts_the_query_once():
    config = WordConfig(max_answer_length=4)
    collator = WordCollator.build(config, ["the desk opens at nine"])
    records = [Record("the desk", "opens xyzzy at nine and nobody reads on"), Record("the desk", "plugh")]
    # the, desk; opens, at, nine of four that are read; none of one.
    assert collator.known_share(records) == pytest.approx(5 / 7)
    assert collator.known_share([Record("", "")]) == 0.0
