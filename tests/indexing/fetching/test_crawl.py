# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import gzip
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import site_server
from answer_selection.indexing.fetching import site as site_module
from answer_selection.indexing.fetching.crawl import CrawlReport, crawl
from answer_selection.indexing.fetching.pages_file import PagesFile
from answer_selection.indexing.fetching.site import Site
from answer_selection.indexing.source_files import FileChoice
from site_server import Reply


@pytest.fixture
def site() -> Iterator[site_server.Site]:
    with site_server.serve() as served:
        yield served


@pytest.fixture
def pages(tmp_path: Path) -> PagesFile:
    return PagesFile(tmp_path / "faq.pages")


@pytest.fixture
def slept() -> list[float]:
    return []


@pytest.fixture
def fetch(site, pages, slept) -> Callable[..., CrawlReport]:
    """Fetch from the site's paths, without a pause."""

    def run(*paths: str, pause: float = 0.0, most_pages: int = 1000, **options) -> CrawlReport:
        return crawl(
            [f"{site.url}{path}" for path in paths or ("/",)],
            pages,
            most_pages=most_pages,
            make_site=lambda url: Site(url, pause=pause, sleep=slept.append),
            **options,
        )

    return run


def links(*addresses: str) -> Reply:
    return Reply("".join(f'<a href="{address}">x</a>' for address in addresses))


def paths(pages: PagesFile, site: site_server.Site) -> list[str]:
    return [page.meta["url"].removeprefix(site.url) for page in pages]


def told(reasons: list[tuple[str, str]], site: site_server.Site) -> dict[str, str]:
    return {url.removeprefix(site.url): reason for url, reason in reasons}


def test_links_are_followed_on_the_same_host_and_each_page_is_fetched_once(site, pages, fetch):
    site.pages = {
        "/": links(
            "a", "/b/?z=1&y=2#here", "b/?y=2&z=1", "https://elsewhere.example/x", "mailto:x@y.z", "javascript:x()"
        ),
        "/a": links("/", "#top", "c"),
        "/b/?y=2&z=1": links("../c", "http://["),
        "/c": Reply("Fünf".encode("cp1252"), "text/html; charset=cp1252"),
    }
    report = fetch()
    assert paths(pages, site) == ["/", "/a", "/b/?y=2&z=1", "/c"]
    assert site.asked == ["/robots.txt", "/", "/a", "/b/?y=2&z=1", "/c"]
    assert report == CrawlReport(4, 0, [], [])
    *_, last = pages
    assert (last.data, last.mime_type) == ("Fünf".encode("cp1252"), "text/html; charset=cp1252")
    assert site.headers["User-Agent"].startswith("answer-selection-haystack/")


def test_a_sitemap_is_the_pages_that_it_lists(site, pages, fetch):
    def listing(kind: str, *places: str) -> str:
        entries = "".join(f"<u><loc> {place} </loc></u>" for place in places)
        return f'<?xml version="1.0"?><{kind} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</{kind}>'

    site.pages = {
        "/sitemap.xml": Reply(listing("sitemapindex", f"{site.url}/one.xml", f"{site.url}/two.xml.gz"), "text/xml"),
        "/one.xml": Reply(listing("urlset", f"{site.url}/a", "https://elsewhere.example/"), "application/xml"),
        "/two.xml.gz": Reply(gzip.compress(listing("urlset", f"{site.url}/b").encode()), "application/gzip"),
        "/a": links("/not-listed"),
        "/b": links("/not-listed"),
    }
    report = fetch("/sitemap.xml")
    assert paths(pages, site) == ["/a", "/b"]
    assert (report.left_out, report.failed, report.waiting) == ([], [], 0)


def test_what_robots_txt_does_not_allow_is_left_out_and_its_delay_is_kept(site, pages, fetch, slept):
    rules = "User-agent: *\nDisallow: /private*.html\nCrawl-delay: 7\n\nUser-agent: other\nDisallow: /\n"
    site.pages = {
        "/robots.txt": Reply(rules, "text/plain"),
        "/": links("/private/a.html", "/private/b"),
        "/private/a.html": Reply("secret"),
        "/private/b": Reply("open"),
    }
    report = fetch(pause=2.0)
    assert paths(pages, site) == ["/", "/private/b"]
    assert told(report.left_out, site) == {"/private/a.html": "robots.txt does not allow it"}
    assert slept == [7.0, 7.0]


def test_there_is_a_pause_between_two_requests(site, pages, fetch, slept):
    site.pages = {"/": links("/a"), "/a": Reply("")}
    fetch(pause=2.0)
    assert slept == [2.0, 2.0]


def test_a_site_whose_robots_txt_cannot_be_read_is_left_alone(site, pages, fetch):
    site.pages = {"/robots.txt": Reply("", status=503), "/": Reply("")}
    report = fetch()
    assert told(report.failed, site) == {"/": "robots.txt gave the status 503"}
    assert "/" not in site.asked


def test_redirects_are_followed_on_the_host_alone(site, pages, fetch):
    def to(address: str) -> Reply:
        return Reply(status=302, headers={"Location": address})

    site.pages = {
        "/": links("/old", "/away", "/circle", "/nowhere", "/new"),
        "/old": to("/new"),
        "/new": Reply("new"),
        "/away": to("http://elsewhere.example/x"),
        "/circle": to("/circle"),
        "/nowhere": to("http://["),
    }
    report = fetch()
    assert paths(pages, site) == ["/", "/new"]
    assert told(report.left_out, site) == {
        "/away": "leads to another host: http://elsewhere.example/x",
        "/nowhere": "is redirected to what is no address: http://[",
        "/new": f"is the page {site.url}/new, which was fetched already",
    }
    assert told(report.failed, site) == {"/circle": "is redirected more than 5 times"}


def test_what_is_no_page_is_left_out_and_what_is_gone_too(site, pages, fetch):
    site.pages = {
        "/": links("/a.pdf", "/feed", "/gone", "/plain"),
        "/a.pdf": Reply(b"%PDF", "application/pdf"),
        "/feed": Reply("<rss/>", "application/xml"),
        "/plain": Reply("x", None),
    }
    report = fetch()
    assert paths(pages, site) == ["/"]
    assert told(report.left_out, site) == {
        "/a.pdf": "is no page but application/pdf",
        "/feed": "is no page but XML",
        "/gone": "gave the status 404",
        "/plain": "is no page but of no type",
    }


def test_a_page_that_fails_three_times_is_told_and_the_others_are_kept(site, pages, fetch, slept):
    busy = Reply("", status=503, headers={"Retry-After": "30"})
    site.pages = {"/": links("/bad", "/late", "/c"), "/bad": Reply("", status=500), "/late": [busy, Reply("late")]}
    site.pages["/c"] = Reply("c")
    report = fetch()
    assert paths(pages, site) == ["/", "/late", "/c"]
    assert told(report.failed, site) == {"/bad": "gave the status 500"}
    assert site.asked.count("/bad") == 3
    assert max(slept) == 30.0


def test_a_page_beyond_the_limit_is_not_read_to_its_end(site, pages, fetch, monkeypatch):
    monkeypatch.setattr(site_module, "MOST_BYTES", 1000)
    bomb = Reply(gzip.compress(b"x" * 1_000_000), headers={"Content-Encoding": "gzip"})
    site.pages = {"/": links("/large", "/bomb"), "/large": Reply("x" * 1001), "/bomb": bomb}
    report = fetch()
    assert told(report.failed, site) == dict.fromkeys(("/large", "/bomb"), "has more than 1,000 bytes")


def test_a_host_that_is_not_there_is_told(pages):
    def site(url: str) -> Site:
        return Site(url, pause=0.0, sleep=lambda _: None)

    report = crawl(["http://127.0.0.1:9/"], pages, most_pages=1000, make_site=site)
    [(url, reason)] = report.failed
    assert url == "http://127.0.0.1:9/"
    assert "cannot be fetched" in reason


def test_no_more_pages_than_allowed_are_fetched(site, pages, fetch):
    site.pages = {"/": links("/a", "/b", "/c"), "/a": Reply("a"), "/b": Reply("b"), "/c": Reply("c")}
    report = fetch(most_pages=2)
    assert (report.fetched, report.waiting) == (2, 2)
    # More are fetched when more are allowed, and none twice.
    assert fetch(most_pages=10).fetched == 4
    assert site.asked.count("/a") == 1


def test_patterns_choose_among_the_addresses(site, pages, fetch):
    site.pages = {"/start": links("/faq/a", "/faq/old/b", "/blog/c"), "/faq/a": Reply(""), "/faq/old/b": Reply("")}
    fetch("/start", choice=FileChoice(include=["faq/"], exclude=["old/"]))
    assert paths(pages, site) == ["/start", "/faq/a"]
    assert "/blog/c" not in site.asked


def test_a_run_that_ends_in_the_middle_goes_on_there(site, pages, fetch):
    site.pages = {"/": links("/a", "/b"), "/a": links("/c"), "/b": Reply("b"), "/c": Reply("c")}

    class KilledError(BaseException):
        pass

    def kill(done: int) -> None:
        if done == 2:
            raise KilledError

    with pytest.raises(KilledError):
        fetch(progress=kill)
    assert paths(pages, site) == ["/", "/a"]
    site.asked.clear()
    assert fetch().fetched == 4
    assert site.asked == ["/robots.txt", "/b", "/c"]


def test_what_failed_is_tried_again_and_other_starts_begin_anew(site, pages, fetch):
    site.pages = {"/": links("/a"), "/a": Reply("", status=500)}
    assert len(fetch().failed) == 1
    site.pages["/a"] = Reply("a")
    assert (fetch().failed, paths(pages, site)) == ([], ["/", "/a"])
    fetch("/a")
    assert paths(pages, site) == ["/a"]


def test_pages_of_yesterday_are_fetched_anew(site, pages, fetch):
    site.pages = {"/": Reply("old")}
    fetch()
    with sqlite3.connect(pages.path) as connection:
        connection.execute("UPDATE starts SET begun = begun - 100000")
    site.pages = {"/": Reply("new")}
    fetch()
    assert [page.data for page in pages] == [b"new"]


def test_a_host_that_stops_answering_is_not_asked_for_every_page(site, pages, fetch):
    site.pages = {"/": links(*(f"/{number}" for number in range(9)))}
    site.pages |= {f"/{number}": Reply("", status=500) for number in range(9)}
    report = fetch()
    assert (report.stopped, report.fetched, len(report.failed), report.waiting) == (True, 1, 5, 4)


def test_what_is_no_address_or_no_place_for_pages_is_said(pages, tmp_path):
    def unasked(url: str) -> Site:
        raise AssertionError(url)

    for start in ("example.org", "ftp://example.org/", "javascript:alert(1)"):
        with pytest.raises(ValueError, match="is no address of a page"):
            crawl([start], pages, most_pages=1000, make_site=unasked)
    (tmp_path / "faq.pages").write_text("something else, and long enough to be no database at all", encoding="utf-8")
    with pytest.raises(OSError, match=r"faq.pages cannot hold the fetched pages: .* Delete it"):
        crawl(["http://127.0.0.1:9/"], pages, most_pages=1000, make_site=unasked)
