# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""`train` in two processes, as the README says it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from haystack import Document

from haystack_integrations.components.rankers.answer_selection import AnswerRanker

pytestmark = pytest.mark.slow

COMMAND = Path(sys.executable).with_name("answer-selection")
TORCHRUN = (sys.executable, "-m", "torch.distributed.run")


def test_trains_one_model_and_speaks_with_one_voice(small_index, small_recipe, tmp_path):
    train = (COMMAND, "train", "my-ranker", "--index", small_index, "--recipe", small_recipe)
    done = subprocess.run(
        [*TORCHRUN, "--standalone", "--nproc-per-node", "2", "--no-python", *map(str, train)],
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        cwd=tmp_path,
        check=False,
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("model: my-ranker (card: my-ranker/README.md)") == 1
    assert " ".join(done.stdout.split()).count(" validation questions: BM25 ") == 1
    folder = tmp_path / "my-ranker"
    files = {path.name for path in folder.iterdir()}
    assert files == {"README.md", "config.json", "lists", "logs", "model.safetensors", "tokenizer.json"}
    found = AnswerRanker(model=folder).run(
        query="a lost card?", documents=[Document(content="It costs three dollars.")]
    )
    assert len(found["documents"]) == 1
    lists = (folder / "lists" / "train.jsonl").read_text(encoding="utf-8").splitlines()
    assert len({json.loads(line)["query_id"] for line in lists}) == len(lists)
