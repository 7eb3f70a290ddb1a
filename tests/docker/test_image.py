# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The Dockerfile, held to what it is built from and to what it runs."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import typer
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from answer_selection.pipelines.commands.cli import app
from answer_selection.pipelines.definitions.pipeline_yaml import SHIPPED

REPOSITORY = Path(__file__).parents[2]
DOCKER = REPOSITORY / "docker"
PYPROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
DOCKERFILE = (DOCKER / "Dockerfile").read_text(encoding="utf-8")


def own_options() -> dict[str, str]:
    """The options of `serve` by their environment variables, with their defaults."""
    [serve] = [command for name, command in typer.main.get_command(app).commands.items() if name == "serve"]
    return {parameter.envvar: str(parameter.default) for parameter in serve.params if parameter.envvar}


def test_the_linter_finds_nothing():
    done = subprocess.run(
        [Path(sys.executable).with_name("hadolint"), DOCKER / "Dockerfile"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_it_runs_a_command_of_ours(image):
    assert image.words("ENTRYPOINT")[0] in PROJECT["scripts"]
    assert image.words("CMD")[0] in typer.main.get_command(app).commands


def test_its_variables_are_those_that_the_service_reads(image):
    options = own_options()
    assert set(options) == {
        "ANSWER_SELECTION_PIPELINE",
        "ANSWER_SELECTION_INDEX",
        "ANSWER_SELECTION_MODEL",
        "ANSWER_SELECTION_HOST",
        "ANSWER_SELECTION_PORT",
        "ANSWER_SELECTION_WORKERS",
        "ANSWER_SELECTION_QUEUE_SIZE",
        "ANSWER_SELECTION_REQUEST_TIMEOUT",
        "ANSWER_SELECTION_DRAIN_TIMEOUT",
        "ANSWER_SELECTION_ALLOWED_HOSTS",
        "ANSWER_SELECTION_ALLOWED_ORIGINS",
        "ANSWER_SELECTION_TOKEN",
    }
    assert {name for name in image.environment if name.startswith("ANSWER_")} <= set(options)
    assert image.environment["ANSWER_SELECTION_PIPELINE"] in SHIPPED
    assert image.environment["ANSWER_SELECTION_PORT"] == options["ANSWER_SELECTION_PORT"] == image.only("EXPOSE")


def test_it_is_not_root_and_writes_in_one_place_alone(image):
    assert image.only("USER") == re.search(r"--uid (\d+)", DOCKERFILE)[1] != "0"
    written = image.only("VOLUME")
    assert written == image.only("WORKDIR") == re.search(r"--home-dir (\S+)", DOCKERFILE)[1]
    assert all(image.environment[name].startswith(f"{written}/") for name in ("HF_HOME", "NUMBA_CACHE_DIR"))


def locked() -> dict[str, tuple[str, list[str]]]:
    """Versions and hashes of the lock file, by name."""
    text = (DOCKER / "requirements.lock").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line.split() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    versions = [(Requirement(name), hashes) for name, *hashes in lines]
    found = {canonicalize_name(one.name): (str(one.specifier).removeprefix("=="), hashes) for one, hashes in versions}
    assert len(found) == len(lines)
    return found


def test_every_locked_package_has_an_exact_version_and_hashes():
    for name, (version, hashes) in locked().items():
        assert str(Version(version)) == version, name
        assert hashes, name
        assert all(re.fullmatch("--hash=sha256:[0-9a-f]{64}", one) for one in hashes), name


def test_what_it_installs_is_what_the_project_names():
    [torch] = re.findall(r'"torch==([^"]*)"', DOCKERFILE)
    versions = {"torch": torch} | {name: version for name, (version, _) in locked().items()}
    extras = [PROJECT["optional-dependencies"][extra] for extra in ("elasticsearch", "serve")]
    asked = [
        *PROJECT["dependencies"],
        *PYPROJECT["build-system"]["requires"],
        *(one for extra in extras for one in extra),
    ]
    for requirement in map(Requirement, asked):
        assert requirement.specifier.contains(versions[canonicalize_name(requirement.name)]), requirement
    [python] = re.findall(r"ARG PYTHON_IMAGE=python:(3\.\d+)\.\d+-slim-\w+(?:@sha256:[0-9a-f]{64})?\n", DOCKERFILE)
    assert f"Programming Language :: Python :: {python}" in PROJECT["classifiers"]
    assert f"--python-version {python} " in (DOCKER / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)) == {"${PYTHON_IMAGE}"}


def test_nothing_but_torch_is_installed_without_a_hash():
    installs = re.findall(r"pip --python \S+ install (.*)", DOCKERFILE)
    assert [line for line in installs if "--require-hashes" not in line and "--no-deps" not in line] == [
        '--index-url "${TORCH_INDEX}" "torch==2.15.0"'
    ]


def test_the_engine_is_sent_what_the_wheel_is_built_from_and_nothing_else():
    rules = (DOCKER / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    sent = {rule.removeprefix("!/") for rule in rules if rule.startswith("!/")}
    # Where the import names are, and the folders that their links lead to.
    names = {REPOSITORY / folder for folder in PYPROJECT["tool"]["setuptools"]["package-dir"].values()}
    linked = {path.resolve() for folder in names for path in folder.rglob("*") if path.is_symlink()}
    tops = {path.relative_to(REPOSITORY).parts[0] for path in names | linked}
    assert sent == tops | {
        "docker/requirements.lock",
        "pyproject.toml",
        PROJECT["readme"],
        *PROJECT["license-files"],
    }
    # Of what is sent, this is left out, as it is of the wheel.
    assert [rule for rule in rules if not rule.startswith(("#", "!/"))] == [
        "*",
        "/pipelines/experiments",
        "**/__pycache__",
    ]
