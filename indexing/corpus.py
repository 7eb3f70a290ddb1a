# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
A corpus with questions: the one dataset form of the end-to-end mode.

``corpus.jsonl`` has one entry a line (``entry_id``, ``answer``, optional ``question``, anything else is metadata),
``queries.jsonl`` one query a line (``query_id``, ``query``, ``relevant``: a list of entry ids, and perhaps
``irrelevant``: ids of entries that do not answer it). An FAQ is a corpus whose entries bring their question along.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from answer_selection.indexing.entries import Entry, EntryError, EntrySourceError, iter_entries
from answer_selection.indexing.formats import jsonl
from answer_selection.indexing.formats.lines import EncodingError
from answer_selection.indexing.formats.raw import Problem, RawEntry
from answer_selection.indexing.formats.storable import UnstorableError, check_storable

WRONG: Final = "irrelevant"
"""The field of a query with the entries that do not answer it."""

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Query:
    """
    A question that is asked of a corpus.

    :param query_id: its identity.
    :param query: its text.
    :param relevant: ids of the entries that answer it; empty where nothing in the corpus does.
    """

    query_id: str
    query: str
    relevant: tuple[str, ...]


def iter_corpus(path: str | Path) -> Iterator[Entry]:
    """
    Stream the entries of a corpus.

    :param path: ``corpus.jsonl``, or an FAQ file in any format that
        :func:`answer_selection.indexing.entries.iter_entries` reads. Entries without a question need an id.
    :returns: the entries in the file's order.
    :raises EntrySourceError: at the first entry that cannot be read: a corpus with holes measures something else.
    """
    for item in iter_entries(path, require_question=False):
        if isinstance(item, EntryError):
            raise EntrySourceError(item)
        yield item


def iter_queries(path: str | Path) -> Iterator[Query]:
    """
    Stream the queries of a corpus.

    A query of which is known only what does not answer it (``irrelevant``, and nothing in ``relevant``) is left out: an
    entry that nobody has looked at may answer it.

    :param path: ``queries.jsonl``.
    :returns: the queries in the file's order.
    :raises EntrySourceError: at the first line that cannot be read; names file, line, field and what was expected.
    """
    seen: set[str] = set()
    try:
        with Path(path).open("rb") as stream:
            for raw in jsonl.read(stream):
                result = raw if isinstance(raw, Problem) else _query(raw, seen)
                if isinstance(result, Problem):
                    raise EntrySourceError(EntryError(str(path), result.location, result.field, result.message))
                if result is not None:
                    yield result
    except EncodingError as error:
        raise EntrySourceError(EntryError(str(path), "", None, str(error))) from error
    except OSError as error:
        message = f"cannot be read: {error.strerror or error}"
        raise EntrySourceError(EntryError(str(path), "", None, message)) from error


def _query(raw: RawEntry, seen: set[str]) -> Query | Problem | None:
    """Read a line; None is one of which nobody has said what answers it, or that nothing does."""
    try:
        check_storable(raw.fields)
    except UnstorableError as error:
        return Problem(raw.location, None, str(error))
    texts: list[str] = []
    for name in ("query_id", "query"):
        value = _text(raw.fields.get(name))
        if value is None:
            found = jsonl.instead_of_text(raw.fields.get(name))
            others = ", ".join(map(repr, raw.fields)) if name not in raw.fields else ""
            there = f"; the line has {others}" if others else ""
            return Problem(raw.location, name, f"expected text, found {found}{there}")
        texts.append(value)
    query_id, query = texts
    relevant = raw.fields.get("relevant")
    ids = [_text(item) for item in relevant] if isinstance(relevant, list) else [None]
    if None in ids:
        return Problem(raw.location, "relevant", "expected a list of entry ids, none of them empty")
    if query_id in seen:
        return Problem(raw.location, "query_id", f"the id {query_id!r} comes twice; expected each id once")
    seen.add(query_id)
    if not ids and raw.fields.get(WRONG):
        return None
    return Query(query_id, query, tuple(dict.fromkeys(filter(None, ids))))


def _text(value: Any) -> str | None:
    # Ids are often numbers: 7 is the id "7", here as in the corpus.
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value.strip() or None if isinstance(value, str) else None


def write_corpus(path: str | Path, entries: Iterable[Entry]) -> int:
    """
    Write ``corpus.jsonl``. :func:`iter_corpus` gives the same entries back.

    :param path: where to; a file that is there is replaced once all is written.
    :param entries: consumed one at a time.
    :returns: how many entries were written.
    """
    return jsonl.write_lines(path, map(to_line, entries))


def to_line(entry: Entry) -> dict[str, Any]:
    """
    Give an entry as a line of ``corpus.jsonl``.

    :param entry: the entry.
    :returns: the line's object.
    """
    # "question": null is written out, so that a field "q" of the metadata is not read as the question.
    own = {"entry_id": entry.entry_id, "question": entry.question, "answer": entry.answer}
    return {**own, **entry.meta, **own}


def write_queries(path: str | Path, queries: Iterable[Query]) -> int:
    """
    Write ``queries.jsonl``. :func:`iter_queries` gives the same queries back.

    :param path: where to; a file that is there is replaced once all is written.
    :param queries: consumed one at a time.
    :returns: how many queries were written.
    """
    return jsonl.write_lines(
        path, ({"query_id": q.query_id, "query": q.query, "relevant": list(q.relevant)} for q in queries)
    )


def check_shares(parts: Mapping[str, float]) -> None:
    """
    Check a split's shares.

    :param parts: each part's name and share.
    :raises ValueError: unless each is above 0 and they sum to 1.
    """
    if not parts or min(parts.values()) <= 0 or abs(sum(parts.values()) - 1) > 1e-6:
        msg = f"the parts' shares must be above 0 and sum to 1, but got {dict(parts)}"
        raise ValueError(msg)


def part_of(entry_id: str, parts: Mapping[str, float], seed: int = 0) -> str:
    """
    Say which part of a split an entry belongs to. It depends on nothing but its id, the parts and the seed.

    :param entry_id: the entry's id.
    :param parts: each part's name and share; shares are above 0 and sum to 1.
    :param seed: another seed gives another split.
    :returns: a part's name.
    :raises ValueError: if the shares are wrong.
    """
    check_shares(parts)
    digest = hashlib.blake2b(f"{seed}\x1f{entry_id}".encode(), digest_size=8).digest()
    place = int.from_bytes(digest, "big") / 2**64
    for name, share in parts.items():
        place -= share
        if place < 0:
            return name
    return name


def split_by_entry(
    items: Iterable[Item], key: Callable[[Item], str], parts: Mapping[str, float], seed: int = 0
) -> dict[str, list[Item]]:
    """
    Split entries, or queries, so that all that belongs to one entry falls into one part.

    Each entry is drawn by a hash of its id, so parts have their shares only approximately, and an entry that is added
    or removed moves no other.

    :param items: entries or queries.
    :param key: gives an item's entry id, such as ``lambda query: query.relevant[0]``.
    :param parts: each part's name and share, such as ``{"train": 0.8, "validation": 0.2}``.
    :param seed: another seed gives another split.
    :returns: each part's items, in their order; a part may be empty.
    :raises ValueError: if the shares are wrong.
    """
    split: dict[str, list[Item]] = {name: [] for name in parts}
    for item in items:
        split[part_of(key(item), parts, seed)].append(item)
    return split
