# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Processes that answer, with a pipeline that does what its questions say."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
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
from pathlib import Path
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
        if verb == "wait":
            Path(what, str(os.getpid())).touch()
            while not Path(what, "go").exists():
                time.sleep(0.05)
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


async def begun(folder: Path, number: int) -> None:
    """So many processes wait for the word in a folder."""
    while len(list(folder.iterdir())) < number:
        await asyncio.sleep(0.05)


@pytest.mark.slow
async def test_what_processes_do(workers, tmp_path_factory):
    """One after the other with the same two processes, which take seconds to start."""
    # Two are busy at the same time, and still say that they could answer.
    folder = tmp_path_factory.mktemp("words")
    busy = [asyncio.create_task(ask(workers, f"wait {folder}")) for _ in range(2)]
    await begun(folder, 2)
    await workers.check()
    assert not any(task.done() for task in busy)
    (folder / "go").touch()
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
    after = {process_of(await ask(workers, "say")) for _ in range(2)}
    assert len(after) == 2
    assert len(after - processes) == 1
    await workers.check()


async def kill(process: int) -> None:
    os.kill(process, signal.SIGKILL)
    while is_running(process):
        await asyncio.sleep(0.05)


async def check_until_well(workers: Workers) -> None:
    """As a load balancer does: nobody asks a question meanwhile."""
    async with asyncio.timeout(60):
        while True:
            try:
                return await workers.check()
            except UnavailableError:
                await asyncio.sleep(0.1)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks for the processes in /proc")
async def test_a_check_replaces_idle_processes_that_ended(workers):
    first = [process_of(await ask(workers, "say")) for _ in range(2)]
    await workers.check()
    # Whichever it is: the other one answers meanwhile.
    for process in first:
        await kill(process)
        await check_until_well(workers)
    after = {process_of(await ask(workers, "say")) for _ in range(2)}
    assert len(after) == 2
    assert not after & set(first)

    # With none left, too.
    for process in after:
        await kill(process)
    await check_until_well(workers)


@pytest.mark.slow
async def test_one_that_cannot_be_replaced_or_hangs_does_not_speak_for_the_others(workers, monkeypatch):
    first, other = workers._every
    monkeypatch.setattr("answer_selection.pipelines.serving.workers._SECONDS_TO_CHECK", 2)

    def cannot():
        message = "there is no memory"
        raise UnavailableError(message)

    monkeypatch.setattr(first, "revive", cannot)
    await workers.check()
    hangs = threading.Event()
    monkeypatch.setattr(first, "check", hangs.wait)
    try:
        for _ in range(4):  # more than there are threads
            await workers.check()
        monkeypatch.setattr(other, "check", cannot)
        with pytest.raises(UnavailableError, match="there is no memory"):
            await workers.check()
    finally:
        hangs.set()


@pytest.mark.slow
async def test_closing_does_not_wait_for_what_hangs(served, tmp_path_factory):
    with Workers(served, 1) as workers:
        folder = tmp_path_factory.mktemp("words")
        stuck = asyncio.create_task(ask(workers, f"wait {folder}"))
        await begun(folder, 1)
        await asyncio.to_thread(workers.close)
        with pytest.raises(UnavailableError):
            await stuck


def is_running(process: int) -> bool:
    """One that has ended and that nobody has asked for its exit code is still there."""
    try:
        return "State:\tZ" not in Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    except FileNotFoundError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="looks for the process in /proc")
def test_they_end_with_a_service_that_is_killed(served, tmp_path):
    """While they load, which is when no pipe is read."""
    script = tmp_path / "service.py"
    script.write_text(
        "import sys\n"
        "from answer_selection.pipelines.serving.worker import Served\n"
        "from answer_selection.pipelines.serving.workers import _Worker\n"
        "if __name__ == '__main__':\n"
        "    worker = _Worker(Served(sys.argv[1]), None)\n"
        "    print(worker._process.pid, flush=True)\n"
        "    worker.wait_until_loaded()\n",
        encoding="utf-8",
    )
    # It never ends to load.
    (tmp_path / "obedient.py").write_text("import time\ntime.sleep(3600)\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    arguments = [sys.executable, script, served.pipeline]
    with subprocess.Popen(arguments, env=environment, stdout=subprocess.PIPE, text=True) as service:
        worker = int(service.stdout.readline())
        service.kill()
    while is_running(worker):
        time.sleep(0.05)


@pytest.mark.slow
def test_what_cannot_be_loaded_is_told(tmp_path):
    with pytest.raises(LoadError, match=r"nowhere\.yaml: No such file"):
        Workers(Served(str(tmp_path / "nowhere.yaml")), 1)
