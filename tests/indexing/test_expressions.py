# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Every regular expression that reads text takes time in proportion to it.

What a text is made of is tried at a length at which a proportional time is a twentieth of a second at most, a quadratic
one three seconds or more, and an exponential one for ever. The bound is of the process's own seconds: no load of the
machine reaches it.
"""

import signal
import subprocess
import sys

import pytest

READERS = (
    "answer_selection.indexing.formats",
    "answer_selection.indexing.candidates",
    "answer_selection.indexing.stackexchange",
    "answer_selection.indexing.text",
)
# Asked of whole values or lines alone; the others find places in a text.
WHOLE = (
    *("_YAML_LINE", "_NUMBER", "_HEADING"),
    # Names of classes, cut at 60 characters.
    *("_CLASS", "_CONTENTS", "_LANGUAGE_CLASS", "_HEADING_LINK", "OF_ACCORDIONS", "_OPENS_A_MENU", "_BY_THE_WAY"),
    *("_QUESTION", "_ANSWER", "_UNSEEN", "_BOX"),
    # Names of blocks, cut at 40.
    "_OPENS",
    # Short texts.
    *("_TO_THE_TOP", "_OF_THE_PAGE"),
    # Lines.
    *("QUESTION", "ANSWER", "_RULE", "RULE", "_BORDER", "_NUMBERED", "NUMBERED", "_DECORATED", "_ITEM", "ITEM"),
    *("_PAGE_NUMBER", "_ASKING", "_QUOTING", "_BELOW", "_WORDS", "_LEVELS", "_VALIDATED"),
)
LENGTH = 25_000
BOUND = 1  # second of the processor, for each text

# Finds the expressions that a package's modules hold, and has each search texts of its own literal characters and of
# such as classes match: one or two of them again and again, after nothing or after what the expression begins with.
SEARCH = r"""
import importlib, itertools, pkgutil, re, signal, sys
import regex

package = importlib.import_module(sys.argv[1])
found = {}
for name in [package.__name__, *(f"{package.__name__}.{part.name}" for part in pkgutil.iter_modules(package.__path__))]:
    for attribute, value in vars(importlib.import_module(name)).items():
        if isinstance(value, (re.Pattern, regex.Pattern)):
            found[value] = f"{name}.{attribute}"
for pattern, name in found.items():
    of_bytes = isinstance(pattern.pattern, bytes)
    source = pattern.pattern.decode("latin-1") if of_bytes else pattern.pattern
    beginning = re.match(r"[^\\[\](){}^$*+?|.]*", source.removeprefix(r"\A"))[0]
    literal = [c for c in re.sub(r"\\.|\[[^]]*]", "", source) if c not in "^$*+?{}[]()|"]
    letters = list(dict.fromkeys([" ", "\n", "a", "1", *literal, *".<'-\t"]))[:9]
    for piece in [*letters, *map("".join, itertools.permutations(letters[:3], 2))]:
        for start in {"", beginning}:
            print(name, repr(start), repr(piece), file=sys.stderr, flush=True)
            signal.setitimer(signal.ITIMER_VIRTUAL, int(sys.argv[3]))  # ends the process
            text = start + piece * (int(sys.argv[2]) // len(piece)) + "\0"
            text = text.encode("latin-1") if of_bytes else text
            if name.rpartition(".")[2] in sys.argv[4:]:
                pattern.fullmatch(text)
            else:
                for _ in pattern.finditer(text):
                    pass
    print(name)
"""


@pytest.mark.slow
@pytest.mark.parametrize("package", READERS)
def test_expressions_take_time_in_proportion_to_the_text(package: str) -> None:
    command = [sys.executable, "-c", SEARCH, package, str(LENGTH), str(BOUND), *WHOLE]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    *_, last = ["", *done.stderr.splitlines()]
    assert done.returncode != -signal.SIGVTALRM, f"more than {BOUND} s: {last} again and again"
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout, f"{package} has no expression any more: take it out of the list"
