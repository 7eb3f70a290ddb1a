# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A command's process is set up before torch reads its environment."""

import os
import subprocess
import sys

import pytest

SCRIPT = """
import gc, os, sys
import typer
from answer_selection.pipelines.commands.console import guarded

app = typer.Typer()

@app.command()
def show() -> None:
    print(os.environ["OMP_WAIT_POLICY"], gc.get_threshold()[0], "torch" in sys.modules)

guarded(app)
"""


@pytest.mark.parametrize(("given", "policy"), [({}, "PASSIVE"), ({"OMP_WAIT_POLICY": "ACTIVE"}, "ACTIVE")])
def test_threads_sleep_while_they_wait_unless_the_environment_says_otherwise(given: dict[str, str], policy: str):
    environment = {name: value for name, value in os.environ.items() if name != "OMP_WAIT_POLICY"} | given
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.split() == [policy, "50000", "False"], done.stderr
