# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The student: fewer layers of the teacher's width, which begin as a factorisation of the teacher's."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer
from torch import Tensor, nn
from torch.nn.utils import parametrize
from transformers import PreTrainedTokenizerFast
from transformers.models.bert.configuration_bert import BertConfig
from transformers.models.bert.modeling_bert import BertModel

from answer_selection.indexing.artifact import Artifact
from haystack_integrations.components.embedders.answer_selection.distillation.factorisation import (
    read_inputs,
    reduce_layer,
    reduce_words,
)
from haystack_integrations.components.embedders.answer_selection.distillation.settings import DistillationSettings
from haystack_integrations.components.embedders.answer_selection.distillation.teacher import Teacher
from haystack_integrations.components.embedders.answer_selection.distillation.vocabulary import PrunedVocabulary
from haystack_integrations.components.rankers.answer_selection.models.quantized_weights import (
    QUANTIZED_WEIGHTS,
    WEIGHTS,
    bits,
    rounded,
    write_quantized,
)
from haystack_integrations.components.rankers.answer_selection.models.transformers_log import quiet_transformers

STUDENT_FILES: Final = (
    "1_Pooling",
    "2_Normalize",
    "config.json",
    "config_sentence_transformers.json",
    WEIGHTS,
    QUANTIZED_WEIGHTS,
    "modules.json",
    "sentence_bert_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
)
"""What a student's folder holds, beside its card: one of the two files of weights, and the others."""

# Texts by which the inputs of the teacher's layers are known: some ten thousand tokens, for hundreds of directions.
_TEXTS: Final = 800
_LAYER: Final = "encoder.layer."
# BERT's own pooling is not used.
_NO_POOLER: Final = {"add_pooling_layer": False}


@dataclass(frozen=True, slots=True)
class Start:
    """
    What training begins with.

    :param layers: the numbers of the teacher's layers that were factorised.
    :param rank: of the layers' matrices.
    :param kept: the part of the variance of the layers' outputs that is kept, in the mean.
    :param word_rank: of the table of words.
    :param words_kept: the part of the variance of the words' vectors that is kept.
    """

    layers: Sequence[int]
    rank: int
    kept: float
    word_rank: int
    words_kept: float


class Student(nn.Module):
    """
    A sentence encoder as it is trained: token by token.

    :param encoder: the sentence encoder.
    """

    def __init__(self, encoder: SentenceTransformer) -> None:
        super().__init__()
        self.encoder = encoder

    @property
    def network(self) -> nn.Module:
        """The network alone, as transformers has it."""
        transformer: Any = self.encoder[0]
        found: nn.Module = transformer.auto_model
        return found

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """
        Give the outputs for all tokens, of the teacher's width.

        :param input_ids: the texts' tokens.
        :param attention_mask: which of them are no padding.
        :returns: the outputs, [texts x tokens x the teacher's width].
        """
        found: Tensor = self.network(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
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


def chosen_layers(layers: int, of: int) -> list[int]:
    """
    Choose the teacher's layers that a student begins with: the first, the last, and those evenly between.

    :param layers: how many layers the student has.
    :param of: how many the teacher has.
    :returns: the layers' numbers. In doubt it is the later one of two, which costs less of the teacher's function.
    :raises ValueError: if the teacher has fewer.
    """
    if layers > of:
        msg = f"training setting 'layers' is {layers}; expected at most the {of} that the teacher has"
        raise ValueError(msg)
    if layers == 1:
        return [of - 1]
    return [-(-number * (of - 1) // (layers - 1)) for number in range(layers)]


def make_start(
    folder: Path, teacher: Teacher, pruned: PrunedVocabulary, texts: Sequence[str], settings: DistillationSettings
) -> tuple[SentenceTransformer, Start]:
    """
    Make the student that training begins with.

    Its matrices are the teacher's at three quarters of full rank, its table of words at five sixths; biases,
    normalisations and positions, which have no rank, are as in the teacher but for what keeps the outputs' means.

    :param folder: where the encoder goes; one that is there is used again.
    :param teacher: the teacher.
    :param pruned: the student's vocabulary.
    :param texts: texts to know the layers' inputs by; some are drawn.
    :param settings: its sizes, and the seed.
    :returns: the student, and what it begins with.
    """
    start = Artifact(folder)
    if start.recorded() is None:
        drawn = random.Random(settings.seed).sample(list(texts), min(_TEXTS, len(texts)))  # noqa: S311  no secret
        tokenizer = _for_transformers(pruned, teacher, settings)
        model = BertModel(_config(teacher, tokenizer, settings), **_NO_POOLER)
        weights, about = _factorised(teacher, pruned, drawn, settings)
        model.load_state_dict(weights)
        with quiet_transformers():
            model.save_pretrained(folder)
            tokenizer.save_pretrained(folder)
        # The folder is whole.
        start.write_record(asdict(about))
    recorded = start.recorded()
    assert recorded is not None
    with quiet_transformers():
        modules = [Transformer(str(folder), model_kwargs=_NO_POOLER), Pooling(teacher.width, "mean"), Normalize()]
        device = "cpu" if settings.use_cpu else None
        return SentenceTransformer(modules=modules, device=device), Start(**recorded)


class _Quantized(nn.Module):
    """A matrix as its file will have it; gradients go to the matrix as it is, as if nothing were rounded."""

    def forward(self, matrix: Tensor) -> Tensor:
        with torch.no_grad():
            off = rounded(matrix) - matrix
        return matrix + off


def quantize(network: nn.Module) -> None:
    """
    Let a network compute with its matrices as a quantized file has them, so that it learns to.

    :param network: the network.
    """
    for name, module in list(network.named_modules()):
        weight = getattr(module, "weight", None)
        if isinstance(weight, Tensor) and bits(f"{name}.weight", weight) is not None:
            parametrize.register_parametrization(module, "weight", _Quantized())


def round_weights(network: nn.Module, *, quantized: bool) -> None:
    """
    Round a network's weights as they are saved, so that what is measured is what is saved.

    :param network: the network.
    :param quantized: whether it was trained, and is saved, quantized.
    """
    for module in network.modules():
        if parametrize.is_parametrized(module):
            parametrize.remove_parametrizations(module, "weight")
    with torch.no_grad():
        for name, weights in network.named_parameters():
            # Quantized matrices are rounded already.
            if not quantized or bits(name, weights) is None:
                weights.copy_(weights.half())


def save(student: Student, folder: Path, *, quantized: bool) -> None:
    """
    Save a student as a folder of sentence-transformers, in half precision or quantized; computed is in float32.

    :param student: the student, its weights rounded.
    :param folder: the folder.
    :param quantized: whether it is quantized. Then only this package reads the weights.
    """
    with quiet_transformers():
        student.encoder.save_pretrained(str(folder), create_model_card=False)
    if quantized:
        write_quantized(folder)
        return
    weights = load_file(folder / WEIGHTS)
    save_file({key: values.half() for key, values in weights.items()}, folder / WEIGHTS, metadata={"format": "pt"})


def _factorised(
    teacher: Teacher, pruned: PrunedVocabulary, texts: Sequence[str], settings: DistillationSettings
) -> tuple[dict[str, Tensor], Start]:
    """Give the weights that training begins with, by transformers' names."""
    held: Mapping[str, Tensor] = {name: tensor.cpu() for name, tensor in teacher.encoder.state_dict().items()}
    layers = chosen_layers(settings.layers, teacher.layers)
    inputs = read_inputs(teacher, teacher.tokenise(texts))
    rank, word_rank = teacher.width * 3 // 4, teacher.width * 5 // 6
    words = held["embeddings.word_embeddings.weight"][torch.from_numpy(pruned.teacher_ids)]
    reduced, words_kept = reduce_words(words, torch.from_numpy(pruned.counts), word_rank)
    found = {name: tensor.clone() for name, tensor in held.items() if name.startswith("embeddings.LayerNorm.")}
    found["embeddings.word_embeddings.weight"] = reduced
    found["embeddings.position_embeddings.weight"] = held["embeddings.position_embeddings.weight"][: teacher.max_length]
    # The type of the only text's tokens is 0.
    found["embeddings.token_type_embeddings.weight"] = held["embeddings.token_type_embeddings.weight"][:1]
    kept = []
    for number, layer in enumerate(layers):
        own = f"{_LAYER}{number}."
        found |= {
            name.replace(f"{_LAYER}{layer}.", own): tensor.clone()
            for name, tensor in held.items()
            if name.startswith(f"{_LAYER}{layer}.")
        }
        for name in [name for name in inputs if name.startswith(f"{_LAYER}{layer}.")]:
            weight, added, part = reduce_layer(held[f"{name}.weight"], inputs[name], rank)
            place = name.replace(f"{_LAYER}{layer}.", own)
            found[f"{place}.weight"], found[f"{place}.bias"] = weight, held[f"{name}.bias"] + added
            kept.append(part)
    return found, Start(layers, rank, float(np.mean(kept)), word_rank, words_kept)


def _config(teacher: Teacher, tokenizer: PreTrainedTokenizerFast, settings: DistillationSettings) -> BertConfig:
    changed = {
        "vocab_size": len(tokenizer),
        "num_hidden_layers": settings.layers,
        "max_position_embeddings": teacher.max_length,
        "type_vocab_size": 1,
        "pad_token_id": tokenizer.pad_token_id,
        # It is too small for its texts, not too large.
        "hidden_dropout_prob": 0.0,
        "attention_probs_dropout_prob": 0.0,
    }
    given: Any = teacher.encoder.config
    return BertConfig(**(given.to_diff_dict() | changed))


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
