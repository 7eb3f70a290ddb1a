# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Text that UTF-8 can hold, which is what tokenizers, indexes and servers take."""


def encodable(text: str) -> str:
    """
    Replace halves of surrogate pairs, which are no characters, by question marks.

    :param text: Any string.
    :returns: A text of as many characters.
    """
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
