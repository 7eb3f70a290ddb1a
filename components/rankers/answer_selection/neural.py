# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The rankers' contract on top of a model: loading, batches, devices."""

import asyncio
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np
from haystack import Document, component, default_to_dict, logging
from haystack.utils import ComponentDevice, Secret
from haystack_integrations.components.rankers.answer_selection.base import AnswerSelectionRanker
from haystack_integrations.components.rankers.answer_selection.mixing import Scores, mix, sigmoid
from haystack_integrations.components.rankers.answer_selection.text.record import Record

if TYPE_CHECKING:
    from haystack_integrations.components.rankers.answer_selection.models.base import AnswerSelectionModel, Collator

logger = logging.getLogger(__name__)

DTYPES: Final = ("float32", "float16", "bfloat16")

# One for all rankers, not an attribute: a component has to stay copyable, and loading is rare.
_LOADING = threading.Lock()


class NeuralRanker(AnswerSelectionRanker):
    """
    A ranker that runs a model of `models.registry`; the rankers themselves only say which.

    The final score is `sigmoid(logit + retriever_weight * normalised retriever score)`, see `mixing`. The model's own
    probability stays in the metadata as `ranker_probability`.
    """

    model_type: ClassVar[str]
    default_model: ClassVar[Path | None] = None

    def __init__(
        self,
        *,
        model: str | Path | None = None,
        device: ComponentDevice | None = None,
        token: Secret | None = Secret.from_env_var(["HF_API_TOKEN", "HF_TOKEN"], strict=False),  # noqa: B008
        revision: str | None = None,
        top_k: int = 10,
        score_threshold: float | None = None,
        retriever_weight: float | None = None,
        meta_fields_to_embed: list[str] | None = None,
        embedding_separator: str = "\n",
        batch_size: int = 64,
        dtype: str | None = None,
    ) -> None:
        """
        Creates the component; the model is loaded by `warm_up` or the first run.

        :param model: A model folder, or the name of a model on the Hugging Face hub. None is the model that comes with
            the package, for a ranker that has one.
        :param device: Where the model runs. None is the first accelerator that is there, else the CPU, found out at
            warm-up.
        :param token: The hub's token, for private models.
        :param revision: The hub model's branch, tag or commit.
        :param top_k: The most documents to return per query.
        :param score_threshold: The least final score (0 to 1) of a returned document.
        :param retriever_weight: How much of the retriever's score is mixed in; 0.0 is the model alone. None is the
            weight that the model's configuration names.
        :param meta_fields_to_embed: Metadata whose values are put in front of the content before scoring. A model that
            was trained on answers alone should be measured before `question` is named here.
        :param embedding_separator: What stands between those values and the content.
        :param batch_size: How many pairs go through the model at once.
        :param dtype: `float32`, `float16` or `bfloat16`, for all but the head, which stays in `float32`. None is
            the type that the model was saved in.
        :raises ValueError: If `top_k` or `batch_size` is not greater than 0, `dtype` is unknown, `device` is not a
            single `ComponentDevice`, or `model` is None and the ranker has no default model.
        """
        super().__init__(
            top_k=top_k,
            score_threshold=score_threshold,
            meta_fields_to_embed=meta_fields_to_embed,
            embedding_separator=embedding_separator,
        )
        if model is None and self.default_model is None:
            msg = f"{type(self).__name__} has no default model; pass model=, a folder or the name of a model on the hub"
            raise ValueError(msg)
        if batch_size <= 0:
            msg = f"batch_size must be > 0, but got {batch_size}"
            raise ValueError(msg)
        if dtype is not None and dtype not in DTYPES:
            msg = f"dtype must be one of {', '.join(DTYPES)} or None, but got '{dtype}'"
            raise ValueError(msg)
        if device is not None:
            # Refuses what is no ComponentDevice, and device maps, here rather than in the middle of a run.
            ComponentDevice.resolve_device(device).to_torch_str()
        self.model = model
        self.device = device
        self.token = token
        self.revision = revision
        self.retriever_weight = retriever_weight
        self.batch_size = batch_size
        self.dtype = dtype
        self._loaded: tuple[AnswerSelectionModel, Collator] | None = None

    def to_dict(self) -> dict[str, Any]:
        """
        Serializes the component to a dictionary.

        :returns: A dictionary for `from_dict`. A device that was not given is not pinned to the one that was found.
        """
        return default_to_dict(
            self,
            model=None if self.model is None else str(self.model),
            device=self.device,
            token=self.token,
            revision=self.revision,
            top_k=self.top_k,
            score_threshold=self.score_threshold,
            retriever_weight=self.retriever_weight,
            meta_fields_to_embed=self.meta_fields_to_embed,
            embedding_separator=self.embedding_separator,
            batch_size=self.batch_size,
            dtype=self.dtype,
        )

    def warm_up(self) -> None:
        """
        Loads the model, once, however many threads ask.

        :raises ValueError: If the model cannot be loaded (the message says what is missing), or is one for another
            ranker.
        """
        self._warm()

    def close(self) -> None:
        """Frees the model. A later run loads it again."""
        self._loaded = None

    def score_pairs(self, records: Sequence[Record]) -> Scores:
        """
        Scores pairs of query and answer, without documents around them.

        Pairs of similar length share a batch, and equal pairs are scored once, so that equal texts have equal scores.

        :param records: Pairs; those of one query stand together, so that a batch encodes the query once.
        :returns: The model's log-odds, in the order of `records`, [n_pairs].
        """
        import torch

        model, collator = self._warm()
        first: dict[tuple[str, str], int] = {}
        source = np.arange(len(records))
        for index, record in enumerate(records):
            earlier = first.setdefault((record.query, record.answer), index)
            if records[earlier] == record:
                source[index] = earlier
        distinct = np.flatnonzero(source == np.arange(len(records)))
        logits = np.zeros(len(records))
        with torch.inference_mode():
            for chosen in self._batches(records, distinct, collator):
                batch = collator([records[index] for index in chosen])
                batch = {name: tensor.to(model.device) for name, tensor in batch.items()}
                logits[chosen] = model(**batch).double().cpu().numpy()
        return logits[source]

    @component.output_types(documents=list[Document])
    def run(
        self,
        query: str,
        documents: list[Document],
        *,
        top_k: int | None = None,
        score_threshold: float | None = None,
        retriever_weight: float | None = None,
        query_meta: dict[str, Any] | None = None,
    ) -> dict[str, list[Document]]:
        """
        Ranks documents by how well they answer the query.

        :param query: The question.
        :param documents: The candidates, in the retriever's order, with its scores where it has any.
        :param top_k: The most documents to return.
        :param score_threshold: The least final score of a returned document.
        :param retriever_weight: How much of the retriever's score is mixed in; 0.0 is the model alone.
        :param query_meta: What else is known of the query, for models that use it.
        :returns: A dictionary with `documents`, highest score first.
        :raises ValueError: If `top_k` is not greater than 0, an incoming score is not finite, or the model cannot be
            loaded.
        """
        ranked = self.run_batch(
            [query],
            [documents],
            top_k=top_k,
            score_threshold=score_threshold,
            retriever_weight=retriever_weight,
            query_metas=[query_meta],
        )
        return {"documents": ranked["documents"][0]}

    @component.output_types(documents=list[Document])
    async def run_async(
        self,
        query: str,
        documents: list[Document],
        *,
        top_k: int | None = None,
        score_threshold: float | None = None,
        retriever_weight: float | None = None,
        query_meta: dict[str, Any] | None = None,
    ) -> dict[str, list[Document]]:
        """
        Does what `run` does, in a thread, so that the event loop goes on meanwhile.

        :param query: The question.
        :param documents: The candidates, in the retriever's order, with its scores where it has any.
        :param top_k: The most documents to return.
        :param score_threshold: The least final score of a returned document.
        :param retriever_weight: How much of the retriever's score is mixed in; 0.0 is the model alone.
        :param query_meta: What else is known of the query, for models that use it.
        :returns: A dictionary with `documents`, highest score first.
        :raises ValueError: If `top_k` is not greater than 0, an incoming score is not finite, or the model cannot be
            loaded.
        """
        return await asyncio.to_thread(
            self.run,
            query,
            documents,
            top_k=top_k,
            score_threshold=score_threshold,
            retriever_weight=retriever_weight,
            query_meta=query_meta,
        )

    def run_batch(
        self,
        queries: Sequence[str],
        documents: Sequence[Sequence[Document]],
        *,
        top_k: int | None = None,
        score_threshold: float | None = None,
        retriever_weight: float | None = None,
        query_metas: Sequence[Mapping[str, Any] | None] | None = None,
    ) -> dict[str, list[list[Document]]]:
        """
        Ranks the documents of many queries in one call: batches are filled with the pairs of all of them.

        :param queries: The questions.
        :param documents: One list of candidates a query.
        :param top_k: The most documents to return per query.
        :param score_threshold: The least final score of a returned document.
        :param retriever_weight: How much of the retriever's score is mixed in; 0.0 is the model alone.
        :param query_metas: What else is known of each query, for models that use it.
        :returns: A dictionary with `documents`, one list a query in the queries' order, highest score first.
        :raises ValueError: As `run`, and if there is not one list of documents (and one of `query_metas`) per query.
        """
        weight = self.retriever_weight if retriever_weight is None else retriever_weight

        def combine(logits: Scores, retrieved: Scores) -> tuple[Scores, dict[str, Scores]]:
            # The configuration's weight is looked up only now: without a document the model need not be loaded.
            used = self._warm()[0].config.retriever_weight if weight is None else weight
            return mix(logits, retrieved, used), {"ranker_probability": sigmoid(logits)}

        ranked = self._rerank(
            queries,
            documents,
            top_k=top_k,
            score_threshold=score_threshold,
            query_metas=query_metas,
            combine=combine,
        )
        return {"documents": ranked}

    def _batches(
        self, records: Sequence[Record], chosen: np.ndarray[Any, np.dtype[np.intp]], collator: "Collator"
    ) -> Iterator[np.ndarray[Any, np.dtype[np.intp]]]:
        """Positions in `records`, batch by batch: of similar length, and those of one query together."""
        if len(chosen) > self.batch_size:
            lengths = [collator.pair_length(records[index]) for index in chosen]
            chosen = chosen[np.argsort(lengths, kind="stable")]
        for start in range(0, len(chosen), self.batch_size):
            yield np.sort(chosen[start : start + self.batch_size])

    def _warm(self) -> "tuple[AnswerSelectionModel, Collator]":
        """The model and its collator, loaded if they are not yet."""
        loaded = self._loaded
        if loaded is None:
            with _LOADING:
                loaded = self._loaded
                if loaded is None:
                    loaded = self._loaded = self._load()
        return loaded

    def _load(self) -> "tuple[AnswerSelectionModel, Collator]":
        import torch
        from haystack_integrations.components.rankers import answer_selection
        from haystack_integrations.components.rankers.answer_selection.models import registry

        name = self.default_model if self.model is None else self.model
        assert name is not None  # the constructor made sure
        model, collator = registry.load(
            name,
            token=self.token.resolve_value() if self.token else None,
            revision=self.revision,
            dtype=None if self.dtype is None else getattr(torch, self.dtype),
        )
        if model.config.model_type != self.model_type:
            rankers = (getattr(answer_selection, ranker) for ranker in answer_selection.__all__)
            matching = (r.__name__ for r in rankers if getattr(r, "model_type", None) == model.config.model_type)
            other = next(matching, "another ranker")
            msg = (
                f"'{name}' holds a model of the type '{model.config.model_type}', but {type(self).__name__} runs "
                f"'{self.model_type}'; use {other} for it"
            )
            raise ValueError(msg)
        device = ComponentDevice.resolve_device(self.device)
        logger.debug(
            "Loaded {model_type} from {name} onto {device}", model_type=self.model_type, name=name, device=device
        )
        torch.nn.Module.to(model, device=device.to_torch())  # transformers' own `to` has lost its types
        return model, collator
