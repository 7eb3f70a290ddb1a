# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0

from concurrent.futures import ThreadPoolExecutor
from random import Random

import numpy as np
import pytest
import torch

from answer_selection.indexing.text.tree import TreeError
from haystack_integrations.components.rankers.answer_selection.models import registry, tree_collator
from haystack_integrations.components.rankers.answer_selection.models.record import Record
from tiny_encoders import KINDS, SIZES, TEXTS, folder
from tree_recursion import brackets

BERT = {"model_type": "bert", "vocab_size": 200, **SIZES}
SMALL = {"half_size": 8, "heads": 2, "feed_forward_size": 12}


def pair(question, answer, seed=0):
    random = Random(seed)
    return Record(
        question, answer, {"parse_tree": brackets(question, random)}, {"parse_tree": brackets(answer, random)}
    )


RECORDS = [pair(TEXTS[0], answer, seed) for answer in [*TEXTS, ""] for seed in range(3)]


def collator(encoder=BERT, **options):
    return registry.build("tree_aggregation", TEXTS, encoder=encoder, **{"max_pair_length": 140, **SMALL, **options})[1]


# --- the schedule ---


def read_in_order(batch):
    """What each span of a batch is made of, by the schedule alone: (level, leaves and spans as nested tuples)."""
    leaf_counts = batch["level_leaves"].tolist()
    first_leaf = {}
    place = 0
    for level in reversed(range(len(leaf_counts))):
        first_leaf[level] = place
        place += leaf_counts[level]
    below, read, cell, span = [], [], 0, 0
    previous = len(leaf_counts)
    for level, spans, width in batch["buckets"].tolist():
        if level != previous:
            assert level == previous - 1
            below, read, previous = read, [], level
        for _ in range(spans):
            length = int(batch["lengths"][span])
            cells = batch["elements"][cell : cell + width].tolist()
            elements = []
            for element in cells[:length]:
                if element >= leaf_counts[level]:
                    elements.append(below[element - leaf_counts[level]])
                else:
                    leaf = first_leaf[level] + element
                    assert int(batch["leaf_levels"][leaf]) == level
                    assert int(batch["leaf_positions"][leaf]) == len(elements)
                    elements.append((int(batch["leaf_tokens"][leaf]), int(batch["leaf_labels"][leaf])))
            assert cells[length:] == [0] * (width - length)
            read.append(tuple(elements))
            cell, span = cell + width, span + 1
    assert (cell, span) == (len(batch["elements"]), len(batch["lengths"]))
    return [(read[question], read[answer]) for question, answer in batch["roots"].tolist()]


def nested(text_tree, first, start, end, span=0):
    """The same of one text, from its tree."""
    inside = {}
    for child in np.flatnonzero(text_tree.parents == span):
        inside[text_tree.slots[child]] = nested(text_tree, first, start, end, child)
    for piece in np.flatnonzero(text_tree.piece_spans == span):
        inside[text_tree.piece_slots[piece]] = (
            first + int(text_tree.piece_tokens[piece]),
            int(text_tree.piece_tags[piece]),
        )
    assert sorted(inside) == list(range(1, text_tree.sizes[span] + 1))
    label = int(text_tree.labels[span])
    return ((start, label), *(inside[slot] for slot in sorted(inside)), (end, label))


@pytest.mark.parametrize("kind", KINDS)
def test_schedule_has_every_tree_as_it_is(kind):
    used = collator(folder(kind))
    batch = used(RECORDS)
    width = batch["input_ids"].shape[1]
    expected = []
    for row, record in enumerate(RECORDS):
        question, answer = (
            used.tokenizer.encode(t, add_special_tokens=False).ids for t in (record.query, record.answer)
        )
        first = row * width + len(used.template.before)
        second = first + len(question) + len(used.template.between)
        trees = used.text_trees(record)
        expected.append(
            (
                nested(trees[0], first, first - 1, first + len(question)),
                nested(trees[1], second, second - 1, second + len(answer)),
            )
        )
    assert read_in_order(batch) == expected


def test_start_of_an_answer_is_its_separator():
    batch = collator(folder("roberta"))([pair("a room", "the desk")])
    ids = batch["input_ids"].flatten()
    (question, answer), (separator, start) = read_in_order(batch)[0], ids[[0, -1]].flip(0).tolist()
    assert [int(ids[question[0][0]]), int(ids[question[-1][0]])] == [start, separator]
    assert [int(ids[answer[0][0]]), int(ids[answer[-1][0]])] == [separator, separator]
    assert (
        answer[0][0] == question[-1][0] + 1
    )  # RoBERTa has two between the texts: the question's end, the answer's start


def test_padding_is_small():
    random = Random(1)
    texts = [" ".join(["room"] * random.randint(1, 40)) for _ in range(32)]
    used = collator()
    batch = used([pair(texts[0], text, seed) for seed, text in enumerate(texts)])
    assert len(batch["elements"]) < 1.4 * batch["lengths"].sum()


# --- words and tokens ---


def test_word_has_all_tokens_that_reach_into_it():
    """Whatever the parser's words are: parts of tokens, or several of them."""
    used = collator()
    text = "reading-room's cannot"
    tokens = used.tokenizer.encode(text, add_special_tokens=False)
    tree = "(ROOT (NN reading-room) (POS 's) (MD can) (RB not))"
    found = used.text_trees(Record("", text, {"parse_tree": "(ROOT)"}, {"parse_tree": tree}))[1]
    for word, (start, end) in enumerate([(0, 12), (12, 14), (15, 18), (18, 21)]):
        expected = [i for i, (begin, stop) in enumerate(tokens.offsets) if begin < end and stop > start]
        assert found.piece_tokens[found.piece_words == word].tolist() == expected
        assert expected


def test_words_that_the_tokenizer_leaves_out_leave_the_tree():
    used = collator()
    text = "a \u200d\u0007 room"
    tree = "(ROOT (NP (NN a)) (NP (SYM \u200d\u0007)) (NP (NN room)))"
    found = used.text_trees(Record("", text, {"parse_tree": "(ROOT)"}, {"parse_tree": tree}))[1]
    assert found.tree.labels == ("ROOT", "NP", "NP")
    assert found.sizes[0] == 2


# --- what is cut ---


def test_words_that_are_cut_away_leave_the_tree():
    used = collator(max_pair_length=13)
    answer = "desk desk desk desk desk desk desk desk"
    desk = "(NN desk)"
    first = f"(S (NP {desk} {desk}) (VP {desk} (NP {desk} {desk})))"
    tree = f"(ROOT {first} (S (NP {desk}) (VP {desk} {desk})))"
    record = Record(
        "room room room room", answer, {"parse_tree": brackets("room room room room", Random(0))}, {"parse_tree": tree}
    )
    # Ten tokens have room: four of the question, six of the answer.
    found = used.text_trees(record)[1]
    assert found.tree.labels == ("ROOT", "S", "NP", "VP", "NP", "S", "NP")
    assert len(found.piece_tokens) == 6
    batch = used([record])
    assert batch["input_ids"].shape == (1, 13)
    assert int(batch["leaf_tokens"].max()) == 12


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("length", [10, 17, 40])
def test_cut_pairs_have_scores_and_no_token_outside(kind, length):
    torch.manual_seed(0)
    model, used = registry.build("tree_aggregation", TEXTS, encoder=folder(kind), max_pair_length=length, **SMALL)
    model.eval()
    batch = used(RECORDS)
    real = batch["attention_mask"].flatten().bool()
    assert real[batch["leaf_tokens"]].all()
    with torch.no_grad():
        alone = torch.cat([model(**used([record])) for record in RECORDS])
        assert torch.allclose(model(**batch), alone, atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_part_that_is_read_has_the_same_tokens(kind):
    used = collator(folder(kind), max_pair_length=30)
    for text in ("the reading room closes " * 30, "desk" * 100, "room", "", "日本語 " * 40, "(a-b)/c. " * 40):
        part = used.read_part(text)
        assert text.startswith(part)
        assert len(part) < 500
        for other in ("", TEXTS[1]):
            question = Record(part, other), Record(other, part)
            whole = Record(text, other), Record(other, text)
            for cut, given in zip(question, whole, strict=True):
                assert used.pair_length(cut) == used.pair_length(given)
                assert used._read([cut.query, cut.answer]).keys() == {cut.query, cut.answer}
        assert np.array_equal(used._read([part])[part], used._read([text])[text])


# --- what is remembered ---


def test_threads_share_a_collator(monkeypatch):
    monkeypatch.setattr(tree_collator, "_CACHED_ELEMENTS", 100)
    used = collator()
    batches = [[pair(TEXTS[0], answer, seed) for answer in TEXTS] for seed in range(40)]
    expected = [used(records) for records in batches]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(used, batches * 3))
    for ours, theirs in zip(found, expected * 3, strict=True):
        assert all(torch.equal(ours[name], theirs[name]) for name in theirs)


def test_text_with_another_tree_is_read_anew():
    used = collator()
    first, second = pair(TEXTS[0], TEXTS[1], 1), pair(TEXTS[0], TEXTS[1], 2)
    expected = [collator()([record])["elements"].tolist() for record in (first, second)]
    assert [used([record])["elements"].tolist() for record in (first, second)] == expected
    assert expected[0] != expected[1]


# --- bad trees ---


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (
            Record("a", "b", {"parse_tree": "(NN a)"}),
            "the answer 'b' has no parse tree; expected one under 'parse_tree'",
        ),
        (Record("a", "b", meta={"parse_tree": "(NN b)"}), "the query 'a' has no parse tree"),
        (
            Record("a", "b", {"parse_tree": "(NN a)"}, {"parse_tree": "(NN c)"}),
            "the answer 'b' has a parse tree that is not its: at character 5 of the tree .*: the word 'c' is not",
        ),
        (
            Record("a", "b", {"parse_tree": "(NN a"}, {"parse_tree": "(NN b)"}),
            "the query 'a' has a parse tree that is not its: .* is never closed",
        ),
        (Record("a", "b", {"parse_tree": "(NN a)"}, {"parse_tree": ["b"]}), "of the type list"),
        (Record("a", "b", {"parse_tree": None}, {"parse_tree": "(NN b)"}), "of the type NoneType"),
    ],
)
def test_bad_tree_is_refused_with_its_text(record, message):
    with pytest.raises(TreeError, match=message):
        collator()([record])
