"""A page as the extractor reads it, for people: every paragraph with its place and links, and what was left out."""

from collections import Counter
from collections.abc import Iterator

import click

from wikiprep.api.extract import Page
from wikiprep.wikitext.article import Paragraph
from wikiprep.wikitext.templates.template_table import TemplateTable


def pretty(page: Page, table: TemplateTable) -> Iterator[str]:
    """Lines with ANSI colours, which `click.echo` takes out where nobody sees them; mentions stand in [brackets]."""
    yield click.style(f"{page.title or '(no title)'}  ({page.kind})", bold=True)
    if page.redirect is not None:
        redirect = page.redirect
        redirect_target = (
            _format_target(redirect.title, redirect.fragment)
            if redirect.kind == "page"
            else f"no page ({redirect.reason})"
        )
        yield f"redirects to {redirect_target}"
        return
    if page.categories:
        yield f"categories: {', '.join(page.categories)}"
    if page.interlanguage:
        yield f"interlanguage links: {', '.join(f'{lang}:{title}' for lang, title in page.interlanguage)}"
    section: tuple[str, ...] | None = ()
    for paragraph in page.paragraphs:
        yield ""
        if paragraph.section != section:
            section = paragraph.section
            yield click.style("== " + " > ".join(section), bold=True)
        yield from _format_paragraph(paragraph)
    yield ""
    if not page.paragraphs:
        yield "no paragraphs"
    yield _format_links(page.links)
    yield from _format_templates(page.templates, table)
    if page.flags:
        yield f"flags: {', '.join(page.flags)}"


def _format_paragraph(paragraph: Paragraph) -> Iterator[str]:
    name = paragraph.kind + (f" {paragraph.depth}" if paragraph.depth else "")
    out, at = [click.style(f"{name:<13}", dim=True)], 0
    for link in paragraph.links:
        out += (paragraph.text[at : link.start], click.style(f"[{paragraph.text[link.start : link.end]}]", fg="cyan"))
        at = link.end
    yield "".join((*out, paragraph.text[at:]))
    for link in paragraph.links:
        mention = paragraph.text[link.start : link.end]
        yield click.style(f"{'':<13}[{mention}] {link.start}-{link.end} -> ", dim=True) + _format_target(
            link.target, link.fragment
        )


def _format_target(title: str, fragment: str | None) -> str:
    return title if fragment is None else f"{title}#{fragment}"


def _format_links(links: Counter[str]) -> str:
    dropped = [f"{reason} {n}" for reason, n in links.most_common() if n and reason not in ("found", "kept")]
    summary = f"links: {links['found']} found, {links['kept']} kept"
    return f"{summary}; dropped: {', '.join(dropped)}" if dropped else summary


def _format_templates(templates: Counter[tuple[str, str]], table: TemplateTable) -> Iterator[str]:
    for status in ("rendered", "dropped"):
        rows = sorted((-n, name) for (name, call_status), n in templates.items() if call_status == status)
        texts = [_format_template(name, -n, status == "dropped" and table.rule(name) == "unknown") for n, name in rows]
        if texts:
            yield f"templates {status}: {', '.join(texts)}"


def _format_template(name: str, calls: int, unknown: bool) -> str:
    return name + (f" {calls}" if calls > 1 else "") + (" (unknown)" if unknown else "")
