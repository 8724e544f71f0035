"""Peak memory and time of the table commits on generated tables: does each stay under 6 GB at English size?

    python benchmarks/tables_memory.py --scale 0.1 [--folder /tmp/tables] [--keep] [--limit-gb 6]

Scale 1.0 is the English Wikipedia: 7 M articles, 11 M redirects, 10 M other pages, 180 M links in 700 parts. Each step
runs in a process of its own; the figure is its peak resident memory (VmHWM), mapped files included. The baseline of
the printed ratio is the limit; the exit code is 1 where a step exceeds it.
"""

import argparse
import json
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from wikiprep.config import VocabularyConfig
from wikiprep.corpus.articles import ArticleRow, ArticleWriter
from wikiprep.tables.choose_entities import build_vocabulary
from wikiprep.tables.count_files import CountWriter
from wikiprep.tables.link_counts import count_links
from wikiprep.tables.page_tables import build_pages
from wikiprep.tables.schema import ARTICLE, KINDS, partial_page_schema
from wikiprep.tables.title_lookup import TitleTable
from wikiprep.wikitext.article import Link, Paragraph

ARTICLES, REDIRECTS, OTHERS = 7_000_000, 11_000_000, 10_000_000
LINKS, PARTS, PART_ARTICLES = 180_000_000, 700, 10_000
MISSING_SHARE, MISSING_TITLES = 0.1, 5_000_000  # red links
CYCLE = np.array([0] * 7 + [2] * 11 + [3] * 10, np.int8)  # the kind of page i is CYCLE[i % 28]
SYLLABLES = [c + v for c in "bcdfghklmnprstvwz" for v in ("a", "e", "i", "o", "u", "an", "er", "ó", "ü")]


def words() -> pa.Array:
    """50,000 made-up words of one to four syllables."""
    rng = np.random.default_rng(1)
    lengths = rng.integers(1, 5, 50_000)
    return pa.array(["".join(rng.choice(SYLLABLES, n)) for n in lengths])


def titles(vocabulary: pa.Array, ids: npt.NDArray[np.int64], prefix: str = "") -> pa.Array:
    """A title of three or four words for each number, about 22 bytes; different numbers have different titles."""
    hashed = (ids.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20)
    columns = [vocabulary.take(pa.array((hashed // np.uint64(k)) % np.uint64(50_000))) for k in (1, 50_000)]
    last = [pa.array([f"{i:x}" for i in ids.tolist()])]
    return pc.binary_join_element_wise(prefix, pc.binary_join_element_wise(*columns, *last, " "), "")


def page_titles(vocabulary: pa.Array, ids: npt.NDArray[np.int64]) -> pa.Array:
    """Titles of pages, by CYCLE."""
    other = pa.array(CYCLE[ids % len(CYCLE)] == 3)
    return pc.if_else(other, titles(vocabulary, ids, "Category:"), titles(vocabulary, ids))


def write_pages(folder: Path, scale: float) -> None:
    """Partial page files of 35,000 pages in order of page id, as the extract units leave them."""
    rng = np.random.default_rng(2)
    vocabulary, total = words(), int((ARTICLES + REDIRECTS + OTHERS) * scale)
    schema = partial_page_schema()
    for number, start in enumerate(range(0, total, 35_000)):
        ids = np.arange(start, min(start + 35_000, total), dtype=np.int64)
        kinds = CYCLE[ids % len(CYCLE)]
        names = page_titles(vocabulary, ids)
        # Most redirects lead to an article, some to another redirect, few to another namespace or to no page.
        kind = rng.choice([0, 2, 3], len(ids), p=[0.95, 0.04, 0.01])
        place = np.searchsorted(CYCLE, kind) + rng.integers(0, 7, len(ids))
        targets = page_titles(vocabulary, rng.integers(0, int(total * 1.01) // 28, len(ids)) * 28 + place)
        none = pa.nulls(len(ids), pa.string())
        qids = pc.binary_join_element_wise("Q", pa.array(ids).cast(pa.string()), "")
        columns = [
            pa.array(ids),
            pa.array(ids * 10),
            pa.array(np.where(kinds == 3, 14, 0), pa.int32()),
            names,
            pa.array(KINDS).take(pa.array(kinds)),
            pc.if_else(pa.array(kinds == 2), targets, none),
            none,
            none,
            pc.if_else(pa.array(kinds == ARTICLE), qids, none),
        ]
        with pa.OSFile(str(folder / f"pages-{number:05}.arrow"), "wb") as sink, pa.ipc.new_file(sink, schema) as writer:
            writer.write_batch(pa.RecordBatch.from_arrays(columns, schema=schema))


def write_counts(folder: Path, scale: float) -> None:
    """Counts files of the parts, their links drawn from a Zipf-like distribution over articles and red links."""
    rng = np.random.default_rng(3)
    table, vocabulary = TitleTable.open(folder), words()
    articles = np.flatnonzero(table.kind_of == ARTICLE).astype(np.int32)
    rng.shuffle(articles)
    per_part, parts = LINKS // PARTS, max(1, int(PARTS * scale))
    for number in range(parts):
        red = int(per_part * MISSING_SHARE)
        ranks = (len(articles) ** rng.random(per_part - red)).astype(np.int64) - 1
        numbers, counts = np.unique(articles[ranks], return_counts=True)
        absent, absent_counts = np.unique(rng.integers(0, max(1, int(MISSING_TITLES * scale)), red), return_counts=True)
        writer = CountWriter(folder / f"counts-{number:05}.arrow")
        writer.unknown(titles(vocabulary, absent, "Red ").to_pylist(), absent_counts)
        counters = {"links.read": per_part, "links.article.direct": per_part - red, "links.missing.direct": red}
        writer.close(numbers, counts, counters)


def write_part(folder: Path) -> None:
    """One article part of English size: 10,000 articles, 257,000 links."""
    rng = np.random.default_rng(4)
    table = TitleTable.open(folder)
    writer = ArticleWriter(folder / "part.parquet")
    per_article = LINKS // (PARTS * PART_ARTICLES)
    for page in range(PART_ARTICLES):
        targets = [
            table.title(i) for i in (len(table) ** rng.random(per_article)).astype(int).tolist() if i < len(table)
        ]
        links = tuple(Link(i, i + 1, target) for i, target in enumerate(targets))
        writer.add(ArticleRow(page, None, None, str(page), paragraphs=[Paragraph((), "prose", 0, "x" * 500, links)]))
    writer.close()


def is_main(title: str) -> bool:
    """The generated pages know one other namespace."""
    return not title.startswith("Category:")


def pages(folder: Path) -> dict[str, int]:
    """The commit of pages and redirects."""
    return build_pages(sorted(folder.glob("pages-*.arrow")), folder, is_main=is_main).counts


def links(folder: Path) -> dict[str, int]:
    """The link counts of one part."""
    return count_links(folder / "part.parquet", TitleTable.open(folder), is_main, folder / "part-counts.arrow").counts


def vocabulary(folder: Path, targets: str, size: int) -> dict[str, int]:
    """The commit of the vocabulary."""
    config = VocabularyConfig(vocab_targets=targets, vocab_size=size)
    return build_vocabulary(sorted(folder.glob("counts-*.arrow")), folder, folder / f"vocab-{targets}", config).counts


def measure(name: str, step: Callable[..., dict[str, int] | None], *arguments: object, limit: float = 0) -> bool:
    """Run `step` in a fresh process and print its seconds and peak; False if it failed or went over the limit."""
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    start = time.monotonic()
    process = context.Process(target=_run, args=(results, step, arguments))
    process.start()
    process.join()
    seconds = time.monotonic() - start
    if process.exitcode:
        print(f"{name:34} failed")
        return False
    peak, counts = results.get()
    ratio = f"  {peak / limit:5.2f} of the limit" if limit else ""
    print(f"{name:34} {seconds:8.1f} s  peak {peak:6.2f} GB{ratio}", flush=True)
    if counts:
        print(f"{'':34} {json.dumps(counts)}", flush=True)
    return not limit or peak <= limit


def _run(results: "multiprocessing.Queue[object]", step: Callable[..., object], arguments: tuple[object, ...]) -> None:
    counts = step(*arguments)
    status = Path(f"/proc/{os.getpid()}/status").read_text().splitlines()
    peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1e6
    results.put((peak, counts))


def main() -> int:
    """Generate, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=float, default=0.1)
    parser.add_argument("--folder", type=Path, help="where the tables go; a temporary folder by default")
    parser.add_argument("--keep", action="store_true", help="leave the tables behind")
    parser.add_argument("--limit-gb", type=float, default=6.0)
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp(prefix="tables-"))
    folder.mkdir(parents=True, exist_ok=True)
    scale, limit = options.scale, options.limit_gb
    try:
        passed = [
            measure("(generate pages)", write_pages, folder, scale),
            measure("pages and redirects", pages, folder, limit=limit),
            measure("(generate an article part)", write_part, folder),
            measure("link counts of one part", links, folder, limit=1.0),
            measure("(generate link counts)", write_counts, folder, scale),
            measure("vocabulary, existing, 500 K", vocabulary, folder, "existing", 500_000, limit=limit),
            measure("vocabulary, linked, 1 M", vocabulary, folder, "linked", 1_000_000, limit=limit),
        ]
        for name in ("titles.marisa", "titles.arrow", "pages.parquet", "redirects.parquet"):
            print(f"{name:34} {(folder / name).stat().st_size / 1e6:8.1f} MB")
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
