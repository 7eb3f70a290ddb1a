# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Synonym files in Solr's format, checked before a server sees them."""

import re
from pathlib import Path

import regex

from answer_selection.indexing.analysis import MAX_TERM

_COMMA, _ARROW = re.compile(r"(?<!\\),"), re.compile(r"(?<!\\)=>")
_TERM = regex.compile(r"[\p{Alphabetic}\p{N}]+")


class SynonymsError(ValueError):
    """A synonym file cannot be used; the message names file and line."""


def read_synonyms(path: Path) -> tuple[str, ...]:
    """
    Read a synonym file: on each line `sofa, couch, settee` (all mean the same) or `tv, telly => television`.

    :param path: A UTF-8 file; empty lines and those that begin with `#` are left out.
    :returns: The rules.
    :raises SynonymsError: If it can't be read, or a line is no rule.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except OSError as error:
        msg = f"{path}: {error.strerror}; expected a synonym file in Solr's format"
        raise SynonymsError(msg) from error
    except UnicodeDecodeError as error:
        before = error.object[: error.start].count(b"\n")
        msg = f"{path}, line {before + 1}: not UTF-8"
        raise SynonymsError(msg) from error
    rules = []
    for number, line in enumerate(lines, start=1):
        rule = line.strip()
        if rule and not rule.startswith("#"):
            if problem := _problem(rule):
                msg = f"{path}, line {number}: {problem}"
                raise SynonymsError(msg)
            rules.append(rule)
    if not rules:
        msg = f"{path}: no rule in it; expected lines such as `sofa, couch, settee` or `tv, telly => television`"
        raise SynonymsError(msg)
    return tuple(rules)


def _problem(rule: str) -> str | None:
    sides = _ARROW.split(rule)
    if len(sides) > 2:
        return f"`=>` stands {len(sides) - 1} times in {rule!r}; expected it once"
    for side in sides:
        terms = _COMMA.split(side)
        if len(sides) == 1 and len(terms) == 1:
            return f"{rule!r} is one term alone; expected several, with commas between them or `=>`"
        for term in terms:
            words = _TERM.findall(term)
            if not words:
                return f"the term {term.strip()!r} in {rule!r} has no letter or digit"
            if any(len(word) > MAX_TERM for word in words):
                return f"a word in {rule!r} is longer than {MAX_TERM} characters, which no search finds"
    return None
