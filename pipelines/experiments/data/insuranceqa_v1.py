# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""InsuranceQA, version 1: its training questions have right answers alone, and get negatives from BM25's results."""

from pathlib import Path

from answer_selection.indexing.artifact import digest
from answer_selection.indexing.candidates import read_insuranceqa_corpus
from answer_selection.indexing.negatives import mine
from answer_selection.indexing.progress import Progress
from answer_selection.pipelines.experiments.data.candidate_lists import Layout, PublishedLists
from answer_selection.pipelines.experiments.data.corpora import files_of, index_of, mined

# As many as a training list of a mined corpus has by default; training samples some of them anew every epoch.
NEGATIVES = 50
LAYOUT = Layout(
    {
        "train": ("question.train.token_idx.label",),
        "validation": ("question.dev.label.token_idx.pool",),
        "test": ("question.test1.label.token_idx.pool", "question.test2.label.token_idx.pool"),
    },
    "InsuranceQA V1 as published, vocabulary and answers beside it",
    "InsuranceQA V1 (Feng et al. 2015)",
)


class InsuranceQAV1(PublishedLists):
    """
    The lists; the two test sets are measured as one.

    :param name: The data set's name.
    :param folder: Folder of its own files.
    :param work: Folder for files that are made from the data.
    """

    def __init__(self, name: str, folder: Path, work: Path) -> None:
        super().__init__(name, folder, work, LAYOUT)

    def write(self, part: str, path: Path, progress: Progress) -> None:
        """Write a part's lists."""
        if part != "train":
            super().write(part, path, progress)
            return
        [questions] = self.need(*LAYOUT.parts["train"], form=LAYOUT.form)
        [answers] = self.need("answers.label.token_idx", form=LAYOUT.form)
        entries, queries = read_insuranceqa_corpus(questions)
        store, asked = index_of(entries, digest(answers), self.work / "index", progress), list(queries)
        with progress(f"sampling negatives of {self.name}", len(asked)) as bar:
            mined(lambda: mine(store, asked, output=path, negatives=NEGATIVES, progress=bar), *files_of(path))
        store.close()
