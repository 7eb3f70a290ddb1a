# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""HMDA: attention of words to themselves, then to the other side, a comparison, and convolutions over it."""

from collections.abc import Sequence
from typing import Annotated, Any, Final, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional, init

from haystack_integrations.components.rankers.answer_selection.models.checks import Count, Length, OneOf, Rate, Size
from haystack_integrations.components.rankers.answer_selection.models.explanation import ANSWER, QUESTION, WordWeights
from haystack_integrations.components.rankers.answer_selection.models.pooling import (
    max_over_time,
    mean_over_time,
    real_words,
    softmax_over_time,
)
from haystack_integrations.components.rankers.answer_selection.models.word_model import (
    Head,
    Texts,
    WordModel,
    WordModelConfig,
)

WORD_ATTENTIONS: Final = ("vertical", "horizontal", "reduced")
_KINDS: Final = 3
_ABOUT_KINDS: Final = (
    ("attention by place", "The word's share by a learned weight for its place in the text."),
    ("attention by the word", "The word's share by the length of its own vector."),
    ("attention by the matrix", "The word's share by the product of its vector with itself through a learned matrix."),
)


class HMDAConfig(WordModelConfig):  # type: ignore[no-untyped-call]
    """
    The configuration of :class:`HMDAModel`; the defaults are the paper's for WikiQA. Letters are the paper's.

    :param word_attention: how the weighted words V1, V2, V3 join the words: "vertical" (on the features),
        "horizontal" (on the length), "reduced" (there are none).
    :param filters: d, the filters of each width, and the size of what they are compressed to.
    :param filter_widths: words that a filter sees, width by width.
    :param squeeze_size: the size that each side's pooled V and its Z are brought to by tanh layers before the
        head, the same layers for both; None leaves them as they are.
    :param squeeze_together: what the authors' program has in place of that: one tanh layer of size d over both sides'
        Z, and one of size d / 10 over both sides' pooled V. (A linear layer of size d / 10 behind them, without an
        activation before the last layer, says no more than the last layer alone.)
    :param shared_aggregation: whether both sides share the convolutions and what compresses them. The paper does not
        say; in the authors' program each side has its own.
    :param literal_attention: equation 1 as printed, o1_i = x_i · w_i. The authors' program has a bias and a tanh.
    :param literal_encoder: equations 8 and 9 as printed, H = sigmoid(N) ⊙ tanh(N), without dense layers. The authors'
        program has them.
    :param gated_encoder: without it global attention sees the words as they are (table IV, 1).
    :param global_attention: without it the words are aggregated alone, and nothing is compared (table IV, 2).
    :param comparison: without it what a word found on the other side is aggregated alone, M = R (table IV, 4).
    :param max_query_length: words of a query that are read. Word attention has a column for each.
    :param max_answer_length: the same for an answer.
    """

    model_type = "hmda"

    word_attention: Annotated[str, OneOf(WORD_ATTENTIONS)] = "vertical"
    filters: Size = 300
    filter_widths: Sequence[Count] = (1, 2, 3, 4, 5)
    squeeze_size: Size | None = None
    squeeze_together: bool = False
    shared_aggregation: bool = True
    literal_attention: bool = False
    literal_encoder: bool = False
    gated_encoder: bool = True
    global_attention: bool = True
    comparison: bool = True
    max_query_length: Length = 10
    max_answer_length: Length = 40
    embedding_dropout: Rate = 0.1
    dropout: Rate = 0.1
    head: Head = "linear"

    def __post_init__(self, **kwargs: Any) -> None:
        super().__post_init__(**kwargs)
        if not self.filter_widths:
            msg = "filter_widths must name at least one width, but is empty"
            raise ValueError(msg)
        if self.squeeze_together and self.squeeze_size is not None:
            msg = f"squeeze_size must be nothing with squeeze_together, whose sizes are d's, but is {self.squeeze_size}"
            raise ValueError(msg)
        if self.squeeze_together and self.head == "cosine":
            msg = "head must be mlp or linear with squeeze_together, which leaves no vector of a side, but is 'cosine'"
            raise ValueError(msg)
        self.filter_widths = list(self.filter_widths)


class WordAttention(nn.Module):
    """The weight of a word by itself, in three ways (equations 1 to 5); one of these for each side."""

    def __init__(self, size: int, longest: int, *, literal: bool = False) -> None:
        """
        Create the parameters.

        :param size: D, the size of a word's vector.
        :param longest: the most words that a text has.
        :param literal: whether the first kind has neither bias nor tanh.
        """
        super().__init__()
        self.columns = nn.Parameter(init.xavier_uniform_(torch.empty(longest, size)))
        self.bias = None if literal else nn.Parameter(torch.zeros(longest))
        self.matrix = nn.Linear(size, size, bias=False)

    def forward(self, words: Texts) -> Tensor:
        """
        Weight words.

        :param words: [N, L, D].
        :returns: V1, V2 and V3 side by side, [N, L, 3D].
        """
        return torch.cat([weights.unsqueeze(-1) * words.values for weights in self.weights(words)], dim=-1)

    def weights(self, words: Texts) -> list[Tensor]:
        """
        Give the weights themselves.

        :param words: [N, L, D].
        :returns: those by place, by the word itself and by the matrix, [N, L] each; a row sums to 1.
        """
        x, lengths = words
        # Beyond the longest text there is only padding, whose column does not matter.
        column = torch.arange(x.shape[1], device=x.device).clamp(max=len(self.columns) - 1)
        by_place = (x * self.columns[column]).sum(-1)
        if self.bias is not None:
            by_place = (by_place + self.bias[column]).tanh()
        by_itself = (x * x).sum(-1)
        by_matrix = (self.matrix(x) * x).sum(-1)
        return [softmax_over_time(kind, lengths) for kind in (by_place, by_itself, by_matrix)]


class GatedEncoder(nn.Module):
    """Equations 8 and 9, as printed or with the dense layers that they leave out, of the input's width."""

    def __init__(self, size: int, *, literal: bool = False) -> None:
        """
        Create the layers.

        :param size: of a word's vector, in and out.
        :param literal: whether there are none.
        """
        super().__init__()
        self.layers = None if literal else nn.Linear(size, 2 * size)

    def forward(self, x: Tensor) -> Tensor:
        """
        Encode words one by one.

        :param x: [..., size].
        :returns: [..., size].
        """
        gate, value = (x, x) if self.layers is None else self.layers(x).chunk(2, dim=-1)
        return gate.sigmoid() * value.tanh()


class Aggregation(nn.Module):
    """Convolutions of several widths, pooled over time by mean and by maximum, and compressed: from M to Z."""

    def __init__(self, size: int, filters: int, widths: Sequence[int]) -> None:
        """
        Create the layers.

        :param size: of a word's vector.
        :param filters: d, the filters of each width.
        :param widths: the widths.
        """
        super().__init__()
        self.widths = list(widths)
        self.convolutions = nn.ModuleList(nn.Conv1d(size, filters, width) for width in widths)
        self.of_mean = nn.Linear(len(widths) * filters, filters)
        self.of_max = nn.Linear(len(widths) * filters, filters)

    def forward(self, compared: Tensor, lengths: Tensor) -> Tensor:
        """
        Aggregate.

        A filter sees zeros beyond a text's ends, and beyond the ends of its parts: of texts laid one after another and
        padded, as the paper has them, no filter of five words reaches from one over four of padding to the next.

        :param compared: M [N, parts, L, size], 0 beyond a row's length.
        :param lengths: [N].
        :returns: Z [N, 2d].
        """
        n, parts, steps, _ = compared.shape
        widest = max(self.widths)
        x = functional.pad(compared.flatten(0, 1).transpose(1, 2), (widest - 1, widest - 1))
        maps = []
        for width, convolution in zip(self.widths, self.convolutions, strict=True):
            start = widest - 1 - (width - 1) // 2  # the middle word, of an even width the one left of the middle
            maps.append(convolution(x[..., start : start + steps + width - 1]).relu())
        found = torch.cat(maps, dim=1).transpose(1, 2)
        # The parts are equally long, so that the mean over all is that of their means.
        of_part = lengths.repeat_interleave(parts)
        mean = mean_over_time(found, of_part).view(n, parts, -1).mean(1)
        highest = max_over_time(found, of_part).view(n, parts, -1).amax(1)
        return torch.cat([self.of_mean(mean).tanh(), self.of_max(highest).tanh()], dim=-1)


class _Side(NamedTuple):
    """
    One side of the pairs.

    :param hidden: H [N, parts, L, size], 0 beyond a row's length.
    :param pooled: mean and maximum of V1, V2 and V3, [N, 6D], or nothing, [N, 0].
    :param lengths: [N].
    """

    hidden: Tensor
    pooled: Tensor
    lengths: Tensor

    def of(self, rows: Tensor) -> "_Side":
        """Give these rows."""
        return _Side(*(field[rows] for field in self))

    def real(self) -> Tensor:
        """Tell words from padding, [N, parts * L]."""
        _, parts, steps, _ = self.hidden.shape
        return real_words(self.lengths, steps).repeat(1, parts)


class HMDAModel(WordModel):
    """
    Hierarchical Multi-dimensional Attention: Liu, Zhang, Ma, Wang and Zhang 2019.

    Word attention has parameters of its own for each side, since its columns are places in a text; all that follows is
    shared by both sides, unless the configuration gives each its own convolutions. "horizontal" keeps X, V1, V2 and V3
    as four parts of a text: all attend to all of the other side's, and the convolutions run over each.
    """

    config_class = HMDAConfig

    def __init__(self, config: HMDAConfig) -> None:
        """
        Create the network with random weights.

        :param config: its configuration.
        """
        super().__init__(config)
        size, filters = config.word_size, config.filters
        weighted = 0 if config.word_attention == "reduced" else _KINDS * size
        self.parts = 1 + _KINDS if config.word_attention == "horizontal" else 1
        self.width = size + weighted if config.word_attention == "vertical" else size
        literal = config.literal_attention
        self.question_attention = WordAttention(size, config.max_query_length, literal=literal) if weighted else None
        self.answer_attention = WordAttention(size, config.max_answer_length, literal=literal) if weighted else None
        self.encoder = GatedEncoder(self.width, literal=config.literal_encoder) if config.gated_encoder else None
        self.aggregation = Aggregation(self.width, filters, config.filter_widths)
        self.question_aggregation = (
            None if config.shared_aggregation else Aggregation(self.width, filters, config.filter_widths)
        )
        pooled, aggregated = 2 * weighted, 2 * filters
        squeezed = config.squeeze_size
        self.squeeze_pooled = nn.Linear(pooled, squeezed) if squeezed and pooled else None
        self.squeeze_aggregated = nn.Linear(aggregated, squeezed) if squeezed else None
        if squeezed:
            pooled, aggregated = squeezed if pooled else 0, squeezed
        read = 2 * (pooled + aggregated)
        if config.squeeze_together:
            read = filters + (max(filters // 10, 1) if pooled else 0)
            self.squeeze_pooled = nn.Linear(2 * pooled, read - filters) if pooled else None
            self.squeeze_aggregated = nn.Linear(2 * aggregated, filters)
        self.classifier = self.make_head(read)
        self.post_init()

    def _init_weights(self, module: nn.Module) -> None:
        """See :meth:`AnswerSelectionModel._init_weights`: the same for the convolutions."""
        if isinstance(module, nn.Conv1d):
            init.xavier_uniform_(module.weight)
            assert module.bias is not None
            init.zeros_(module.bias)
        else:
            super()._init_weights(module)

    def encode_questions(self, words: Texts) -> Texts:
        """See :meth:`WordModel.encode_questions`: a word's H, and behind it V1, V2 and V3."""
        return self._encode(words, self.question_attention)

    def encode_answers(self, words: Texts) -> Texts:
        """See :meth:`WordModel.encode_answers`: as for questions."""
        return self._encode(words, self.answer_attention)

    def _encode(self, words: Texts, attention: WordAttention | None) -> Texts:
        """Equations 1 to 9. In "horizontal" a word's H is those of its four parts, side by side."""
        x = words.values
        weighted = x[..., :0] if attention is None else attention(words)
        joined = x if self.config.word_attention == "reduced" else torch.cat([x, weighted], dim=-1)
        hidden = joined
        if self.encoder is not None:
            hidden = self.encoder(self._parted(joined)).flatten(-2)
        return Texts(torch.cat([hidden, weighted], dim=-1), words.lengths)

    def compare(self, questions: Texts, answers: Texts, question_of: Tensor) -> tuple[Tensor, Tensor]:
        """See :meth:`WordModel.compare`."""
        question, answer = self._side(questions).of(question_of), self._side(answers)
        compared = question.hidden, answer.hidden
        if self.config.global_attention:
            compared = self._attend(question, answer)
        aggregations = self.question_aggregation or self.aggregation, self.aggregation
        z = [
            aggregation(m, side.lengths)
            for aggregation, m, side in zip(aggregations, compared, (question, answer), strict=True)
        ]
        if self.config.squeeze_together:
            return self._squeezed(torch.cat([question.pooled, answer.pooled], dim=-1), torch.cat(z, dim=-1))
        of_question, of_answer = (
            torch.cat(self._squeezed(side.pooled, own), dim=-1) for side, own in zip((question, answer), z, strict=True)
        )
        return of_question, of_answer

    def _side(self, encoded: Texts) -> _Side:
        values, lengths = encoded
        # What stands in the padding is not known, and 0 times it need not be 0.
        values = values.masked_fill(~real_words(lengths, values.shape[1]).unsqueeze(-1), 0.0)
        behind = self.parts * self.width
        hidden, weighted = values[..., :behind], values[..., behind:]
        pooled = torch.cat([mean_over_time(weighted, lengths), max_over_time(weighted, lengths)], dim=-1)
        return _Side(self._parted(hidden).transpose(1, 2), pooled, lengths)

    def _parted(self, x: Tensor) -> Tensor:
        """The parts of every word, [N, L, parts, width]."""
        return x.reshape(*x.shape[:2], self.parts, self.width)

    def _attend(self, question: _Side, answer: _Side) -> tuple[Tensor, Tensor]:
        """Equations 10 to 12: what each word finds on the other side, and the word compared with it."""
        sides = question.hidden.flatten(1, 2), answer.hidden.flatten(1, 2)
        to_answer, to_question = self._shares(question, answer)
        found = to_answer @ sides[1], to_question @ sides[0]
        compared = []
        for side, own, other in zip((question, answer), sides, found, strict=True):
            # H is 0 in the padding; what the padding found is not.
            m = own * other if self.config.comparison else other * side.real().unsqueeze(-1)
            compared.append(m.view(side.hidden.shape))
        return compared[0], compared[1]

    def _shares(self, question: _Side, answer: _Side) -> tuple[Tensor, Tensor]:
        """What share of each word's look at the other side falls on each word there; rows sum to 1."""
        similarity = question.hidden.flatten(1, 2) @ answer.hidden.flatten(1, 2).mT
        to_answer = similarity.masked_fill(~answer.real().unsqueeze(1), -torch.inf).softmax(-1)
        to_question = similarity.mT.masked_fill(~question.real().unsqueeze(1), -torch.inf).softmax(-1)
        return to_answer, to_question

    def word_weights(self, questions: Texts, answers: Texts, question_of: Tensor) -> list[WordWeights]:
        """See :meth:`WordModel.word_weights`; word attention in its three kinds, and global attention."""
        found = []
        sides = ((QUESTION, self.question_attention, questions), (ANSWER, self.answer_attention, answers))
        for side, attention, words in sides:
            if attention is not None:
                found += [
                    WordWeights(name, about, True, side, weights[question_of] if side == QUESTION else weights)
                    for (name, about), weights in zip(_ABOUT_KINDS, attention.weights(words), strict=True)
                ]
        if self.config.global_attention:
            question = self._side(self.encode_questions(questions)).of(question_of)
            answer = self._side(self.encode_answers(answers))
            to_answer, to_question = self._shares(question, answer)
            about = "The share of the other side's attention that the word gets, the mean over that side's words."
            for side, looking, shares in ((QUESTION, answer, to_question), (ANSWER, question, to_answer)):
                real = looking.real().unsqueeze(-1)
                mean = (shares * real).sum(1) / real.sum(1)
                # A word that is there in several parts gets what all of them get.
                values = mean.view(len(mean), self.parts, -1).sum(1)
                found.append(WordWeights("global attention", about, True, side, values))
        return found

    def _squeezed(self, pooled: Tensor, aggregated: Tensor) -> tuple[Tensor, Tensor]:
        """The two groups of equation 15's input, of a side or of both."""
        if self.squeeze_pooled is not None:
            pooled = self.squeeze_pooled(pooled).tanh()
        if self.squeeze_aggregated is not None:
            aggregated = self.squeeze_aggregated(aggregated).tanh()
        return pooled, aggregated
