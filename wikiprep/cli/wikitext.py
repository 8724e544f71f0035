"""`wikiprep wikitext`: what the extractor makes of a piece of wikitext, for whoever tries a page or reports a fault."""

from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import click

from wikiprep.cli.options import content_options, sections_of
from wikiprep.errors import UsageError, WikiprepError

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikiprep.api.pages_in import PageIn


@click.command("wikitext")
@click.argument("file", default="-", type=click.Path())
@click.option("--lang", default="en", help="Language code of the wiki: its namespaces, link trails, templates. [en]")
@click.option(
    "--project", default="wikipedia", help="Whose page it is: wikipedia, wiktionary, wikivoyage, fandom … [wikipedia]"
)
@click.option("--title", help="Title of the page. [the file's name, none for standard input]")
@content_options("extract", without=("max_page_mb", "template_table"))
@click.option("--timestamp", help="Time of the revision, which {{CURRENTYEAR}} shows (2026-11-02T10:00:00Z). [none]")
@click.option("--template-table", type=click.Path(), help="Your own table of templates (wikiprep docs templates).")
@click.option("--jsonl", is_flag=True, help="FILE holds JSON lines, as its name says where it ends in .jsonl.")
@click.option("--pretty", is_flag=True, help="For people: paragraphs, links, and what was left out.")
@click.option("--compare", is_flag=True, help="Where mwparserfromhell reads text and links differently, and why.")
def command(
    file: str,
    lang: str,
    project: str,
    title: str | None,
    timestamp: str | None,
    template_table: str | None,
    jsonl: bool,
    pretty: bool,
    compare: bool,
    **parameters: Any,
) -> None:
    """Print what the extractor makes of the wikitext in FILE (standard input by default or for "-").

    The output is one article row as JSON, with the columns of articles/. With JSON lines {"title", "text", "lang"} in
    (a name that ends in .jsonl or .ndjson, or --jsonl) it is one row a line, as the lines come; "title" and "lang" may
    be left out, "timestamp" may be given.
    """
    from wikiprep.api.extract import extract, page_json, site_of
    from wikiprep.api.pages_in import holds_lines, read_pages, time_of
    from wikiprep.applications.pretty import pretty as pretty_lines
    from wikiprep.cli.output import utf8_output
    from wikiprep.languages.language_codes import require_language
    from wikiprep.wikitext.templates.template_table import load_table, read_own_table

    extract_options = sections_of(parameters).get("extract", {})
    lines = jsonl or holds_lines(file)
    if lines and title is not None:
        raise UsageError("--title is for one page", 'give "title" in each line')
    own_table = read_own_table(template_table) if template_table else None
    lang = require_language(lang)
    site_of(lang, project)  # a project that is none is told before anything is read
    try:
        time = time_of(timestamp or "")
    except ValueError as error:
        raise UsageError(f"--timestamp {error}", "leave it out where the time is not known") from error

    def extract_page(page: "PageIn", code: str) -> str | bytes:
        extracted_page = extract(
            page.text,
            language=code,
            project=project,
            title=page.title,
            template_table=own_table,
            timestamp=page.timestamp or time,
            **extract_options,
        )
        if pretty:
            return "\n".join(pretty_lines(extracted_page, load_table(site_of(code).language.code, own_table, project)))
        return page_json(extracted_page)

    format_page = _comparer(project, as_json=lines and not pretty) if compare else extract_page
    utf8_output()
    for number, page in enumerate(read_pages(file) if lines else [_read_single_page(file, title)]):
        output = format_page(page, _language_of(page) if page.language else lang)
        click.echo("\n" + output if number and isinstance(output, str) else output)


def _comparer(project: str, as_json: bool) -> "Callable[[PageIn, str], str | bytes]":
    from wikiprep.api.extract import extract, site_of
    from wikiprep.extra_packages import needs_extra

    with needs_extra("compare", "mwparserfromhell"):
        from wikiprep.applications.comparison import comparison_json, comparison_lines
        from wikiprep.wikitext.why_different import Comparison

    comparisons: dict[str, Comparison] = {}  # by wiki

    def compare_page(page: "PageIn", code: str) -> str | bytes:
        extracted_page = extract(page.text, language=code, project=project, title=page.title, templates="drop")
        site = site_of(code, project)
        wiki = site.siteinfo.dbname
        if wiki not in comparisons:
            comparisons[wiki] = Comparison(site)
        differences = [] if extracted_page.redirect else comparisons[wiki].of(page.text, extracted_page.title)
        return (
            comparison_json(extracted_page.title, differences)
            if as_json
            else "\n".join(comparison_lines(extracted_page.title, differences))
        )

    return compare_page


def _read_single_page(file: str, title: str | None) -> "PageIn":
    from wikiprep.api.pages_in import STDIN, PageIn, read_one
    from wikiprep.terminal.streams import standard_input

    if file == STDIN and standard_input().isatty():
        click.echo("wikitext, then Ctrl-D:", err=True)
    if title is None:
        title = "" if file == STDIN else PurePath(file).stem
    return PageIn(title.encode("utf-8", "replace").decode(), read_one(file), "", file)


def _language_of(page: "PageIn") -> str:
    from wikiprep.languages.language_codes import require_language

    try:
        return require_language(page.language)
    except UsageError as error:
        raise WikiprepError(f"{page.place}: {error.what}", error.hint) from error
