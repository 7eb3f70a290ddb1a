# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Lint, format, types and imports of the whole repository are part of the tests."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]
IMPORT_LINTER = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]


def _run(command: str, *arguments: str) -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name(command), *arguments],
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


def test_folders_import_what_they_may() -> None:
    _run("lint-imports", "--no-cache")


def test_no_import_is_an_exception_and_none_is_out_of_sight() -> None:
    # A package that stands nowhere would be held to nothing; a link in .src is one.
    links = (path for path in (REPOSITORY / ".src").rglob("*") if path.is_symlink())
    names = {".".join(link.relative_to(REPOSITORY / ".src").parts) for link in links}
    assert set(IMPORT_LINTER["root_packages"]) == names
    for contract in IMPORT_LINTER["contracts"]:
        assert not [name for name in contract if name.startswith(("ignore", "skip", "unmatched"))], contract["name"]


@pytest.mark.slow
def test_an_editor_finds_every_import() -> None:
    _run("pyright", "--pythonpath", sys.executable)
