# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The encoding that a page, or an XML file, says it is in."""

from w3lib.encoding import html_body_declared_encoding


def declared_encoding(data: bytes) -> str | None:
    """
    Find the encoding that a page says it is in.

    :param data: the page, or its beginning.
    :returns: the encoding; None, which is UTF-8, where it says nothing that can be true.
    """
    declared = html_body_declared_encoding(data)
    # A declaration that can be read as ASCII cannot be in UTF-16: such pages are UTF-8, as the HTML standard says.
    if declared is None or declared.startswith("utf-16"):
        return None
    return declared if is_of_texts(declared) else None


def is_of_texts(encoding: str) -> bool:
    """
    Tell whether texts can be in an encoding.

    :param encoding: its name.
    :returns: whether Python knows it. Python also has encodings that no text is in, such as "undefined".
    """
    try:
        b"<html>".decode(encoding)
    except (LookupError, UnicodeError):
        return False
    return True
