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
_TILDES: Final = re.compile("~+")
# The header is the row "h".
_CELL: Final = re.compile(r"(?:h|[0-9]{1,4})-[0-9]{1,4}")


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
    shown = _shown(begins[1], block) if isinstance(block, dict) else None
    # JSON can write half a character, which is no text.
    return None if shown is None else (after + 1, [line.encode(errors="replace").decode() for line in ["", *shown, ""]])


def _shown(kind: str, block: dict[str, Any]) -> list[str] | None:
    """What a block shows; None for one of an unknown kind."""
    title, body, html = (_text(block, name) for name in ("title", "body", "html"))
    match kind:
        case "api-header":
            return [f"## {' '.join(title.split())}"]
        case "callout":
            # What begins like a heading would be one.
            return [line.lstrip("# ") if line.startswith("#") else line for line in (title, "", *body.split("\n"))]
        case "code":
            return [line for code in _dicts(block, "codes") for line in _fenced(_text(code, "code"))]
        case "embed":
            return [f"[{title or _text(block, 'url')}]({_text(block, 'url')})"]
        case "html":
            return html.split("\n")
        case "image":
            return [line for image in _dicts(block, "images") for line in (_text(image, "caption"), "")]
        case "parameters":
            return _table(block)
        case "textarea":
            return _text(block, "text").split("\n")
    return None


def _text(block: dict[str, Any], name: str) -> str:
    text = block.get(name)
    return text if isinstance(text, str) else ""


def _dicts(block: dict[str, Any], name: str) -> list[dict[str, Any]]:
    items = block.get(name)
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


def _fenced(code: str) -> list[str]:
    longest = max(map(len, _TILDES.findall(code)), default=0)
    fence = "~" * max(3, longest + 1)
    return [fence, *code.split("\n"), fence, ""]


def _table(block: dict[str, Any]) -> list[str]:
    data = block.get("data")
    data = data if isinstance(data, dict) else {}
    cells = {key: " ".join(str(value).replace("|", "\\|").split()) for key, value in data.items()}
    columns = sorted({int(key.split("-")[1]) for key in cells if _CELL.fullmatch(key)})
    rows = sorted({int(key.split("-")[0]) for key in cells if _CELL.fullmatch(key) and key[0] != "h"})
    table = [[cells.get(f"{row}-{column}", "") for column in columns] for row in ("h", *rows)]
    table.insert(1, ["---"] * len(columns))
    return [f"| {' | '.join(row)} |" for row in table] if columns else []
