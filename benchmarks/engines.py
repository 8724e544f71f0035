"""What each engine adds to the local driver, and what a second worker brings, on the same dump in the same run.

    python benchmarks/engines.py DUMP.xml.bz2 --tokenizer ROBERTA_FOLDER [--mb 40] [--rounds 3] [--part scaling]

CPU and memory are those of all processes: command, JVMs, Prism, workers, their children. Start-up is what the same
command costs on a dump of a few pages that gives every worker something to do; it is shown, and taken off. Engines take
turns in each round, and a ratio is that of two builds of one round; shown are medians, with least and greatest.
It needs Java, and Prism where docs/cluster.md puts it; clusters are those of the tests.
"""

import argparse
import bz2
import contextlib
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "pipelines")]

from beam_cluster import portable  # noqa: E402
from process_tree import Cost, measure_tree, run  # noqa: E402
from repeat_dump import PAGE, repeat  # noqa: E402
from spark_cluster import cluster  # noqa: E402

SMALL = "--conf=spark.executor.memory=512m"
PROCESSES = "--direct_running_mode=multi_processing"


@dataclass(frozen=True)
class Engine:
    """`words`: of the runner, for a number of workers, while its cluster runs in a folder."""

    name: str
    workers: int
    words: Callable[[Path, int], "contextlib.AbstractContextManager[list[str]]"]


def alone(*words: str) -> Callable[[Path, int], "contextlib.AbstractContextManager[list[str]]"]:
    """An engine that the command itself starts."""
    return lambda _, workers: contextlib.nullcontext([word.format(workers=workers) for word in words])


@contextlib.contextmanager
def standalone(folder: Path, workers: int) -> Iterator[list[str]]:
    """A Spark master and two workers of a core each, of which the build takes `workers`."""
    with cluster(folder) as spark:
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
        yield ["--runner=spark", f"--master={spark.url}", SMALL, f"--conf=spark.cores.max={workers}"]


@contextlib.contextmanager
def job_server(folder: Path, _: int) -> Iterator[list[str]]:
    """Prism's job server and a pool of Beam workers."""
    with portable(folder) as server:
        yield server.words


LOCAL = alone()
OVERHEAD = [
    Engine("local", 1, LOCAL),
    Engine("spark, local[1]", 1, alone("--runner=spark", "--master=local[{workers}]")),
    Engine("FnApiRunner", 1, alone("--runner=FnApiRunner")),
    Engine("PrismRunner", 1, alone("--runner=PrismRunner")),
    Engine("PortableRunner, worker pool", 1, job_server),
]
SCALING = [
    Engine(name, workers, words)
    for name, words in (
        ("local", LOCAL),
        ("spark, standalone", standalone),
        ("FnApiRunner, processes", alone("--runner=FnApiRunner", PROCESSES, "--direct_num_workers={workers}")),
    )
    for workers in (1, 2)
]


def build(engine: Engine, dump: Path, options: list[str], folder: Path) -> Cost:
    """A build from nothing."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    command = [sys.executable, "-m", "wikiprep", "build-corpus", str(dump), "--output", str(folder / "out"), "--quiet"]
    with measure_tree() as cost, engine.words(folder, engine.workers) as words:
        run([*command, *options, f"--workers={engine.workers}", *words], cost, folder / "log")
    return cost


def write_small_dump(dump: Path, target: Path, pages: int) -> None:
    """The first pages of a dump, uncompressed."""
    data = bz2.decompress(dump.read_bytes())
    kept_pages = b"".join(PAGE.findall(data)[:pages])
    target.write_bytes(data[: data.index(b"<page>")] + kept_pages + b"</mediawiki>\n")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dump", type=Path)
    parser.add_argument("--tokenizer", required=True)
    parser.add_argument("--mb", type=float, default=40.0, help="repeat the dump to this many MB of XML")
    parser.add_argument("--range-mb", default="1", help="MB of bz2 a unit")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--part", choices=("overhead", "scaling"), help="one of the two only")
    parser.add_argument("--engines", nargs="*", help="only those whose names begin so; local is always there")
    arguments = parser.parse_args()
    name_prefixes = ("local", *(arguments.engines or [""]))
    # Few pages have no link among themselves: so entities need no page of the dump.
    options = ["--tokenizer", str(Path(arguments.tokenizer).resolve()), "--vocab-targets", "linked"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dump, small_dump = folder / "dump.xml.bz2", folder / "few.xml"
        size = repeat(arguments.dump, dump, arguments.mb) / 1e6
        write_small_dump(arguments.dump, small_dump, 6)
        print(f"{size:.1f} MB of XML in ranges of {arguments.range_mb} MB of bz2, load {os.getloadavg()[0]:.1f}")
        few_mb = small_dump.stat().st_size / 1e6 / 2.5  # two units, for two workers
        for part, engines in (("overhead", OVERHEAD), ("scaling", SCALING)):
            if arguments.part in (None, part):
                chosen_engines = [engine for engine in engines if engine.name.startswith(name_prefixes)]
                whole: dict[Engine, list[Cost]] = {engine: [] for engine in chosen_engines}
                start: dict[Engine, list[Cost]] = {engine: [] for engine in chosen_engines}
                for i in range(arguments.rounds):
                    for engine in chosen_engines if i % 2 == 0 else chosen_engines[::-1]:
                        range_options = [*options, "--range-mb", f"{few_mb:.4f}"]
                        start[engine].append(build(engine, small_dump, range_options, folder / "build"))
                        range_options = [*options, "--range-mb", arguments.range_mb]
                        whole[engine].append(build(engine, dump, range_options, folder / "build"))
                (overhead if part == "overhead" else scaling)(whole, start)
        print(f"load {os.getloadavg()[0]:.1f}")


def overhead(whole: dict[Engine, list[Cost]], start: dict[Engine, list[Cost]]) -> None:
    """Print the table of the engines beside the local driver."""
    print(f"\n{'engine':<28}{'wall s':>8}{'CPU s':>8}{'start-up':>10}{'peak MB':>9}  CPU / local, start-up off; whole")
    local = OVERHEAD[0]
    for engine in whole:
        ratios = [
            (w.cpu - s.cpu) / (lw.cpu - ls.cpu)
            for w, s, lw, ls in zip(whole[engine], start[engine], whole[local], start[local], strict=True)
        ]
        whole_ratios = [w.cpu / lw.cpu for w, lw in zip(whole[engine], whole[local], strict=True)]
        print(
            f"{engine.name:<28}{middle(whole[engine], 'wall'):>8.1f}{middle(whole[engine], 'cpu'):>8.1f}"
            f"{middle(start[engine], 'cpu'):>10.1f}{max(c.peak for c in whole[engine]):>9.0f}  {spread(ratios)}; "
            f"{spread(whole_ratios)}"
        )


def scaling(whole: dict[Engine, list[Cost]], start: dict[Engine, list[Cost]]) -> None:
    """Print what a second worker brings."""
    print(
        f"\n{'engine':<28}{'workers':>8}{'wall s':>8}{'CPU s':>8}{'peak MB':>9}  wall of 1 over 2, start-up off; whole"
    )
    for engine in whole:
        line = (
            f"{engine.name:<28}{engine.workers:>8}{middle(whole[engine], 'wall'):>8.1f}"
            f"{middle(whole[engine], 'cpu'):>8.1f}{max(c.peak for c in whole[engine]):>9.0f}"
        )
        if engine.workers == 2:
            single = next(it for it in whole if it.name == engine.name)
            ratios = [
                (a.wall - sa.wall) / (b.wall - sb.wall)
                for a, sa, b, sb in zip(whole[single], start[single], whole[engine], start[engine], strict=True)
            ]
            line += (
                f"  {spread(ratios)}; "
                f"{spread([a.wall / b.wall for a, b in zip(whole[single], whole[engine], strict=True)])}"
            )
        print(line)


def middle(costs: list[Cost], name: str) -> float:
    """Median of a field."""
    return statistics.median(getattr(cost, name) for cost in costs)


def spread(values: list[float]) -> str:
    """Median, least and greatest."""
    return f"{statistics.median(values):.2f} [{min(values):.2f} to {max(values):.2f}]"


if __name__ == "__main__":
    main()
