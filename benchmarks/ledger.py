"""Runs that take hours, kept as lines of JSON in benchmarks/results/, so that a later machine adds seeds to them.

A line is one finished run: its task, row, seed and settings, which make it what it is, and what it came to. Lines are
sorted, so that two machines' files merge by lines.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

SETTINGS = "settings.json"  # in a run's folder
KEY = ("task", "row", "seed", "settings")


def read_ledger(path: Path | None) -> dict[tuple[Any, ...], dict[str, Any]]:
    """The runs of a file by `KEY`; none where the file is not there."""
    if path is None or not path.exists():
        return {}
    return by_key(json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())


def by_key(lines: Iterable[dict[str, Any]]) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Lines by what makes each run what it is."""
    return {tuple(tuple(line[part]) if part == "settings" else line[part] for part in KEY): line for line in lines}


def begin_run(folder: Path, what: Any) -> None:
    """Make a run's folder, which says what it is. SystemExit where it is there as another run, with other settings."""
    folder.mkdir(parents=True, exist_ok=True)
    path, text = folder / SETTINGS, json.dumps(what)
    if path.exists() and path.read_text() != text:
        raise SystemExit(f"{folder}: a run with other settings ({path.read_text()}): give another folder for runs")
    path.write_text(text)


def add_to_ledger(path: Path | None, runs: Iterable[dict[str, Any]]) -> None:
    """Write the file with `runs` among its lines. A run that it has already keeps its line."""
    if path is None:
        return
    lines_by_key = by_key(runs) | read_ledger(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(lines_by_key[key], ensure_ascii=False) for key in sorted(lines_by_key, key=str)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
