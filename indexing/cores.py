# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""How many cores there are to use."""

import os


def usable_cores() -> int:
    """
    Count the cores that this process may run on: in a container often fewer than the machine has.

    :returns: Their number, at least 1.
    """
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
