"""`wikiprep finetune`: train an encoder on a task, and score it beside what was published."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wikiprep.cli.completion_values import finetune_configs, names_or_files, tasks
from wikiprep.cli.model_options import titles_from_option
from wikiprep.cli.output_types import FOLDER
from wikiprep.extra_packages import needs_torch
from wikiprep.tasks.task_names import ABLATIONS, tasks_in_words

if TYPE_CHECKING:
    from wikiprep.tasks.results import Outcome

HELP = f"""Fine-tune an encoder on TASK and score it.

TASK is {tasks_in_words()}, or a .py file of yours. The same command goes on where a run was cut off. On several GPUs:
torchrun --nproc-per-node 8 -m wikiprep finetune TASK …
"""


@click.command("finetune", help=HELP)
@click.argument("task", shell_complete=names_or_files(tasks))
@click.option("--model", required=True, help="Encoder to start from: a run, a checkpoint, or a Hugging Face folder.")
@click.option(
    "--data", required=True, type=click.Path(), help="Folder of the data set, in the form it is published in."
)
@click.option("--output", "-o", required=True, type=FOLDER, help="Folder of the run.")
@click.option(
    "--config",
    default="",
    shell_complete=names_or_files(finetune_configs),
    help="A shipped configuration or a TOML file; left out: the task's own.",
)
@click.option("--set", "settings", multiple=True, help="An option over the configuration's: stages.epochs=3.")
@click.option(
    "--ablation",
    "ablations",
    multiple=True,
    type=click.Choice(list(ABLATIONS)),
    help="As in the papers' tables: words alone, one query matrix, or pairs without attention among spans.",
)
@titles_from_option
@click.option(
    "--knowledge",
    type=click.Path(file_okay=False),
    default="",
    help="Vectors of a knowledge graph (`wikiprep kg-embed`): layers that attend to them stand before the head.",
)
@click.option("--seed", "seed", type=click.IntRange(0), help="Seed of the run, or of the first of several.")
@click.option("--seeds", "count", type=click.IntRange(1), default=1, show_default=True, help="Runs, a seed each.")
@click.option("--grid", is_flag=True, help="Try the configuration's [grid] on the development set, keep the best.")
@click.option("--overwrite", is_flag=True, help="Begin anew whatever run is there.")
@click.option("--quiet", "-q", is_flag=True, help="Nothing on the terminal but the result and what must be read.")
def command(
    task: str,
    model: str,
    data: str,
    output: str,
    config: str,
    settings: tuple[str, ...],
    ablations: tuple[str, ...],
    titles_from: str | None,
    knowledge: str,
    seed: int | None,
    count: int,
    grid: bool,
    overwrite: bool,
    quiet: bool,
) -> None:
    """Does what HELP says."""
    with needs_torch():
        from wikiprep.tasks.finetune.run import FinetuneCommand, finetune

    options = FinetuneCommand(
        task=task,
        data=data,
        model=model,
        output=output,
        config=config,
        settings=settings,
        ablations=ablations,
        seed=seed,
        count=count,
        grid=grid,
        overwrite=overwrite,
        quiet=quiet,
        titles_from=titles_from,
        knowledge=knowledge,
    )
    _show_outcomes(finetune(options))


def _show_outcomes(outcomes: Sequence["Outcome"]) -> None:
    """The Markdown table that the runs left, and the folder of each; nothing where there are none (a further rank)."""
    from wikiprep.tasks.results import TABLE

    if not outcomes:
        return
    first = Path(outcomes[0].folder)
    top = first if len(outcomes) == 1 else first.parent
    click.echo((top / TABLE).read_text(encoding="utf-8"), nl=False)
    for outcome in outcomes:
        click.echo(f"seed {outcome.seed}: {outcome.folder} (epoch {outcome.epoch:.3g}, {outcome.seconds:,.0f} s)")
