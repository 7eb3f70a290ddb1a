# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The cross-encoder that rankers are held against: MiniLM-L6's shape, with random weights."""

import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import WhitespaceSplit
from tokenizers.processors import BertProcessing
from transformers import BertConfig, BertForSequenceClassification

BATCH_SIZES = (8, 16, 32, 100)
"""Of these its fastest one counts."""


class CrossEncoder:
    """What sentence-transformers' cross-encoder does: pairs of similar length in batches, padded, one score each."""

    def __init__(self, words: list[str]) -> None:
        special = ["[PAD]", "[CLS]", "[SEP]", "[UNK]"]
        vocabulary = {token: index for index, token in enumerate([*special, *words])}
        self.tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
        self.tokenizer.pre_tokenizer = WhitespaceSplit()
        self.tokenizer.post_processor = BertProcessing(("[SEP]", 2), ("[CLS]", 1))
        self.tokenizer.enable_padding(pad_id=0, pad_token="[PAD]")
        config = BertConfig(
            vocab_size=len(vocabulary),
            hidden_size=384,
            num_hidden_layers=6,
            num_attention_heads=12,
            intermediate_size=1536,
            num_labels=1,
        )
        self.model = BertForSequenceClassification(config).eval()

    @torch.inference_mode()
    def rank(self, query: str, answers: list[str], batch_size: int) -> list[float]:
        """One score an answer, in the order of `answers`."""
        order = sorted(range(len(answers)), key=lambda index: len(answers[index]))
        scores = [0.0] * len(answers)
        for start in range(0, len(order), batch_size):
            chosen = order[start : start + batch_size]
            encoded = self.tokenizer.encode_batch([(query, answers[index]) for index in chosen])
            logits = self.model(
                input_ids=torch.tensor([pair.ids for pair in encoded]),
                attention_mask=torch.tensor([pair.attention_mask for pair in encoded]),
                token_type_ids=torch.tensor([pair.type_ids for pair in encoded]),
            ).logits
            for index, score in zip(chosen, logits[:, 0].sigmoid().tolist(), strict=True):
                scores[index] = score
        return scores
