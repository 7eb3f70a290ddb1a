# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A sentence encoder to learn from, tiny and with random weights, in a folder as published; and texts for it."""

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer
from tokenizers import Tokenizer
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

from haystack_integrations.components.rankers.answer_selection.models.wordpiece import train_wordpiece

THINGS = {"car": "drive", "boat": "sail", "plane": "fly", "bike": "pedal", "horse": "ride", "shoe": "walk"}
ADVERBS = ("today", "often", "here", "now", "always", "there")
COLOURS = ("red", "blue", "green", "fast", "slow")
WIDTH = 32

_FOLDERS = TemporaryDirectory(prefix="tiny-teachers-")


def texts(seed: int = 5, count: int = 150) -> Iterator[str]:
    """Questions and statements, in turn."""
    rng = random.Random(seed)
    for _ in range(count):
        thing, verb = rng.choice(sorted(THINGS)), rng.choice(sorted(THINGS.values()))
        yield f"Can you {verb} with a {thing} {rng.choice(ADVERBS)}?"
        yield f"The {thing} is {rng.choice(COLOURS)}, so {THINGS[thing]} it {rng.choice(ADVERBS)}."


def wordpiece() -> Tokenizer:
    return train_wordpiece(texts(), 200)


def for_transformers(tokenizer: Tokenizer) -> PreTrainedTokenizerFast:
    roles = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep", "mask")}
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=64, **roles)


@cache
def folder(seed: int = 1, *, pooling: str = "mean", of: type = object) -> Path:
    """Make a teacher's folder; `of` is another kind of tokenizer's model."""
    tokenizer = wordpiece()
    if of is not object:
        tokenizer = Tokenizer(of(tokenizer.get_vocab(), unk_token="[UNK]"))
    torch.manual_seed(seed)
    sizes = {"hidden_size": WIDTH, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    config = BertConfig(
        vocab_size=tokenizer.get_vocab_size(), max_position_embeddings=64, initializer_range=0.1, **sizes
    )
    place = Path(_FOLDERS.name) / f"{seed}-{pooling}-{of.__name__}"
    model = BertModel(config)
    # Else all texts would have nearly the same vector, and whoever always gives it would seem to have learned.
    with torch.no_grad():
        model.get_input_embeddings().weight.mul_(10)
    model.save_pretrained(place / "bert")
    for_transformers(tokenizer).save_pretrained(place / "bert")
    modules = [Transformer(str(place / "bert")), Pooling(WIDTH, pooling), Normalize()]
    teacher = place / "teacher"
    SentenceTransformer(modules=modules, device="cpu").save_pretrained(str(teacher), create_model_card=False)
    (teacher / "README.md").write_text("---\nlicense: apache-2.0\n---\n# teacher\n", encoding="utf-8")
    return teacher
