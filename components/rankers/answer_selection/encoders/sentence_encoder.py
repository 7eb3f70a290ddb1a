# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The runtime of sentence encoders: torch, transformers and tokenizers, without sentence-transformers."""

import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias
from weakref import WeakValueDictionary

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from haystack.utils import ComponentDevice
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor, nn

from answer_selection.indexing.batched import batched
from answer_selection.indexing.encoder import EncoderRecord
from answer_selection.indexing.text.encodable import encodable
from haystack_integrations.components.rankers.answer_selection.encoders.encoder_folder import (
    find_folder,
    read_folder,
)
from haystack_integrations.components.rankers.answer_selection.encoders.encoder_parts import (
    TransformersEncoder,
    read_dense,
    read_network,
    read_tokenizer,
)
from haystack_integrations.components.rankers.answer_selection.models.bert import Bert
from haystack_integrations.components.rankers.answer_selection.models.model_folder import SENTENCE_ENCODER, refused
from haystack_integrations.components.rankers.answer_selection.models.threads import threads_for
from haystack_integrations.components.rankers.answer_selection.models.weights import check_finite
from haystack_integrations.components.rankers.answer_selection.word_match import ReadText

BATCH_SIZE: Final = 32
# Texts whose tokens are held at a time; among them, those of like length share a batch.
_TOKENISED: Final = 1024
# Texts that were encoded alone, as questions are: an embedder asks for a question's vector, a ranker for its words.
_ALONE: Final = 16
_SHORT: Final = 500
# The package's encoder by folder and device: embedders and rankers have one in memory, as long as any of them has it.
_SHARED: "WeakValueDictionary[tuple[Path, str], SentenceEncoder]" = WeakValueDictionary()
# A text's place among those given, and the number of the window.
_Place: TypeAlias = tuple[int, int]
# Windows of like length: their places, what the tokenizer gives, states [n, L, d] and vectors [n, d].
_Batch: TypeAlias = tuple[list[_Place], list[Any], Tensor, Tensor]
# Locks are no attributes: what has an encoder has to stay copyable.
_SHARING: Final = threading.Lock()
_KEEPING: Final = threading.Lock()


class SentenceEncoder:
    """
    Gives texts their vectors, as sentence-transformers would.

    It runs folders in sentence-transformers' format whose modules are a Transformer, the mean of its tokens' vectors, a
    linear layer or none, and Normalize. It computes in single precision, whatever the weights were saved in, so that an
    encoder's vectors are the same on every device. It is a `TextEncoder`; several threads may use it at once.

    ```python
    from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder

    encoder = SentenceEncoder.load("sentence-transformers/all-MiniLM-L6-v2")
    question, answer = encoder.encode(["Who wrote it?", "Nobody knows the author."])
    print(question @ answer)
    ```
    """

    def __init__(self, name: str, fingerprint: str, tokenizer: Tokenizer, network: "_Network") -> None:
        """
        Creates the encoder; see :meth:`load`.

        :param name: What loads it again.
        :param fingerprint: Its fingerprint.
        :param tokenizer: The tokenizer, which cuts what is too long and pads nothing.
        :param network: The network, where it is to run.
        """
        self._tokenizer = tokenizer
        self._network = network
        self._alone: OrderedDict[str, tuple[list[Any], Tensor, Tensor]] = OrderedDict()
        self.record = EncoderRecord(name, fingerprint, network.dimension)
        """What an index keeps of this encoder."""

    @classmethod
    def load(
        cls,
        model: str | Path | None = None,
        *,
        device: ComponentDevice | None = None,
        token: str | None = None,
        revision: str | None = None,
    ) -> "SentenceEncoder":
        """
        Reads an encoder, from safetensors only.

        :param model: A folder, or the name of a model on the Hugging Face hub, which is fetched unless it is in the
            hub's cache. None is the encoder that comes with the package, "answer-selection-small".
        :param device: Where it runs. None is the first accelerator that is there, else the CPU.
        :param token: The hub's token, for private models.
        :param revision: The hub model's branch, tag or commit.
        :returns: The encoder.
        :raises ModelFolderError: If there is no such encoder, a file is missing or damaged, or the encoder is one that
            is not run here; the message says which.
        """
        name = SENTENCE_ENCODER if model is None else model
        path = find_folder(name, token, revision)
        on = ComponentDevice.resolve_device(device).to_torch_str()
        if name != SENTENCE_ENCODER:
            return cls._load(name, path, on)
        with _SHARING:
            shared = _SHARED.get((path, on))
            if shared is None:
                _SHARED[path, on] = shared = cls._load(name, path, on)
            return shared

    @classmethod
    def _load(cls, name: str | Path, path: Path, device: str) -> "SentenceEncoder":
        folder = read_folder(path)
        # Weights are read as fast as memory is, which more threads do not change.
        with threads_for(0), refused(f"the encoder in {folder.path} cannot be read"):
            network = _Network(read_network(folder.transformer), read_dense(folder.dense))
            check_finite(network)
        with refused(f"{folder.transformer / 'tokenizer.json'} cannot be read"):
            tokenizer = read_tokenizer(folder, network.transformer.vocabulary, network.transformer.positions)
        network.to(device)
        # An index may be opened from another folder than the one it was made in.
        if Path(name).is_dir() and name != SENTENCE_ENCODER:
            name = Path(name).resolve()
        encoder = cls(str(name), folder.fingerprint(), tokenizer, network)
        with refused(f"the encoder in {folder.path} can read no text"):
            encoder.encode(["a"])
        return encoder

    def __getstate__(self) -> dict[str, Any]:
        """A copy starts without the last questions, which other threads may be adding to."""
        return {**self.__dict__, "_alone": OrderedDict()}

    @property
    def words(self) -> list[str]:
        """The whole words of its vocabulary, of two letters or more, in its order."""
        vocabulary = self._tokenizer.get_vocab()
        return [word for word in sorted(vocabulary, key=vocabulary.__getitem__) if len(word) > 1 and word.isalpha()]

    @property
    def longest(self) -> int | None:
        """The most tokens that it reads of a text, special ones included; None if any number."""
        truncation = self._tokenizer.truncation
        return int(truncation["max_length"]) if truncation else None

    def encode(self, texts: Sequence[str], batch_size: int = BATCH_SIZE) -> NDArray[np.float32]:
        """
        Encodes texts, questions and entries alike.

        :param texts: The texts; what is longer than the encoder reads loses its end.
        :param batch_size: How many texts go through the network at once.
        :returns: Their vectors at unit length, [n, dimension].
        :raises ValueError: If a vector's numbers are not finite.
        """
        vectors = np.empty((len(texts), self.record.dimension), np.float32)
        for places, _, _, found in self._batches(texts, batch_size):
            vectors[[place for place, _ in places]] = found.numpy(force=True)
        self._check_finite(bool(np.isfinite(vectors).all()))
        return vectors

    def read(self, texts: Sequence[str], batch_size: int = BATCH_SIZE, windows: int = 1) -> list[ReadText]:
        """
        Read texts word by word.

        What is longer than the encoder reads is read in windows, one behind the other, each on its own.

        :param texts: The texts; what does not fit into so many windows is left out.
        :param batch_size: How many windows go through the network at once.
        :param windows: The most windows of a text.
        :returns: The texts' vectors, as :meth:`encode` gives them, and their pieces' states.
        :raises ValueError: If a vector's numbers are not finite.
        """
        read: list[dict[int, ReadText]] = [{} for _ in texts]
        for places, encodings, states, vectors in self._batches(texts, batch_size, windows):
            self._check_finite(bool(vectors.isfinite().all()))
            unit = F.normalize(states, dim=-1).half()
            rows = zip(places, encodings, unit.cpu(), vectors.cpu(), strict=True)
            for (place, window), encoding, of_window, vector in rows:
                words = torch.tensor(encoding.special_tokens_mask) == 0
                pieces = torch.tensor(encoding.ids, dtype=torch.int32)[words]
                read[place][window] = ReadText(vector, pieces, of_window[: len(words)][words])
        return [ReadText.joined([of_text[window] for window in sorted(of_text)]) for of_text in read]

    def _check_finite(self, finite: bool) -> None:
        if not finite:
            msg = f"the encoder '{self.record.name}' gives vectors with numbers that are not finite; its weights may "
            msg += "be damaged"
            raise ValueError(msg)

    @torch.inference_mode()
    def _batches(self, texts: Sequence[str], size: int, windows: int = 1) -> Iterator[_Batch]:
        if len(texts) == 1:
            [first], states, vectors = self._encode_alone(texts[0])
            yield [(0, 0)], [first], states, vectors
            yield from self._of_like_length(_cut_off(0, first, windows), size)
            return
        for chunk in batched(range(len(texts)), _TOKENISED):
            tokens: dict[_Place, Any] = {}
            for place, first in zip(chunk, self._tokens(texts, chunk), strict=True):
                tokens[place, 0] = first
                tokens |= _cut_off(place, first, windows)
            yield from self._of_like_length(tokens, size)

    def _of_like_length(self, tokens: Mapping[_Place, Any], size: int) -> Iterator[_Batch]:
        for batch in batched(sorted(tokens, key=lambda place: len(tokens[place].ids)), size):
            encodings = [tokens[place] for place in batch]
            yield list(batch), encodings, *self._network.encode([encoding.ids for encoding in encodings])

    def _encode_alone(self, text: str) -> tuple[list[Any], Tensor, Tensor]:
        with _KEEPING:
            if (known := self._alone.get(text)) is not None:
                self._alone.move_to_end(text)
                return known
        [encoding] = self._tokens([text], [0])
        found = ([encoding], *self._network.encode([encoding.ids]))
        # With its text the tokenizer keeps what was cut off.
        if len(text) > _SHORT:
            return found
        with _KEEPING:
            self._alone[text] = found
            while len(self._alone) > _ALONE:
                self._alone.popitem(last=False)
        return found

    def _tokens(self, texts: Sequence[str], places: Sequence[int]) -> list[Any]:
        if len(places) == 1:
            return [self._tokenizer.encode(encodable(texts[places[0]]))]
        encodings: list[Any] = self._tokenizer.encode_batch_fast([encodable(texts[place]) for place in places])
        return encodings


def _cut_off(place: int, first: Any, windows: int) -> dict[_Place, Any]:
    """Give a text's windows behind the first one, which the tokenizer has cut off."""
    # Asked for only where it is wanted: it is copied.
    others = first.overflowing[: windows - 1] if windows > 1 else ()
    return {(place, window): one for window, one in enumerate(others, 1)}


class _Network(nn.Module):
    """From tokens to vectors: the Transformer, the mean over a text's tokens, the linear layer, and length one."""

    def __init__(self, transformer: Bert | TransformersEncoder, dense: nn.Linear | None) -> None:
        super().__init__()
        self.transformer = transformer
        self.dense = dense or nn.Identity()
        self.dimension: int = dense.out_features if dense else transformer.width
        # Of a token; a row of the table of words takes no products.
        parameters = self.transformer.named_parameters()
        self.multiply_adds = sum(weights.numel() for name, weights in parameters if "words" not in name)

    def encode(self, texts: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
        """
        Encode a batch.

        :param texts: The texts' tokens.
        :returns: The tokens' last states [n, L, width], and the texts' vectors [n, d].
        """
        device = next(self.parameters()).device
        lengths = [len(text) for text in texts]
        longest = max(lengths)
        with threads_for(self.multiply_adds * longest * len(texts)):
            if min(lengths) == longest:
                states = self.transformer(torch.tensor(texts, device=device), None)
                mean = states.mean(1)
            else:
                padded = [[*text, *[self.transformer.padding] * (longest - len(text))] for text in texts]
                counts = torch.tensor(lengths, device=device)[:, None]
                real = torch.arange(longest, device=device) < counts
                states = self.transformer(torch.tensor(padded, device=device), real)
                mean = (states * real[:, :, None]).sum(1) / counts
            return states, F.normalize(self.dense(mean), dim=-1)
