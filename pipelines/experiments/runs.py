# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A folder of runs: where models, scores and what is made of the data lie."""

from pathlib import Path


class Runs:
    """
    A folder of runs: in `data` what is made of the data, and a folder for each experiment's models and scores.

    :param folder: The folder.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def work(self) -> Path:
        """The folder for files that are made from the data."""
        return self.folder / "data"

    def model(self, experiment: str, seed: int) -> Path:
        """Name a seed's model folder."""
        return self.folder / experiment / f"seed-{seed}"

    def scores(self, experiment: str, seed: int, part: str) -> Path:
        """Name the file of a seed's scores."""
        return self.folder / experiment / f"seed-{seed}-{part}.json"

    def seconds(self, experiment: str, seed: int) -> Path:
        """Name the file of how long a seed was trained."""
        return self.folder / experiment / f"seed-{seed}-seconds.json"

    def bm25(self, data: str, part: str) -> Path:
        """Name the file of BM25's scores."""
        return self.work / data / f"bm25-{part}.json"

    def result(self, experiment: str) -> Path:
        """Name the file of an experiment's result."""
        return self.folder / experiment / "result.json"
