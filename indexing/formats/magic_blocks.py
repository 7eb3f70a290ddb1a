# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""ReadMe's blocks in Markdown, ``[block:callout]``, some JSON and ``[/block]``, as the lines that they show."""

import json
import re
from collections.abc import Sequence
from typing import Any, Final

_BEGINS: Final = re.compile(r"\[block:([a-z-]{1,40})\][ \t]*")
_END: Final = "[/block]"
_LONGEST: Final = 500  # lines


def magic_block(lines: Sequence[str], here: int, end: int) -> tuple[int, list[str]] | None:
    """
    Read a block.

    :param lines: a Markdown file's lines.
    :param here: the number of a line.
    :param end: the number of the line that the block must end before.
    :returns: the number of the line behind the block that begins here, and what it shows; None if none begins.
    """
    if (begins := _BEGINS.fullmatch(lines[here])) is None:
        return None
    after = next((i for i in range(here + 1, min(end, here + _LONGEST)) if lines[i].strip() == _END), None)
    if after is None:
        return None
    try:
        block = json.loads("\n".join(lines[here + 1 : after]))
    except (ValueError, RecursionError):
        return None
    return after + 1, ["", *_shown(begins[1], block if isinstance(block, dict) else {}), ""]


def _shown(kind: str, block: dict[str, Any]) -> list[str]:
    if kind == "code":
        codes = block.get("codes")
        return [
            line
            for code in (codes if isinstance(codes, list) else [])
            if isinstance(code, dict) and isinstance(code.get("code"), str)
            for line in ("~~~", *code["code"].split("\n"), "~~~", "")
        ]
    # Of an image or a video nothing can be told.
    texts = [text for name in ("title", "body") if isinstance(text := block.get(name), str)]
    return [line for text in texts for line in (*text.split("\n"), "")] if kind in ("api-header", "callout") else []
