"""An evaluation as a table for people, and as JSON."""

from dataclasses import asdict
from typing import Any

from rich.table import Table

from wikiprep.inference.evaluation.accuracy import EstimatedShare
from wikiprep.inference.evaluation.run import Evaluation
from wikiprep.terminal.console import Terminal
from wikiprep.terminal.wording import plural

SCHEMA = "evaluation/1"
_HEADS = ("\ntargets", "visible\ntop-1", "\ntop-10", "masked\ntop-1", "\ntop-10", "mention\nprior", "most\nfreq.")


def as_json(evaluation: Evaluation) -> dict[str, Any]:
    """All figures; shares are in [0, 1]."""
    return {"schema": SCHEMA, **asdict(evaluation)}


def show(evaluation: Evaluation) -> None:
    """Print it."""
    console = Terminal(markup=False)
    at = "" if evaluation.step is None else f"step {evaluation.step:,}, "
    console.print(
        f"{evaluation.checkpoint}: {at}{plural(evaluation.records, 'held-out record')} of "
        f"{', '.join(evaluation.corpora)} ({evaluation.held_out:g} of the {evaluation.held_out_by}s, "
        f"seed {evaluation.seed})"
    )
    for facts in evaluation.facts:
        console.print(facts.in_words())
    metrics = evaluation.as_trained
    words = [f"MLM loss {metrics['loss.mlm']:.4f}"] if "loss.mlm" in metrics else []
    words += [f"accuracy {_percent(metrics['mlm_top1'])}"] if "mlm_top1" in metrics else []
    words += [f"entity loss {metrics['loss.entity']:.4f}"] if "loss.entity" in metrics else []
    words += [f"entity accuracy {_percent(metrics['entity_top1'])}"] if "entity_top1" in metrics else []
    words += [f"relation loss {metrics['loss.relation']:.4f}"] if "loss.relation" in metrics else []
    words += [f"relation accuracy {_percent(metrics['relation_top1'])}"] if "relation_top1" in metrics else []
    console.print(f"as trained: {', '.join(words)}")
    if evaluation.rows:
        console.print(
            f"{plural(evaluation.masked, 'mention')} masked, {evaluation.unk:,} of them [UNK] and left out; "
            f"training has the name of {_percent(evaluation.rows[0].name_known)} of the others"
        )
        console.print(_entity_table(evaluation))
        console.print(_name_table(evaluation))
    if evaluation.relations:
        console.print(_relation_table(evaluation))


def _entity_table(evaluation: Evaluation) -> Table:
    table = Table(
        title="entities, share of right answers; the mention's words visible or masked",
        title_justify="left",
        padding=(0, 0, 0, 1),
    )
    table.add_column("in\ntraining", no_wrap=True)
    for head in _HEADS:
        table.add_column(head, justify="right", no_wrap=True)
    for row in evaluation.rows:
        shares = (row.visible_top1, row.visible_top10, row.masked_top1, row.masked_top10)
        guesses = (row.mention_prior, row.most_frequent)
        table.add_row(row.band, f"{row.targets:,}", *map(_percent, (*shares, *guesses)))
    return table


def _name_table(evaluation: Evaluation) -> Table:
    """A share in per cent with its standard error below it: 80 columns hold both."""
    title = "by name, per cent; among: of the entities that the name can mean; ±: standard error"
    table = Table(title=title, title_justify="left", padding=(0, 0, 0, 1))
    table.add_column("\n", no_wrap=True)
    heads = ("\ntargets", "can\nmean", "visible\namong", "over\nall", "masked\namong", "over\nall")
    for head in (*heads, "\nprior", "or by\ntitle"):
        table.add_column(head, justify="right", no_wrap=True)
    for row in evaluation.names:
        shares = (row.candidates, row.visible_among, row.visible_top1, row.masked_among, row.masked_top1)
        cells = map(_with_error, (*shares, row.mention_prior, row.prior_or_title))
        table.add_row(row.kind, f"{row.targets:,}", *cells)
    return table


def _relation_table(evaluation: Evaluation) -> Table:
    title = "relations of pairs, share of right answers; the whole sentence visible"
    table = Table(title=title, title_justify="left")
    table.add_column("in training with\na relation", no_wrap=True)
    for head in ("\ntargets", "\ntop-1", "\ntop-10", "pair\nprior", "most\nfreq."):
        table.add_column(head, justify="right", no_wrap=True)
    for row in evaluation.relations:
        shares = (row.top1, row.top10, row.pair_prior, row.most_frequent)
        table.add_row(row.known, f"{row.targets:,}", *map(_percent, shares))
    return table


def _with_error(share: EstimatedShare | None) -> str:
    if share is None:
        return "-"
    return f"{100 * share.value:.1f}" + ("" if share.error is None else f"\n±{100 * share.error:.1f}")


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f}%"
