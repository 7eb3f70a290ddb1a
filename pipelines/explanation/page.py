# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The page: one HTML file that needs nothing else, no script and no colour, on light and dark screens."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from haystack import Document
from jinja2 import Environment, StrictUndefined

from answer_selection.indexing.fusion import has_cosine
from answer_selection.indexing.ranking_fields import (
    BM25_SCORE,
    RANKER_PROBABILITY,
    RETRIEVER_RANK,
    RETRIEVER_SCORE,
    VECTOR_SCORE,
)
from answer_selection.indexing.source_link import is_url, source_link
from answer_selection.indexing.stored_entries import entry_of
from answer_selection.pipelines.explanation.explained import Explained
from answer_selection.pipelines.explanation.marks import Mark, marked, shown, strongest
from answer_selection.pipelines.explanation.tree_lines import TreeLine, tree_lines
from haystack_integrations.components.rankers.answer_selection.explanation import (
    PairExplanation,
    PairFeature,
    PairWeights,
    SpanWeight,
)

_SHORT: Final = 90
# What people know an entry by: its question, or where it comes from. An id that is a digest tells them nothing.
_TITLES: Final = ("question", "title", "source", "url", "file_path")
_SIGNALS: Final[Mapping[str, str]] = {
    "model": "the model",
    "bm25": "BM25",
    "cosine": "likeness of meaning",
    "words": "what its words mean",
    "coverage": "words of the question",
    "length": "its length",
    "retriever": "the retriever's score",
    "question": "its question, word for word",
}
_DIGEST: Final = re.compile(r"[0-9a-f]{16,}")


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A candidate as the template shows it; numbers are texts already."""

    place: int
    before: str
    moved: str
    score: str
    probability: str
    score_before: str
    bm25: str
    cosine: str
    signals: list[tuple[str, float, float]]
    entry: str
    title: str
    source: str
    address: str
    label: str
    short: str
    pair: PairExplanation | None


def render(explained: Explained) -> str:
    """
    Make the page.

    :param explained: The question and its candidates.
    :returns: The HTML. Whatever text is in it is escaped.
    """
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.globals.update(marks=_marks, strongest=_strongest, rest=_rest, bars=_bars, trees=_trees)
    template = environment.from_string(
        files("answer_selection.pipelines.explanation").joinpath("page.html").read_text(encoding="utf-8")
    )
    pairs: Sequence[PairExplanation | None] = explained.pairs or [None] * len(explained.documents)
    return template.render(
        question=explained.question,
        about=explained.about,
        has_model=explained.pairs is not None,
        has_labels=bool(explained.right),
        # Where all signals are weighed, the score is the probability.
        has_scores=any(one.score != one.meta.get(RANKER_PROBABILITY) for one in explained.documents),
        has_vectors=any(has_cosine(document.meta) for document in explained.documents),
        candidates=[
            _candidate(place, document, pair, explained.right.get(document.id))
            for place, (document, pair) in enumerate(zip(explained.documents, pairs, strict=True), start=1)
        ],
    )


def _candidate(place: int, document: Document, pair: PairExplanation | None, right: bool | None) -> _Candidate:
    meta = document.meta
    before = meta.get(RETRIEVER_RANK)
    text = " ".join((document.content or "").split())
    short = text if len(text) <= _SHORT else f"{text[:_SHORT]}…"
    entry = entry_of(document)
    source = source_link(meta) or ""
    return _Candidate(
        place=place,
        before=str(before or ""),
        moved=_moved(before, place),
        score=_number(document.score),
        probability=_number(meta.get(RANKER_PROBABILITY)),
        score_before=_number(meta.get(RETRIEVER_SCORE)),
        bm25=_number(meta.get(BM25_SCORE)),
        cosine=_number(meta.get(VECTOR_SCORE)),
        signals=_signals(meta.get("ranker_signals") or {}),
        entry=entry,
        title=next((str(meta[key]) for key in _TITLES if meta.get(key)), short if _DIGEST.fullmatch(entry) else entry),
        source=source,
        # A link leads to what a browser opens as a page, and to nothing else that an entry may bring along.
        address=source if is_url(source) else "",
        label="" if right is None else "right" if right else "wrong",
        short=short,
        pair=pair,
    )


def _moved(before: int | None, place: int) -> str:
    if before is None:
        return ""
    return f"up {before - place}" if before > place else f"down {place - before}" if before < place else "stays"


def _signals(leads: Mapping[str, float]) -> list[tuple[str, float, float]]:
    """What puts a candidate ahead of the others, most of all first: its name, its log-odds, and a bar's length in %."""
    most = max((abs(lead) for lead in leads.values()), default=0.0) or 1.0
    ordered = sorted(leads.items(), key=lambda one: -abs(one[1]))
    return [(_SIGNALS.get(name, name), lead, 100 * abs(lead) / most) for name, lead in ordered]


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}"


def _marks(pair: PairExplanation, weights: PairWeights) -> Iterator[tuple[str, list[Mark]]]:
    """The texts that have numbers, cut at their words."""
    for side, text, spans in _sides(pair, weights):
        yield side, marked(text, spans, shares=weights.shares)


def _strongest(pair: PairExplanation, weights: PairWeights) -> Iterator[tuple[str, list[Mark]]]:
    for side, text, spans in _sides(pair, weights):
        if words := strongest(text, spans, shares=weights.shares):
            yield side, words


def _sides(pair: PairExplanation, weights: PairWeights) -> Iterator[tuple[str, str, list[SpanWeight]]]:
    for side, text, spans in (("question", pair.question, weights.question), ("answer", pair.answer, weights.answer)):
        if spans:
            yield side, text, spans


def _trees(pair: PairExplanation) -> Iterator[tuple[str, list[TreeLine]]]:
    for side, nodes, text in (
        ("question", pair.question_tree, pair.question),
        ("answer", pair.answer_tree, pair.answer),
    ):
        if nodes:
            yield side, tree_lines(nodes, text)


def _rest(weights: PairWeights) -> dict[str, str]:
    return {name: shown(value, shares=weights.shares) for name, value in weights.rest.items()}


def _bars(features: list[PairFeature]) -> list[tuple[PairFeature, float]]:
    """Features with how long their bars are, in percent of the longest; those that count most first."""
    sizes = [abs(feature.contribution or 0.0) for feature in features]
    longest = max(sizes, default=0.0) or 1.0
    bars = [(feature, 100 * size / longest) for feature, size in zip(features, sizes, strict=True)]
    return sorted(bars, key=lambda bar: -bar[1])
