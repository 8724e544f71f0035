"""One encoder trained in four ways on three tasks, some seeds each: the table of docs/results.md, with real weights.

    python benchmarks/real_weights.py ENCODER LUKE TASKS RUNS --seeds 3 --epochs 1 --rate 2e-4

ENCODER is a plain encoder's folder, LUKE a run of `wikiprep pretrain` that started from it, TASKS the folder with the
data sets. Each run is a command of its own, which is printed; what RUNS holds already is not run again, so that the
same command goes on after a stop. `--table` only prints the table of what is there.
"""

import argparse
import json
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

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
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--epochs", type=float, default=1)
    parser.add_argument("--rate", default="2e-4")
    parser.add_argument("--rows", default=",".join(ROWS))
    parser.add_argument("--only", default=",".join(DATA), help="Tasks.")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    if not options.table:
        for seed in range(1, options.seeds + 1):
            for task in options.only.split(","):
                for row in options.rows.split(","):
                    run(options, task, row, seed)
    print(table(options.runs))


def run(options: argparse.Namespace, task: str, row: str, seed: int) -> None:
    """One run, unless its results are there."""
    folder = options.runs / f"{task}-{row}-{seed}"
    if (folder / "results.json").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    data, model = str(options.tasks / DATA[task]), str(getattr(options, MODELS[row]))
    settings = [f"--set=stages.epochs={options.epochs}", f"--set=stages.learning_rate={options.rate}"]
    if row == "trainer":
        script = str(Path(__file__).with_name("finetune_trainer.py"))
        command = [sys.executable, script, task, model, data, "--output", str(folder / "results.json"), *settings]
    else:
        command = [sys.executable, "-m", "wikiprep", "finetune", task, "--model", model, "--data", data]
        command += ["--output", str(folder), *settings]
        command += ["--ablation", ABLATIONS[row]] if row in ABLATIONS else []
    command += ["--seed", str(seed)]
    print(" ".join(command), flush=True)
    with (folder / "said.txt").open("ab") as said:
        done = subprocess.run(command, stdout=said, stderr=subprocess.STDOUT)
    if done.returncode:
        raise SystemExit(f"{folder / 'said.txt'}: ended with {done.returncode}")


def scores(runs: Path) -> Iterator[tuple[str, str, float, float]]:
    """Of each finished run its task, its row, and its scores on both parts."""
    for path in sorted(runs.glob("*/results.json")):
        task, row, _ = path.parent.name.rsplit("-", 2)
        made = json.loads(path.read_text())
        if "runs" in made:
            (made,) = made["runs"]
            dev, test = (made["scores"][part]["figures"][made["scores"][part]["main"]] for part in ("dev", "test"))
        else:
            dev, test = made["dev"], made["test"]
        yield task, row, dev, test


def table(runs: Path) -> str:
    """Mean and standard deviation over seeds, as Markdown."""
    found: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for task, row, *both in scores(runs):
        found.setdefault((row, task), []).append((both[0], both[1]))
    heads = [f"{task} {part}" for task in DATA for part in ("dev", "test")]
    lines = ["| | " + " | ".join(heads) + " |", "|---|" + "---|" * len(heads)]
    for row, title in ROWS.items():
        cells = []
        for task in DATA:
            pairs = found.get((row, task), [])
            cells += [_cell([pair[part] for pair in pairs]) for part in (0, 1)]
        lines.append(f"| {title} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _cell(values: list[float]) -> str:
    if not values:
        return ""
    spread = f" ± {statistics.stdev(values):.2f}" if len(values) > 1 else ""
    return f"{statistics.mean(values):.2f}{spread} ({len(values)})"


if __name__ == "__main__":
    main()
