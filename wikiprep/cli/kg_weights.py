"""`wikiprep kg-weights`: which words informed masking prefers."""

from typing import TYPE_CHECKING

import click

from wikiprep.cli.output_types import ARROW

if TYPE_CHECKING:
    from wikiprep.pretrain.luke.word_weights import WeightedWords


@click.command("kg-weights")
@click.argument("corpus", type=click.Path())
@click.option("--output", "-o", required=True, type=ARROW, help="File for objective.word_weights (.arrow).")
@click.option("--wordnet", type=click.Path(), help="Folder of WordNet 3.0. [where it is installed]")
@click.option("--pointers", help="Kinds that count, by WordNet's signs: '@ ~ #m %m #p %p &'. [all]")
@click.option("--sum", "total", is_flag=True, help="Neighbours of all senses of a word. [their mean over its senses]")
@click.option("--exponent", type=float, default=0.5, help="Of (1 + neighbours). [0.5]")
@click.option(
    "--unknown", type=click.FloatRange(0), help="Weight of words WordNet lacks. [the mean of the others, by frequency]"
)
@click.option("--records", type=click.IntRange(1), help="Look at so many records only, spread over the corpus. [all]")
def command(
    corpus: str,
    output: str,
    wordnet: str | None,
    pointers: str | None,
    total: bool,
    exponent: float,
    unknown: float | None,
    records: int | None,
) -> None:
    """Weigh the words of CORPUS by how many neighbours they have in WordNet.

    A run of pretrain with objective.word_weights = FILE masks words with many neighbours more often (with an exponent
    under 0: less often), and as many tokens as without.
    """
    from pathlib import Path

    from wikiprep.corpus.tokenizers import load_tokenizer
    from wikiprep.errors import UsageError
    from wikiprep.files import Store
    from wikiprep.knowledge.wordnet import open_wordnet
    from wikiprep.pretrain.luke.word_table import SUFFIX, tokenizer_digest
    from wikiprep.pretrain.luke.word_weights import weigh, write_weights
    from wikiprep.pretrain.luke.words import words_of
    from wikiprep.records.reader import RecordReader
    from wikiprep.records.training_corpus import TOKENIZER, open_corpus

    if not output.endswith(SUFFIX):
        raise UsageError(f"--output {output}", f"pretrain knows such a file by its name: call it {output}{SUFFIX}")
    reader = RecordReader(open_corpus(corpus, 0))
    net = open_wordnet(wordnet)
    path = Path(Store(corpus).fetch(TOKENIZER))
    tokenizer = load_tokenizer(path)
    step = max(1, len(reader) // records) if records else 1
    numbers = range(0, len(reader), step)[:records]
    weights = weigh(
        map(reader.read, numbers),
        words_of(tokenizer, str(path)),
        tokenizer,
        net,
        symbols=pointers.split() if pointers is not None else None,
        total=total,
        exponent=exponent,
        unknown=unknown,
    )
    write_weights(weights, tokenizer_digest(path), Path(output))
    _show_weights(output, weights)


def _show_weights(output: str, weighted_words: "WeightedWords") -> None:
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
