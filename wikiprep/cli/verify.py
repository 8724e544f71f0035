"""`wikiprep verify`: checksums, sums and pointers of a corpus; exit code 1 and the reasons if something is off."""

import sys

import click
import orjson

from wikiprep.verbosity import Verbosity, verbosity


@click.command("verify")
@click.argument("corpus", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="One JSON object with all that was found, instead of lines.")
def command(corpus: str, as_json: bool) -> None:
    """Check every file of CORPUS against its manifest, count everything again, and look for rows that point nowhere."""
    from wikiprep.checks import PARTS, check_corpus
    from wikiprep.files import Store
    from wikiprep.manifest import read_manifest
    from wikiprep.terminal.command_progress import show_progress

    store = Store(corpus)
    manifest = read_manifest(store)
    problems = []
    with show_progress(PARTS) as progress:
        for problem in check_corpus(store, manifest, progress):
            problems.append(problem)
            if not as_json:
                progress.aside()
                click.echo(problem)
    files, size = len(manifest.files), manifest.total_size
    if as_json:
        report = {"corpus": corpus, "files": files, "bytes": size, "problems": problems}
        click.echo(orjson.dumps(report, option=orjson.OPT_INDENT_2).decode())
    if problems:
        click.echo(
            f"wikiprep: {corpus}: not in order ({len(problems)} problem{'s' if len(problems) > 1 else ''})\n"
            "  take a whole copy; or delete the damaged files and give the build's command again: it makes them",
            err=True,
        )
        sys.exit(1)
    if not as_json and verbosity() is not Verbosity.QUIET:  # the exit code says it
        click.echo(f"{corpus}: {files} files, {size:,} bytes, all as the manifest says")
