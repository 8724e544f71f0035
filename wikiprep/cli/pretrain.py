"""`wikiprep pretrain`: train a model on the records of corpora; the same under torchrun on several GPUs."""

import click

from wikiprep.cli.completion_values import names_or_files, pretrain_configs
from wikiprep.cli.output_types import FOLDER
from wikiprep.extra_packages import needs_torch


@click.command("pretrain")
@click.option("--corpus", "corpora", multiple=True, required=True, help="Folder of a corpus; several are mixed.")
@click.option(
    "--config",
    required=True,
    shell_complete=names_or_files(pretrain_configs),
    help="tiny, tiny-wiki, luke-base, luke-large, luke-large-paper, roberta-mlm, roberta-mlm-large, luke-entity-aware, "
    "luke-informed, luke-informed-words, luke-informed-entities, spot-tiny, spot-base, spot-large, or a TOML file.",
)
@click.option("--output", "-o", required=True, type=FOLDER, help="Folder of the run.")
@click.option("--set", "settings", multiple=True, help="An option over the configuration's: data.global_batch=256.")
@click.option("--max-steps", type=click.IntRange(0), help="End after so many steps in all; the schedule stays.")
@click.option("--skip-records", multiple=True, help="Leave out N records from here on, or POSITION:N. Never twice.")
@click.option("--overwrite", is_flag=True, help="Begin anew whatever run is there.")
@click.option("--quiet", "-q", is_flag=True, help="Nothing on the terminal but what must be read.")
def command(
    corpora: tuple[str, ...],
    config: str,
    output: str,
    settings: tuple[str, ...],
    max_steps: int | None,
    skip_records: tuple[str, ...],
    overwrite: bool,
    quiet: bool,
) -> None:
    """Train a model on the records of CORPUS.

    The same command goes on where a run was cut off, on any number of ranks. On several GPUs:
    torchrun --nproc-per-node 8 -m wikiprep.pretrain --corpus CORPUS --config luke-base --output RUN
    """
    with needs_torch():
        from wikiprep.pretrain.start_training import Command, pretrain

    pretrain(
        Command(
            corpora=corpora,
            config=config,
            output=output,
            settings=settings,
            max_steps=max_steps,
            skip_records=skip_records,
            overwrite=overwrite,
            quiet=quiet,
        )
    )
