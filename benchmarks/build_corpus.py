"""What a build costs, in CPU, against plain bz2 decompression of the same dump in the same run.

    python benchmarks/build_corpus.py DUMP.xml.bz2 --tokenizer ROBERTA_FOLDER [--mb 60] [--rounds 3]

Prints MB of XML per core-second for each stage and end to end, the ratio to decompression (the headline: dump to
records without mention statistics), and the peak memory of a process. With --mb the dump is repeated to that size.
CPU is that of all processes (getrusage of ended children); what a build of a three-page dump costs is start-up, shown
and taken off. Decompression and builds alternate, and the medians are compared, since other load slows both.
"""

import argparse
import bz2
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from repeat_dump import repeat

STAGES = (("extract", "extract"), ("tables", "tables"), ("records", "build-corpus"))
DECOMPRESS = "import bz2,sys\nf = bz2.open(sys.argv[1])\nwhile f.read(1 << 20): pass"
TINY = """<mediawiki xml:lang="en" version="0.10"><siteinfo><sitename>W</sitename><dbname>enwiki</dbname>
<base>https://en.wikipedia.org/wiki/Main_Page</base><case>first-letter</case><namespaces>
<namespace key="0" case="first-letter" /></namespaces></siteinfo>
<page><title>A</title><ns>0</ns><id>1</id><revision><id>1</id><timestamp>2020-01-01T00:00:00Z</timestamp>
<text>The page [[B]] is about the page [[B]] and about nothing else at all.</text></revision></page>
<page><title>B</title><ns>0</ns><id>2</id><revision><id>2</id><timestamp>2020-01-01T00:00:00Z</timestamp>
<text>The page [[A]] is about the page [[A]] and about nothing else at all.</text></revision></page></mediawiki>"""


@dataclass(frozen=True)
class Cost:
    """CPU and wall time in seconds, peak resident memory of the largest process in MB."""

    cpu: float
    wall: float
    peak: float


def run(command: list[str]) -> Cost:
    """Run a command to its end and measure it with all its children."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"failed: {' '.join(command)}")
    # A process's rusage has its own and its waited-for children's CPU, and the largest resident set among them.
    return Cost(usage.ru_utime + usage.ru_stime, time.monotonic() - start, usage.ru_maxrss / 1024)


def build(dump: Path, tokenizer: str, folder: Path, workers: int) -> dict[str, Cost]:
    """The stages one after another into one output, each as a command of its own."""
    costs = {}
    for name, command in STAGES:
        words = [sys.executable, "-m", "wikiprep", command, str(dump), "--output", str(folder), "--quiet"]
        if command == "build-corpus":
            words += ["--tokenizer", tokenizer]
        costs[name] = run([*words, "--workers", str(workers)])
    return costs


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dump", type=Path)
    parser.add_argument("--tokenizer", required=True)
    parser.add_argument("--mb", type=float, help="repeat the dump to this many MB of XML")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dump = arguments.dump
        if arguments.mb:
            dump = folder / "repeated-pages-articles.xml.bz2"
            size = repeat(arguments.dump, dump, arguments.mb)
        else:
            with bz2.open(dump) as f:
                size = sum(len(chunk) for chunk in iter(lambda: f.read(1 << 20), b""))
        tiny = folder / "tiny.xml"
        tiny.write_text(TINY)
        start_up = build(tiny, arguments.tokenizer, folder / "tiny", arguments.workers)
        plain, rounds = [], []
        for i in range(arguments.rounds):
            plain.append(run([sys.executable, "-c", DECOMPRESS, str(dump)]).cpu)
            rounds.append(build(dump, arguments.tokenizer, folder / f"out{i}", arguments.workers))
        report(size / 1e6, start_up, plain, rounds)


def report(mb: float, start_up: dict[str, Cost], plain: list[float], rounds: list[dict[str, Cost]]) -> None:
    """Print the table and the headline."""
    base = statistics.median(plain)
    start_cpu = sum(cost.cpu for cost in start_up.values())
    print(f"{mb:.1f} MB of XML, {len(rounds)} rounds, medians; start-up, {start_cpu:.1f} s, is taken off")
    print(f"{'stage':<14}{'CPU s':>9}{'MB/core-s':>12}{'x bz2':>8}{'peak MB':>10}")
    print(f"{'bz2 alone':<14}{base:>9.2f}{mb / base:>12.1f}{1:>8.2f}")
    total = 0.0
    for name, _ in STAGES:
        cpu = statistics.median(r[name].cpu for r in rounds) - start_up[name].cpu
        total += cpu
        peak = max(r[name].peak for r in rounds)
        print(f"{name:<14}{cpu:>9.2f}{mb / cpu:>12.1f}{cpu / base:>8.2f}{peak:>10.0f}")
    print(f"{'dump to records':<14}{total:>8.2f}{mb / total:>12.1f}{total / base:>8.2f}")


if __name__ == "__main__":
    main()
