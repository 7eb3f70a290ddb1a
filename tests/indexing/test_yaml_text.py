# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0

import pytest

from answer_selection.indexing.elasticsearch.settings import read_index_settings
from answer_selection.indexing.yaml_text import parse_yaml
from answer_selection.pipelines.definitions import pipeline_yaml
from answer_selection.pipelines.experiments.experiment import read_experiment
from answer_selection.pipelines.training.pretraining_recipe import read_pretraining
from answer_selection.pipelines.training.recipe import read_recipe

READERS = {
    "recipe": read_recipe,
    "experiment": read_experiment,
    "encoder's recipe": read_pretraining,
    "pipeline": pipeline_yaml.read,
    "index settings": read_index_settings,
}
LAUGHS = "\n".join(
    ["model: &a0 [" + "x, " * 9 + "x]", *(f"more{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 11))]
)
DAMAGES = {
    "billion laughs": (
        LAUGHS.encode(),
        r"line 6: has 1,111,111 values, counting aliases each time; expected at most",
    ),
    "merged laughs": (LAUGHS.replace("more", "<<: ", 1).replace("<<: 1:", "<<:").encode(), "has 1,111,111 values"),
    "in itself": (b"model:\n  name: &a [*a]", "line 2: an alias names a value that contains it"),
    "deep": (b"a: " + b"[" * 5_000, "nested too deep"),
    "not UTF-8": (b"model:\n  name: \xff", "line 2: not UTF-8: byte 0xff"),
    "NUL": (b"model:\n\n  name: a\0", r"line 3: not YAML: the character '\\x00' is not allowed"),
    "no YAML": (b"model: {name: ctrn}\nmodel: [", "line 2: not YAML: while parsing"),
    "no date": (b"model: 2026-13-01", "not YAML: month must be in 1..12"),
    "a list": (b"- model\n", "expected "),
    "a text": (b"model", "expected "),
}


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("damage", DAMAGES)
def test_every_yaml_file_is_refused_in_a_line_with_its_name(reader, damage, tmp_path):
    content, message = DAMAGES[damage]
    file = tmp_path / "own.yaml"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=message) as error:
        READERS[reader](file)
    assert str(file) in str(error.value)
    assert "\n" not in str(error.value)


def test_aliases_that_repeat_a_little_are_read():
    _, content = parse_yaml("a: &a {b: [1, 2]}\nc: *a\nd: {<<: *a, e: 3}\n", "a text")
    assert content == {"a": {"b": [1, 2]}, "c": {"b": [1, 2]}, "d": {"b": [1, 2], "e": 3}}
