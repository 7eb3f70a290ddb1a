# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A container's quota counts as cores."""

import os

import pytest

from answer_selection.indexing import cores
from answer_selection.indexing.cores import usable_cores


@pytest.fixture(autouse=True)
def _eight_cores(monkeypatch, tmp_path):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    monkeypatch.setattr(cores, "_CGROUPS", tmp_path)


def test_without_a_quota_those_that_it_may_run_on():
    assert usable_cores() == 8


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("200000 100000", 2),
        ("150000 100000", 2),
        ("10000 100000", 1),
        ("1600000 100000", 8),
        ("max 100000", 8),
        ("", 8),
    ],
)
def test_a_quota(said, expected, tmp_path):
    (tmp_path / "cpu.max").write_text(f"{said}\n", encoding="utf-8")
    assert usable_cores() == expected


@pytest.mark.parametrize(("quota", "expected"), [("300000", 3), ("-1", 8)])
def test_a_quota_of_the_first_version(quota, expected, tmp_path):
    (tmp_path / "cpu").mkdir()
    (tmp_path / "cpu" / "cpu.cfs_quota_us").write_text(f"{quota}\n", encoding="utf-8")
    (tmp_path / "cpu" / "cpu.cfs_period_us").write_text("100000\n", encoding="utf-8")
    assert usable_cores() == expected
