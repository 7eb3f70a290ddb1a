# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import pytest

from answer_selection.pipelines.training.recipe import SHIPPED, RecipeError, read_recipe
from haystack_integrations.components.rankers.answer_selection.models import registry
from tiny_encoders import folder


@pytest.fixture
def encoder():
    return folder("bert")


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_recipe_is_whole(name, encoder):
    # The encoder that one names is on the hub.
    recipe = read_recipe(name, {"model": {"encoder": encoder}} if name in ("gsamn", "multilingual") else None)
    model, _ = registry.build(recipe.name, ["a text"], **recipe.options)
    assert model.config.model_type == recipe.name
    # These two go on from a trained model, the others describe one.
    assert recipe.from_scratch == (not name.startswith("fine_tune"))


def test_what_a_recipe_leaves_out_has_its_default(tmp_path):
    (tmp_path / "recipe.yaml").write_text("training: {epochs: 3}\n", encoding="utf-8")
    recipe = read_recipe(tmp_path / "recipe.yaml")
    assert (recipe.name, recipe.training.epochs, recipe.training.loss) == ("ctrn", 3, "listwise")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("model: {name: bert}", "line 1: model.name is 'bert'; expected one of "),
        (
            "model: {name: ctrn, hiden_size: 3}",
            "line 1: model: unknown field of ctrn 'hiden_size'; did you mean 'hidden_size'?",
        ),
        ("model: {hidden_size: 0}", "model: hidden_size must be a whole number of at least 1"),
        ("model: {dropout: high}", "model: "),
        ("model: {max_words: many}", "model.max_words is 'many'; expected a whole number, at least 1"),
        ("model: 7", "model: expected a mapping of fields, found int"),
        ("vectors: {sauce: corpus}", "line 1: vectors: unknown field 'sauce'; did you mean 'source'?"),
        ("vectors: {source: glove.txt}", "vectors.source is 'glove.txt'; expected 'corpus', 'encoder', 'random', or a"),
        ("vectors: {method: magic}", "vectors.method is 'magic'; expected one of word2vec, fasttext"),
        ("vectors: {epochs: 0}", "vectors.epochs is 0; expected a whole number, at least 1"),
        ("training: {losss: listwise}", "line 1: training: unknown training setting 'losss'; did you mean 'loss'?"),
        ("training: {loss: best}", "training setting 'loss' is 'best'; expected one of pointwise"),
        ("encoder_tuning: {rate: 1}", "line 1: encoder_tuning: unknown training setting 'rate'; expected"),
        ("encoder_tuning: {epochs: 0}", "line 1: training setting 'epochs' is 0; expected at least 1"),
        ("training: [1]", "training: expected a mapping of fields, found list"),
        ("negatives: 0", "negatives is 0; expected a whole number, at least 1"),
        ("{negatives: 5, keep_top: 6}", "keep_top is 6; expected at most negatives, which is 5"),
        ("negatives: true", "negatives is True; expected a whole number"),
        ("trainning: {}", "line 1: unknown field 'trainning'; did you mean 'training'?"),
        ("[1, 2]", "expected a mapping of fields, found list"),
        ("vectors: {zzz: 1}", "vectors: unknown field 'zzz'; expected one of source, epochs, window, method"),
        ("negatives: 5\nkeep_top: 6", "line 2: keep_top is 6"),
        ("model: {dropout: 0.1}\nmodel: {}", "line 2: the field 'model' comes twice; "),
        ("a: [", "not YAML"),
        ("model: {name: [ctrn]}", "line 1: model.name is ['ctrn']"),
        ("model: {name: ggsa}", "line 1: the logits of ggsa with the head 'cosine' are bare cosines, too near"),
        ("model:\n  name: ctrn\n  head: cosine", "line 3: the logits of ctrn with the head 'cosine'"),
        (
            "model: {name: lstm}\ntraining: {loss: pointwise}",
            "line 2: the logits of lstm with the head 'cosine' are bare cosines, too near to each other for the loss "
            "'pointwise'; expected `training: {loss: pairwise, margin: 0.1}`, or another head",
        ),
    ],
)
def test_what_is_wrong_in_a_recipe_is_named_with_its_file(tmp_path, text, message):
    path = tmp_path / "recipe.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RecipeError) as error:
        read_recipe(path)
    assert str(error.value).startswith(str(path))
    assert message in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "model: {name: ggsa}\ntraining: {loss: pairwise, margin: 0.1}",
        "model: {name: ggsa, head: mlp}",
        "model: {name: ggsa, cosine_scale: 10}",
        "model: {name: ggsa, pair_features: [bm25]}",
    ],
)
def test_heads_and_losses_that_go_together(tmp_path, text):
    (tmp_path / "recipe.yaml").write_text(text, encoding="utf-8")
    assert read_recipe(tmp_path / "recipe.yaml").name == "ggsa"


def test_settings_that_go_before_a_recipe(tmp_path):
    path = tmp_path / "recipe.yaml"
    path.write_text("model: {name: ggsa}\ntraining: {epochs: 3}\n", encoding="utf-8")
    settings = read_recipe(path, {"training": {"loss": "pairwise"}}).training
    assert (settings.loss, settings.epochs) == ("pairwise", 3)
    with pytest.raises(RecipeError, match=r"recipe.yaml: the logits of ggsa with the head 'cosine'"):
        read_recipe(path, {"training": {"loss": "listwise"}})
    path.write_text("[1, 2]\n", encoding="utf-8")
    with pytest.raises(RecipeError, match="expected a mapping of fields, found list"):
        read_recipe(path, {"training": {"loss": "listwise"}})


def test_word_vectors_are_not_for_models_over_an_encoder(tmp_path, encoder):
    path = tmp_path / "recipe.yaml"
    path.write_text(f"model: {{name: gsamn, encoder: {encoder}}}\nvectors: {{source: random}}\n", encoding="utf-8")
    with pytest.raises(RecipeError, match="line 2: vectors are those of models that read words, and gsamn does not"):
        read_recipe(path)


def test_an_encoder_that_is_not_there(tmp_path):
    path = tmp_path / "recipe.yaml"
    path.write_text("model:\n  name: gsamn\n  encoder: no/such/folder\n", encoding="utf-8")
    with pytest.raises(
        RecipeError, match=r"recipe.yaml, line 1: model: encoder is 'no/such/folder', which is no folder"
    ):
        read_recipe(path)


@pytest.mark.parametrize(
    ("name", "end"),
    [("smal_ctrn", "; did you mean 'small_ctrn'?"), ("my-own.yaml", f": one of {', '.join(SHIPPED)}")],
)
def test_a_recipe_that_is_not_there(name, end):
    with pytest.raises(RecipeError) as error:
        read_recipe(name)
    assert str(error.value) == f"{name}: No such file or directory; expected a YAML file, or a shipped recipe{end}"
