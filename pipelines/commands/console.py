# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Console output that the commands share: progress, and errors without a traceback."""

import os
import re
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from rich.console import Console, RenderableType
from rich.markup import escape
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from answer_selection.indexing.progress import Bar
from answer_selection.pipelines.commands.process import set_up
from answer_selection.pipelines.messages import is_expected, one_line, silence_packages

STDOUT: Final = Console()
STDERR: Final = Console(stderr=True)

INTERRUPTED: Final = 130
# Control characters but tab and line feed, and what turns the direction of writing.
_STEERING: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def check_file(path: Path, option: str, *, overwrite: bool) -> None:
    """
    Make sure that a file can be written, before the work that it is for.

    :param path: The file.
    :param option: What names another one.
    :param overwrite: Whether a file that is there may be replaced.
    :raises CommandError: If it is there, or its folder is not, or it is a folder.
    """
    if path.is_dir():
        msg = f"{path} is a folder; expected the name of a file"
    elif path.exists() and not overwrite:
        msg = f"{path} already exists. Pass --overwrite to replace it, or name another {option}"
    elif not path.parent.is_dir():
        msg = f"{path}: there is no folder {path.parent}"
    else:
        return
    raise CommandError(msg)


def say(line: str) -> None:
    """
    Print a line on standard output as it is: in one piece in a file or a pipe, and without what steers a terminal.

    :param line: What to say; several lines stay several.
    """
    STDOUT.print(printable(line), soft_wrap=True, highlight=False, markup=False, emoji=False)


def printable(text: str) -> str:
    """
    Leave out of a text what steers a terminal, as a page that was indexed may have it.

    :param text: The text.
    :returns: It with spaces for such characters, and with numbers for halves of surrogate pairs.
    """
    return _STEERING.sub(" ", text).encode(errors="backslashreplace").decode()


def print_lines(shown: RenderableType) -> None:
    """
    Print something on standard output, in a file or a pipe without the spaces that fill its lines.

    :param shown: What to print.
    """
    if STDOUT.is_terminal:
        STDOUT.print(shown, highlight=False)
        return
    with STDOUT.capture() as captured:
        STDOUT.print(shown, highlight=False)
    for line in captured.get().splitlines():
        STDOUT.out(line.rstrip(), highlight=False)


def counted(number: int, one: str) -> str:
    """
    Give a number with what it counts.

    :param number: The number.
    :param one: What one of them is called.
    :returns: Such as "1 entry", "2 entries" or "0 answers".
    """
    if number == 1:
        return f"1 {one}"
    return f"{number} {one.removesuffix('y')}ies" if one.endswith("ry") else f"{number} {one}s"


class CommandError(RuntimeError):
    """A command can't do what it was told; the message says why and what would help."""


class SpeedColumn(ProgressColumn):
    """
    Show how many are done per second.

    :param unit: What is counted.
    """

    def __init__(self, unit: str) -> None:
        super().__init__()
        self._unit = unit

    def render(self, task: Task) -> Text:
        """
        Give the number.

        :param task: The line of progress.
        :returns: The number with its unit; nothing before there is one.
        """
        return Text(f"{task.speed:,.0f} {self._unit}/s" if task.speed else "", no_wrap=True)


@contextmanager
def bar(description: str, total: int | None = None, *, unit: str | None = None) -> Iterator[Bar]:
    """
    Show progress on standard error.

    :param description: What is being done.
    :param total: How many there are, if that is known.
    :param unit: What is counted, to show how many are done per second; None shows no speed.
    :returns: A context whose value is called with the number done so far.
    """
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:.0f}"),
        *((SpeedColumn(unit),) if unit else ()),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    # When several processes train together (torchrun numbers them), only the first shows progress.
    with Progress(*columns, console=STDERR, disable=os.environ.get("RANK", "0") != "0") as progress:
        task = progress.add_task(description, total=total)

        def show(done: int, total: int | None = None) -> None:
            progress.update(task, completed=done, total=total)

        yield show


def guarded(command: Callable[..., Any]) -> None:
    """
    Run a command for people, in a process that is set up for it: known errors become one line and exit code 2.

    :param command: A typer app. `--debug` among what was typed shows tracebacks and logs.
    """
    set_up()
    # Read here: an error may come before the app has parsed its options.
    debug = "--debug" in sys.argv[1:]
    arguments = [argument for argument in sys.argv[1:] if argument != "--debug"]
    if not debug:
        # Other packages warn developers; the commands themselves say what people need to know.
        warnings.simplefilter("ignore")
        silence_packages()
    try:
        command(args=arguments)
    except Exception as error:
        if not is_expected(error):
            raise
        if debug:
            traceback.print_exception(error)
        STDERR.print(f"[red]error[/red] {escape(one_line(error))}", soft_wrap=True, highlight=False)
        sys.exit(2)
    except SystemExit as stop:
        # Typer turns Ctrl-C into this exit code.
        if stop.code == INTERRUPTED:
            STDERR.print("interrupted")
        raise
