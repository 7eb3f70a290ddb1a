# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The data sets of the experiments, by name."""

from pathlib import Path
from typing import Final

from answer_selection.pipelines.evaluation.policies import Policy
from answer_selection.pipelines.experiments.data.base import PARTS, Dataset, MissingDataError
from answer_selection.pipelines.experiments.data.candidate_lists import Layout, PublishedLists
from answer_selection.pipelines.experiments.data.insuranceqa_v1 import InsuranceQAV1
from answer_selection.pipelines.experiments.data.invented_faqs import FAQS, InventedFaqs
from answer_selection.pipelines.experiments.data.own_data import OwnData
from answer_selection.pipelines.experiments.data.squad_sentences import SquadSentences, SquadSentencesHybrid
from answer_selection.pipelines.experiments.data.yahooqa_style import YahooQAStyle
from answer_selection.pipelines.experiments.data.zoomcamp_faq import ZoomcampFAQ

__all__ = ["DATASETS", "PARTS", "Dataset", "MissingDataError", "OwnData", "open_dataset", "open_source"]

_TOKS: Final = "a folder in the toks format (a.toks, b.toks, id.txt, sim.txt)"
_INSURANCE_V2: Final = "InsuranceQA.question.anslabel.token.500.pool.solr.{}.encoded"
_QATAR: Final = "SemEval2016-Task3-CQA-QL-{}-subtaskA.xml"


def _parts(train: str, validation: str, test: str) -> dict[str, tuple[str, ...]]:
    return {"train": (train,), "validation": (validation,), "test": (test,)}


_TREC: Final = "TREC QA tracks 8 to 13 (Wang et al. 2007)"

# Folder and layout. TrecQA's dev and test come with answers of at most 40 tokens, so those of train are cut alike.
_PUBLISHED: Final = {
    "wikiqa": ("wikiqa", Layout(_parts("train", "dev", "test"), _TOKS, "WikiQA (Yang et al. 2015)")),
    "trecqa-raw": ("trecqa", Layout(_parts("train-all", "raw-dev", "raw-test"), _TOKS, _TREC, longest_answer=40)),
    "trecqa-clean": (
        "trecqa",
        Layout(_parts("train-all", "clean-dev", "clean-test"), _TOKS, _TREC, Policy.WITH_BOTH, longest_answer=40),
    ),
    "trecqa-train": ("trecqa", Layout(_parts("train", "raw-dev", "raw-test"), _TOKS, _TREC, longest_answer=40)),
    # TRAIN's questions are among those of TRAIN-ALL, whose texts say nothing of which answers are right.
    "trecqa-train-clean": (
        "trecqa",
        Layout(
            {**_parts("train", "clean-dev", "clean-test"), "texts": ("train-all",)},
            _TOKS,
            _TREC,
            Policy.WITH_BOTH,
            longest_answer=40,
        ),
    ),
    "qatarliving": (
        "qatarliving",
        Layout(
            _parts(_QATAR.format("train-part2"), _QATAR.format("dev"), _QATAR.format("dev")),
            "a file of SemEval-2016 task 3, subtask A",
            "SemEval-2016 task 3, Qatar Living (Nakov et al. 2016)",
        ),
    ),
    "insuranceqa-v2": (
        "insuranceqa-v2",
        Layout(
            _parts(*(_INSURANCE_V2.format(split) for split in ("train", "valid", "test"))),
            "InsuranceQA V2 as published, its pools of 500, vocabulary and answers beside it",
            "InsuranceQA V2 (Feng et al. 2015)",
        ),
    ),
    "yahooqa": (
        "yahooqa",
        Layout(
            _parts("train.tsv", "dev.tsv", "test.tsv"),
            "lines of question, answer and label",
            "YahooQA (Tay et al. 2017)",
        ),
    ),
    "selqa": (
        "selqa",
        Layout(
            _parts(*(f"selqa-ass-{split}.json" for split in ("train", "dev", "test"))),
            "SelQA as published",
            "SelQA (Jurczyk et al. 2016)",
        ),
    ),
}

DATASETS: Final = (
    *_PUBLISHED,
    "insuranceqa-v1",
    "invented-faqs",
    "squad-sentences",
    "squad-sentences-hybrid",
    "yahooqa-style",
    "zoomcamp-faq",
)
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
    if name == "insuranceqa-v1":
        return InsuranceQAV1(name, data / name, work / name)
    if name == "invented-faqs":
        return InventedFaqs(name, FAQS, work / name)
    if name == "zoomcamp-faq":
        return ZoomcampFAQ(name, data / name, work / name)
    if name == "squad-sentences-hybrid":
        return SquadSentencesHybrid(name, data / "squad-sentences", work / name)
    corpus = SquadSentences("squad-sentences", data / "squad-sentences", work / "squad-sentences")
    return corpus if name == corpus.name else YahooQAStyle(name, corpus, work / name)


def open_source(name: str, data: Path, work: Path) -> Dataset | OwnData:
    """
    Open what is learned from before an experiment's own data.

    :param name: One of :data:`DATASETS`, or a path of data of one's own.
    :param data: The folder with all data sets' folders.
    :param work: Folder for files that are made from the data.
    :returns: The data; nothing is read yet.
    """
    return open_dataset(name, data, work) if name in DATASETS else OwnData(Path(name), work)
