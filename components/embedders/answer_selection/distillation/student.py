# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The student: a small ELECTRA, the mean of its tokens, and a linear layer to the teacher's width."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Dense, Normalize, Pooling, Transformer
from torch import Tensor, nn
from transformers import AutoConfig, AutoModel, PreTrainedConfig, PreTrainedTokenizerFast

from answer_selection.indexing.artifact import Artifact
from haystack_integrations.components.embedders.answer_selection.distillation.settings import (
    HEAD_WIDTH,
    DistillationSettings,
)
from haystack_integrations.components.embedders.answer_selection.distillation.teacher import Teacher
from haystack_integrations.components.embedders.answer_selection.distillation.vocabulary import PrunedVocabulary
from haystack_integrations.components.rankers.answer_selection.models.transformers_log import quiet_transformers

STUDENT_FILES: Final = (
    "1_Pooling",
    "2_Dense",
    "3_Normalize",
    "config.json",
    "config_sentence_transformers.json",
    "model.safetensors",
    "modules.json",
    "sentence_bert_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
)
"""What a student's folder holds, beside its card."""

# The spread of the word vectors that training begins with, near that of random ones.
_SPREAD: Final = 0.05


@dataclass(frozen=True, slots=True)
class Start:
    """
    What training begins with.

    :param encoder: the student.
    :param word_width: of its word vectors.
    :param variance: the part of the variance of the teacher's vectors of single tokens that these keep.
    """

    encoder: SentenceTransformer
    word_width: int
    variance: float


class Student(nn.Module):
    """
    A sentence encoder as it is trained: token by token.

    :param encoder: the sentence encoder.
    """

    def __init__(self, encoder: SentenceTransformer) -> None:
        super().__init__()
        self.encoder = encoder

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """
        Give the outputs for all tokens, of the teacher's width.

        The linear layer comes before the mean here. What comes out is the same, and tokens can be compared.

        :param input_ids: the texts' tokens.
        :param attention_mask: which of them are no padding.
        :returns: the outputs, [texts x tokens x the teacher's width].
        """
        transformer: Any = self.encoder[0]
        dense: Any = self.encoder[2]
        states = transformer.auto_model(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        found: Tensor = dense.linear(states)
        return found


def mean_vectors(outputs: Tensor, attention_mask: Tensor) -> Tensor:
    """
    Make texts' vectors of their tokens' outputs.

    :param outputs: what :class:`Student` gives.
    :param attention_mask: which of them are no padding.
    :returns: their means at unit length.
    """
    mask = attention_mask[..., None].to(outputs.dtype)
    return nn.functional.normalize((outputs * mask).sum(1) / mask.sum(1), dim=-1)


def factorise(vectors: NDArray[np.float32], width: int) -> tuple[NDArray[np.float32], float]:
    """
    Reduce vectors to their principal components.

    :param vectors: the vectors, [n x their width].
    :param width: numbers a vector afterwards; fewer where the vectors have no more.
    :returns: the components, all scaled alike, and the part of the variance that they keep.
    """
    left, scale, _ = np.linalg.svd(vectors - vectors.mean(0), full_matrices=False)
    found = left[:, :width] * scale[:width]
    return found / found.std() * _SPREAD, float((scale[:width] ** 2).sum() / (scale**2).sum())


def make_start(folder: Path, teacher: Teacher, pruned: PrunedVocabulary, settings: DistillationSettings) -> Start:
    """
    Make the student that training begins with: random but for its word vectors.

    These are no weights of the teacher's. They are the principal components of what it gives for single tokens.

    :param folder: where the encoder goes; one that is there is used again.
    :param teacher: the teacher.
    :param pruned: the student's vocabulary.
    :param settings: its sizes, and the seed.
    :returns: the student.
    """
    start = Artifact(folder)
    torch.manual_seed(settings.seed)
    if start.recorded() is None:
        words, kept = factorise(teacher.word_vectors(pruned.teacher_ids.tolist()), settings.word_width)
        tokenizer = _for_transformers(pruned, teacher, settings)
        model = AutoModel.from_config(_config(tokenizer, settings, words.shape[1]))  # type: ignore[no-untyped-call]
        with torch.no_grad():
            model.get_input_embeddings().weight.copy_(torch.from_numpy(words))
        with quiet_transformers():
            model.save_pretrained(folder)
            tokenizer.save_pretrained(folder)
        # The folder is whole.
        start.write_record({"word_width": words.shape[1], "variance": kept})
    recorded = start.recorded()
    assert recorded is not None
    torch.manual_seed(settings.seed)
    with quiet_transformers():
        modules = [
            Transformer(str(folder)),
            Pooling(settings.width, "mean"),
            Dense(settings.width, teacher.width, activation_function=nn.Identity()),
            Normalize(),
        ]
        device = "cpu" if settings.use_cpu else None
        return Start(SentenceTransformer(modules=modules, device=device), **recorded)


def round_weights(student: Student) -> None:
    """
    Round a student's weights to the half precision that they are saved in, so that what is measured is what is saved.

    :param student: the student.
    """
    with torch.no_grad():
        for weights in student.parameters():
            weights.copy_(weights.half())


def save(student: Student, folder: Path) -> None:
    """
    Save a student as a folder that sentence-transformers reads, in half precision; computed is in float32.

    :param student: the student, its weights rounded.
    :param folder: the folder.
    """
    with quiet_transformers():
        student.encoder.save_pretrained(str(folder), create_model_card=False)
    for name in ("model.safetensors", "2_Dense/model.safetensors"):
        weights = load_file(folder / name)
        save_file({key: values.half() for key, values in weights.items()}, folder / name, metadata={"format": "pt"})


def _config(tokenizer: PreTrainedTokenizerFast, settings: DistillationSettings, word_width: int) -> PreTrainedConfig:
    found: PreTrainedConfig = AutoConfig.for_model(
        "electra",
        vocab_size=len(tokenizer),
        embedding_size=word_width,
        hidden_size=settings.width,
        num_hidden_layers=settings.layers,
        num_attention_heads=settings.width // HEAD_WIDTH,
        intermediate_size=4 * settings.width,
        max_position_embeddings=settings.max_length,
        type_vocab_size=1,
        pad_token_id=tokenizer.pad_token_id,
        # It is too small for its texts, not too large.
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    return found


def _for_transformers(
    pruned: PrunedVocabulary, teacher: Teacher, settings: DistillationSettings
) -> PreTrainedTokenizerFast:
    roles = ("cls_token", "sep_token", "pad_token", "unk_token", "mask_token")
    found: PreTrainedTokenizerFast = PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=pruned.tokenizer,
        model_max_length=settings.max_length,
        model_input_names=["input_ids", "attention_mask"],
        **dict(zip(roles, teacher.special, strict=True)),
    )
    return found
