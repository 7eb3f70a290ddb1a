# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""From texts to tensors for models that read words: vocabulary, idf, and what two texts' words are matched by."""

import functools
import itertools
import json
import threading
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Self, TypeAlias

import numpy as np
import snowballstemmer
import torch
from numpy.typing import NDArray
from safetensors import safe_open
from tokenizers import Regex, Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Split
from torch import Tensor

from answer_selection.indexing.idf import idf_of
from answer_selection.indexing.text.normalize import (
    WORD_PATTERN,
    Normalization,
    normalize,
    words,
)
from answer_selection.indexing.text.word_spans import word_spans
from haystack_integrations.components.rankers.answer_selection.models.base import (
    AnswerSelectionConfig,
    Collator,
    list_sizes,
)
from haystack_integrations.components.rankers.answer_selection.models.checks import Length, OneOf, Range
from haystack_integrations.components.rankers.answer_selection.models.explanation import ANSWER, QUESTION, Place
from haystack_integrations.components.rankers.answer_selection.models.matching import (
    PAIR_FEATURES,
    RETRIEVAL_FEATURES,
    SET_FEATURES,
)
from haystack_integrations.components.rankers.answer_selection.models.record import Record

PAD: Final = 0
UNKNOWN: Final = 1
_SPECIAL: Final = ("[PAD]", "[UNK]")

# Snowball's English list (BSD licence), as `words` splits it: contractions come apart.
STOP_WORDS: Final = tuple(
    """
    i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it
    its itself they them their theirs themselves what which who whom this that these those am is are was were be been
    being have has had having do does did doing would should could ought 'm 're 's 've 'd 'll n't ca wo sha can not
    cannot will shall let a an the and but if or because as until while of at by for with about against between into
    through during before after above below to from up down in out on off over under again further then once here
    there when where why how all any both each few more most other some such no nor only own same so than too very
    """.split()
)

PairFeatures: TypeAlias = Sequence[Annotated[str, OneOf((*PAIR_FEATURES, *SET_FEATURES, *RETRIEVAL_FEATURES))]]
"""Names of pair features."""

_STEMMERS: Final = tuple(sorted(snowballstemmer.algorithms()))

# Texts whose words are remembered: an answer comes back in every epoch, and under many questions.
_CACHED_TEXTS: Final = 1 << 15


class WordConfig(AnswerSelectionConfig):  # type: ignore[no-untyped-call]
    """
    What models that read words have in common: what a word is, how many are read, how two sides are matched.

    :param vocab_size: rows of the embedding table, the two for padding and unknown words included.
    :param max_query_length: words of a query that are read.
    :param max_answer_length: words of an answer that are read.
    :param normalization: the options of :class:`Normalization`; None is its defaults.
    :param pair_features: features of a pair that the network sees beside the texts, of
        :data:`matching.PAIR_FEATURES`, :data:`matching.SET_FEATURES` and :data:`matching.RETRIEVAL_FEATURES`.
    :param match_channels: whether every word comes with how it matches the other side.
    :param stemmer: Snowball's algorithm for stems.
    :param stop_words: normalised words that are no content.
    """

    vocab_size: Annotated[int, Range(len(_SPECIAL), 100_000_000)] = len(_SPECIAL)
    max_query_length: Length = 64
    max_answer_length: Length = 200
    normalization: Mapping[str, Any] | None = None
    pair_features: PairFeatures = ()
    match_channels: bool = False
    stemmer: Annotated[str, OneOf(_STEMMERS)] = "english"
    stop_words: Sequence[str] = STOP_WORDS

    def __post_init__(self, **kwargs: Any) -> None:
        super().__post_init__(**kwargs)
        self.normalization = self.rules.to_dict()
        self.pair_features = list(self.pair_features)
        self.stop_words = list(self.stop_words)

    @property
    def rules(self) -> Normalization:
        """How texts are normalised."""
        return Normalization.from_dict(self.normalization or {})

    @property
    def matches_words(self) -> bool:
        """Whether the network sees how the words of both sides match."""
        return self.match_channels or bool(self.pair_features)

    @property
    def retrieval_meta(self) -> list[str]:
        """The keys of the metadata that its pair features are made of."""
        return [key for name, key in RETRIEVAL_FEATURES.items() if name in self.pair_features]


@functools.cache
def _stemmer(algorithm: str) -> tuple[Callable[[str], str], threading.Lock]:
    return snowballstemmer.stemmer(algorithm).stemWord, threading.Lock()


@functools.lru_cache(maxsize=1 << 16)
def stem(word: str, algorithm: str) -> str:
    """
    Find what words are alike by: the stem, without accents, since people often type none ("beyonce", "cafe").

    :param word: a normalised word.
    :param algorithm: Snowball's name for it, such as "english".
    :returns: the stem.
    """
    stem_word, lock = _stemmer(algorithm)
    # Of the rules of English none knows an accent; other languages' need theirs.
    if algorithm in ("english", "porter"):
        word = _without_accents(word)
    with lock:  # a stemmer keeps the word that it works on
        return _without_accents(stem_word(word))


def _without_accents(word: str) -> str:
    if word.isascii():
        return word
    return "".join(letter for letter in unicodedata.normalize("NFKD", word) if not unicodedata.combining(letter))


def _key(word: str) -> int:
    """A number for a word: equal for equal words within a process, never the 0 of padding."""
    return hash(word) or 1


@dataclass(frozen=True, slots=True)
class _Text:
    """
    A text's words, each array [n_words].

    Without matching only `ids` is there. A text without words is one unknown word that matches nothing.
    """

    ids: NDArray[np.int64]
    keys: NDArray[np.int64] | None = None
    stems: NDArray[np.int64] | None = None
    idf: NDArray[np.float32] | None = None
    content: NDArray[np.bool_] | None = None


@dataclass(frozen=True, slots=True)
class _Table:
    """The same for every word of the vocabulary, each array [vocab_size], and idf by stem for words that are not."""

    keys: NDArray[np.int64]
    stems: NDArray[np.int64]
    idf: NDArray[np.float32]
    content: NDArray[np.bool_]
    idf_by_stem: dict[str, float]
    stop_words: frozenset[str]


class WordCollator(Collator):
    """
    Turns records into word ids, and where the configuration asks for it into what words are matched by.

    A batch holds, for the lists' questions (``question_``, [n_lists, Lq]) and the pairs' answers (``answer_``,
    [n_pairs, La]): ``ids`` into the embedding table and ``lengths`` [rows]; if words are matched, also ``keys`` and
    ``stems`` (equal for equal words and stems, also of words outside the vocabulary; 0 for padding), ``idf`` and
    ``content`` (False for stop words). Padding is 0 everywhere. Beside them ``list_sizes`` [n_lists] and,
    for each pair feature of :data:`matching.RETRIEVAL_FEATURES`, its values under its name [n_pairs].
    """

    def __init__(self, config: WordConfig, tokenizer: Tokenizer, idf: NDArray[np.float32]) -> None:
        """
        Create a collator; see :meth:`build` and :meth:`from_pretrained`.

        :param config: the model's configuration.
        :param tokenizer: holds the vocabulary.
        :param idf: inverse document frequency of every word's stem, [vocab_size].
        :raises ValueError: if the three do not have the same vocabulary.
        """
        self.config = config
        self.tokenizer = tokenizer
        self.idf = idf
        if not tokenizer.get_vocab_size() == config.vocab_size == len(idf):
            msg = f"the tokenizer has {tokenizer.get_vocab_size()} words, the configuration's vocab_size is "
            msg += f"{config.vocab_size} and there are {len(idf)} values of idf; expected the same number"
            raise ValueError(msg)
        self._normalization = config.rules
        self._ids: dict[str, int] = tokenizer.get_vocab()
        if max(self._ids.values()) >= config.vocab_size:
            msg = f"the tokenizer's words have numbers up to {max(self._ids.values())}; expected 0 to vocab_size - 1, "
            msg += f"which is {config.vocab_size - 1}"
            raise ValueError(msg)
        self._texts: dict[tuple[str, int], _Text] = {}

    @classmethod
    def build(
        cls,
        config: WordConfig,
        texts: Iterable[str],
        answers: Iterable[str] | None = None,
        *,
        max_words: int = 50_000,
        min_count: int = 1,
    ) -> Self:
        """
        Make the vocabulary and the idf of a corpus, and set the configuration's `vocab_size`.

        The vocabulary has the most frequent words of all texts; equally frequent ones are in alphabetical order. Idf
        is BM25's, log(1 + (N - df + 0.5) / (df + 0.5)), of a word's stem over the N answers; for a word that no answer
        has, df is 0.

        :param config: the model's configuration, whose text options are used.
        :param texts: all texts that the model learns from; read once.
        :param answers: the answers, for idf; read once. None: `texts` are the answers.
        :param max_words: the most words to keep.
        :param min_count: how often a word must occur to be kept.
        :returns: the collator.
        """
        normalization = config.rules
        counts: Counter[str] = Counter()
        frequency: Counter[str] = Counter()
        documents = 0

        def read_words() -> Iterable[list[str]]:
            return (words(normalize(text, normalization)) for text in texts)

        def count_stems(found: Iterable[list[str]]) -> Iterable[list[str]]:
            nonlocal documents
            for answer in found:
                documents += 1
                frequency.update({stem(word, config.stemmer) for word in answer})
                yield answer

        for text in count_stems(read_words()) if answers is None else read_words():
            counts.update(text)
        if answers is not None:
            for _ in count_stems(words(normalize(answer, normalization)) for answer in answers):
                pass

        kept = sorted((word for word, count in counts.items() if count >= min_count), key=lambda w: (-counts[w], w))
        vocabulary = {word: row for row, word in enumerate((*_SPECIAL, *kept[:max_words]))}
        tokenizer = Tokenizer(WordLevel(vocabulary, unk_token=_SPECIAL[UNKNOWN]))
        tokenizer.pre_tokenizer = Split(Regex(WORD_PATTERN), behavior="removed", invert=True)
        df = np.array([frequency[stem(word, config.stemmer)] for word in vocabulary], dtype=np.float64)
        weights = idf_of(documents, df).astype(np.float32)
        weights[PAD] = 0
        config.vocab_size = len(vocabulary)
        return cls(config, tokenizer, weights)

    @property
    def vocabulary(self) -> list[str]:
        """The words in the order of the embedding's rows, the two special ones first."""
        return sorted(self._ids, key=self._ids.__getitem__)

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
        sizes = list_sizes(records)
        starts = itertools.accumulate(sizes[:-1], initial=0)
        matching = self.config.matches_words
        retrieved = self.retrieved(records)
        return {
            "list_sizes": torch.tensor(sizes),
            **self.side("question", [records[start].query for start in starts], matching=matching),
            **self.side("answer", [record.answer for record in records], matching=matching),
            **({} if retrieved is None else self.retrieved_features(retrieved)),
        }

    def retrieved(self, records: Sequence[Record]) -> NDArray[np.float32] | None:
        """See :meth:`Collator.retrieved`; a column for each key of :attr:`WordConfig.retrieval_meta`."""
        keys = self.config.retrieval_meta
        if not keys:
            return None
        return np.array([[record.retrieved(key) or 0.0 for key in keys] for record in records], dtype=np.float32)

    def retrieved_features(self, retrieved: NDArray[np.float32]) -> dict[str, Tensor]:
        """
        Make pair features of retrieval's scores.

        :param retrieved: what :meth:`retrieved` gave.
        :returns: the values [n_pairs] by the features' names.
        """
        columns = dict(zip(self.config.retrieval_meta, torch.from_numpy(retrieved).unbind(-1), strict=True))
        features = {name: columns[key] for name, key in RETRIEVAL_FEATURES.items() if key in columns}
        if "retrieved_bm25" in features:
            # Unlike a cosine it has no bound, and grows with the question's words.
            features["retrieved_bm25"] = features["retrieved_bm25"].clamp(min=0).log1p()
        return features

    def side(self, side: str, texts: Sequence[str], *, matching: bool) -> dict[str, Tensor]:
        """
        Make one side's part of a batch.

        :param side: "question" or "answer".
        :param texts: at least one text, a row each.
        :param matching: whether it has what words are matched by, for which the configuration has to ask.
        :returns: the tensors that the class names, of this side.
        """
        limit = self.config.max_query_length if side == "question" else self.config.max_answer_length
        read = [self._read(text, limit) for text in texts]
        lengths = np.array([len(text.ids) for text in read])
        real = np.arange(lengths.max()) < lengths[:, None]
        batch = {f"{side}_lengths": torch.from_numpy(lengths)}
        for field in ("ids", "keys", "stems", "idf", "content") if matching else ("ids",):
            flat = np.concatenate([getattr(text, field) for text in read])
            padded = np.zeros(real.shape, dtype=flat.dtype)
            padded[real] = flat
            batch[f"{side}_{field}"] = torch.from_numpy(padded)
        return batch

    def pair_length(self, record: Record) -> int:
        """
        Measure a pair.

        :param record: the pair.
        :returns: how many words of it the model reads, on both sides.
        """
        question = self._read(record.query, self.config.max_query_length)
        return len(question.ids) + len(self._read(record.answer, self.config.max_answer_length).ids)

    def known_share(self, records: Sequence[Record]) -> float:
        """See :meth:`Collator.known_share`; of the words that it reads, the query's once."""
        read = [self._read(record.answer, self.config.max_answer_length).ids for record in records]
        read.append(self._read(records[0].query, self.config.max_query_length).ids)
        return float((np.concatenate(read) != UNKNOWN).mean())

    def places(self, record: Record) -> dict[str, list[Place]]:
        """
        Say where in a pair's texts the words stand that the model reads.

        :param record: the pair.
        :returns: the places of the question's and of the answer's words. A text without words is one unknown word.
        """
        config, found = self.config, {}
        for side, text, limit in (
            (QUESTION, record.query, config.max_query_length),
            (ANSWER, record.answer, config.max_answer_length),
        ):
            spans = word_spans(text, self._normalization)[:limit] or [(0, len(text))]
            found[side] = [Place(side, start, end) for start, end in spans]
        return found

    def save_pretrained(self, save_directory: str | Path) -> None:
        """
        Write tokenizer.json. The idf is saved with the model, the options with its configuration.

        :param save_directory: the model folder.
        """
        self.tokenizer.save(str(Path(save_directory) / "tokenizer.json"))

    @classmethod
    def from_pretrained(cls, folder: str | Path) -> Self:
        """
        Read a collator from a model folder.

        :param folder: a whole model folder: config.json, tokenizer.json, and model.safetensors for the idf.
        :returns: the collator.
        """
        folder = Path(folder)
        with safe_open(folder / "model.safetensors", framework="pt") as weights:
            idf = weights.get_tensor("idf").float().numpy()
        config = WordConfig.from_dict(json.loads((folder / "config.json").read_text(encoding="utf-8")))
        return cls(config, Tokenizer.from_file(str(folder / "tokenizer.json")), idf)

    def _read(self, text: str, limit: int) -> _Text:
        """A text's first words, looked up."""
        read = self._texts.get((text, limit))
        if read is None:
            if len(self._texts) >= _CACHED_TEXTS:
                self._texts.clear()
            read = self._texts[text, limit] = self._look_up(words(normalize(text, self._normalization))[:limit])
        return read

    def _look_up(self, found: list[str]) -> _Text:
        matching = self.config.matches_words
        if not found:
            nothing = np.zeros(1, dtype=np.int64)
            rows = np.array([UNKNOWN])
            return _Text(rows, nothing, nothing, nothing.astype(np.float32), nothing > 0) if matching else _Text(rows)
        ids = np.array([self._ids.get(word, UNKNOWN) for word in found])
        if not matching:
            return _Text(ids)
        table = self._table
        keys, stems, idf, content = table.keys[ids], table.stems[ids], table.idf[ids], table.content[ids]
        for place in np.flatnonzero(ids == UNKNOWN):
            word = found[place]
            stemmed = stem(word, self.config.stemmer)
            keys[place], stems[place] = _key(word), _key(stemmed)
            idf[place] = table.idf_by_stem.get(stemmed, table.idf[UNKNOWN])
            content[place] = word not in table.stop_words
        return _Text(ids, keys, stems, idf, content)

    @functools.cached_property
    def _table(self) -> _Table:
        vocabulary = self.vocabulary
        stemmed = [stem(word, self.config.stemmer) for word in vocabulary]
        stop_words = frozenset(self.config.stop_words)
        return _Table(
            keys=np.array([_key(word) for word in vocabulary]),
            stems=np.array([_key(word) for word in stemmed]),
            idf=self.idf,
            content=np.array([word not in stop_words for word in vocabulary]),
            idf_by_stem=dict(zip(stemmed[len(_SPECIAL) :], self.idf[len(_SPECIAL) :].tolist(), strict=True)),
            stop_words=stop_words,
        )
