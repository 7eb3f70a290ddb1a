# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A page's own title, and what generators of documents write below it: who wrote it, and when."""

import re
from collections.abc import Sequence
from itertools import islice
from typing import Any, Final

from answer_selection.indexing.formats.elements import has_class
from answer_selection.indexing.formats.questions import asks, names_faq, names_troubles, without_marks
from answer_selection.indexing.formats.raw import Problem, RawEntry

_LINUXDOC: Final = re.compile(r"(?i).{0,40}(?:linuxdoc|sgml-?tools)")
_TITLE_PAGE: Final = re.compile("(?i)titlepage")
_MAKERS: Final = re.compile("(?i)affiliation|author|authorgroup|copyright|corpauthor|editor|othercredit")
_MOST_MAKERS: Final = 20
_FEWEST_OTHERS: Final = 2
_NOT_BETWEEN: Final = frozenset("dl ol pre table ul".split())


def remove_title_page(root: Any) -> None:
    """
    Leave out the authors of a page that LinuxDoc or DocBook has made.

    :param root: the page's root element.
    """
    metas = (meta for meta in root.iterdescendants("meta") if (meta.get("name") or "").lower() == "generator")
    if any(_LINUXDOC.match(meta.get("content") or "") for meta in metas):
        _remove_to_the_rule(next(root.iterdescendants("h1"), None))
    for page in [part for part in root.iterdescendants("div") if has_class(part, _TITLE_PAGE)]:
        for maker in [part for part in page.iterdescendants("div", "p", "h3", "h4") if has_class(part, _MAKERS)]:
            if maker.getparent() is not None:  # one in another is gone with it
                maker.drop_tree()


def _remove_to_the_rule(title: Any) -> None:
    """Leave out what stands between the title and the rule below it."""
    if title is None:
        return
    between: list[Any] = []
    for part in islice(title.itersiblings(), _MOST_MAKERS):
        if part.tag == "hr":
            break
        if part.tag in _NOT_BETWEEN:
            return
        between.append(part)
    else:
        return
    title.tail = None
    for part in between:
        part.getparent().remove(part)  # with the text behind it


def entitles_the_page(root: Any, found: Sequence[RawEntry | Problem]) -> bool:
    """
    Tell whether the first question of a page is its title, with an introduction or a list of contents as its answer.

    :param root: the page's root element.
    :param found: what was found in the page, which is an FAQ, in its order.
    :returns: whether it is what the page's ``<title>`` says, names an FAQ, does not ask, and stands above others.
    """
    if len(found) <= _FEWEST_OTHERS or not isinstance(found[0], RawEntry) or found[0].headings:
        return False
    question = str(found[0].fields["question"])
    if asks(question) or not (names_faq(question) or names_troubles(question)):
        return False
    titles = (title.text or "" for title in root.iterdescendants("title") if title.getparent().tag == "head")
    return without_marks(next(titles, ""))[0].lower() == question.lower()
