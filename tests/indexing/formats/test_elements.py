# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import re

import pytest
from lxml.html import fromstring

from answer_selection.indexing.formats.elements import has_class


@pytest.mark.parametrize(
    ("element", "has"),
    [
        ('<p class="first faq-item">', True),
        (f'<p class="faq-{"x" * 1000}">', True),
        ('<p class="no-faq">', False),
        ('<p class="">', False),
        ('<p id="faq">', False),
    ],
)
def test_one_of_an_elements_classes_is_of_a_kind(element: str, has: bool) -> None:
    assert has_class(fromstring(element), re.compile(r"faq(?:-\w{1,60})?")) is has
