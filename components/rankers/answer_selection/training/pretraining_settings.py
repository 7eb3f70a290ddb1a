# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What a pretraining run is told."""

from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from haystack_integrations.components.rankers.answer_selection.models.pair_model import PairModelConfig
from haystack_integrations.components.rankers.answer_selection.training.run_settings import RunSettings

_SMALL_MODERNBERT = {
    "model_type": "modernbert",
    "hidden_size": 128,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "intermediate_size": 256,
}
# Of these a tokenizer of the text decides.
_OF_THE_TOKENIZER = ("vocab_size", "pad_token_id", "bos_token_id", "eos_token_id", "cls_token_id", "sep_token_id")


@dataclass(frozen=True, slots=True, kw_only=True)
class PretrainingSettings(RunSettings):
    """
    How to pretrain an encoder. What all runs have is in :class:`RunSettings`. An error names the field.

    :param encoder: the encoder's configuration: `model_type`, and what of transformers' defaults for it is to differ;
        a small ModernBERT by default. Where it does not say how many positions there are, there are as many as a block
        has tokens.
    :param vocab_size: the most tokens of the tokenizer that is trained on the text.
    :param max_length: tokens of a block, special ones included.
    :param epochs: passes over the blocks; fractions are allowed.
    :param batch_size: blocks a step.
    :param mask_probability: the part of the tokens that are to be found. Of these 80 % are masked, 10 % are replaced by
        others and 10 % are left (Devlin et al. 2019, section 3.1).
    :param evaluations: how often, over the whole run, the held-out loss is measured. A checkpoint is written
        then, and every 250 steps.
    :param seed: of weights, dropout, order, masks, and of which blocks are held out.
    """

    learning_rate: float = 1e-3
    warmup: float = 0.06
    encoder: dict[str, Any] = field(default_factory=_SMALL_MODERNBERT.copy)
    vocab_size: int = 16_000
    max_length: int = 128
    epochs: float = 10.0
    batch_size: int = 64
    mask_probability: float = 0.15
    evaluations: int = 20

    def __post_init__(self) -> None:
        """
        Check every value.

        :raises ValueError: naming the field, what it is and what was expected.
        """
        self.check_run(counts=("batch_size", "evaluations"), positive=("epochs",))
        if self.max_length < 8:
            self.refuse("max_length", "at least 8")
        if self.vocab_size < 100:
            self.refuse("vocab_size", "at least 100")
        if not 0 < self.mask_probability < 1:
            self.refuse("mask_probability", "more than 0 and less than 1")
        self._check_encoder()

    def _check_encoder(self) -> None:
        # That of an encoder that cannot be used says so itself.
        known = PairModelConfig(encoder=self.encoder).encoder
        for name in self.encoder:
            if name in _OF_THE_TOKENIZER:
                msg = f"training setting 'encoder' has {name!r}, which the tokenizer of the text decides"
                raise ValueError(msg)
        names = {*type(known)().to_dict(), *known.attribute_map}
        if unknown := [str(name) for name in self.encoder if name not in names]:
            near = get_close_matches(unknown[0], names, n=1)
            msg = f"training setting 'encoder': '{known.model_type}' has no field '{unknown[0]}'"
            raise ValueError(msg + (f"; did you mean '{near[0]}'?" if near else ""))
