# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Parse trees drawn as nested lists, a line for each span and word."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from answer_selection.pipelines.explanation.marks import shown
from haystack_integrations.components.rankers.answer_selection.explanation import TreeNode

_SHORT: Final = 60


class TreeLine(NamedTuple):
    """
    A span or a word.

    :param label: Its label.
    :param text: Its text, shortened in the middle.
    :param is_word: Whether it is a word.
    :param shares: Its shares in percent, by halves of the model, each as text and as a number.
    :param own: What the span attends to beside its children, by halves, as texts: its start and its end token.
    :param opens: Whether the next line is inside it.
    :param ends: How many spans end with it.
    """

    label: str
    text: str
    is_word: bool
    shares: list[tuple[str, float]]
    own: list[tuple[str, str]]
    opens: bool
    ends: int


def tree_lines(nodes: Sequence[TreeNode], text: str) -> list[TreeLine]:
    """
    Draw a tree.

    :param nodes: Its nodes, each before those below it.
    :param text: The text that it is of.
    :returns: Its lines.
    """
    levels = [node.level for node in nodes]
    return [
        TreeLine(
            label=node.label,
            text=_short(text[node.start : node.end]),
            is_word=node.own is None,
            shares=[(shown(share, shares=True), 100 * share) for share in node.shares],
            own=[(shown(start, shares=True), shown(end, shares=True)) for start, end in node.own or ()],
            opens=following > node.level,
            ends=max(node.level - following, 0),
        )
        for node, following in zip(nodes, [*levels[1:], 0], strict=True)
    ]


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _SHORT else f"{text[: _SHORT // 2]} … {text[-_SHORT // 2 :]}"
