# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Models that read parse trees: where candidate lists to learn from have them from."""

import pytest

from answer_selection.indexing.candidates import Candidate, CandidateList, read_jsonl, write_jsonl
from answer_selection.indexing.text.tree import read_tree
from answer_selection.pipelines.training.recipe import RecipeError, read_recipe
from haystack_integrations.components.preprocessors.answer_selection.shallow import ShallowBackend
from tree_lists import flat, recipe, trees

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_thread")]


def test_candidate_lists_keep_their_own_trees_and_get_those_that_they_lack(command, tmp_path):
    questions = [f"when does room {number} close ?" for number in range(4)]
    write_jsonl(
        tmp_path / "lists.jsonl",
        [
            CandidateList(
                f"q{number}",
                question,
                (
                    Candidate(
                        "right",
                        f"room {number} closes at nine .",
                        1,
                        {"parse_tree": flat(f"room {number} closes at nine .")},
                    ),
                    Candidate("wrong", "the lift is out of order .", 0, {"parse_tree": flat("another text")}),
                ),
                {"asked": number},
            )
            for number, question in enumerate(questions)
        ],
    )
    options = ("--candidates", "lists.jsonl", "--validation", "lists.jsonl", "--recipe", recipe(tmp_path))
    done = command("train", "model", *options)
    assert done.code == 0, done.err
    found = trees(tmp_path / "model" / "lists" / "with_trees" / "train.jsonl")
    assert found["room 1 closes at nine ."] == flat("room 1 closes at nine .")
    [shallow] = ShallowBackend().parse(["the lift is out of order ."])
    assert found["the lift is out of order ."] == shallow
    for text, tree in found.items():
        read_tree(tree, text)
    [first, *_] = read_jsonl(tmp_path / "model" / "lists" / "with_trees" / "train.jsonl")
    assert first.query_meta["asked"] == 0
    scored = command(
        "eval", "--candidates", tmp_path / "model" / "lists" / "with_trees" / "train.jsonl", "--model", "model"
    )
    assert scored.code == 0, scored.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "model: {name: ctrn}\ntrees: shallow\n",
            "line 2: trees are for models that read them, and ctrn does not",
        ),
        ("model: {name: tree_aggregation}\ntrees: charniak\n", "trees is 'charniak'; expected one of shallow, corenlp"),
    ],
)
def test_wrong_trees_in_a_recipe(tmp_path, text, message):
    path = tmp_path / "recipe.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RecipeError) as error:
        read_recipe(path)
    assert message in str(error.value)
