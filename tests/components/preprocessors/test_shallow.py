# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answer_selection.indexing.text.tree import read_tree
from haystack_integrations.components.preprocessors.answer_selection.shallow import ShallowBackend, _sentences


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("", "(ROOT)"),
        (" \n ", "(ROOT)"),
        (
            "The library's reading room closes at 8 p.m. on Sundays.",
            "(ROOT (S (NP (DT The) (NN library)) (POS 's) (NP (NN reading) (NN room)) (VP (VBZ closes)) "
            "(PP (IN at) (NP (CD 8) (NN p.m.))) (PP (IN on) (NP (NNPS Sundays))) (. .)))",
        ),
        (
            "Why don't you ask Mr. Smith? He knows.",
            "(ROOT (S (ADVP (WRB Why)) (VP (VBP do)) (ADVP (RB n't)) (NP (PRP you)) (VP (VB ask)) "
            "(NP (NNP Mr.) (NNP Smith)) (. ?)) (S (NP (PRP He)) (VP (VBZ knows)) (. .)))",
        ),
        # As the Penn Treebank has it: words apart, brackets by name.
        (
            "the card -lrb- a new one -rrb- is n't here . ask again .",
            "(ROOT (S (NP (DT the) (NN card)) (-LRB- -lrb-) (DT a) (ADJP (JJ new)) (CD one) (-RRB- -rrb-) "
            "(VP (VBZ is)) (ADVP (RB n't) (RB here)) (. .)) (S (VP (VB ask)) (ADVP (RB again)) (. .)))",
        ),
        ("(a)", "(ROOT (S (-LRB- -LRB-) (DT a) (-RRB- -RRB-)))"),
    ],
)
def test_sentences_are_their_chunks(text, tree):
    assert ShallowBackend().parse([text]) == [tree]


def test_paragraphs_are_sentences():
    [tree] = ShallowBackend().parse(["Opening hours\n\nnine to five"])
    assert tree.count("(S ") == 2


@given(st.text())
def test_every_text_is_all_in_its_tree(text):
    [tree] = ShallowBackend().parse([text])
    read_tree(tree, text)


def test_it_asks_nobody(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError

    monkeypatch.setattr(socket, "socket", refuse)
    assert ShallowBackend().parse(["Hello there."])


@pytest.mark.slow
def test_empty_lines_and_abbreviations_take_time_in_proportion_to_their_number():
    # The square of these numbers would be hours.
    assert len(_sentences("A." + "\n" * 1_000_000 + "B.")) > 1
    assert len(_sentences("Mr. A " * 200_000)) == 1
