"""What `wikiprep finetune` prints at its end: the table beside the published rows, and where the files are."""

from collections.abc import Sequence
from pathlib import Path

import click

from wikiprep.tasks.results import TABLE, Outcome


def show_outcomes(outcomes: Sequence[Outcome]) -> None:
    """The Markdown table that the runs left, and the folder of each; nothing where there are none (a further rank)."""
    if not outcomes:
        return
    first = Path(outcomes[0].folder)
    top = first if len(outcomes) == 1 else first.parent
    click.echo((top / TABLE).read_text(encoding="utf-8"), nl=False)
    for outcome in outcomes:
        click.echo(f"seed {outcome.seed}: {outcome.folder} (epoch {outcome.epoch:.3g}, {outcome.seconds:,.0f} s)")
