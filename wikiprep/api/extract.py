"""`wikiprep.extract`: one piece of wikitext to an article, without a dump."""

import os
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Unpack

import orjson

from wikiprep.api.articles import Article
from wikiprep.api.build_options import TextOptions
from wikiprep.api.pages_in import time_of
from wikiprep.config import Config, apply
from wikiprep.dump.site import Site
from wikiprep.dump.siteinfo import PROJECTS
from wikiprep.dump.titles import Target
from wikiprep.errors import UsageError
from wikiprep.languages.known import require_language
from wikiprep.languages.redirects import redirect_target
from wikiprep.wikitext.extract import extract as extract_text
from wikiprep.wikitext.templates.own_table import OwnTable
from wikiprep.wikitext.templates.read_table import read_own_table
from wikiprep.wikitext.variants import require_variant


@dataclass(slots=True)
class Page(Article):
    """A page as the extractor reads it: an article without ids, with an account of what was left out.

    `kind` is "article", "disambiguation" or "redirect"; a redirect has no paragraphs, and `redirect` says where it
    leads: its `title` and `fragment`, or with a `kind` other than "page" why it leads to no page of the wiki. `links`
    counts every [[…]]: "found" is the sum of "kept" and of one count a reason. `templates` counts (name, "rendered" or
    "dropped").
    """

    redirect: Target | None = None
    links: Counter[str] = field(default_factory=Counter)
    templates: Counter[tuple[str, str]] = field(default_factory=Counter)


def extract(
    wikitext: str,
    *,
    language: str = "en",
    project: str = "wikipedia",
    title: str = "",
    template_table: str | os.PathLike[str] | OwnTable | None = None,
    timestamp: str = "",
    **options: Unpack[TextOptions],
) -> Page:
    """The article that a build would make of `wikitext`, ids aside. No text of a page makes it fail::

        page = wikiprep.extract("'''Aa''' ist ein [[Fluss]].", language="de", title="Aa")
        print(page.text, page.paragraphs[0].links)

    Args:
        language: code of the wiki, for the names of namespaces, link trails and templates.
        project: whose page it is, for templates and links: "wiktionary", "wikivoyage", "fandom", …
        title: the page's own: links to it are no links, and {{PAGENAME}} shows it.
        template_table: file with your own table of templates (docs/templates.md).
        timestamp: of the revision, which {{CURRENTYEAR}} shows: 2026-11-02T10:00:00Z.
        options: those of build-corpus for the text of articles (docs/options.md): captions, math ("text", "tex",
            "drop"), templates ("drop": every template shows nothing), link_numbers ("drop"), superscripts ("unicode"),
            variant ("zh-hans").

    Raises:
        WikiprepError: for a language, project, variant, timestamp, option or file that is none, with what would be one.
    """
    given = {name: value for name, value in options.items() if value is not None}
    text = apply(Config(), {"extract": given}).extract
    try:
        time = time_of(timestamp)
    except ValueError as error:
        raise UsageError(f"timestamp {error}", "leave it out where the time is not known") from error
    own = template_table
    if own is not None and not isinstance(own, OwnTable):
        own = read_own_table(os.fspath(own))
    site = site_of(language, project)
    if text.variant is not None:
        text = replace(text, variant=require_variant(site.language.code, text.variant))
    parsed = site.titles.parse(title)
    title = parsed.title if parsed.kind == "page" and parsed.title else title
    page = Page(None, None, time or None, title)
    written = redirect_target(wikitext, site.language)
    if written:
        page.kind, page.redirect = "redirect", site.titles.parse(written)
        return page
    found = extract_text(wikitext, title, site, text, own_templates=own, timestamp=time)
    page.kind = "disambiguation" if found.disambiguation else "article"
    page.categories, page.interlanguage = found.categories, found.interlanguage
    page.flags, page.paragraphs = found.flags, found.paragraphs
    page.links, page.templates = found.links, found.templates
    return page


@cache
def site_of(language: str, project: str = "wikipedia") -> Site:
    """A language's wiki of a project, kept for the next page. Raises UsageError for a code or project that is none."""
    if project not in PROJECTS:
        raise UsageError(f"project = {project!r} is not known", f"it takes {', '.join(PROJECTS)}")
    return Site.for_language(require_language(language), project)


def page_json(page: Page) -> bytes:
    """The columns of `article_schema()` as one line of JSON; a redirect has `redirect` besides."""
    data: dict[str, Any] = {
        "page_id": page.page_id,
        "revision_id": page.revision_id,
        "timestamp": page.timestamp,
        "title": page.title,
        "qid": page.qid,
        "kind": page.kind,
        "categories": page.categories,
        "interlanguage": [{"lang": lang, "title": title} for lang, title in page.interlanguage],
        "flags": page.flags,
        "paragraphs": list(page.paragraphs),  # orjson writes dataclasses by their fields, which are the columns
    }
    if page.redirect is not None:
        leads = page.redirect
        data["redirect"] = {"target": leads.title, "fragment": leads.fragment, "problem": _problem(leads)}
    return orjson.dumps(data)


def _problem(leads: Target) -> str | None:
    """Why a redirect leads to no page of the wiki; None if it does."""
    return None if leads.kind == "page" else leads.reason or leads.kind
