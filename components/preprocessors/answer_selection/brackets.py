# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Trees as brackets."""

from collections.abc import Sequence

from answer_selection.indexing.text.tree import ROOT, escaped


def leaves(tag: str, text: str) -> list[str]:
    """
    Write a part of a text as leaves.

    :param tag: The part of speech.
    :param text: The part of the text; where it has white space within, each of its pieces is a leaf.
    :returns: Bracketed leaves, none if there is nothing but white space.
    """
    return [f"({_label(tag)} {escaped(word)})" for word in text.split()]


def phrase(tag: str, children: Sequence[str]) -> str:
    """
    Write a phrase.

    :param tag: Its label.
    :param children: Its bracketed children.
    :returns: The bracketed phrase, the empty string if it has no child.
    """
    kept = " ".join(child for child in children if child)
    return f"({_label(tag)} {kept})" if kept else ""


def root(sentences: Sequence[str]) -> str:
    """
    Write a text's tree.

    :param sentences: Its bracketed sentences.
    :returns: The tree; that of a text without a word is `(ROOT)`.
    """
    return phrase(ROOT, sentences) or f"({ROOT})"


def _label(tag: str) -> str:
    """What can stand behind an opening bracket."""
    return {"(": "-LRB-", ")": "-RRB-"}.get(tag, tag)
