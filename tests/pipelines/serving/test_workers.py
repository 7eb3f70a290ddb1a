# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Processes that answer, with a pipeline that does what its questions say."""

import asyncio
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from answer_selection.pipelines.serving.answers import Answers
from answer_selection.pipelines.serving.errors import FailedError, UnavailableError
from answer_selection.pipelines.serving.question import Question
from answer_selection.pipelines.serving.worker import Served
from answer_selection.pipelines.serving.workers import LoadError, Workers

OBEDIENT = """
import os, signal, time
from haystack import Document, component

class Strange(Exception):
    def __init__(self, one, other):
        super().__init__(one)

@component
class Obedient:
    @component.output_types(documents=list[Document])
    def run(self, query: str) -> dict:
        verb, _, what = query.partition(" ")
        if verb == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if verb == "sleep":
            time.sleep(float(what))
        if verb == "fail":
            raise Strange("of <its> own", 1)
        return {"documents": [Document(content=str(os.getpid()))]}
"""
PIPELINE = "components: {obedient: {type: obedient.Obedient, init_parameters: {}}}\nconnections: []\n"


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Served:
    (tmp_path / "obedient.py").write_text(OBEDIENT, encoding="utf-8")
    (tmp_path / "obedient.yaml").write_text(PIPELINE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("HAYSTACK_DESERIALIZATION_ALLOWLIST", "obedient")
    return Served(str(tmp_path / "obedient.yaml"))


@pytest.fixture
def workers(served: Served) -> Iterator[Workers]:
    with Workers(served, 2) as made:
        yield made


async def ask(workers: Workers, text: str) -> Answers | Exception:
    [outcome] = await workers.answer([Question(question=text)])
    return outcome


def process_of(outcome: Answers) -> int:
    return int(outcome.answers[0].answer)


async def test_what_processes_do(workers):
    """One after the other with the same two processes, which take seconds to start."""
    # Two are busy at the same time, and still say that they could answer.
    busy = [asyncio.create_task(ask(workers, "sleep 3")) for _ in range(2)]
    await asyncio.sleep(0.5)
    await workers.check()
    assert not any(task.done() for task in busy)
    processes = {process_of(await task) for task in busy}
    assert len(processes) == 2
    assert os.getpid() not in processes

    # An error that can't be sent is told with its traceback, and harms nobody else.
    failed, fine = await workers.answer([Question(question="fail"), Question(question="say")])
    assert isinstance(failed, FailedError)
    assert "of <its> own" in str(failed)
    assert "Traceback" in str(failed)
    assert process_of(fine) in processes

    # One that ends is replaced.
    with pytest.raises(UnavailableError, match="ended; ask again"):
        await ask(workers, "die")
    after = {process_of(each) for each in await asyncio.gather(*(ask(workers, "sleep 1") for _ in range(4)))}
    assert len(after) == 2
    assert len(after - processes) == 1
    await workers.check()


async def test_closing_does_not_wait_for_what_hangs(served):
    with Workers(served, 1) as workers:
        stuck = asyncio.create_task(ask(workers, "sleep 3600"))
        await asyncio.sleep(0.5)
        start = time.monotonic()
        await asyncio.to_thread(workers.close)
        assert time.monotonic() - start < 60
        with pytest.raises(UnavailableError):
            await stuck


def test_what_cannot_be_loaded_is_told(tmp_path):
    with pytest.raises(LoadError, match=r"nowhere\.yaml: No such file"):
        Workers(Served(str(tmp_path / "nowhere.yaml")), 1)
