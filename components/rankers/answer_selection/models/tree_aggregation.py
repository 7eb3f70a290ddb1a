# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
The tree aggregation transformer: self-attention that goes up a parse tree, span by span.

Mrini, Farcas and Nakashole 2021, "Recursive Tree-Structured Self-Attention for Answer Sentence Selection" (ACL),
section 3; numbers are the paper's equations. A token of a span has a semantic half, of what the encoder gave for it,
and a syntactic half, of its tag s (a part of speech; the span's category for start and end tokens), its place p in the
span and the span's level l:

    e = W1 x + b1                                   (1)
    n = W2 (Es[s] + Ep[p] + El[l]) + b2             (2)

A span is [start, children, end]. A child that is a word is its word pieces; one that is a span is one element, the two
vectors that came of that span. Each half attends by itself, in several heads, and goes through a feed-forward layer:

    a = softmax(q K / sqrt(d)),  q = Wq start,  K and V of all elements       (3) to (6)
    o = start + Wo (a V) + bo,  the span's half is FFN(o)                     (7), (8)

The span's vector is the first output, so that the start token alone has to ask. As in the equations there is no
normalisation, and the one residual is that of (7) and (8); there is no dropout. The layer is the same for all levels.
The logit is w tanh[e_q; n_q; e_a; n_a] + b of both roots (9), the difference of the paper's two softmax inputs.

What goes into (2) is a sum of rows of three small tables, and what is made of it before the softmax is linear: so the
tables are projected, once a batch, and the encoder's outputs once, too, however many spans begin with the same token.
"""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Annotated, Any, ClassVar, Final, NamedTuple

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional, init

from answer_selection.indexing.text.tree import LABELS
from haystack_integrations.components.rankers.answer_selection.models.checks import Count, OneOf, Size
from haystack_integrations.components.rankers.answer_selection.models.explanation import Explanation
from haystack_integrations.components.rankers.answer_selection.models.pair_collator import PairCollator
from haystack_integrations.components.rankers.answer_selection.models.pair_model import (
    PairModel,
    PairModelConfig,
    SinglePrecision,
)
from haystack_integrations.components.rankers.answer_selection.models.scoring_encoder import ScoringEncoder
from haystack_integrations.components.rankers.answer_selection.models.tree_collator import GIVEN, SHAPES, TreeCollator
from haystack_integrations.components.rankers.answer_selection.models.tree_levels import Schedule

# Spans may be longer, and trees deeper: what is beyond has the last one's embedding.
_POSITIONS: Final = 128
_LEVELS: Final = 64


class TreeAggregationConfig(PairModelConfig):  # type: ignore[no-untyped-call]
    """
    The tree aggregation transformer's configuration.

    :param half_size: the size of the semantic half, and of the syntactic one.
    :param heads: the heads of each half's attention.
    :param feed_forward_size: the inner size of each half's feed-forward layer.
    :param residual: whether the encoder's output for the classification token goes to the last layer, too.
    :param syntax: whether there is a syntactic half.
    :param separate_attention: whether the halves attend each by itself; False: one attention over both, side by
        side, and one feed-forward layer, with the heads and the inner sizes of the two together.
    :param layers: how many sets of weights there are: 1 is one for all levels; of more the first is for roots, the
        second for the level below, and the last for all deeper ones.
    :param trees: "given"; "sentence", the same without the root above a single sentence; or "random", "left"
        (left-branching), "balanced", which keep words and tags.
    """

    model_type = "tree_aggregation"

    half_size: Size = 1024
    heads: Count = 16
    feed_forward_size: Size = 4096
    residual: bool = False
    syntax: bool = True
    separate_attention: bool = True
    layers: Count = 1
    trees: Annotated[str, OneOf(tuple(SHAPES))] = GIVEN

    def __post_init__(self, **kwargs: Any) -> None:
        super().__post_init__(**kwargs)
        if self.half_size % self.heads:
            msg = f"half_size must be a multiple of heads, but is {self.half_size} with {self.heads} heads"
            raise ValueError(msg)


class Summed(NamedTuple):
    """
    Vectors that are sums of rows of tables: they can be projected before they are looked up.

    :param tables: what is looked up, [n_rows, size] each.
    :param rows: the rows of each table [n].
    """

    tables: Sequence[Tensor]
    rows: Sequence[Tensor]

    def projected(self, layer: nn.Linear) -> "Summed":
        """
        Project all vectors.

        :param layer: a linear layer without a bias.
        :returns: the projected vectors.
        """
        return self._replace(tables=[layer(table) for table in self.tables])

    def vectors(self, begin: int, end: int) -> Tensor:
        """
        Give some of the vectors.

        :param begin: the first of them.
        :param end: the first that is not.
        :returns: the vectors [end - begin, size].
        """
        first, *others = (
            functional.embedding(rows[begin:end], table) for table, rows in zip(self.tables, self.rows, strict=True)
        )
        for other in others:
            first = first + other
        return first


class SpanAttention(nn.Module):
    """
    One half of the recursive layer, or the whole where both attend together.

    :param size: of the elements' vectors.
    :param heads: of the attention.
    :param inner: the inner size of the feed-forward layer.
    """

    def __init__(self, size: int, heads: int, inner: int) -> None:
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(size, size, bias=False)
        self.key_value = nn.Linear(size, 2 * size, bias=False)
        self.output = nn.Linear(size, size)
        self.feed_forward = nn.Sequential(nn.Linear(size, inner), nn.ReLU(), nn.Linear(inner, size))

    def attend(self, asking: Tensor, keys_values: Tensor, elements: Tensor, real: Tensor) -> tuple[Tensor, Tensor]:
        """
        Let spans of similar lengths attend to their elements.

        :param asking: their queries [n_spans, size].
        :param keys_values: keys and values of the level's elements [n, 2 * size].
        :param elements: the rows of each span's elements [n_spans, width].
        :param real: False for padding [n_spans, width].
        :returns: the weighted values [n_spans, size], and the weights [n_spans, width, heads].
        """
        spans, width = elements.shape
        found = functional.embedding(elements, keys_values).view(spans, width, 2, self.heads, -1)
        keys, values = found.unbind(2)
        scores = (asking.view(spans, 1, self.heads, -1) * keys).sum(-1) * keys.shape[-1] ** -0.5
        weights = scores.masked_fill(~real.unsqueeze(-1), -torch.inf).softmax(1)
        return (weights.unsqueeze(-1) * values).sum(1).flatten(1), weights

    def forward(self, starts: Tensor, attended: Tensor) -> Tensor:
        """
        Make the spans' vectors of what they attended to.

        :param starts: the start tokens' vectors [n_spans, size].
        :param attended: the weighted values [n_spans, size].
        :returns: the spans' vectors [n_spans, size].
        """
        vectors: Tensor = self.feed_forward(starts + self.output(attended))
        return vectors


class TreeAggregation(nn.Module):
    """
    The embeddings of tokens and the recursive layer.

    :param size: of the encoder's vectors.
    :param config: the configuration.
    """

    def __init__(self, size: int, config: TreeAggregationConfig) -> None:
        super().__init__()
        half = config.half_size
        self.semantic = nn.Linear(size, half)
        self.syntax, self.separate = config.syntax, config.separate_attention
        if self.syntax:
            self.labels = nn.Embedding(len(LABELS), half)
            self.positions = nn.Embedding(_POSITIONS, half)
            self.levels = nn.Embedding(_LEVELS, half)
            self.syntactic = nn.Linear(half, half)
        halves = 1 + self.syntax
        together = 1 if self.separate else halves
        self.layers = nn.ModuleList(
            nn.ModuleList(
                SpanAttention(together * half, together * config.heads, together * config.feed_forward_size)
                for _ in range(halves // together)
            )
            for _ in range(config.layers)
        )

    def forward(self, states: Tensor, schedule: Schedule, kept: list[list[Tensor]] | None = None) -> Tensor:
        """
        Read trees from the deepest level to the roots.

        :param states: the encoder's last states [n_pairs, L, d].
        :param schedule: the order.
        :param kept: a list that gets the weights of each bucket, a tensor [n_spans, width, heads] a half.
        :returns: the roots' vectors, the question's and the answer's, [n_pairs, 2, size of all halves].
        """
        leaves = self._leaves(states.flatten(0, 1), schedule)
        leaf_counts = schedule.level_leaves.tolist()
        buckets: list[list[tuple[int, int]]] = [[] for _ in leaf_counts]
        for level, spans, width in schedule.buckets.tolist():
            buckets[level].append((spans, width))
        layers: list[SpanAttention] = []
        below: list[Tensor] = []
        span = leaf = element = 0
        for level in reversed(range(len(buckets))):
            if not layers or level < len(self.layers) - 1:
                layers = self._layers(level)
                queries = [half.projected(layer.query) for half, layer in zip(leaves, layers, strict=True)]
                memories = [half.projected(layer.key_value) for half, layer in zip(leaves, layers, strict=True)]
            # A level's leaves begin with its spans' start tokens.
            spans = sum(count for count, _ in buckets[level])
            asking = [half.vectors(leaf, leaf + spans) for half in queries]
            memory = [half.vectors(leaf, leaf + leaf_counts[level]) for half in memories]
            if below:
                memory = [torch.cat([m, layer.key_value(b)]) for m, layer, b in zip(memory, layers, below, strict=True)]
            attended: list[list[Tensor]] = [[] for _ in layers]
            done = 0
            for count, width in buckets[level]:
                rows = schedule.elements[element : element + count * width].view(count, width)
                real = torch.arange(width, device=rows.device) < schedule.lengths[span : span + count, None]
                weights = []
                for half, layer in enumerate(layers):
                    found, shares = layer.attend(asking[half][done : done + count], memory[half], rows, real)
                    attended[half].append(found)
                    weights.append(shares)
                if kept is not None:
                    kept.append(weights)
                span, done, element = span + count, done + count, element + count * width
            below = [
                layer(half.vectors(leaf, leaf + spans), torch.cat(found))
                for half, layer, found in zip(leaves, layers, attended, strict=True)
            ]
            leaf += leaf_counts[level]
        return torch.cat(below, dim=-1)[schedule.roots]

    def _layers(self, level: int) -> list[SpanAttention]:
        """The halves' layers of a level."""
        halves = self.layers[min(level, len(self.layers) - 1)]
        assert isinstance(halves, nn.ModuleList)
        return [half for half in halves if isinstance(half, SpanAttention)]

    def _leaves(self, states: Tensor, schedule: Schedule) -> list[Summed]:
        """Equations 1 and 2, for each half, or for both side by side."""
        semantic = Summed([self.semantic(states)], [schedule.leaf_tokens])
        if not self.syntax:
            return [semantic]
        embeddings = (self.labels, self.positions, self.levels)
        tables = [functional.linear(embedding.weight, self.syntactic.weight) for embedding in embeddings]
        tables[0] = tables[0] + self.syntactic.bias
        rows = [
            schedule.leaf_labels,
            schedule.leaf_positions.clamp(max=_POSITIONS - 1),
            schedule.leaf_levels.clamp(max=_LEVELS - 1),
        ]
        if self.separate:
            return [semantic, Summed(tables, rows)]
        half = self.semantic.out_features
        left = [functional.pad(table, (0, half)) for table in semantic.tables]
        return [Summed(left + [functional.pad(table, (half, 0)) for table in tables], [*semantic.rows, *rows])]


class TreeAggregationModel(PairModel):
    """The encoder, the tree aggregation, and a linear layer."""

    config_class = TreeAggregationConfig
    collator_class: ClassVar[type[PairCollator]] = TreeCollator
    reads_trees: ClassVar[bool] = True

    def __init__(self, config: TreeAggregationConfig, encoder: ScoringEncoder | None = None) -> None:
        """
        Create the network, with random weights.

        :param config: the configuration.
        :param encoder: see :class:`PairModel`.
        """
        super().__init__(config, encoder)
        size = config.encoder.hidden_size
        self.aggregation = TreeAggregation(size, config)
        inputs = 2 * (1 + config.syntax) * config.half_size + config.residual * size
        self.classifier = SinglePrecision(nn.Sequential(nn.Tanh(), nn.Linear(inputs, 1)))
        self.post_init()

    def _collator(self, tokenizer: Tokenizer) -> PairCollator:
        """See :meth:`PairModel._collator`; the collator shapes trees as the configuration says."""
        collator = super()._collator(tokenizer)
        assert isinstance(collator, TreeCollator)
        collator.trees = self.config.trees
        return collator

    def _init_weights(self, module: nn.Module) -> None:
        """See :meth:`AnswerSelectionModel._init_weights`; three embeddings together are as large as a word's."""
        if isinstance(module, nn.Embedding):
            init.normal_(module.weight, std=3**-0.5)
        else:
            super()._init_weights(module)

    def logits(self, **sequences: Tensor) -> Tensor:
        """
        Score pairs by their trees.

        :param sequences: what :class:`TreeCollator` gives, but for `list_sizes`.
        :returns: the logits [n_pairs, 1].
        """
        states, schedule = self._read(sequences)
        vectors = self.aggregation(states, schedule).flatten(1)
        if self.config.residual:
            vectors = torch.cat([states[:, 0], vectors], dim=1)
        logits: Tensor = self.head(vectors)
        return logits

    def text_vectors(self, **batch: Tensor) -> Tensor:
        """
        Give the vectors of the texts' roots.

        :param batch: what :class:`TreeCollator` gives.
        :returns: [e_q; n_q] and [e_a; n_a], [n_pairs, 2, 2 * half_size], or half as many numbers without syntax.
        """
        vectors: Tensor = self.aggregation(*self._read(batch))
        return vectors

    def probed_vectors(self, batch: Mapping[str, Tensor]) -> Tensor:
        """See :meth:`AnswerSelectionModel.probed_vectors`; the vectors of the answers' roots, [e_a; n_a]."""
        return self.text_vectors(**batch)[:, 1]

    def explain(self, batch: Mapping[str, Tensor]) -> Explanation:
        """See :meth:`AnswerSelectionModel.explain`; the spans' attention."""
        return Explanation(spans=self.span_attention(**batch))

    @torch.no_grad()
    def span_attention(self, **batch: Tensor) -> list[tuple[list[Tensor], list[Tensor]]]:
        """
        Say what spans attend to.

        :param batch: what :class:`TreeCollator` gives.
        :returns: for each pair, of question and of answer, the weights of each span, as :meth:`TreeCollator.text_trees`
            numbers them: [n_halves, n_elements], means over the heads, so that a row sums to 1. The elements are the
            start token, the children in the text's order, a word's pieces one by one, and the end token. The first
            half is the semantic one; the second, if there is one that attends by itself, the syntactic one.
        """
        states, schedule = self._read(batch)
        buckets: list[list[Tensor]] = []
        self.aggregation(states, schedule, buckets)
        rows = [row for bucket in buckets for row in torch.stack([half.mean(-1) for half in bucket], dim=1)]
        lengths = schedule.lengths.tolist()
        spans = iter([rows[place][:, : lengths[place]] for place in schedule.order.tolist()])
        return [
            (list(islice(spans, question)), list(islice(spans, answer)))
            for question, answer in schedule.text_spans.tolist()
        ]

    def _read(self, batch: Mapping[str, Tensor]) -> tuple[Tensor, Schedule]:
        """The encoder's last states, and the schedule."""
        apart = {*Schedule._fields, "list_sizes"}
        states = self.states(**{name: tensor for name, tensor in batch.items() if name not in apart})
        return states, Schedule(**{name: batch[name] for name in Schedule._fields})
