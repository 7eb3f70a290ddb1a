# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Try the package with the lowest versions of its dependencies that pyproject.toml declares.

    python tests/lowest_versions.py ../lowest

makes a virtual environment there, installs exactly those versions (of the dependencies and of the extras), the project
itself as a wheel without its dependencies, and runs what breaks first on an old version: the import of every module,
the loading of every shipped pipeline, and the tests of what calls other packages most. It takes some minutes and, with
the CUDA libraries that torch's wheels for Linux ask for, some gigabytes; it is run before a release and after a floor
was changed, not with the tests. Types are not checked: they are held to what the newest versions of other packages say
of themselves.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
EXTRAS = ("train", "documents", "elasticsearch", "encoders", "serve", "test")
TESTS = (
    "tests/components/converters",
    "tests/components/rankers/models",
    "tests/components/rankers/test_bm25_ranker.py",
    "tests/components/rankers/test_answer_ranker.py",
    "tests/components/rankers/training",
    "tests/components/retrievers",
    "tests/indexing",
    "tests/pipelines/evaluation",
    "tests/pipelines/serving",
    "tests/pipelines/commands/test_ask.py",
    "tests/pipelines/commands/test_index.py",
)
# Not the project's sources, and large or misleading.
LEFT_BEHIND = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "dist", "answer-selection-runs")
# Runs in the new environment.
LOAD_ALL = """
import importlib, importlib.metadata, pathlib
from haystack import Pipeline
modules = pipelines = 0
for file in importlib.metadata.files("answer-selection-haystack"):
    if file.suffix == ".py":
        # Kernels for a GPU: the import asks for triton, which torch brings where there can be one.
        if file.stem != "recurrence_triton":
            importlib.import_module(".".join(file.with_suffix("").parts).removesuffix(".__init__"))
            modules += 1
    elif file.suffix == ".yaml" and file.parent.name == "pipelines":
        Pipeline.loads(file.read_text())
        pipelines += 1
assert modules > 50 and pipelines >= 3, (modules, pipelines)
print(f"{modules} modules imported, {pipelines} pipelines loaded")
"""


def lowest(requirements: list[str]) -> Iterator[str]:
    """Pin requirements of the form `name>=version` to that version; those of the project's own extras are left out."""
    for requirement in requirements:
        if requirement.startswith("answer-selection-haystack["):
            continue
        floor = re.fullmatch(r"([\w.-]+)>=([\w.]+)", requirement)
        if floor is None:
            sys.exit(f"pyproject.toml: expected a requirement of the form name>=version, found {requirement!r}")
        yield f"{floor[1]}=={floor[2]}"


def main() -> None:
    """Make the environment and try it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("environment", type=Path, help="folder of the virtual environment; must not be there")
    parser.add_argument("--python", default=sys.executable, help="interpreter; the lowest declared is the one to try")
    parser.add_argument("--resolve-only", action="store_true", help="only see whether pip finds the versions")
    parser.add_argument("tests", nargs="*", default=TESTS, help="what pytest is given, from the repository's root")
    options = parser.parse_args()
    if options.environment.exists():
        parser.error(f"{options.environment} is there already")

    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = [project["dependencies"], *(project["optional-dependencies"][extra] for extra in EXTRAS)]
    pins = [pin for group in groups for pin in lowest(group)]
    print(*pins, sep="\n", flush=True)

    subprocess.run([options.python, "-m", "venv", options.environment], check=True)
    python = options.environment.absolute() / "bin" / "python"
    if options.resolve_only:
        subprocess.run([python, "-m", "pip", "install", "-q", "--dry-run", *pins], check=True)
        return
    subprocess.run([python, "-m", "pip", "install", "-q", *pins], check=True)
    with tempfile.TemporaryDirectory() as folder:  # building leaves files beside the sources
        sources = shutil.copytree(REPOSITORY, Path(folder) / "sources", ignore=LEFT_BEHIND)
        subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", sources], check=True)
        subprocess.run([python, "-c", LOAD_ALL], cwd=folder, check=True)
    subprocess.run([python, "-m", "pytest", "-q", *options.tests], cwd=REPOSITORY, check=True)


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(f"failed with {error.returncode}: {Path(error.cmd[0]).name} {error.cmd[1]} {error.cmd[2]} ...")
