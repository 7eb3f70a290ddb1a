# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""How many cores there are to use."""

import math
import os
from pathlib import Path
from typing import Final

# Where Linux tells a container its quota: microseconds of the processor, and the period that they are for.
_CGROUPS: Final = Path("/sys/fs/cgroup")
_FIRST_VERSION: Final = ("cpu.cfs_quota_us", "cpu.cfs_period_us")


def usable_cores() -> int:
    """
    Count the cores that this process may use: in a container often fewer than the machine has.

    :returns: Those that it may run on, or as many as its container's quota is worth, if that is less; at least 1.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota = _quota()
    return cores if quota is None else max(1, min(cores, math.ceil(quota)))


def _quota() -> float | None:
    """How many cores a container may use at a time, on the average; None where there is no limit."""
    try:
        if (second := _CGROUPS / "cpu.max").is_file():
            quota, period = second.read_text(encoding="utf-8").split()
        else:
            quota, period = ((_CGROUPS / "cpu" / name).read_text(encoding="utf-8") for name in _FIRST_VERSION)
        # Without a limit it is "max", and -1 in the first version.
        return int(quota) / int(period) if int(quota) > 0 else None
    except (OSError, ValueError, ZeroDivisionError):
        return None
