# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import pytest

from answer_selection.pipelines.training.ranker_card import beginnings
from answer_selection.pipelines.training.recipe import Recipe, make_recipe


def test_the_packages_model_is_named_without_a_path_of_this_machine():
    [source] = beginnings(Recipe(), "default")
    assert source.source == "comes with answer-selection-haystack"
    assert source.licence.lower() == "cc-by-sa-4.0"


@pytest.mark.parametrize(
    ("recipe", "start", "name"),
    [
        (Recipe(), "answer-selection-gsamn", "answer-selection-gsamn"),
        (
            make_recipe(
                {"model": {"name": "gsamn", "encoder": "answer-selection-small", "from_sentence_encoder": True}}
            ),
            "scratch",
            "answer-selection-small",
        ),
    ],
)
def test_what_has_a_name_in_the_package_is_called_by_it(recipe, start, name):
    [source] = beginnings(recipe, start)
    assert (source.name, source.source) == (name, "comes with answer-selection-haystack")
    assert {one.lower() for one in source.licence.split(", ")} == {"cc-by-sa-4.0", "cc0-1.0", "apache-2.0"}


def test_another_model_is_named_by_its_folder(tmp_path):
    [source] = beginnings(Recipe(), tmp_path / "mine")
    assert source.source == str(tmp_path / "mine")
    assert source.licence == "not stated"
