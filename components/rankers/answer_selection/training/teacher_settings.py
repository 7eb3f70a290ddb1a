# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""How a model follows a teacher."""

from dataclasses import dataclass
from typing import ClassVar

from haystack_integrations.components.rankers.answer_selection.training.checked_settings import CheckedSettings

TEACHER_LOSSES = ("kl", "margin_mse")


@dataclass(frozen=True, slots=True, kw_only=True)
class TeacherSettings(CheckedSettings):
    """
    Which model is followed, and how. Every value is checked, and an error names its field.

    :param model: the teacher's model folder; None where it is named elsewhere.
    :param loss: kl or margin_mse, see :mod:`teacher_loss`.
    :param weight: the part that the teacher's loss has beside the labels'; 1 is the teacher alone.
    :param temperature: of kl: above 1 makes the teacher's distribution flatter.
    """

    called: ClassVar[str] = "teacher setting"

    model: str | None = None
    loss: str = "kl"
    weight: float = 0.5
    temperature: float = 1.0

    def __post_init__(self) -> None:
        """
        Check every value.

        :raises ValueError: naming the field, what it is and what was expected.
        """
        self.check_types()
        if self.loss not in TEACHER_LOSSES:
            self.refuse("loss", f"one of {', '.join(TEACHER_LOSSES)}")
        if not 0 < self.weight <= 1:
            self.refuse("weight", "more than 0 and at most 1")
        if self.temperature <= 0:
            self.refuse("temperature", "more than 0")
        if self.temperature != 1 and self.loss != "kl":
            self.refuse("temperature", f"nothing with the loss '{self.loss}': only kl has a temperature")
