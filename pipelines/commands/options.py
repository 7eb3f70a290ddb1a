# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The option that all commands share that run a model."""

from typing import Annotated

import typer

ModelOption = Annotated[
    str | None,
    typer.Option(help="Model folder or hub name; by default the pipeline's, or the package's own."),
]
