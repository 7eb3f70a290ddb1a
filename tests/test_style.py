# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Lint, format and types of the whole repository are part of the tests."""

import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]


def _run(*command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_ruff_finds_nothing() -> None:
    _run("ruff", "check", ".")


def test_code_is_formatted() -> None:
    _run("ruff", "format", "--check", ".")


def test_types_are_strict() -> None:
    _run("mypy", "-p", "haystack_integrations", "-p", "answer_selection")
