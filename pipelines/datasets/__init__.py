# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The data sets of the experiments, by name."""

from pathlib import Path
from typing import Final

from answer_selection.pipelines.datasets.base import PARTS, Dataset, MissingDataError
from answer_selection.pipelines.datasets.candidate_lists import Layout, PublishedLists
from answer_selection.pipelines.datasets.squad_sentences import SquadSentences
from answer_selection.pipelines.datasets.yahooqa_style import YahooQAStyle
from answer_selection.pipelines.evaluation.policies import Policy

__all__ = ["DATASETS", "PARTS", "Dataset", "MissingDataError", "open_dataset"]

_TOKS: Final = "a folder in the toks format (a.toks, b.toks, id.txt, sim.txt)"
_QATAR: Final = "SemEval2016-Task3-CQA-QL-{}-subtaskA.xml"


def _parts(train: str, validation: str, test: str) -> dict[str, tuple[str, ...]]:
    return {"train": (train,), "validation": (validation,), "test": (test,)}


# Folder and layout. TrecQA's dev and test come with answers of at most 40 tokens, so those of train are cut alike.
_PUBLISHED: Final = {
    "wikiqa": ("wikiqa", Layout(_parts("train", "dev", "test"), _TOKS)),
    "trecqa-raw": ("trecqa", Layout(_parts("train-all", "raw-dev", "raw-test"), _TOKS, longest_answer=40)),
    "trecqa-clean": (
        "trecqa",
        Layout(_parts("train-all", "clean-dev", "clean-test"), _TOKS, Policy.WITH_BOTH, longest_answer=40),
    ),
    "trecqa-train": ("trecqa", Layout(_parts("train", "raw-dev", "raw-test"), _TOKS, longest_answer=40)),
    "qatarliving": (
        "qatarliving",
        Layout(
            _parts(_QATAR.format("train-part2"), _QATAR.format("dev"), _QATAR.format("dev")),
            "a file of SemEval-2016 task 3, subtask A",
        ),
    ),
}

DATASETS: Final = (*_PUBLISHED, "squad-sentences", "yahooqa-style")
"""All names."""


def open_dataset(name: str, data: Path, work: Path) -> Dataset:
    """
    Open a data set.

    :param name: One of :data:`DATASETS`.
    :param data: The folder that has all data sets' folders.
    :param work: Where what is made of them goes, each in a folder of its own.
    :returns: The data set; nothing is read yet.
    """
    if name in _PUBLISHED:
        folder, layout = _PUBLISHED[name]
        return PublishedLists(name, data / folder, work / name, layout)
    corpus = SquadSentences("squad-sentences", data / "squad-sentences", work / "squad-sentences")
    return corpus if name == corpus.name else YahooQAStyle(name, corpus, work / name)
