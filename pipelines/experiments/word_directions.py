# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
In which directions the word states of the package's sentence encoder differ: the file that its reader of words needs.

    python pipelines/experiments/word_directions.py TEXTS … [--out FILE]

TEXTS have one text a line, those that the encoder learned from or others like them. Of each file the same number is
read, evenly spread. The directions are the principal components of all words' states.
"""

from pathlib import Path
from typing import Annotated, Final

import torch
import typer
from safetensors.torch import save_file

from answer_selection.pipelines.commands.console import STDOUT, bar
from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder
from haystack_integrations.components.rankers.answer_selection.encoders.word_reader import DIRECTIONS, FILE, MEAN

NUMBER: Final = 96
"""Of 32, 48, 64, 96 and 128 directions, the fewest that lost nothing on 17 FAQs."""

MOST_TEXTS: Final = 1000
_BATCH: Final = 200


def main(
    texts: Annotated[list[Path], typer.Argument(help="Files of texts, one a line.")],
    out: Annotated[Path, typer.Option(help="Where to write.")] = FILE,
) -> None:
    """Write the mean of the states and their directions."""
    encoder = SentenceEncoder.load()
    lines: list[str] = []
    for file in texts:
        some = list(dict.fromkeys(line for line in file.read_text(encoding="utf-8").splitlines() if line.strip()))
        lines += some[:: max(1, -(-len(some) // MOST_TEXTS))]
    found = []
    with bar("reading", len(lines)) as progress:
        for start in range(0, len(lines), _BATCH):
            found += [read.states.double() for read in encoder.read(lines[start : start + _BATCH])]
            progress(min(start + _BATCH, len(lines)))
    states = torch.cat(found)
    mean = states.mean(0)
    # Ascending.
    variances, components = torch.linalg.eigh(torch.cov(states.T))
    directions = components.flip(1)[:, :NUMBER].contiguous()
    save_file({MEAN: mean.half(), DIRECTIONS: directions.half()}, out)
    kept = float(variances[-NUMBER:].sum() / variances.sum())
    STDOUT.print(
        f"{len(states)} words of {len(lines)} texts; {NUMBER} directions have {kept:.0%} of the variance: {out}"
    )


if __name__ == "__main__":
    typer.run(main)
