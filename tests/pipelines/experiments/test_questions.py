# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import re
from pathlib import Path

import pytest

from answer_selection.indexing.corpus import iter_queries

FILES = sorted(Path(__file__).parents[3].glob("pipelines/experiments/questions/**/*.jsonl"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_questions_name_entries_by_the_ids_that_the_reader_gives(path):
    queries = list(iter_queries(path))
    assert len(queries) == len({query.query for query in queries})
    # Entries of some sites' data have ids of their own, such as "delivery-4".
    ids = r"[0-9a-f]{24}" if path.parent.name not in ("everyday", "pages") else r"[\w-]{1,40}"
    assert all(re.fullmatch(ids, entry) for query in queries for entry in query.relevant)
    assert all(query.relevant for query in queries)
