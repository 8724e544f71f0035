"""Figures of several fine-tuning runs, from the results.json that each left: read, put together by seeds, as a table.

A row is what differs in the seed alone: task, encoder, setting and all other options. `wikiprep results` shows rows
beside the published ones, a table a task, as Markdown and as JSON. Torch is not needed.
"""

import json
import statistics
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.tasks.published import published_rows
from wikiprep.tasks.results import RESULTS, setting_of
from wikiprep.tasks.results import SCHEMA as RUN_SCHEMA

SCHEMA = "results-table/1"
NOT_KNOWN = "not known"  # setting of a run that says it nowhere
_ABOUT, _OPTIONS = "about/task.json", "config.toml"
_PRETRAINED = "checkpoints"
PARTS = ("dev", "test")
_BOTH = {"squad": ("em", "f1"), "record": ("em", "f1")}  # figures that papers give side by side


@dataclass(frozen=True)
class Run:
    """One seed. `scores`: of each part its figures, in per cent; `main` names the one that models are compared by;
    `options`: all of the run but the seed, None where they are not there."""

    task: str
    model: str
    setting: str
    seed: int
    main: str
    scores: Mapping[str, Mapping[str, float]]
    folder: str
    options: str | None


@dataclass(frozen=True)
class Row:
    """Runs that differ in their seed alone."""

    runs: Sequence[Run]

    def figures(self, part: str) -> dict[str, tuple[float, float | None]]:
        """Mean and standard deviation (n - 1; None of one run) of each figure of "dev" or "test"; {} without any."""
        part_scores = [run.scores[part] for run in self.runs if part in run.scores]
        if len(part_scores) < len(self.runs):
            return {}
        summary = {}
        for name in part_scores[0]:
            values = [figures[name] for figures in part_scores if name in figures]
            summary[name] = statistics.fmean(values), statistics.stdev(values) if len(values) > 1 else None
        return summary

    def as_json(self) -> dict[str, Any]:
        """Its row of `wikiprep results --json`."""
        first = self.runs[0]
        scores = {part: self.figures(part) for part in ("dev", "test")}
        return {
            "task": first.task,
            "model": first.model,
            "setting": first.setting,
            "main": first.main,
            "seeds": [run.seed for run in self.runs],
            "folders": [run.folder for run in self.runs],
            "scores": {
                part: {name: {"mean": mean, "deviation": spread} for name, (mean, spread) in figures.items()}
                for part, figures in scores.items()
                if figures
            },
        }


def read_runs(folders: Sequence[str]) -> list[Run]:
    """All seeds of the runs. Raises UsageError for what is no ended run or is given twice, WikiprepError for damage."""
    runs: list[Run] = []
    seen: dict[Path, str] = {}
    for folder in folders:
        for run in _runs_of(Path(folder)):
            place = Path(run.folder).resolve()
            if place in seen:
                raise UsageError(f"{folder}: {run.folder} is counted already, by {seen[place]}", "give each run once")
            seen[place] = folder
            runs.append(run)
    return runs


def group_runs(runs: Sequence[Run]) -> list[Row]:
    """Rows by task, in the order in which they are first met."""
    rows: dict[tuple[object, ...], list[Run]] = {}
    for run in runs:
        options_key = run.options if run.options is not None else str(Path(run.folder).resolve())
        rows.setdefault((run.task, run.model, run.setting, options_key), []).append(run)
    tasks = list(dict.fromkeys(run.task for run in runs))
    grouped_rows = [Row(sorted(same_runs, key=lambda run: run.seed)) for same_runs in rows.values()]
    for row in grouped_rows:
        seeds = [run.seed for run in row.runs]
        if len(set(seeds)) < len(seeds):
            repeated = [run.folder for run in row.runs if seeds.count(run.seed) > 1]
            raise UsageError(f"{' and '.join(repeated)}: the same run, with the same seed", "give one of them")
    return sorted(grouped_rows, key=lambda row: tasks.index(row.runs[0].task))


def _runs_of(path: Path) -> list[Run]:
    """Of a run, or of the folder of several seeds."""
    file = path if path.name == RESULTS else path / RESULTS
    if not file.is_file():
        raise UsageError(*_explain_missing(path))
    try:
        results = json.loads(file.read_text(encoding="utf-8"))
        if results["schema"] != RUN_SCHEMA:
            raise WikiprepError(
                f"{file}: holds {results['schema']}, not {RUN_SCHEMA}", "use the wikiprep that wrote it"
            )
        return [_run(result, file.parent, several=len(results["runs"]) > 1) for result in results["runs"]]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise WikiprepError(
            f"{file}: cannot be read ({type(error).__name__}: {error})",
            "give the command of the run again: it writes the file anew",
        ) from error


def _run(result: Mapping[str, Any], folder: Path, *, several: bool) -> Run:
    """The run may have been moved: its own folder is looked for below the one that is given."""
    name = Path(result["folder"]).name
    own_folder = folder / name if several or (folder / name / _ABOUT).is_file() else folder
    scores = {part: {n: float(v) for n, v in score["figures"].items()} for part, score in result["scores"].items()}
    main = next(iter(result["scores"].values()))["main"]
    setting = result.get("setting") or _setting(own_folder / _ABOUT)
    return Run(
        result["task"],
        result["model"],
        setting,
        int(result["seed"]),
        main,
        scores,
        str(own_folder),
        _options(own_folder),
    )


def _setting(about: Path) -> str:
    """Of a run that was written before results.json said it."""
    try:
        encoder = json.loads(about.read_text(encoding="utf-8"))["encoder"]
        return setting_of(entities=encoder["entities"], entity_aware=encoder["entity_aware_attention"])
    except (OSError, ValueError, KeyError, TypeError):
        return NOT_KNOWN


def _options(folder: Path) -> str | None:
    try:
        options = tomllib.loads((folder / _OPTIONS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    options.get("data", {}).pop("seed", None)
    return json.dumps(options, sort_keys=True)


def _explain_missing(path: Path) -> tuple[str, str]:
    if not path.exists():
        return f"{path}: no such folder", "give the folder of a run of `wikiprep finetune`"
    if (path / _ABOUT).is_file():
        return f"{path}: the run has not ended: no {RESULTS}", "give its command again: it goes on, and writes the file"
    if (path / _PRETRAINED).is_dir():
        return f"{path}: a run of pretrain, which has no task", "`wikiprep evaluate` says how good it is"
    below = sorted(file.parent.name for file in path.glob(f"*/{RESULTS}"))
    hint = (
        f"give the runs in it: {', '.join(below[:5])}" if below else "give the folder of a run of `wikiprep finetune`"
    )
    return f"{path}: no {RESULTS} in it", hint


def tables(rows: Sequence[Row], *, every_figure: bool = False) -> str:
    """Markdown, in per cent: means, and over several seeds ± their standard deviation."""
    tasks = list(dict.fromkeys(row.runs[0].task for row in rows))
    parts = []
    for task in tasks:
        lines = _table(task, [row for row in rows if row.runs[0].task == task], every_figure)
        parts.append(f"{task}, per cent\n\n" + "".join(f"| {' | '.join(map(_cell, line))} |\n" for line in lines))
    return "\n".join(parts)


def as_json(rows: Sequence[Row]) -> dict[str, Any]:
    """All figures of the rows, and what was published of their tasks."""
    tasks = list(dict.fromkeys(row.runs[0].task for row in rows))
    published = {task: [asdict(row) for row in published_rows(task)] for task in tasks}
    return {"schema": SCHEMA, "rows": [row.as_json() for row in rows], "published": published}


def _table(task: str, rows: Sequence[Row], every_figure: bool) -> list[list[str]]:
    columns = _columns(task, rows, every_figure)
    lines = [["encoder", "setting", "seeds", *(f"{part} {name}" for part, name in columns)]]
    lines.append([*("---",) * 3, *("---:",) * len(columns)])
    published: dict[tuple[str, str], dict[tuple[str, str], float]] = {}
    for published_row in published_rows(task):
        row_figures = published.setdefault((published_row.model, published_row.table), {})
        row_figures |= {(published_row.split, name): value for name, value in published_row.figures.items()}
    for (model, table), figures in published.items():
        cells = [f"{figures[column]:.1f}" if column in figures else "-" for column in columns]
        if any(cell != "-" for cell in cells):
            lines.append([model, f"published: {table}", "-", *cells])
    for row in rows:
        first = row.runs[0]
        values_by_column = {(part, name): values for part in PARTS for name, values in row.figures(part).items()}
        cells = [_figure(*values_by_column[column]) if column in values_by_column else "-" for column in columns]
        lines.append([f"**{first.model}**", first.setting, str(len(row.runs)), *cells])
    return lines


def _columns(task: str, rows: Sequence[Row], every_figure: bool) -> list[tuple[str, str]]:
    names = dict.fromkeys(_BOTH.get(task, ()) or (row.runs[0].main for row in rows))
    if every_figure:
        names |= dict.fromkeys(name for row in rows for part in PARTS for name in row.figures(part))
    present_parts = {part for row in rows for part in PARTS if row.figures(part)}
    return [(part, name) for part in PARTS if part in present_parts for name in names]


def _figure(mean: float, spread: float | None) -> str:
    return f"{mean:.2f}" + ("" if spread is None else f" ± {spread:.2f}")


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
