# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import subprocess
import sys
import threading
from contextlib import contextmanager, nullcontext

import pytest

from answer_selection.indexing.artifact import Artifact, refuse_changed

HOLDS_IT = """
import sys, time
from contextlib import nullcontext
from pathlib import Path
from answer_selection.indexing.artifact import Artifact

with Artifact(Path(sys.argv[1])).lock(lambda *_: nullcontext()):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def index(tmp_path):
    path = tmp_path / "index"
    path.write_text("made", encoding="utf-8")
    return Artifact(path)


def test_it_is_made_once_it_is_there_with_its_record(index):
    assert index.recorded() is None
    assert not index.is_made_from({"faq": "1"})
    index.write_record({"faq": "1"})
    assert index.recorded() == {"faq": "1"}
    assert index.is_made_from({"faq": "1"})
    index.path.unlink()
    assert not index.is_made_from({"faq": "1"})


def test_what_is_made_of_something_else_is_refused_by_name_or_made_again(index):
    index.write_record({"faq": "1", "seed": "0"})
    message = r"index was made from something else \(other seed\): move it away, or replace it: overwrite=True"
    with pytest.raises(FileExistsError, match=message):
        index.is_made_from({"faq": "1", "seed": "1"})
    with pytest.raises(FileExistsError, match=message):
        index.is_made_from({"faq": "1"})
    assert not index.is_made_from({"faq": "1", "seed": "1"}, overwrite=True)
    index.forget()
    assert not index.is_made_from({"faq": "1", "seed": "0"})


def test_a_record_that_cannot_be_read_is_none(index):
    index.record.write_text('{"faq": ', encoding="utf-8")
    assert index.recorded() is None
    assert not index.is_made_from({"faq": "1"})


def test_a_refusal_says_what_each_setting_was_and_is():
    recorded = {"seed": 0, "epochs": 2}
    refuse_changed("it was begun", recorded, {"seed": 0, "epochs": 2}, overwriting="starts anew")
    message = (
        r"^it was begun with other settings: epochs 2 \(now 3\), loss None \(now margin\); overwrite=True starts anew"
    )
    with pytest.raises(FileExistsError, match=message):
        refuse_changed("it was begun", recorded, {"seed": 0, "epochs": 3, "loss": "margin"}, overwriting="starts anew")


def test_a_killed_process_gives_the_lock_back(tmp_path):
    path = tmp_path / "index"
    with subprocess.Popen([sys.executable, "-c", HOLDS_IT, path], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        said = []

        def progress(what, _total):
            said.append(what)
            holder.kill()
            return nullcontext()

        with Artifact(path).lock(progress):
            assert said == ["waiting for another command to make index"]


def test_one_at_a_time_and_whoever_waits_says_for_what(tmp_path):
    said, done = [], []
    waits = threading.Event()

    @contextmanager
    def progress(what, _total):
        said.append(what)
        waits.set()
        yield

    def second():
        with Artifact(tmp_path / "data" / "train.jsonl").lock(progress):
            done.append("second")

    other = threading.Thread(target=second)
    with Artifact(tmp_path / "data" / "train.jsonl").lock(progress):
        assert not said
        # Another file is another matter.
        with Artifact(tmp_path / "data" / "test.jsonl").lock(progress):
            pass
        other.start()
        assert waits.wait(10)
        done.append("first")
    other.join(10)
    assert done == ["first", "second"]
    assert said == ["waiting for another command to make train.jsonl"]
