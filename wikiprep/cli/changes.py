"""`wikiprep changes`: which entities a newer build added, removed and renamed."""

import click


@click.command("changes")
@click.argument("old", type=click.Path())
@click.argument("new", type=click.Path())
@click.option(
    "--top", type=click.IntRange(0), default=20, help="Entities of each kind, most linked first; 0: all. [20]"
)
@click.option("--json", "as_json", is_flag=True, help="All of them, as one JSON object.")
def command(old: str, new: str, top: int, as_json: bool) -> None:
    """Compare the entity vocabularies of two builds, OLD and NEW, such as of two months' dumps."""
    from wikiprep.applications.vocabularies import show_changes

    show_changes(old, new, top, as_json)
