"""Disk by folder and time by stage."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import orjson

from wikiprep.report.blocks import Section, figure_title
from wikiprep.report.charts import Axis
from wikiprep.report.corpus import ReportCorpus
from wikiprep.report.ranked_names import ranked_figure

RUN_LOG = "run.json"


def costs(corpora: Sequence[ReportCorpus]) -> Section:
    """By the manifest and by run.json, all runs added up."""
    section = Section("costs", "Disk and time", "")
    section.figures.append(
        ranked_figure(
            "costs-disk",
            "Megabytes by folder",
            "folder",
            Axis("MB"),
            {c.name: {name: round(size / 1e6, 3) for name, size in c.bytes_by_folder.items()} for c in corpora},
        )
    )
    times = {}
    for corpus in corpora:
        seconds, note = _seconds(corpus)
        section.notes += note
        if seconds:
            times[corpus.name] = seconds
    if times:
        section.figures.append(
            ranked_figure(
                "costs-time", figure_title("Seconds by stage", times, corpora), "stage", Axis("seconds"), times, 40
            )
        )
    return section


def _seconds(corpus: ReportCorpus) -> tuple[dict[str, int | float], list[str]]:
    if not corpus.has(RUN_LOG):
        return {}, [corpus.lacks("log of its runs", f"{RUN_LOG} is gone")]
    try:
        runs: list[Any] = orjson.loads(corpus.store.read(RUN_LOG))["runs"]
        sums = Counter[str]()
        for run in runs:
            sums.update({stage: float(seconds) for stage, seconds in run["seconds"].items()})
        workers = sorted({run["options"]["workers"] for run in runs if run["options"].get("workers")})
    except (ValueError, KeyError, TypeError, AttributeError):
        return {}, [f"{corpus.name}: {RUN_LOG} is damaged, so that times are not known."]
    message = f"{corpus.name}: {len(runs)} {'run' if len(runs) == 1 else 'runs'}"
    if workers:
        message += f", {' and '.join(map(str, workers))} worker{'' if workers == [1] else 's'}"
    if not sums:
        return {}, [f"{message}; an engine that drives itself tells no times of stages."]
    return {stage: round(seconds, 2) for stage, seconds in sums.items()}, [f"{message}; times are from clock to clock."]
