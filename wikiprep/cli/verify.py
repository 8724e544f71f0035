"""`wikiprep verify`: checksums, sums and pointers of a corpus; exit code 1 and the reasons if something is off."""

import sys

import click

from wikiprep.verbosity import Verbosity, verbosity


@click.command("verify")
@click.argument("corpus", type=click.Path())
def command(corpus: str) -> None:
    """Check every file of CORPUS against its manifest, count everything again, and look for rows that point nowhere."""
    from wikiprep.checks import check_corpus
    from wikiprep.files import Store
    from wikiprep.manifest import read_manifest

    store = Store(corpus)
    manifest = read_manifest(store)
    problems = 0
    for problem in check_corpus(store, manifest):
        click.echo(problem)
        problems += 1
    if problems:
        click.echo(
            f"wikiprep: {corpus}: not in order ({problems} problem{'s' if problems > 1 else ''})\n"
            "  take a whole copy; or delete the damaged files and give the build's command again: it makes them",
            err=True,
        )
        sys.exit(1)
    if verbosity() is Verbosity.QUIET:  # the exit code says it
        return
    files = manifest["files"]
    click.echo(f"{corpus}: {len(files)} files, {sum(f['size'] for f in files):,} bytes, all as the manifest says")
