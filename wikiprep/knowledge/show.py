"""What the commands on knowledge print."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import orjson

from wikiprep.knowledge.graph import TRAIN, Graph
from wikiprep.knowledge.neighbours import L1, Neighbours
from wikiprep.knowledge.word_weights import Weighted

if TYPE_CHECKING:
    from wikiprep.tasks.finetune.knowledge.look import Looked  # which imports torch


def show_embedded(output: str | Path, graph: Graph, metrics: dict[str, Any], *, done: bool) -> None:
    """The graph as it was read, and the figures."""
    click.echo(
        f"{output}: {len(graph.entities):,} entities, {len(graph.relations):,} relations; read as {graph.layout}"
    )
    for part, triples in graph.parts.items():
        left = ", ".join(f"{count:,} {reason}" for reason, count in sorted(graph.dropped[part].items()))
        shown = f"  {part:6}{len(triples):>10,} triples of {graph.read[part]:,}" + (
            f"; left out: {left}" if left else ""
        )
        easy = metrics.get(part, {}).get("in_train_either_way")
        click.echo(shown + (f"; {easy:,} join entities that train joins too" if part != TRAIN and easy else ""))
    for part, found in metrics.items():
        if "mrr" in found:
            hits = ", ".join(f"{found[f'hits@{k}']:.4f} at {k}" for k in (1, 3, 10))
            click.echo(f"  {part:6}filtered MRR {found['mrr']:.4f}; hits {hits}")
    if done:
        click.echo("  all of it was there; nothing was trained")


def show_neighbours(found: Neighbours, *, as_json: bool) -> None:
    """A line an entity; or one JSON object."""
    if as_json:
        listed = [{"name": n.name, "called": n.shown, found.by: n.value, "in_graph": n.in_graph} for n in found.near]
        about = {"word": found.word, "entity": found.name, "called": found.shown, "relation": found.relation}
        click.echo(orjson.dumps(about | {"tail": found.tail, "neighbours": listed}).decode())
        return
    triple = f"(?, {found.relation}, {found.word})" if found.tail else f"({found.word}, {found.relation}, ?)"
    means = "" if found.word == found.name == found.shown else f": {found.name} ({found.shown})"
    click.echo(f"{triple}, {found.word}{means}")
    click.echo(f"{'L1' if found.by == L1 else 'cosine':>8}  {'':12}entity")
    for near in found.near:
        mark = "in the graph" if near.in_graph else "estimated"
        shown = near.name if near.shown == near.name else f"{near.name} ({near.shown})"
        click.echo(f"{near.value:8.3f}  {mark:12}  {shown}")


def show_weights(output: str, found: Weighted) -> None:
    """How much of the corpus has a weight by WordNet, and the words at both ends."""
    words = sum(found.counts.values())
    shares = ", ".join(f"{count / words:.1%} {kind}" for kind, count in found.counts.items())
    click.echo(f"{output}: {len(found.table):,} words with a weight of their own, from {found.records:,} records")
    click.echo(f"  of {words:,} words {shares}; these two have the weight {found.weight:.3g}")
    order = found.table.sort_by([("weight", "descending"), ("count", "descending")])
    for title, rows in (("highest", order[:10]), ("lowest", order[-10:])):
        shown = (f"{row['word']} {row['weight']:.3g}" for row in rows.to_pylist())
        click.echo(f"  {title:8} {', '.join(shown)}")


def show_attention(found: "list[Looked]", *, as_json: bool) -> None:
    """A table a word; or JSON, a line a word."""
    for looked in found:
        if as_json:
            click.echo(orjson.dumps(looked).decode())
            continue
        click.echo(f"{looked.word}: {looked.entity}" if looked.entity else f"{looked.word}: no entity")
        for key in looked.keys:
            mark = "" if not key.relation else "in the graph" if key.in_graph else "estimated"
            relation = f"{key.relation} ({key.way})" if key.relation else "itself"
            entity = f" ({key.entity})" if key.entity not in ("", key.word) else ""
            click.echo(f"{key.weight:8.4f}  {mark:12}  {key.word}{entity}, {relation}")
        click.echo(f"{looked.rest:8.4f}  {'':12}  all others")
