# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A question as a request asks it."""

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, Field, StringConstraints, ValidationError

# Far more than a person writes; what evaluates a filter calls itself once a level.
FILTER_DEPTH = 20
FILTER_VALUES = 1000


def _bounded(filters: dict[str, Any] | None) -> dict[str, Any] | None:
    level: list[Any] = [] if filters is None else [filters]
    depth = values = 0
    while level:
        depth, values = depth + 1, values + len(level)
        if depth > FILTER_DEPTH:
            msg = f"expected at most {FILTER_DEPTH} levels of nesting"
            raise ValueError(msg)
        if values > FILTER_VALUES:
            msg = f"expected at most {FILTER_VALUES} values and conditions"
            raise ValueError(msg)
        inside = (
            value.values() if isinstance(value, dict) else value for value in level if isinstance(value, dict | list)
        )
        level = [value for values_of_one in inside for value in values_of_one]
    return filters


def _with_a_word(question: str) -> str:
    if not any(map(str.isalnum, question)):
        msg = "expected at least one word"
        raise ValueError(msg)
    return question


class Question(BaseModel, extra="forbid", frozen=True):
    """A question, and what is said about its answers."""

    question: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=10_000),
        AfterValidator(_with_a_word),
    ] = Field(description="The question.")
    top_k: Annotated[int, Field(ge=1, le=1000)] | None = Field(
        None, description="The most answers to give. There are never more than the retriever's candidates."
    )
    filters: Annotated[dict[str, Any] | None, AfterValidator(_bounded)] = Field(
        None, description="A filter on the answers' metadata, in Haystack's syntax."
    )


def problems(error: ValidationError) -> list[dict[str, Any]]:
    """
    Say what is wrong with a request, without what was sent.

    :param error: What checking it against :class:`Question` raised.
    :returns: Each problem: its type, its place, a message.
    """
    fields = ", ".join(sorted(Question.model_fields))
    found = []
    for each in error.errors(include_url=False, include_context=False, include_input=False):
        message = each["msg"]
        if each["type"] == "extra_forbidden":
            message = f"there is no field {each['loc'][-1]!a}; expected {fields}"
        found.append({"type": each["type"], "loc": ["body", *each["loc"]], "msg": message})
    return found
