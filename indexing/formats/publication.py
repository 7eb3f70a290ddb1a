# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Whether an entry is published, as the fields say that help centres and content management systems write."""

from collections.abc import Mapping
from typing import Any, Final

_STATES: Final = (
    *("state", "status", "publishstatus", "publicationstatus", "workflowstate", "latestversionstatus", "stage"),
)
_PUBLISHED: Final = frozenset(["online", "publish", "published"])
_UNPUBLISHED: Final = frozenset(
    [
        *("archived", "auto-draft", "draft", "future", "notpublished", "not published", "pending", "private"),
        *("retired", "trash", "unpublished"),
    ]
)
_TRUTHS: Final = {"true": True, "false": False}
# In Freshdesk a status is a number.
_DRAFT, _PUBLIC = 1, 2
# What Sanity's drafts are called.
_DRAFTS: Final = "drafts."


def folded(name: Any) -> str:
    """
    Give a field's name without case and signs: programs write `publishedAt` and `published_at`, Salesforce `Body__c`.

    :param name: the name.
    :returns: its letters and digits in lower case, with no `_` or `-`.
    """
    return str(name).lower().removesuffix("__c").replace("_", "").replace("-", "")


def truth(value: Any) -> bool | None:
    """
    Read a truth value; in XML and YAML all values are texts.

    :param value: a field's value.
    :returns: what it says, or None if it is no truth value.
    """
    return value if isinstance(value, bool) else _TRUTHS.get(str(value).strip().lower())


def is_published(fields: Mapping[str, Any]) -> bool | None:
    """
    Tell whether what has these fields is published.

    :param fields: names and values.
    :returns: whether it is, or None if they do not tell.
    """
    known = {folded(name): value for name, value in fields.items()}
    if (draft := truth(known.get("draft"))) is not None:
        return not draft
    if truth(known.get("isprivate")) or str(fields.get("_id")).startswith(_DRAFTS):
        return False
    for name in ("published", "ispublished", "status"):
        if (told := truth(known.get(name))) is not None:
            return told
    if str(known.get("status")) in (str(_DRAFT), str(_PUBLIC)) and "folderid" in known:
        return str(known["status"]) == str(_PUBLIC)
    states = {str(known[name]).strip().lower() for name in _STATES if name in known}
    if states & _UNPUBLISHED:
        return False
    if "publishedat" in known:
        return bool(known["publishedat"])
    return True if states & _PUBLISHED else None
