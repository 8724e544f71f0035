"""`wikiprep results`: a table over runs of finetune, beside the published rows."""

import click


@click.command("results")
@click.argument("runs", metavar="RUN [RUN …]", nargs=-1, required=True, type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="One JSON object with every figure, instead of Markdown.")
@click.option("--every-figure", is_flag=True, help="All figures of a task, not only those it is compared by.")
def command(runs: tuple[str, ...], as_json: bool, every_figure: bool) -> None:
    """Print a Markdown table of RUNs of finetune: encoder, setting, seeds, dev and test, below the published rows.

    A RUN is the folder of a run that has ended, or of several seeds. Runs that differ in nothing but their seed are one
    row, with mean and standard deviation. The setting says how a run takes part in the paper's ablations: words alone,
    original attention or entity-aware attention. Torch is not needed.
    """
    import orjson

    from wikiprep.tasks import results_of_runs
    from wikiprep.tasks.results_of_runs import group_runs, read_runs

    rows = group_runs(read_runs(runs))
    if as_json:
        data = orjson.dumps(results_of_runs.as_json(rows), option=orjson.OPT_INDENT_2)
        click.echo(data.decode())
    else:
        click.echo(results_of_runs.tables(rows, every_figure=every_figure), nl=False)
