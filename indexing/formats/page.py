# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What a page says of itself: whether it is an FAQ, and which part of it is its content."""

import os
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import PurePath
from typing import Any, Final

from answer_selection.indexing.formats.elements import HEADINGS, has_class
from answer_selection.indexing.formats.questions import (
    TITLE_SIGNS,
    asks,
    begins_with_troubleshooting,
    is_faq,
    is_troubleshooting,
    names_faq,
    without_marks,
)
from answer_selection.indexing.formats.readable import readable_line

_WORDS_TITLE: Final = re.compile("MsoTitle")
_GOOGLES: Final = re.compile("doc-content")
_GOOGLES_TITLE: Final = re.compile("title")
_MOST_PARAGRAPHS: Final = 20
_MOST_HEADINGS: Final = 5
# "ParentFAQ"; not "FaqController", which is a program's.
_CAMEL_CASE: Final = re.compile(r"(?<=[a-z])(?=FAQs?(?![A-Za-z]))")
_OF_A_PROJECT: Final = re.compile(
    r"(?i)(?:(?:change-?log|changes|news|release[-_]?notes|contributing|contributors|code[-_]of[-_]conduct|licen[cs]e|"
    r"authors|maintainers|governance)(?:[-_.][a-z]{2}(?:[-_][a-z]{2})?)?|"
    # "0.x-CHANGELOG", "CHANGELOG-v1", "NEWS-2.0", "RELEASE_NOTES"
    r"(?:v?[0-9][0-9.x]{0,20}[-_])?(?:change-?log|changes|news|release[-_]?notes)(?:[-_.]v?[0-9][0-9.x]{0,20})?|"
    r"readme(?:[-_.]"
    r"(?:[a-z]{2}(?:[-_][a-z]{2})?|build|crates?|dev(?:el|elopers?)?|docker|github|gitlab|install|npm|nuget|pypi))?)"
)
_PATH_SIGN: Final = re.compile(r"[/\\]+")
_NUMBERED: Final = re.compile(r"(?:Q\s?)?[0-9]{1,4}(?:\.[0-9]{1,4}){0,4}[.:)]\s")


def content_of(root: Any) -> Any:
    """
    Find a page's main part.

    :param root: the page's root element.
    :returns: its one ``<main>`` or ``role="main"``, or else the whole page.
    """
    mains = [element for element in root.iterdescendants() if element.tag == "main" or element.get("role") == "main"]
    mains = [element for element in mains if not any(other is not element for other in _ancestors_in(element, mains))]
    return mains[0] if len(mains) == 1 and _has_questions(mains[0]) else root


def _has_questions(main: Any) -> bool:
    """Whether there is something in it: some pages have no more than a banner there."""
    return next(main.iter(*HEADINGS, "details", "dl"), None) is not None or "?" in "".join(main.itertext())


def _ancestors_in(element: Any, others: list[Any]) -> Iterator[Any]:
    # Pages have one or two of them.
    return (other for other in others[:5] if other in element.iterancestors())


def is_faq_page(root: Any, name: str) -> bool:
    """
    Tell whether a page says that it is an FAQ.

    :param root: the page's root element.
    :param name: its path or address.
    :returns: whether its title, its ``<h1>`` or what stands for it, its address, or the title of the book that it
        is a chapter of has "FAQ" or "frequently asked questions" in it, its file is called so, or its folder is and it
        is called "index", or its title asks or has a number; or whether its file says "troubleshooting", or its title
        and its ``<h1>`` do.
    """
    own = [title.text or "" for title in root.iterdescendants("title") if title.getparent().tag == "head"]
    title = "".join(own[:1])
    headings = _own_headings(root, title)
    texts = [*filter(None, own), *headings]
    titles = [" ".join(text.split()) for text in texts]
    for element in root.iterdescendants("link", "meta"):
        relations = (element.get("rel") or "").lower().split()
        if element.tag == "link" and {"home", "start", "top", "up"} & set(relations):
            texts.append(element.get("title") or "")
        elif "canonical" in relations:
            texts.append(_words(element.get("href")))
        elif element.get("property") == "og:url":
            texts.append(_words(element.get("content")))
    if any(names_faq(" ".join(text.split())) for text in texts):
        return True
    if any(_is_of_troubles(title, heading) for heading in headings) or (not headings and _is_of_troubles(title, None)):
        return True
    folder, file = _folder_and_file(name)
    stem = PurePath(file).stem
    words = _words_of_a_name(stem)
    if _say_faq(words) or is_troubleshooting(" ".join(words)) or words == ["troubleshoot"]:
        return True
    # An FAQ in pieces has other pages beside them, such as an imprint.
    return is_faq(_words(folder)) and (stem.lower() == "index" or any(map(_is_numbered_or_asks, titles)))


def is_named_faq(name: str) -> bool:
    """
    Tell whether a file is called an FAQ.

    :param name: its path or address.
    :returns: whether it is called "vim-faq", "FAQ-en", "ParentFAQ" or the like; not "building-a-faq-bot".
    """
    return _say_faq(_words_of_a_name(PurePath(_folder_and_file(name)[1]).stem))


def _say_faq(words: Sequence[str]) -> bool:
    """Whether words at the beginning or the end of a name do."""
    return any(is_faq(" ".join(part)) for most in (1, 2, 3) for part in (words[:most], words[-most:]))


def _words_of_a_name(stem: str) -> list[str]:
    return re.sub(r"[0-9]+", " ", _words(_CAMEL_CASE.sub(" ", stem))).split()


def is_about_a_project(name: str) -> bool:
    """
    Tell whether a file has one of the names of those that most projects have beside their documentation.

    :param name: its path or address.
    :returns: whether it is called "README", "CHANGELOG", "CONTRIBUTING" or the like, perhaps with a language, and its
        folder is not called "FAQ".
    """
    folder, file = _folder_and_file(name)
    if _OF_A_PROJECT.fullmatch(PurePath(file).stem) is None:
        return False
    return not (is_faq(_words(folder)) or is_named_faq(file))


def _folder_and_file(name: str) -> list[str]:
    # A file's folder is known wherever the command was given.
    path = os.path.abspath(name) if os.path.exists(name) else name
    return ["", *_PATH_SIGN.split(path.rstrip("/\\"))][-2:]


def _own_headings(root: Any, title: str) -> list[str]:
    """The first ``<h1>``, and the one that the page's title begins with: that of the site may stand above it."""
    headings = list(map(readable_line, islice(root.iterdescendants("h1"), _MOST_HEADINGS)))
    own = TITLE_SIGNS.split(" ".join(title.split()))[0]
    if not headings:
        return _title_of_a_document(root)
    return [headings[0], *(heading for heading in headings[1:] if without_marks(heading)[0] == own)]


def _title_of_a_document(root: Any) -> list[str]:
    """What Word or Google Docs has written as the title, in a paragraph."""
    body = root.find("body")
    kind = _GOOGLES_TITLE if body is not None and has_class(body, _GOOGLES) else _WORDS_TITLE
    titles = (part for part in islice(root.iterdescendants("p"), _MOST_PARAGRAPHS) if has_class(part, kind))
    return list(map(readable_line, islice(titles, 1)))


def _is_of_troubles(title: str, heading: str | None) -> bool:
    """Whether a page's title and its first ``<h1>``, or the one that there is, say "troubleshooting"."""
    # Behind the page's own name its title has those of its section and its site.
    own = TITLE_SIGNS.split(without_marks(title)[0])[0]
    if heading is None:
        return is_troubleshooting(own)
    # "Introduction to network troubleshooting" is a course.
    return is_troubleshooting(heading) and (is_troubleshooting(own) or begins_with_troubleshooting(heading))


def _is_numbered_or_asks(title: str) -> bool:
    return asks(title) or _NUMBERED.match(title) is not None


def _words(address: str | None) -> str:
    return re.sub(r"[-_/.]+", " ", address or "")
