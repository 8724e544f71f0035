"""One encoder trained in four ways on three tasks, some seeds each: the table of docs/results.md, with real weights.

    python benchmarks/real_weights.py ENCODER LUKE TASKS RUNS --set stages.epochs=1 --set stages.learning_rate=2e-4

ENCODER is a plain encoder's folder, LUKE a run of `wikiprep pretrain` that started from it, TASKS the folder with the
data sets. Each run is a command of its own, which is printed; what RUNS or the ledger (`--ledger`, ledger.py) has with
the same settings is not run again, so that the same command goes on after a stop, or on another machine. `--table` only
prints the table of what is there, of all settings of a task or, with --set, of those alone.
"""

import argparse
import json
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ledger import SETTINGS, add_to_ledger, begin_run, by_key, read_ledger

DATA = {"semeval2010": "semeval2010_task8", "fewrel": "fewrel", "wnut17": "wnut17"}
ROWS = {
    "trainer": "plain encoder, same head, transformers' Trainer",
    "words": "wikiprep, without entities",
    "plain": "wikiprep, LUKE, original attention",
    "aware": "wikiprep, LUKE, entity-aware attention",
}
MODELS = {"trainer": "encoder", "words": "encoder", "plain": "luke", "aware": "luke"}
ABLATIONS = {"words": "no-entities", "plain": "plain-attention"}


def main() -> None:
    """Run what is missing, then print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("encoder", "luke", "tasks", "runs"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--seeds", default="3", help="How many, or which: 2,3.")
    parser.add_argument("--set", action="append", default=[], dest="settings", help="For all rows alike.")
    parser.add_argument("--rows", default=",".join(ROWS))
    parser.add_argument("--only", default=",".join(DATA), help="Tasks.")
    parser.add_argument("--ledger", type=Path)
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    seeds = [int(one) for one in options.seeds.split(",")]
    if not options.table:
        for seed in seeds if len(seeds) > 1 else range(1, seeds[0] + 1):
            for task in options.only.split(","):
                for row in options.rows.split(","):
                    run(options, task, row, seed)
                    add_to_ledger(options.ledger, finished(options.runs))
    lines_by_key = by_key(finished(options.runs)) | read_ledger(options.ledger)
    lines = [line for line in lines_by_key.values() if not options.settings or line["settings"] == options.settings]
    print(table(lines, options.only.split(",")))


def run(options: argparse.Namespace, task: str, row: str, seed: int) -> None:
    """One run, unless its results are there or in the ledger."""
    folder = options.runs / f"{task}-{row}-{seed}"
    settings = list(options.settings)
    if (task, row, seed, tuple(settings)) in read_ledger(options.ledger):
        return
    begin_run(folder, settings)
    if (folder / "results.json").exists():
        return
    data, model = str(options.tasks / DATA[task]), str(getattr(options, MODELS[row]))
    if row == "trainer":
        script = str(Path(__file__).with_name("finetune_trainer.py"))
        command = [sys.executable, script, task, model, data, "--output", str(folder / "results.json")]
    else:
        command = [sys.executable, "-m", "wikiprep", "finetune", task, "--model", model, "--data", data]
        command += ["--output", str(folder)]
        command += ["--ablation", ABLATIONS[row]] if row in ABLATIONS else []
    command += [f"--set={one}" for one in settings] + ["--seed", str(seed)]
    print(" ".join(command), flush=True)
    with (folder / "said.txt").open("ab") as log:
        completed = subprocess.run(command, stdout=log, stderr=subprocess.STDOUT)
    if completed.returncode:
        raise SystemExit(f"{folder / 'said.txt'}: ended with {completed.returncode}")


def finished(runs: Path) -> Iterator[dict[str, Any]]:
    """Of each finished run a line of the ledger: its scores on both parts, in per cent."""
    for path in sorted(runs.glob("*/results.json")):
        task, row, seed = path.parent.name.rsplit("-", 2)
        settings = json.loads((path.parent / SETTINGS).read_text())
        results = json.loads(path.read_text())
        if "runs" in results:
            (results,) = results["runs"]
            dev, test = (
                results["scores"][part]["figures"][results["scores"][part]["main"]] for part in ("dev", "test")
            )
        else:
            dev, test = results["dev"], results["test"]
        scores = {"dev": round(dev, 2), "test": round(test, 2)}
        yield {"task": task, "row": row, "seed": int(seed), "settings": settings, **scores}


def table(runs: list[dict[str, Any]], tasks: list[str]) -> str:
    """Mean and standard deviation over seeds, as Markdown; in brackets how many."""
    heads = [f"{task} {part}" for task in tasks for part in ("dev", "test")]
    lines = ["| | " + " | ".join(heads) + " |", "|---|" + "---|" * len(heads)]
    for row, title in ROWS.items():
        cells = []
        for task in tasks:
            row_lines = [one for one in runs if (one["row"], one["task"]) == (row, task)]
            cells += [_cell([one[part] for one in row_lines]) for part in ("dev", "test")]
        lines.append(f"| {title} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _cell(values: list[float]) -> str:
    if not values:
        return ""
    spread = f" ± {statistics.stdev(values):.2f}" if len(values) > 1 else ""
    return f"{statistics.mean(values):.2f}{spread} ({len(values)})"


if __name__ == "__main__":
    main()
