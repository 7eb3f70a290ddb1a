# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""How a command's process is set up, before it imports anything large."""

import gc
import os
from typing import Final

# Imports make a million objects that stay. Python looks for garbage among them after every few hundred: a seventh of
# what a cold `ask` takes.
_NEW_OBJECTS: Final = 50_000


def set_up() -> None:
    """
    Set up this process.

    OpenMP's threads, which torch has, sleep while they wait for each other, here and in processes that are started,
    unless the environment says otherwise. By default they spin: beside other work each takes the processor's time from
    the one that it waits for.
    """
    gc.set_threshold(_NEW_OBJECTS)
    # Read when torch is imported.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
