# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Two processes on the CPU, as torchrun starts them."""

import os
import subprocess
import sys
from pathlib import Path


def torchrun(*arguments: object, folder: Path) -> subprocess.CompletedProcess[str]:
    """
    Start two processes, and wait for them.

    :param arguments: What comes after `torchrun --standalone --nproc-per-node 2`.
    :param folder: Where they are started.
    :returns: What became of them. If one fails, torchrun ends the other.
    """
    shared = os.pathsep.join(filter(None, (str(Path(__file__).parent), os.environ.get("PYTHONPATH"))))
    return subprocess.run(
        [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", *map(str, arguments)],
        env=os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": shared},
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
        timeout=900,
    )
