"""`wikiprep templates`: which templates a dump uses most, and whether they are rendered or dropped."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from wikiprep.errors import UsageError
from wikiprep.process import usable_cores

if TYPE_CHECKING:
    from wikiprep.applications.template_uses import Use, Uses

_TOP = 50
_COLUMNS = ("name", "uses", "pages", "rendered", "dropped", "status")


@click.command("templates")
@click.argument("dumps", nargs=-1, type=click.Path())
@click.option("--top", type=click.IntRange(0), help=f"Templates shown, 0 for all. [{_TOP}; all with --tsv and --json]")
@click.option("--unhandled", is_flag=True, help="Only those that no table names: what could be added.")
@click.option("--tsv", is_flag=True, help="Tab-separated columns with a header.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--functions", is_flag=True, help="Print the functions that a table can name, and stop.")
@click.option("--template-table", type=click.Path(), help="Your own table of templates (wikiprep docs templates).")
@click.option("--language", help="Language code, where the dump's own is wrong.")
@click.option("--keep-damaged", is_flag=True, help="Leave out damaged ranges of the dump instead of stopping.")
@click.option("--workers", type=click.IntRange(1), help="Worker processes. [number of cores]")
@click.option("--quiet", "-q", is_flag=True, help="No progress.")
def command(
    dumps: tuple[str, ...],
    top: int | None,
    unhandled: bool,
    tsv: bool,
    as_json: bool,
    functions: bool,
    template_table: str | None,
    language: str | None,
    keep_damaged: bool,
    workers: int | None,
    quiet: bool,
) -> None:
    """Count the templates in the documents of DUMPS, most used first.

    DUMPS are files, folders or globs of one dump, or the folder of a finished build, whose counts are shown.

    A template is "rendered" (a table says how), "dropped" (a table says that it carries no text) or "unknown" (dropped
    as well). What stands in footnotes, comments and inside other dropped templates is not counted.
    """
    from wikiprep.cli.output import utf8_output
    from wikiprep.languages.language_codes import require_language
    from wikiprep.wikitext.templates.template_table import read_own_table

    utf8_output()
    if functions:
        click.echo("\n".join(_functions()))
        return
    if not dumps:
        raise UsageError("no dump given", "give a dump (mediawiki_content_current), or the folder of a finished build")
    if tsv and as_json:
        raise UsageError("--tsv and --json exclude each other", "give one of them")
    language = None if language is None else require_language(language)
    own_table = read_own_table(template_table) if template_table else None

    from wikiprep.applications.template_uses import is_build, uses_of_build, uses_of_dump
    from wikiprep.config import RunOptions

    if any(map(is_build, dumps)):
        if len(dumps) > 1:
            raise UsageError("a build and other inputs", "give one build, or one dump")
        uses = uses_of_build(dumps[0], own_table)
    else:
        options = RunOptions(workers=workers or usable_cores(), quiet=quiet)
        uses = uses_of_dump(dumps, language, own_table, keep_damaged, options)
    selected_uses = [use for use in uses.templates if not unhandled or use.status == "unknown"]
    limit = top if top is not None else 0 if tsv or as_json else _TOP
    top_uses = selected_uses[: limit or None]
    if as_json:
        click.echo(_json(uses, top_uses))
        return
    for line in _tsv(top_uses) if tsv else _table(uses, selected_uses, top_uses):
        click.echo(line)


def _row(use: "Use") -> dict[str, str | int]:
    return {name: getattr(use, name) for name in _COLUMNS}


def _json(uses: "Uses", top_uses: list["Use"]) -> bytes:
    import orjson

    rows = [_row(use) for use in top_uses]
    return orjson.dumps({"language": uses.language, "documents": uses.documents, "templates": rows})


def _tsv(top_uses: list["Use"]) -> Iterator[str]:
    yield "\t".join(_COLUMNS)
    for use in top_uses:
        yield "\t".join(str(value) for value in _row(use).values())


def _table(uses: "Uses", selected_uses: list["Use"], top_uses: list["Use"]) -> Iterator[str]:
    calls = dict.fromkeys(("rendered", "dropped", "unknown", "no name"), 0)
    names = dict(calls)
    for use in uses.templates:
        names[use.status] += 1
        calls[use.status] += use.uses
    yield f"{uses.documents:,} documents of language {uses.language}, {sum(names.values()):,} templates"
    for status, n in names.items():
        if n:
            yield f"  {status:<9}{n:>9,} templates, {calls[status]:>11,} uses"
    if top_uses:
        yield ""
        yield f"{'uses':>11}{'pages':>11}  {'status':<10}name"
    for use in top_uses:
        remark = f"  ({use.dropped:,} gave no text)" if use.status == "rendered" and use.dropped else ""
        yield f"{use.uses:>11,}{use.pages:>11,}  {use.status:<10}{use.name}{remark}"
    if len(top_uses) < len(selected_uses):
        yield f"{'…':>11}{'':>11}  {len(selected_uses) - len(top_uses):,} more (--top 0 shows all)"
    example = next((use.name for use in selected_uses if use.status == "unknown"), None)
    if example is not None:
        yield ""
        yield "To render one, give a file with a line for it, --template-table FILE. Its first argument, or nothing:"
        yield f"  {example} = {{1}}"
        yield f"  {example} = @drop"
        yield "`wikiprep docs templates` has the format."


def _functions() -> Iterator[str]:
    from wikiprep.wikitext.templates.functions import FUNCTIONS

    docs = {name: function.__doc__ or "" for name, function in FUNCTIONS.items()}
    docs["drop"] = "Nothing: the template carries no text."
    for name in sorted(docs):
        first = docs[name].strip().partition("\n")[0]
        yield f"@{name:<15} {first}"
