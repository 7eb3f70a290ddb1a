# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Whether questions can be answered now, without asking those who answer them."""

import asyncio
from typing import Any

from answer_selection.pipelines import pipeline_files
from answer_selection.pipelines.console import one_line
from answer_selection.pipelines.serving.answering import UnavailableError

_SECONDS = 5
_SOME_TEXT = "Where can I renew a card?"


class Readiness:
    """
    Looks whether the index is there, and searches it.

    :param definition: The pipeline, as :mod:`pipeline_files` reads it.
    """

    def __init__(self, definition: dict[str, Any]) -> None:
        self._definition = definition
        self._search = pipeline_files.retrievers_of(definition)
        self._looking: asyncio.Task[None] | None = None

    async def check(self) -> None:
        """
        Look once, for all who want to know at the same time.

        :raises UnavailableError: If no question can be answered; the message says why.
        """
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(asyncio.to_thread(self._look))
        try:
            async with asyncio.timeout(_SECONDS):
                await asyncio.shield(self._looking)
        except TimeoutError as error:
            msg = f"the index did not answer within {_SECONDS} s"
            raise UnavailableError(msg) from error

    def _look(self) -> None:
        try:
            pipeline_files.check_indexes(self._definition)
            for name, sockets in self._search.inputs().items():
                if "query" in sockets:
                    self._search.get_component(name).run(query=_SOME_TEXT)
        except Exception as error:
            raise UnavailableError(one_line(error)) from error
