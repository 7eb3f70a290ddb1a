# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""`python pipelines/eval.py` is the command `answer-selection eval`."""

import typer

from answer_selection.pipelines.commands.console import guarded
from answer_selection.pipelines.commands.eval import evaluate

if __name__ == "__main__":
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(evaluate)
    guarded(app)
