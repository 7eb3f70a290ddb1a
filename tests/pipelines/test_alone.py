# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import threading
from contextlib import contextmanager

from answer_selection.pipelines.alone import alone


def test_one_at_a_time_and_whoever_waits_says_for_what(tmp_path):
    said, done = [], []
    waits = threading.Event()

    @contextmanager
    def progress(what, _total):
        said.append(what)
        waits.set()
        yield

    def second():
        with alone(tmp_path / "data" / "train.jsonl", progress):
            done.append("second")

    other = threading.Thread(target=second)
    with alone(tmp_path / "data" / "train.jsonl", progress):
        assert not said
        # Another file is another matter.
        with alone(tmp_path / "data" / "test.jsonl", progress):
            pass
        other.start()
        assert waits.wait(10)
        done.append("first")
    other.join(10)
    assert done == ["first", "second"]
    assert said == ["waiting for another command to make train.jsonl"]
