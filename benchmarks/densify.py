"""What --densify costs: CPU of making records of a corpus with it against without, in one run, in turns.

    python benchmarks/densify.py CORPUS

CORPUS: a build with --mentions. Prints seconds of CPU, characters a second, and the ratio of the medians; what both
ways share outside the record builder (reading articles, writing shards) is left out, so a build's ratio is lower.
"""

import statistics
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from wikiprep.config import RecordsConfig
from wikiprep.corpus.article_arrays import COLUMNS, slices
from wikiprep.corpus.articles import read_articles
from wikiprep.corpus.builder import SLICE_BYTES, RecordBuilder
from wikiprep.corpus.tokenizers import load_tokenizer
from wikiprep.files import Store
from wikiprep.stages.records_part import open_densifier
from wikiprep.tables.mentions.link_targets import Rules
from wikiprep.tables.resolver import open_resolver

ROUNDS = 5


def main(corpus: str) -> None:
    """Print the comparison."""
    store = Store(corpus)
    batches = [
        piece
        for path in store.list("articles")
        for batch in read_articles(store.fetch(path), [*COLUMNS, "kind"])
        for piece in slices(batch.filter(pc.equal(batch["kind"], "article")), SLICE_BYTES)
    ]
    characters = sum(_characters(batch) for batch in batches)
    tokenizer, resolver = load_tokenizer(str(Path(corpus) / "tokenizer")), open_resolver(store)
    builders = {
        name: RecordBuilder(tokenizer, "en", RecordsConfig(), resolver.entity_id, densifier)
        for name, densifier in (("without", None), ("with", open_densifier(store, Rules(missing=True))))
    }
    seconds: dict[str, list[float]] = {name: [] for name in builders}
    for _ in range(ROUNDS + 1):
        for name, builder in builders.items():
            start = time.process_time()
            for batch in batches:
                builder.build(batch)
            seconds[name].append(time.process_time() - start)
    medians = {name: statistics.median(times[1:]) for name, times in seconds.items()}  # the first round fills the memo
    for name, median in medians.items():
        print(f"{name} --densify: {median:.2f} s of CPU, {characters / median / 1e6:.1f} M characters a second")
    counts = builders["with"].counts
    added = (counts["added.densified"] + counts["added.subject"]) // (ROUNDS + 1)
    links = (counts["links.entity"] + counts["links.unk"]) // (ROUNDS + 1)
    print(f"{added:,} spans beside {links:,} links; ratio {medians['with'] / medians['without']:.2f}")


def _characters(batch: pa.RecordBatch) -> int:
    texts = pc.struct_field(batch["paragraphs"].flatten(), "text")
    count: int = pc.sum(pc.utf8_length(texts)).as_py()
    return count


if __name__ == "__main__":
    main(sys.argv[1])
