"""`wikiprep version`: the environment as a table."""

import click
import orjson


@click.command("version")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of a table.")
def command(as_json: bool) -> None:
    """Print versions and the environment, for a bug report."""
    from wikiprep.runtime.run_log import environment

    table = environment()
    if as_json:
        click.echo(orjson.dumps(table, option=orjson.OPT_INDENT_2))
        return
    width = max(map(len, table))
    for name, value in table.items():
        click.echo(f"{name:<{width}}  {value}")
