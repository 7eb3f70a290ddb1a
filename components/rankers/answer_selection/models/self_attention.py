# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Self-attention encoders: positions and blocks of gate, attention and feed-forward layer."""

from collections.abc import Iterator
from typing import Annotated, Any, Final, TypeAlias

import torch
from torch import Tensor, nn

from haystack_integrations.components.rankers.answer_selection.models.checks import Count, Length, OneOf, Range, Rate
from haystack_integrations.components.rankers.answer_selection.models.group_attention import ATTENTIONS, attend
from haystack_integrations.components.rankers.answer_selection.models.matching import CHANNELS
from haystack_integrations.components.rankers.answer_selection.models.pooling import mean_over_time
from haystack_integrations.components.rankers.answer_selection.models.word_model import Head, Texts, WordModelConfig

POSITIONS: Final = ("ggsa", "vaswani")
"""The kinds of positions that a configuration names."""


def positions(steps: int, size: int, like: Tensor, kind: str = "ggsa") -> Tensor:
    """
    Sines and cosines of the words' positions (section 2.2 of the GGSA paper).

    PE(i, j) is the sine, for an odd j the cosine, of i / 10000^(2j/D). In the GGSA paper j is the dimension itself. In
    Vaswani et al. 2017, section 3.5, it is half of it, rounded down, so that a sine and the cosine beside it have one
    wavelength, and the longest is 10000 · 2π. By the GGSA paper's formula it is 10000² · 2π, and most of the dimensions
    hardly differ between the words of a text.

    :param steps: L.
    :param size: D.
    :param like: gives type and device.
    :param kind: of :data:`POSITIONS`: whose formula.
    :returns: [L, D].
    """
    i = torch.arange(steps, device=like.device, dtype=torch.float32).unsqueeze(1)
    j = torch.arange(size, device=like.device, dtype=torch.float32)
    exponents = 2 * j if kind == "ggsa" else 2 * (j // 2)
    angles = i * torch.pow(10000.0, -exponents / size)
    return torch.where(j % 2 == 0, angles.sin(), angles.cos()).to(like.dtype)


Attention: TypeAlias = Annotated[str, OneOf(ATTENTIONS)]
"""What a word attends to."""


class SelfAttentionConfig(WordModelConfig):  # type: ignore[no-untyped-call]
    """
    What the configurations of models with self-attention encoders have; defaults are those of the GGSA paper.

    :param embedding_dropout: the part of the word vectors' elements that training drops; positions are added after it.
    :param dropout: that of the head's inputs. The paper drops word vectors only.
    :param positions: whose formula gives the words' positions, see :func:`positions`.
    :param attention: what a word attends to: the words of its "group", of its sliding window ("local") or all
        ("global").
    :param last_norm: whether a block ends in a layer normalisation, H = LayerNorm(Y + FFN(Y)). None is as in the paper:
        with "global" attention (section 2.1), not otherwise (equation 4).
    :param blocks: blocks one after another.
    :param heads: n, the parts that a word's vector is divided into for attention.
    :param group_size: l, the words of a group, or of the sliding window.
    :param offset: the words of the first group in the second half of the heads; 0 gives all heads the same groups.
    :param gate: whether attention sees the words through the gate of global information.
    :param shared_encoder: whether answers are encoded by the questions' encoder or by their own.
    """

    embedding_dropout: Rate = 0.3
    dropout: Rate = 0.0
    head: Head = "cosine"
    positions: Annotated[str, OneOf(POSITIONS)] = "ggsa"
    attention: Attention = "group"
    last_norm: bool | None = None
    blocks: Count = 1
    heads: Count = 6
    group_size: Length = 10
    offset: Annotated[int, Range(0, 1_000_000)] = 5
    gate: bool = True
    shared_encoder: bool = False

    def __post_init__(self, **kwargs: Any) -> None:
        super().__post_init__(**kwargs)
        if self.offset >= self.group_size:
            msg = f"offset must be below group_size, which is {self.group_size}, but is {self.offset!r}"
            raise ValueError(msg)
        if self.word_size % self.heads:
            msg = f"heads must divide a word's size, which is {self.word_size} (projection_size, or without one "
            msg += f"embedding_size, and {CHANNELS} more with match_channels), but is {self.heads}"
            raise ValueError(msg)


class FeedForward(nn.Sequential):
    """Two layers with a ReLU, four times as wide in between (Vaswani et al. 2017)."""

    def __init__(self, size: int) -> None:
        """
        Create the layers.

        :param size: D.
        """
        super().__init__(nn.Linear(size, 4 * size), nn.ReLU(inplace=True), nn.Linear(4 * size, size))


class SelfAttentionBlock(nn.Module):
    """
    One block: equations 1 to 4 of the GGSA paper, or with the last layer normalisation those of its section 2.1.

    The gate opens by how a word goes with the mean of all: g_i = sigmoid(W (x_i ⊙ mean) + b). Attention sees X ⊙ G; its
    result is added to X itself.
    """

    def __init__(self, config: SelfAttentionConfig) -> None:
        """
        Create the layers.

        :param config: the configuration.
        """
        super().__init__()
        self.config = config
        size = config.word_size
        self.gate = nn.Linear(size, size) if config.gate else None
        self.qkv = nn.Linear(size, 3 * size, bias=False)
        self.output = nn.Linear(size, size, bias=False)
        self.norm = nn.LayerNorm(size)
        self.feed_forward = FeedForward(size)
        ends_normed = config.attention == "global" if config.last_norm is None else config.last_norm
        self.last_norm = nn.LayerNorm(size) if ends_normed else None

    def attend(self, words: Texts) -> Texts:
        """
        The first half: Y = LayerNorm(X + C).

        :param words: X [N, L, D].
        :returns: Y [N, L, D].
        """
        x, lengths = words
        seen = x if self.gate is None else x * self.gates(words)
        config = self.config
        attended = attend(
            config.attention,
            self.qkv(seen),
            lengths,
            heads=config.heads,
            group_size=config.group_size,
            offset=config.offset,
        )
        return Texts(self.norm(x + self.output(attended)), lengths)

    def gates(self, words: Texts) -> Tensor:
        """
        The gates of a block that has some.

        :param words: X [N, L, D].
        :returns: G [N, L, D].
        """
        assert self.gate is not None
        x, lengths = words
        gates: Tensor = self.gate(x * mean_over_time(x, lengths).unsqueeze(1)).sigmoid()
        return gates

    def feed(self, attended: Texts) -> Texts:
        """
        The second half: H = Y + FFN(Y).

        :param attended: Y [N, L, D].
        :returns: H [N, L, D].
        """
        y, lengths = attended
        h = y + self.feed_forward(y)
        return Texts(h if self.last_norm is None else self.last_norm(h), lengths)


class SelfAttentionEncoder(nn.Module):
    """Positions, and blocks one after another."""

    def __init__(self, config: SelfAttentionConfig) -> None:
        """
        Create the blocks.

        :param config: the configuration.
        """
        super().__init__()
        self.positions = config.positions
        self.blocks = nn.ModuleList(SelfAttentionBlock(config) for _ in range(config.blocks))

    def forward(self, words: Texts) -> Texts:
        """
        Encode texts.

        :param words: [N, L, D].
        :returns: H [N, L, D]; rows count no further than their length.
        """
        return self.feed(self.attend(words))

    def attend(self, words: Texts) -> Texts:
        """
        All but the last block's feed-forward layer.

        :param words: [N, L, D].
        :returns: Y of the last block [N, L, D].
        """
        *_, (block, words) = self._inputs(words)
        return block.attend(words)

    def gates(self, words: Texts) -> list[Tensor]:
        """
        The gates that words go through.

        :param words: [N, L, D].
        :returns: G of each block [N, L, D].
        """
        return [block.gates(seen) for block, seen in self._inputs(words)]

    def _inputs(self, words: Texts) -> Iterator[tuple[SelfAttentionBlock, Texts]]:
        """The blocks, and what each is given."""
        _, steps, size = words.values.shape
        words = Texts(words.values + positions(steps, size, words.values, self.positions), words.lengths)
        previous: SelfAttentionBlock | None = None
        for block in self.blocks:
            assert isinstance(block, SelfAttentionBlock)
            if previous is not None:
                words = previous.feed(previous.attend(words))
            yield block, words
            previous = block

    def feed(self, attended: Texts) -> Texts:
        """
        What :meth:`attend` leaves.

        :param attended: Y of the last block [N, L, D].
        :returns: H [N, L, D].
        """
        return self._last.feed(attended)

    @property
    def _last(self) -> SelfAttentionBlock:
        block = self.blocks[-1]
        assert isinstance(block, SelfAttentionBlock)
        return block
