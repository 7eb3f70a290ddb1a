# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from answer_selection.pipelines.experiments.probing.split import split


def test_every_text_is_in_one_part_and_stays_there():
    texts = [f"sentence number {number} ." for number in range(3000)]
    parts = split(texts)
    assert sorted(np.concatenate(parts)) == list(range(3000))
    for rows, share in zip(parts, (0.7, 0.15, 0.15), strict=True):
        assert abs(len(rows) / 3000 - share) < 0.03
    # What else is there, and in which order, makes no difference.
    fewer = split(texts[::-2])
    for rows, again in zip(parts, fewer, strict=True):
        assert {texts[row] for row in rows} >= {texts[::-2][row] for row in again}


def test_case_and_white_space_make_no_other_sentence():
    texts = [f"Sentence  Number {number} ." for number in range(300)]
    changed = [text.upper().replace("  ", "\t") for text in texts]
    for rows, again in zip(split(texts), split(changed), strict=True):
        assert np.array_equal(rows, again)
