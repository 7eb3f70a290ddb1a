# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Options that several commands share."""

from typing import Annotated

import typer

CoreNLPOption = Annotated[
    str | None,
    typer.Option(
        help="For a recipe with `trees: corenlp`: address of the server that parses texts without a kept tree.",
        show_default="http://localhost:9000",
    ),
]
ModelOption = Annotated[
    str | None,
    typer.Option(help="Model folder or hub name; by default the pipeline's, or the package's own."),
]
