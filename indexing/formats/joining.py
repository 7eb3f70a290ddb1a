# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Lines of one sentence, also in scripts that put no space between words and whose letters are two columns wide."""

import re
from collections.abc import Iterable
from typing import Final

# Chinese and Japanese letters and signs; Korean has spaces.
_WIDE: Final = "\u2e80-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff9f\U00020000-\U0003ffff"
_BREAK: Final = re.compile(rf"(?<=[{_WIDE}])\n(?=[{_WIDE}?!.,:;)])")
# Half-width forms are one column wide.
_TWO_COLUMNS: Final = re.compile(rf"(?![\uff61-\uff9f])[{_WIDE}]")


def joined(lines: Iterable[str]) -> str:
    """
    Write lines as one.

    :param lines: the lines.
    :returns: their words, one space between two; none where a line of Chinese or Japanese goes on in the next.
    """
    text = "\n".join(filter(None, (" ".join(line.split()) for line in lines)))
    return _BREAK.sub("", text).replace("\n", " ")


def columns_of(line: str) -> int:
    """
    Count the columns of a line.

    :param line: the line.
    :returns: their number: two for each Chinese or Japanese letter, up to eight for a tab.
    """
    return len(line.expandtabs()) + len(_TWO_COLUMNS.findall(line))
