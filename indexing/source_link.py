# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Where an entry comes from: ``source`` (a file's path or a URL) and ``anchor`` (a place in it) in its metadata."""

import re
from collections.abc import Mapping
from typing import Any, Final

SOURCE_FIELD: Final = "source"
ANCHOR_FIELD: Final = "anchor"

_URL: Final = re.compile(r"(?i)https?://[^/\s]+(?:/\S*)?")


def is_url(text: Any) -> bool:
    """
    Say whether something is an address that a browser opens: other schemes (``javascript:``) are none.

    :param text: a value from metadata.
    :returns: whether it is an http or https URL.
    """
    return isinstance(text, str) and _URL.fullmatch(text) is not None


def source_link(meta: Mapping[str, Any]) -> str | None:
    """
    Say in one text where an entry comes from.

    :param meta: an entry's metadata.
    :returns: ``source``, and ``#`` with ``anchor`` where there is one; None without a source.
    """
    source, anchor = meta.get(SOURCE_FIELD), meta.get(ANCHOR_FIELD)
    if not isinstance(source, str) or not source:
        return None
    return f"{source}#{anchor}" if isinstance(anchor, str) and anchor and "#" not in source else source
