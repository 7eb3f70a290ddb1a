# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
from answer_selection.pipelines.training.ranker_card import beginnings
from answer_selection.pipelines.training.recipe import Recipe


def test_the_packages_model_is_named_without_a_path_of_this_machine():
    [source] = beginnings(Recipe(), "default")
    assert source.source == "comes with answer-selection-haystack"
    assert source.licence.lower() == "cc-by-sa-4.0"


def test_another_model_is_named_by_its_folder(tmp_path):
    [source] = beginnings(Recipe(), tmp_path / "mine")
    assert source.source == str(tmp_path / "mine")
    assert source.licence == "not stated"
