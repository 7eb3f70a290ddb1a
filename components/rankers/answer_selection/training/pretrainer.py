# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""From texts alone to a small encoder with its tokenizer: masked language modelling by ``transformers.Trainer``."""

import math
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import (
    AutoModelForMaskedLM,
    DataCollatorForLanguageModeling,
    PreTrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerFast,
)

from answer_selection.indexing.artifact import text_digest
from haystack_integrations.components.rankers.answer_selection.models.pair_model import PairModelConfig
from haystack_integrations.components.rankers.answer_selection.models.positions import positions
from haystack_integrations.components.rankers.answer_selection.models.transformers_log import quiet_transformers
from haystack_integrations.components.rankers.answer_selection.models.wordpiece import adopt, train_wordpiece
from haystack_integrations.components.rankers.answer_selection.training.checkpoints import (
    CHECKPOINTS,
    LOGS,
    begin,
    refuse_finished,
)
from haystack_integrations.components.rankers.answer_selection.training.device import check_precision
from haystack_integrations.components.rankers.answer_selection.training.pretraining_settings import PretrainingSettings
from haystack_integrations.components.rankers.answer_selection.training.processes import refuse_several
from haystack_integrations.components.rankers.answer_selection.training.token_blocks import (
    Ids,
    TokenBlocks,
    write_tokens,
)
from haystack_integrations.components.rankers.answer_selection.training.transformers_trainer import (
    Batches,
    BatchesTrainer,
    StepCallback,
    Stops,
    batch_arguments,
    even_stops,
    tensorboard,
)

ENCODER_FILES: Final = ("config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json")

# What is measured on: few blocks say enough, and measuring should take little of the time.
_HELD_OUT_PART, _MOST_HELD_OUT = 0.02, 512
# What an encoder's loss leaves out.
_NOT_MASKED: Final = -100


@dataclass(frozen=True, slots=True)
class PretrainingResult:
    """
    What a run came to.

    :param folder: the encoder's folder.
    :param vocab_size: tokens that the tokenizer has.
    :param tokens: tokens of the texts.
    :param blocks: blocks that were learned from.
    :param held_out: blocks that were measured by.
    :param steps: steps taken.
    :param loss: the mean cross entropy of the masked tokens of the held-out blocks.
    :param history: what was logged, step by step.
    """

    folder: Path
    vocab_size: int
    tokens: int
    blocks: int
    held_out: int
    steps: int
    loss: float
    history: list[dict[str, float]]

    @property
    def perplexity(self) -> float:
        """Between how many tokens the encoder is in doubt, on average."""
        return math.exp(self.loss)

    def verdict(self) -> str:
        """Say plainly what came out."""
        return (
            f"{self.steps} steps on {self.blocks} blocks of the texts' {self.tokens} tokens; masked tokens of "
            f"{self.held_out} blocks that were held out have a loss of {self.loss:.4f}, a perplexity of "
            f"{self.perplexity:.1f} (by chance: {self.vocab_size})."
        )


class MaskedBatches(Batches):
    """
    All batches of a run, one a step. Which blocks are in it, and what is masked, depends on seed and step alone.

    :param blocks: the blocks.
    :param chosen: the numbers of those that are learned from.
    :param tokenizer: their tokenizer.
    :param settings: how to train.
    :param token_types: how many the encoder has. Texts of a block have the types 0 and 1 in turn, so that an encoder
        that is to tell question and answer by them knows both.
    """

    def __init__(
        self,
        blocks: TokenBlocks,
        chosen: Ids,
        tokenizer: PreTrainedTokenizerFast,
        settings: PretrainingSettings,
        token_types: int,
    ) -> None:
        self.blocks, self.chosen, self.tokenizer, self.settings = blocks, chosen, tokenizer, settings
        self.token_types = token_types
        self._order: tuple[int, Ids] = (-1, chosen)

    def __len__(self) -> int:
        """Steps of the run."""
        return math.ceil(self.settings.epochs * len(self.chosen) / self.settings.batch_size)

    def epochs_at(self, step: int) -> float:
        """
        Say how far a step is.

        :param step: the steps taken.
        :returns: passes over the blocks, fractions included.
        """
        return step * self.settings.batch_size / len(self.chosen)

    def __getitem__(self, step: int) -> dict[str, Tensor]:
        """
        Make a step's batch.

        :param step: the step, counted from 0.
        :returns: `input_ids`, `attention_mask`, `labels` and, where there are several types, `token_type_ids`.
        """
        first = step * self.settings.batch_size
        places = range(first, first + self.settings.batch_size)
        numbers = [self._epoch(place // len(self.chosen))[place % len(self.chosen)] for place in places]
        return self.masked(self.blocks.read(np.array(numbers)), 0, step)

    def measured(self, held_out: Ids) -> Iterator[dict[str, Tensor]]:
        """
        Give held-out blocks, whose masks are the same each time.

        :param held_out: their numbers.
        :returns: the batches.
        """
        for start in range(0, len(held_out), self.settings.batch_size):
            yield self.masked(self.blocks.read(held_out[start : start + self.settings.batch_size]), 1, start)

    def masked(self, ids: Ids, *key: int) -> dict[str, Tensor]:
        """
        Mask tokens.

        :param ids: the tokens, [blocks x max_length].
        :param key: what the masks are drawn by, beside the seed.
        :returns: the batch, see :meth:`__getitem__`.
        """
        collator = DataCollatorForLanguageModeling(
            self.tokenizer, mlm_probability=self.settings.mask_probability, seed=_seed(self.settings.seed, *key)
        )
        collator.create_rng()  # type: ignore[no-untyped-call]
        # What is masked below is masked in place.
        ends = torch.from_numpy(ids == self.tokenizer.sep_token_id).long()
        original = torch.from_numpy(ids)
        special = torch.isin(original, torch.tensor(self.tokenizer.all_special_ids))
        inputs, labels = collator.torch_mask_tokens(original, special_tokens_mask=special)
        batch = {"input_ids": inputs, "attention_mask": torch.ones_like(inputs), "labels": labels}
        if self.token_types > 1:
            batch["token_type_ids"] = (ends.cumsum(1) - ends) % 2
        return batch

    def _epoch(self, epoch: int) -> Ids:
        """The blocks in an epoch's order."""
        if self._order[0] != epoch:
            self._order = epoch, np.random.default_rng((self.settings.seed, epoch)).permutation(self.chosen)
        return self._order[1]


def _seed(*key: int) -> int:
    return int(np.random.SeedSequence(key).generate_state(1)[0])


def masked_loss(model: nn.Module, batch: Mapping[str, Tensor]) -> tuple[Tensor, int]:
    """
    Sum the cross entropy of masked tokens.

    The head sees these alone: over all others it would compute for nothing, and a vocabulary's logits need memory.

    :param model: an encoder with a head for masked language modelling.
    :param batch: see :class:`MaskedBatches`.
    :returns: the sum, and how many there are.
    """
    inputs = dict(batch)
    labels = inputs.pop("labels")
    masked = labels != _NOT_MASKED

    def keep_masked(_encoder: nn.Module, _inputs: Any, output: Any) -> Any:
        output["last_hidden_state"] = output["last_hidden_state"][masked][None]
        return output

    encoder: nn.Module = cast(PreTrainedModel, model).base_model
    handle = encoder.register_forward_hook(keep_masked)
    try:
        logits: Tensor = model(**inputs).logits
    finally:
        handle.remove()
    wanted = labels[masked]
    return nn.functional.cross_entropy(logits[0].float(), wanted, reduction="sum"), len(wanted)


class _Trainer(BatchesTrainer[MaskedBatches]):
    """`Trainer` with our batches, loss and measure."""

    def __init__(self, *, batches: MaskedBatches, held_out: Ids, **kwargs: Any) -> None:
        self.held_out = held_out
        super().__init__(batches, **kwargs)

    def compute_loss(
        self,
        model: nn.Module,
        inputs: dict[str, Tensor],
        return_outputs: bool = False,  # noqa: ARG002
        num_items_in_batch: Any = None,  # noqa: ARG002
    ) -> Any:
        loss, masked = masked_loss(model, inputs)
        # Of few and short blocks none may be masked.
        return loss / max(masked, 1)

    def evaluate(self, *args: Any, **kwargs: Any) -> dict[str, float]:  # noqa: ARG002
        assert self.model is not None
        self.model.train(False)
        total, count = 0.0, 0
        with torch.inference_mode():
            for batch in self.batches.measured(self.held_out):
                on_device = {name: tensor.to(self.args.device) for name, tensor in batch.items()}
                loss, masked = masked_loss(self.model, on_device)
                total, count = total + loss.item(), count + masked
        if not count:
            msg = f"no token of the {len(self.held_out)} blocks that are held out was masked: there is too little text"
            raise ValueError(msg)
        metrics = {"eval_loss": total / count}
        if not math.isfinite(metrics["eval_loss"]):
            msg = "the encoder's loss is no longer finite; a lower learning_rate or max_grad_norm may help"
            raise FloatingPointError(msg)
        return self.measured(metrics)


def new_encoder(settings: PretrainingSettings, tokenizer: Tokenizer | None = None) -> PreTrainedConfig:
    """
    Make the configuration of the encoder that settings describe.

    :param settings: the settings.
    :param tokenizer: its tokenizer, once that is known.
    :returns: the configuration.
    :raises ValueError: if no encoder can be made of it, or it has too few positions.
    """
    config: PreTrainedConfig = PairModelConfig(encoder=settings.encoder).encoder
    if tokenizer is not None:
        adopt(config, tokenizer)
    # Weights are not made for this.
    with torch.device("meta"):
        most = positions(AutoModelForMaskedLM.from_config(config))  # type: ignore[no-untyped-call]
    if most is not None and "max_position_embeddings" not in settings.encoder:
        # Others would never be learned.
        config.max_position_embeddings += settings.max_length - most
    elif most is not None and most < settings.max_length:
        msg = f"training setting 'max_length' is {settings.max_length}; expected at most {most}, the positions that "
        msg += "the encoder has"
        raise ValueError(msg)
    return config


def pretrain(
    texts: Callable[[], Iterable[str]],
    output_dir: Path,
    settings: PretrainingSettings,
    *,
    progress: StepCallback | None = None,
    finish: Callable[[PretrainingResult], object] | None = None,
    overwrite: bool = False,
) -> PretrainingResult:
    """
    Train a tokenizer and an encoder on texts alone, and save both as a folder that transformers reads.

    A run that was killed goes on from its last checkpoint when it is called again with the same arguments, and gives
    the weights that it would have given, but for their last bits; the texts' tokens and its checkpoints lie in
    ``<output_dir>/checkpoints`` until it is done. TensorBoard logs lie in ``<output_dir>/logs``.

    :param texts: gives the texts, at each call anew and in the same order; they are never held together.
    :param output_dir: the encoder's folder to be.
    :param settings: how to train.
    :param progress: called after every step with the step, the number of steps and the latest logged figures.
    :param finish: writes what else belongs into the folder. It is called while the run can still be gone on with.
    :param overwrite: whether to replace an encoder, or to throw away an unfinished run, that is there.
    :returns: what came out.
    :raises FileExistsError: if there is an encoder or an unfinished run of something else in `output_dir`.
    :raises ValueError: if there is too little text, the encoder cannot be made, the precision is not the CPU's, or
        several processes were started.
    :raises FloatingPointError: if training diverges.
    """
    refuse_several()
    check_precision(settings.precision, use_cpu=settings.use_cpu)
    new_encoder(settings)
    output_dir = Path(output_dir)
    refuse_finished(output_dir, overwrite=overwrite)
    inputs = settings.to_dict() | {"texts": text_digest(texts())}
    checkpoint = begin(output_dir, inputs, overwrite=overwrite)
    checkpoints = output_dir / CHECKPOINTS
    tokenizer, blocks = _tokenised(texts, checkpoints, settings)

    order = np.random.default_rng(settings.seed).permutation(len(blocks))
    held_out, learned = np.split(order, [min(max(1, int(len(blocks) * _HELD_OUT_PART)), _MOST_HELD_OUT)])
    torch.manual_seed(settings.seed)
    config = new_encoder(settings, tokenizer)
    model = AutoModelForMaskedLM.from_config(config, dtype=torch.float32)  # type: ignore[no-untyped-call]
    token_types = getattr(config, "type_vocab_size", 1)
    whole_tokenizer = _for_transformers(tokenizer, settings, token_types)
    batches = MaskedBatches(blocks, learned, whole_tokenizer, settings, token_types)
    stops = even_stops(len(batches), settings.evaluations)
    trainer = _Trainer(
        model=model,
        args=batch_arguments(checkpoints, settings, len(batches), eval_strategy="steps"),
        batches=batches,
        held_out=held_out,
        callbacks=[Stops(stops, progress=progress), *tensorboard(output_dir / LOGS)],
    )
    trainer.take_steps(checkpoint)
    with quiet_transformers():
        whole_tokenizer.save_pretrained(output_dir)
        model.save_pretrained(output_dir)
    history = trainer.state.log_history
    result = PretrainingResult(
        output_dir,
        tokenizer.get_vocab_size(),
        blocks.tokens,
        len(learned),
        len(held_out),
        trainer.state.global_step,
        [entry["eval_loss"] for entry in history if "eval_loss" in entry][-1],
        history,
    )
    if finish is not None:
        finish(result)
    shutil.rmtree(checkpoints)
    return result


def _tokenised(
    texts: Callable[[], Iterable[str]], folder: Path, settings: PretrainingSettings
) -> tuple[Tokenizer, TokenBlocks]:
    """The texts' tokenizer and tokens, which are made once for a run."""
    path, tokens = folder / "tokenizer.json", folder / "tokens.bin"
    if not tokens.exists():
        tokenizer = train_wordpiece(texts(), settings.vocab_size)
        tokenizer.save(str(path))
        write_tokens(texts(), tokenizer, tokens)
    tokenizer = Tokenizer.from_file(str(path))
    return tokenizer, TokenBlocks(tokens, tokenizer, settings.max_length)


def _for_transformers(tokenizer: Tokenizer, settings: PretrainingSettings, token_types: int) -> PreTrainedTokenizerFast:
    roles = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep", "mask")}
    found: PreTrainedTokenizerFast = PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=tokenizer,
        model_max_length=settings.max_length,
        model_input_names=["input_ids", *(["token_type_ids"] if token_types > 1 else []), "attention_mask"],
        **roles,
    )
    return found
