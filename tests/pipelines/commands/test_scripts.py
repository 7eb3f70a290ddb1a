# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What people type, in processes of their own."""

import os
import signal
import subprocess
import sys
import time
from importlib import metadata
from pathlib import Path

import pytest
import typer

from answer_selection.pipelines.commands.cli import app
from new_process import python

pytestmark = pytest.mark.slow

CLI = ("-c", "from answer_selection.pipelines.commands.cli import main; main()")
PIPELINES = Path(__file__).parents[3] / "pipelines"
COMMANDS = typer.main.get_command(app).commands


def start(*command: object, cwd: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *map(str, command)],
        cwd=cwd,
        env={**os.environ, "COLUMNS": "200"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(*command: object, cwd: Path) -> tuple[int, str, str]:
    process = start(*command, cwd=cwd)
    out, err = process.communicate(timeout=600)
    return process.returncode, out, err


def typed(*words: object, folder: Path) -> subprocess.CompletedProcess[str]:
    return python(CLI[1], *words, environment={"COLUMNS": "200"}, folder=folder)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_says_what_a_command_and_each_of_its_options_does(name, command):
    done = command(name, "--help")
    assert done.code == 0
    described = COMMANDS[name]
    assert described.help
    assert described.help.split("\n")[0] in done.out.replace("│", "")
    for parameter in described.params:
        if parameter.name != "help":
            assert getattr(parameter, "help", None), f"{name} {parameter.name} has no help"


def test_the_version_is_that_of_the_package(command):
    done = command("--version")
    assert (done.code, done.out) == (0, f"answer-selection-haystack {metadata.version('answer-selection-haystack')}")


def test_help_lists_the_commands(command):
    done = command("--help")
    assert done.code == 0
    assert all(name in done.out for name in ("index", "negatives", "train", "eval", "ask", "--debug"))
    assert command("eval", "--help").out.count("--") > 10
    assert command("nonsense").code == 2


def test_training_and_evaluation_run_as_scripts(small_index, small_recipe, small_model, tmp_path):
    code, out, err = run(*CLI, "train", "--help", cwd=tmp_path)
    assert (code, err) == (0, "")
    assert "--candidates" in out
    done = typed("train", "ranker", "--index", small_index, "--recipe", small_recipe, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "model: ranker" in done.stdout
    assert "training" in done.stderr

    code, out, err = run(PIPELINES / "eval.py", "--help", cwd=tmp_path)
    assert (code, err) == (0, "")
    assert "--queries" in out
    lists = small_model / "lists" / "validation.jsonl"
    code, out, err = run(
        PIPELINES / "eval.py", "--candidates", lists, "--model", "ranker", "--output", "report", cwd=tmp_path
    )
    assert code == 0, err
    assert "ctrn" in out
    assert (tmp_path / "report" / "results.json").is_file()

    done = typed("train", "ranker", "--index", small_index, "--debug", folder=tmp_path)
    assert done.returncode == 2
    assert "Traceback (most recent call last)" in done.stderr
    assert "FileExistsError" in done.stderr


def test_ctrl_c_ends_a_command_without_a_traceback(small_index, small_recipe, tmp_path):
    # Tests that a shell runs in the background ignore the signal, and what they start would too.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    process = start(
        *CLI,
        "train",
        "ranker",
        "--index",
        small_index,
        "--recipe",
        small_recipe,
        "--epochs",
        5000,
        cwd=tmp_path,
    )
    deadline = time.monotonic() + 600
    while not list(tmp_path.glob("ranker/checkpoints/checkpoint-*")):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=600)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert err.rstrip().endswith("interrupted")
