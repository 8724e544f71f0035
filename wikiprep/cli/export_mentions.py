"""`wikiprep export-mentions`: the mention table for other people's tools."""

from pathlib import PurePath

import click

from wikiprep.cli.output_types import FILE_OR_STREAM, STREAM, wrong_suffix
from wikiprep.errors import UsageError

_FORMS = {"rel": (".db", ".sqlite", ".sqlite3"), "tsv": (".tsv",)}


@click.command("export-mentions")
@click.argument("corpus", type=click.Path())
@click.option(
    "--format",
    "form",
    type=click.Choice(list(_FORMS)),
    help="rel: the SQLite table that REL looks names up in. tsv: lines with a header, columns as in wikipedia2vec. "
    "[by the file's name: .db, .tsv]",
)
@click.option(
    "--output", "-o", "target", required=True, type=FILE_OR_STREAM, help='File to write; tsv: "-" for standard output.'
)
@click.option("-k", "most", type=click.IntRange(1), help="Pages of a name at most. [100 for rel, all for tsv]")
@click.option(
    "--min-link-probability",
    type=click.FloatRange(0, 1),
    default=0.0,
    help="Names below it are left out. [0]",
)
def command(corpus: str, form: str | None, target: str, most: int | None, min_link_probability: float) -> None:
    """Write which pages each name of CORPUS can mean, with counts, for another tool.

    The page whose title the name is stays among its pages, marked, whatever its counts.
    """
    from wikiprep.applications.mentions import export_mentions

    export_mentions(corpus, _form(form, target), target, most, min_link_probability)


def _form(option: str | None, target: str) -> str:
    """The form of --format, else that of the file's suffix. Raises UsageError where the suffix is of another form."""
    form_by_suffix = {suffix: form for form, suffixes in _FORMS.items() for suffix in suffixes}
    suffix_form = "tsv" if target == STREAM else form_by_suffix.get(PurePath(target).suffix.lower())
    if option is None and suffix_form is None:
        suffixes = ", ".join(form_by_suffix)
        raise UsageError(
            f"{target}: its name says no form", f"end it in one of {suffixes}, or give --format rel or tsv"
        )
    form = option or str(suffix_form)
    if target == STREAM and form != "tsv":
        raise UsageError(f"--format {form} and {target}: lines go to standard output", f"call it NAME{_FORMS[form][0]}")
    if target != STREAM and (wrong := wrong_suffix(target, _FORMS[form])):
        raise UsageError(f"--format {form} and {target}: {wrong[0]}", f"call it {wrong[1]}")
    return form
