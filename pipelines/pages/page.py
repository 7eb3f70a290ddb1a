# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A page from its template, with its style and its script inside and a policy that lets nothing else run."""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

BASE: Final = "answer_selection.pipelines.pages"
"""The package of what all pages share: `base.css`."""


@dataclass(frozen=True, slots=True)
class Page:
    """
    A page.

    :param html: The whole of it.
    :param policy: Its Content-Security-Policy. The page has it in itself too, but for what only a header may say.
    """

    html: str
    policy: str


def render(package: str, name: str, *, connects: bool = False, images: bool = False, **values: Any) -> Page:
    """
    Make a page of `NAME.html`, `NAME.css` and `NAME.js`.

    The template writes `{{ head }}` into its head and `{{ script }}` at the end of its body. Only the style and the
    script that come with the package run: the policy names them by their digests. Whatever else a template writes is
    escaped.

    :param package: The package of the three files.
    :param name: Their name.
    :param connects: Whether the script may ask the server that the page came from.
    :param images: Whether the page has images, inside itself.
    :param values: What the template writes.
    :returns: The page.
    """
    style, script = _read(BASE, "base.css") + _read(package, f"{name}.css"), _read(package, f"{name}.js")
    rules = ["default-src 'none'", f"style-src {_digests([style])}", f"script-src {_digests([script])}"]
    rules += ["base-uri 'none'", "form-action 'none'"]
    rules += ["connect-src 'self'"] if connects else []
    rules += ["img-src data:"] if images else []
    within = "; ".join(rules)
    head = Markup(
        '<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta http-equiv="Content-Security-Policy" content="{}">\n'
        "<style>{}</style>"
    ).format(within, Markup(style))  # noqa: S704  a file of the package
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    html = environment.from_string(_read(package, f"{name}.html")).render(
        head=head,
        script=Markup("<script>{}</script>").format(Markup(script)),  # noqa: S704  a file of the package
        **values,
    )
    return Page(html, f"{within}; frame-ancestors 'none'")


@cache
def _read(package: str, name: str) -> str:
    return files(package).joinpath(name).read_text(encoding="utf-8")


def _digests(texts: Sequence[str]) -> str:
    return " ".join(f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in texts)
