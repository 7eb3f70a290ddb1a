# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0

import pytest

from haystack_integrations.components.rankers.answer_selection.training.settings import TrainingSettings


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"los": "pairwise"}, "unknown training setting 'los'; expected one of learning_rate, "),
        ({"loss": "hinge"}, "'loss' is 'hinge'; expected one of pointwise, pairwise, pairwise_logistic, listwise"),
        ({"epochs": 0}, "'epochs' is 0; expected at least 1"),
        ({"epochs": 2.5}, "'epochs' is 2.5; expected int"),
        ({"epochs": True}, "'epochs' is True; expected int"),
        ({"learning_rate": "fast"}, "'learning_rate' is 'fast'; expected float"),
        ({"learning_rate": float("nan")}, "'learning_rate' is nan; expected a finite number"),
        ({"weight_decay": float("inf")}, "'weight_decay' is inf; expected a finite number"),
        ({"learning_rate": 0}, "'learning_rate' is 0; expected more than 0"),
        ({"encoder_learning_rate": 0}, "'encoder_learning_rate' is 0; expected more than 0, or nothing"),
        (
            {"freeze_encoder": True, "encoder_learning_rate": 1e-4},
            "'encoder_learning_rate' is 0.0001; expected nothing with freeze_encoder",
        ),
        (
            {"freeze_encoder": True, "freeze_embeddings": False},
            "'freeze_embeddings' is False; expected nothing with freeze_encoder",
        ),
        ({"negatives": "all"}, "'negatives' is 'all'; expected int or nothing"),
        ({"list_size": 15}, "'negatives' is 15; expected nothing with list_size"),
        ({"list_size": 1, "negatives": None}, "'list_size' is 1; expected at least 2, or nothing"),
        ({"warmup": 1.5}, "'warmup' is 1.5; expected at least 0 and less than 1"),
        ({"margin": 0.1}, "'margin' is 0.1; expected nothing with the loss 'listwise'"),
        ({"optimizer": "sgd"}, "'optimizer' is 'sgd'; expected one of adam, adamw, rmsprop"),
        ({"precision": "half"}, "'precision' is 'half'; expected one of float32, bfloat16, float16"),
        ({"freeze_embeddings": 1}, "'freeze_embeddings' is 1; expected bool or nothing"),
        ({"gradient_accumulation": 0}, "'gradient_accumulation' is 0; expected at least 1"),
        ({"gradient_checkpointing": None}, "'gradient_checkpointing' is None; expected bool"),
    ],
)
def test_wrong_value_names_its_field(values: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TrainingSettings.from_dict(values)


def test_from_a_file_and_back() -> None:
    """YAML takes 1e-3 for text."""
    settings = TrainingSettings.from_dict({"loss": "pairwise", "margin": 1, "learning_rate": "1e-3", "negatives": None})
    assert settings == TrainingSettings(loss="pairwise", margin=1, learning_rate=0.001, negatives=None)
    assert TrainingSettings.from_dict(settings.to_dict()) == settings
