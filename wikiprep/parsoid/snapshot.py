"""A line of a Wikimedia Enterprise snapshot -> the page and its redirects.

The fields are those of Enterprise's data dictionary (https://enterprise.wikimedia.com/docs/data-dictionary/): `name`,
`identifier`, `date_modified`, `version.identifier`, `namespace.identifier`, `main_entity.identifier`, `templates`,
`redirects`, `is_part_of.identifier` and `article_body.html`. What is absent is done without, but for name, identifier
and HTML.
"""

from collections.abc import Iterator
from typing import Any

import orjson

from wikiprep.dump.pages import BadPage, Page
from wikiprep.dump.site import Site
from wikiprep.parsoid.document import HTML, HtmlPage, redirect_of

Json = dict[str, Any]


def pages_of_line(line: bytes, where: str, site: Site) -> Iterator[Page | BadPage]:
    """The page, then a redirect page for each title that leads to it; or why the line is none. `where` names it."""
    try:
        entry = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        yield BadPage(None, None, "malformed JSON", f"{where}: {error}")
        return
    if not isinstance(entry, dict):
        yield BadPage(None, None, "malformed JSON", f"{where}: {type(entry).__name__}, not an object")
        return
    page = _page(entry, where, len(line), site)
    yield page
    if isinstance(page, HtmlPage) and page.redirect is None:
        yield from _redirects(entry, page, site)


def identity_of(line: bytes) -> tuple[int, int, str] | None:
    """(page id, revision id, time) of a line, to know copies of one page by; None where it does not say."""
    try:
        entry = orjson.loads(line)
        number = entry["identifier"]
    except (orjson.JSONDecodeError, TypeError, KeyError):
        return None
    if not _is_number(number):
        return None
    revision = _identifier_of(entry, "version")
    time = entry.get("date_modified")
    return number, revision if _is_number(revision) else 0, time if isinstance(time, str) else ""


def _page(entry: Json, where: str, size: int, site: Site) -> HtmlPage | BadPage:
    number, title = entry.get("identifier"), entry.get("name")
    number = number if _is_number(number) else None
    title = title.replace("_", " ").strip() or None if isinstance(title, str) else None

    def bad_page(reason: str, detail: str) -> BadPage:
        return BadPage(number, title, reason, f"{where}: {detail}")

    if number is None:
        return bad_page("no page id", "no number in `identifier`")
    if title is None:
        return bad_page("no title", "no text in `name`")
    wiki, ours = _identifier_of(entry, "is_part_of"), site.siteinfo.dbname
    if isinstance(wiki, str) and wiki and ours and wiki != ours:
        return bad_page("page of another wiki", f"of {wiki}, not of {ours}")
    event = entry.get("event")
    if isinstance(event, dict) and event.get("type") == "delete":
        return bad_page("deleted page", "the snapshot says that it was deleted")
    body = entry.get("article_body")
    html = body.get("html") if isinstance(body, dict) else None
    if not isinstance(html, str) or not html:
        return bad_page("no text", "no text in `article_body.html`")
    namespace, revision, time = (
        _identifier_of(entry, "namespace"),
        _identifier_of(entry, "version"),
        entry.get("date_modified"),
    )
    qid = _identifier_of(entry, "main_entity")
    return HtmlPage(
        page_id=number,
        namespace=namespace if isinstance(namespace, int) else site.titles.namespace_of(title),
        title=title,
        revision_id=revision if _is_number(revision) else None,
        timestamp=time if isinstance(time, str) and time else None,
        model=HTML,
        redirect=redirect_of(html),
        text=html,
        xml_bytes=size,
        qid=qid if is_qid(qid) else None,
        templates=tuple(_names(entry, "templates")),
    )


def _redirects(entry: Json, page: HtmlPage, site: Site) -> Iterator[Page]:
    """The snapshot knows redirects by the page they lead to, without ids: so have their rows none."""
    for name in dict.fromkeys(_names(entry, "redirects")):
        target = site.titles.parse(":" + name)
        if target.kind == "page" and target.title and target.title != page.title:
            yield Page(None, target.namespace, target.title, None, None, "wikitext", page.title, "", 0)


def _names(entry: Json, field: str) -> Iterator[str]:
    """The names in a list of {"name": …}."""
    items = entry.get(field)
    for item in items if isinstance(items, list) else ():
        if isinstance(item, dict) and isinstance(name := item.get("name"), str) and name:
            yield name


def _identifier_of(entry: Json, field: str) -> Any:
    inner = entry.get(field)
    return inner.get("identifier") if isinstance(inner, dict) else None


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10**18


def is_qid(value: Any) -> bool:
    """Whether a value is an item's id, Q42."""
    return isinstance(value, str) and value[:1] == "Q" and value[1:].isascii() and value[1:].isdigit() and value != "Q0"
