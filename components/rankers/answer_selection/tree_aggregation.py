# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The ranker that runs the tree aggregation transformer."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from haystack import Document, component, logging
from haystack.utils import ComponentDevice, Secret
from haystack_integrations.components.rankers.answer_selection.answer_ranker import NeuralRanker
from haystack_integrations.components.rankers.answer_selection.explanation import PairExplanation
from haystack_integrations.components.rankers.answer_selection.mixing import Scores
from haystack_integrations.components.rankers.answer_selection.models.record import Record

from answer_selection.indexing.text.tree import TREE_FIELD, TreeError

if TYPE_CHECKING:
    from haystack_integrations.components.preprocessors.answer_selection.backend import ParserBackend
    from haystack_integrations.components.rankers.answer_selection.models.tree_collator import TreeCollator

logger = logging.getLogger(__name__)


@component
class TreeAggregationRanker(NeuralRanker):
    """
    Ranks documents by a tree aggregation transformer over a pretrained encoder.

    Query and document are read together as one sequence, and then span by span up their parse trees (Mrini, Farcas and
    Nakashole 2021, "Recursive Tree-Structured Self-Attention for Answer Sentence Selection").

    Trees are in the metadata, under `parse_tree`: the document's, where `ConstituencyParser` puts them when documents
    are indexed, and the query's in `query_meta`. What comes without one is parsed, which takes time, once: its tree is
    kept for the queries that follow.

    It has no default model: train one, or name one.

    Usage example:
    ```python
    from haystack import Document
    from haystack_integrations.components.rankers.answer_selection import TreeAggregationRanker

    ranker = TreeAggregationRanker(model="runs/tree_aggregation/model")
    tree = "(ROOT (S (NP (DT A) (NN card)) (VP (VBZ costs) (NP (CD two) (NNS dollars))) (. .)))"
    documents = [Document(content="A card costs two dollars.", meta={"parse_tree": tree})]
    result = ranker.run(query="What is a card?", documents=documents)
    print(result["documents"][0].content)
    ```
    """

    model_type: ClassVar[str] = "tree_aggregation"
    answer_meta_fields: ClassVar[tuple[str, ...]] = (TREE_FIELD,)

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
        vector_meta_field: str | None = None,
        strict_vectors: bool = False,
        answer_cache_mib: float = 128.0,
        corenlp_url: str | None = None,
        strict_trees: bool = False,
    ) -> None:
        """
        Creates the component; the model is loaded by `warm_up` or the first run.

        :param model: A model folder, or the name of a model on the Hugging Face hub.
        :param device: Where the model runs. None is the first accelerator that is there, else the CPU, found out at
            warm-up.
        :param token: The hub's token, for private models.
        :param revision: The hub model's branch, tag or commit.
        :param top_k: The most documents to return per query.
        :param score_threshold: The least final score (0 to 1) of a returned document.
        :param retriever_weight: How much of the retriever's score is mixed in; 0.0 is the model alone. None is the
            weight that the model's configuration names.
        :param meta_fields_to_embed: Metadata whose values are put in front of the content before scoring; trees have to
            be of all of that text.
        :param embedding_separator: What stands between those values and the content.
        :param batch_size: How many pairs go through the model at once.
        :param dtype: `float32`, `float16` or `bfloat16`, for all but the head, which stays in `float32`. None is
            the type that the model was saved in.
        :param vector_meta_field: As of any neural ranker; this model's answers have no vectors of their own.
        :param strict_vectors: The same.
        :param answer_cache_mib: How many MiB of trees that it had to parse are kept for texts that are seen again; 0 is
            none.
        :param corenlp_url: The address of the CoreNLP server that parses what comes without a tree. None is the offline
            approximation: chunks, and no more.
        :param strict_trees: Whether a document or query without a tree is an error.
        :raises ValueError: As for any neural ranker: if a number is out of its range, `dtype` is unknown, `device` is
            not a single `ComponentDevice`, or `model` is None.
        """
        # Haystack's decorator makes a new class of this one, which `super` does not know.
        NeuralRanker.__init__(
            self,
            model=model,
            device=device,
            token=token,
            revision=revision,
            top_k=top_k,
            score_threshold=score_threshold,
            retriever_weight=retriever_weight,
            meta_fields_to_embed=meta_fields_to_embed,
            embedding_separator=embedding_separator,
            batch_size=batch_size,
            dtype=dtype,
            vector_meta_field=vector_meta_field,
            strict_vectors=strict_vectors,
            answer_cache_mib=answer_cache_mib,
        )
        self.corenlp_url = corenlp_url
        self.strict_trees = strict_trees

    def to_dict(self) -> dict[str, Any]:
        """
        Serializes the component to a dictionary.

        :returns: A dictionary for `from_dict`.
        """
        data = NeuralRanker.to_dict(self)
        data["init_parameters"] |= {"corenlp_url": self.corenlp_url, "strict_trees": self.strict_trees}
        return data

    def score_pairs(self, records: Sequence[Record]) -> Scores:
        """
        Scores pairs of query and answer, without documents around them; see :meth:`NeuralRanker.score_pairs`.

        :param records: Pairs; those of one query stand together. What has no tree is parsed, unless trees are strict.
        :returns: The model's log-odds, in the order of `records`, [n_pairs].
        :raises TreeError: If a tree cannot be read or is another text's, or there is none and trees are strict.
        """
        return NeuralRanker.score_pairs(self, self._with_trees(records))

    def explain_pairs(self, records: Sequence[Record]) -> list[PairExplanation]:
        """
        Says what the model weighs in pairs, without documents around them; see :meth:`NeuralRanker.explain_pairs`.

        :param records: Pairs; those of one query stand together. What has no tree is parsed, unless trees are strict.
        :returns: One explanation a pair, in their order.
        :raises TreeError: If a tree cannot be read or is another text's, or there is none and trees are strict.
        """
        return NeuralRanker.explain_pairs(self, self._with_trees(records))

    def _records(self, query: str, query_meta: Mapping[str, Any], documents: Sequence[Document]) -> list[Record]:
        """See `AnswerSelectionRanker`; here it is still known whose a wrong tree is."""
        records = NeuralRanker._records(self, query, query_meta, documents)
        if records:
            self._check("the query", query, query_meta)
        for document, record in zip(documents, records, strict=True):
            self._check(f"document '{document.id}'", record.answer, record.meta)
        return records

    def _check(self, whose: str, text: str, meta: Mapping[str, Any]) -> None:
        if meta.get(TREE_FIELD) is None:
            if self.strict_trees:
                msg = f"{whose} has no parse tree; strict_trees expects one under '{TREE_FIELD}' in its metadata"
                raise TreeError(msg)
            return
        try:
            self._collator.read_tree(text, meta[TREE_FIELD])
        except TreeError as error:
            msg = f"{whose} has a parse tree in '{TREE_FIELD}' that is not its text's: {error}"
            if self.meta_fields_to_embed:
                fields = ", ".join(self.meta_fields_to_embed)
                msg += f" (meta_fields_to_embed, {fields}, stand in front of the text: the tree has to be of them, "
                msg += "too, as `answer-selection parse --meta-field` makes it)"
            raise TreeError(msg) from error

    def _with_trees(self, records: Sequence[Record]) -> Sequence[Record]:
        """The records, those without a tree with what the parser says of the part that the model reads."""
        queries = {r.query for r in records if r.query_meta.get(TREE_FIELD) is None}
        answers = {r.answer for r in records if r.meta.get(TREE_FIELD) is None}
        if not queries | answers:
            return records
        if self.strict_trees:
            missing = f"the answer {min(answers)[:40]!r}" if answers else f"the query {min(queries)[:40]!r}"
            msg = f"{missing} has no parse tree; strict_trees expects one under '{TREE_FIELD}' in its metadata"
            raise TreeError(msg)
        parts = {text: self._collator.read_part(text) for text in sorted(queries | answers)}
        trees = dict(zip(parts.values(), self._cache.get([*parts.values()]), strict=True))
        if new := {part for part, tree in trees.items() if tree is None}:
            parser = self._parser()
            for part, tree in parser.stream(sorted(new)):
                trees[part] = tree
                self._cache.put(part, tree)
            parsed = {text for text, part in parts.items() if part in new}
            log = logger.warning if answers & parsed else logger.info
            log(
                "{answers} of {all_answers} answers and {queries} of {all_queries} queries had no parse tree and were "
                "parsed by {parser}",
                answers=len(answers & parsed),
                all_answers=len({record.answer for record in records}),
                queries=len(queries & parsed),
                all_queries=len({record.query for record in records}),
                parser=parser.name,
            )
        return [self._completed(record, parts, trees) for record in records]

    def _completed(self, record: Record, parts: Mapping[str, str], trees: Mapping[str, str | None]) -> Record:
        """A record with a tree on both sides; a side that has none becomes the part of it that was parsed."""
        if record.query_meta.get(TREE_FIELD) is None:
            query = parts[record.query]
            record = replace(record, query=query, query_meta={**record.query_meta, TREE_FIELD: trees[query]})
        if record.meta.get(TREE_FIELD) is None:
            answer = parts[record.answer]
            record = replace(record, answer=answer, meta={**record.meta, TREE_FIELD: trees[answer]})
        return record

    @property
    def _collator(self) -> "TreeCollator":
        from haystack_integrations.components.rankers.answer_selection.models.tree_collator import TreeCollator

        collator = self._warm().collator
        assert isinstance(collator, TreeCollator)
        return collator

    def _parser(self) -> "ParserBackend":
        from haystack_integrations.components.preprocessors.answer_selection.corenlp import CoreNLPBackend
        from haystack_integrations.components.preprocessors.answer_selection.shallow import ShallowBackend

        return ShallowBackend() if self.corenlp_url is None else CoreNLPBackend(self.corenlp_url)
