# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The component that encodes answers at index time, so that a query costs a question's encoding and a head."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from haystack import Document, component, default_to_dict
from haystack.utils import ComponentDevice, Secret

from answer_selection.indexing.in_thread import in_thread
from answer_selection.indexing.text.answer_text import answer_text
from haystack_integrations.components.rankers.answer_selection.model_component import LoadedModel, ModelComponent
from haystack_integrations.components.rankers.answer_selection.stored_vectors import (
    VectorChange,
    VectorPlace,
    answer_fingerprint,
)
from haystack_integrations.components.rankers.answer_selection.text_cache import TextCache


@component
class AnswerEncoder(ModelComponent):
    """
    Writes answers' vectors into documents, for a ranker that runs the same model.

    The model has to be one whose answers are encoded apart from the question, into one vector: QRNN without match
    channels, for example. The ranker has to be given the same `meta_fields_to_embed`, `embedding_separator` and
    `vector_meta_field`; a vector of another model, or of another text than the ranker reads, is never used.

    Usage example:
    ```python
    from haystack import Document
    from haystack_integrations.components.embedders.answer_selection import AnswerEncoder
    from haystack_integrations.components.rankers.answer_selection import AnswerRanker

    encoder = AnswerEncoder(model="runs/qrnn/model")
    documents = [Document(content="The reading room closes at 8 p.m."), Document(content="A card costs two dollars.")]
    encoded = encoder.run(documents=documents)["documents"]

    ranker = AnswerRanker(model="runs/qrnn/model")
    print(ranker.run(query="When does the reading room close?", documents=encoded)["documents"][0].content)
    ```
    """

    def __init__(
        self,
        *,
        model: str | Path,
        device: ComponentDevice | None = None,
        token: Secret | None = Secret.from_env_var(["HF_API_TOKEN", "HF_TOKEN"], strict=False),  # noqa: B008
        revision: str | None = None,
        meta_fields_to_embed: list[str] | None = None,
        embedding_separator: str = "\n",
        batch_size: int = 64,
        dtype: str | None = None,
        vector_meta_field: str | None = None,
    ) -> None:
        """
        Creates the component; the model is loaded by `warm_up` or the first run.

        :param model: A model folder, or the name of a model on the Hugging Face hub.
        :param device: Where the model runs. None is the first accelerator that is there, else the CPU, found out at
            warm-up.
        :param token: The hub's token, for private models.
        :param revision: The hub model's branch, tag or commit.
        :param meta_fields_to_embed: Metadata whose values are put in front of the content, as the ranker's.
        :param embedding_separator: What stands between those values and the content, as the ranker's.
        :param batch_size: How many answers go through the model at once.
        :param dtype: `float32`, `float16` or `bfloat16`; None is the type that the model was saved in. A ranker uses
            the vectors if it runs in the same type.
        :param vector_meta_field: The metadata key to write to, where a vector is a string (base64 of single-precision
            numbers): for documents whose embedding is needed for retrieval. None is `Document.embedding`.
        :raises ValueError: If `batch_size` is not greater than 0, `dtype` is unknown, `device` is not a single
            `ComponentDevice`, or `vector_meta_field` is the empty string.
        """
        # `component` makes a class of its own of this one, with which `super()` does not go.
        ModelComponent.__init__(
            self, model=model, device=device, token=token, revision=revision, batch_size=batch_size, dtype=dtype
        )
        self.meta_fields_to_embed = list(meta_fields_to_embed or [])
        self.embedding_separator = embedding_separator
        self.vector_meta_field = vector_meta_field
        self.place = VectorPlace(vector_meta_field)

    def to_dict(self) -> dict[str, Any]:
        """
        Serializes the component to a dictionary.

        :returns: A dictionary for `from_dict`. A device that was not given is not pinned to the one that was found.
        """
        return default_to_dict(
            self,
            **self._parameters(),
            meta_fields_to_embed=self.meta_fields_to_embed,
            embedding_separator=self.embedding_separator,
            vector_meta_field=self.vector_meta_field,
        )

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """
        Encodes answers.

        :param documents: The documents, which are never changed.
        :returns: A dictionary with `documents`: copies, in the same order, with vectors and their fingerprints. An id
            that was made of a document's content stays as it is.
        :raises ValueError: If the model cannot be loaded, its answers' encodings depend on the question or are no
            single vector, or a vector comes out with something else than finite numbers.
        """
        changes = self.encode(documents)
        return {"documents": [change.apply(each) for each, change in zip(documents, changes, strict=True)]}

    run_async = in_thread(run)

    def encode(self, documents: Sequence[Document]) -> list[VectorChange]:
        """
        Does what `run` does, and gives only what is new.

        :param documents: The documents, of which content and metadata to embed are needed.
        :returns: What each document is to keep.
        :raises ValueError: As `run`.
        """
        import torch

        from haystack_integrations.components.rankers.answer_selection.answers_apart import ApartScorer

        if not documents:
            return []
        loaded = self._warm()
        texts = [self._text(document) for document in documents]
        distinct = list(dict.fromkeys(texts))
        with torch.inference_mode():
            encoder = ApartScorer(loaded.model, loaded.collator, self.batch_size, TextCache(0), strict=False)
            vectors = torch.stack(encoder.encode(distinct)).float().cpu().numpy()
        finite = np.isfinite(vectors).all(1)
        place = {text: index for index, text in enumerate(distinct)}
        changes = []
        for document, text in zip(documents, texts, strict=True):
            if not finite[place[text]]:
                msg = f"the model in '{self.model}' gave document '{document.id}' a vector with numbers that are not "
                msg += "finite; expected finite ones: its weights may be damaged, or dtype too narrow for it"
                raise ValueError(msg)
            changes.append(self.place.change(vectors[place[text]], answer_fingerprint(loaded.fingerprint, text)))
        return changes

    def is_encoded(self, document: Document) -> bool:
        """
        Tells whether a document's fingerprint is of this model and its text; the vector itself is not looked at.

        :param document: The document.
        :returns: Whether it is.
        """
        found = self.place.fingerprint(document)
        return found is not None and found.startswith(
            answer_fingerprint(self._warm().fingerprint, self._text(document))
        )

    def _text(self, document: Document) -> str:
        return answer_text(document, self.meta_fields_to_embed, self.embedding_separator)

    def _check_model(self, loaded: LoadedModel, name: str | Path) -> None:
        if loaded.model.answer_vector_size is None:
            msg = (
                f"the model in '{name}', of the type '{loaded.model.config.model_type}', has no answers' vectors to "
                f"store: {loaded.model.why_no_answer_vector}. Expected a model that encodes an answer apart from any "
                "question, into one vector: GGSA, QRNN, LSTM or Transformer, as they are by default"
            )
            raise ValueError(msg)
