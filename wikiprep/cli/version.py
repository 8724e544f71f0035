"""`wikiprep version`: the environment as a table."""

import click


@click.command("version")
def command() -> None:
    """Print versions and the environment, for a bug report."""
    from wikiprep.versions import environment

    table = environment()
    width = max(map(len, table))
    for name, value in table.items():
        click.echo(f"{name:<{width}}  {value}")
