# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The tree aggregation transformer one span after the other, as its paper has it; and trees to try it with."""

import torch

from answer_selection.indexing.text.tree import escaped, label_number, read_tree


def brackets(text, random, tags=("NN", "VB", "DT", "-LRB-", "UNHEARD"), labels=("NP", "VP", "PP", "S", "STRANGE")):
    """A random tree over the words between a text's spaces, with chains of single children in it."""
    words = [f"({random.choice(tags)} {escaped(word)})" for word in text.split()]

    def above(parts):
        while len(parts) > 1 or random.random() < 0.3:
            taken = random.randint(1, max(1, len(parts) // 2))
            first = random.randint(0, len(parts) - taken)
            inside = parts[first : first + taken]
            parts = [*parts[:first], f"({random.choice(labels)} {' '.join(inside)})", *parts[first + taken :]]
            if random.random() < 0.2:
                break
        return parts

    return f"(ROOT {' '.join(above(words) if words else [])})"


class Recursion:
    """
    Reads one text's tree from its root down.

    :param aggregation: the weights.
    :param states: the encoder's states of the text's pair [L, d].
    :param tree: the tree.
    :param tokens: the places of each word's pieces in the sequence.
    :param start: the place of the start token.
    :param end: that of the end token.
    :param top: the span to begin with, which is at level 0.
    """

    def __init__(self, aggregation, states, tree, tokens, start, end, top=0):
        self.aggregation, self.states, self.tree, self.tokens = aggregation, states, tree, tokens
        self.start, self.end = start, end
        self.children = tree.children()
        self.top = top

    def vector(self):
        """Its halves, side by side."""
        return torch.cat(self.read(self.top))

    def read(self, span):
        """A span's halves."""
        a, level = self.aggregation, int(self.tree.levels[span] - self.tree.levels[self.top])
        label = label_number(self.tree.labels[span])
        tokens, labels, positions, inside = [self.start], [label], [0], []
        count = 1
        for is_span, number in self.children[span]:
            if is_span:
                inside.append(self.read(number))
                count += 1
                continue
            for token in self.tokens[number]:
                tokens.append(token)
                labels.append(label_number(self.tree.tags[number]))
                positions.append(count)
                count += 1
        tokens.append(self.end)
        labels.append(label)
        positions.append(count)

        halves = [self.states[tokens] @ a.semantic.weight.T + a.semantic.bias]  # (1)
        if a.syntax:
            last = a.positions.num_embeddings - 1, a.levels.num_embeddings - 1
            summed = a.labels.weight[labels] + a.positions.weight[[min(p, last[0]) for p in positions]]
            summed = summed + a.levels.weight[min(level, last[1])]
            halves.append(summed @ a.syntactic.weight.T + a.syntactic.bias)  # (2)
        if not a.separate:
            halves = [torch.cat(halves, dim=1)]
        layers = a.layers[min(level, len(a.layers) - 1)]
        return [
            self.half(layer, x, [vectors[number] for vectors in inside])
            for number, (layer, x) in enumerate(zip(layers, halves, strict=True))
        ]

    def half(self, layer, x, inside):
        start = x[0]
        x = torch.stack([*x, *inside])  # attention does not see the order
        size = x.shape[1]
        d = size // layer.heads
        query = layer.query.weight @ start  # (5), (6)
        keys = x @ layer.key_value.weight[:size].T
        values = x @ layer.key_value.weight[size:].T
        found = []
        for head in range(layer.heads):
            part = slice(head * d, (head + 1) * d)
            weights = torch.softmax(keys[:, part] @ query[part] / d**0.5, dim=0)  # (3), (4)
            found.append(weights @ values[:, part])
        o = start + layer.output.weight @ torch.cat(found) + layer.output.bias  # (7), (8)
        first, _, second = layer.feed_forward
        return second.weight @ torch.relu(first.weight @ o + first.bias) + second.bias


def tokens_of_words(tree, offsets, first):
    """The places of each word's pieces: of all tokens that have one of its characters."""
    return [
        [first + i for i, (begin, stop) in enumerate(offsets) if begin < end and stop > start and begin < stop]
        for start, end in zip(tree.starts.tolist(), tree.ends.tolist(), strict=True)
    ]


def pair_vectors(model, states, tokenizer, before, between, record):
    """[e_q; n_q; e_a; n_a] of one pair that is not cut, and whose words all have tokens; states are [L, d]."""
    sides = []
    place = before
    for text, meta in ((record.query, record.query_meta), (record.answer, record.meta)):
        offsets = tokenizer.encode(text, add_special_tokens=False).offsets
        tree = read_tree(meta["parse_tree"], text)
        tokens = tokens_of_words(tree, offsets, place)
        alone = [is_span for is_span, _ in tree.children()[0]] == [True]
        top = 1 if alone and model.config.trees == "sentence" else 0
        recursion = Recursion(model.aggregation, states, tree, tokens, place - 1, place + len(offsets), top)
        sides.append(recursion.vector())
        place += len(offsets) + between
    return torch.cat(sides)
