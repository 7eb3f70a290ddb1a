# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Lint, format, types and imports of the whole repository are part of the tests, and of every commit."""

import ast
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
import yaml

REPOSITORY = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
PRE_COMMIT = REPOSITORY / ".pre-commit-config.yaml"


def _done(command: str, *arguments: str, cwd: Path = REPOSITORY) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name(command)
    return subprocess.run([program, *arguments], cwd=cwd, capture_output=True, text=True, check=False)


def _run(command: str, *arguments: str) -> None:
    done = _done(command, *arguments)
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
    linter = PYPROJECT["tool"]["importlinter"]
    assert set(linter["root_packages"]) == names
    for contract in linter["contracts"]:
        assert not [name for name in contract if name.startswith(("ignore", "skip", "unmatched"))], contract["name"]


@pytest.mark.slow
def test_an_editor_finds_every_import(tmp_path: Path) -> None:
    """
    Each module of ours is looked for once, in one file: all files would be read with what they import, over and over.

    Others' modules are where Python finds them, too, and reading torch takes five times as long as all of ours.
    """
    modules = {module for path in _python_files() for module in _imported(path) if _is_ours(module)}
    assert len(modules) > 400
    every = tmp_path / "every_import.py"
    every.write_text("".join(f"import {module}\n" for module in sorted(modules)), encoding="utf-8")
    pyright = partial(_done, "pyright", "--project", str(REPOSITORY), "--pythonpath", sys.executable, str(every))
    done = pyright()
    assert done.returncode == 0, done.stdout + done.stderr
    every.write_text("import answer_selection.no_such_module\n", encoding="utf-8")
    assert "reportMissingImports" in pyright().stdout


def _python_files() -> list[Path]:
    return [path for folder in PYPROJECT["tool"]["pyright"]["include"] for path in (REPOSITORY / folder).rglob("*.py")]


def _is_ours(module: str) -> bool:
    top = module.partition(".")[0]
    places = (REPOSITORY / ".src" / top, REPOSITORY / "tests" / top, REPOSITORY / "tests" / f"{top}.py")
    return any(place.exists() for place in places)


def _imported(path: Path) -> Iterator[str]:
    """The modules that a file imports, but for those in its own folder."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            beside = path.parent / f"{node.module.partition('.')[0]}.py"
            if not beside.is_file():
                yield node.module


def test_a_commit_is_checked_as_here() -> None:
    _run("pre-commit", "validate-config")
    hooks = {hook["id"]: hook for hook in yaml.safe_load(PRE_COMMIT.read_text(encoding="utf-8"))["repos"][0]["hooks"]}
    assert hooks["style"]["entry"].split()[-1] == Path(__file__).relative_to(REPOSITORY).as_posix()


@pytest.mark.parametrize(("length", "code"), [(71, 0), (72, 1)])
def test_a_subject_is_below_72_characters(length: int, code: int, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path / "pre-commit"))
    # Where this runs as a commit's hook, git says by its variables which repository it is about.
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    shutil.copy(PRE_COMMIT, tmp_path)
    subprocess.run(["git", "add", PRE_COMMIT.name], cwd=tmp_path, check=True)
    message = tmp_path / "message"
    message.write_text(f"{'s' * length}\n\n{'Why. ' * 20}\n", encoding="utf-8")
    hook = ("run", "subject", "--hook-stage", "commit-msg", "--commit-msg-filename", str(message))
    assert _done("pre-commit", *hook, cwd=tmp_path).returncode == code


def test_continuous_integration_has_every_python_that_is_promised() -> None:
    matrix = yaml.safe_load((REPOSITORY / ".ci" / "matrix.yaml").read_text(encoding="utf-8"))
    prefix = "Programming Language :: Python :: 3."
    classifiers = [one for one in PYPROJECT["project"]["classifiers"] if one.startswith(prefix)]
    assert [prefix + python.removeprefix("3.") for python in matrix["python"]] == classifiers
    assert PYPROJECT["project"]["requires-python"] == f">={matrix['python'][0]}"
    assert (REPOSITORY / matrix["run"]).is_file()


def test_nothing_else_lies_at_the_top_level() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=REPOSITORY, capture_output=True, text=True, check=False)
    if tracked.returncode:
        pytest.skip("no git checkout")
    folders = {"components", "docker", "indexing", "pipelines", "tests"}
    files = {"CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md", "pyproject.toml"}
    names = {path.partition("/")[0] for path in tracked.stdout.splitlines()}
    assert {name for name in names if not name.startswith(".")} == folders | files
