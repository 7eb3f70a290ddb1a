# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The runtime of sentence encoders: torch, transformers and tokenizers, without sentence-transformers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from haystack.utils import ComponentDevice
from numpy.typing import NDArray
from safetensors.torch import load_file
from tokenizers import Tokenizer
from tokenizers.normalizers import Lowercase, Normalizer
from tokenizers.normalizers import Sequence as NormalizerSequence
from torch import Tensor, nn
from transformers import AutoConfig, AutoModel, PreTrainedConfig

from answer_selection.indexing.batched import batched
from answer_selection.indexing.encoder import EncoderRecord
from haystack_integrations.components.embedders.answer_selection.bert import Bert, is_bert
from haystack_integrations.components.embedders.answer_selection.encoder_folder import (
    DEFAULT_NAME,
    EncoderFolder,
    find_folder,
    read_folder,
)
from haystack_integrations.components.rankers.answer_selection.models.checks import check_numbers
from haystack_integrations.components.rankers.answer_selection.models.model_folder import ModelFolderError, refused
from haystack_integrations.components.rankers.answer_selection.models.positions import positions
from haystack_integrations.components.rankers.answer_selection.models.threads import threads_for
from haystack_integrations.components.rankers.answer_selection.models.transformers_log import quiet_transformers
from haystack_integrations.components.rankers.answer_selection.models.weights import check_finite, check_size, first_of

BATCH_SIZE: Final = 32
# Texts whose tokens are held at a time; among them, those of like length share a batch.
_TOKENISED: Final = 1024


class SentenceEncoder:
    """
    Gives texts their vectors, as sentence-transformers would.

    It runs folders in sentence-transformers' format whose modules are a Transformer, the mean of its tokens' vectors, a
    linear layer or none, and Normalize. It computes in single precision, whatever the weights were saved in, so that an
    encoder's vectors are the same on every device. It is a `TextEncoder`; several threads may use it at once.

    ```python
    from haystack_integrations.components.embedders.answer_selection.sentence_encoder import SentenceEncoder

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
    ) -> Self:
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
        name = DEFAULT_NAME if model is None else model
        folder = read_folder(find_folder(name, token, revision))
        with refused(f"the encoder in {folder.path} cannot be read"), quiet_transformers():
            network = _Network(_read_transformer(folder.transformer), _read_dense(folder.dense))
            check_finite(network)
        with refused(f"{folder.transformer / 'tokenizer.json'} cannot be read"):
            tokenizer = _read_tokenizer(folder, network)
        network.to(ComponentDevice.resolve_device(device).to_torch())
        # An index may be opened from another folder than the one it was made in.
        if Path(name).is_dir() and name != DEFAULT_NAME:
            name = Path(name).resolve()
        encoder = cls(str(name), folder.fingerprint(), tokenizer, network)
        with refused(f"the encoder in {folder.path} can read no text"):
            encoder.encode(["a"])
        return encoder

    @torch.inference_mode()
    def encode(self, texts: Sequence[str], batch_size: int = BATCH_SIZE) -> NDArray[np.float32]:
        """
        Encodes texts, questions and entries alike.

        :param texts: The texts; what is longer than the encoder reads loses its end.
        :param batch_size: How many texts go through the network at once.
        :returns: Their vectors at unit length, [n, dimension].
        :raises ValueError: If a vector's numbers are not finite.
        """
        vectors = np.empty((len(texts), self.record.dimension), np.float32)
        for chunk in batched(range(len(texts)), _TOKENISED):
            ids = {place: encoding.ids for place, encoding in zip(chunk, self._tokens(texts, chunk), strict=True)}
            for batch in batched(sorted(chunk, key=lambda place: len(ids[place])), batch_size):
                vectors[list(batch)] = self._network.encode([ids[place] for place in batch]).numpy(force=True)
        if not np.isfinite(vectors).all():
            msg = f"the encoder '{self.record.name}' gives vectors with numbers that are not finite; its weights may "
            msg += "be damaged"
            raise ValueError(msg)
        return vectors

    def _tokens(self, texts: Sequence[str], places: Sequence[int]) -> list[Any]:
        if len(places) == 1:
            return [self._tokenizer.encode(texts[places[0]])]
        encodings: list[Any] = self._tokenizer.encode_batch_fast([texts[place] for place in places])
        return encodings


class _Network(nn.Module):
    """From tokens to vectors: the Transformer, the mean over a text's tokens, the linear layer, and length one."""

    def __init__(self, transformer: Any, dense: nn.Linear | None) -> None:
        super().__init__()
        self.config: PreTrainedConfig = transformer.config
        self.positions = positions(transformer)
        self.transformer = Bert(transformer) if is_bert(self.config) else _Transformer(transformer)
        self.dense = dense or nn.Identity()
        self.dimension: int = dense.out_features if dense else self.config.hidden_size
        self.padding = self.config.pad_token_id or 0
        # Of a token; a row of the table of words takes no products.
        parameters = self.transformer.named_parameters()
        self.multiply_adds = sum(weights.numel() for name, weights in parameters if "words" not in name)

    def encode(self, texts: Sequence[Sequence[int]]) -> Tensor:
        """
        Encode a batch.

        :param texts: The texts' tokens.
        :returns: Their vectors [n, d].
        """
        device = next(self.parameters()).device
        lengths = [len(text) for text in texts]
        longest = max(lengths)
        with threads_for(self.multiply_adds * longest * len(texts)):
            if min(lengths) == longest:
                mean = self.transformer(torch.tensor(texts, device=device), None).mean(1)
            else:
                padded = [[*text, *[self.padding] * (longest - len(text))] for text in texts]
                counts = torch.tensor(lengths, device=device)[:, None]
                real = torch.arange(longest, device=device) < counts
                states = self.transformer(torch.tensor(padded, device=device), real)
                mean = (states * real[:, :, None]).sum(1) / counts
            return F.normalize(self.dense(mean), dim=-1)


class _Transformer(nn.Module):
    """An encoder that transformers runs."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model

    def forward(self, ids: Tensor, real: Tensor | None) -> Tensor:
        """See :meth:`Bert.forward`."""
        real = torch.ones_like(ids) if real is None else real.long()
        states: Tensor = self.model(input_ids=ids, attention_mask=real).last_hidden_state
        return states


def _read_transformer(folder: Path) -> nn.Module:
    """The network, in single precision."""
    check_numbers("", PreTrainedConfig.get_config_dict(folder)[0])
    config = AutoConfig.from_pretrained(folder, trust_remote_code=False)
    check_size(folder / "model.safetensors", lambda: AutoModel.from_config(config))  # type: ignore[no-untyped-call]
    model, loaded = AutoModel.from_pretrained(
        folder,
        config=config,
        dtype=torch.float32,
        use_safetensors=True,
        local_files_only=True,
        trust_remote_code=False,
        output_loading_info=True,
    )
    # BERT's own pooling is not used.
    if missing := sorted(name for name in loaded["missing_keys"] if not name.startswith("pooler.")):
        msg = f"{folder / 'model.safetensors'} lacks {first_of(missing)}"
        raise ModelFolderError(msg)
    network: nn.Module = model.eval().requires_grad_(False)
    return network


def _read_dense(folder: Path | None) -> nn.Linear | None:
    """The linear layer after pooling, in single precision."""
    if folder is None:
        return None
    saved = load_file(folder / "model.safetensors")
    weights = {name.removeprefix("linear."): tensor.float() for name, tensor in saved.items()}
    out_features, in_features = weights["weight"].shape
    dense = nn.Linear(in_features, out_features, bias="bias" in weights)
    dense.load_state_dict(weights)
    return dense.requires_grad_(False)


def _read_tokenizer(folder: EncoderFolder, network: _Network) -> Tokenizer:
    """The tokenizer, which cuts where the folder says so, or where the network has no more positions."""
    tokenizer: Tokenizer = Tokenizer.from_file(str(folder.transformer / "tokenizer.json"))
    if (words := tokenizer.get_vocab_size()) > network.config.vocab_size:
        msg = f"it has {words} tokens and the network {network.config.vocab_size}: they do not belong together"
        raise ValueError(msg)
    tokenizer.no_padding()
    limits = [limit for limit in (folder.max_seq_length, network.positions) if limit is not None]
    if limits:
        tokenizer.enable_truncation(min(limits))
    else:
        tokenizer.no_truncation()
    if folder.lower:
        own: list[Normalizer] = [tokenizer.normalizer] if tokenizer.normalizer else []
        tokenizer.normalizer = NormalizerSequence([Lowercase(), *own])
    return tokenizer
