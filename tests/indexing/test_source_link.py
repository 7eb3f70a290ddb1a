# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import pytest

from answer_selection.indexing.source_link import is_url, source_link


@pytest.mark.parametrize(
    ("meta", "link"),
    [
        ({"source": "docs/faq.md", "anchor": "how"}, "docs/faq.md#how"),
        ({"source": "https://x.org/faq", "anchor": "how"}, "https://x.org/faq#how"),
        ({"source": "https://x.org/faq#why", "anchor": "how"}, "https://x.org/faq#why"),
        ({"source": "docs/faq.md", "anchor": ""}, "docs/faq.md"),
        ({"source": "docs/faq.md", "anchor": 7}, "docs/faq.md"),
        ({"source": ["a", "b"], "anchor": "how"}, None),
        ({"anchor": "how"}, None),
    ],
)
def test_a_link_is_the_source_and_the_place_in_it(meta, link):
    assert source_link(meta) == link


def test_only_what_a_browser_opens_as_a_page_is_an_address():
    for address in ("https://x.org", "HTTP://x.org/a?b#c", "http://127.0.0.1:8000/a"):
        assert is_url(address)
    for other in (
        "javascript:alert(1)",
        "x.org/a",
        "file:///etc/passwd",
        "https://",
        "https:///a",
        "https://x y",
        "",
        7,
    ):
        assert not is_url(other)
