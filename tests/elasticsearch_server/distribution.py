# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
The server's files: the vendor's jars, fetched by Maven, and the launcher and the module that are compiled here.

They are made once and kept in a cache, under a name that changes with whatever they are made from.
"""

import functools
import hashlib
import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

from maven_files import BRIEFLY, JAVA, UnavailableError, java, kept, maven, run

HERE = Path(__file__).parent
POM = HERE / "pom.xml"
VERSION = str(ET.parse(POM).findtext(".//{*}elasticsearch.version"))

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


@functools.cache
def distribution() -> Path:
    """The folder of the server's files, made if it is not there."""
    java()
    sources = sorted(path for pattern in ("pom.xml", "*/*.java", "distribution.py") for path in HERE.glob(pattern))
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:12]
    return kept(f"elasticsearch-{VERSION}-{digest}", _make)


def _make(folder: Path) -> None:
    lib, modules, classes = folder / "lib", folder / "modules", folder / "classes"
    netty = modules / "transport-netty4"
    netty.mkdir(parents=True)
    maven(f"Elasticsearch {VERSION}", "--file", str(POM), "dependency:copy-dependencies", f"-DoutputDirectory={lib}")
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


def _compile(classes: Path, lib: Path) -> None:
    javac = Path(java()).with_name("javac")
    if not javac.is_file():
        msg = f"{javac} is not there: install a JDK, not only a Java runtime (Debian: openjdk-{JAVA}-jdk-headless)"
        raise UnavailableError(msg)
    options = [f"-J{BRIEFLY}", "--release", str(JAVA), "-nowarn", "-cp", f"{lib}/*", "-d", str(classes)]
    done = run([str(javac), *options, *map(str, sorted(HERE.glob("*/*.java")))])
    if done.returncode:
        raise RuntimeError(done.stdout)


def _archive(package: Path, folder: Path) -> None:
    """Make a jar of a package."""
    name = shutil.make_archive(str(folder / package.name), "zip", package.parent, package.name)
    Path(name).rename(folder / f"{package.name}.jar")
