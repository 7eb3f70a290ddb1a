# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""From pairs of texts to the one sequence of tokens that a pretrained encoder reads of each."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Self

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer
from tokenizers.models import WordPiece
from torch import Tensor
from transformers import AutoConfig

from answer_selection.indexing.text.encodable import encodable
from haystack_integrations.components.rankers.answer_selection.models.base import Collator, list_sizes
from haystack_integrations.components.rankers.answer_selection.models.explanation import ANSWER, PAIR, QUESTION, Place
from haystack_integrations.components.rankers.answer_selection.models.record import Piece, Record

if TYPE_CHECKING:
    from transformers import PreTrainedConfig

Ids = NDArray[np.int32]

PAIR_OPTIONS: Final = ("mark_matches", "from_sentence_encoder")
"""Fields of a model's configuration that its collator has to know."""

# What is remembered of texts, in tokens and fours of characters: a question comes back with each candidate, an answer
# in every epoch.
_CACHED_TOKENS: Final = 1 << 22
# Rows that an embedding table may have beyond the tokenizer's own: published tables are filled up.
_SPARE_ROWS: Final = 128
_SPARE_PART: Final = 0.05
# Of a long answer: tokens that a piece shares with the next one, and the most pieces.
_SHARED: Final = 12
_MOST_PIECES: Final = 12
# What a piece of WordPiece's is: a word or its beginning, what goes on with one, an unknown word, a mark.
_WHOLE, _REST, _UNKNOWN, _MARK = range(4)


class PairTemplate(NamedTuple):
    """
    What a tokenizer puts around two texts, and the token types that it gives to all of it.

    :param before: the tokens before the question.
    :param between: those between question and answer.
    :param after: those after the answer.
    :param before_types: the types of the tokens before the question.
    :param between_types: the types of those between.
    :param after_types: the types of those after.
    :param question_type: the type of the question's own tokens.
    :param answer_type: the type of the answer's own tokens.
    """

    before: list[int]
    between: list[int]
    after: list[int]
    before_types: list[int]
    between_types: list[int]
    after_types: list[int]
    question_type: int
    answer_type: int

    @property
    def size(self) -> int:
        """How many tokens it adds."""
        return len(self.before) + len(self.between) + len(self.after)

    @classmethod
    def of(cls, tokenizer: Tokenizer) -> Self:
        """
        Find a tokenizer's template.

        :param tokenizer: the tokenizer.
        :returns: its template.
        :raises ValueError: if it puts nothing between the texts, so that no model could tell them apart.
        """
        encoding = tokenizer.encode("a", "a")
        sides, ids, types = encoding.sequence_ids, encoding.ids, encoding.type_ids
        question = [place for place, side in enumerate(sides) if side == 0]
        answer = [place for place, side in enumerate(sides) if side == 1]
        before, between, after = (
            slice(0, question[0]),
            slice(question[-1] + 1, answer[0]),
            slice(answer[-1] + 1, len(ids)),
        )
        if not ids[between]:
            msg = "the tokenizer puts no separator between the two texts of a pair; expected an encoder's, with its "
            msg += "special tokens"
            raise ValueError(msg)
        return cls(
            ids[before],
            ids[between],
            ids[after],
            types[before],
            types[between],
            types[after],
            types[question[0]],
            types[answer[0]],
        )

    @classmethod
    def of_sentences(cls, tokenizer: Tokenizer) -> Self:
        """
        Find what a sentence encoder's tokenizer puts around each of two texts, as if it were alone.

        :param tokenizer: the tokenizer.
        :returns: the template: the question's tokens are of the type 0, the answer's of the type 1.
        :raises ValueError: if it puts nothing in front of a text, or nothing behind it.
        """
        alone = tokenizer.encode("a")
        own = [place for place, special in enumerate(alone.special_tokens_mask) if not special]
        before, after = (alone.ids[: own[0]], alone.ids[own[-1] + 1 :]) if own else ([], [])
        if not before or not after:
            msg = "the tokenizer puts no special tokens around a text; expected a sentence encoder's, such as BERT's"
            raise ValueError(msg)
        first, second = [0] * len(before), [1] * len(after)
        return cls(before, [*after, *before], after, first, [*[0] * len(after), *[1] * len(before)], second, 0, 1)


class PairCollator(Collator):
    """
    Turns records into sequences of question and answer, by the encoder's own tokenizer.

    A batch holds `input_ids` and `attention_mask` [n_pairs, L], `token_type_ids` if the encoder has several types, and
    `list_sizes` [n_lists]; where matches are marked also `matches` [n_pairs, L], 1 for tokens of question and answer
    that the other text has as well, as far as it is read; over a sentence encoder also `position_ids` [n_pairs, L],
    which begin anew with the answer. A pair that is too long loses the end of its answer, until that is down to half of
    the room; only then the question is cut too.
    """

    def __init__(
        self,
        encoder: "PreTrainedConfig",
        max_pair_length: int,
        tokenizer: Tokenizer,
        *,
        mark_matches: bool = False,
        from_sentence_encoder: bool = False,
    ) -> None:
        """
        Create a collator; see :meth:`from_pretrained`.

        :param encoder: the encoder's configuration.
        :param max_pair_length: the most tokens of a sequence, special ones included.
        :param tokenizer: the encoder's tokenizer.
        :param mark_matches: whether a batch holds `matches`.
        :param from_sentence_encoder: whether each text is framed as if it were alone, and a batch holds `position_ids`.
        :raises ValueError: if the tokenizer is not the encoder's, or `max_pair_length` leaves no room for the texts.
        """
        self.tokenizer = tokenizer
        tokenizer.no_truncation()
        tokenizer.no_padding()
        words, rows = tokenizer.get_vocab_size(), encoder.vocab_size
        if not words <= rows < words * (1 + _SPARE_PART) + _SPARE_ROWS:
            msg = f"the tokenizer has {words} tokens and the encoder {rows}: they do not belong together"
            raise ValueError(msg)
        if (greatest := max(tokenizer.get_vocab().values())) >= rows:
            msg = f"the tokenizer's tokens have numbers up to {greatest}; expected less than the encoder's {rows} rows"
            raise ValueError(msg)
        if encoder.pad_token_id is None:
            msg = f"the encoder's configuration ({encoder.model_type}) has no pad_token_id"
            raise ValueError(msg)
        self.pad: int = encoder.pad_token_id
        self.has_types = from_sentence_encoder or (getattr(encoder, "type_vocab_size", None) or 0) > 1
        self.mark_matches = mark_matches
        self.from_sentence_encoder = from_sentence_encoder
        self.template = PairTemplate.of_sentences(tokenizer) if from_sentence_encoder else PairTemplate.of(tokenizer)
        self.room = max_pair_length - self.template.size
        if self.room < 2:
            msg = (
                f"max_pair_length is {max_pair_length}; expected at least {self.template.size + 2}: the tokenizer adds "
            )
            msg += f"{self.template.size} special tokens"
            raise ValueError(msg)
        self._kinds = _kinds_of_pieces(tokenizer) if from_sentence_encoder else None
        self._texts: dict[str, Ids] = {}
        self._tokens = 0

    def __call__(self, records: Sequence[Record]) -> dict[str, Tensor]:
        """
        Make a batch.

        :param records: at least one pair; consecutive ones with the same query and `query_meta` are one list.
        :returns: the tensors that the class names.
        :raises ValueError: if there is no record.
        """
        if not records:
            msg = "a batch needs at least one record"
            raise ValueError(msg)
        tokens = self._read(text for record in records for text in (record.query, record.answer))
        pairs = [self._cut(tokens[record.query], tokens[record.answer]) for record in records]
        width = max(len(question) + len(answer) for question, answer in pairs) + self.template.size
        ids = np.full((len(records), width), self.pad)
        mask = np.zeros_like(ids)
        types = np.zeros_like(ids)
        matches = np.zeros_like(ids)
        places = np.zeros_like(ids)
        t = self.template
        for row, (question, answer) in enumerate(pairs):
            sequence = np.concatenate([t.before, question, t.between, answer, t.after])
            ids[row, : len(sequence)] = sequence
            mask[row, : len(sequence)] = 1
            if self.has_types:
                types[row, : len(sequence)] = np.concatenate(
                    [
                        t.before_types,
                        np.full(len(question), t.question_type),
                        t.between_types,
                        np.full(len(answer), t.answer_type),
                        t.after_types,
                    ]
                )
            if self.mark_matches:
                first, second = len(t.before), len(t.before) + len(question) + len(t.between)
                matches[row, first : first + len(question)] = np.isin(question, answer)
                matches[row, second : second + len(answer)] = np.isin(answer, question)
            if self.from_sentence_encoder:
                start = len(question) + len(t.before) + len(t.after)
                places[row, :start] = np.arange(start)
                places[row, start : len(sequence)] = np.arange(len(sequence) - start)
        batch = {"input_ids": ids, "attention_mask": mask}
        batch |= {"token_type_ids": types} if self.has_types else {}
        batch |= {"matches": matches} if self.mark_matches else {}
        batch |= {"position_ids": places} if self.from_sentence_encoder else {}
        return {
            "list_sizes": torch.tensor(list_sizes(records)),
            **{name: torch.from_numpy(array) for name, array in batch.items()},
        }

    def known_share(self, records: Sequence[Record]) -> float:
        """
        See :meth:`Collator.known_share`; over a sentence encoder, a word that WordPiece has to break is not known.

        Of English FAQs' words 76 % and more are whole pieces, of those of German or Spanish half and less.
        """
        if self._kinds is None:
            return super().known_share(records)
        tokens = self._read((records[0].query, *(record.answer for record in records)))
        # Each text's end ends a word.
        kinds = np.concatenate([np.append(self._kinds[tokens[text]], _MARK) for text in tokens])
        words = np.isin(kinds, (_WHOLE, _UNKNOWN))
        known = (kinds[:-1] == _WHOLE) & (kinds[1:] != _REST)
        return float(known.sum() / words.sum()) if words.any() else 1.0

    def pieces(self, record: Record) -> list[Piece]:
        """
        See :meth:`Collator.pieces`; over a sentence encoder a long answer is read to its end.

        Its first line, which is an entry's question where that stands in front, comes with each piece, unless it is
        long itself. Neighbouring pieces share some tokens. What is behind the last piece is not read.
        """
        if not self.from_sentence_encoder:
            return [Piece(record)]
        query, whole = (self._read([text])[text] for text in (record.query, record.answer))
        # A text that fills the room may have been cut.
        if len(query) + len(whole) <= self.room and len(whole) < self.room:
            return [Piece(record)]
        room = max(self.room - len(query), self.room // 2)
        title, _, body = record.answer.partition("\n")
        spans, size = self._encoding(body).offsets, room - len(self._encoding(title).ids)
        if title and spans and size >= room // 2:
            title = f"{title}\n"
        else:
            title, body, size = "", record.answer, room
            spans = self._encoding(body).offsets
        shared = min(_SHARED, size // 2)
        starts = list(range(0, max(1, len(spans) - shared), size - shared))[:_MOST_PIECES]
        ends = [spans[min(at + size, len(spans)) - 1][1] for at in starts]
        return [
            Piece(replace(record, answer=title + body[begin:end]), len(title), len(title) + begin)
            for begin, end in zip((spans[at][0] for at in starts), ends, strict=True)
        ]

    def pair_length(self, record: Record) -> int:
        """
        Measure a pair.

        :param record: the pair.
        :returns: how many tokens its sequence has.
        """
        tokens = self._read((record.query, record.answer))
        return sum(len(side) for side in self._cut(tokens[record.query], tokens[record.answer])) + self.template.size

    def places(self, record: Record) -> dict[str, list[Place]]:
        """
        Say where in a pair's texts the tokens of its sequence stand.

        :param record: the pair.
        :returns: the place of each token.
        """
        tokens = self._read((record.query, record.answer))
        kept = self._cut(tokens[record.query], tokens[record.answer])
        question, answer = (
            [Place(side, *span) for span in self._encoding(text).offsets[: len(ids)]]
            for side, text, ids in zip((QUESTION, ANSWER), (record.query, record.answer), kept, strict=True)
        )
        t = self.template
        before, between, after = (
            [Place("", name=str(self.tokenizer.id_to_token(token))) for token in part]
            for part in (t.before, t.between, t.after)
        )
        return {PAIR: [*before, *question, *between, *answer, *after]}

    def save_pretrained(self, save_directory: str | Path) -> None:
        """
        Write tokenizer.json.

        :param save_directory: the model folder.
        """
        self.tokenizer.save(str(Path(save_directory) / "tokenizer.json"))

    @classmethod
    def from_pretrained(cls, folder: str | Path) -> Self:
        """
        Read a collator from a model folder.

        :param folder: a whole model folder.
        :returns: the collator.
        """
        folder = Path(folder)
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        encoder = AutoConfig.for_model(**config["encoder"])
        options = {name: True for name in PAIR_OPTIONS if config.get(name)}
        return cls(encoder, config["max_pair_length"], tokenizer, **options)

    def _encoding(self, text: str) -> Encoding:
        """A text's tokens, and where they stand in it."""
        return self.tokenizer.encode(encodable(text), add_special_tokens=False)

    def _read(self, texts: Iterable[str]) -> dict[str, Ids]:
        """The tokens of texts; those that are not known yet are tokenised all at once."""
        # What is returned is the caller's own: another thread may empty the memory meanwhile.
        known = {text: self._texts.get(text) for text in texts}
        new = [text for text, tokens in known.items() if tokens is None]
        found = {text: tokens for text, tokens in known.items() if tokens is not None}
        encodings = self.tokenizer.encode_batch([encodable(text) for text in new], add_special_tokens=False)
        for text, encoding in zip(new, encodings, strict=True):
            found[text] = np.array(encoding.ids[: self.room], dtype=np.int32)
            self._tokens += len(found[text]) + len(text) // 4 + 1
        if self._tokens > _CACHED_TOKENS:
            self._texts, self._tokens = {}, 0
        self._texts.update({text: found[text] for text in new})
        return found

    def _cut(self, question: Ids, answer: Ids) -> tuple[Ids, Ids]:
        if len(question) + len(answer) > self.room:
            answer = answer[: max(self.room - len(question), self.room // 2)]
            question = question[: self.room - len(answer)]
        return question, answer


def _kinds_of_pieces(tokenizer: Tokenizer) -> Ids | None:
    """What each token of WordPiece's is; None for a tokenizer of another kind."""
    if not isinstance(tokenizer.model, WordPiece):
        return None
    pieces = tokenizer.get_vocab()
    kinds = np.full(max(pieces.values()) + 1, _MARK, dtype=np.int32)
    for piece, number in pieces.items():
        if piece.startswith(tokenizer.model.continuing_subword_prefix):
            kinds[number] = _REST
        elif piece == tokenizer.model.unk_token:
            kinds[number] = _UNKNOWN
        elif piece.isalnum():
            kinds[number] = _WHOLE
    return kinds
