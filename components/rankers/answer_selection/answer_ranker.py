# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The ranker that runs a model of any type."""

import math
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
from haystack import Document, component, default_to_dict, logging
from haystack.utils import ComponentDevice, Secret
from numpy.typing import NDArray

from answer_selection.indexing.encoder import FINGERPRINT_FIELD, is_vector_fingerprint
from answer_selection.indexing.fusion import has_cosine
from answer_selection.indexing.in_thread import in_thread
from answer_selection.indexing.ranking_fields import RANKER_PROBABILITY
from answer_selection.indexing.text.tree import TREE_FIELD
from answer_selection.indexing.word_states import WORDS_FIELD
from haystack_integrations.components.rankers.answer_selection.answer_risk import (
    COMMAND,
    AnswerRisk,
    AnswerRiskError,
    certainty,
    log_odds_of,
    probabilities,
)
from haystack_integrations.components.rankers.answer_selection.base import SIGNALS_FIELD, AnswerSelectionRanker
from haystack_integrations.components.rankers.answer_selection.candidate_scores import CandidateScores
from haystack_integrations.components.rankers.answer_selection.explanation import PairExplanation, explain
from haystack_integrations.components.rankers.answer_selection.mixing import (
    Scores,
    heard,
    mix,
    retriever_scores,
    sigmoid,
    step_back,
)
from haystack_integrations.components.rankers.answer_selection.model_component import LoadedModel, ModelComponent
from haystack_integrations.components.rankers.answer_selection.models.model_folder import GSAMN, PACKAGED
from haystack_integrations.components.rankers.answer_selection.models.record import Record, StoredVector
from haystack_integrations.components.rankers.answer_selection.own_question import LEAD, own_question
from haystack_integrations.components.rankers.answer_selection.parse_trees import ParseTrees
from haystack_integrations.components.rankers.answer_selection.signals import (
    SCORES,
    SIGNALS,
    UNREAD,
    leads,
    same_text,
    weighed,
    weights_of,
    worth_reading,
)
from haystack_integrations.components.rankers.answer_selection.stored_vectors import (
    VectorPlace,
    answer_fingerprint,
    problem,
    warning,
)
from haystack_integrations.components.rankers.answer_selection.text_cache import TextCache

logger = logging.getLogger(__name__)

# The types that a ranker needs no model for.
_WITH_DEFAULT: Final = (None, "ctrn", "gsamn")
# The model's column of what signals add.
_MODEL: Final = SIGNALS.index("model")
# Where a document keeps its own question.
_QUESTION: Final = "question"


@component
class AnswerRanker(ModelComponent, AnswerSelectionRanker):
    """
    Ranks documents by a model, of any type of this package.

    Without `model` it runs the GSAMN that comes with the package, which reads the few candidates that all else puts
    first. "answer-selection-ctrn" is the package's CTRN: quicker, and less often right. A folder of
    sentence-transformers' `CrossEncoder`, or its name on the hub, is read as it is.

    The final score is `sigmoid(logit + retriever_weight * normalised retriever score)`. A model whose configuration
    says so (`signals`), such as the package's own, instead weighs all that is known of a candidate where no
    `retriever_weight` is given: BM25's score, the cosine, the words in common and the length (see `signals.py`). Where
    documents do not come from this package's hybrid retrieval, it finds BM25's score among them and encodes them by the
    package's sentence encoder for the cosine. That takes as long as a small cross-encoder, once for each text: the
    vectors are kept. The retriever's own score is one more signal. The final score is then the probability by all of
    them that this candidate is right and no other, and `ranker_signals` in the metadata says by how much each puts it
    above the mean of all, in log-odds. `ranker_probability` in the metadata is the same; without signals, the model's
    own probability. A model that did not improve on the retriever's order when it was trained says so in its
    configuration (`retriever_order`): its logits' mean then takes the place of each, which keeps that order, unless
    `retriever_weight` is given. A model of words that knows few of those of query and candidates, because they are
    of another language for example, counts for less beside the retriever's score, likewise.

    If the query is a document's own question word for word, and `meta_fields_to_embed` names `question`, that document
    is put ahead among these signals, by 4 log-odds (`own_question.py`).

    Where the model encodes answers apart from the question, each is encoded once a call, and kept in a cache. Where
    that encoding is one vector, a vector that `AnswerEncoder` wrote into a document is used instead, if its fingerprint
    says that it is this model's for this very text.

    Where the model reads scores of retrieval, they are in the metadata, under `vector_score` and `bm25_score`, where
    `TantivyHybridRetriever` puts them; to the model a score that is not there is 0.

    Where the model reads parse trees, they are in the metadata, under `parse_tree`: the document's, where
    `ConstituencyParser` puts them when documents are indexed, and the query's in `query_meta`. What comes without one
    is parsed, which takes time, once: its tree is kept for the queries that follow.

    With `answer_risk` it keeps silent where it is not sure enough: `documents` is then empty, `abstained` is True, and
    the closest answers are in `closest_documents`. It needs a model that was calibrated for that risk by
    `answer-selection train --answer-risk`. That at most this share of the answers given is wrong holds for questions
    like those of the calibration, behind the same retrieval.

    Usage example:
    ```python
    from haystack import Document
    from haystack_integrations.components.rankers.answer_selection import AnswerRanker

    ranker = AnswerRanker(top_k=2)
    documents = [
        Document(content="The reading room closes at 8 p.m. on weekdays."),
        Document(content="A lost card is replaced at any desk for two dollars."),
    ]
    result = ranker.run(query="When does the reading room close?", documents=documents)
    print(result["documents"][0].content)
    ```
    """

    default_model: ClassVar[Path] = PACKAGED[GSAMN]
    # The one type of model that a ranker named after it runs; None is any.
    only_model_type: ClassVar[str | None] = None
    dtypes: ClassVar[tuple[str, ...]] = (*ModelComponent.dtypes, "int8")

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
        rerank_top_k: int | None = None,
        answer_risk: float | None = None,
    ) -> None:
        """
        Creates the component; the model is loaded by `warm_up` or the first run.

        :param model: A model folder, "answer-selection-gsamn" or "answer-selection-ctrn" for those that come with the
            package, or the name of a model on the Hugging Face hub. None is that GSAMN, for `CTRNRanker` that CTRN;
            rankers named after other models have none.
        :param device: Where the model runs. None is the first accelerator that is there, else the CPU, found out at
            warm-up.
        :param token: The hub's token, for private models.
        :param revision: The hub model's branch, tag or commit.
        :param top_k: The most documents to return per query.
        :param score_threshold: The least final score (0 to 1) of a returned document.
        :param retriever_weight: How much of the retriever's score is mixed in; 0.0 is the model alone. None is what the
            model's configuration names: a weight, or all signals. Name 0.0 where a threshold is to hold for texts that
            are given one by one: most signals compare the candidates of a query, and tell nothing of a single one.
        :param meta_fields_to_embed: Metadata whose values are put in front of the content before scoring. A model that
            was trained on answers alone should be measured before `question` is named here.
        :param embedding_separator: What stands between those values and the content.
        :param batch_size: How many pairs go through the model at once.
        :param dtype: `float32`, `float16`, `bfloat16` or `int8`, for all but the head, which stays in `float32`. None
            is the type that the model was saved in. `int8` is for models over a pretrained encoder, on a CPU: the
            encoder's linear layers multiply in 8 bits, scores change a little, and a pair's score still depends on the
            pair alone. Where the CPU cannot, the model runs in `float32`, with one warning.
        :param vector_meta_field: The metadata key where `AnswerEncoder` wrote the answers' vectors. None is
            `Document.embedding`.
        :param strict_vectors: Whether a document without a vector that the model can use is an error. Otherwise its
            answer is encoded as it comes, with one warning if it brings a vector of another model or text.
        :param answer_cache_mib: How many MiB of answers' encodings, or of trees that had to be parsed, are kept for
            texts that are seen again; 0 is none. As many again hold what the sentence encoder has read, about 15 KiB
            a text of a hundred words.
        :param corenlp_url: The address of the CoreNLP server that parses what comes without a tree, for a model that
            reads trees. None is the offline approximation: chunks, and no more.
        :param strict_trees: Whether a document or query without a tree is an error.
        :param rerank_top_k: How many documents of each query the model reads. Where all signals are weighed, they are
            those that the other signals put first; the others get the lowest logit, and at most -2. None is what the
            model's configuration names there: a number, and how far behind the first a document may be. Otherwise they
            are the first ones, the others keep their order below, with scores that fall from the lowest of those to 0,
            and None is all.
        :param answer_risk: The most that may be wrong of the answers given, such as 0.05: answers that are not sure
            enough are not given. None gives all.
        :raises ValueError: If `top_k`, `rerank_top_k` or `batch_size` is not greater than 0, `answer_risk` is not
            between 0 and 1, `dtype` is unknown,
            `device` is not a single `ComponentDevice`, `vector_meta_field` is the empty string, `answer_cache_mib` is
            not a number of at least 0, or `model` is None and the ranker has no default model.
        """
        AnswerSelectionRanker.__init__(
            self,
            top_k=top_k,
            score_threshold=score_threshold,
            meta_fields_to_embed=meta_fields_to_embed,
            embedding_separator=embedding_separator,
        )
        if model is None and self.only_model_type not in _WITH_DEFAULT:
            msg = f"{type(self).__name__} has no default model; pass model=, a folder or the name of a model on the hub"
            raise ValueError(msg)
        ModelComponent.__init__(
            self, model=model, device=device, token=token, revision=revision, batch_size=batch_size, dtype=dtype
        )
        if not 0 <= answer_cache_mib < float("inf"):
            msg = f"answer_cache_mib must be a number of at least 0, but got {answer_cache_mib}"
            raise ValueError(msg)
        if rerank_top_k is not None and rerank_top_k <= 0:
            msg = f"rerank_top_k must be > 0 or None, but got {rerank_top_k}"
            raise ValueError(msg)
        if answer_risk is not None and not 0 < answer_risk < 1:
            msg = f"answer_risk must be between 0 and 1, or None, but got {answer_risk}"
            raise ValueError(msg)
        _check_weight(retriever_weight)
        self.rerank_top_k = rerank_top_k
        self.answer_risk = answer_risk
        self.retriever_weight = retriever_weight
        self.vector_meta_field = vector_meta_field
        self.strict_vectors = strict_vectors
        self.answer_cache_mib = answer_cache_mib
        self.corenlp_url = corenlp_url
        self.strict_trees = strict_trees
        self._place = VectorPlace(vector_meta_field)
        self._cache: TextCache[Any] = TextCache(int(answer_cache_mib * 2**20))
        self._scores = CandidateScores(self.device, int(answer_cache_mib * 2**20))
        self._warned = False
        self._warned_of_scores = False

    def to_dict(self) -> dict[str, Any]:
        """
        Serializes the component to a dictionary.

        :returns: A dictionary for `from_dict`. A device that was not given is not pinned to the one that was found.
        """
        return default_to_dict(
            self,
            **self._parameters(),
            top_k=self.top_k,
            score_threshold=self.score_threshold,
            retriever_weight=self.retriever_weight,
            meta_fields_to_embed=self.meta_fields_to_embed,
            embedding_separator=self.embedding_separator,
            vector_meta_field=self.vector_meta_field,
            strict_vectors=self.strict_vectors,
            answer_cache_mib=self.answer_cache_mib,
            corenlp_url=self.corenlp_url,
            strict_trees=self.strict_trees,
            rerank_top_k=self.rerank_top_k,
            answer_risk=self.answer_risk,
        )

    @property
    def model_type(self) -> str:
        """The type of the model, which is loaded for it: `ctrn`, for example."""
        return str(self._warm().model.config.model_type)

    @property
    def keeps_order(self) -> bool:
        """Whether the model, which is loaded for it, leaves the retriever's order as it is unless a weight is named."""
        return bool(self._warm().model.config.retriever_order)

    def close(self) -> None:
        """Frees the model and what the cache keeps. A later run loads the model again."""
        # Not super(): @component makes the class anew, and super() still means the one that was decorated.
        ModelComponent.close(self)
        self._cache.clear()
        self._scores.close()

    def score_pairs(self, records: Sequence[Record]) -> Scores:
        """
        Scores pairs of query and answer, without documents around them.

        Pairs of similar length share a batch, and equal pairs are scored once, so that equal texts have equal scores.
        Where an answer is read in pieces, the best one counts.

        :param records: Pairs; those of one query stand together, so that a batch encodes the query once.
        :returns: The model's log-odds, in the order of `records`, [n_pairs].
        :raises TreeError: If the model reads trees, and one cannot be read or is another text's, or there is none and
            trees are strict.
        """
        import torch

        from haystack_integrations.components.rankers.answer_selection.answers_apart import ApartScorer
        from haystack_integrations.components.rankers.answer_selection.whole_pairs import score_in_pieces

        loaded, records = self._warm(), self._with_trees(records)
        model, collator = loaded.model, loaded.collator
        with torch.inference_mode():
            if model.answers_apart:
                return ApartScorer(model, collator, self.batch_size, self._cache, self.strict_vectors).score(records)
            return score_in_pieces(model, collator, records, self.batch_size)

    def explain(
        self, query: str, documents: Sequence[Document], *, query_meta: Mapping[str, Any] | None = None
    ) -> list[PairExplanation]:
        """
        Says what the model weighs in a question and each of its candidates.

        :param query: The question.
        :param documents: The candidates.
        :param query_meta: What else is known of the query, for models that use it.
        :returns: One explanation a document, in their order.
        """
        return self.explain_pairs(self._records(query, query_meta or {}, documents))

    def explain_pairs(self, records: Sequence[Record]) -> list[PairExplanation]:
        """
        Says what the model weighs in pairs, without documents around them.

        :param records: Pairs; those of one query stand together.
        :returns: One explanation a pair, in their order.
        :raises TreeError: If the model reads trees, and one cannot be read or is another text's, or there is none and
            trees are strict.
        """
        import torch

        with torch.inference_mode():
            return explain(self._warm(), self._with_trees(records), self.batch_size)

    @component.output_types(
        documents=list[Document],
        abstained=bool,
        best_probability=float | None,
        certainty=float | None,
        closest_documents=list[Document],
    )
    def run(
        self,
        query: str,
        documents: list[Document],
        *,
        top_k: int | None = None,
        score_threshold: float | None = None,
        retriever_weight: float | None = None,
        query_meta: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """
        Ranks documents by how well they answer the query.

        :param query: The question.
        :param documents: The candidates, in the retriever's order, with its scores where it has any.
        :param top_k: The most documents to return.
        :param score_threshold: The least final score of a returned document.
        :param retriever_weight: How much of the retriever's score is mixed in; 0.0 is the model alone.
        :param query_meta: What else is known of the query, for models that use it.
        :returns: A dictionary with `documents`, highest score first; `abstained`, whether the best of them was too
            unsure for `answer_risk`, so that they are in `closest_documents` instead; `best_probability`, the
            probability that the best one is right, None without documents or if the model is not calibrated; and
            `certainty`, how far the best one is ahead of the others, between 0 and 1, None without documents. It is no
            probability: among documents that all are wrong, one can be far ahead.
        :raises ValueError: If `top_k` is not greater than 0, an incoming score is not finite, the model cannot be
            loaded, or it is not calibrated for `answer_risk` and these documents.
        :raises TypeError: If `query` is no text, or `documents` no list of documents.
        """
        ranked = self.run_batch(
            [query],
            [documents],
            top_k=top_k,
            score_threshold=score_threshold,
            retriever_weight=retriever_weight,
            query_metas=[query_meta],
        )
        return {name: values[0] for name, values in ranked.items()}

    run_async = in_thread(run)

    def run_batch(
        self,
        queries: Sequence[str],
        documents: Sequence[Sequence[Document]],
        *,
        top_k: int | None = None,
        score_threshold: float | None = None,
        retriever_weight: float | None = None,
        query_metas: Sequence[Mapping[str, Any] | None] | None = None,
    ) -> dict[str, list[Any]]:
        """
        Ranks the documents of many queries in one call: batches are filled with the pairs of all of them.

        :param queries: The questions.
        :param documents: One list of candidates a query.
        :param top_k: The most documents to return per query.
        :param score_threshold: The least final score of a returned document.
        :param retriever_weight: How much of the retriever's score is mixed in; 0.0 is the model alone.
        :param query_metas: What else is known of each query, for models that use it.
        :returns: What `run` gives, each a list with one value a query in the queries' order.
        :raises ValueError: As `run`, and if there is not one list of documents (and one of `query_metas`) per query.
        """
        _check_weight(retriever_weight)
        weight = self.retriever_weight if retriever_weight is None else retriever_weight
        sure: list[float] = []
        others: deque[tuple[NDArray[np.float64], Scores]] = deque()

        def choose(candidates: Sequence[Document], records: Sequence[Record]) -> Sequence[int]:
            most, margin = self._most_read(weight)
            if not self._by_signals(weight):
                return range(len(records))[:most]
            added, own = self._weigh(candidates, records)
            others.append((added, own))
            # What the model's column holds so far is the same for all.
            return worth_reading(added.sum(axis=1) + own, most, margin)

        def combine(
            logits: Scores, candidates: Sequence[Document], records: Sequence[Record]
        ) -> tuple[Scores, dict[str, list[Any]]]:
            if self.answer_risk is not None:
                self._calibrated().check_ranking(self.ranked_by(candidates, weight))
            texts = [same_text(record.answer) for record in records]
            if self._by_signals(weight):
                added, own = others.popleft()
                added[:, _MODEL] *= np.where(np.isnan(logits), min(np.nanmin(logits), UNREAD), logits)
                log_odds = added.sum(axis=1) + own
                final = probabilities(log_odds, texts)
                sure.append(certainty(log_odds, texts))
                return final, {RANKER_PROBABILITY: final.tolist(), SIGNALS_FIELD: leads(added, own)}
            final = self._mixed(logits, candidates, records, weight)
            sure.append(certainty(log_odds_of(final), texts))
            read = sigmoid(logits[~np.isnan(logits)]).tolist()
            return final, {RANKER_PROBABILITY: [*read, *[None] * (len(logits) - len(read))]}

        ranked = self._rerank(
            queries,
            documents,
            top_k=top_k,
            score_threshold=score_threshold,
            query_metas=query_metas,
            combine=combine,
            choose=choose,
        )
        told = iter(sure)
        certain = [next(told) if candidates else None for candidates in documents]
        best = [self._probability(one) for one in certain]
        silent = [self._abstains(probability) for probability in best]
        return {
            "documents": [[] if abstained else found for found, abstained in zip(ranked, silent, strict=True)],
            "abstained": silent,
            "best_probability": best,
            "certainty": [None if one is None else float(sigmoid(np.array(one))) for one in certain],
            "closest_documents": [found if abstained else [] for found, abstained in zip(ranked, silent, strict=True)],
        }

    def _weigh(self, candidates: Sequence[Document], records: Sequence[Record]) -> tuple[NDArray[np.float64], Scores]:
        """
        Weighs what is known of one query's candidates beside the model.

        :returns: What each signal adds, where the model's logit is 1, and what is added to a candidate whose own
            question the query is, or taken off a blank one.
        """
        loaded = self._warm()
        # The model was calibrated on candidates as they are given; the signals read the query as they spell it.
        records, hybrid = self._scores.complete(records)
        if hybrid:
            self._warn_of_scores(records)
        share = heard(loaded.collator.known_share(records))
        retrieved, weight = retriever_scores(candidates), loaded.model.config.signal_weight
        added = weighed(records, np.ones(len(records)), retrieved, share, weight, hybrid=hybrid)
        beside = self._own_question(candidates, records)
        # Without a text there is no answer, whatever a model makes of it.
        beside[[not record.answer.strip() for record in records]] -= LEAD
        return added, beside

    def _mixed(
        self, logits: Scores, candidates: Sequence[Document], records: Sequence[Record], weight: float | None
    ) -> Scores:
        """
        Mixes in the retriever's scores.

        What the model did not read keeps its order below; its scores fall evenly from the lowest to 0.
        """
        loaded, count = self._warm(), len(logits) - int(np.isnan(logits).sum())
        logits, records, retrieved = logits[:count], records[:count], retriever_scores(candidates[:count])
        self._warn_of_scores(records)
        if loaded.model.config.retriever_order and weight is None:
            logits = np.full_like(logits, logits.mean())
        elif weight is None and not np.isnan(retrieved).all():
            logits = step_back(logits, loaded.collator.known_share(records))
        final, unread = mix(logits, retrieved, self._weight(weight)), len(candidates) - count
        return np.concatenate([final, final.min() * np.arange(unread, 0, -1) / (unread + 1)])

    def _most_read(self, given: float | None) -> tuple[int | None, float | None]:
        """
        How many of a query's candidates the model reads, and how far behind the first they may be; None is no limit.

        What the model's configuration names holds among signals alone.
        """
        if self.rerank_top_k is not None or not self._by_signals(given):
            return self.rerank_top_k, None
        config = self._warm().model.config
        return config.rerank_top_k, config.rerank_margin

    def _own_question(self, candidates: Sequence[Document], records: Sequence[Record]) -> Scores:
        """What a candidate is ahead by if the query is its own question, where the ranker reads these."""
        if not self._reads_questions:
            return np.zeros(len(candidates))
        return own_question(records[0].query, [one.meta.get(_QUESTION) for one in candidates])

    @property
    def _reads_questions(self) -> bool:
        return _QUESTION in (self.meta_fields_to_embed or ())

    def ranked_by(self, documents: Sequence[Document], retriever_weight: float | None = None) -> dict[str, Any]:
        """
        Say what the final scores depend on, beside the model: a calibration holds for these alone.

        :param documents: One query's candidates.
        :param retriever_weight: How much of the retriever's score is mixed in; None is the ranker's own weight.
        :returns: The values by name, in types that JSON has.
        """
        found = next((text for one in documents if isinstance(text := one.meta.get(FINGERPRINT_FIELD), str)), "")
        vectors = any(has_cosine(document.meta) for document in documents)
        retrieved = any(document.score is not None for document in documents)
        of_model = self._warm().model.config.signal_weight
        by_signals = self._by_signals(retriever_weight)
        most, margin = self._most_read(retriever_weight)
        return {
            "retriever_weight": None if by_signals else self._weight(retriever_weight),
            "signals": [dict(weights) for weights in weights_of(hybrid=vectors, retrieved=retrieved, model=of_model)]
            if by_signals
            else None,
            "own_question": LEAD if by_signals and self._reads_questions else None,
            "meta_fields_to_embed": self.meta_fields_to_embed,
            "embedding_separator": self.embedding_separator,
            "rerank_top_k": most,
            "rerank_margin": margin,
            "unread": UNREAD if by_signals and not (most is None and margin is None) else None,
            "vectors": vectors,
            "encoder": found.partition("-")[0] if is_vector_fingerprint(found) else None,
        }

    def check_retrieval(self, retrieval: Mapping[str, Any]) -> None:
        """
        Make sure that candidates are found as `answer_risk` was calibrated; without one, all is well.

        :param retrieval: The retriever's type and parameters.
        :raises ValueError: If the calibration had others, or the model cannot be loaded or is not calibrated.
        """
        if self.answer_risk is not None:
            self._calibrated().check_retrieval(retrieval)

    def _weight(self, given: float | None) -> float:
        """How much of the retriever's score is mixed in."""
        given = self.retriever_weight if given is None else given
        return float(self._warm().model.config.retriever_weight) if given is None else given

    def _by_signals(self, given: float | None) -> bool:
        """Whether all signals are weighed, because nobody named a weight for the retriever's score."""
        config = self._warm().model.config
        named = self.retriever_weight if given is None else given
        return named is None and config.signals and not config.retriever_order

    def _calibrated(self) -> AnswerRisk:
        """The model's calibration, which has a threshold for the risk."""
        calibration = self._warm().answer_risk
        assert self.answer_risk is not None
        if calibration is None:
            msg = f"answer_risk needs a calibrated model, but '{self._model_name()}' is none; this makes one: {COMMAND}"
            raise AnswerRiskError(msg)
        calibration.threshold(self.answer_risk)
        return calibration

    def _probability(self, certain: float | None) -> float | None:
        """The probability that the best document is right, if that is known."""
        if certain is None or (calibration := self._warm().answer_risk) is None:
            return None
        return calibration.probability(certain)

    def _abstains(self, probability: float | None) -> bool:
        if self.answer_risk is None:
            return False
        return probability is None or probability < self._calibrated().threshold(self.answer_risk)

    def _meta_fields(self) -> Sequence[str]:
        model = self._warm().model
        signals = (*SCORES, WORDS_FIELD) if model.config.signals else ()
        return [*([TREE_FIELD] if self._trees() else []), *{*model.retrieval_meta, *signals}]

    def _records(self, query: str, query_meta: Mapping[str, Any], documents: Sequence[Document]) -> list[Record]:
        """What the model sees of pairs. Trees are checked here, where it is still known whose a wrong one is."""
        records = AnswerSelectionRanker._records(self, query, query_meta, documents)
        if records and (trees := self._trees()):
            trees.check("the query", query, query_meta)
            for document, record in zip(documents, records, strict=True):
                trees.check(f"document '{document.id}'", record.answer, record.meta)
        return records

    def _warn_of_scores(self, records: Sequence[Record]) -> None:
        """Says once that documents lack scores of retrieval that the model reads."""
        if self._warned_of_scores:
            return
        model = self._warm().model
        # Where the retriever's score is mixed in as well, a model has it from there.
        read = () if model.config.retriever_weight else model.retrieval_meta
        if missing := [key for key in read if all(record.meta.get(key) is None for record in records)]:
            self._warned_of_scores = True
            logger.warning(
                "The model reads {keys} in the documents' metadata, but no document has it. It ranks without. Retrieve "
                "by TantivyHybridRetriever, which writes both.",
                keys=" and ".join(f"'{key}'" for key in missing),
            )

    def _trees(self) -> ParseTrees | None:
        """The trees of pairs, if the model reads some."""
        loaded = self._warm()
        if not loaded.model.reads_trees:
            return None
        return ParseTrees(loaded.collator, self._cache, self.corenlp_url, self.strict_trees, self.meta_fields_to_embed)

    def _with_trees(self, records: Sequence[Record]) -> Sequence[Record]:
        trees = self._trees()
        return records if trees is None else trees.complete(records)

    def _vectors(self, documents: Sequence[Document], texts: Sequence[str]) -> Sequence[StoredVector | None]:
        """Those vectors whose fingerprints begin with this model and with these texts."""
        loaded = self._warm()
        if loaded.model.answer_vector_size is None:
            return AnswerSelectionRanker._vectors(self, documents, texts)
        place, model = self._place, loaded.fingerprint
        vectors: list[StoredVector | None] = []
        unused: list[tuple[str, str, str]] = []
        for document, text in zip(documents, texts, strict=True):
            found, vector = place.fingerprint(document), None
            if found is not None and is_vector_fingerprint(found):
                found = None
            if found is not None or self.strict_vectors:
                expected = answer_fingerprint(model, text)
                values = place.values(document)
                if found is not None and found.startswith(expected) and values is not None:
                    vector = StoredVector(values, found, document.id)
                elif self.strict_vectors:
                    raise problem(document.id, found, expected)
                elif found is not None:
                    unused.append((document.id, found, expected))
            vectors.append(vector)
        if unused and not self._warned:
            self._warned = True
            logger.warning("{text}", text=warning(unused, len(documents)))
        return vectors

    def _model_name(self) -> str | Path:
        return self.default_model if self.model is None else self.model

    def warm_up(self) -> None:
        """
        Loads the model, once, however many threads ask.

        :raises ValueError: If the model cannot be loaded (the message says what is missing), is not one for this
            component, or was not calibrated for `answer_risk`.
        """
        self._warm()
        if self._by_signals(None):
            self._scores.warm_up()
        if self.answer_risk is not None:
            self._calibrated()

    def _check_model(self, loaded: LoadedModel, name: str | Path) -> None:
        model_type = loaded.model.config.model_type
        if self.only_model_type not in (None, model_type):
            msg = (
                f"'{name}' holds a model of the type '{model_type}', but {type(self).__name__} runs "
                f"'{self.only_model_type}'; AnswerRanker runs any"
            )
            raise ValueError(msg)
        if self.strict_trees and not loaded.model.reads_trees:
            msg = f"strict_trees asks for parse trees, but the model in '{name}' reads none"
            raise ValueError(msg)
        if self.strict_vectors and loaded.model.answer_vector_size is None:
            msg = (
                f"strict_vectors asks for answers' stored vectors, but the model in '{name}' has none: its answers' "
                "encodings depend on the question, or are no single vector"
            )
            raise ValueError(msg)


def _check_weight(retriever_weight: object) -> None:
    # NaN would make every score NaN, and none of them is above a threshold.
    if retriever_weight is None:
        return
    if not isinstance(retriever_weight, int | float) or not math.isfinite(retriever_weight):
        msg = f"retriever_weight must be a finite number or None, but got {retriever_weight!r}"
        raise ValueError(msg)
