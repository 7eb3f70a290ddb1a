# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Calibration, against cases that are worked out by hand."""

import numpy as np
import pytest

from answer_selection.pipelines.evaluation.reliability import calibration_error, reliability


def test_bins_have_equal_width():
    low, high = reliability(np.array([0.12, 0.18, 1.0, 0.9, 0.95]), np.array([0.0, 1.0, 1.0, 1.0, 1.0]))
    assert (low.probability, low.right, low.questions) == (pytest.approx(0.15), 0.5, 2)
    assert (high.probability, high.right, high.questions) == (pytest.approx(0.95), 1.0, 3)
    assert low.interval[0] < 0.5 < low.interval[1]
    assert calibration_error([low, high]) == pytest.approx((2 * 0.35 + 3 * 0.05) / 5)
