"""One piece of wikitext to an article row, without a dump: for trying a page, and for use as a library."""

from dataclasses import dataclass
from typing import Any

import orjson

from wikiprep.corpus.articles import ArticleRow
from wikiprep.dump.site import Site
from wikiprep.dump.titles import Target
from wikiprep.languages.redirects import redirect_target
from wikiprep.wikitext.article import Extraction
from wikiprep.wikitext.extract import extract
from wikiprep.wikitext.policies import LinkNumberPolicy, MathPolicy, TemplatePolicy
from wikiprep.wikitext.templates.own_table import OwnTable


@dataclass(frozen=True, slots=True)
class OnePage:
    """A page as the extractor reads it. `redirect` is where a redirect leads; its row has no paragraphs then."""

    row: ArticleRow
    extraction: Extraction
    redirect: Target | None = None


def read_page(
    text: str,
    title: str,
    site: Site,
    *,
    captions: bool = False,
    math: MathPolicy = "drop",
    templates: TemplatePolicy = "render",
    own_templates: OwnTable | None = None,
    link_numbers: LinkNumberPolicy = "keep",
    timestamp: str = "",
) -> OnePage:
    """The article that a build would make of `text`, page id and revision aside. Never raises on any text.

    `row.kind` is "article", "disambiguation" or "redirect"; the options are those of `extract`. Keep one `site`
    (`Site.for_language("de")`, or `Site.of` a dump's header) for many pages: what it costs to start is kept with it.
    """
    parsed = site.titles.parse(title)
    title = parsed.title if parsed.kind == "page" and parsed.title else title
    row = ArticleRow(None, None, timestamp or None, title)
    written = redirect_target(text, site.language)
    if written:
        row.kind = "redirect"
        return OnePage(row, Extraction(), site.titles.parse(written))
    found = extract(
        text,
        title,
        site,
        captions=captions,
        math=math,
        templates=templates,
        own_templates=own_templates,
        link_numbers=link_numbers,
        timestamp=timestamp,
    )
    row.kind = "disambiguation" if found.disambiguation else "article"
    row.categories, row.interlanguage = found.categories, found.interlanguage
    row.flags, row.paragraphs = found.flags, found.paragraphs
    return OnePage(row, found)


def page_json(page: OnePage) -> bytes:
    """The columns of `article_schema()` as one line of JSON; a redirect has `redirect` besides."""
    row = page.row
    data: dict[str, Any] = {
        "page_id": row.page_id,
        "revision_id": row.revision_id,
        "timestamp": row.timestamp,
        "title": row.title,
        "qid": row.qid,
        "kind": row.kind,
        "categories": row.categories,
        "interlanguage": [{"lang": lang, "title": title} for lang, title in row.interlanguage],
        "flags": row.flags,
        "paragraphs": list(row.paragraphs),  # orjson writes dataclasses by their fields, which are the columns
    }
    if page.redirect is not None:
        leads = page.redirect
        data["redirect"] = {"target": leads.title, "fragment": leads.fragment, "problem": _problem(leads)}
    return orjson.dumps(data)


def _problem(leads: Target) -> str | None:
    """Why a redirect leads to no page of the wiki; None if it does."""
    return None if leads.kind == "page" else leads.reason or leads.kind
