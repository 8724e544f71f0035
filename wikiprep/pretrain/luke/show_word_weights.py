"""What `kg-weights` prints."""

import click

from wikiprep.pretrain.luke.word_weights import WeightedWords


def show_weights(output: str, found: WeightedWords) -> None:
    """How much of the corpus has a weight by WordNet, and the words at both ends."""
    words = sum(found.counts.values())
    shares = ", ".join(f"{count / words:.1%} {kind}" for kind, count in found.counts.items())
    click.echo(f"{output}: {len(found.table):,} words with a weight of their own, from {found.records:,} records")
    click.echo(f"  of {words:,} words {shares}; these two have the weight {found.weight:.3g}")
    order = found.table.sort_by([("weight", "descending"), ("count", "descending")])
    for title, rows in (("highest", order[:10]), ("lowest", order[-10:])):
        entries = (f"{row['word']} {row['weight']:.3g}" for row in rows.to_pylist())
        click.echo(f"  {title:8} {', '.join(entries)}")
