# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Marks in lines of Markdown that a builder of sites reads and no reader sees."""

import re
from typing import Final

# "{: .note }" of Jekyll; behind a link "{ .button }", too, of MkDocs.
_ATTRIBUTES: Final = re.compile(
    r"\{:[^{}\n]{0,300}\}|(?<=[)\]])\{[ \t]{0,9}(?:[.#][A-Za-z]|[a-z-]{1,20}=)[^{}\n]{0,300}\}"
)
# ":::{warning}", and what closes it: what is inside belongs to the text around it. "(label)=" of MyST.
_COLONS: Final = re.compile(r"[ \t]{0,40}:{3,9}[ \t]*(?:\{?[\w-]{1,40}\}?)?[ \t]*")
_LABEL: Final = re.compile(r"[ ]{0,3}\([\w.:/ -]{1,200}\)=[ \t]*")
# MyST's "{ref}`the guide <label>`", which shows "the guide", and "{py:func}`~shelf.renew`", which shows "renew".
_ROLE: Final = re.compile(r"(?<![`\w])\{[a-z][\w:-]{0,30}\}`([^`<>\n]{1,300}?)[ \t]?(?:<[^`<>\n]{1,300}>)?`")
_NAME: Final = re.compile(r"~(?:[\w]{1,80}\.){1,20}([\w]{1,80}(?:\(\))?)|!([\w.]{1,300}(?:\(\))?)")
# "> [!NOTE]" of GitHub, perhaps with a title.
_QUOTED_NOTE: Final = re.compile(r"([ \t]{0,40}(?:>[ \t]?){1,20})\[![\w-]{1,40}\][-+]?(?:[ \t]+|$)")
# "~> ", "-> " and "!> " before a note of Terraform's.
_ARROW: Final = re.compile(r"([ ]{0,3})[~!-]>[ \t]+(?=\S)")
# Hugo's `{{< relref "guide.md" >}}` where a link has its address, other shortcodes in a line, or code, in which they
# are text. `{{< tooltip text="oven" >}}` shows what it says; of others in "<" and ">" no one knows what they show.
_CODE_OR_REF: Final = re.compile(
    r"`[^`\n]{1,300}`"
    r"|(?:(?<=\]\()|(?<=\]: )|(?<=href=[\"']))\{\{[<%][ \t]{0,9}(?:rel)?ref[ \t]{1,9}(?:path=)?"
    r"[\"'`]?(?P<ref>[^\s\"'`<>{}]{1,300})[\"'`]?[^<>{}%\n]{0,100}[%>]\}\}"
    r"|(?P<before>(?<![ \t])[ \t]{0,40})\{\{(?P<sign>[<%])[ \t]{0,9}/?[ \t]{0,9}(?!(?:rel)?ref[ \t])[\w/-]{1,40}"
    r"(?P<said>[ \t][^\n{}]{0,300})?[%>]\}\}(?P<after>[ \t]{0,9})"
)
# Jekyll's tags where a link has its address: `{{ site.baseurl }}/x`, `{{ "/x" | relative_url }}`, `{% link x.md %}`; or
# code, in which they are text.
_CODE_OR_ADDRESS: Final = re.compile(
    r"`[^`\n]{1,300}`"
    r"|(?P<before>\]\(|\]:[ ]|href=[\"'])(?:\{\{-?[ \t]{0,9}site\.[\w.]{1,40}[ \t]{0,9}-?\}\})?"
    r"(?:\{\{-?[ \t]{0,9}(?:\"(?P<one>[^\"\n{}]{0,300})\"|'(?P<other>[^'\n{}]{0,300})')[ \t]{0,9}"
    r"(?:\|[^\n{}]{0,100})?\}\}"
    r"|\{%-?[ \t]{0,9}(?:link|post_url)[ \t]{1,9}(?P<file>[^\s{}%]{1,300})[ \t]{0,9}-?%\})?"
)
_SAID: Final = re.compile(r"[ \t]text=\"([^\"\n]{1,200})\"")
_CLOSING: Final = tuple(".,;:!?)")
# "{% hint style="info" %}" and "{% endhint %}" of GitBook; of "{% tab title="Linux" %}" the title is shown, of
# "{% embed url="https://x.org" %}" the address. "{% raw %}" of Jekyll.
_GITBOOK: Final = re.compile(
    r"(?P<indent>[ \t]{0,40})\{%[ \t]{0,9}(?:end)?(?:code|columns?|content-ref|embed|hint|raw|step|stepper|tabs?)"
    r"(?:[ \t][^%\n]{0,500})?%\}[ \t]*"
)
# ":::caution[Heads up]", "::: info Read this first", '!!! warning "Do not"', '=== "Linux"': what they say is a title.
_TITLED: Final = re.compile(
    r"(?P<indent>[ \t]{0,40})"
    r"(?::{3,9}[ \t]*\{?[\w-]{1,40}\}?(?:\[(?P<boxed>[^\]\n]{1,300})\]|[ \t]+(?P<said>[^\s{][^\n]{0,300}))"
    r"|(?:!!!|\?\?\?\+?)[ \t]+[\w-]{1,40}[ \t]+\"(?P<quoted>[^\"\n]{1,300})\""
    r"|===[!+]?[ \t]+\"(?P<tab>[^\"\n]{1,300})\")[ \t]*"
)
# Lines of nothing but Hugo's "{{< note >}}", "{{% alert title="Careful" %}}" and their ends, or an include.
_SHORTCODES: Final = re.compile(
    r"(?P<indent>[ \t]{0,40})"
    r"(?:\{\{(?:[<%][ \t]{0,9}/?[ \t]{0,9}[\w/-]{1,40}(?:[ \t][^\n{}]{0,300})?[%>]|#include [^\n{}]{1,300})\}\}"
    r"[ \t]{0,9}){1,9}|[ \t]{0,40}--8<--[^\n]{0,300}"
)
_SHORTCODES_TITLE: Final = re.compile(
    r"\{\{[<%][ \t]{0,9}(?:[\w/-]{1,40}[ \t][^\n{}]{0,300}?\b(?:title|name|header)=\"([^\"\n]{1,200})\""
    r"|tab[ \t]{1,9}\"([^\"\n]{1,200})\")"
)
_TITLE: Final = re.compile(r"(?:[ \t]title|[ \t]embed[ \t]{1,9}url)=\"[# \t]{0,9}([^\"\n]{1,200})\"")
# "import Tabs from '@theme/Tabs';" of MDX, and values of its attributes that are code: "src={useBaseUrl('a.png')}".
_IMPORT: Final = re.compile(
    r"import[ ](?:[\w*${},][\w*${}, \t]{0,300}[ ]from[ ])?(?:\"[^\"\n]{1,300}\"|'[^'\n]{1,300}');?[ \t]{0,9}"
)
_HAS_CODE: Final = re.compile(
    r"<[A-Za-z][\w.]{0,40}[ \t][^<>\n]{0,300}?=\{|^[ \t]{1,40}[A-Za-z][\w-]{0,40}=\{[^\n]{0,300}\}[ \t]{0,9}$"
)
_CODE: Final = re.compile(r"(?<=[A-Za-z-])=\{(?:[^{}\n]|\{[^{}\n]{0,200}\}){0,200}\}")
# "**Bandwidth **is", as GitBook writes bold print before a space.
_BOLD: Final = re.compile(r"(?:(?<=[ \t(])|^)\*\*(?=[^\s*])([^*\n]{1,300}?)([ \t]{1,9})\*\*(?!\*)")
# ":material-check:{ .lg }" of MkDocs, which shows a picture.
_ICON: Final = re.compile(
    r":(?:fontawesome|material|octicons|simple)-[a-z0-9-]{1,60}:(?:[ ]?\{[ ]?[.#][^{}\n]{0,100}\})?[ \t]{0,9}"
)
# "[How?](@id how)" and "[the guide](@ref how)" of Julia's documentation.
_JULIAS: Final = re.compile(
    r"\[([^\[\]\n]{1,300})\]\(@(?:ref|id(?:[ ](?P<name>[\w.:-]{1,100}))?)(?![\w.])[^()\n]{0,200}\)"
)
_COMMENT: Final = re.compile(r"\{/\*(?:[^*\n]|\*(?!/)){0,500}\*/\}")


def without_line_marks(line: str, *, begins: bool) -> str:
    """
    Leave out of a line what is not shown.

    :param line: a line that is in no block of code.
    :param begins: whether it may begin a paragraph.
    :returns: what is left of it, perhaps nothing. A title has empty lines around it.
    """
    if _COLONS.fullmatch(line) or _LABEL.fullmatch(line) or _IMPORT.fullmatch(line):
        return ""
    if (tag := _GITBOOK.fullmatch(line)) is not None:
        title = _TITLE.search(line)
        return "" if title is None else f"\n{tag['indent']}{title[1]}\n"
    if (titled := _TITLED.fullmatch(line)) is not None:
        return f"\n{titled['indent']}{next(filter(None, titled.group('boxed', 'said', 'quoted', 'tab')))}\n"
    if (codes := _SHORTCODES.fullmatch(line)) is not None:
        titles = (found[1] or found[2] for found in _SHORTCODES_TITLE.finditer(line))
        return "\n".join(["", *(f"{codes['indent'] or ''}{title}\n" for title in titles)])
    if (note := _QUOTED_NOTE.match(line)) is not None:
        line = note[1] + line[note.end() :]
    if begins and (arrow := _ARROW.match(line)) is not None:
        line = arrow[1] + line[arrow.end() :]
    if "`" not in line:
        line = _ATTRIBUTES.sub("", _COMMENT.sub("", line))
        line = _BOLD.sub(r"**\1**\2", _ICON.sub("", line))
        if "={" in line and _HAS_CODE.search(line):
            line = _CODE.sub("", line)
    if "{{" in line or "{%" in line:
        line = _CODE_OR_ADDRESS.sub(_without_tags, line)
    if "{{" in line:
        line = _CODE_OR_REF.sub(_without_shortcode, line)
    if "](@" in line:
        line = _JULIAS.sub(_without_address, line)
    return _ROLE.sub(_said, line)


def _without_tags(found: re.Match[str]) -> str:
    if found["before"] is None:
        return found[0]
    return found["before"] + (found["one"] or found["other"] or found["file"] or "")


def _without_shortcode(found: re.Match[str]) -> str:
    if found["sign"] is None:
        return found["ref"] or found[0]
    said = _SAID.search(found["said"] or "")
    if said is not None:
        return f"{found['before']}{said[1]}{found['after']}"
    if found["sign"] == "<":
        return found[0]
    if found.start() == 0:
        return found["before"]
    is_last = found.end() == len(found.string) or found.string.startswith(_CLOSING, found.end())
    return "" if is_last or not (found["before"] or found["after"]) else " "


def _without_address(link: re.Match[str]) -> str:
    return link[1] if link["name"] is None else f"{link[1]} {{#{link['name']}}}"


def _said(role: re.Match[str]) -> str:
    name = _NAME.fullmatch(role[1])
    return role[1] if name is None else name[1] or name[2]
