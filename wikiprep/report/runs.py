"""Runs of `pretrain`: losses, learning rate, speed, and accuracies beside the mention prior, by their logs."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from wikiprep.errors import UsageError
from wikiprep.report.blocks import Cell, Figure, Section, Table
from wikiprep.report.charts import Axis, ChartLine, draw_lines
from wikiprep.report.themed_svg import inline

LOG = "log.jsonl"
POINTS = 150  # of a line: more cannot be told apart
Points = list[tuple[int, float]]
_GUESSES = {"entity_prior": "the mention prior", "relation_pair_prior": "the pair prior"}


@dataclass
class LoggedRun:
    """The numbers of a log by event and name, in order of steps."""

    name: str
    train: dict[str, Points] = field(default_factory=dict)
    evaluate: dict[str, Points] = field(default_factory=dict)
    broken: int = 0  # lines that could not be read


def open_runs(folders: Sequence[str]) -> list[LoggedRun]:
    """Raises UsageError for a folder without a log."""
    runs = [_read_log(Path(folder)) for folder in folders]
    names = [run.name for run in runs]
    for run, folder in zip(runs, folders, strict=True):
        if names.count(run.name) > 1:
            run.name = folder
    return runs


def training(runs: Sequence[LoggedRun]) -> Section:
    """Pictures of what the logs have."""
    section = Section(
        "runs",
        "Training",
        "The logs of the runs, at most "
        f"{POINTS} steps of each line. On held-out records the mention prior (the commonest target of a name) "
        "stands beside the model: what is not above it was not learned from context.",
    )
    for run in runs:
        if not run.train:
            section.notes.append(f"{run.name}: no step is logged yet.")
        if not run.evaluate:
            section.notes.append(f"{run.name}: no evaluation is logged (data.held_out is 0, or none was due yet).")
        if run.broken:
            section.notes.append(f"{run.name}: {run.broken} lines of {LOG} could not be read.")
    train_metrics = _metric_names(run.train for run in runs)
    for title, y, metrics in (
        ("Loss", Axis("loss"), [name for name in train_metrics if name.startswith("loss")]),
        ("Learning rate", Axis("learning rate"), ["learning_rate"]),
        ("Norm of the gradients", Axis("norm"), ["gradient_norm"]),
        ("Tokens a second", Axis("tokens a second"), ["tokens_per_second"]),
    ):
        section.figures += _figure(title, y, {run.name: _select_points(run.train, metrics) for run in runs})
    evaluated_metrics = _metric_names(run.evaluate for run in runs)
    losses = [name for name in evaluated_metrics if name.startswith("loss")]
    section.figures += _figure(
        "Held-out loss", Axis("loss"), {run.name: _select_points(run.evaluate, losses) for run in runs}
    )
    shares = [name for name in evaluated_metrics if _is_share(name, runs)]
    for guess in dict.fromkeys(map(_guessed, shares)):
        metrics = [name for name in shares if _guessed(name) == guess]
        section.figures += _figure(
            f"Held-out accuracy: {guess}",
            Axis("share", "percent"),
            {r.name: _select_points(r.evaluate, metrics) for r in runs},
        )
    if evaluated_metrics:
        section.tables.append(_last_evaluation(runs, evaluated_metrics))
    return section


def _read_log(folder: Path) -> LoggedRun:
    path = folder / LOG
    if not path.is_file():
        problem = f"{folder}: no such folder" if not folder.is_dir() else f"{path}: no such file"
        raise UsageError(
            problem, "--run takes the folder given to `wikiprep pretrain` as --output, once a step is done"
        )
    run = LoggedRun(folder.resolve().name)
    with path.open("rb") as lines:
        for line in lines:
            try:
                event = orjson.loads(line)
                points_by_name = {"train": run.train, "evaluate": run.evaluate}.get(event["event"])
                step = int(event["step"])
            except (ValueError, KeyError, TypeError):
                run.broken += 1
                continue
            for key, value in event.items() if points_by_name is not None else ():
                if isinstance(value, int | float) and not isinstance(value, bool) and key != "step":
                    assert points_by_name is not None
                    points_by_name.setdefault(key, []).append((step, value))
    for series in (run.train, run.evaluate):
        for key, points in series.items():
            series[key] = _thin_points(points)
    return run


def _thin_points(points: Points) -> Points:
    """At most POINTS of them, the first and the last among these."""
    if len(points) <= POINTS:
        return points
    return [points[round(i * (len(points) - 1) / (POINTS - 1))] for i in range(POINTS)]


def _metric_names(logged: Any) -> list[str]:
    return list(dict.fromkeys(name for one in logged for name in one))


def _select_points(points: Mapping[str, Points], names: Sequence[str]) -> dict[str, Points]:
    return {name: points[name] for name in names if points.get(name)}


def _guessed(name: str) -> str:
    """What is guessed: entity of entity_top1, entity_prior and no_entity_top1."""
    return name.removeprefix("no_").partition("_")[0]


def _is_share(name: str, runs: Sequence[LoggedRun]) -> bool:
    if name == "records" or name.startswith("loss") or "_" not in name:
        return False
    return all(0 <= value <= 1 for run in runs for _, value in run.evaluate.get(name, ()))


def _figure(title: str, y: Axis, points_by_run: Mapping[str, Mapping[str, Points]]) -> list[Figure]:
    several = sum(bool(one) for one in points_by_run.values()) > 1
    alone = len({name for one in points_by_run.values() for name in one}) == 1
    series = {
        run if several and alone else (f"{run}: " if several else "") + _GUESSES.get(name, name): points
        for run, one in points_by_run.items()
        for name, points in one.items()
    }
    if not series:
        return []
    lines = [
        ChartLine(n, [s for s, _ in p], [v if math.isfinite(v) else None for _, v in p]) for n, p in series.items()
    ]
    by_step = [dict(points) for points in series.values()]
    scale = 100 if y.kind == "percent" else 1
    rows: list[list[Cell]] = [
        [step, *(_round_value(scale * of[step]) if step in of else None for of in by_step)]
        for step in sorted({step for of in by_step for step in of})
    ]
    details = "; ".join(f"{name}: {points[0][1]:.4g} to {points[-1][1]:.4g}" for name, points in series.items())
    summary = f"{title} by step. {details}"
    key = "runs-" + "".join(c if c.isalnum() else "-" for c in title.lower())
    svg = inline(draw_lines(lines, Axis("step"), y), key, summary)
    heads = [f"{name}, %" if scale == 100 else name for name in series]
    return [Figure(title, summary, svg, Table(f"{title} by step", ["step", *heads], rows))]


def _last_evaluation(runs: Sequence[LoggedRun], names: Sequence[str]) -> Table:
    rows: list[list[Cell]] = [
        [name, *(_round_value(run.evaluate[name][-1][1]) if name in run.evaluate else None for run in runs)]
        for name in names
    ]
    return Table("The newest evaluation", ["figure", *(run.name for run in runs)], rows)


def _round_value(value: float) -> float:
    return value if isinstance(value, int) or not math.isfinite(value) else float(f"{value:.6g}")
