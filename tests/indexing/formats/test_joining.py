# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import pytest

from answer_selection.indexing.formats.joining import columns_of, joined


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["How long ", "", "  may I\tstay?"], "How long may I stay?"),
        (
            ["\u4f55\u6642\u9593", "\u3044\u3089\u308c\u307e\u3059\u304b", "?"],
            "\u4f55\u6642\u9593\u3044\u3089\u308c\u307e\u3059\u304b?",
        ),
        (["\u4f55\u6642\u9593", "GNU Emacs"], "\u4f55\u6642\u9593 GNU Emacs"),
        (["\uc5bc\ub9c8\ub098", "\uac78\ub9ac\ub098\uc694?"], "\uc5bc\ub9c8\ub098 \uac78\ub9ac\ub098\uc694?"),
        ([], ""),
    ],
)
def test_lines_are_joined_as_their_script_is_written(lines: list[str], expected: str) -> None:
    assert joined(lines) == expected


@pytest.mark.parametrize(("line", "columns"), [("abc", 3), ("\t\u4f55\u6642", 12), ("\uff71\uff72", 2), ("\uac78", 1)])
def test_chinese_and_japanese_letters_are_two_columns_wide_but_for_half_width_ones(line: str, columns: int) -> None:
    assert columns_of(line) == columns
