# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Methods that do not block an event loop."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec, TypeVar

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def in_thread(method: Callable[Parameters, Result]) -> Callable[Parameters, Coroutine[Any, Any, Result]]:
    """
    Make an asynchronous method that runs a method in a thread.

    :param method: The method.
    :returns: Its asynchronous form, with its parameters, its documentation and, of a component, its output types.
    """

    @wraps(method)
    async def run(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        return await asyncio.to_thread(method, *args, **kwargs)

    run.__name__, run.__qualname__ = f"{method.__name__}_async", f"{method.__qualname__}_async"
    return run
