# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Error messages for people at a terminal, and the silencing of other packages' messages."""

import logging
import re
import sqlite3
from typing import Final

# What a wrong file, a wrong option, a missing extra or a full disk raise; anything else is a fault of ours.
EXPECTED: Final = (ValueError, OSError, ImportError, RuntimeError, ArithmeticError, sqlite3.OperationalError)
# Those of Haystack and of the Elasticsearch client, by the modules that define them: --help should not wait until they
# are imported.
CLIENT: Final = ("elastic_transport", "elasticsearch")
EXPECTED_OF: Final = ("haystack.core.errors", "haystack.document_stores.errors", "haystack.errors", *CLIENT)

_COMPONENT: Final = re.compile(r"component '([^']{1,200})'")

# Other packages, whose notes to developers commands and service leave out.
QUIET: Final = ("haystack", "transformers", "gensim", "torch", "elastic_transport", "elasticsearch", "urllib3")


def silence_packages() -> None:
    """Leave out what other packages log for developers, but for errors."""
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.ERROR)


def is_expected(error: Exception) -> bool:
    """
    Say whether an error is about what a command was given, and not a fault of ours.

    :param error: The error.
    :returns: Whether it needs no traceback.
    """
    if isinstance(error, EXPECTED):
        return True
    return _is_of(error, EXPECTED_OF)


def _is_of(error: Exception, modules: tuple[str, ...]) -> bool:
    return any(cls.__module__.startswith(modules) for cls in type(error).__mro__)


def one_line(error: Exception) -> str:
    """
    Give an error's message for people at a terminal.

    :param error: The error.
    :returns: One line.
    """
    component = getattr(error, "component_name", None)
    if component and isinstance(error.__cause__, Exception):
        # What Haystack puts around a component's own error takes four lines.
        return f"{component}: {one_line(error.__cause__)}"
    if type(error).__name__ == "DeserializationError" and isinstance(error.__cause__, ValueError):
        # Haystack puts the whole definition of a component before the component's own error.
        named = _COMPONENT.search(str(error))
        return f"{named[1]}: {one_line(error.__cause__)}" if named else one_line(error.__cause__)
    if _is_of(error, CLIENT):
        from answer_selection.indexing.elasticsearch.errors import explain

        return explain(error)
    # An argument of the functions is an option of the commands.
    text = " ".join(str(error).replace("overwrite=True", "--overwrite").split()) or type(error).__name__
    if isinstance(error, ImportError):
        if "pip install '.[" in text or 'pip install ".[' in text:
            return text
        if "elastic" in (error.name or ""):
            return f"{text}; Elasticsearch needs more packages: pip install '.[elasticsearch]'"
        if "sentence_transformers" in (error.name or ""):
            return f"{text}; sentence encoders need more packages: pip install '.[encoders]'"
        return f"{text}; training and evaluation need more packages: pip install '.[train]'"
    return text
