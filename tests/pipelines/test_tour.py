# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The notebook's code cells, run in their order in one namespace, as a kernel runs them."""

import json
from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[2] / "pipelines" / "tour.ipynb"
CELLS = [cell for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]


@pytest.mark.slow
def test_it_goes_from_pages_to_a_measured_ranking(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    seen = {}
    for number, cell in enumerate(CELLS, start=1):
        exec(compile("".join(cell["source"]), f"{NOTEBOOK.name}, code cell {number}", "exec"), seen)
    assert len(seen["ids"]) == 252
    assert seen["found"][0].meta["question"] == "How long can I keep a book?"
    assert list(seen["report"].means) == ["bm25", "vectors", "hybrid", "ranker"]
    # Each of them is measured, and none is guessing.
    assert all(0.1 < means["P@1"] < 0.9 for means in seen["report"].means.values())
    assert 0 < len(seen["wrong"]) < len(seen["queries"])
    assert not seen["folder"].exists()


def test_it_has_ten_cells_and_no_output():
    assert len(CELLS) == 10
    for cell in CELLS:
        assert (cell["outputs"], cell["execution_count"]) == ([], None)
