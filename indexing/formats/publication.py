# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Whether an entry is published, as the fields say that help centres and content management systems write."""

from collections.abc import Mapping
from typing import Any, Final

_STATES: Final = ("state", "status", "publishstatus", "publicationstatus", "workflowstate", "latestversionstatus")
_PUBLISHED: Final = frozenset(["online", "publish", "published"])
_DRAFTED: Final = frozenset(["auto-draft", "draft", "unpublished"])
_UNPUBLISHED: Final = _DRAFTED | frozenset(
    ["archived", "future", "notpublished", "not published", "pending", "private", "retired", "trash"]
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


def is_draft(fields: Mapping[str, Any]) -> bool:
    """
    Tell whether an entry says that it is a draft, in words that mean nothing else.

    :param fields: its names and values.
    :returns: whether it does: a `status` may also be that of an order, and what is archived may answer.
    """
    known = {folded(name): value for name, value in fields.items()}
    if truth(known.get("draft")) or str(fields.get("_id")).startswith(_DRAFTS):
        return True
    states = _states(known)
    return not states & _PUBLISHED and (truth(known.get("published")) is False or bool(states & _DRAFTED))


def is_published(fields: Mapping[str, Any]) -> bool | None:
    """
    Tell whether an article is published.

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
    states = _states(known)
    if states & _PUBLISHED:
        return True
    if states & _UNPUBLISHED:
        return False
    return bool(known["publishedat"]) if "publishedat" in known else None


def _states(known: Mapping[str, Any]) -> set[str]:
    return {str(known[name]).strip().lower() for name in _STATES if name in known}
