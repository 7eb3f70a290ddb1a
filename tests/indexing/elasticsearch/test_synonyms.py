# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Synonym files: what is read, and what is refused with file and line."""

import re
from pathlib import Path

import pytest

from answer_selection.indexing.elasticsearch.synonyms import SynonymsError, read_synonyms


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "synonyms.txt"


def test_rules_are_read_in_their_order_without_comments(file: Path):
    file.write_text(
        "\ufeff# furniture\nsofa, couch,settee\n\n  tv, telly => television\r\nr\\, d, research\n", encoding="utf-8"
    )
    assert read_synonyms(file) == ("sofa, couch,settee", "tv, telly => television", "r\\, d, research")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("sofa", "one term alone"),
        ("r\\, d", "one term alone"),
        ("a => b => c", "`=>` stands 2 times"),
        ("sofa, , couch", "the term '' in 'sofa, , couch' has no letter or digit"),
        ("sofa =>", "the term '' in 'sofa =>' has no letter or digit"),
        ("sofa, ++", "the term '++'"),
        (f"sofa, {'x' * 300}", "longer than 254 characters"),
    ],
)
def test_what_is_no_rule_is_refused_with_its_line(file: Path, line: str, problem: str):
    file.write_text(f"# first\ntv, television\n{line}\n", encoding="utf-8")
    with pytest.raises(SynonymsError, match=re.escape(f"{file}, line 3: ")) as error:
        read_synonyms(file)
    assert problem in str(error.value)


def test_a_file_that_is_not_there_or_not_text_is_named(file: Path):
    with pytest.raises(SynonymsError, match=re.escape(f"{file}: No such file")):
        read_synonyms(file)
    file.write_bytes(b"tv, television\nsof\xe4, couch\n")
    with pytest.raises(SynonymsError, match=re.escape(f"{file}, line 2: not UTF-8")):
        read_synonyms(file)
    file.write_text("# nothing yet\n", encoding="utf-8")
    with pytest.raises(SynonymsError, match="no rule in it"):
        read_synonyms(file)
