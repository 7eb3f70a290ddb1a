# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The component that embeds a question, for retrieval by vectors."""

from pathlib import Path
from typing import Any

from haystack import component, default_to_dict
from haystack.utils import ComponentDevice, Secret

from answer_selection.indexing.in_thread import in_thread
from haystack_integrations.components.embedders.answer_selection.encoder_component import EncoderComponent


@component
class AnswerSelectionTextEmbedder(EncoderComponent):
    """
    Embeds a text with a sentence encoder, in a few milliseconds and without sentence-transformers.

    It runs encoders in sentence-transformers' format that take the mean of their tokens' vectors, such as
    all-MiniLM-L6-v2, and gives their vectors at unit length. Others are run by Haystack's own embedders.

    Usage example:
    ```python
    from haystack_integrations.components.embedders.answer_selection import AnswerSelectionTextEmbedder

    embedder = AnswerSelectionTextEmbedder(model="sentence-transformers/all-MiniLM-L6-v2")
    print(len(embedder.run("When does the reading room close?")["embedding"]))
    ```
    """

    def __init__(
        self,
        *,
        model: str | Path | None = None,
        device: ComponentDevice | None = None,
        token: Secret | None = Secret.from_env_var(["HF_API_TOKEN", "HF_TOKEN"], strict=False),  # noqa: B008
        revision: str | None = None,
    ) -> None:
        """
        Creates the component; the encoder is loaded by `warm_up` or the first run.

        :param model: A folder in sentence-transformers' format, or the name of a model on the Hugging Face hub. None is
            the encoder that comes with the package. It has to be the one that embedded the documents.
        :param device: Where the encoder runs. None is the first accelerator that is there, else the CPU, found out at
            warm-up.
        :param token: The hub's token, for private models.
        :param revision: The hub model's branch, tag or commit.
        :raises ValueError: If `device` is not a single `ComponentDevice`.
        """
        # `component` makes a class of its own of this one, with which `super()` does not go.
        EncoderComponent.__init__(self, model=model, device=device, token=token, revision=revision)

    def to_dict(self) -> dict[str, Any]:
        """
        Serializes the component to a dictionary.

        :returns: A dictionary for `from_dict`. A device that was not given is not pinned to the one that was found.
        """
        return default_to_dict(self, **self._parameters())

    @component.output_types(embedding=list[float])
    def run(self, text: str) -> dict[str, list[float]]:
        """
        Embeds a text.

        :param text: The text.
        :returns: A dictionary with `embedding`: its vector, at unit length.
        :raises TypeError: If `text` is not a string.
        :raises ValueError: If the encoder cannot be loaded, or its vector comes out with something else than finite
            numbers.
        """
        if not isinstance(text, str):
            msg = f"text must be a string, but is of the type {type(text).__name__}; for documents there is "
            msg += "AnswerSelectionDocumentEmbedder"
            raise TypeError(msg)
        return {"embedding": self._warm().encode([text])[0].tolist()}

    run_async = in_thread(run)

    def run_batch(self, texts: list[str]) -> dict[str, list[list[float]]]:
        """
        Embeds many texts in one call: they share the encoder's batches.

        :param texts: The texts.
        :returns: A dictionary with `embeddings`: their vectors in the texts' order, each as `run` gives it but for the
            last digits.
        :raises ValueError: As `run`.
        """
        return {"embeddings": self._warm().encode(texts).tolist()}
