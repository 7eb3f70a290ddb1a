# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Fine-tuning the encoder of an index's vectors, and keeping it only where hybrid retrieval is better with it."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

from answer_selection.indexing.artifact import Artifact, changed, text_digest
from answer_selection.indexing.candidates import read_candidates
from answer_selection.indexing.corpus import Query
from answer_selection.indexing.corpus_index import CorpusIndex
from answer_selection.indexing.encoder import TextEncoder, entry_text
from answer_selection.indexing.negatives import ANSWER_TEXT_ALONE, HybridSearch
from answer_selection.indexing.progress import Progress
from answer_selection.indexing.text.sameness import sameness
from answer_selection.pipelines.training.index_encoder import load_encoder_of
from answer_selection.pipelines.training.mining import SEARCHED, mine_training
from answer_selection.pipelines.training.other_vectors import OtherVectors
from answer_selection.pipelines.training.questions import Questions, split_questions
from answer_selection.pipelines.training.run_folder import ENCODER, LISTS
from haystack_integrations.components.embedders.answer_selection.tuning.card import write_tuning_card
from haystack_integrations.components.embedders.answer_selection.tuning.pairs import Pair, Text
from haystack_integrations.components.embedders.answer_selection.tuning.settings import TuningSettings
from haystack_integrations.components.embedders.answer_selection.tuning.tuner import tune
from haystack_integrations.components.rankers.answer_selection.encoders.encoder_folder import find_folder
from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder
from haystack_integrations.components.rankers.answer_selection.training.model_card import DataSource, card_of
from haystack_integrations.components.rankers.answer_selection.training.processes import refuse_several
from haystack_integrations.components.rankers.answer_selection.training.training_result import FEWEST_QUESTIONS


@dataclass(frozen=True, slots=True)
class Retrieval:
    """
    How well hybrid retrieval finds the answers of questions.

    :param p_at_1: The part of the questions with a right answer in the first place.
    :param mrr: Their mean reciprocal rank.
    """

    p_at_1: float
    mrr: float

    def better_than(self, other: "Retrieval") -> bool:
        """
        Say whether it is better: the reciprocal rank higher, and not fewer right answers in the first place.

        :param other: What it is compared with.
        :returns: Whether it is; equal is not.
        """
        return self.mrr > other.mrr and self.p_at_1 >= other.p_at_1

    def __str__(self) -> str:
        """Give both figures."""
        return f"P@1 {self.p_at_1:.4f}, MRR {self.mrr:.4f}"


@dataclass(frozen=True, slots=True)
class EncoderTuning:
    """
    What came of fine-tuning an index's encoder.

    :param encoder: The name of the encoder that was fine-tuned.
    :param index: The index as it is to be searched: with the new vectors if the tuned encoder is kept.
    :param folder: The tuned encoder's folder; None if the old one stays.
    :param questions: Questions that both were compared on.
    :param before: Hybrid retrieval with the old vectors; None if it was not measured.
    :param after: The same with the new ones.
    """

    encoder: str
    index: CorpusIndex
    folder: Path | None
    questions: int
    before: Retrieval | None = None
    after: Retrieval | None = None

    def verdict(self) -> str:
        """Say plainly what came out."""
        if self.before is None:
            return (
                f"The encoder {self.encoder} stays: {self.questions} held-out questions are too few to tell whether a "
                f"tuned one is better; expected at least {FEWEST_QUESTIONS}. Name real ones with --validation."
            )
        figures = (
            f"on {self.questions} held-out questions hybrid retrieval has {self.after} with the tuned one, "
            f"{self.before} with {self.encoder}"
        )
        if self.folder is None:
            return f"The encoder {self.encoder} stays: {figures}. MRR must be higher, and P@1 no lower."
        return f"The tuned encoder is kept: {figures}."


def tune_encoder(
    index: CorpusIndex,
    output: Path,
    settings: TuningSettings,
    progress: Progress,
    *,
    queries: list[Query] | None = None,
    validation: list[Query] | None = None,
    licence: str = "not stated",
) -> EncoderTuning:
    """
    Fine-tune the encoder of an index's vectors on the index's questions, into the folder `encoder` of a run.

    The entries' own questions are held against the answers, since an entry's text begins with its question. Queries
    that are given are held against the entries' texts, as retrieval does. What is held out is the same as for a ranker
    that is trained with the same arguments. A killed run goes on where it was; a finished one is left as it is.

    :param index: The index. Nothing is written into it.
    :param output: The run's folder.
    :param settings: How to train.
    :param progress: Shows progress.
    :param queries: Queries to learn from, beside the corpus's own questions.
    :param validation: Real queries that decide; by default held-out ones do.
    :param licence: The data's licence, for the card.
    :returns: What came of it.
    :raises ValueError: If the index has no vectors, their encoder can't be trained, or several processes were started.
    :raises FileExistsError: If the folder holds an encoder that was tuned on something else.
    """
    refuse_several()
    encoder = load_encoder_of(index)
    if encoder is None:
        msg = f"the index {index.label} has no vectors of a known encoder, so there is none to fine-tune: index the "
        msg += "corpus with --encoder NAME"
        raise ValueError(msg)
    questions = split_questions(index, queries=queries, validation=validation, seed=settings.seed)
    asked = [query for query in questions.validation if query.relevant]
    found = EncoderTuning(encoder.record.name, index, None, len(asked))
    if len(asked) < FEWEST_QUESTIONS:
        return found
    pairs = list(_pairs(index, encoder, questions, output / LISTS / ENCODER, settings, progress))
    made = Artifact(output / ENCODER, output / LISTS / ENCODER / "result.json")
    inputs = settings.to_dict() | {
        "encoder": encoder.record.fingerprint,
        "questions": text_digest(f"{query.query}\0{' '.join(query.relevant)}" for query in asked),
        "pairs": text_digest(text for pair in pairs for text in (pair.question, pair.right.text)),
    }
    recorded = made.recorded()
    if recorded is not None and (names := changed(recorded, inputs)):
        msg = f"{made.path} was tuned on something else, or otherwise (other {', '.join(names)}): overwrite=True "
        msg += "starts anew"
        raise FileExistsError(msg)

    # To encode a corpus may take hours: what is searched to compare is what the ranker is trained behind.
    @cache
    def tuned() -> CorpusIndex:
        return OtherVectors(index, SentenceEncoder.load(made.path), progress)

    if recorded is None:

        def measured(one: TextEncoder, search: Callable[[], CorpusIndex]) -> Retrieval:
            if questions.real:
                return _measure(search(), one, questions, asked)
            # The entries' own questions search the answers alone.
            return _measure(OtherVectors(index, one, progress, answers_alone=True), one, questions, asked)

        def finish(_: object) -> None:
            before, after = measured(encoder, lambda: index), measured(SentenceEncoder.load(made.path), tuned)
            result = replace(found, folder=made.path, before=before, after=after)
            if after.better_than(before):
                sources = [_source(encoder), DataSource(index.label, licence, index.location, "fine-tuning")]
                write_tuning_card(made.path, settings, len(pairs), result.verdict(), sources)
            made.write_record({**inputs, "before": asdict(before), "after": asdict(after)})

        tune(encoder.record.name, pairs, made.path, settings, progress, finish=finish)
        recorded = made.recorded()
        assert recorded is not None
    before, after = (Retrieval(**recorded[name]) for name in ("before", "after"))
    found = replace(found, before=before, after=after)
    if not after.better_than(before):
        shutil.rmtree(made.path, ignore_errors=True)
        return found
    return replace(found, folder=made.path, index=tuned())


def refuse_own_encoder(index: CorpusIndex, output: Path) -> None:
    """
    Make sure that overwriting a run's folder does not take away the encoder of the index that is learned from.

    :param index: The index.
    :param output: The folder.
    :raises ValueError: If its encoder is in there.
    """
    record = getattr(index, "encoder", None)
    folder = output / ENCODER
    if record is not None and folder.is_dir() and Path(record.name).resolve() == folder.resolve():
        msg = f"the vectors of the index {index.label} are of the encoder in {folder}, which overwriting would remove: "
        msg += "name another folder for the model"
        raise ValueError(msg)


def _pairs(
    index: CorpusIndex,
    encoder: TextEncoder,
    questions: Questions,
    folder: Path,
    settings: TuningSettings,
    progress: Progress,
) -> Iterator[Pair]:
    """What is learned from, with hard negatives of hybrid retrieval as it is."""

    def mined(queries: Sequence[Query], name: str, *, own: bool) -> Path:
        mine_training(
            index,
            list(queries),
            folder / name,
            progress,
            negatives=settings.hard_negatives,
            keep_top=settings.hard_negatives,
            seed=settings.seed,
            held_out=questions.held_out,
            fields=ANSWER_TEXT_ALONE if own else index.search_fields,
            hybrid=HybridSearch(encoder, own_questions=own, passages=index.has_passages),
        )
        return folder / name

    # A corpus of sentences has no questions of its own.
    if own := questions.own_questions():
        yield from _pairs_of(mined(own, "own.jsonl", own=True), None)
    if not questions.own:
        yield from _pairs_of(mined(questions.learned, "queries.jsonl", own=False), questions)


def _pairs_of(lists: Path, questions: Questions | None) -> Iterator[Pair]:
    """The pairs of mined lists: with the entries' texts where questions are given, else with the answers alone."""
    for one in read_candidates(lists):
        asked = sameness(one.query)

        def text(id_: str, answer: str) -> str:
            own = None if questions is None else questions.entries.get(id_)
            # A text that begins with the query would teach nothing.
            return entry_text(None if own is None or sameness(own) == asked else own, answer)  # noqa: B023

        texts = [
            (each.label > 0, Text(text(each.candidate_id, each.answer), sameness(each.answer)))
            for each in one.candidates
        ]
        right = [each for label, each in texts if label]
        answers = frozenset(each.answer for each in right)
        wrong = [each for label, each in texts if not label]
        yield from (Pair(one.query, each, answers, wrong) for each in right)


def _measure(search: CorpusIndex, encoder: TextEncoder, questions: Questions, asked: Sequence[Query]) -> Retrieval:
    """
    Search by BM25 and by an encoder's vectors, with the usual weight.

    Held-out questions find held-out entries alone: a right answer must have the same past as the wrong ones beside it.
    """
    fields = search.search_fields if questions.real else ANSWER_TEXT_ALONE
    texts = [query.query for query in asked]
    found = search.search_hybrid(texts, encoder.encode(texts).tolist(), SEARCHED, fields)
    ranks: list[int | None] = []
    for query, hits in zip(asked, found, strict=True):
        apart = questions.held_out.issuperset(query.relevant)
        right = {questions.answers[id_] for id_ in query.relevant if id_ in questions.answers}
        among = [hit.id for hit in hits if (hit.id in questions.held_out) is apart]
        places = (place for place, id_ in enumerate(among, start=1) if questions.answers.get(id_) in right)
        ranks.append(next(places, None))
    return Retrieval(
        sum(rank == 1 for rank in ranks) / len(ranks), sum(1 / rank for rank in ranks if rank) / len(ranks)
    )


def _source(encoder: TextEncoder) -> DataSource:
    """Describe an encoder for a card, with the licences that its own names."""
    name = encoder.record.name
    # A folder's place says nothing to others.
    shown = Path(name).name if Path(name).is_dir() else name
    licence = card_of(find_folder(name, None, None), "").licence
    return DataSource(shown, licence, f"fingerprint {encoder.record.fingerprint}", "the encoder that was fine-tuned")
