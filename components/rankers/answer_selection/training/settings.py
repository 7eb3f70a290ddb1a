# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What a training run is told."""

from dataclasses import dataclass

from haystack_integrations.components.rankers.answer_selection.training.losses import LOSSES
from haystack_integrations.components.rankers.answer_selection.training.run_settings import RunSettings
from haystack_integrations.components.rankers.answer_selection.training.validation import METRICS

SCHEDULES = ("linear", "cosine", "constant")
OPTIMIZERS = ("adam", "adamw", "rmsprop")


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingSettings(RunSettings):
    """
    How to train. What all runs have is in :class:`RunSettings`. An error names the field.

    :param loss: pointwise, pairwise (hinge), pairwise_logistic or listwise.
    :param margin: of the pairwise losses; None is each one's own default (hinge 1, logistic 0).
    :param epochs: the most epochs.
    :param pairs_per_batch: the most pairs of question and answer in a batch. Lists are never cut.
    :param negatives: irrelevant candidates a list, drawn anew every epoch; None takes all.
    :param list_size: instead of `negatives`, how many candidates every list has: all relevant ones, and irrelevant ones
        drawn anew every epoch, from other lists too where its own are too few; see :func:`dataset.sample_epoch`.
    :param encoder_learning_rate: that of a Hugging Face encoder's own weights, at its highest; None is `learning_rate`.
        New layers above it start at random, and may want a higher one.
    :param schedule: what becomes of the learning rate after the warm-up: linear (to 0), cosine (to 0) or constant.
    :param optimizer: adam, adamw, or rmsprop with a momentum of 0.9.
    :param weight_decay: with adam and rmsprop an L2 penalty in the loss's gradient, as the papers have it; with adamw
        decoupled (Loshchilov and Hutter 2019). Biases and normalisations are spared.
    :param gradient_accumulation: batches a step. Its gradient is that of the mean of the batches' losses, and it needs
        no more memory than one of them. Each of several processes takes so many.
    :param gradient_checkpointing: compute what is between an encoder's layers once more in the backward pass instead of
        keeping it: less memory, about a third more time. For models on a Hugging Face encoder.
    :param freeze_embeddings: whether word vectors stay as they are; None is what is right for the model: word models
        keep theirs, encoders learn them.
    :param freeze_encoder: whether a Hugging Face encoder stays as it is, and what is above it learns alone. The encoder
        then drops nothing, either.
    :param evaluations_per_epoch: how often the validation lists are scored. A checkpoint is written then, and every 250
        steps.
    :param metric: the measure of the validation lists that chooses the weights that are kept, when to stop early and
        the retriever's weight: mrr, map or p@1.
    :param patience: stop after so many evaluations without a better measure; 0 never stops early.
    :param choose_retriever_weight: whether the validation lists are real queries with what the deployed retriever gave
        for them (`mode="retrieved"`). They then decide how much of its score is mixed in.
    :param choose_signals: whether the validation lists are candidates that are given and not retrieved, as the ranker's
        will be. If they have no scores, they then decide between the model alone and all signals, and how much the
        model weighs among these.
    :param seed: of weights, dropout, sampling and order.
    """

    learning_rate: float = 1e-3
    weight_decay: float = 0.0
    max_grad_norm: float = 5.0
    loss: str = "listwise"
    margin: float | None = None
    epochs: int = 10
    pairs_per_batch: int = 256
    negatives: int | None = 15
    list_size: int | None = None
    encoder_learning_rate: float | None = None
    schedule: str = "linear"
    optimizer: str = "adam"
    gradient_accumulation: int = 1
    gradient_checkpointing: bool = False
    freeze_embeddings: bool | None = None
    freeze_encoder: bool = False
    evaluations_per_epoch: int = 1
    metric: str = "mrr"
    patience: int = 3
    choose_retriever_weight: bool = False
    choose_signals: bool = False

    def __post_init__(self) -> None:
        """
        Check every value.

        :raises ValueError: naming the field, what it is and what was expected.
        """
        self.check_run(counts=("epochs", "pairs_per_batch", "gradient_accumulation", "evaluations_per_epoch"))
        for name, allowed in (
            ("loss", tuple(LOSSES)),
            ("schedule", SCHEDULES),
            ("optimizer", OPTIMIZERS),
            ("metric", METRICS),
        ):
            if getattr(self, name) not in allowed:
                self.refuse(name, f"one of {', '.join(allowed)}")
        if self.patience < 0:
            self.refuse("patience", "at least 0")
        if self.negatives is not None and self.negatives < 1:
            self.refuse("negatives", "at least 1, or nothing for all")
        if self.list_size is not None and self.list_size < 2:
            self.refuse("list_size", "at least 2, or nothing for lists of their own size")
        if self.list_size is not None and self.negatives is not None:
            self.refuse("negatives", "nothing with list_size, which says how many there are")
        if self.encoder_learning_rate is not None and self.encoder_learning_rate <= 0:
            self.refuse("encoder_learning_rate", "more than 0, or nothing for learning_rate")
        if self.freeze_encoder and self.encoder_learning_rate is not None:
            self.refuse("encoder_learning_rate", "nothing with freeze_encoder: the encoder does not learn")
        if self.freeze_encoder and self.freeze_embeddings is False:
            self.refuse("freeze_embeddings", "nothing with freeze_encoder: the embeddings are the encoder's")
        if self.margin is not None and not self.loss.startswith("pairwise"):
            self.refuse("margin", f"nothing with the loss '{self.loss}': only the pairwise losses have a margin")
