# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0

import numpy as np
import pytest

from answer_selection.indexing.text.tree import read_tree
from answer_selection.pipelines.experiments.probing.sentences import Sentence
from answer_selection.pipelines.experiments.probing.split import Split, split
from answer_selection.pipelines.experiments.probing.tasks import OTHER, make_tasks, top_constituents
from probing_sentences import sentences, text_of


def sentence(tree: str) -> Sentence:
    text = text_of(tree)
    return Sentence(text, tree, read_tree(tree, text), "", None)


MANY = [sentence(line["parse_tree"]) for line in sentences(1500)]
PARTS = split([one.text for one in MANY])


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ("(ROOT (S (NP (DT The) (NN desk)) (VP (VBZ closes)) (. .)))", "NP VP ."),
        ("(ROOT (S (CC But) (NP-SBJ (NN time)) (VP (VBZ flies))))", "CC NP VP"),
        ("(ROOT (FRAG (NP (NN Closed)) (. .)))", "NP ."),
        ("(ROOT (NP (NN Closed)))", "NN"),
        ("(ROOT (NN Closed))", "NN"),
    ],
)
def test_the_top_constituents_are_the_labels_below_the_sentence(tree, expected):
    assert top_constituents(sentence(tree).tree) == expected


def test_tasks_are_those_of_the_paper():
    tops, depth, length = make_tasks(MANY, PARTS)
    assert [task.name for task in (tops, depth, length)] == ["top constituents", "tree depth", "sentence length"]
    assert len(tops.classes) == 20
    assert tops.classes[-1] == OTHER
    for row in range(200):
        found = tops.classes[tops.labels[row]]
        sequence = top_constituents(MANY[row].tree)
        assert found == (sequence if sequence in tops.classes else OTHER)
    # The frequent ones are the training part's.
    counts = np.bincount(tops.labels[PARTS.train])[:-1]
    assert list(counts) == sorted(counts, reverse=True)
    others = {top_constituents(MANY[row].tree) for row in PARTS.train} - set(tops.classes)
    sequences = [top_constituents(MANY[row].tree) for row in PARTS.train]
    assert max(map(sequences.count, others)) <= counts[-1]


def test_numbers_become_classes_of_about_as_many_sentences():
    _, depth, length = make_tasks(MANY, PARTS)
    for task, values in ((depth, [one.tree.depth for one in MANY]), (length, [len(one.words()) for one in MANY])):
        ends = []
        for name, value in {(task.classes[label], value) for label, value in zip(task.labels, values, strict=True)}:
            words = name.split()
            low = int(words[-1] if words[0] == "from" else words[0] if words[0] != "to" else 0)
            high = int(words[-1] if words[0] != "from" else 10**6)
            assert low <= value <= high
            ends.append((low, high))
        assert [high + 1 for _, high in sorted(set(ends))[:-1]] == [low for low, _ in sorted(set(ends))[1:]]
        assert np.bincount(task.labels[PARTS.train]).max() < 0.4 * len(PARTS.train)
    assert 4 <= len(length.classes) <= 6


def test_a_sequence_that_a_part_lacks_is_one_of_the_others():
    [tops, *_] = make_tasks(MANY, PARTS)
    most = tops.classes[0]
    less = [row for row in PARTS.validation if top_constituents(MANY[row].tree) != most]
    [found, *_] = make_tasks(MANY, Split(PARTS.train, np.array(less), PARTS.test))
    assert most not in found.classes
    assert found.classes[:18] == tops.classes[1:-1]


def test_there_are_fewer_classes_where_fewer_sequences_are_frequent():
    [tops, *_] = make_tasks(MANY[:400], split([one.text for one in MANY[:400]]))
    assert 3 < len(tops.classes) < 20
    assert tops.classes[-1] == OTHER
    assert tops.labels.max() == len(tops.classes) - 1


def test_too_few_sentences_are_refused():
    with pytest.raises(ValueError, match=r"^top constituents: \d+ sequences occur 2 times or more in each part; expec"):
        make_tasks(MANY[:20], split([one.text for one in MANY[:20]]))
    deep = [row for row in PARTS.test if MANY[row].tree.depth > 4]
    with pytest.raises(ValueError, match=r"^tree depth: the test part has 0 sentences of the class 'to 3'"):
        make_tasks(MANY, Split(PARTS.train, PARTS.validation, np.array(deep)))


def test_sentences_that_are_all_alike_are_refused():
    flat = [sentence(f"(ROOT (S (X{number % 20} a{number})))") for number in range(1000)]
    with pytest.raises(ValueError, match=r"^tree depth: next to all sentences of the training part have 2; expected"):
        make_tasks(flat, split([one.text for one in flat]))
