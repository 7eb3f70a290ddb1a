# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
The server's files: the vendor's jars, fetched by Maven, and the launcher and the module that are compiled here.

They are made once and kept in a cache, under a name that changes with whatever they are made from.
"""

import functools
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from xml.etree import ElementTree as ET

HERE = Path(__file__).parent
POM = HERE / "pom.xml"
VERSION = str(ET.parse(POM).findtext(".//{*}elasticsearch.version"))
JAVA = 17
CACHE_VARIABLE = "ANSWER_SELECTION_TEST_CACHE"

_DESCRIPTOR = """\
description={name}
name={name}
version={version}
classname={plugin}
java.version={java}
elasticsearch.version={version}
"""
# Of the fetched jars, those of the module that speaks HTTP; it has to have them for itself.
_NETTY_JARS = ("transport-netty4-*.jar", "netty-*.jar", "elasticsearch-ssl-config-*.jar")

_OWN_MODULES = {
    "rest_root": "rest_root.RestRootPlugin",
    "analysis_common": "analysis_common.AnalysisCommonPlugin",
}


class UnavailableError(Exception):
    """There is no server on this machine: one line that says why, and how to change it."""


@functools.cache
def java() -> str:
    """The path of a Java that can run the server."""
    home = os.environ.get("JAVA_HOME")
    path = shutil.which("java", path=str(Path(home, "bin")) if home else None)
    found = re.search(r'version "(\d+)', _run([path, "-version"]).stdout) if path else None
    if path is None or found is None or int(found[1]) < JAVA:
        msg = f"Elasticsearch needs Java {JAVA}: install a JDK (Debian: openjdk-{JAVA}-jdk-headless) or set JAVA_HOME"
        raise UnavailableError(msg)
    # Where it really is, since javac is beside it.
    return str(Path(path).resolve())


@functools.cache
def distribution() -> Path:
    """The folder of the server's files, made if it is not there."""
    java()
    sources = sorted(path for pattern in ("pom.xml", "*/*.java", "distribution.py") for path in HERE.glob(pattern))
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:12]
    cache = Path(
        os.environ.get(CACHE_VARIABLE)
        or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "answer-selection-tests")
    )
    folder = cache / f"elasticsearch-{VERSION}-{digest}"
    if not folder.is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        # Beside its place, then renamed: another process sees all of it or nothing.
        with tempfile.TemporaryDirectory(prefix=".being-made-", dir=cache) as aside:
            made = Path(aside, "server")
            _make(made)
            try:
                made.rename(folder)
            except OSError:
                if not folder.is_dir():
                    raise
    return folder


def _make(folder: Path) -> None:
    lib, modules, classes = folder / "lib", folder / "modules", folder / "classes"
    netty = modules / "transport-netty4"
    netty.mkdir(parents=True)
    _fetch(lib)
    for pattern in _NETTY_JARS:
        for jar in lib.glob(pattern):
            jar.rename(netty / jar.name)
    _describe(netty, "org.elasticsearch.transport.netty4.Netty4Plugin")
    _compile(classes, lib)
    _archive(classes / "launcher", folder)
    for name, plugin in _OWN_MODULES.items():
        _archive(classes / name, modules / name)
        _describe(modules / name, plugin)
    shutil.rmtree(classes)


def _describe(module: Path, plugin: str) -> None:
    text = _DESCRIPTOR.format(name=module.name, plugin=plugin, version=VERSION, java=JAVA)
    (module / "plugin-descriptor.properties").write_text(text, encoding="utf-8")


def _fetch(folder: Path) -> None:
    mvn = shutil.which("mvn")
    if mvn is None:
        msg = f"Elasticsearch {VERSION} is fetched by Maven: install it (Debian: maven)"
        raise UnavailableError(msg)
    goal = ["dependency:copy-dependencies", f"-DoutputDirectory={folder}"]
    done = _run([mvn, "--batch-mode", "--quiet", "--strict-checksums", "--file", str(POM), *goal])
    if done.returncode:
        error = next((line for line in done.stdout.splitlines() if "ERROR" in line), f"exit code {done.returncode}")
        msg = f"Maven can't fetch Elasticsearch {VERSION}; it needs its repository or a mirror in settings.xml: {error}"
        raise UnavailableError(msg)


def _compile(classes: Path, lib: Path) -> None:
    javac = Path(java()).with_name("javac")
    if not javac.is_file():
        msg = f"{javac} is not there: install a JDK, not only a Java runtime (Debian: openjdk-{JAVA}-jdk-headless)"
        raise UnavailableError(msg)
    options = ["--release", str(JAVA), "-nowarn", "-cp", f"{lib}/*", "-d", str(classes)]
    done = _run([str(javac), *options, *map(str, sorted(HERE.glob("*/*.java")))])
    if done.returncode:
        raise RuntimeError(done.stdout)


def _archive(package: Path, folder: Path) -> None:
    """Make a jar of a package."""
    name = shutil.make_archive(str(folder / package.name), "zip", package.parent, package.name)
    Path(name).rename(folder / f"{package.name}.jar")


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
