"""What `kg-weights` prints."""

import click

from wikiprep.pretrain.luke.word_weights import WeightedWords


def show_weights(output: str, weighted_words: WeightedWords) -> None:
    """How much of the corpus has a weight by WordNet, and the words at both ends."""
    words = sum(weighted_words.counts.values())
    shares = ", ".join(f"{count / words:.1%} {kind}" for kind, count in weighted_words.counts.items())
    click.echo(
        f"{output}: {len(weighted_words.table):,} words with a weight of their own, "
        f"from {weighted_words.records:,} records"
    )
    click.echo(f"  of {words:,} words {shares}; these two have the weight {weighted_words.weight:.3g}")
    order = weighted_words.table.sort_by([("weight", "descending"), ("count", "descending")])
    for title, rows in (("highest", order[:10]), ("lowest", order[-10:])):
        entries = (f"{row['word']} {row['weight']:.3g}" for row in rows.to_pylist())
        click.echo(f"  {title:8} {', '.join(entries)}")
