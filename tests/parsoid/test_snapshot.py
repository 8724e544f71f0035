"""Lines of a snapshot: pages, redirects, and the reason for each line that is none."""

from typing import Any

import orjson
import pytest

from wikiprep.dump.pages import BadPage, Page
from wikiprep.dump.site import Site
from wikiprep.dump.siteinfo import default_siteinfo
from wikiprep.parsoid.document import HtmlPage
from wikiprep.parsoid.snapshot import identity_of, pages_of_line

from .made import row

SITE = Site.of(default_siteinfo("en"))


def pages(line: bytes) -> list[Page | BadPage]:
    return list(pages_of_line(line, "enwiki_0.ndjson, line 7", SITE))


def changed(**fields: Any) -> list[Page | BadPage]:
    return pages(orjson.dumps(row(42, "Oslo", "<p>a</p>") | fields))


def test_a_page_has_the_fields_of_its_line() -> None:
    (page,) = changed(templates=[{"name": "Template:Lang", "url": "x"}], main_entity={"identifier": "Q585"})
    assert isinstance(page, HtmlPage)
    assert (page.page_id, page.revision_id, page.title, page.namespace) == (42, 1042, "Oslo", 0)
    assert (page.timestamp, page.qid, page.templates) == ("2026-11-02T10:00:00Z", "Q585", ("Template:Lang",))
    assert page.text.startswith("<!DOCTYPE html>") and page.model == "html" and page.redirect is None


def test_what_may_be_absent() -> None:
    (page,) = pages(orjson.dumps({"name": "Talk:A_b", "identifier": 1, "article_body": {"html": "<p>"}}))
    assert isinstance(page, HtmlPage)
    assert (page.title, page.namespace, page.revision_id, page.timestamp, page.qid) == ("Talk:A b", 1, None, None, None)


def test_redirects_are_pages_without_an_id() -> None:
    names = ["Christiania", "Kristiania", "Christiania", "Oslo", "", "A[b", "Talk:Oslo city"]
    _, *redirects = changed(redirects=[{"name": name, "url": "x"} for name in names])
    found = [(r.title, r.page_id, r.namespace, r.redirect) for r in redirects if isinstance(r, Page)]
    assert found == [
        ("Christiania", None, 0, "Oslo"),
        ("Kristiania", None, 0, "Oslo"),
        ("Talk:Oslo city", None, 1, "Oslo"),
    ]


def test_a_page_that_redirects() -> None:
    html = '<p>→</p><link rel="mw:PageProp/redirect" href="./Oslo_(city)#A%20b"/>'
    (page,) = changed(article_body={"html": html}, redirects=[{"name": "X"}])
    assert isinstance(page, HtmlPage) and page.redirect == "Oslo (city)#A b"


@pytest.mark.parametrize(
    ("fields", "reason", "detail"),
    [
        ({"identifier": None}, "no page id", "no number in `identifier`"),
        ({"identifier": True}, "no page id", "no number in `identifier`"),
        ({"identifier": -1}, "no page id", "no number in `identifier`"),
        ({"name": " "}, "no title", "no text in `name`"),
        ({"name": 3}, "no title", "no text in `name`"),
        ({"article_body": None}, "no text", "no text in `article_body.html`"),
        ({"article_body": {"wikitext": "a"}}, "no text", "no text in `article_body.html`"),
        ({"article_body": {"html": ""}}, "no text", "no text in `article_body.html`"),
        ({"is_part_of": {"identifier": "dewiki"}}, "page of another wiki", "of dewiki, not of enwiki"),
        ({"event": {"type": "delete"}}, "deleted page", "the snapshot says that it was deleted"),
    ],
)
def test_each_reason_for_a_reject(fields: dict[str, Any], reason: str, detail: str) -> None:
    (bad,) = changed(**fields)
    assert isinstance(bad, BadPage)
    assert (bad.reason, bad.detail) == (reason, f"enwiki_0.ndjson, line 7: {detail}")


@pytest.mark.parametrize("line", [b'{"name": "A"', b"[]", b"null", b"\xff", b'"a"', b'{"a":1}{"b":2}', b"1e999"])
def test_lines_that_are_no_page(line: bytes) -> None:
    (bad,) = pages(line)
    assert isinstance(bad, BadPage)
    assert bad.reason == "malformed JSON" and bad.detail.startswith("enwiki_0.ndjson, line 7: ")
    assert identity_of(line) is None


@pytest.mark.parametrize(
    "field", ["version", "namespace", "main_entity", "templates", "redirects", "is_part_of", "event"]
)
@pytest.mark.parametrize("value", [None, 1, "x", [], [1, {"name": 2}], {"identifier": [1]}])
def test_fields_of_another_type_cost_no_page(field: str, value: Any) -> None:
    (page,) = changed(**{field: value})
    assert isinstance(page, HtmlPage) and page.title == "Oslo"


def test_identity() -> None:
    assert identity_of(orjson.dumps(row(42, "Oslo", ""))) == (42, 1042, "2026-11-02T10:00:00Z")
    assert identity_of(b'{"identifier": 1, "version": null}') == (1, 0, "")
