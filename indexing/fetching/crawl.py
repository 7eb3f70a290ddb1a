# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Finding a site's pages: those that a sitemap lists, or those that links lead to."""

from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

import lxml.etree
from pathspec import GitIgnoreSpec
from w3lib.url import canonicalize_url

from answer_selection.indexing.fetching.pages_file import Address, Kind, PagesFile, State
from answer_selection.indexing.fetching.site import FetchError, LeftOutError, Response, Site, host_of
from answer_selection.indexing.formats.readable import parse
from answer_selection.indexing.source_files import FileChoice
from answer_selection.indexing.source_link import is_url

# So many failures in a row are the host's, not the pages'.
_FAILURES: Final = 5


@dataclass(frozen=True, slots=True)
class CrawlReport:
    """
    What fetching did.

    :param fetched: Pages that there are now, those of an earlier run included.
    :param waiting: Addresses that are known and were not asked for.
    :param left_out: Addresses without a page that may be read, each with the reason.
    :param failed: Addresses that may have a page another time, each with the reason.
    :param stopped: Whether the host stopped answering.
    """

    fetched: int
    waiting: int
    left_out: list[tuple[str, str]]
    failed: list[tuple[str, str]]
    stopped: bool = False


def crawl(
    starts: Collection[str],
    pages: PagesFile,
    *,
    choice: FileChoice | None = None,
    most_pages: int,
    make_site: Callable[[str], Site],
    progress: Callable[[int], None] | None = None,
) -> CrawlReport:
    """
    Fetch the pages of sites, in the order in which they are found.

    A start that is a sitemap gives the pages that it lists, and those of the sitemaps that it lists. From any other
    start all links to the same host are followed.

    :param starts: Addresses to start from.
    :param pages: Keeps the pages. What an earlier run with the same starts has fetched is not fetched again.
    :param choice: Which addresses' paths are fetched; patterns fit the path without its first slash. Starts always are.
    :param most_pages: How many pages to have at most.
    :param make_site: Makes what asks a start's host.
    :param progress: Called with the number of pages so far.
    :returns: What was done. Pages are kept whatever happens.
    :raises ValueError: If a start is no address of a page.
    :raises OSError: If the pages cannot be kept.
    """
    for start in starts:
        if not _canonical([start]):
            msg = f"{start!r} is no address of a page: expected one that begins with http:// or https://"
            raise ValueError(msg)
    known = _canonical(starts)
    wanted = _Wanted(choice or FileChoice())
    pages.begin(known)
    sites: dict[tuple[str, int | None], Site] = {}
    for start in known:
        if host_of(start) not in sites:
            sites[host_of(start)] = make_site(start)
    failures = 0
    fetched = pages.count(State.FETCHED)
    try:
        while fetched < most_pages and failures < _FAILURES and (address := pages.next()) is not None:
            site = sites[host_of(address.url)]
            try:
                response = site.get(address.url)
                found = _addresses(response, address, pages)
                # First what it leads to: a page that is kept is never read for its links again.
                pages.add(link for link in found if site.has(link.url) and wanted.has(link.url))
                if response.is_html:
                    pages.keep(address.url, canonicalize_url(response.url), response.mime_type, response.data)
                else:
                    pages.end(address.url, State.SITEMAP)
                failures = 0
            except LeftOutError as reason:
                pages.end(address.url, State.LEFT_OUT, str(reason))
                failures = 0
            except FetchError as reason:
                pages.end(address.url, State.FAILED, str(reason))
                failures += 1
            fetched = pages.count(State.FETCHED)
            if progress:
                progress(fetched)
    finally:
        for site in sites.values():
            site.close()
    return CrawlReport(
        fetched,
        pages.count(State.WAITING),
        pages.reasons(State.LEFT_OUT),
        pages.reasons(State.FAILED),
        stopped=failures >= _FAILURES,
    )


class _Wanted:
    """Says which addresses are to be fetched."""

    def __init__(self, choice: FileChoice) -> None:
        self._include = GitIgnoreSpec.from_lines(choice.include) if choice.include else None
        self._exclude = GitIgnoreSpec.from_lines(choice.exclude)

    def has(self, url: str) -> bool:
        path = urlsplit(url).path.lstrip("/")
        return not self._exclude.match_file(path) and (self._include is None or self._include.match_file(path))


def _addresses(response: Response, address: Address, pages: PagesFile) -> list[Address]:
    """Give the addresses in a page or sitemap."""
    if not response.is_html:
        listed = _listed(response) if address.kind is not Kind.LINKED else None
        if listed is None:
            msg = "is no page but XML"
            raise LeftOutError(msg)
        return [Address(url, Kind.LISTED) for url in listed]
    url = canonicalize_url(response.url)
    if pages.has_page(url):
        msg = f"is the page {url}, which was fetched already"
        raise LeftOutError(msg)
    return [] if address.kind is Kind.LISTED else [Address(link, Kind.LINKED) for link in _links(response)]


def _links(response: Response) -> list[str]:
    root, _ = parse(response.data.decode("utf-8", errors="replace"), response.url)
    links = [] if root is None else [link.get("href") or "" for link in root.iterdescendants("a")]
    return _canonical(links)


def _listed(response: Response) -> list[str] | None:
    """The addresses in a sitemap, or in an index of sitemaps; None if it is none."""
    # No entities and no network: the file is a stranger's.
    parser = lxml.etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    root = lxml.etree.fromstring(response.data, parser=parser) if response.data.strip() else None
    if root is None or lxml.etree.QName(root).localname not in ("urlset", "sitemapindex"):
        return None
    places = root.xpath("/*/*/*[local-name() = 'loc']/text()")
    return _canonical(place.strip() for place in places)


def _canonical(urls: Iterable[str]) -> list[str]:
    """Give addresses that lead to one page one form, without the place in the page; leave out what is none."""
    canonical = []
    for url in urls:
        if is_url(url):
            with suppress(ValueError):  # such as http://[
                canonical.append(canonicalize_url(url))
    return canonical
