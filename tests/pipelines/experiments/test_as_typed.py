# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A definition without its corrector asks what was typed."""

import pytest

from answer_selection.pipelines.definitions.pipeline_yaml import load, point_at, read
from answer_selection.pipelines.definitions.question_inputs import asked, question_inputs
from answer_selection.pipelines.experiments.as_typed import as_typed


@pytest.mark.parametrize("name", ["answer", "answer_elasticsearch", "answer_trees", "rag"])
def test_what_the_corrector_gave_comes_from_outside(name):
    given = read(name)
    typed = as_typed(given)
    assert given == read(name)
    assert set(given["components"]) - set(typed["components"]) == {"corrector"}
    assert not [one for one in typed["connections"] if "corrector" in one["sender"]]
    fed = {one["receiver"] for one in given["connections"] if one["sender"] == "corrector.query"}
    assert set(typed["inputs"]["query"]) == fed | set(given["inputs"]["query"]) - {"corrector.query"}
    assert as_typed(typed) == typed


@pytest.mark.slow
def test_it_can_be_asked(small_index):
    pipeline = load(point_at(as_typed(read("answer")), index=small_index))
    found = pipeline.run(asked(question_inputs(pipeline), "where is the libary"))
    assert found["ranker"]["documents"]
