"""CPU from bz2 to written articles: ours, wikipedia2vec's dump database and WikiExtractor, on one dump in one run.

    python benchmarks/compare_extractors.py DUMP.xml.bz2 [--mb 42] [--rounds 5]

Each of the others runs in a virtual environment of its own, made from the package index at the first run (under
--cache) with the Python that runs this script: wikipedia2vec 2.0.0 (`build-dump-db`) and WikiExtractor 3.1.0 (`--json
--links --no-templates`; expanding templates, its default, reads the dump twice and is a side of its own with
--expand). Every tool has one worker. WikiExtractor 3.0 does not import under Python 3.11 (a flag in the middle of a
regular expression); 3.1.0 does, so nothing is patched here. A last side is wikiprep without its compiled modules.

The base is decompression alone: Python's bz2 module, one decompressor fed 256 KB at a time. It is also what
"decompression taken off" takes off each: the other tools unpack with that module, wikiprep with rapidgzip at some three
quarters of its CPU, so that what is left of wikiprep is too little by the rest.

CPU is user and system time of a command and of all its descendants (getrusage of ended children; orphans come to this
process and are waited for). Other load slows decompression, the interpreter and C code unequally, so base, ours and one
other side run next to each other, in turned order, many times; a ratio is taken within such a group, and the median
with the least and the greatest is printed. Ratios are given whole and with start-up off: what the same command costs on
a dump of one short page. With --mb the dump is repeated to that size (repeat_dump.py).
"""

import argparse
import bz2
import contextlib
import ctypes
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from repeat_dump import repeat

DECOMPRESS = """import bz2, sys
with open(sys.argv[1], "rb") as f:
    unpacker = bz2.BZ2Decompressor()
    while data := f.read(1 << 18):
        unpacker.decompress(data)
        if unpacker.eof:
            unpacker = bz2.BZ2Decompressor()
"""
PAGE = b"""<page><title>A</title><ns>0</ns><id>1</id><revision><id>1</id><timestamp>2020-01-01T00:00:00Z</timestamp>
<text xml:space="preserve">A page of a few words with a [[link]].</text></revision></page></mediawiki>"""
OTHERS = {"wikipedia2vec": "2.0.0", "wikiextractor": "3.1.0"}
PR_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True)
class Side:
    """A command of (dump, output), how often it unpacks the dump, and how many articles its output holds."""

    name: str
    command: Callable[[Path, Path], list[str]]
    count: Callable[[Path], int] | None = None
    passes: int = 1


def environment(cache: Path, package: str, version: str) -> Path:
    """The Python of a virtual environment that holds `package`; made where it is missing."""
    folder = cache / f"{package}-{version}-py{sys.version_info.major}.{sys.version_info.minor}"
    python = folder / "bin" / "python"
    ready = folder / "ready"
    if not ready.exists():
        shutil.rmtree(folder, ignore_errors=True)
        print(f"making {folder}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", f"{package}=={version}"], check=True)
        ready.touch()
    return python


def run(command: list[str], compiled: Path) -> float:
    """CPU seconds of a command and all that it started; `compiled` is where Python keeps compiled modules."""
    # Installed packages come with compiled modules, a working tree may not: nobody shall compile in every process.
    variables = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    variables["PYTHONPYCACHEPREFIX"] = str(compiled)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    completed = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=variables)
    if completed.returncode:
        raise SystemExit(f"failed: {' '.join(command)}\n{completed.stderr[-2000:]}")
    try:
        while True:
            os.waitpid(-1, 0)  # what the command left behind is this process's child now
    except ChildProcessError:
        pass
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def sides(cache: Path, expand: bool) -> list[Side]:
    """Base, ours, and the others."""
    wikipedia2vec, wikiextractor = (str(environment(cache, *item)) for item in OTHERS.items())
    ours = [sys.executable, "-m", "wikiprep", "extract", "--workers", "1", "--quiet"]
    theirs = [wikiextractor, "-m", "wikiextractor.WikiExtractor", "--json", "--links", "--processes", "1", "--quiet"]
    database = [str(Path(wikipedia2vec).with_name("wikipedia2vec")), "build-dump-db", "--pool-size", "1"]
    in_database = "import sys; from wikipedia2vec.dump_db import DumpDB; print(DumpDB(sys.argv[1]).page_size())"
    side_list = [
        Side("bz2 alone", lambda dump, out: [sys.executable, "-c", DECOMPRESS, str(dump)]),
        Side("wikiprep", lambda dump, out: [*ours, str(dump), "--output", str(out)], _our_articles),
        Side(
            "wikipedia2vec",
            lambda dump, out: [*database, str(dump), str(out)],
            lambda out: int(subprocess.check_output([wikipedia2vec, "-c", in_database, str(out)])),
        ),
        Side(
            "WikiExtractor",
            lambda dump, out: [*theirs, "--no-templates", str(dump), "--output", str(out)],
            _lines,
        ),
    ]
    if expand:
        side_list.append(
            Side("  with templates", lambda dump, out: [*theirs, str(dump), "--output", str(out)], _lines, 2)
        )
    pure = ["env", "WIKIPREP_PURE_PYTHON=1", *ours]
    side_list.append(Side("Python alone", lambda dump, out: [*pure, str(dump), "--output", str(out)], _our_articles))
    return side_list


def _our_articles(out: Path) -> int:
    import pyarrow.parquet as pq

    return sum(pq.ParquetFile(part).metadata.num_rows for part in (out / "articles").iterdir())


def _lines(out: Path) -> int:
    return sum(len(path.read_bytes().splitlines()) for path in out.rglob("wiki_*"))


@dataclass
class Group:
    """CPU seconds of base, ours and one other side, run next to each other."""

    base: float
    ours: float
    other: float


def measure(all_sides: list[Side], dump: Path, folder: Path, rounds: int) -> dict[str, list[Group]]:
    """The groups of every other side. Order turns, so that nobody always runs first."""
    base, ours, *others = all_sides
    groups: dict[str, list[Group]] = {other.name: [] for other in others}
    for i in range(rounds):
        for other in others:
            trio = [base, ours, other]
            trio = trio[i % 3 :] + trio[: i % 3]
            cpu = {}
            for side in trio:
                with fresh(folder) as out:
                    cpu[side.name] = run(side.command(dump, out), folder / "compiled")
            groups[other.name].append(Group(cpu[base.name], cpu[ours.name], cpu[other.name]))
            print("  ".join(f"{side.name.strip()} {cpu[side.name]:.2f}" for side in trio), file=sys.stderr)
    return groups


@contextlib.contextmanager
def fresh(folder: Path) -> Iterator[Path]:
    """A path for one output, whether the tool makes a file or a folder of it; gone afterwards."""
    with tempfile.TemporaryDirectory(dir=folder) as name:
        yield Path(name) / "out"


def spread(values: list[float]) -> str:
    """Median and, in brackets, the least and the greatest."""
    return f"{statistics.median(values):6.2f} [{min(values):.2f} to {max(values):.2f}]"


def report(mb: float, all_sides: list[Side], start: dict[str, float], groups: dict[str, list[Group]]) -> None:
    """Print CPU seconds, then the ratios: whole, and with start-up off; then both with decompression off."""
    base, ours, *others = all_sides
    all_groups = [group for samples in groups.values() for group in samples]
    seconds = {base.name: [g.base for g in all_groups], ours.name: [g.ours for g in all_groups]}
    seconds |= {other.name: [g.other for g in groups[other.name]] for other in others}
    print(f"\n{'':<18}{'runs':>5}{'CPU s, median [least to greatest]':>36}{'start-up s':>12}{'ms a MB of XML':>16}")
    for side in all_sides:
        samples, offset = seconds[side.name], start[side.name]
        slope = 1000 * (statistics.median(samples) - offset) / mb
        print(f"{side.name:<18}{len(samples):>5}{spread(samples):>36}{offset:>12.2f}{slope:>16.1f}")
    for title, offsets in (("whole commands", dict.fromkeys(start, 0.0)), ("start-up taken off every side", start)):
        base_offset, own_offset = offsets[base.name], offsets[ours.name]
        print(f"\nratios of CPU, {title}: median [least to greatest]")
        print(
            f"{'wikiprep over bz2 alone':<34}"
            f"{spread([(g.ours - own_offset) / (g.base - base_offset) for g in all_groups])}"
        )
        for other in others:
            offset, samples = offsets[other.name], groups[other.name]
            print(
                f"{other.name + ' over wikiprep':<34}"
                f"{spread([(g.other - offset) / (g.ours - own_offset) for g in samples])}"
            )
        print("  decompression taken off each:")
        for other in others:
            offset, samples = offsets[other.name], groups[other.name]
            ratios = [
                (g.other - offset - other.passes * (g.base - base_offset))
                / (g.ours - own_offset - (g.base - base_offset))
                for g in samples
            ]
            print(f"{other.name + ' over wikiprep':<34}{spread(ratios)}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dump", type=Path)
    parser.add_argument("--mb", type=float, help="repeat the dump to this many MB of XML")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--expand", action="store_true", help="also WikiExtractor expanding templates, its default")
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "wikiprep-benchmarks")
    arguments = parser.parse_args()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    all_sides = sides(arguments.cache, arguments.expand)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dump = arguments.dump
        if arguments.mb:
            dump = folder / "repeated-pages-articles.xml.bz2"
            repeat(arguments.dump, dump, arguments.mb)
        with bz2.open(dump) as f:
            size = sum(len(chunk) for chunk in iter(lambda: f.read(1 << 20), b""))
        tiny = folder / "tiny-pages-articles.xml.bz2"
        with bz2.open(dump) as f:
            head = re.split(rb"<page>", f.read(1 << 20), maxsplit=1)[0]
        tiny.write_bytes(bz2.compress(head + PAGE))
        print(f"{size / 1e6:.1f} MB of XML; Python {sys.version.split()[0]}; one worker each")
        # By the processes that are measured: in a checkout's root they take its modules, not the installed ones.
        version_text = subprocess.check_output([sys.executable, "-m", "wikiprep", "version"], text=True)
        print(*(line for line in version_text.splitlines() if line.startswith("compiled modules")), sep="\n")
        print("wikiprep of this tree, " + ", ".join(f"{name} {version}" for name, version in OTHERS.items()))
        start = {}
        for side in all_sides:
            with fresh(folder) as out:  # the first run compiles modules and is not counted
                run(side.command(dump, out), folder / "compiled")
                if side.count:
                    print(f"{side.name.strip()}: {side.count(out)} articles written", flush=True)
            costs = []
            for _ in range(5):
                with fresh(folder) as out:
                    costs.append(run(side.command(tiny, out), folder / "compiled"))
            start[side.name] = statistics.median(costs)
        report(size / 1e6, all_sides, start, measure(all_sides, dump, folder, arguments.rounds))


if __name__ == "__main__":
    main()
