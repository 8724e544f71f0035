"""Time and peak memory of counting names, on made-up articles whose names follow Zipf's law: do they stay bounded?

    python benchmarks/mention_counts.py [--links 5000000] [--names 1000000] [--folder /tmp/mentions] [--keep]

Each step of --mentions runs over all its units in one process of its own, first on a quarter of the parts, then all:
a step whose memory does not depend on the corpus has the same peak in both, which is the ratio printed. Time is CPU
time. Peaks are of private memory (RssAnon, asked for 50 times a second); mapped files come on top, and go when others
need room. A link comes with some 110 characters of text, as in the English Wikipedia (20 GB, 180 M links).
"""

import argparse
import multiprocessing
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from tables_memory import titles, words

from wikiprep.corpus.articles import ArticleRow, ArticleWriter
from wikiprep.tables.mentions.link_names import count_link_names
from wikiprep.tables.mentions.link_targets import Rules
from wikiprep.tables.mentions.mention_table import FILES
from wikiprep.tables.mentions.merge_counts import merge_names, read_names
from wikiprep.tables.mentions.name_table import NameTable, build_names
from wikiprep.tables.mentions.text_counts import count_texts
from wikiprep.tables.mentions.title_names import count_title_names
from wikiprep.tables.mentions.write_table import write_mentions
from wikiprep.tables.page_tables import build_pages
from wikiprep.tables.schema import partial_page_schema
from wikiprep.tables.title_lookup import TitleTable
from wikiprep.wikitext.article import Link, Paragraph

LINKS_A_PAGE, PAGES_A_PART = 26, 10_000
TARGETS_A_NAME = 0.4  # 7 M articles for some 18 M names


def is_main(title: str) -> bool:
    """All of it."""
    return True


def make_names(count: int) -> list[str]:
    """Names of one to three words; the i-th most frequent one is the i-th."""
    vocabulary, ids = words(), np.arange(count, dtype=np.int64)
    three = [name.split() for name in titles(vocabulary, ids).to_pylist()]  # two words and a number, all different
    return [" ".join(words_of if i % 3 == 0 else words_of[1:]) for i, words_of in enumerate(three)]


def write_pages(folder: Path, count: int) -> None:
    """The title table."""
    schema, none = partial_page_schema(), pa.nulls(count, pa.string())
    ids = pa.array(np.arange(count), pa.int64())
    names = titles(words(), np.arange(count, dtype=np.int64), "T ")
    main, kind = pa.array(np.zeros(count), pa.int32()), pa.array(["article"] * count)
    columns = [ids, ids, main, names, kind, none, none, none, none]
    with pa.OSFile(str(folder / "pages.arrow"), "wb") as sink, pa.ipc.new_file(sink, schema) as writer:
        writer.write_table(pa.Table.from_arrays(columns, schema=schema), max_chunksize=35_000)
    build_pages([folder / "pages.arrow"], folder, is_main=is_main)


def write_part(folder: Path, number: int, names: list[str], targets: list[str]) -> None:
    """One article part: text in which names occur, one in three of them linked."""
    rng = np.random.default_rng(number)
    known_words = [word.lower() for word in words().to_pylist()[:5000]]
    filler = [known_words[i] for i in (rng.zipf(1.3, 1 << 18).clip(max=len(known_words)) - 1).tolist()]
    writer = ArticleWriter(folder / f"part-{number:05}.parquet")
    for page in range(PAGES_A_PART):
        ranks = (len(names) ** rng.random(LINKS_A_PAGE * 2)).astype(np.int64) - 1
        others = rng.integers(0, 8, LINKS_A_PAGE)  # a name has a usual target and some unusual ones
        between = rng.integers(0, len(filler) - 14, LINKS_A_PAGE).tolist()
        text, links = "", []
        for i in range(LINKS_A_PAGE):
            text += " ".join(filler[between[i] : between[i] + 14]) + f" {names[ranks[i * 2]]} "
            name = names[ranks[i * 2 + 1]]
            place = int(ranks[i * 2 + 1] * 2 // 5 + (0 if others[i] < 6 else others[i])) % len(targets)
            links.append(Link(len(text), len(text) + len(name), targets[place]))
            text += name + ". "
        paragraphs = [Paragraph((), "prose", 0, text, tuple(links))]
        writer.add(ArticleRow(number * PAGES_A_PART + page, None, None, f"P{number} {page}", paragraphs=paragraphs))
    writer.close()


def generate(folder: Path, parts: int, names: int) -> None:
    """All inputs."""
    count = int(names * TARGETS_A_NAME)
    write_pages(folder, count)
    all_names, targets = make_names(names), titles(words(), np.arange(count, dtype=np.int64), "T ").to_pylist()
    for number in range(parts):
        write_part(folder, number, all_names, targets)


def link_step(folder: Path, out: Path, parts: int) -> None:
    """mention_links."""
    table = TitleTable.open(folder)
    for number in range(parts):
        count_link_names(folder / f"part-{number:05}.parquet", table, is_main, Rules(), out / f"l-{number:05}")
    count_title_names(table, (0, len(table)), is_main, Rules(), out / "l-titles")


def name_step(folder: Path, out: Path, parts: int) -> None:
    """mention_names."""
    merged = merge_names(sorted(out.glob("l-*")), out / "merged", out / "spill")
    (out / "rows").write_text(str(merged.counts["mentions.rows"]))


def table_step(folder: Path, out: Path, parts: int) -> None:
    """name_table."""
    build_names(out, read_names(out / "merged"))


def text_step(folder: Path, out: Path, parts: int) -> None:
    """mention_texts."""
    names = NameTable.open(out)
    for number in range(parts):
        count_texts(folder / f"part-{number:05}.parquet", names, ("article",), out / f"t-{number:05}")


def last_step(folder: Path, out: Path, parts: int) -> None:
    """mentions."""
    texts, rows = sorted(out.glob("t-*")), int((out / "rows").read_text())
    write_mentions(out / "merged", texts, rows, NameTable.open(out), TitleTable.open(folder), out)


STEPS = (link_step, name_step, table_step, text_step, last_step)


def measure(step: Callable[..., None], *arguments: object) -> tuple[float, float]:
    """CPU seconds and peak of private memory, in MB, of `step` in a fresh process."""
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    process = context.Process(target=_run, args=(results, step, arguments))
    process.start()
    seconds, peak = results.get()
    process.join()
    return seconds, peak


def _run(results: "multiprocessing.Queue[object]", step: Callable[..., None], arguments: tuple[object, ...]) -> None:
    peak, done = 0, threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.wait(0.02):
            status = Path(f"/proc/{os.getpid()}/status").read_text().splitlines()
            peak = max(peak, next(int(line.split()[1]) for line in status if line.startswith("RssAnon")))

    watcher = threading.Thread(target=watch)
    watcher.start()
    step(*arguments)
    seconds = time.process_time()
    done.set()
    watcher.join()
    results.put((seconds, peak / 1000))


def main() -> int:
    """Generate, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--links", type=int, default=5_000_000)
    parser.add_argument("--names", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path, help="where the files go; a temporary folder by default")
    parser.add_argument("--keep", action="store_true", help="leave the files behind")
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp(prefix="mentions-"))
    folder.mkdir(parents=True, exist_ok=True)
    parts = max(4, round(options.links / (PAGES_A_PART * LINKS_A_PAGE)))
    try:
        if not (folder / f"part-{parts - 1:05}.parquet").exists():
            seconds, _ = measure(generate, folder, parts, options.names)
            print(f"generated {parts} parts in {seconds:.0f} CPU s", flush=True)
        peaks: dict[str, list[float]] = {}
        for share in (parts // 4, parts):
            links = share * PAGES_A_PART * LINKS_A_PAGE / 1e6
            out = folder / f"of-{share}"
            shutil.rmtree(out, ignore_errors=True)
            out.mkdir()
            print(
                f"\n{links:.2f} M links\n{'stage':16}{'CPU s':>9}{'s / M links':>13}{'peak MB':>9}{'MB / M links':>14}"
            )
            for step in STEPS:
                seconds, peak = measure(step, folder, out, share)
                name = (step.__doc__ or "").rstrip(".")
                peaks.setdefault(name, []).append(peak)
                print(f"{name:16}{seconds:9.1f}{seconds / links:13.2f}{peak:9.0f}{peak / links:14.1f}", flush=True)
            names = NameTable.open(out)
            size = sum((out / name).stat().st_size for name in FILES)
            print(f"{len(names):,} names; look-up files {size / 1e6:.1f} MB, {size / len(names):.1f} bytes a name")
        print("\npeak on all parts / peak on a quarter of them")
        for name, (quarter, whole) in peaks.items():
            print(f"{name:16}{whole / quarter:9.2f}")
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
