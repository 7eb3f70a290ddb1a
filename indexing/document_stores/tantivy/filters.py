# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Haystack's metadata filters as queries over one field of terms.

A tantivy schema is fixed while metadata is free, and its JSON fields hold one type for a key. So each value is written
as terms into a single raw text field instead, ``path + kind + value``, in a form of which equality of terms is equality
of values and order of terms is order of values:

==== =====================================================================================================
kind value
==== =====================================================================================================
e    none: the field is there and is not None
v    a hash of a string, list or dict
n    a number, bools among them as in Python; integers of any size and floats keep their exact order
l    wall clock of a date without time zone
w    wall clock of a date with time zone
u    the same date's instant
==== =====================================================================================================

Equality, membership and presence are then terms, comparisons are ranges of terms, and everything is evaluated inside
the index. The meaning is that of ``haystack.utils.filters.document_matches_filter``, with two differences, both where
that function raises an error or guesses: a document whose value can't be compared with the filter's (a word with a
number) does not match, and strings are dates only if they are ISO 8601 with a full ``YYYY-MM-DD``.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields as dataclass_fields
from datetime import datetime, timedelta
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from dateutil.parser import isoparse  # type: ignore[import-untyped]
from haystack import Document
from haystack.errors import FilterError

import tantivy

FILTER_FIELD = "filter"

_DOCUMENT_FIELDS = frozenset(field.name for field in dataclass_fields(Document))
# These are objects, not JSON: filters may ask whether they are there, not what is in them.
_OPAQUE_FIELDS = frozenset({"blob", "sparse_embedding"})
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[Tt ].*)?", re.ASCII | re.DOTALL)
_COMPARISONS = ("==", "!=", ">", ">=", "<", "<=", "in", "not in")
_LOGICAL = ("AND", "OR", "NOT")


def filter_terms(document: Document) -> Iterator[str]:
    """
    Give the terms by which filters find a document.

    :param document: A document whose metadata is JSON.
    :returns: The terms, in no particular order.
    """
    for name in _DOCUMENT_FIELDS:
        value = getattr(document, name)
        if value is None:
            continue
        if name in _OPAQUE_FIELDS:
            yield _path(name) + "e"
        else:
            yield from _terms(name, value)


def filter_query(filters: Mapping[str, Any], index: tantivy.Index) -> tantivy.Query:
    """
    Translate a filter of Haystack into a query.

    :param filters: A filter in Haystack's syntax: comparisons, nested at will in AND, OR and NOT.
    :param index: The index that will be searched; its schema has the field :data:`FILTER_FIELD`.
    :returns: A query that matches exactly the documents that the filter keeps; every match scores 0.
    :raises FilterError: If the filter is malformed or compares with a value that has no order.
    """
    return tantivy.Query.const_score_query(_Compiler(index).compile(filters), 0.0)


# --- values as terms ---


@lru_cache(maxsize=4096)
def _path(path: str) -> str:
    return blake2b(path.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def _terms(path: str, value: Any) -> Iterator[str]:
    if value is None:
        return
    prefix = _path(path)
    yield prefix + "e"
    for term in _equality_terms(value):
        yield prefix + term
    date = _parse_date(value)
    if date is not None:
        for kind, clock in _clocks(date):
            yield f"{prefix}{kind}{_ordered(clock)}"
    if isinstance(value, Mapping):
        for key, item in value.items():
            # A filter names nested keys with dots between them, so a key with a dot in it can't be named.
            if "." not in key:
                yield from _terms(f"{path}.{key}", item)


def _equality_terms(value: Any) -> list[str]:
    """Terms (without path) of the values that are equal to this one by Python's `==`; none for NaN."""
    if isinstance(value, (int, float)):
        return [] if math.isnan(value) else ["n" + _ordered(value)]
    canonical = _canonical(value)
    if canonical is None:
        return []
    return ["v" + blake2b(canonical.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()]


def _canonical(value: Any) -> str | None:
    """A string that is the same for two JSON values if and only if they are equal; None if nothing equals the value."""
    if value is None:
        return "null"
    if isinstance(value, str):
        return f"s{len(value)}:{value}"
    if isinstance(value, (int, float)):
        if isinstance(value, float) and not value.is_integer():
            return None if math.isnan(value) else repr(value)
        return str(int(value))
    if isinstance(value, Mapping):
        items = [(_canonical(key), _canonical(item)) for key, item in value.items()]
        if any(item is None for _, item in items):
            return None
        return "{" + ",".join(f"{key}={item}" for key, item in sorted(items, key=str)) + "}"
    if isinstance(value, (list, tuple)):
        # The short way is for embeddings, which are long; NaN, infinity and whole numbers do not take it.
        elements = [repr(item) if type(item) is float and item % 1 > 0 else _canonical(item) for item in value]
        if None in elements:
            return None
        return "[" + ",".join(str(element) for element in elements) + "]"
    msg = f"a filter can't compare with a value of type {type(value).__name__}: {value!r}"
    raise FilterError(msg)


def _ordered(number: float) -> str:
    """
    Write a number so that the order of the strings is the order of the numbers, exactly, for all integers and floats.

    A number other than 0 is ``mantissa * 2 ** exponent`` with 0.5 <= abs(mantissa) < 1. It is written as sign, exponent
    and the mantissa's bits, all in hexadecimal digits, of which the complement is taken for negative numbers.
    """
    if number == 0:
        return "1"
    if math.isinf(number):
        return "2g" if number > 0 else "0"
    numerator, denominator = abs(number).as_integer_ratio()
    bits = numerator.bit_length()
    exponent = bits - (denominator.bit_length() - 1)
    mantissa = f"{numerator << (-bits % 4):x}".rstrip("0")
    digits = f"{exponent + 2**31:08x}{mantissa}"
    if number > 0:
        return "2" + digits
    # The end mark, above every digit, puts the shorter of two complements (the smaller magnitude) last.
    return "0" + digits.translate(_COMPLEMENT) + "g"


_COMPLEMENT = str.maketrans("0123456789abcdef", "fedcba9876543210")


def _parse_date(value: Any) -> datetime | None:
    if isinstance(value, datetime):
        return value
    if not isinstance(value, str) or not _ISO_DATE.fullmatch(value):
        return None
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        # isoparse knows 24:00 as the end of a day.
        try:
            date: datetime = isoparse(value)
        except (ValueError, OverflowError):
            return None
        return date


def _clocks(date: datetime) -> tuple[tuple[str, int], ...]:
    """Kinds and microseconds under which a document's date is indexed."""
    wall = (date.replace(tzinfo=None) - datetime.min) // timedelta(microseconds=1)  # noqa: DTZ901
    offset = date.utcoffset()
    if offset is None:
        return (("l", wall),)
    return (("w", wall), ("u", wall - offset // timedelta(microseconds=1)))


def _comparable_clocks(date: datetime) -> tuple[tuple[str, int], ...]:
    """
    Kinds and microseconds with which a filter's date is compared.

    Where only one of two dates has a time zone, Haystack gives it to the other too: their wall clocks are compared.
    """
    clocks = _clocks(date)
    if len(clocks) == 1:
        return (("l", clocks[0][1]), ("w", clocks[0][1]))
    return (("l", clocks[0][1]), clocks[1])


# --- filters as queries ---


class _Compiler:
    def __init__(self, index: tantivy.Index) -> None:
        self._index = index
        self._schema = index.schema

    def compile(self, condition: Any) -> tantivy.Query:
        if not isinstance(condition, Mapping):
            msg = f"a filter must be a dictionary, got {type(condition).__name__}: {condition!r}"
            raise FilterError(msg)
        return self._comparison(condition) if "field" in condition else self._logic(condition)

    def _logic(self, condition: Mapping[str, Any]) -> tantivy.Query:
        operator = _key(condition, "operator")
        conditions = _key(condition, "conditions")
        if operator not in _LOGICAL:
            msg = f"unknown logical operator {operator!r}, expected one of {', '.join(_LOGICAL)}"
            raise FilterError(msg)
        if not isinstance(conditions, list):
            msg = f"'conditions' must be a list, got {type(conditions).__name__} in {condition!r}"
            raise FilterError(msg)
        queries = [self.compile(item) for item in conditions]
        if operator == "OR":
            return _any(queries)
        everything = _all(queries)
        return everything if operator == "AND" else _not(everything)

    def _comparison(self, condition: Mapping[str, Any]) -> tantivy.Query:
        field = condition["field"]
        operator = _key(condition, "operator")
        value = _key(condition, "value")
        if not isinstance(field, str):
            msg = f"'field' must be a string, got {type(field).__name__} in {condition!r}"
            raise FilterError(msg)
        if operator not in _COMPARISONS:
            msg = f"unknown comparison operator {operator!r}, expected one of {', '.join(_COMPARISONS)}"
            raise FilterError(msg)
        # Haystack lets the prefix "meta." be left out of a name without dots.
        path = field if "." in field or field in _DOCUMENT_FIELDS else f"meta.{field}"
        if operator in ("in", "not in"):
            if not isinstance(value, list):
                msg = f"operator {operator!r} on {field!r} needs a list, got {type(value).__name__}: {value!r}"
                raise FilterError(msg)
            query = self._equals(path, value)
            return query if operator == "in" else _not(query)
        if operator in ("==", "!="):
            query = self._equals(path, [value])
            return query if operator == "==" else _not(query)
        return self._ordered(path, operator, value)

    def _equals(self, path: str, values: list[Any]) -> tantivy.Query:
        """Documents of which the field equals one of the values."""
        prefix = _path(path)
        terms: set[str] = set()
        queries: list[tantivy.Query] = []
        for value in values:
            if value is None:
                queries.append(_not(self._term(prefix + "e")))
                continue
            if path in _OPAQUE_FIELDS:
                msg = f"field {path!r} can only be compared with None"
                raise FilterError(msg)
            if not isinstance(value, datetime):
                terms.update(prefix + term for term in _equality_terms(value))
            date = _parse_date(value)
            if date is not None:
                terms.update(f"{prefix}{kind}{_ordered(clock)}" for kind, clock in _comparable_clocks(date))
        if len(terms) == 1:
            queries.append(self._term(terms.pop()))
        elif terms:
            queries.append(tantivy.Query.term_set_query(self._schema, FILTER_FIELD, sorted(terms)))
        return _any(queries)

    def _ordered(self, path: str, operator: str, value: Any) -> tantivy.Query:
        prefix = _path(path)
        if value is None:
            return tantivy.Query.empty_query()
        date = _parse_date(value)
        if date is not None:
            return _any([self._range(prefix + kind, operator, clock) for kind, clock in _comparable_clocks(date)])
        if not isinstance(value, (int, float)):
            msg = (
                f"operator {operator!r} on {path!r} needs a number or an ISO 8601 date such as 2026-01-31, "
                f"got {type(value).__name__}: {value!r}"
            )
            raise FilterError(msg)
        if math.isnan(value):
            return tantivy.Query.empty_query()
        return self._range(prefix + "n", operator, value)

    def _range(self, prefix: str, operator: str, value: float) -> tantivy.Query:
        bound = prefix + _ordered(value)
        # Every ordered value begins with 0, 1 or 2. Only the query parser makes ranges over text; all bounds are
        # letters and digits, so nothing in them can be taken for syntax.
        lower = {">": "{" + bound, ">=": "[" + bound}.get(operator, "[" + prefix)
        upper = {"<": bound + "}", "<=": bound + "]"}.get(operator, prefix + "3}")
        return self._index.parse_query(f"{FILTER_FIELD}:{lower} TO {upper}")

    def _term(self, term: str) -> tantivy.Query:
        return tantivy.Query.term_query(self._schema, FILTER_FIELD, term, "basic")


def _key(condition: Mapping[str, Any], key: str) -> Any:
    if key not in condition:
        msg = f"'{key}' key missing in {condition!r}"
        raise FilterError(msg)
    return condition[key]


def _any(queries: list[tantivy.Query]) -> tantivy.Query:
    if len(queries) == 1:
        return queries[0]
    if not queries:
        return tantivy.Query.empty_query()
    return tantivy.Query.boolean_query([(tantivy.Occur.Should, query) for query in queries])


def _all(queries: list[tantivy.Query]) -> tantivy.Query:
    if len(queries) == 1:
        return queries[0]
    if not queries:
        return tantivy.Query.all_query()
    return tantivy.Query.boolean_query([(tantivy.Occur.Must, query) for query in queries])


def _not(query: tantivy.Query) -> tantivy.Query:
    return tantivy.Query.boolean_query(
        [(tantivy.Occur.Must, tantivy.Query.all_query()), (tantivy.Occur.MustNot, query)]
    )
