# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Experiments' files: what they say, what is wrong with them, and that every shipped one can be run."""

import pytest
from answer_selection.pipelines.experiment import ExperimentError, read_experiment, shipped_experiments
from haystack_integrations.components.rankers.answer_selection.models import registry

BASE = """\
description: The base
data: wikiqa
seeds: [3, 4]
paper: {MAP: 0.7}
recipe:
  model: {name: qrnn, hidden_size: 8, dropout: 0.1}
  training: {loss: listwise, epochs: 7}
"""


@pytest.fixture
def write(tmp_path):
    def write(name, text):
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
        return tmp_path / f"{name}.yaml"

    return write


@pytest.mark.parametrize("name", shipped_experiments())
def test_a_shipped_experiment_is_whole(name):
    experiment = read_experiment(name)
    assert experiment.name == name
    assert name.endswith(f"-{experiment.data}")
    assert experiment.description != name, "a table wants a description"
    assert experiment.recipe.from_scratch
    shipped = shipped_experiments()
    assert set(experiment.against) <= set(shipped)
    model, _ = registry.build(experiment.recipe.name, ["a text"], **experiment.recipe.options)
    assert type(model) is registry.MODELS[experiment.recipe.name]


def test_a_file_says_only_what_differs_from_the_one_that_it_is_like(write):
    write("base", BASE)
    write("other", BASE)
    write("middle", "like: base\nagainst: [base, other]\nrecipe: {model: {hidden_size: 16}}\n")
    last = read_experiment(write("last", "like: middle\ndata: trecqa-raw\nrecipe: {training: {epochs: 2}}\n"))
    assert (last.data, last.seeds, last.recipe.name) == ("trecqa-raw", (3, 4), "qrnn")
    assert last.recipe.options == {"hidden_size": 16, "dropout": 0.1}
    assert (last.recipe.training.loss, last.recipe.training.epochs) == ("listwise", 2)
    # What a file says of itself is not said of those that are like it.
    assert (last.description, last.paper, last.against) == ("last", {}, ("middle",))
    middle = read_experiment(last_of(write, "middle"))
    assert middle.against == ("base", "other")
    assert read_experiment(last_of(write, "base")).paper == {"MAP": 0.7}


def last_of(write, name):
    return write("unused", "").with_name(f"{name}.yaml")


def test_what_decides_the_models_is_in_the_digest_and_nothing_else(write):
    write("base", BASE)
    one = read_experiment(write("one", "like: base\ndescription: Another\nseeds: [9]\n"))
    base = read_experiment(last_of(write, "base"))
    assert one.digest == base.digest
    for change in ("recipe: {model: {hidden_size: 9}}", "recipe: {training: {epochs: 8}}", "texts: [trecqa-raw]"):
        assert read_experiment(write("other", f"like: base\n{change}\n")).digest != base.digest


def test_a_shipped_recipe_can_be_named_and_changed(write):
    write("small", "data: squad-sentences\nrecipe: small_ctrn\n")
    other = read_experiment(write("other", "like: small\nrecipe: {model: {name: qrnn}}\n"))
    assert (other.recipe.name, other.recipe.negatives) == ("qrnn", 35)
    assert other.recipe.options["match_channels"] is True


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dat: wikiqa", "line 1: unknown field 'dat'; did you mean 'data'?"),
        ("like: base\ndata: wikiqaa", "line 2: data is 'wikiqaa'; did you mean 'wikiqa'?"),
        ("recipe: {}", "data is None; expected one of wikiqa, "),
        ("like: bse", "line 1: there is no "),
        ("like: bse", "; did you mean 'base'?"),
        ("like: experiment", "line 1: experiment is like experiment; expected no circle"),
        ("like: base\nseeds: [1, 1]", "line 2: seeds is [1, 1]; expected a list of different whole numbers"),
        ("like: base\nseeds: []", "line 2: seeds is []"),
        ("like: base\nseeds: [true]", "line 2: seeds is [True]"),
        ("like: base\ntexts: [wiki]", "line 2: texts has 'wiki'; did you mean 'wikiqa'?"),
        ("like: base\ntexts: wikiqa", "line 2: texts is 'wikiqa'; expected a list of data sets' names"),
        ("like: base\nagainst: [bse]", "line 2: against has 'bse'; did you mean 'base'?"),
        ("like: base\nagainst: linear", "line 2: against is 'linear'; expected a list of experiments' names"),
        ("like: base\npaper: {MAPP: 1}", "line 2: paper: unknown field 'MAPP'; did you mean 'MAP'?"),
        ("like: base\npaper: {MAP: 76}", "line 2: paper.MAP is 76; expected a number from 0 to 1"),
        ("like: base\nrecipe: smal_ctrn", "line 2: recipe is 'smal_ctrn'; did you mean 'small_ctrn'?"),
        ("like: base\nrecipe:\n  modle: {}", "line 3: unknown field 'modle'; did you mean 'model'?"),
        (
            "like: base\nrecipe:\n  model:\n    hiden_size: 3",
            "line 4: model: unknown field of qrnn 'hiden_size'; did you mean 'hidden_size'?",
        ),
        (
            "like: base\nrecipe:\n  training: {epoch: 3}",
            "line 3: training: unknown training setting 'epoch'; did you mean 'epochs'?",
        ),
        ("like: base\nrecipe: {training: {loss: best}}", "line 2: training setting 'loss' is 'best'"),
        ("data: wikiqa\ndata: wikiqa", "line 2: the field 'data' comes twice; "),
        ("data: [", "not YAML"),
        ("null", "data is None; expected one of wikiqa, "),
        ("[1]", "expected a mapping of fields, found list"),
    ],
)
def test_what_is_wrong_is_named_with_file_and_line(write, text, message):
    write("base", BASE)
    path = write("experiment", text)
    with pytest.raises(ExperimentError) as error:
        read_experiment(path)
    assert str(error.value).startswith(str(path))
    assert message in str(error.value)


def test_what_is_wrong_in_the_file_that_it_is_like_is_named_there(write):
    path = write("base", BASE.replace("hidden_size", "hiden_size"))
    with pytest.raises(ExperimentError, match=r"base.yaml, line 6: model: unknown field of qrnn 'hiden_size'"):
        read_experiment(write("experiment", "like: base\n"))
    path.write_text(BASE + "like: experiment\n", encoding="utf-8")
    with pytest.raises(ExperimentError, match="experiment is like base is like experiment; expected no circle"):
        read_experiment(write("experiment", "like: base\n"))


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ExperimentError, match=r"No such file or directory; .* did you mean 'ctrn-wikiqa'"):
        read_experiment("ctrn-wikqa")
