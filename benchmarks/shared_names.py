"""What big tables cost a worker of Beam's, against one of the local driver in the same run (apache/beam#30360).

    python benchmarks/shared_names.py DUMP.xml.bz2 [--names 2000000] [--mb 12] [--rounds 3]

The units are those of the stage `mention_texts`, which look up every word of an article part in a table of all names,
with two million made-up ones in it, in two processes: of the local driver, of FnApiRunner, and in two threads of
Prism's worker. Shown are the CPU seconds of the thread that does a unit, medians, engines in turns; and how much of
the mapped table all processes hold together (PSS: a page counts once, however many share it; RSS counts it in each).
"""

import argparse
import os
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

import apache_beam as beam
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.runners.runner import create_runner

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks"), str(ROOT / "tests"), str(ROOT / "tests" / "pipelines")]

from building import wikiprep  # noqa: E402
from engine_build import prism  # noqa: E402
from find_names import made_up_names  # noqa: E402
from process_tree import descendants  # noqa: E402
from records import article_rows_of, articles_of  # noqa: E402
from repeat_dump import repeat  # noqa: E402

from wikiprep.config import RunOptions  # noqa: E402
from wikiprep.files import Store  # noqa: E402
from wikiprep.local.pool import Pool  # noqa: E402
from wikiprep.pipelines.worker_unit import Terms, perform  # noqa: E402
from wikiprep.stages.mention_texts import MentionTexts, MentionTextsWork  # noqa: E402
from wikiprep.stages.name_table import FOLDER  # noqa: E402
from wikiprep.tables.mentions.name_table import build_names  # noqa: E402
from wikiprep.tables.mentions.normalize import normal_name  # noqa: E402
from wikiprep.terminal.build_display import BuildDisplay  # noqa: E402
from wikiprep.terminal.screen import Screen  # noqa: E402
from wikiprep.units.unit import Report, Result, Unit  # noqa: E402

OPTIONS = RunOptions(workers=2, quiet=True)
BEAM = {
    "FnApiRunner": ["--direct_num_workers=2", "--direct_running_mode=multi_processing"],
    "PrismRunner": [f"--prism_location={prism()}"],
}


def time_unit(unit: Unit, report: Report, options: RunOptions) -> Result:
    """A unit of `mention_texts`, done whatever receipts say; its seconds stand in a file."""
    start = time.thread_time()
    result = MentionTexts().run(unit, Store(unit.output, options.scratch), report, options)
    name = f"seconds/{unit.fingerprint}/{unit.name}"
    Store(unit.output).write(name, str(time.thread_time() - start).encode())
    return result


def on_beam(unit: Unit, terms: Terms) -> str:
    """`time_unit` as a step of Beam."""
    from benchmarks.shared_names import time_unit

    return perform(time_unit, terms, unit).unit


def run(engine: str, units: list[Unit]) -> None:
    """All units on an engine."""
    from benchmarks.shared_names import on_beam, time_unit

    if engine == "local":
        with Pool(OPTIONS) as pool:
            pool.run_units(units, time_unit, BuildDisplay(Screen()))
        return
    with beam.Pipeline(runner=create_runner(engine), options=PipelineOptions(BEAM[engine], runner=engine)) as pipeline:
        _ = pipeline | beam.Create(units) | beam.Reshuffle() | beam.Map(on_beam, Terms.of(OPTIONS))


def mapped_mb(table: Path) -> tuple[float, float, int]:
    """PSS and RSS in MB of the table's mapped files in this process and all below it, and how many have them."""
    pss = rss = holders = 0
    for pid in {os.getpid(), *descendants(os.getpid())}:
        try:
            lines = Path(f"/proc/{pid}/smaps").read_text().splitlines()
        except OSError:
            continue
        inside = found = False
        for line in lines:
            if "-" in line.split(" ", 1)[0]:
                inside = str(table) in line
                found |= inside
            elif inside and line.startswith(("Pss:", "Rss:")):
                kb = int(line.split()[1])
                pss, rss = (pss + kb, rss) if line.startswith("Pss:") else (pss, rss + kb)
        holders += found
    return pss / 1000, rss / 1000, holders


def prepare(dump: Path, folder: Path, names: int, megabytes: float) -> list[str]:
    """Article parts and a table of names in an output; returns the parts."""
    large = folder / "dump.xml.bz2"
    repeat(dump, large, megabytes)
    completed = wikiprep("extract", large, "-o", folder / "out", "--range-mb", "0.15", "--quiet")
    assert completed.returncode == 0, completed.stderr
    parts = sorted((folder / "out" / "articles").glob("*.parquet"))
    texts = [
        p.text
        for part in parts[:4]
        for b in articles_of(str(part))
        for row in article_rows_of(b)
        for p in row.paragraphs
    ]
    table = folder / "out" / FOLDER
    table.mkdir(parents=True)
    name_count = build_names(table, made_up_names(texts, set(), names, normal_name))
    (folder / "out" / "_state" / "mention_texts").mkdir(parents=True, exist_ok=True)
    (folder / "out" / "_state" / "mention_texts" / "plan.json").write_text("{}")
    size = sum(path.stat().st_size for path in table.iterdir()) / 1e6
    print(f"{name_count:,} names in {size:.0f} MB of files, {len(parts)} units")
    return [f"articles/{part.name}" for part in parts]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dump", type=Path)
    parser.add_argument("--names", type=int, default=2_000_000)
    parser.add_argument("--mb", type=float, default=12.0)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        parts = prepare(arguments.dump, folder, arguments.names, arguments.mb)
        out, engines = folder / "out", ("local", *BEAM)
        medians: dict[str, list[float]] = {engine: [] for engine in engines}
        peaks = dict.fromkeys(engines, (0.0, 0.0, 0))
        for i in range(arguments.rounds):
            for engine in engines if i % 2 == 0 else engines[::-1]:
                mark = f"{engine}-{i}"
                units = [
                    Unit("mention_texts", Path(p).stem, mark, str(out), MentionTextsWork(p, ("article",)))
                    for p in parts
                ]
                stop = threading.Event()

                def watch(engine: str = engine, stop: threading.Event = stop) -> None:
                    while not stop.wait(0.3):
                        peaks[engine] = max(peaks[engine], mapped_mb(out / FOLDER))

                thread = threading.Thread(target=watch)
                thread.start()
                run(engine, units)
                stop.set()
                thread.join()
                seconds = [float(path.read_text()) for path in (out / "seconds" / mark).iterdir()]
                assert len(seconds) == len(units)
                medians[engine].append(statistics.median(seconds))
        for engine in engines:
            ratios = [a / b for a, b in zip(medians[engine], medians["local"], strict=True)]
            pss, rss, holders = peaks[engine]
            share = f"{statistics.median(ratios):.2f} [{min(ratios):.2f} to {max(ratios):.2f}]"
            print(f"{engine:12} {statistics.median(medians[engine]):.3f} CPU s a unit, over local {share}; ", end="")
            print(f"table in {holders} processes: PSS {pss:.0f} MB, RSS {rss:.0f} MB")


if __name__ == "__main__":
    main()
