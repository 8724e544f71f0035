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
from wikiprep.dump.title_rules import Target
from wikiprep.errors import UsageError
from wikiprep.languages.language import redirect_target
from wikiprep.languages.language_codes import require_language
from wikiprep.wikitext.extract import extract as extract_text
from wikiprep.wikitext.templates.own_table import OwnTable
from wikiprep.wikitext.templates.template_table import read_own_table
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
    given_options = {name: value for name, value in options.items() if value is not None}
    text_config = apply(Config(), {"extract": given_options}).extract
    try:
        time = time_of(timestamp)
    except ValueError as error:
        raise UsageError(f"timestamp {error}", "leave it out where the time is not known") from error
    own_table = template_table
    if own_table is not None and not isinstance(own_table, OwnTable):
        own_table = read_own_table(os.fspath(own_table))
    site = site_of(language, project)
    if text_config.variant is not None:
        text_config = replace(text_config, variant=require_variant(site.language.code, text_config.variant))
    parsed_title = site.titles.parse(title)
    title = parsed_title.title if parsed_title.kind == "page" and parsed_title.title else title
    page = Page(None, None, time or None, title)
    redirect_title = redirect_target(wikitext, site.language)
    if redirect_title:
        page.kind, page.redirect = "redirect", site.titles.parse(redirect_title)
        return page
    article = extract_text(wikitext, title, site, text_config, own_templates=own_table, timestamp=time)
    page.kind = "disambiguation" if article.disambiguation else "article"
    page.categories, page.interlanguage = article.categories, article.interlanguage
    page.flags, page.paragraphs = article.flags, article.paragraphs
    page.links, page.templates = article.links, article.templates
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
        redirect = page.redirect
        data["redirect"] = {"target": redirect.title, "fragment": redirect.fragment, "problem": _problem(redirect)}
    return orjson.dumps(data)


def _problem(redirect: Target) -> str | None:
    """Why a redirect leads to no page of the wiki; None if it does."""
    return None if redirect.kind == "page" else redirect.reason or redirect.kind
