# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import resource
import subprocess
import sys

import pytest

from answer_selection.indexing.ids import EntryIds


def test_an_id_that_comes_again_is_known_with_the_source_that_it_came_from_first():
    with EntryIds() as ids:
        assert ids.add("b", "one.csv") is None
        assert ids.add("a", "two.csv") is None
        assert ids.add("b", "two.csv") == "one.csv"
        assert ids.add("b", "one.csv") == "one.csv"
        assert list(ids) == ["a", "b"]


@pytest.mark.parametrize("number", [0, 1, 499, 500, 501, 1200])
def test_ids_that_are_not_among_them_are_told_in_their_order(number: int):
    with EntryIds() as ids:
        for i in range(0, number, 2):
            ids.add(str(i), "corpus.jsonl")
        asked = [str(i) for i in reversed(range(number))]
        assert ids.others(asked) == [entry_id for entry_id in asked if int(entry_id) % 2]


def test_ids_of_any_kind_are_told_apart():
    odd = ["é", "e\u0301", "e", "E", " e", "e\0f", "😀", "x" * 3000]
    with EntryIds() as ids:
        assert [ids.add(entry_id, "a") for entry_id in odd] == [None] * len(odd)
        assert sorted(ids) == sorted(odd)
        assert ids.others([*odd, "e\0g"]) == ["e\0g"]


@pytest.mark.slow
def test_the_ids_are_on_disk_and_leave_no_file(tmp_path):
    # 400,000 ids of 60 characters: in memory more than the whole process may have here beside its cache.
    script = """
import os, resource, sys
from answer_selection.indexing.ids import EntryIds
def resident(): return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
ids = EntryIds()
before = resident()
for i in range(400_000): ids.add(f"{i:060}", "corpus.jsonl")
assert ids.add(f"{7:060}", "other") == "corpus.jsonl"
print(resident() - before)
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={"TMPDIR": str(tmp_path), "SQLITE_TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert float(done.stdout) < 30
    assert not list(tmp_path.iterdir())


def test_a_full_disk_is_an_error_for_people(tmp_path, monkeypatch):
    from answer_selection.pipelines.messages import is_expected

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with EntryIds() as ids:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, hard))
        try:
            with pytest.raises(Exception, match="disk") as caught:
                for i in range(1_000_000):
                    ids.add(f"{i:060}", "corpus.jsonl")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert is_expected(caught.value)
