# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Experiments' files: what they say, what is wrong with them, and that every shipped one can be run."""

import pytest

from answer_selection.pipelines.experiments.experiment import ExperimentError, read_experiment, shipped_experiments
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


# In place of a published encoder, which the repository does not have.
PUBLISHED = {"model_type": "bert", "hidden_size": 384, "num_hidden_layers": 1, "intermediate_size": 8, "vocab_size": 99}


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_experiments())
def test_a_shipped_experiment_is_whole(name):
    experiment = read_experiment(name)
    assert experiment.name == name
    assert name.endswith(f"-{experiment.data}")
    assert experiment.description != name, "a table wants a description"
    assert experiment.recipe.from_scratch
    shipped = shipped_experiments()
    assert set(experiment.against) <= set(shipped)
    encoder = {} if experiment.encoder is None else {"encoder": PUBLISHED}
    model, _ = registry.build(experiment.recipe.name, ["a text"], **experiment.recipe.options, **encoder)
    assert type(model) is registry.MODELS[experiment.recipe.name]


@pytest.mark.parametrize("name", [name for name in shipped_experiments() if name.endswith("-yahooqa-style")])
def test_what_a_perceptron_reads_is_normalised_in_the_yahooqa_setting(name):
    """Models whose vectors are small would otherwise be compared by how far their perceptron has come."""
    recipe = read_experiment(name).recipe
    model, _ = registry.build(recipe.name, ["a text"], **recipe.options)
    if model.config.head == "mlp":
        assert model.config.batch_norm
        assert model.classifier.norm is not None


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


def test_a_teacher_is_a_folder_or_a_model_of_another_experiment(write):
    write("base", BASE)
    base = read_experiment(last_of(write, "base"))
    assert base.teacher is base.recipe.teacher is None
    one = read_experiment(write("one", "like: base\nteacher: {experiment: base, seed: 4}\n"))
    assert (one.teacher.experiment, one.teacher.seed, one.recipe.teacher.loss) == ("base", 4, "kl")
    followed = (
        "teacher: {model: somewhere}\nrecipe: {teacher: {loss: margin_mse, weight: 1}}\nsource: {data: trecqa-raw}"
    )
    other = read_experiment(write("other", f"like: base\n{followed}\n"))
    assert (other.teacher.model, other.recipe.teacher.loss) == ("somewhere", "margin_mse")
    # What is learned from first is learned without a teacher.
    assert other.source.recipe.teacher is None
    assert len({base.digest, one.digest, other.digest}) == 3


OVER_AN_ENCODER = """\
data: wikiqa
encoder: someone/tiny
recipe:
  model: {name: gsamn, max_pair_length: 48}
  training: {epochs: 7}
source:
  data: squad-sentences
  training: {epochs: 2}
"""


def test_the_steps_before_are_in_the_digest(write):
    whole = read_experiment(write("base", OVER_AN_ENCODER))
    changes = (
        "encoder: someone/small",
        "source: null",
        "source: {data: trecqa-raw}",
        "source: {training: {epochs: 3}}",
    )
    digests = {read_experiment(write("other", f"like: base\n{change}\n")).digest for change in changes}
    assert len({whole.digest, *digests}) == 1 + len(changes)


def test_a_digest_without_such_steps_is_what_it_always_was(write):
    """Models that were trained before there were such steps are not trained again."""
    without = read_experiment(write("base", BASE))
    assert without.digest == "85ea66ba03a2487f72fb21ee75bfe81c9784cb3c0afc8599b27f5d0f244907b0"


def test_a_source_step_is_trained_as_the_recipe_says_and_by_settings_of_its_own(write):
    write("base", OVER_AN_ENCODER)
    one = read_experiment(write("one", "like: base\nrecipe: {model: {hops: 3}, training: {learning_rate: 0.01}}\n"))
    assert one.source is not None
    assert one.source.data == ("squad-sentences",)
    assert one.source.recipe.options == one.recipe.options == {"max_pair_length": 48, "hops": 3}
    assert (one.recipe.training.epochs, one.source.recipe.training.epochs) == (7, 2)
    assert one.source.recipe.training.learning_rate == one.recipe.training.learning_rate == 0.01


def test_data_of_ones_own_can_be_the_source(write, tmp_path):
    lists = tmp_path / "lists.jsonl"
    lists.touch()
    path = write("one", BASE + f"source: {{data: {lists}}}\n")
    assert read_experiment(path).source.data == (str(lists),)
    lists.unlink()
    with pytest.raises(
        ExperimentError, match=r"line 8: source.data is '.*lists.jsonl'; .*or a file of candidate lists"
    ):
        read_experiment(path)


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
        ("like: base\nteacher: {modle: x}", "line 2: teacher: unknown field 'modle'; did you mean 'model'?"),
        ("like: base\nteacher: {seed: 1}", "line 2: teacher: expected either model, a trained model's folder, or exp"),
        ("like: base\nteacher: {model: x, seed: 1}", "line 2: teacher is {'model': 'x', 'seed': 1}; expected a fold"),
        ("like: base\nteacher: {experiment: bse}", "line 2: teacher.experiment is 'bse'; did you mean 'base'?"),
        (
            "like: base\nteacher: {experiment: experiment}",
            "line 2: teacher.experiment is 'experiment'; expected another experiment",
        ),
        ("like: base\nteacher: {experiment: base, seed: x}", "line 2: teacher.seed is 'x'; expected a whole number"),
        ("like: base\nrecipe: {teacher: {weight: 1}}", "line 2: recipe.teacher says how a teacher is followed; expe"),
        (
            "like: base\nteacher: {experiment: base}\nrecipe: {teacher: {wait: 1}}",
            "line 3: teacher: unknown teacher setting 'wait'; did you mean 'weight'?",
        ),
        ("like: base\nrecipe: {training: {loss: best}}", "line 2: training setting 'loss' is 'best'"),
        ("data: wikiqa\ndata: wikiqa", "line 2: the field 'data' comes twice; "),
        ("data: [", "not YAML"),
        ("null", "data is None; expected one of wikiqa, "),
        ("[1]", "expected a mapping of fields, found list"),
        ("like: base\nencodr: someone/tiny", "line 2: unknown field 'encodr'; did you mean 'encoder'?"),
        ("like: base\nencoder: tiny", "line 2: encoder is 'tiny'; expected a name on the hub (owner/name)"),
        (
            "like: base\nencoder: someone/tiny",
            "line 2: encoder is for models over one, and qrnn has none; expected recipe.model.name one of ",
        ),
        ("like: over\nencoder: [1]", "line 2: encoder is [1]; expected a name on the hub (owner/name)"),
        (
            "like: over\nrecipe: {model: {encoder: bert-base-uncased}}",
            "over.yaml, line 2: encoder says what the model's encoder is, and recipe.model.encoder names another",
        ),
        ("like: base\nsource: squad-sentences", "line 2: source: expected a mapping of fields, found str"),
        ("like: base\nsource: {dat: wikiqa}", "line 2: source: unknown field 'dat'; did you mean 'data'?"),
        ("like: base\nsource: {}", "line 2: source.data is None; expected one of wikiqa, "),
        (
            "like: base\nsource:\n  data: squad-sentence",
            "line 3: source.data is 'squad-sentence'; did you mean 'squad-sentences'?; or a file of candidate",
        ),
        ("like: base\nsource: {data: wikiqa}", "line 2: source.data is 'wikiqa', which is the experiment's own data"),
        (
            "like: base\nsource: {data: trecqa-raw, model: {name: ctrn}}",
            "line 2: source: unknown field 'model'; expected one of data, training",
        ),
        (
            "like: base\nsource:\n  data: trecqa-raw\n  training: {epoch: 3}",
            "line 4: source.training: unknown training setting 'epoch'; did you mean 'epochs'?",
        ),
        (
            "like: base\nsource: {data: trecqa-raw, training: {epochs: 0}}",
            "line 2: training setting 'epochs' is 0; expected at least 1",
        ),
    ],
)
def test_what_is_wrong_is_named_with_file_and_line(write, text, message):
    write("base", BASE)
    over = write("over", OVER_AN_ENCODER)
    path = write("experiment", text)
    with pytest.raises(ExperimentError) as error:
        read_experiment(path)
    assert str(error.value).startswith((str(path), str(over)))
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
