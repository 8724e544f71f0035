"""What the commands on knowledge print."""

from pathlib import Path
from typing import Any

import click
import orjson

from wikiprep.knowledge.graph import TRAIN, Graph
from wikiprep.knowledge.neighbours import L1, Neighbours


def show_embedded(output: str | Path, graph: Graph, metrics: dict[str, Any], *, done: bool) -> None:
    """The graph as it was read, and the figures."""
    click.echo(
        f"{output}: {len(graph.entities):,} entities, {len(graph.relations):,} relations; read as {graph.layout}"
    )
    for part, triples in graph.parts.items():
        dropped = ", ".join(f"{count:,} {reason}" for reason, count in sorted(graph.dropped[part].items()))
        line = f"  {part:6}{len(triples):>10,} triples of {graph.read[part]:,}" + (
            f"; left out: {dropped}" if dropped else ""
        )
        easy = metrics.get(part, {}).get("in_train_either_way")
        click.echo(line + (f"; {easy:,} join entities that train joins too" if part != TRAIN and easy else ""))
    for part, figures in metrics.items():
        if "mrr" in figures:
            hits = ", ".join(f"{figures[f'hits@{k}']:.4f} at {k}" for k in (1, 3, 10))
            click.echo(f"  {part:6}filtered MRR {figures['mrr']:.4f}; hits {hits}")
    if done:
        click.echo("  all of it was there; nothing was trained")


def show_neighbours(result: Neighbours, *, as_json: bool) -> None:
    """A line an entity; or one JSON object."""
    if as_json:
        neighbours = [
            {"name": n.name, "called": n.shown, result.by: n.value, "in_graph": n.in_graph} for n in result.near
        ]
        about = {"word": result.word, "entity": result.name, "called": result.shown, "relation": result.relation}
        click.echo(orjson.dumps(about | {"tail": result.tail, "neighbours": neighbours}).decode())
        return
    triple = f"(?, {result.relation}, {result.word})" if result.tail else f"({result.word}, {result.relation}, ?)"
    means = "" if result.word == result.name == result.shown else f": {result.name} ({result.shown})"
    click.echo(f"{triple}, {result.word}{means}")
    click.echo(f"{'L1' if result.by == L1 else 'cosine':>8}  {'':12}entity")
    for near in result.near:
        mark = "in the graph" if near.in_graph else "estimated"
        text = near.name if near.shown == near.name else f"{near.name} ({near.shown})"
        click.echo(f"{near.value:8.3f}  {mark:12}  {text}")
