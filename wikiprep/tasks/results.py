"""What a fine-tuning run leaves for people and machines, beside its weights.

results.json  results.md  predictions.dev.jsonl  errors.dev.jsonl  confusion.dev.png, and the same of test;
predictions.dev.official.json (.txt, .tsv) where the benchmark has a form of its own
"""

import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from wikiprep.files import whole_file
from wikiprep.tasks.error_analysis import confusion_of, draw_confusion, worst_errors
from wikiprep.tasks.predictions import Prediction, write_predictions
from wikiprep.tasks.result_table import ResultRow, markdown_table
from wikiprep.tasks.scorers import Score
from wikiprep.tasks.task_names import NO_CONFUSION
from wikiprep.tasks.write_official import official_ending, write_official

RESULTS, TABLE = "results.json", "results.md"
SCHEMA = "results/1"
WORDS_ALONE, ORIGINAL, ENTITY_AWARE = "words alone", "original attention", "entity-aware attention"


def setting_of(*, entities: bool, entity_aware: bool) -> str:
    """How a run takes part in the ablations of the paper (tables 6 and 7)."""
    return WORDS_ALONE if not entities else ENTITY_AWARE if entity_aware else ORIGINAL


@dataclass(frozen=True)
class Outcome:
    """One run.

    `scores`: of "dev" and "test"; `epoch`: of the weights that are kept; `seconds`: of training, in the command that
    ended it; `left_out`: of each split, by reason; `carried`: links to entities of each split, of a task that looks
    them up, by what these were found; `setting`: see `setting_of`; `knowledge`: how many subwords have an entity of a
    knowledge graph, of each split.
    """

    task: str
    model: str
    seed: int
    epoch: float
    scores: Mapping[str, Score]
    seconds: float
    left_out: Mapping[str, Mapping[str, int]]
    folder: str
    carried: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    setting: str = ""
    knowledge: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    @property
    def chooses(self) -> float | None:
        """The development figure that chooses; None where there is no development set."""
        dev = self.scores.get("dev")
        return dev.figures[dev.main] if dev else None

    def as_json(self) -> dict[str, Any]:
        """As results.json has it."""
        return asdict(self) | {
            "scores": {
                part: {"main": score.main, "figures": score.figures, "examples": score.examples}
                | ({"form": score.form} if score.form else {})
                for part, score in self.scores.items()
            }
        }


def write_outcome(folder: Path, outcome: Outcome, predictions: Mapping[str, Sequence[Prediction]]) -> None:
    """The figures of one run, its predictions, the hundred worst errors, and what was taken for what."""
    for part, part_predictions in predictions.items():
        write_predictions(folder / f"predictions.{part}.jsonl", part_predictions)
        write_predictions(folder / f"errors.{part}.jsonl", worst_errors(part_predictions))
        ending = official_ending(outcome.task)
        if ending is not None:
            write_official(outcome.task, folder / f"predictions.{part}.official{ending}", part_predictions)
        labelled = part in outcome.scores and outcome.scores[part].by_label  # a closed test set has no score
        if labelled and outcome.task not in NO_CONFUSION and find_spec("matplotlib"):
            title = f"{outcome.task}, {part}"
            draw_confusion(confusion_of(part_predictions), folder / f"confusion.{part}.png", title)
    write_summary(folder, [outcome])


def write_summary(folder: Path, outcomes: Sequence[Outcome]) -> None:
    """The figures of all runs of a command, their means and deviations, beside what was published."""
    folder.mkdir(parents=True, exist_ok=True)
    data = {
        "schema": SCHEMA,
        "runs": [outcome.as_json() for outcome in outcomes],
        "summary": {
            part: {
                name: {"mean": mean} | ({"deviation": spread[name]} if spread else {}) for name, mean in means.items()
            }
            for part, (means, spread) in summary(outcomes).items()
        },
    }
    with whole_file(folder / RESULTS) as file:
        file.write(json.dumps(data, ensure_ascii=False, indent=1).encode() + b"\n")
    with whole_file(folder / TABLE) as file:
        file.write(table(outcomes).encode())


def summary(outcomes: Sequence[Outcome]) -> dict[str, tuple[dict[str, float], dict[str, float] | None]]:
    """Of each part the means of its figures over the runs and, of several, their standard deviations (n - 1)."""
    part_summaries = {}
    for part, first in outcomes[0].scores.items():
        values = {name: [outcome.scores[part].figures[name] for outcome in outcomes] for name in first.figures}
        means = {name: statistics.fmean(numbers) for name, numbers in values.items()}
        several = len(outcomes) > 1
        spread = {name: statistics.stdev(numbers) for name, numbers in values.items()} if several else None
        part_summaries[part] = means, spread
    return part_summaries


def table(outcomes: Sequence[Outcome]) -> str:
    """Markdown: of each part the published rows, and ours."""
    first = outcomes[0]
    seeds = f"seed {first.seed}" if len(outcomes) == 1 else f"{len(outcomes)} seeds, mean ± deviation"
    parts = []
    for part, (means, spread) in summary(outcomes).items():
        row = ResultRow(first.model, f"this run ({seeds})", part, means, spread)
        form, views = first.scores[part].form, first.scores[part].views
        title = f"{first.task} ({form})" if form else first.task
        part_table = markdown_table(first.task, [row], list(means), part, form, views)
        parts.append(f"{title}, {part}, per cent\n\n{part_table}")
    return "\n".join(parts)
