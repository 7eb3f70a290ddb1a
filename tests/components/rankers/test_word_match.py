# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import binascii
import math
import re
from base64 import b64encode
from dataclasses import replace

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from haystack_integrations.components.rankers.answer_selection.encoders import word_reader
from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder
from haystack_integrations.components.rankers.answer_selection.encoders.word_reader import FILE, WordReader
from haystack_integrations.components.rankers.answer_selection.models.model_folder import (
    PACKAGED,
    SENTENCE_ENCODER,
    ModelFolderError,
)
from haystack_integrations.components.rankers.answer_selection.word_match import ReadText, word_scores


def text(pieces, states=None, width=5):
    """A text of these pieces; without states, each piece has one of its own wherever it stands."""
    if states is None:
        states = [torch.randn(width, generator=torch.Generator().manual_seed(piece)) for piece in pieces]
        states = torch.stack(states) if states else torch.zeros(0, width)
    states = torch.nn.functional.normalize(states, dim=1).half()
    return ReadText(torch.zeros(width), torch.tensor(pieces, dtype=torch.int32), states)


def by_the_formula(query, answers):
    """The docstring's formula, a piece at a time."""
    total, scores = 0.0, np.zeros(len(answers))
    for piece, state in zip(query.pieces.tolist(), query.states.double().numpy(), strict=True):
        having = sum(piece in answer.pieces.tolist() for answer in answers)
        weight = math.log(1 + (len(answers) - having + 0.5) / (having + 0.5))
        total += weight
        for place, answer in enumerate(answers):
            scores[place] += weight * max(cosine(state, other) for other in answer.states.double().numpy())
    return scores / total


def cosine(one, other):
    return one @ other / math.sqrt(one @ one) / math.sqrt(other @ other)


def test_it_is_the_formula():
    torch.manual_seed(3)
    query = text([4, 9, 9, 2], torch.randn(4, 5))
    answers = [text([9, 1], torch.randn(2, 5)), text([7], torch.randn(1, 5)), text([4, 2, 9], torch.randn(3, 5))]
    assert word_scores(query, answers) == pytest.approx(by_the_formula(query, answers), abs=1e-5)
    # However long states are, and of whole numbers too.
    query, *answers = (
        replace(one, states=(one.states.float() * 9).round().to(torch.int8)) for one in [query, *answers]
    )
    assert word_scores(query, answers) == pytest.approx(by_the_formula(query, answers), abs=1e-5)


def test_a_state_of_zeros_is_like_none():
    zeros = ReadText(torch.zeros(5), torch.tensor([3], dtype=torch.int32), torch.zeros(1, 5, dtype=torch.int8))
    scores = word_scores(text([1, 2]), [zeros, text([1])])
    assert scores[0] == 0
    assert word_scores(zeros, [zeros, text([1])]).tolist() == [0.0, 0.0]


def test_an_answer_with_the_words_comes_before_one_with_half_of_them():
    scores = word_scores(text([1, 2]), [text([3, 4, 5]), text([1, 6, 7]), text([8, 2, 1])])
    assert scores.argmax() == 2
    assert scores[2] == pytest.approx(1.0, abs=1e-3)
    assert scores[1] < 0.95


def test_a_rare_word_counts_more():
    # Piece 1 is in all answers but one, piece 2 in that one alone.
    scores = word_scores(text([1, 2]), [text([1, 5]), text([1, 6]), text([1, 7]), text([2, 8])])
    assert scores.argmax() == 3


def test_without_words_it_says_nothing():
    answers = [text([1, 2]), text([]), text([3])]
    assert word_scores(text([]), answers).tolist() == [0.0] * 3
    assert word_scores(text([1]), [text([]), text([])]).tolist() == [0.0, 0.0]
    scores = word_scores(text([1]), answers)
    assert scores[1] == min(scores[0], scores[2])
    assert word_scores(text([1]), answers[:1]).shape == (1,)


def test_an_encoder_reads_what_it_encodes():
    encoder = SentenceEncoder.load()
    texts = ["Where can I park?", "", "There is room for forty cars behind the house.", "Where can I park?"]
    read = encoder.read(texts)
    # Texts of other lengths in a batch change last bits.
    assert torch.stack([one.vector for one in read]).numpy() == pytest.approx(encoder.encode(texts), abs=1e-5)
    assert [len(one.pieces) for one in read] == [5, 0, 10, 5]
    assert all(one.states.shape == (len(one.pieces), 384) for one in read)
    assert torch.equal(read[0].pieces, read[3].pieces)
    [alone] = encoder.read(texts[:1])
    torch.testing.assert_close(alone.states, read[0].states, atol=5e-3, rtol=5e-3)
    # A piece means another thing in another text.
    other = encoder.read(["A park in the city."])[0]
    assert float(other.states[1].float() @ read[0].states[3].float()) < 0.95


def test_other_words_of_the_same_meaning_are_met():
    encoder = SentenceEncoder.load()
    query, *answers = encoder.read(
        ["How do I remove a program?", "Delete applications in the settings.", "The weather in spring is mild."]
    )
    scores = word_scores(query, answers)
    assert scores[0] > scores[1] + 0.05


@pytest.fixture(scope="module")
def reader():
    return WordReader.load()


class TestWordReader:
    TEXTS = ("Where can I park?", "", "There is room for forty cars behind the house. " * 30)

    def test_states_are_seen_in_few_directions_and_rounded(self, reader):
        held = {name: tensor.double() for name, tensor in load_file(FILE).items()}
        whole = SentenceEncoder.load().read(self.TEXTS, windows=4)
        for read, full in zip(reader.read(self.TEXTS), whole, strict=True):
            assert read.pieces.tolist() == full.pieces.tolist()
            assert read.vector.numpy() == pytest.approx(full.vector.numpy(), abs=1e-5)
            assert read.states.shape == (len(read.pieces), reader.directions)
            assert read.states.dtype == torch.int8
            for state, other in zip(read.states.double(), full.states.double(), strict=True):
                # By the docstring: from the mean, in the directions; the longest number is 7 steps.
                seen = (other - held["mean"]) @ held["directions"]
                steps = seen / (seen.abs().max() / 7)
                assert (state - steps).abs().max() < 0.52
                assert state.abs().max() == 7

    def test_a_long_text_is_read_in_windows_each_on_its_own(self, reader):
        # Each word is one piece; the encoder reads 126 at once.
        words = [("paper", "water", "money", "music", "light")[number % 5] for number in range(600)]
        windows = [" ".join(words[first : first + 126]) for first in range(0, 504, 126)]
        short = "Where can I park?"
        for read in (reader.read([" ".join(words)])[0], reader.read([short, " ".join(words)])[1]):
            apart = reader.read(windows)
            assert read.pieces.tolist() == [piece for one in apart for piece in one.pieces.tolist()]
            assert (read.states - torch.cat([one.states for one in apart])).abs().max() <= 1
            assert read.vector.numpy() == pytest.approx(apart[0].vector.numpy(), abs=1e-5)

    def test_what_stands_late_in_a_long_answer_meets_a_question(self, reader):
        filler = "The house is open to all and costs nothing. " * 30
        query, *answers = reader.read(["How do I renew a passport?", filler, f"{filler} Passports are renewed here."])
        without, late = word_scores(query, answers)
        assert late > without + 0.1

    def test_directions_are_at_right_angles(self, reader):
        directions = load_file(FILE)["directions"].double()
        assert (directions.T @ directions - torch.eye(reader.directions)).abs().max() < 2e-3

    def test_what_is_packed_is_unpacked(self, reader):
        for read in reader.read(self.TEXTS):
            packed = read.pack()
            assert len(packed) + 32 < reader.most_bytes
            again = reader.unpack(packed)
            assert again.pieces.tolist() == read.pieces.tolist()
            assert torch.equal(again.states, read.states)
            assert again.vector.numpy() == pytest.approx(read.vector.numpy(), abs=1e-3)
            assert again.nbytes == read.nbytes

    def test_what_is_no_such_text_is_none(self, reader):
        packed = reader.read(self.TEXTS[:1])[0].pack()
        data = binascii.a2b_base64(packed)
        assert reader.unpack(packed) is not None
        for wrong in (packed[:-1], packed[:-4], "", "!", f"{packed}====", "\u00e9" * 8):
            assert reader.unpack(wrong) is None
        for wrong in (data[:-1], data + b"0", data[:100], b"\xff" * len(data)):
            assert reader.unpack(b64encode(wrong).decode("ascii")) is None

    def test_it_ranks_as_whole_states_do(self, reader):
        texts = [
            "How do I remove a program?",
            "Delete applications in the settings.",
            "The weather in spring is mild.",
            "Programs are started from the menu.",
        ]
        few, whole = (
            word_scores(read[0], read[1:]) for read in (reader.read(texts), SentenceEncoder.load().read(texts))
        )
        assert few.argsort().tolist() == whole.argsort().tolist()

    def test_another_encoder_or_other_directions_are_another_reader(self, reader, monkeypatch, tmp_path):
        assert WordReader.load().fingerprint == reader.fingerprint
        # One of its own, not the one that all share.
        encoder = SentenceEncoder.load(PACKAGED[SENTENCE_ENCODER])
        with monkeypatch.context() as other_encoder:
            other_encoder.setattr(SentenceEncoder, "load", lambda **_: encoder)
            assert WordReader.load().fingerprint == reader.fingerprint
            encoder.record = replace(encoder.record, fingerprint="0")
            assert WordReader.load().fingerprint != reader.fingerprint
        other = tmp_path / "directions.safetensors"
        held = load_file(FILE)
        save_file({**held, "mean": held["mean"] * 2}, other)
        monkeypatch.setattr(word_reader, "FILE", other)
        assert WordReader.load().fingerprint != reader.fingerprint
        other.write_bytes(b"no safetensors")
        with pytest.raises(ModelFolderError, match=re.escape(f"{other} cannot be read")):
            WordReader.load()
