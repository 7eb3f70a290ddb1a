# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0

from random import Random

import numpy as np
import pytest

from answer_selection.indexing.text.tree import (
    LABELS,
    TreeError,
    balanced,
    escaped,
    label_number,
    left_branching,
    random_tree,
    read_tree,
    single_sentence,
)
from tree_recursion import brackets

TEXT = "The library (old) opens “soon”."
TREE = (
    "(ROOT (S (NP-SBJ (DT The) (NN library) (PRN (-LRB- -LRB-) (JJ old) (-RRB- -RRB-))) "
    "(VP (VBZ opens) (`` ``) (ADVP (RB soon)) ('' '')) (. .)))"
)


def words(tree, text):
    return [text[start:end] for start, end in zip(tree.starts, tree.ends, strict=True)]


def nested(tree, span=0):
    """The tree as tuples of labels and numbers of words."""
    inside = [nested(tree, number) if is_span else number for is_span, number in tree.children()[span]]
    return (tree.labels[span], *inside)


# --- what is read ---


def test_spans_words_and_levels_are_the_trees():
    tree = read_tree(TREE, TEXT)
    assert nested(tree) == (
        "ROOT",
        ("S", ("NP", 0, 1, ("PRN", 2, 3, 4)), ("VP", 5, 6, ("ADVP", 7), 8), 9),
    )
    assert words(tree, TEXT) == ["The", "library", "(", "old", ")", "opens", "“", "soon", "”", "."]
    assert tree.tags == ("DT", "NN", "-LRB-", "JJ", "-RRB-", "VBZ", "``", "RB", "''", ".")
    assert tree.labels == ("ROOT", "S", "NP", "PRN", "VP", "ADVP")
    assert tree.levels.tolist() == [0, 1, 2, 3, 2, 3]
    assert tree.depth == 4
    assert tree.extents.tolist() == [[0, 10], [0, 10], [0, 5], [2, 5], [5, 9], [7, 8]]


@pytest.mark.parametrize("seed", range(20))
def test_random_trees_are_read_back(seed):
    random = Random(seed)
    text = " ".join(random.choice(["a", "(b)", "cé", "日本", "d-e"]) for _ in range(random.randint(0, 15)))
    bracketed = brackets(text, random)
    tree = read_tree(bracketed, text)
    assert words(tree, text) == text.split()

    def written(span):
        inside = [
            written(number) if is_span else f"({tree.tags[number]} {escaped(text.split()[number])})"
            for is_span, number in tree.children()[span]
        ]
        return f"({tree.labels[span]} {' '.join(inside)})"

    assert written(0) == bracketed
    # Parents come before their children, one level above them.
    for span in range(1, len(tree.labels)):
        parent = tree.parents[span]
        assert parent < span
        assert tree.levels[span] == tree.levels[parent] + 1
        assert tree.extents[parent][0] <= tree.extents[span][0] < tree.extents[span][1] <= tree.extents[parent][1]


@pytest.mark.parametrize(
    ("bracketed", "text", "expected"),
    [
        ("(ROOT)", "", ("ROOT",)),
        ("()", " \n", ("ROOT",)),
        ("( (NP (NN a)) )", "a", ("ROOT", ("NP", 0))),
        ("(TOP (NP (NN a)))", "a", ("ROOT", ("NP", 0))),
        ("(S (NN a) (NN b))", "a b", ("ROOT", ("S", 0, 1))),
        ("(NN a)", "a", ("ROOT", 0)),
        ("(ROOT a)", "a", ("ROOT", 0)),
        ("(ROOT (NP a (NN b)))", "a b", ("ROOT", ("NP", 0, 1))),
        ("(ROOT\n  (NP\n    (NN a)\t(NN b)))\n", "a b", ("ROOT", ("NP", 0, 1))),
        ("(ROOT (NP-SBJ-1 (NN a)) (VP|X (NN b)) (=X (NN c)))", "a b c", ("ROOT", ("NP", 0), ("VP", 1), ("=X", 2))),
        ("(ROOT ((NN a) (NN b)))", "a b", ("ROOT", ("X", 0, 1))),
    ],
)
def test_other_ways_to_write_a_tree(bracketed, text, expected):
    assert nested(read_tree(bracketed, text)) == expected


@pytest.mark.parametrize(
    ("leaf", "word"),
    [
        ("-LRB-", "("),
        ("-RSB-", "]"),
        ("-LCB-", "{"),
        ("-LRB-", "-LRB-"),
        (":-RRB-", ":)"),
        ("``", '"'),
        ("''", "”"),
        ("'", "\u2019"),
        ("`", "\u2018"),
        (r"1\/2", "1/2"),
        (r"\*", "*"),
        (r"1\/2", r"1\/2"),
        ("1\u00a01/2", "1 1/2"),
        ("a\u00a0b", "a\u00a0b"),
        ("--", "--"),
    ],
)
def test_leaf_may_be_escaped(leaf, word):
    text = f"see {word} now"
    tree = read_tree(f"(ROOT (NN see) (NN {leaf}) (NN now))", text)
    assert words(tree, text) == ["see", word, "now"]


def test_words_need_no_space_between_them():
    text = "can't\u00a0won't"
    tree = read_tree("(ROOT (MD ca) (RB n't) (MD wo) (RB n't))", text)
    assert words(tree, text) == ["ca", "n't", "wo", "n't"]


@pytest.mark.slow
def test_hundred_thousand_words_and_a_thousand_levels_are_read():
    count = 100_000
    tree = read_tree(f"(ROOT {'(NP (NN room))' * count})", "room " * count)
    assert len(tree.labels) == count + 1
    assert read_tree(f"{'(NP ' * 999}(NN a){')' * 999}", "a").depth == 1000


def test_labels_have_numbers_of_their_own():
    assert len(set(LABELS)) == len(LABELS)
    assert [label_number(label) for label in LABELS] == list(range(len(LABELS)))
    assert label_number("unheard-of") == label_number("OTHER") == 0


# --- what is refused ---


@pytest.mark.parametrize(
    ("bracketed", "text", "message"),
    [
        ("", "", "at character 1 of the tree '': there is no bracket; expected a tree such as"),
        ("(ROOT (NP (NN a))", "a", "at character 1 of the tree .*: the bracket '\\(ROOT' is never closed"),
        ("(ROOT (NP (NN a)", "a", "at character 7 of the tree .*: the bracket '\\(NP' is never closed"),
        (
            "(ROOT (NN a)))",
            "a",
            "at character 14 .*: found '\\)' after the tree's end; expected one bracket around all",
        ),
        ("(S (NN a)) (S (NN b))", "a b", "at character 12 .*: found '\\(' after the tree's end"),
        ("a (NN b)", "a b", "at character 1 .*: found 'a'; expected one bracket around all"),
        (")", "", "at character 1 .*: found '\\)'; expected one bracket around all"),
        ("(ROOT (NP) (NN a))", "a", "at character 7 .*: the bracket '\\(NP\\)' has nothing in it; expected a word"),
        ("(ROOT (NP ()))", "", "at character 11 .*: the bracket '\\(\\)' has nothing in it"),
        (
            "(ROOT (NN a) (NN c))",
            "a b",
            "at character 18 .*: the word 'c' is not the text's, which goes on with 'b' at its character 3",
        ),
        ("(ROOT (NN a) (NN b))", "a", "at character 18 .*: the word 'b' is not the text's, which has no more words"),
        ("(ROOT (NN a))", "a b", "at character 1 .*: its words are not all of the text, which goes on with 'b' at its"),
        ("(ROOT)", "a", "its words are not all of the text, which goes on with 'a' at its character 1"),
        ("(NP " * 1001 + "(NN a)" + ")" * 1001, "a", "at character 3997 .*: the tree has more than 1000 levels"),
        (7, "a", "the tree is of the type int; expected a string in Penn Treebank brackets"),
        (None, "a", "of the type NoneType"),
    ],
)
def test_bad_tree_is_refused_with_its_place(bracketed, text, message):
    with pytest.raises(TreeError, match=message):
        read_tree(bracketed, text)


def test_message_is_short_however_long_tree_and_text_are():
    with pytest.raises(TreeError) as refused:
        read_tree(f"(ROOT {'(NN room) ' * 10_000})", "desk " * 10_000)
    assert len(str(refused.value)) < 250


# --- parts of trees ---


def test_words_that_go_take_spans_without_others_along():
    tree = read_tree(TREE, TEXT)
    kept = tree.kept(np.array([True] * 2 + [False] * 5 + [True] * 3))
    assert nested(kept) == ("ROOT", ("S", ("NP", 0, 1), ("VP", ("ADVP", 2), 3), 4))
    assert words(kept, TEXT) == ["The", "library", "soon", "”", "."]
    assert kept.levels.tolist() == [0, 1, 2, 2, 3]
    nothing = tree.kept(np.zeros(10, dtype=bool))
    assert nested(nothing) == ("ROOT",)
    assert nothing.extents.tolist() == [[0, 0]]
    assert nested(tree.kept(np.ones(10, dtype=bool))) == nested(tree)


@pytest.mark.parametrize(
    ("bracketed", "text", "expected"),
    [
        ("(ROOT (S (NP (X a b)) c))", "a b c", ("S", ("NP", ("X", 0, 1)), 2)),
        ("(ROOT (S (S a b)))", "a b", ("S", ("S", 0, 1))),
        ("(ROOT (S a b) (S c d))", "a b c d", ("ROOT", ("S", 0, 1), ("S", 2, 3))),
        ("(ROOT (S a b) c)", "a b c", ("ROOT", ("S", 0, 1), 2)),
        ("(ROOT a)", "a", ("ROOT", 0)),
        ("(ROOT)", "", ("ROOT",)),
    ],
)
def test_single_sentence_is_its_own_root(bracketed, text, expected):
    tree = single_sentence(read_tree(bracketed, text))
    assert nested(tree) == expected
    assert (tree.parents[0], tree.levels[0]) == (-1, 0)
    assert (tree.levels[1:] == tree.levels[tree.parents[1:]] + 1).all()


# --- other shapes over the same words ---


def flat(count):
    text = " ".join("abcdefghijkl"[:count])
    return read_tree(f"(ROOT {' '.join(f'(NN {word})' for word in text.split())})", text), text


def test_left_branching_joins_each_word_to_all_before_it():
    tree, _ = flat(4)
    assert nested(left_branching(tree)) == ("ROOT", ("X", ("X", 0, 1), 2), 3)


def test_balanced_cuts_in_the_middle():
    tree, _ = flat(5)
    assert nested(balanced(tree)) == ("ROOT", ("X", ("X", 0, 1), 2), ("X", 3, 4))
    assert balanced(flat(12)[0]).depth == 4


def test_random_trees_are_binary_and_their_texts():
    tree, text = flat(12)
    assert nested(random_tree(tree, text)) == nested(random_tree(tree, text))
    assert len({nested(random_tree(tree, f"{text} {seed}")) for seed in range(20)}) == 20
    assert len(random_tree(tree, text).labels) == 11
    assert all(len(children) == 2 for children in random_tree(tree, text).children())


@pytest.mark.parametrize("count", [0, 1, 2])
@pytest.mark.parametrize("shape", [left_branching, balanced, lambda tree: random_tree(tree, "")])
def test_few_words_are_the_roots(shape, count):
    tree, _ = flat(count)
    assert nested(shape(tree)) == ("ROOT", *range(count))
