# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
FAQs that were written for this package, with three questions to each entry: the files in `faqs`.

A list to learn from is a question, its entry, and those entries of the same FAQ that a sentence encoder finds nearest
to the question. Lists to measure on have all entries of the FAQ.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np

from answer_selection.indexing.artifact import Artifact, text_digest
from answer_selection.indexing.candidates import CandidateList, write_jsonl
from answer_selection.indexing.candidates.lists import Candidate
from answer_selection.indexing.encoder import entry_text
from answer_selection.indexing.progress import Progress, tracked
from answer_selection.pipelines.experiments.data.candidate_lists import CandidateDataset
from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder

FAQS: Final = Path(__file__).parents[1] / "faqs"
"""Where the files are."""

VALIDATION_FAQS: Final = 40
"""The last ones of `unseen` are for validation; `held_out` are for the test."""

_NEAREST: Final = 8


@dataclass(frozen=True, slots=True)
class Faq:
    """
    An FAQ and questions to it.

    :param entries: The texts of its entries.
    :param asked: Each question, and the number of the entry that answers it.
    """

    entries: Sequence[str]
    asked: Sequence[tuple[str, int]]


def read_faqs(folder: Path, *, own: bool = False) -> list[Faq]:
    """
    Read FAQs from JSONL files: a line is an entry with `faq`, `question`, `answer` and `asked`, a list of questions.

    :param folder: The files' folder.
    :param own: Whether entries' own questions are among those that are asked.
    :returns: The FAQs, in the files' order.
    """
    rows: dict[str, list[dict[str, Any]]] = {}
    for file in sorted(folder.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            rows.setdefault(row["faq"], []).append(row)
    return [
        Faq(
            [entry_text(row["question"], row["answer"]) for row in entries],
            [
                (question, at)
                for at, row in enumerate(entries)
                for question in (*row["asked"], *([row["question"]] if own else []))
            ],
        )
        for entries in rows.values()
    ]


class InventedFaqs(CandidateDataset):
    """The lists of all FAQs."""

    licence: ClassVar[str] = "CC0-1.0"
    source = "FAQs that were written for answer-selection-haystack, `pipelines/experiments/faqs`"

    def write(self, part: str, path: Path, progress: Progress) -> None:
        """Write a part's lists."""
        faqs, encoder = self._faqs(part), SentenceEncoder.load()
        texts = text_digest(text for faq in faqs for text in (*faq.entries, *map(repr, faq.asked)))
        inputs = {"faqs": texts, "encoder": encoder.record.fingerprint}
        artifact = Artifact(path)
        if path.is_file() and artifact.recorded() == inputs:
            return
        shown = tracked(faqs, progress, f"reading {self.name}, {part}", len(faqs))
        write_jsonl(path, _lists(shown, encoder, _NEAREST if part == "train" else None))
        artifact.write_record(inputs)

    def _faqs(self, part: str) -> list[Faq]:
        if part == "test":
            return read_faqs(self.folder / "held_out")
        unseen = read_faqs(self.folder / "unseen")
        if part == "validation":
            return unseen[-VALIDATION_FAQS:]
        return [*read_faqs(self.folder), *unseen[:-VALIDATION_FAQS], *read_faqs(self.folder / "uneven")]


def _lists(faqs: Iterable[Faq], encoder: SentenceEncoder, nearest: int | None) -> Iterator[CandidateList]:
    for number, faq in enumerate(faqs):
        cosines = encoder.encode([question for question, _ in faq.asked]) @ encoder.encode(list(faq.entries)).T
        for place, ((question, right), near) in enumerate(zip(faq.asked, cosines, strict=True)):
            others = [at for at in np.argsort(-near, kind="stable").tolist() if at != right][:nearest]
            candidates = tuple(
                Candidate(f"{number}-{at}", faq.entries[at], int(at == right)) for at in (right, *others)
            )
            yield CandidateList(f"{number}-{place}", question, candidates)
