"""One encoder on tasks with and without a knowledge graph, some seeds each: the table of docs/results.md.

    python benchmarks/knowledge_tasks.py ENCODER TASKS RUNS --graph wn18=FOLDER --graph dbpedia50=FOLDER --seeds 5

ENCODER is a plain encoder's folder, TASKS the folder with the data sets, RUNS gets a folder a run. The rows: `plain`
(no layers between encoder and head), `no-graph` (the layers on the encoder alone, without vectors of a graph), `none`
(vectors of words' entities, of the first graph, and no relations; `none:GRAPH` by `--rows` of another), and for each
graph `head`, `tail` and `both`. All rows of a seed are run one after the other, and what RUNS or the ledger
(`--ledger`, ledger.py) has with the same settings is not run again, so that the same command goes on after a stop, or
on another machine. `--table` only prints the table of what is there with these settings: mean and deviation over seeds,
a paired t-test against `plain` over the seeds that both have, CPU time and peak memory as ratios to `plain`. Where a
task's test part has no labels (GLUE), the development part is what is reported.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ledger import SETTINGS, add_to_ledger, begin_run, by_key, read_ledger

DATA = {"glue/cola": "glue/CoLA", "glue/rte": "glue/RTE", "semeval2010": "semeval2010_task8"}
MODES = ("head", "tail", "both")
NO_GRAPH = "no-graph"
COST = "cost.json"


@dataclass(frozen=True)
class Run:
    """What one run came to: scores on the part that is reported, seconds of CPU, bytes of resident memory at most."""

    score: float
    cpu_seconds: float
    peak_bytes: int


def main() -> None:
    """Run what is missing, then print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("encoder", "tasks", "runs"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--graph", action="append", default=[], help="NAME=FOLDER of `wikiprep kg-embed`.")
    parser.add_argument("--seeds", type=seed_list, default="5", help="How many, or which: 2,4.")
    parser.add_argument("--only", default=",".join(DATA), help="Tasks.")
    parser.add_argument("--rows", default="", help="Rows, instead of all.")
    parser.add_argument("--set", action="append", default=[], dest="settings", help="For all rows alike.")
    parser.add_argument("--layer-set", action="append", default=[], help="For all rows but plain.")
    parser.add_argument("--ledger", type=Path)
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    graphs = dict(one.split("=", 1) for one in options.graph)
    names = options.rows.split(",") if options.rows else list(rows(graphs))
    if not options.table:
        for seed in options.seeds:
            for task in options.only.split(","):
                for row in names:
                    run(options, graphs, task, row, seed)
                    add_to_ledger(options.ledger, finished(options.runs))
    lines_by_key = by_key(finished(options.runs)) | read_ledger(options.ledger)
    lines = [line for line in lines_by_key.values() if line["settings"] == settings_of(options, line["row"])]
    print(table(lines, options.only.split(","), names))


def seed_list(text: str) -> list[int]:
    """`5` are five seeds, `2,4` or `2,` those: so that two processes may share the work."""
    return [int(one) for one in text.split(",") if one] if "," in text else list(range(1, int(text) + 1))


def rows(graphs: dict[str, str]) -> Iterator[str]:
    """The names of all rows."""
    yield "plain"
    if graphs:
        yield NO_GRAPH
        yield "none"
    for graph in graphs:
        for mode in MODES:
            yield f"{mode}:{graph}"


def folder_of(runs: Path, task: str, row: str, seed: int) -> Path:
    """Where a run lies."""
    return runs / f"{task.replace('/', '_')}-{row.replace(':', '_')}-{seed}"


def settings_of(options: argparse.Namespace, row: str) -> list[str]:
    """What a row's runs are set to: a line of the ledger with other settings is another run."""
    if row == "plain":
        return [*options.settings]
    control = "knowledge.vectors=none" if row == NO_GRAPH else f"knowledge.mode={row.partition(':')[0]}"
    return [*options.settings, control, *options.layer_set]


def run(options: argparse.Namespace, graphs: dict[str, str], task: str, row: str, seed: int) -> None:
    """One run, unless its results are there or in the ledger."""
    folder, settings = folder_of(options.runs, task, row, seed), settings_of(options, row)
    if (task, row, seed, tuple(settings)) in read_ledger(options.ledger):
        return
    begin_run(folder, [task, row, seed, settings])
    if (folder / "results.json").exists() and (folder / COST).exists():
        return
    command = [sys.executable, "-m", "wikiprep", "finetune", task, "--model", str(options.encoder)]
    command += ["--data", str(options.tasks / DATA[task]), "--output", str(folder), "--seed", str(seed)]
    command += ["--ablation", "no-entities"] if task == "semeval2010" else []
    if row != "plain":
        command += ["--knowledge", graphs[row.partition(":")[2] or next(iter(graphs))]]
    command += [f"--set={one}" for one in settings]
    print(" ".join(command), flush=True)
    with (folder / "said.txt").open("ab") as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{folder / 'said.txt'}: ended with {os.waitstatus_to_exitcode(status)}")
    cost = {"cpu_seconds": usage.ru_utime + usage.ru_stime, "peak_bytes": usage.ru_maxrss * 1024}
    (folder / COST).write_text(json.dumps(cost) + "\n")


def finished(runs: Path) -> Iterator[dict[str, Any]]:
    """Of each finished run a line of the ledger: its score on the test part where that has labels, else on dev."""
    for path in sorted(runs.glob("*/results.json")):
        if not (path.parent / COST).exists():
            continue
        task, row, seed, settings = json.loads((path.parent / SETTINGS).read_text())
        (results,), cost = json.loads(path.read_text())["runs"], json.loads((path.parent / COST).read_text())
        scores = results["scores"].get("test") or results["scores"]["dev"]
        score = round(scores["figures"][scores["main"]], 4)
        yield {"task": task, "row": row, "seed": seed, "settings": settings, "score": score, **cost}


def runs_of_row(lines: Iterable[dict[str, Any]], task: str, row: str) -> dict[int, Run]:
    """The runs of a row by their seeds."""
    row_lines = [line for line in lines if (line["task"], line["row"]) == (task, row)]
    return {line["seed"]: Run(line["score"], line["cpu_seconds"], line["peak_bytes"]) for line in row_lines}


def table(runs: list[dict[str, Any]], tasks: list[str], names: list[str]) -> str:
    """One line a task and row, as Markdown."""
    lines = ["| task | row | score (runs) | beside plain | paired t-test | CPU time / plain | peak memory / plain |"]
    lines.append("|---|---|---:|---:|---:|---:|---:|")
    for task in tasks:
        plain = runs_of_row(runs, task, "plain")
        for row in names:
            if row_runs := runs_of_row(runs, task, row):
                lines.append(f"| {task} | {row} | {_spread(row_runs)} | {' | '.join(_compare(row_runs, plain))} |")
    return "\n".join(lines)


def _spread(row_runs: dict[int, Run]) -> str:
    values = [one.score for one in row_runs.values()]
    deviation = f" ± {statistics.stdev(values):.2f}" if len(values) > 1 else ""
    return f"{statistics.mean(values):.2f}{deviation} ({len(values)})"


def _compare(row_runs: dict[int, Run], plain: dict[int, Run]) -> list[str]:
    """Of the seeds that both rows have: difference, probability of one as large by chance, and two ratios."""
    from scipy.stats import ttest_rel

    seeds = sorted(row_runs.keys() & plain.keys())
    if not seeds or row_runs == plain:
        return [""] * 4
    ours, theirs = ([side[seed].score for seed in seeds] for side in (row_runs, plain))
    differences = [a - b for a, b in zip(ours, theirs, strict=True)]
    chance = f"p = {ttest_rel(ours, theirs).pvalue:.2f}" if len(set(differences)) > 1 else ""
    time = sum(row_runs[seed].cpu_seconds for seed in seeds) / sum(plain[seed].cpu_seconds for seed in seeds)
    memory = sum(row_runs[seed].peak_bytes for seed in seeds) / sum(plain[seed].peak_bytes for seed in seeds)
    return [f"{statistics.mean(differences):+.2f}", chance, f"{time:.2f}", f"{memory:.2f}"]


if __name__ == "__main__":
    main()
