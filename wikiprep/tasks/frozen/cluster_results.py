"""What `wikiprep cluster` leaves: results.json, and results.md with the published rows beside ours.

Scores are shares, as papers print them.
"""

import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from wikiprep.files import sha256_of, whole_file
from wikiprep.tasks.frozen.cluster import ClusterResult, in_words
from wikiprep.tasks.metrics.clustering import ClusteringScores
from wikiprep.tasks.published import published_rows
from wikiprep.tasks.results import RESULTS, TABLE

SCHEMA = "cluster/1"
FIGURES = ("acc", "nmi", "ari")
CHANCE = "all in one cluster"


def write_clustered(folder: Path, result: ClusterResult) -> str:
    """Write both files; returns the table. Nothing in them depends on time, or on the order of the set's files."""
    folder.mkdir(parents=True, exist_ok=True)
    table = as_markdown(result)
    with whole_file(folder / RESULTS) as file:
        file.write(json.dumps(as_json(result), ensure_ascii=False, indent=1).encode() + b"\n")
    with whole_file(folder / TABLE) as file:
        file.write(table.encode())
    return table


def as_json(result: ClusterResult) -> dict[str, Any]:
    """All that was asked, read, drawn and found."""
    return {
        "schema": SCHEMA,
        "what": result.options.what,
        "set": result.set_name,
        "files": {path.name: sha256_of(path) for path in result.items.files},
        "read": _sorted(result.items.read),
        "left_out": _sorted(result.items.left_out),
        "starts": result.options.starts,
        "draws": [
            {
                "labels": list(draw.labels),
                "seed": draw.seed,
                "items": len(draw.places),
                "ambiguous_texts": draw.ambiguous_texts,
                "ambiguous_items": draw.ambiguous_items,
            }
            for draw in result.draws
        ],
        "rows": [
            {"model": CHANCE, "runs": [asdict(scores) for scores in result.chance], **_summary(result.chance)},
            *(
                {
                    "model": row.model,
                    "vectors": row.vectors,
                    "numbers": row.size,
                    "left_out": _sorted(row.left_out),
                    "notes": _sorted(row.notes),
                    "runs": [
                        {**asdict(run.scores), "items": run.items, "different_vectors": run.different}
                        for run in row.runs
                    ],
                    **_summary([run.scores for run in row.runs]),
                }
                for row in result.rows
            ),
        ],
        "published": [asdict(row) for row in published_rows(f"cluster-{result.set_name}")],
        "versions": {name: version(name) for name in ("wikiprep", "scikit-learn", "scipy", "numpy")},
    }


def as_markdown(result: ClusterResult) -> str:
    """Published rows, then ours: mean and, of several runs, standard deviation (n - 1)."""
    lines = [f"Clusters of {result.options.what}: {result.set_name}. {_describe_draws(result)}", ""]
    lines += ["| model | vectors | from | ACC | NMI | ARI |", "| --- | --- | --- | ---: | ---: | ---: |"]
    for row in published_rows(f"cluster-{result.set_name}"):
        lines.append(_line(row.model, "", row.table, [f"{row.figures[name]:.3f}" for name in FIGURES]))
    for model, kind, scores in (
        (CHANCE, "", result.chance),
        *((row.model, row.vectors, [run.scores for run in row.runs]) for row in result.rows),
    ):
        mean, deviation = _summary(scores)["mean"], _summary(scores).get("deviation")
        cells = [f"{mean[name]:.3f}" + (f" ± {deviation[name]:.3f}" if deviation else "") for name in FIGURES]
        lines.append(_line(model, kind, "this run", [f"**{cell}**" for cell in cells]))
    lines += ["", f"Read: {in_words(result.items.read)}."]
    left_out_texts = [f"{in_words(counts)}" for counts in (result.items.left_out,) if counts]
    left_out_texts += [f"{row.model}: {in_words(row.left_out)}" for row in result.rows if row.left_out]
    lines += [f"Left out: {'; '.join(dict.fromkeys(left_out_texts))}."] if left_out_texts else []
    return "\n".join(lines) + "\n"


def _describe_draws(result: ClusterResult) -> str:
    runs = f"{len(result.draws)} runs, mean ± deviation" if len(result.draws) > 1 else "one run"
    sets = list(dict.fromkeys(draw.labels for draw in result.draws))
    if len(sets) == 1:
        return f"{len(sets[0])} classes ({', '.join(sets[0])}), {runs}, seeds from {result.draws[0].seed} on."
    draws_text = "; ".join(f"{', '.join(draw.labels)} (seed {draw.seed})" for draw in result.draws)
    return f"{len(sets[0])} classes a run, {runs}: {draws_text}."


def _summary(scores: Sequence[ClusteringScores]) -> dict[str, dict[str, float]]:
    values = {name: [getattr(one, name) for one in scores] for name in FIGURES}
    summary = {"mean": {name: statistics.fmean(numbers) for name, numbers in values.items()}}
    if len(scores) > 1:
        summary["deviation"] = {name: statistics.stdev(numbers) for name, numbers in values.items()}
    return summary


def _line(model: str, kind: str, source: str, cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in (model, kind, source, *cells))} |"


def _sorted(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items()))
