# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""QRNN: quasi-recurrent encoders of question and answer, and a multi-layer perceptron over both."""

from typing import Any, NamedTuple

import torch
from haystack_integrations.components.rankers.answer_selection.models import matching
from haystack_integrations.components.rankers.answer_selection.models.base import AnswerSelectionModel
from haystack_integrations.components.rankers.answer_selection.models.collator import (
    PAD,
    UNKNOWN,
    WordConfig,
    at_least,
)
from haystack_integrations.components.rankers.answer_selection.models.recurrence import forget_mult
from numpy.typing import ArrayLike
from torch import Tensor, nn
from torch.nn import functional


class QRNNConfig(WordConfig):  # type: ignore[no-untyped-call]
    """The configuration of :class:`QRNNModel`. Letters are those of the CTRN paper."""

    model_type = "qrnn"

    def __init__(
        self,
        *,
        embedding_size: int = 300,
        projection_size: int = 300,
        hidden_size: int = 512,
        kernel_width: int = 2,
        mlp_layers: int = 1,
        mlp_size: int = 128,
        dropout: float = 0.5,
        embedding_dropout: float = 0.0,
        batch_norm: bool = False,
        feature_shortcut: bool = False,
        **kwargs: Any,
    ) -> None:
        """
        Create a configuration.

        :param embedding_size: n, the size of a word vector.
        :param projection_size: m, the size that word vectors are projected to.
        :param hidden_size: d, the number of filters.
        :param kernel_width: k, the words that a filter sees: the word itself and those before it.
        :param mlp_layers: hidden layers of the perceptron.
        :param mlp_size: h, their size.
        :param dropout: the part of the perceptron's inputs and hidden units that training drops.
        :param embedding_dropout: the part of the word vectors' elements that training drops.
        :param batch_norm: whether the perceptron's inputs are normalised (by running means, once trained).
        :param feature_shortcut: whether the pair features are also added to the logit linearly.
        :param kwargs: see :class:`WordConfig`.
        :raises ValueError: if a number is out of its range.
        """
        for name, value in (
            ("embedding_size", embedding_size),
            ("projection_size", projection_size),
            ("hidden_size", hidden_size),
            ("kernel_width", kernel_width),
            ("mlp_layers", mlp_layers),
            ("mlp_size", mlp_size),
        ):
            at_least(name, value, 1)
        for name, rate in (("dropout", dropout), ("embedding_dropout", embedding_dropout)):
            if not 0 <= rate < 1:
                msg = f"{name} must be at least 0 and below 1, but is {rate!r}"
                raise ValueError(msg)
        self.embedding_size = embedding_size
        self.projection_size = projection_size
        self.hidden_size = hidden_size
        self.kernel_width = kernel_width
        self.mlp_layers = mlp_layers
        self.mlp_size = mlp_size
        self.dropout = dropout
        self.embedding_dropout = embedding_dropout
        self.batch_norm = batch_norm
        self.feature_shortcut = feature_shortcut
        super().__init__(**kwargs)


class Gates(NamedTuple):
    """
    What the convolutions make of one side, before anything recurs.

    :param z: Z = tanh(W_z * X), [N, L, d].
    :param f: F = sigmoid(W_f * X), the forget gates, [N, L, d].
    :param o: O = sigmoid(W_o * X), the output gates, [N, L, d].
    """

    z: Tensor
    f: Tensor
    o: Tensor


class GateConvolution(nn.Module):
    """
    Z, F and O by one causal convolution of width k (equation 1 of the CTRN paper).

    Position t sees t-k+1 to t, and zeros before the text. It is computed as one matrix product over the k vectors side
    by side: [N, L, k*m] x [k*m, 3*d]. The weight has 3kdm elements and there is no bias, as in the paper.
    """

    def __init__(self, size_in: int, size_out: int, width: int) -> None:
        """
        Create the filters.

        :param size_in: m, the size of a word's vector.
        :param size_out: d, the number of filters for each of Z, F and O.
        :param width: k.
        """
        super().__init__()
        self.width = width
        self.filters = nn.Linear(width * size_in, 3 * size_out, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """
        Convolve.

        :param x: [N, L, m].
        :returns: what :func:`gates_of` makes the gates of, [N, L, 3*d].
        """
        if self.width > 1:
            padded = functional.pad(x, (0, 0, self.width - 1, 0))
            x = torch.cat([padded[:, shift : shift + x.shape[1]] for shift in range(self.width)], dim=-1)
        return self.filters(x)  # type: ignore[no-any-return]


class PairClassifier(nn.Module):
    """Dense layers over [q; a] and a two-class softmax, whose log-odds are the logit (equation 2 of the CTRN paper)."""

    def __init__(self, config: QRNNConfig) -> None:
        """
        Create the layers.

        :param config: the model's configuration.
        """
        super().__init__()
        features = len(config.pair_features)
        size = 2 * config.hidden_size + features
        self.norm = nn.BatchNorm1d(size) if config.batch_norm else None
        self.hidden = nn.ModuleList(
            nn.Linear(config.mlp_size if layer else size, config.mlp_size) for layer in range(config.mlp_layers)
        )
        self.output = nn.Linear(config.mlp_size, 2)
        self.shortcut = nn.Linear(features, 1, bias=False) if features and config.feature_shortcut else None
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, question: Tensor, answer: Tensor, features: Tensor | None) -> Tensor:
        """
        Classify pairs.

        :param question: the questions' vectors [n_pairs, d].
        :param answer: the answers' vectors [n_pairs, d].
        :param features: the pair features [n_pairs, n_features], if the configuration has any.
        :returns: the logits [n_pairs]: the second class's ("right") less the first's.
        """
        x = torch.cat([question, answer] if features is None else [question, answer, features], dim=-1)
        if self.norm is not None:
            x = self.norm(x)
        inputs = x
        x = self.dropout(x)
        for layer in self.hidden:
            x = self.dropout(functional.relu(layer(x)))
        wrong, right = self.output(x).unbind(-1)
        logits: Tensor = right - wrong
        if self.shortcut is not None:
            logits = logits + self.shortcut(inputs[:, -self.shortcut.in_features :]).squeeze(-1)
        return logits

    @torch.no_grad()
    def scale(self, scale: float, shift: float) -> None:
        """
        Scale and shift the logits, by the last layer's weights.

        :param scale: what they are multiplied by.
        :param shift: what is added.
        """
        self.output.weight.mul_(scale)
        self.output.bias.mul_(scale)
        self.output.bias[1] += shift
        if self.shortcut is not None:
            self.shortcut.weight.mul_(scale)


class QRNNModel(AnswerSelectionModel):  # type: ignore[no-untyped-call]
    """
    QRNN over pairs: Bradbury et al. 2016, as the CTRN paper uses it for comparison (section "Quasi Recurrent ...").

    Word vectors, a projection and the convolution are shared by both sides; the states are averaged over the real
    words. Each question is encoded once per list, unless its words carry match channels, which differ from pair to
    pair. (The paper's word vectors stay as they are: that is a setting of training.)
    """

    config_class = QRNNConfig

    def __init__(self, config: QRNNConfig) -> None:
        """
        Create the network with random weights.

        :param config: its configuration.
        """
        super().__init__(config)
        channels = matching.CHANNELS if config.match_channels else 0
        self.embedding = nn.Embedding(config.vocab_size, config.embedding_size, padding_idx=PAD)
        self.embedding_dropout = nn.Dropout(config.embedding_dropout)
        self.projection = nn.Linear(config.embedding_size, config.projection_size)
        self.convolution = GateConvolution(config.projection_size + channels, config.hidden_size, config.kernel_width)
        self.classifier = PairClassifier(config)
        # Not used by the network: the collator's, kept where the rest of what was learned from the corpus is.
        self.register_buffer("idf", torch.zeros(config.vocab_size))
        self.post_init()  # type: ignore[no-untyped-call]

    def scale_logits(self, scale: float, shift: float) -> None:
        """
        See :meth:`AnswerSelectionModel.scale_logits`.

        :param scale: greater than 0.
        :param shift: any number.
        """
        self.classifier.scale(scale, shift)

    def get_input_embeddings(self) -> nn.Embedding:
        """Give the word vectors."""
        return self.embedding

    def set_input_embeddings(self, value: nn.Module) -> None:
        """
        Replace the word vectors.

        :param value: the new ones.
        """
        if not isinstance(value, nn.Embedding):
            msg = f"expected an nn.Embedding, got {type(value).__name__}"
            raise TypeError(msg)
        self.embedding = value

    def set_word_vectors(self, vectors: ArrayLike) -> None:
        """
        Fill the embedding table; padding stays zero.

        :param vectors: a vector for every word of the collator's vocabulary, in its order, [vocab_size, n].
        :raises ValueError: if the shape is another, or a number is not finite.
        """
        table = torch.as_tensor(vectors, dtype=torch.float32)
        if table.shape != self.embedding.weight.shape or not table.isfinite().all():
            msg = f"expected finite word vectors of shape {list(self.embedding.weight.shape)}, "
            msg += f"but the shape is {list(table.shape)} and {int((~table.isfinite()).sum())} numbers are not finite"
            raise ValueError(msg)
        with torch.no_grad():
            self.embedding.weight.copy_(table)
            self.embedding.weight[PAD] = 0

    def forward(
        self,
        *,
        list_sizes: Tensor,
        question_ids: Tensor,
        question_lengths: Tensor,
        answer_ids: Tensor,
        answer_lengths: Tensor,
        **words: Tensor,
    ) -> Tensor:
        """
        Score pairs.

        :param list_sizes: how many consecutive pairs share a question, int64 [n_lists].
        :param question_ids: the questions' words [n_lists, Lq], 0 for padding.
        :param question_lengths: their lengths [n_lists], at least 1.
        :param answer_ids: the answers' words [n_pairs, La], 0 for padding.
        :param answer_lengths: their lengths [n_pairs], at least 1.
        :param words: `question_keys`, `_stems`, `_idf`, `_content` [n_lists, Lq] and the same for `answer_`
            [n_pairs, La], if the configuration has pair features or match channels; see
            :class:`collator.WordCollator`.
        :returns: the logits [n_pairs].
        """
        # [n_pairs]: the question of every pair.
        question_of = torch.repeat_interleave(list_sizes, output_size=len(answer_ids))
        features = question_channels = answer_channels = None
        if self.config.matches_words:
            question = self._words("question", words, question_ids, question_of)
            answer = self._words("answer", words, answer_ids, None)
            with torch.no_grad():
                matched = matching.match(question, answer)
                if self.config.pair_features:
                    names = tuple(self.config.pair_features)
                    features = matching.pair_features(question, answer, matched, names).to(self.dtype)
            if self.config.match_channels:
                question_channels = matched.question_channels.to(self.dtype)
                answer_channels = matched.answer_channels.to(self.dtype)
                # From here on every pair has a question of its own.
                question_ids, question_lengths = question_ids[question_of], question_lengths[question_of]
                question_of = torch.arange(len(answer_ids), device=answer_ids.device)
        question_convolved = self._convolve(question_ids, question_channels)
        answer_convolved = self._convolve(answer_ids, answer_channels)
        pooled = self._encode(question_convolved, question_lengths, answer_convolved, answer_lengths, question_of)
        return self.classifier(*pooled, features)  # type: ignore[no-any-return]

    def _words(self, side: str, words: dict[str, Tensor], ids: Tensor, rows: Tensor | None) -> matching.Words:
        """One side's words, a row for every pair."""
        # Unknown words share one vector, which says nothing of whether two of them are alike.
        known = (ids > UNKNOWN).unsqueeze(-1)
        vectors = functional.normalize(self.embedding.weight.detach()[ids].float(), dim=-1) * known
        fields = [*(words[f"{side}_{field}"] for field in ("keys", "stems", "idf", "content")), vectors]
        return matching.Words(*(fields if rows is None else [field[rows] for field in fields]))

    def _convolve(self, ids: Tensor, channels: Tensor | None) -> Tensor:
        x = self.projection(self.embedding_dropout(self.embedding(ids)))
        convolved: Tensor = self.convolution(x if channels is None else torch.cat([x, channels], dim=-1))
        return convolved

    def _encode(
        self, question: Tensor, question_lengths: Tensor, answer: Tensor, answer_lengths: Tensor, question_of: Tensor
    ) -> tuple[Tensor, Tensor]:
        """
        Run the recurrence and average over time.

        :param question: what the convolution gives of the questions, [n_questions, Lq, 3d].
        :param answer: what it gives of the answers, [n_pairs, La, 3d].
        :param question_of: the question of every pair, [n_pairs].
        :returns: the vectors of question and answer, [n_pairs, d] each.
        """
        q = mean_over_time(states(gates_of(question), question_lengths), question_lengths)
        return q[question_of], mean_over_time(states(gates_of(answer), answer_lengths), answer_lengths)


def gates_of(convolved: Tensor) -> Gates:
    """
    Activate what :class:`GateConvolution` gives.

    :param convolved: [N, L, 3d].
    :returns: the gates.
    """
    size = convolved.shape[-1] // 3
    z, gates = convolved.split([size, 2 * size], dim=-1)  # type: ignore[no-untyped-call]
    f, o = gates.sigmoid().chunk(2, dim=-1)
    return Gates(z.tanh(), f, o)


def states(gates: Gates, lengths: Tensor) -> Tensor:
    """
    Run the cell: c_t = f_t ⊙ c_{t-1} + (1 - f_t) ⊙ z_t, h_t = o_t ⊙ c_t.

    :param gates: Z, F and O, [N, L, d] each.
    :param lengths: [N].
    :returns: the hidden states [N, L, d]; 0 from a row's length on.
    """
    return gates.o * forget_mult(gates.f, gates.z, lengths=lengths)


def mean_over_time(h: Tensor, lengths: Tensor) -> Tensor:
    """
    Average over real steps.

    :param h: hidden states [N, L, d], 0 from a row's length on.
    :param lengths: [N].
    :returns: [N, d].
    """
    return h.sum(1) / lengths.unsqueeze(1).to(h.dtype)
