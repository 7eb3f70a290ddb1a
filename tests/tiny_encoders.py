# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Encoders of all shapes, tiny and with random weights, with tokenizers of their families, in folders as published."""

import json
from functools import cache
from tempfile import TemporaryDirectory

import torch
from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers
from transformers import (
    AutoModelForSequenceClassification,
    BertConfig,
    BertTokenizer,
    DebertaV2Config,
    DebertaV2Tokenizer,
    DistilBertConfig,
    ElectraConfig,
    ModernBertConfig,
    MPNetConfig,
    MPNetTokenizer,
    PreTrainedTokenizerFast,
    RobertaConfig,
    RobertaTokenizer,
)

TEXTS = [
    "When does the reading room close?",
    "The reading room closes at eight on weekdays, and at six on Saturdays.",
    "A lost card is replaced at any desk for two dollars, and a new one is printed while you wait.",
    "Renew a loan online, by telephone or at a desk, as often as you like unless somebody else waits for the book.",
]
SIZES = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 24,
    "max_position_embeddings": 150,
    # The usual 0.02 would leave all scores next to each other.
    "initializer_range": 0.3,
}
BERT_SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
ROBERTA_SPECIAL = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]


def wordpiece(special):
    """
    A vocabulary of letters, and of the texts' words in at most two pieces.

    None is trained: pairs that are as frequent as others are joined in another order in each process, and with them
    would change what random weights make of a text.
    """
    split = pre_tokenizers.BertPreTokenizer()
    words = sorted({word for text in TEXTS for word, _ in split.pre_tokenize_str(text.lower())})
    letters = sorted(set("".join(words)))
    pieces = [*special, *letters, *(f"##{letter}" for letter in letters)]
    pieces += [*(word[:4] for word in words), *(f"##{word[4:]}" for word in words if word[4:])]
    return {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}


def byte_pairs(special):
    """A byte-level tokenizer's vocabulary and merges."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.train_from_iterator(TEXTS, trainers.BpeTrainer(vocab_size=120, special_tokens=special))
    return tokenizer


def roberta():
    saved = json.loads(byte_pairs(ROBERTA_SPECIAL).to_str())["model"]
    return RobertaTokenizer(vocab=saved["vocab"], merges=[tuple(pair) for pair in saved["merges"]]), RobertaConfig


def modernbert():
    tokenizer = byte_pairs(["[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]"])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(name, tokenizer.token_to_id(name)) for name in ("[CLS]", "[SEP]")],
    )
    names = {"pad": "[PAD]", "cls": "[CLS]", "sep": "[SEP]", "unk": "[UNK]", "mask": "[MASK]"}
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_input_names=["input_ids", "attention_mask"],
        **{f"{name}_token": token for name, token in names.items()},
    )
    return fast, ModernBertConfig


def deberta():
    pieces = Tokenizer(models.Unigram())
    pieces.pre_tokenizer = pre_tokenizers.Metaspace()
    pieces.train_from_iterator(TEXTS, trainers.UnigramTrainer(vocab_size=120, special_tokens=BERT_SPECIAL))
    vocabulary = [tuple(pair) for pair in json.loads(pieces.to_str())["model"]["vocab"]]
    return DebertaV2Tokenizer(vocab=vocabulary), DebertaV2Config


def mpnet():
    vocabulary = wordpiece(["<s>", "<pad>", "</s>", "[UNK]", "<mask>"])
    return MPNetTokenizer(vocab=vocabulary), MPNetConfig


def bert(config):
    return BertTokenizer(vocab=wordpiece(BERT_SPECIAL)), config


MAKERS = {
    "bert": lambda: bert(BertConfig),
    "roberta": roberta,
    "distilbert": lambda: bert(DistilBertConfig),
    "electra": lambda: bert(ElectraConfig),
    "deberta-v2": deberta,
    "mpnet": mpnet,
    "modernbert": modernbert,
}
MORE = {
    "roberta": {"type_vocab_size": 1},
    "electra": {"embedding_size": 8},
    # As the third version's: no positions of their own, relative ones in every layer.
    "deberta-v2": {
        "relative_attention": True,
        "position_buckets": 8,
        "pos_att_type": ["p2c", "c2p"],
        "norm_rel_ebd": "layer_norm",
        "share_att_key": True,
        "position_biased_input": False,
        "type_vocab_size": 0,
    },
    "modernbert": {"local_attention": 8, "global_attn_every_n_layers": 2},
}
KINDS = tuple(MAKERS)

_FOLDERS = TemporaryDirectory(prefix="tiny-encoders-")


@cache
def folder(kind: str) -> str:
    """Make an encoder's folder, as transformers writes one for sequence classification with one label."""
    tokenizer, config_class = MAKERS[kind]()
    ids = {
        f"{name}_token_id": value
        for name in ("pad", "cls", "sep", "bos", "eos")
        if (value := getattr(tokenizer, f"{name}_token_id", None)) is not None
    }
    config = config_class(vocab_size=len(tokenizer), num_labels=1, **{**SIZES, **ids, **MORE.get(kind, {})})
    torch.manual_seed(5)
    place = f"{_FOLDERS.name}/{kind}"
    AutoModelForSequenceClassification.from_config(config).save_pretrained(place)
    tokenizer.save_pretrained(place)
    return place
