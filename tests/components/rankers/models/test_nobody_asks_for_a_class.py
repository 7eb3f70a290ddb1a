# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What a model is and can, its own methods say: no module beside the models' asks of which class one is."""

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

from haystack_integrations.components.rankers.answer_selection import models

REPOSITORY = Path(__file__).parents[4]
MODELS = REPOSITORY / "components" / "rankers" / "answer_selection" / "models"


def asked_for(module: ast.Module) -> Iterator[tuple[int, str]]:
    """The lines that ask for a class which comes from the models' folder, and the class."""
    theirs = set()
    for node in ast.walk(module):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith(models.__name__):
            theirs |= {alias.asname or alias.name for alias in node.names}
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("isinstance", "issubclass"):
            named = {name.id for name in ast.walk(node.args[1]) if isinstance(name, ast.Name)}
            yield from ((node.lineno, name) for name in sorted(named & theirs))
        if isinstance(node, ast.MatchClass) and (name := ast.unparse(node.cls).split(".")[0]) in theirs:
            yield node.lineno, name


def test_no_module_beside_theirs() -> None:
    modules = [path for folder in ("components", "pipelines") for path in (REPOSITORY / folder).rglob("*.py")]
    outside = [path for path in modules if MODELS not in path.parents]
    assert len(outside) > 100
    found = [
        f"{path.relative_to(REPOSITORY)}:{line} asks for {name}"
        for path in outside
        for line, name in asked_for(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "question",
    ["isinstance(model, WordModel)", "issubclass(kind, (int, registry.WordModel))", "isinstance(x, int | WordModel)"],
)
def test_what_it_would_find(question: str) -> None:
    source = f"""
        from {models.__name__}.word_model import WordModel
        from {models.__name__} import registry
        answer = {question}
    """
    assert [line for line, _ in asked_for(ast.parse(inspect.cleandoc(source)))] == [3]
