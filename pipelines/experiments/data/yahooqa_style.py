# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Lists like YahooQA's (Tay et al. 2017), made of SQuAD's sentences.

One right answer and four that are sampled from the best 1000 of BM25, questions and answers of 5 to 50 words; the parts
are those of :mod:`squad_sentences`, and each part's candidates are its own sentences.
"""

from pathlib import Path
from typing import ClassVar

from answer_selection.indexing.negatives import yahooqa_style
from answer_selection.indexing.progress import Progress
from answer_selection.pipelines.experiments.data.candidate_lists import CandidateDataset
from answer_selection.pipelines.experiments.data.corpora import files_of, mined
from answer_selection.pipelines.experiments.data.squad_sentences import SquadSentences


class YahooQAStyle(CandidateDataset):
    """
    Lists sampled from squad-sentences as YahooQA's were sampled.

    :param name: The data set's name.
    :param corpus: The sentences and questions.
    :param work: Folder for files that are made from the data.
    """

    licence: ClassVar[str] = SquadSentences.licence
    source = SquadSentences.source

    def __init__(self, name: str, corpus: SquadSentences, work: Path) -> None:
        super().__init__(name, corpus.folder, work)
        self.corpus = corpus

    def write(self, part: str, path: Path, progress: Progress) -> None:
        """Write a part's lists."""
        store, asked = self.corpus.index(part, progress), self.corpus.questions(part)
        with progress(f"sampling {self.name}, {part}", len(asked)) as bar:
            mined(lambda: yahooqa_style(store, asked, output=path, progress=bar), *files_of(path))
        store.close()
