# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The settings of the service: the options of `serve`."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ServiceSettings:
    """
    How the service behaves.

    :param queue_size: The most questions that wait.
    :param request_timeout: Seconds that a question may take, waiting included.
    :param drain_timeout: Seconds for what is in progress when the service is told to stop.
    :param client_timeout: Seconds that a client may take to send a request's headers, its body, or the next request.
    :param body_size: The most bytes of a request.
    :param token: What a request has to bring; None asks for nothing.
    :param allowed_hosts: Names that the service may be asked by; none is any.
    :param allowed_origins: Sites whose pages may ask in their visitors' browsers.
    """

    queue_size: int = 128
    request_timeout: float = 10.0
    drain_timeout: int = 30
    client_timeout: int = 10
    body_size: int = 256 * 1024
    token: str | None = None
    allowed_hosts: tuple[str, ...] = ()
    allowed_origins: tuple[str, ...] = ()
