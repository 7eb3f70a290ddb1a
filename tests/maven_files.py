# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Servers of Java for the tests: fetched by Maven, made once and kept in a cache."""

import functools
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

JAVA = 17
# The first compiler alone: what runs for seconds takes half the processor time.
BRIEFLY = "-XX:TieredStopAtLevel=1"
CACHE_VARIABLE = "ANSWER_SELECTION_TEST_CACHE"


class UnavailableError(Exception):
    """There is no server on this machine: one line that says why, and how to change it."""


@functools.cache
def java() -> str:
    """The path of a Java that can run the servers."""
    home = os.environ.get("JAVA_HOME")
    path = shutil.which("java", path=str(Path(home, "bin")) if home else None)
    found = re.search(r'version "(\d+)', run([path, "-version"]).stdout) if path else None
    if path is None or found is None or int(found[1]) < JAVA:
        msg = f"the servers need Java {JAVA}: install a JDK (Debian: openjdk-{JAVA}-jdk-headless) or set JAVA_HOME"
        raise UnavailableError(msg)
    # Where it really is, since javac is beside it.
    return str(Path(path).resolve())


def maven(what: str, *arguments: str) -> None:
    """Let Maven fetch something; `what` is its name in the error."""
    mvn = shutil.which("mvn")
    if mvn is None:
        msg = f"{what} is fetched by Maven: install it (Debian: maven)"
        raise UnavailableError(msg)
    options = {"MAVEN_OPTS": f"{BRIEFLY} {os.environ.get('MAVEN_OPTS', '')}"}
    done = run([mvn, "--batch-mode", "--quiet", "--strict-checksums", *arguments], os.environ | options)
    if done.returncode:
        error = next((line for line in done.stdout.splitlines() if "ERROR" in line), f"exit code {done.returncode}")
        msg = f"Maven can't fetch {what}; it needs its repository or a mirror in settings.xml: {error}"
        raise UnavailableError(msg)


def kept(name: str, make: Callable[[Path], None]) -> Path:
    """A folder of the cache, made if it is not there: the name tells what it is made from."""
    cache = Path(
        os.environ.get(CACHE_VARIABLE)
        or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "answer-selection-tests")
    )
    folder = cache / name
    if not folder.is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        # Beside its place, then renamed: another process sees all of it or nothing.
        with tempfile.TemporaryDirectory(prefix=".being-made-", dir=cache) as aside:
            made = Path(aside, "server")
            make(made)
            try:
                made.rename(folder)
            except OSError:
                if not folder.is_dir():
                    raise
    return folder


def run(command: list[str], environment: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command, its errors among what it prints."""
    return subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, env=environment
    )
