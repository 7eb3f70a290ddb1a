# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Answers as a terminal shows them: cut at the end of a sentence, with their source and how sure the ranker is."""

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from rich.console import Console, Group
from rich.style import Style
from rich.table import Table
from rich.text import Text

from answer_selection.indexing.ranking_fields import RANKER_PROBABILITY
from answer_selection.indexing.source_link import is_url
from answer_selection.indexing.text.sentences import sentence_ends
from answer_selection.pipelines.commands.console import printable
from answer_selection.pipelines.serving.answers import Answer

_LINES: Final = 4
"""The most lines of an answer that is cut."""

_WORD_END: Final = re.compile(r"\S(?=\s|\Z)")
_MORE: Final = " …"

# From what probability on an answer is called so. What it was worth on held-out questions is in the commands' guide.
_WORDS: Final = ((0.6, "likely"), (0.2, "possible"), (0.0, "doubtful"))


def answers_table(answers: Iterable[Answer], console: Console, *, whole: bool) -> Table:
    """
    Lay out answers for people.

    :param answers: The answers, the best first.
    :param console: Where they will be printed; its width decides what fits.
    :param whole: Whether answers are shown whole, and not cut to a few lines.
    :returns: What to print.
    """
    shown = list(answers)
    table = Table.grid(padding=(0, 2, 0, 0))
    number_width = len(str(len(shown)))
    table.add_column(width=number_width)
    table.add_column()
    for number, answer in enumerate(shown, start=1):
        facts = Text(" · ", style="dim").join(_facts(answer))
        text = printable(answer.answer)
        if not whole:
            text = shorten(text, console, console.width - number_width - 4)
        question = [Text(printable(answer.question), style="bold")] if answer.question else []
        if number > 1:
            table.add_row()
        table.add_row(str(number), Group(*question, facts, Text(text)))
    return table


def shorten(text: str, console: Console, width: int) -> str:
    """
    Cut a text to a few lines: after the last sentence that fits, or the last word where that is three times as much.

    :param text: The text.
    :param console: Measures how wide characters are.
    :param width: How many columns there are.
    :returns: The text, with " …" at its end if there is more of it.
    """
    text = text.strip()
    # No more than this can fit, and long answers need not be looked at to their ends.
    start = text[: width * _LINES + 1]
    if start == text and _fits(text, console, width):
        return text

    def cut(ends: Iterable[int]) -> str:
        parts = (start[:end].rstrip() + _MORE for end in reversed(list(ends)) if end < len(start))
        return next((part for part in parts if _fits(part, console, width)), "")

    after_word = cut(match.end() for match in _WORD_END.finditer(start)) or start[: width - len(_MORE)] + _MORE
    after_sentence = cut(sentence_ends(start))
    # "Yes. …" says too little where lines more would fit.
    return after_sentence if 3 * len(after_sentence) >= len(after_word) else after_word


def _fits(text: str, console: Console, width: int) -> bool:
    return len(Text(text).wrap(console, width)) <= _LINES


def confidence(probability: float) -> str:
    """
    Say how sure the ranker is of an answer.

    :param probability: The ranker's probability that the answer is right.
    :returns: A word and the number: "likely, 0.82". Nothing is called certain: what would be 1.00 is "above 0.99".
    """
    word = next(word for least, word in _WORDS if probability >= least)
    number = f"{probability:.2f}"
    return f"{word}, {'above 0.99' if number == '1.00' else number}"


def _facts(answer: Answer) -> list[Text]:
    """How sure the ranker is (or the score, where no model gave a probability), the entry, and its source."""
    probability = answer.meta.get(RANKER_PROBABILITY)
    facts = []
    if probability is not None:
        facts.append(Text(confidence(probability)))
    elif answer.score is not None:
        facts.append(Text(f"score {answer.score:.3g}"))
    # An article's id may be its address.
    if answer.entry_id != answer.source:
        facts.append(Text(printable(answer.entry_id)))
    if source := _source(answer):
        facts.append(source)
    return facts


def _source(answer: Answer) -> Text | None:
    """Where an answer comes from, as a link if a terminal can open it."""
    if answer.source is None:
        return None
    source = printable(answer.source)
    path, sign, anchor = source.partition("#")
    if is_url(source):
        link = source
    elif os.path.isfile(path):  # not Path's: a text too long for a name is an error there
        link = Path(path).absolute().as_uri() + sign + anchor
    else:
        link = None
    return Text(source, style=Style(link=link))
