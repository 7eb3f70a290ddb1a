# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What the Dockerfile and the compose files say, as the engine would read it: there is none to ask here."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from compose_spec import PyCompose
from dockerfile_parse import DockerfileParser

REPOSITORY = Path(__file__).parents[2]
DOCKER = REPOSITORY / "docker"
# $$ is a dollar; ${NAME}, ${NAME:-default} and ${NAME:?what to do} are variables.
_VARIABLE = re.compile(r"\$(?:(?P<dollar>\$)|\{(?P<name>\w+)(?::(?P<kind>[-?])(?P<text>[^}]*))?\})")


@dataclass(frozen=True)
class Image:
    """The last stage of the Dockerfile."""

    instructions: list[tuple[str, str]]
    environment: dict[str, str]

    def only(self, instruction: str) -> str:
        """The value of an instruction that is there once."""
        [value] = [value for name, value in self.instructions if name == instruction]
        return value

    def words(self, instruction: str) -> list[str]:
        """The words of an instruction in the form that no shell reads."""
        return json.loads(self.only(instruction))

    @property
    def health_check(self) -> list[str]:
        """The command of the health check."""
        return json.loads(self.only("HEALTHCHECK").partition("CMD ")[2])


class UnsetError(Exception):
    """A variable without which compose does not start."""


@pytest.fixture(scope="session")
def image() -> Image:
    """What is run in the service's container."""
    parser = DockerfileParser(path=str(DOCKER / "Dockerfile"))
    lines = [(line["instruction"], line["value"]) for line in parser.structure]
    last = max(index for index, (instruction, _) in enumerate(lines) if instruction == "FROM")
    return Image(lines[last:], dict(parser.envs))


@pytest.fixture(scope="session")
def compose() -> Callable[..., dict[str, Any]]:
    """Reads a compose file: merged, with its variables in place, and valid by the specification."""

    def read(name: str, environment: Mapping[str, str]) -> dict[str, Any]:
        content = _interpolated(yaml.safe_load((DOCKER / name).read_text(encoding="utf-8")), environment)
        PyCompose.from_json(json.dumps(content)).validate()
        return content

    return read


def _interpolated(value: Any, environment: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _interpolated(item, environment) for key, item in value.items()}
    if isinstance(value, list):
        return [_interpolated(item, environment) for item in value]
    if not isinstance(value, str):
        return value

    def replaced(match: re.Match) -> str:
        if match["dollar"]:
            return "$"
        if match["name"] in environment:
            return environment[match["name"]]
        if match["kind"] != "-":
            msg = f"{match['name']}: {match['text']}"
            raise UnsetError(msg)
        return match["text"]

    return _VARIABLE.sub(replaced, value)
