# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Features and channels of a pair, as a model sees them, against their definitions: one pair and one word at a time."""

import itertools
import math
import random
from dataclasses import dataclass

import pytest
import torch

from answer_selection.indexing.text.normalize import normalize, words
from haystack_integrations.components.rankers.answer_selection.models import matching, registry
from haystack_integrations.components.rankers.answer_selection.models.collator import STOP_WORDS, UNKNOWN, stem
from haystack_integrations.components.rankers.answer_selection.models.matching import (
    PAIR_FEATURES,
    PAPER_FEATURES,
    SET_FEATURES,
)
from haystack_integrations.components.rankers.answer_selection.models.record import Record

SMALL = 1e-3  # what a share's divisor is at least

ANSWERS = [
    "Renewing a card is free, and it's done online.",
    "Rooms can be booked for two hours. Rooms that are booked and not used cost a fee; a room is lost after a while.",
    "Lost cards are replaced for a fee.",
    "Cards.",
    "the of and",
    "",
    "?!",
    "Book a room online: the room's hours are the library's hours, and the library is open for ten hours.",
]
QUESTIONS = [
    "How do I renew my library card online?",
    "Is there a fee for replacing a card that was lost in a room?",
    "Rooms",
    "why the",
    "",
    "umbrella umbrellas",  # not in the vocabulary
]
# Few words and many of their forms, so that everything that can match does, in any order and number.
DRAWN = (
    "card cards room rooms book booked fee fees renew renewing the a is not library lost online zebra giraffe".split()
)


def drawn_pairs():
    generator = random.Random(7)
    for _ in range(120):
        sizes = generator.choice([1, 2, 3, 8, 12]), generator.choice([1, 2, 7, 8, 9, 30])
        yield Record(*(" ".join(generator.choices(DRAWN, k=size)) for size in sizes))


RECORDS = [
    *(Record(question, answer) for question in QUESTIONS for answer in [*ANSWERS, "an umbrella"]),
    *drawn_pairs(),
]
NAMES = [f"{index}: {record.query[:30]!r} / {record.answer[:30]!r}" for index, record in enumerate(RECORDS)]


@dataclass(frozen=True)
class Word:
    """A word, and how it matches the other side."""

    text: str
    stem: str
    idf: float
    content: bool
    exact: bool
    stemmed: bool
    soft: float
    bigram: bool
    frequency: int
    """How many words of the other side have its stem."""


@dataclass(frozen=True)
class Pair:
    question: list[Word]
    answer: list[Word]


@dataclass(frozen=True)
class Seen:
    """What the network was given: [n_pairs, n_features], and [n_pairs, L, n_channels] of both sides."""

    features: torch.Tensor
    question: torch.Tensor
    answer: torch.Tensor

    def __iter__(self):
        return iter((self.features, self.question, self.answer))


def cosine(x, y):
    lengths = math.sqrt(sum(a * a for a in x)) * math.sqrt(sum(b * b for b in y))
    return sum(a * b for a, b in zip(x, y, strict=True)) / lengths if lengths else 0.0


class Definitions:
    """Words of pairs, from the texts, the corpus's texts and the word vectors alone."""

    def __init__(self, vectors):
        self.vectors = vectors
        self.answers = [{stem(word, "english") for word in words(normalize(answer))} for answer in ANSWERS]

    def idf(self, stemmed):
        df = sum(stemmed in answer for answer in self.answers)
        return math.log(1 + (len(self.answers) - df + 0.5) / (df + 0.5))

    def side(self, own, other):
        own_stems, other_stems = ([stem(word, "english") for word in side] for side in (own, other))
        for i, word in enumerate(own):
            vector = self.vectors.get(word, [0.0])
            similarities = [cosine(vector, self.vectors[one]) for one in other if one in self.vectors and any(vector)]
            bigram = False
            for j in range(len(other)):
                for step in (1, -1):
                    inside = 0 <= i + step < len(own) and 0 <= j + step < len(other)
                    if inside and own_stems[i] == other_stems[j] and own_stems[i + step] == other_stems[j + step]:
                        bigram = True
            yield Word(
                text=word,
                stem=own_stems[i],
                idf=self.idf(own_stems[i]),
                content=word not in STOP_WORDS,
                exact=word in other,
                stemmed=own_stems[i] in other_stems,
                soft=max([0.0, *similarities]),
                bigram=bigram,
                frequency=other_stems.count(own_stems[i]),
            )

    def pair(self, record):
        question, answer = words(normalize(record.query)), words(normalize(record.answer))
        return Pair(list(self.side(question, answer)), list(self.side(answer, question)))


def weight(word):
    """Idf, near 1: that of a word that a corpus of some thousands has once is about 8."""
    return word.idf / 8


def share(side, value, mass=weight):
    return sum(value(word) * mass(word) for word in side) / max(sum(mass(word) for word in side), SMALL)


def heavy(word):
    return weight(word) ** 2


def overlap(pair, *, content, weighted):
    hits = total = 0.0
    for word in pair.question + pair.answer:
        if word.content or not content:
            total += word.idf if weighted else 1
            hits += (word.idf if weighted else 1) * word.exact
    return hits / max(total, SMALL)


def ranked(side, place, *, matched):
    masses = sorted((weight(word) for word in side if word.stemmed == matched), reverse=True)
    return masses[place] if place < len(masses) else 0.0


def bm25(pair, *, k1, b, power, normalised):
    total = mass = 0.0
    for word in pair.question:
        idf = word.idf**power
        norm = k1 * (1 - b + b * len(pair.answer) / 27)
        total += idf * word.frequency * (k1 + 1) / (word.frequency + norm)
        mass += idf
    return total / max(mass, SMALL) if normalised else total / 20


def telling(answer):
    """The places of an answer's words that are content and that the question has."""
    return [place for place, word in enumerate(answer) if word.content and word.stemmed]


def window_share(pair):
    masses = [weight(word) * (word.content and word.stemmed) for word in pair.answer]
    best = max((sum(masses[start : start + 8]) for start in range(len(masses))), default=0.0)
    return best / max(sum(weight(word) for word in pair.question), SMALL)


def skip_bigrams(pair):
    return sum(
        weight(pair.answer[second]) / (second - first)
        for first, second in itertools.combinations(telling(pair.answer), 2)
        if second - first <= 3
    )


def first_match(pair):
    places = telling(pair.answer)
    return sum(places) / max(len(places), 1) / 20


USUAL = {"k1": 1.2, "b": 0.75, "power": 1.0}
SHORT = {"k1": 0.5, "b": 0.4, "power": 1.5}
FEATURES = {
    "overlap": lambda pair: overlap(pair, content=False, weighted=False),
    "idf_overlap": lambda pair: overlap(pair, content=False, weighted=True),
    "content_overlap": lambda pair: overlap(pair, content=True, weighted=False),
    "content_idf_overlap": lambda pair: overlap(pair, content=True, weighted=True),
    "exact_share": lambda pair: share(pair.question, lambda word: word.exact),
    "stem_share": lambda pair: share(pair.question, lambda word: word.stemmed),
    "soft_share": lambda pair: share(pair.question, lambda word: word.soft),
    "bigram_share": lambda pair: share(pair.question, lambda word: word.bigram),
    "heavy_stem_share": lambda pair: share(pair.question, lambda word: word.stemmed, heavy),
    "heavy_soft_share": lambda pair: share(pair.question, lambda word: word.soft, heavy),
    "heavy_bigram_share": lambda pair: share(pair.question, lambda word: word.bigram, heavy),
    "missing": lambda pair: sum(weight(word) for word in pair.question if not word.stemmed),
    "missing_first": lambda pair: ranked(pair.question, 0, matched=False),
    "missing_second": lambda pair: ranked(pair.question, 1, matched=False),
    "missing_third": lambda pair: ranked(pair.question, 2, matched=False),
    "matched_first": lambda pair: ranked(pair.question, 0, matched=True),
    "matched_second": lambda pair: ranked(pair.question, 1, matched=True),
    "matched_third": lambda pair: ranked(pair.question, 2, matched=True),
    "bm25": lambda pair: bm25(pair, **USUAL, normalised=False),
    "bm25_share": lambda pair: bm25(pair, **USUAL, normalised=True),
    "short_bm25": lambda pair: bm25(pair, **SHORT, normalised=False),
    "short_bm25_share": lambda pair: bm25(pair, **SHORT, normalised=True),
    "window_share": window_share,
    "skip_bigrams": skip_bigrams,
    "answer_share": lambda pair: share(pair.answer, lambda word: word.stemmed),
    "answer_soft_share": lambda pair: share(pair.answer, lambda word: word.soft),
    "answer_length": lambda pair: math.log(max(len(pair.answer), 1)),
    "question_length": lambda pair: math.log(max(len(pair.question), 1)),
    "first_match": first_match,
    "soft_share_60": lambda pair: share(pair.question, lambda word: word.soft > 0.6),
    "soft_share_70": lambda pair: share(pair.question, lambda word: word.soft > 0.7),
    "soft_share_80": lambda pair: share(pair.question, lambda word: word.soft > 0.8),
}
CHANNELS = {
    "exact": lambda word: float(word.exact),
    "stem": lambda word: float(word.stemmed),
    "soft": lambda word: word.soft,
    "bigram": lambda word: float(word.bigram),
    "idf": weight,
    "idf of a stem match": lambda word: weight(word) * word.stemmed,
}
# The greatest value that a feature can have; the least is 0 for all.
GREATEST = {
    **{name: 1.0 for name in PAIR_FEATURES if "overlap" in name or "share" in name},
    "bm25_share": 2.2,
    "short_bm25_share": 1.5,
    "window_share": math.inf,  # an answer may say a question's word more than once
}


@pytest.fixture(scope="module")
def network():
    """A model that sees everything there is, with its collator."""
    torch.manual_seed(3)
    sizes = {"embedding_size": 4, "projection_size": 3, "hidden_size": 3, "mlp_size": 3}
    model, collator = registry.build(
        "qrnn",
        [*ANSWERS, *QUESTIONS[:5], " ".join(DRAWN[:-2])],
        ANSWERS,
        **sizes,
        pair_features=PAIR_FEATURES,
        match_channels=True,
    )
    return model.eval(), collator


def look(network, records, extra_words=0):
    """What the network's layers were given for records, with so many words of padding more."""
    model, collator = network
    batch = collator(records)
    for name, tensor in batch.items():
        if tensor.dim() > 1:
            batch[name] = torch.cat([tensor, tensor.new_zeros(len(tensor), extra_words, *tensor.shape[2:])], dim=1)
    convolved, features = [], []
    hooks = [
        model.convolution.register_forward_pre_hook(lambda _, inputs: convolved.append(inputs[0])),
        model.classifier.register_forward_pre_hook(lambda _, inputs: features.append(inputs[2])),
    ]
    with torch.no_grad():
        model(**batch)
    for hook in hooks:
        hook.remove()
    question, answer = (side[..., model.config.projection_size :] for side in convolved)
    return Seen(features[0], question, answer)


@pytest.fixture(scope="module")
def seen(network):
    return look(network, RECORDS)


@pytest.fixture(scope="module")
def pairs(network):
    model, collator = network
    table = model.get_input_embeddings().weight.tolist()
    vectors = {word: table[row] for row, word in enumerate(collator.vocabulary) if row > UNKNOWN}
    assert not vectors.keys() & {"zebra", "giraffe", "umbrella"}
    definitions = Definitions(vectors)
    return [definitions.pair(record) for record in RECORDS]


class TestDefinitions:
    def test_every_feature_and_channel_has_one(self):
        missing = [name for name in PAIR_FEATURES if name not in FEATURES]
        assert not missing, f"features without a definition in this test: {', '.join(missing)}"
        assert set(FEATURES) == set(PAIR_FEATURES), "this test defines features that are no longer there"
        assert len(CHANNELS) == matching.CHANNELS, f"expected definitions of all {matching.CHANNELS} channels"
        assert PAIR_FEATURES[:4] == PAPER_FEATURES == tuple(FEATURES)[:4]

    @pytest.mark.parametrize("name", PAIR_FEATURES)
    def test_feature(self, name, seen, pairs):
        assert name in FEATURES, f"the feature '{name}' has no definition in this test"
        values = seen.features[:, PAIR_FEATURES.index(name)].tolist()
        for pair, value, of in zip(pairs, values, NAMES, strict=True):
            assert value == pytest.approx(FEATURES[name](pair), abs=2e-5), f"{name} of {of}"

    @pytest.mark.parametrize("name", CHANNELS)
    @pytest.mark.parametrize("side", ["question", "answer"])
    def test_channel(self, name, side, seen, pairs):
        values = getattr(seen, side)[..., list(CHANNELS).index(name)]
        for pair, row, of in zip(pairs, values.tolist(), NAMES, strict=True):
            expected = [CHANNELS[name](word) for word in getattr(pair, side)]
            expected += [0.0] * (len(row) - len(expected))
            assert row == pytest.approx(expected, abs=2e-5), f"{name} of the {side} of {of}"

    @pytest.mark.parametrize("name", PAIR_FEATURES)
    def test_these_pairs_tell_a_feature_from_every_other(self, name, seen):
        """Else a feature could be mistaken for another, or be constant, and nothing above would show it."""
        values = seen.features[:, PAIR_FEATURES.index(name)]
        assert len(values.unique()) > 3
        for index, other in enumerate(PAIR_FEATURES):
            assert other == name or not torch.allclose(values, seen.features[:, index]), other

    @pytest.mark.parametrize("name", PAIR_FEATURES)
    def test_is_documented(self, name):
        assert f"\n``{name}``" in matching.__doc__, f"the module's docstring does not say what '{name}' is"


class TestBatches:
    """Rounding apart, nothing that a pair's network sees depends on the pairs beside it."""

    def test_padding(self, network, seen):
        padded = look(network, RECORDS, extra_words=11)
        torch.testing.assert_close(padded.features, seen.features, atol=1e-6, rtol=0)
        for side in ("question", "answer"):
            more, less = getattr(padded, side), getattr(seen, side)
            torch.testing.assert_close(more[:, : less.shape[1]], less, atol=1e-6, rtol=0)
            assert not more[:, less.shape[1] :].any()

    @pytest.mark.slow
    def test_a_pair_alone(self, network, seen):
        for index, record in enumerate(RECORDS):
            for alone, together in zip(look(network, [record]), seen, strict=True):
                part = together[index]
                if part.dim() == 2:
                    assert not part[alone.shape[1] :].any()
                    part = part[: alone.shape[1]]
                torch.testing.assert_close(
                    alone[0], part, atol=1e-6, rtol=0, msg=lambda m, of=NAMES[index]: f"{of}: {m}"
                )

    def test_another_order(self, network, seen):
        order = random.Random(0).sample(range(len(RECORDS)), len(RECORDS))
        for shuffled, sorted_ in zip(look(network, [RECORDS[index] for index in order]), seen, strict=True):
            torch.testing.assert_close(shuffled, sorted_[order], atol=1e-6, rtol=0)


class TestValues:
    @pytest.mark.parametrize("name", PAIR_FEATURES)
    def test_feature_is_in_range(self, name, seen):
        values = seen.features[:, PAIR_FEATURES.index(name)]
        assert values.isfinite().all()
        assert values.min() >= 0
        assert values.max() <= GREATEST.get(name, math.inf) + 1e-6

    def test_channels_are_in_range(self, seen):
        for side in (seen.question, seen.answer):
            assert side.isfinite().all()
            assert side.min() >= 0
            assert side.max() <= 1 + 1e-6
            flags = side[..., [list(CHANNELS).index(name) for name in ("exact", "stem", "bigram")]]
            assert ((flags == 0) | (flags == 1)).all()

    @pytest.mark.parametrize("texts", [("", ""), ("", "a card"), ("?!", "\x00"), ("card", "")])
    def test_a_text_without_words_matches_nothing(self, network, texts):
        seen = look(network, [Record(*texts)])
        lengths = {"answer_length", "question_length", "missing", "missing_first"}
        others = [index for index, name in enumerate(PAIR_FEATURES) if name not in lengths]
        assert not seen.features[:, others].any()
        assert not seen.question[..., :4].any()
        assert not seen.answer[..., :4].any()

    def test_one_word_that_is_the_answer(self, network):
        seen = look(network, [Record("cards", "Cards!")])
        values = dict(zip(PAIR_FEATURES, seen.features[0].tolist(), strict=True))
        for name in ("overlap", "idf_overlap", "exact_share", "stem_share", "soft_share", "soft_share_80"):
            assert values[name] == pytest.approx(1), name
        for name in ("bigram_share", "missing", "skip_bigrams", "first_match", "answer_length", "question_length"):
            assert values[name] == 0, name


def different(pair_side, *, content):
    """A side's different words, each with its idf as features have it."""
    return {word.text: weight(word) for word in pair_side if word.content or not content}


class TestOverlapOfSets:
    """What Severyn and Moschitti's program counts: a word that is there twice counts once."""

    @pytest.fixture
    def seen(self):
        torch.manual_seed(3)
        model, collator = registry.build(
            "qrnn", [*ANSWERS, *QUESTIONS[:5], " ".join(DRAWN[:-2])], ANSWERS, hidden_size=3, pair_features=SET_FEATURES
        )
        features = []
        model.classifier.register_forward_pre_hook(lambda _, inputs: features.append(inputs[2]))
        with torch.no_grad():
            model.eval()(**collator(RECORDS))
        return features[0]

    @pytest.mark.parametrize("content", [False, True])
    def test_equals_its_definition(self, content, seen, pairs):
        names = [name for name in SET_FEATURES if ("content" in name) == content]
        values = seen[:, [SET_FEATURES.index(name) for name in names]].tolist()
        for pair, row, of in zip(pairs, values, NAMES, strict=True):
            question, answer = (different(side, content=content) for side in (pair.question, pair.answer))
            shared, total = question.keys() & answer.keys(), max(len(question) + len(answer), 1)
            expected = [len(shared) / total, sum(question[word] for word in shared) / total]
            assert row == pytest.approx(expected, abs=2e-5), of

    def test_is_not_that_over_all_words(self, seen, network):
        over_words = look(network, RECORDS).features
        for place, name in enumerate(PAPER_FEATURES):
            # Where no word is there twice, the one is twice the other; here some are.
            assert not torch.allclose(2 * seen[:, place], over_words[:, PAIR_FEATURES.index(name)], atol=0.01)

    @pytest.mark.parametrize("name", SET_FEATURES)
    def test_is_documented_and_no_linear_model_has_it_unasked(self, name):
        assert f"``{name}``" in matching.__doc__
        assert name not in registry.MODELS["linear"].config_class().pair_features
