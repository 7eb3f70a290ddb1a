# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The file of the documents that the server refused, one JSON object a line: id, error, document."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

from answer_selection.indexing.computed_fields import EMBEDDER_FIELDS
from answer_selection.indexing.elasticsearch.writer import Refused

# Hundreds of numbers, in which nobody finds what is wrong with a document, and whose last digits differ between runs.
_LEFT_OUT = frozenset(("embedding", *EMBEDDER_FIELDS))


class Rejects:
    """
    Keeps refused documents. There is no file while there are none.

    :param path: The file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def has(self, number: int) -> bool:
        """
        Say whether what an earlier run kept is still there.

        :param number: How many documents it kept.
        :returns: Whether the file has as many lines, or more.
        """
        return number == 0 or self._end_of(number) is not None

    def begin(self, number: int) -> None:
        """
        Go on after some documents that were kept before, and forget all that follow.

        :param number: How many to leave.
        """
        end = self._end_of(number)
        if number and end:
            os.truncate(self.path, end)
        else:
            self.path.unlink(missing_ok=True)

    def add(self, refused: Sequence[Refused]) -> None:
        """
        Keep documents. They are on disk when this returns.

        :param refused: The documents, with the server's words.
        """
        if not refused:
            return
        with self.path.open("ab") as file:
            for each in refused:
                document = json.loads(each.operation.source or b"null")
                if document is not None:
                    document = {name: value for name, value in document.items() if name not in _LEFT_OUT}
                line = {"entry_id": each.operation.id, "error": each.error, "document": document}
                file.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def _end_of(self, number: int) -> int | None:
        """Find where a line ends; None if there are fewer."""
        end = 0
        try:
            with self.path.open("rb") as file:
                for _ in range(number):
                    line = file.readline()
                    if not line.endswith(b"\n"):
                        return None
                    end += len(line)
        except FileNotFoundError:
            return None
        return end
