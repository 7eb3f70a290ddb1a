# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The shape of pages: nothing from elsewhere, a policy that says so, and colours that can be told apart."""

import re
from base64 import b64encode
from hashlib import sha256
from importlib.resources import files

import pytest
from lxml import html

from answer_selection.pipelines.pages.page import BASE, render

# (foreground, background): every pair that a style sheet uses for text.
TEXT = [(ink, paper) for ink in ("ink", "muted", "accent", "good", "bad") for paper in ("paper", "card")]
TEXT += [("ink", "mark"), ("ink", "tint"), ("on-accent", "accent"), ("paper", "good"), ("paper", "bad")]
# Edges of what can be typed into or pressed.
EDGES = [("edge", "paper"), ("edge", "card"), ("accent", "card")]


def colours() -> dict[str, dict[str, str]]:
    light, dark = re.findall(
        r":root \{(.+?)\}", files(BASE).joinpath("base.css").read_text(encoding="utf-8"), re.DOTALL
    )
    return {name: dict(re.findall(r"--([\w-]+): (#\w{6});", text)) for name, text in (("light", light), ("dark", dark))}


def luminance(colour: str) -> float:
    """WCAG 2.2, relative luminance."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_and_edges_have_the_contrast_of_wcag_aa(scheme):
    known = colours()[scheme]
    assert set(known) == set(colours()["light"])
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    low = [pair for pair in TEXT if contrast(known[pair[0]], known[pair[1]]) < 4.5]
    low += [pair for pair in EDGES if contrast(known[pair[0]], known[pair[1]]) < 3]
    assert low == []


def test_a_page_runs_its_own_style_and_script_alone():
    page = render("answer_selection.pipelines.serving", "trial", connects=True)
    seen = html.fromstring(page.html)
    assert not seen.xpath("//@src | //link | //@style | //@*[starts-with(name(), 'on')]")
    [script], [style] = seen.xpath("//script/text()"), seen.xpath("//style/text()")
    for text, rule in ((script, "script-src"), (style, "style-src")):
        assert f"{rule} 'sha256-{b64encode(sha256(text.encode()).digest()).decode()}';" in page.policy
    assert page.policy.startswith("default-src 'none'; ")
    assert "unsafe" not in page.policy
    [within] = seen.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert page.policy == f"{within}; frame-ancestors 'none'"
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(", script)
