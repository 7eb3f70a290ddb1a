# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Lint, format and types of the whole repository are part of the tests."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
CACHE = REPOSITORY / ".mypy_cache"


def _run(*command: str, **environment: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=REPOSITORY,
        env={**os.environ, **environment},
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
    # mypy does not follow the hook of an editable install: give it the packages where their names say. The place is
    # the same each time, so that mypy reads again only what has changed.
    packages = CACHE / "packages"
    shutil.rmtree(packages, ignore_errors=True)
    integrations, own = packages / "haystack_integrations", packages / "answer_selection"
    integrations.mkdir(parents=True)
    (own / "indexing").mkdir(parents=True)
    (integrations / "components").symlink_to(REPOSITORY / "components")
    (integrations / "document_stores").symlink_to(REPOSITORY / "indexing" / "document_stores")
    (own / "pipelines").symlink_to(REPOSITORY / "pipelines")
    for item in (REPOSITORY / "indexing").iterdir():
        if item.name not in ("document_stores", "__pycache__"):
            (own / "indexing" / item.name).symlink_to(item)
    _run(
        "mypy",
        "--config-file",
        str(REPOSITORY / "pyproject.toml"),
        "--cache-dir",
        str(CACHE),
        "-p",
        "haystack_integrations",
        "-p",
        "answer_selection",
        MYPYPATH=str(packages),
    )
