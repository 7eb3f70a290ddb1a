# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What the components that run a sentence encoder have in common."""

from typing import TYPE_CHECKING

from haystack_integrations.components.rankers.answer_selection.hub_component import HubComponent

if TYPE_CHECKING:
    from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder


class EncoderComponent(HubComponent["SentenceEncoder"]):
    """A component that runs a :class:`SentenceEncoder`."""

    def _load(self) -> "SentenceEncoder":
        from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder

        return SentenceEncoder.load(self.model, device=self.device, token=self._token(), revision=self.revision)
