# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The teacher: a sentence encoder whose vectors are the means of its tokens' outputs."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import torch
from numpy.typing import NDArray
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer
from tokenizers import Tokenizer
from torch import nn
from transformers.utils.hub import cached_file

from haystack_integrations.components.rankers.answer_selection.encoders.encoder_folder import find_folder
from haystack_integrations.components.rankers.answer_selection.models.transformers_log import quiet_transformers
from haystack_integrations.components.rankers.answer_selection.training.model_card import DataSource, card_of

Ids = Sequence[int]

# Tokens, padding included, that the teacher encodes at once.
_BATCH_TOKENS: Final = 3000


class Teacher:
    """
    A sentence encoder that another one learns from.

    :param name: what it is called.
    :param model: the encoder.
    :param max_length: tokens of a text, special ones included; longer texts are cut.
    :param precision: what it computes in.
    :raises ValueError: if its vectors are not means of its tokens' outputs, it needs a prompt, it is no BERT, or its
        tokenizer is no WordPiece.
    """

    def __init__(self, name: str, model: SentenceTransformer, *, max_length: int, precision: str = "float32") -> None:
        self.name = name
        self.encoder: nn.Module = _mean_of_tokens(name, model).eval()
        whole: Any = model.tokenizer
        self.tokenizer: Tokenizer = Tokenizer.from_str(_wordpiece(name, whole).to_str())
        self.tokenizer.no_padding()
        # What a teacher takes in less than that, a pupil of it takes in no more.
        self.max_length = min(max_length, model.max_seq_length or max_length)
        self.tokenizer.enable_truncation(self.max_length)
        roles = ("cls", "sep", "pad", "unk", "mask")
        self.special: tuple[str, ...] = tuple(getattr(whole, f"{role}_token") for role in roles)
        self._padding: int = whole.pad_token_id
        self._precision = getattr(torch, precision)

    @classmethod
    def load(cls, name: str, *, max_length: int, precision: str = "float32", use_cpu: bool = False) -> "Teacher":
        """
        Load a teacher.

        :param name: a folder in sentence-transformers' format, or such an encoder's name on the hub.
        :param max_length: see :class:`Teacher`.
        :param precision: see :class:`Teacher`.
        :param use_cpu: whether it computes on the CPU even where there is an accelerator.
        :returns: the teacher.
        :raises ValueError: see :class:`Teacher`.
        :raises ModelFolderError: if there is no such encoder.
        :raises OSError: if its weights are not in safetensors.
        """
        with quiet_transformers():
            model = SentenceTransformer(
                str(find_folder(name, None, None)),
                device="cpu" if use_cpu else None,
                # A pickle could run code.
                model_kwargs={"use_safetensors": True, "dtype": torch.float32},
            )
        return cls(name, model, max_length=max_length, precision=precision)

    @property
    def width(self) -> int:
        """Numbers a vector."""
        config: Any = self.encoder.config
        return int(config.hidden_size)

    @property
    def layers(self) -> int:
        """Its layers."""
        config: Any = self.encoder.config
        return int(config.num_hidden_layers)

    @property
    def fingerprint(self) -> str:
        """What tells its outputs from another's: a digest of weights and tokenizer."""
        found = sha256(self.tokenizer.to_str().encode())
        for name, values in sorted(self.encoder.state_dict().items()):
            found.update(name.encode())
            found.update(values.cpu().contiguous().numpy().tobytes())
        return found.hexdigest()

    def source(self) -> DataSource:
        """Describe it for a card, with the licence that its own card names."""
        readme = cached_file(self.name, "README.md", _raise_exceptions_for_missing_entries=False)
        folder = Path(self.name) if readme is None else Path(readme).parent
        # A folder's place says nothing to others.
        name = Path(self.name).resolve().name if Path(self.name).is_dir() else self.name
        return DataSource(name, card_of(folder, "").licence, f"fingerprint {self.fingerprint[:16]}", "teacher")

    def tokenise(self, texts: Sequence[str]) -> list[list[int]]:
        """
        Give texts' tokens.

        :param texts: the texts.
        :returns: their tokens' ids, with the special ones.
        """
        return [encoding.ids for encoding in self.tokenizer.encode_batch_fast(list(texts))]

    def states(self, texts: Sequence[Ids]) -> list[NDArray[np.float16]]:
        """
        Give the outputs for all tokens of texts.

        :param texts: the texts' tokens.
        :returns: for each text its tokens' outputs, [tokens x width].
        """
        found: list[NDArray[np.float16]] = [np.empty(0, dtype=np.float16)] * len(texts)
        device = next(self.encoder.parameters()).device
        with torch.inference_mode(), torch.autocast(device.type, self._precision, self._precision != torch.float32):
            for numbers in _of_like_length(texts):
                longest = max(len(texts[number]) for number in numbers)
                ids = torch.full((len(numbers), longest), self._padding)
                mask = torch.zeros_like(ids)
                for row, number in enumerate(numbers):
                    ids[row, : len(texts[number])] = torch.tensor(texts[number])
                    mask[row, : len(texts[number])] = 1
                output = self.encoder(input_ids=ids.to(device), attention_mask=mask.to(device)).last_hidden_state
                states = output.half().cpu().numpy()
                for row, number in enumerate(numbers):
                    found[number] = states[row, : len(texts[number])]
        return found


def unit_mean(states: NDArray[np.float16]) -> NDArray[np.float32]:
    """
    Make a text's vector of its tokens' outputs.

    :param states: the outputs, [tokens x width].
    :returns: their mean at unit length.
    """
    mean = states.mean(0, dtype=np.float32)
    found: NDArray[np.float32] = mean / max(float(np.linalg.norm(mean)), 1e-12)
    return found


def _of_like_length(texts: Sequence[Ids]) -> Iterator[list[int]]:
    """Give the texts' numbers, some at a time, longest first."""
    order = sorted(range(len(texts)), key=lambda number: -len(texts[number]))
    start = 0
    while start < len(order):
        end = start + max(1, _BATCH_TOKENS // max(1, len(texts[order[start]])))
        yield order[start:end]
        start = end


def _mean_of_tokens(name: str, model: SentenceTransformer) -> nn.Module:
    modules = list(model)
    expected = (Transformer, Pooling, Normalize)[: max(2, len(modules))]
    kinds = " -> ".join(type(module).__name__ for module in modules)
    if [type(module) for module in modules] != list(expected):
        msg = f"the teacher {name} is {kinds}; expected Transformer -> Pooling -> Normalize: a student follows the "
        msg += "outputs of single tokens, whose mean is the text's vector"
        raise ValueError(msg)
    if modules[1].pooling_mode != "mean":
        msg = f"the teacher {name} pools by {modules[1].pooling_mode!r}; expected 'mean'"
        raise ValueError(msg)
    if model.default_prompt_name is not None:
        msg = (
            f"the teacher {name} puts a prompt before every text ({model.default_prompt_name!r}); expected one without"
        )
        raise ValueError(msg)
    encoder: nn.Module = cast(Any, modules[0]).auto_model
    config: Any = encoder.config
    if config.model_type != "bert" or getattr(config, "position_embedding_type", "absolute") != "absolute":
        msg = (
            f"the teacher {name} is of the type {config.model_type!r}; expected 'bert' with absolute positions, whose "
        )
        msg += "layers a student begins with"
        raise ValueError(msg)
    return encoder


def _wordpiece(name: str, tokenizer: Any) -> Tokenizer:
    backend: Tokenizer | None = getattr(tokenizer, "backend_tokenizer", None)
    kind = type(tokenizer if backend is None else backend.model).__name__
    if backend is None or kind != "WordPiece":
        msg = (
            f"the teacher {name} has a tokenizer of the kind {kind}; expected WordPiece, whose tokens the student keeps"
        )
        raise ValueError(msg)
    return backend
