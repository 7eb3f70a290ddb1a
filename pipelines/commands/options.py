# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""An option that all commands have which run a pipeline."""

from typing import Annotated

import typer

ModelOption = Annotated[
    str | None,
    typer.Option(
        help="Model folder or hub name; by default the one that the pipeline names, or that comes with the package."
    ),
]
