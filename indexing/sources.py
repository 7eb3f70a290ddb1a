# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Several files that make one corpus."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from answer_selection.indexing.entries import Entry, EntryError, EntrySourceError, iter_entries
from answer_selection.indexing.ids import EntryIds


@dataclass(frozen=True, slots=True)
class Sources:
    """
    Files that are indexed together; an id that two of them have is an error, as which is meant cannot be known.

    :param paths: FAQ files or corpus files.
    :param require_question: Whether an entry without a question is an error.
    :param strict: Whether the first entry that cannot be read ends the work, instead of being left out.
    """

    paths: Sequence[Path]
    require_question: bool = True
    strict: bool = False

    def read(self, ids: EntryIds, errors: list[EntryError]) -> Iterator[Entry]:
        """
        Read all entries, one at a time, in the order of the files.

        :param ids: Gets the entries' ids.
        :param errors: Gets what cannot be read.
        :returns: The entries.
        :raises EntrySourceError: Where strict, at the first entry that cannot be read.
        """
        for path in self.paths:
            for item in iter_entries(path, require_question=self.require_question, ids=ids):
                if isinstance(item, Entry):
                    yield item
                elif self.strict:
                    raise EntrySourceError(item)
                else:
                    errors.append(item)
